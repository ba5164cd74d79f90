# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""In-network aggregation as an algorithm of an all-reduce: its options, its results and its files."""

import math
import os
import re
import shutil
import statistics
import subprocess

import pytest
from harness import call, check_blame, check_refusals, needs_program, refusal, stderr_lines, succeed

pytestmark = needs_program

def racks(leaves, spines, hosts):
    shape = f"--topology=leaf-spine --leaves={leaves} --spines={spines} --hostsPerLeaf={hosts} --rate=100Gb/s"
    return [*shape.split(), "--workload=all-reduce"]


SHAPE = "--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=5 --rate=100Gb/s".split()
JOB = [*SHAPE, "--workload=all-reduce", "--size=100KiB"]

BAD = {
    "--workload=all-reduce --slots=5": "only with --algorithm=atp, switchml or esa",
    "--workload=all-reduce --algorithm=ring --jobs=2": "only with --algorithm=atp, switchml or esa",
    "--parameterServers=1": "only with --algorithm=atp, switchml or esa",
    "--workload=all-gather --algorithm=esa": "--algorithm=esa: ",
    "--algorithm=esa": "--algorithm=esa: ",
    "--workload=all-reduce --algorithm=esa --slots=0": "--slots=0: ",
    "--workload=all-reduce --algorithm=esa --slots=45536": "--slots=45536: ",
    "--workload=all-reduce --algorithm=esa --jobs=0": "--jobs=0: ",
    "--workload=all-reduce --algorithm=esa --jobs=4": "--jobs=4: ",
    "--workload=all-reduce --algorithm=esa --jobs=absent.csv": "--jobs: ",
    "--workload=all-reduce --algorithm=esa --jobs=bad.csv": "bad.csv:2: column layers",
    "--workload=all-reduce --algorithm=esa --jobs=good.csv --size=1MiB": "--size=1MiB: ",
    "--workload=all-reduce --algorithm=esa --parameterServers=10": "--parameterServers=10: ",
    "--workload=all-reduce --algorithm=esa --parameterServers=1,1 --jobs=2": "--parameterServers=1,1: ",
    "--workload=all-reduce --algorithm=esa --parameterServers=1,2": "--parameterServers=1,2: ",
    "--workload=all-reduce --algorithm=switchml --parameterServers=1": "only with --algorithm=atp or esa",
    "--workload=all-reduce --algorithm=switchml --slots=1": "--slots=1: ",
    "--workload=all-reduce --algorithm=atp --aggregationWindow=0": "--aggregationWindow=0: ",
    "--workload=all-reduce --algorithm=atp --aggregationReach=199": "--aggregationReach=199: ",
    "--workload=all-reduce --algorithm=switchml --aggregationReach=500": "only with --algorithm=atp or esa",
    "--workload=all-reduce --algorithm=switchml --resultPath=switch": "only with --algorithm=atp or esa",
    "--workload=all-reduce --algorithm=atp --resultPath=host": "--resultPath=host: ",
    "--workload=all-reduce --algorithm=switchml --distinctSlots=false": "only with --algorithm=atp or esa",
    "--workload=all-reduce --algorithm=esa --distinctSlots=2": "--distinctSlots=2: true or false",
    "--workload=all-reduce --algorithm=esa --gradientMagnitude=0": "--gradientMagnitude=0: a number above 0",
    "--workload=all-reduce --algorithm=esa --gradientMagnitude=big": "--gradientMagnitude=big: a number above 0",
    "--workload=all-reduce --algorithm=esa --gradientRounding=down": "--gradientRounding=down: one of nearest, random",
    "--workload=all-reduce --algorithm=ring --gradientRounding=random": "only with --algorithm=atp, switchml or esa",
    "--workload=all-reduce --algorithm=ring --resultPath=switch": "only with --algorithm=atp, switchml or esa",
    "--workload=all-reduce --algorithm=atp --planes=2": "--planes=2: ",
    "--workload=all-reduce --algorithm=atp --ns3::aifabric::ParameterServer::ServiceRate=1": "ServiceRate=1: at least ",
    "--workload=all-reduce --algorithm=esa --ns3::aifabric::AggregationStage::PacketRate=9": "PacketRate=9: at least ",
    "--workload=all-reduce --algorithm=atp --chunks=2": "--chunks=2: ",
    "--workload=all-reduce --algorithm=atp --jobRanks=4": "--jobRanks=4: ",
    "--workload=all-reduce --algorithm=switchml --mtu=64 --buffer=200": "--mtu=64: ",
    "--workload=all-reduce --algorithm=esa --jobs=long.csv": "long.csv:2: column compute_ns",
    "--workload=all-reduce --algorithm=esa --jobs=many.csv": "at most 65535 jobs",
    "--workload=all-reduce --algorithm=atp --iterations=2": "--iterations=2: ",
    "--workload=all-reduce --algorithm=atp --onFailure=abort": "--onFailure=abort: ",
    "--workload=all-reduce --algorithm=atp --acks=bypass": "--acks=bypass: ",
    "--workload=all-reduce --algorithm=atp --size=1TiB": "--size=1TiB: less than 2^32 packets of 248 bytes",
    "--workload=all-reduce --algorithm=atp --transport=mrc": "--transport=mrc: ",
    "--workload=all-reduce --algorithm=atp --recovery=sack": "--recovery=sack: ",
    "--workload=all-reduce --algorithm=atp --rateControl=dcqcn": "--rateControl=dcqcn: ",
    "--workload=all-reduce --algorithm=switchml --steering=split": "--steering=split: ",
    "--workload=all-reduce --algorithm=esa --balancer=host-random": "--balancer=host-random: not with in-network aggregation",
    "--workload=all-reduce --algorithm=switchml --balancer=reps": "--balancer=reps: ",
    "--workload=all-reduce --algorithm=esa --placement=absent": "--placement",
    "--workload=all-reduce --algorithm=esa --placement=twice.txt": "twice.txt:2",
    "--workload=all-reduce --algorithm=esa --ns3::aifabric::SlotStage::Slots=0": "SlotStage::Slots",
    "--workload=all-gather --jobs=good.csv": "--jobs=good.csv: only with --workload=all-reduce",
    "--workload=all-reduce --jobs=good.csv --size=1MiB": "--size=1MiB: ",
    "--workload=all-reduce --jobs=good.csv --repeat=2": "--repeat=2: ",
    "--workload=all-reduce --jobs=good.csv --iterations=2": "--iterations=2: ",
    "--workload=all-reduce --jobs=many.csv": "--jobs=many.csv: each job needs 2 workers",
    "--workload=all-reduce --jobs=bad.csv": "bad.csv:2: column layers",
}

HEADER = "bytes,layers,iterations,compute_ns,jitter,start_ns\n"


def test_bad_options_are_refused(tmp_path):
    (tmp_path / "bad.csv").write_text(HEADER + "1000,0,1,0,0,0\n")
    (tmp_path / "good.csv").write_text(HEADER + "1000,1,1,0,0,0\n")
    (tmp_path / "long.csv").write_text(HEADER + "1,1,10000,1000000000000,0,0\n")
    (tmp_path / "many.csv").write_text(HEADER + "1,1,1,0,0,0\n" * 65536)
    (tmp_path / "twice.txt").write_text("1\n1\n")
    check_refusals(tmp_path, BAD, *SHAPE)


def test_switchml_has_at_most_256_jobs(tmp_path):
    """Its header has 8 bits for the number of a job."""
    options = *racks(33, 1, 16), "--algorithm=switchml", "--slots=10000", "--size=1kB", "--check"
    for jobs in (256, 257):
        run = call(tmp_path, *options, f"--jobs={jobs}")
        assert (run.returncode == 0) == (jobs == 256), run.stderr
    assert stderr_lines(run)[0].endswith("--jobs=257: at most 256 jobs")


def test_a_job_has_at_most_32_workers(tmp_path):
    assert "--jobs=auto: " in refusal(tmp_path, *racks(2, 2, 17), "--algorithm=esa")


def aggregate(folder, *options):
    """The results of in-network aggregation, all of whose sums must be right."""
    results = succeed(folder, *options)["results"]["aggregation"]
    assert results["wrong_sums"] == 0
    return results


@pytest.mark.parametrize("algorithm", ["atp", "switchml", "esa"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_all_sums_are_right(tmp_path, algorithm, jobs):
    found = succeed(tmp_path, *JOB, f"--algorithm={algorithm}", f"--jobs={jobs}")
    results = found["results"]["aggregation"]
    workers = 10 // jobs - (algorithm != "switchml")
    fragments = -(-102400 // (256 if algorithm == "switchml" else 248))
    assert found["scenario"]["algorithm"] == algorithm
    assert found["scenario"]["jobs"] == str(jobs)
    assert results["wrong_sums"] == 0
    assert results["checked_sums"] == jobs * workers * fragments
    assert results["retransmissions"] == results["preemptions"] == 0
    assert len(results["jobs"]) == jobs
    assert results["jct_ns"] == pytest.approx(sum(job["jct_ns"] for job in results["jobs"]) / jobs)
    assert 0 < results["jobs"][0]["bus_gbps"] < 200


@pytest.mark.parametrize("loss", ["none", "leaf-0%0.0005@0s"])
@pytest.mark.parametrize("count", [1, 4])
def test_esa_is_before_atp_where_slots_are_scarce(tmp_path, count, loss):
    """As in the paper, with the defaults of both: sums of preempted slots are late, but not taken for lost."""
    mix = [(600000, 25000), (150000, 75000)] * 2
    (tmp_path / "mix.csv").write_text(HEADER + "".join(f"{size},5,2,{time},0.1,0\n" for size, time in mix))
    hosts = [rack * 36 // count + place for place in range(36 // count) for rack in range(count)]
    (tmp_path / "hosts.txt").write_text("\n".join(map(str, hosts)) + "\n")
    options = *racks(count, 9, 36 // count), "--delay=1us", "--balancer=switch-ar", "--jobs=mix.csv", "--slots=100"
    esa, atp = (aggregate(tmp_path, *options, "--placement=hosts.txt", f"--fail={loss}", f"--algorithm={system}")["jct_ns"]
                for system in ("esa", "atp"))
    assert esa < 0.95 * atp  # four racks without losses: 1.10 without ReorderRtts


def test_lines_of_a_run_without_messages_count_none(tmp_path):
    slow = "--ns3::aifabric::AggregationStage::PacketRate=100000"
    run = call(tmp_path, *JOB, "--algorithm=esa", slow, "--out=out", "--progress", "--stallTime=20ms")
    assert run.returncode != 0 and "stalled after" in run.stderr
    assert "of 0 messages" not in run.stderr + run.stdout


def test_little_memory_and_losses(tmp_path):
    few = [*JOB, "--jobs=2", "--slots=50", "--algorithm=esa"]
    assert aggregate(tmp_path, *few, "--fail=host-0%0.01@0us")["hit_share"] < 1


@pytest.mark.parametrize("algorithm", ["atp", "esa"])
def test_results_from_the_switch_come_sooner(tmp_path, algorithm):
    few = [*racks(1, 2, 5), "--size=1KiB", f"--algorithm={algorithm}"]
    server, switch = (aggregate(tmp_path, *few, f"--resultPath={path}")["jct_ns"] for path in ("server", "switch"))
    # To the server and back: 0.5 us twice, its 1 us, and the packet twice.
    assert 2000 < server - switch < 2200


@pytest.mark.parametrize("algorithm", ["atp", "esa"])
@pytest.mark.parametrize("rounding", ["nearest", "random"])
def test_saturated_sums_are_those_of_floats(tmp_path, algorithm, rounding):
    options = [f"--algorithm={algorithm}", "--gradientMagnitude=1000", f"--gradientRounding={rounding}"]
    found = succeed(tmp_path, *JOB, *options)
    results = found["results"]["aggregation"]
    assert results["wrong_sums"] == 0
    assert 0 < results["sums_in_floats"] <= 413
    assert found["scenario"]["gradientMagnitude"] == 1000
    assert found["scenario"]["gradientRounding"] == rounding


def test_switchml_has_no_floats(tmp_path):
    found = succeed(tmp_path, *JOB, "--algorithm=switchml", "--gradientMagnitude=1000")["results"]["aggregation"]
    assert 0 < found["wrong_sums"] <= found["checked_sums"]
    assert found["sums_in_floats"] == 0
    aggregate(tmp_path, *JOB, "--algorithm=switchml", "--gradientMagnitude=200")  # ten workers, less than 2^31 / 10^6


def test_rounding_at_random_changes_integers_only(tmp_path):
    times, payloads = set(), set()
    for rounding in ("nearest", "random"):
        options = ["--algorithm=atp", f"--gradientRounding={rounding}", "--pcap=host-0"]
        times.add(aggregate(tmp_path, *JOB, *options)["jct_ns"])
        payloads.add((tmp_path / "out" / "host-0.pcap").read_bytes())
    assert len(times) == 1 and len(payloads) == 2


@pytest.mark.parametrize("algorithm, rate, buffer, window", [
    ("esa", 25, 800000, 200), ("esa", 100, 800000, 200), ("atp", 400, 800000, 800), ("esa", 400, 217000, 657),
    ("esa", 400, 10000, 200), ("switchml", 100, 800000, 256), ("switchml", 400, 800000, 1024)])  # fmt: skip
def test_windows_and_servers_are_for_the_rate_of_links(tmp_path, algorithm, rate, buffer, window):
    """200 fragments (SwitchML: 256) and 40 million packets a second for each 100 Gb/s, as far as a port has room."""
    options = [*racks(1, 1, 4)[:4], f"--rate={rate}Gb/s", f"--buffer={buffer}", "--workload=all-reduce", "--size=64KiB"]
    found = succeed(tmp_path, *options, f"--algorithm={algorithm}")["results"]["aggregation"]
    assert found["window"] == window
    assert found.get("server_packets_per_second") == (None if algorithm == "switchml" else 40000000 * max(1, rate // 100))


@pytest.mark.parametrize("options, window", [
    (["--balancer=ecmp"], 328), (["--balancer=ns3::aifabric::EcmpBalancer"], 328), (["--balancer=e-ecmp"], 328),
    (["--balancer=flowlet"], 328), (["--balancer=switch-ar"], 657), (["--balancer=switch-ar", "--spineBuffer=99kB"], 300)])  # fmt: skip
def test_windows_have_room_where_racks_meet(tmp_path, options, window):
    """By flow, the sums of two of four racks may wait for one link; a frame has 330 bytes in the buffer."""
    shape = [*racks(4, 8, 8)[:4], "--rate=400Gb/s", "--buffer=217kB", "--workload=all-reduce", "--size=4KiB"]
    assert succeed(tmp_path, *shape, "--algorithm=esa", *options)["results"]["aggregation"]["window"] == window


def test_windows_and_servers_are_what_is_asked_for(tmp_path):
    options = [*racks(1, 1, 4), "--algorithm=esa", "--size=64KiB", "--aggregationWindow=50"]
    found = succeed(tmp_path, *options, "--ns3::aifabric::ParameterServer::ServiceRate=5000000")["results"]["aggregation"]
    assert (found["window"], found["server_packets_per_second"]) == (50, 5000000)
    few = [*racks(1, 1, 4), "--algorithm=switchml", "--size=64KiB", "--slots=60"]
    assert succeed(tmp_path, *few)["results"]["aggregation"]["window"] == 30


@pytest.mark.parametrize("algorithm", ["atp", "esa", "switchml"])
def test_systems_come_near_the_line_rate_at_400_gbps(tmp_path, algorithm):
    options = ["--rate=400Gb/s", "--workload=all-reduce", "--size=4MiB", f"--algorithm={algorithm}", "--balancer=switch-ar"]
    found = succeed(tmp_path, *racks(2, 4, 8)[:4], *options)["results"]["aggregation"]
    assert found["line_rate_ns"] / found["jct_ns"] > 0.75


def test_slots_need_not_be_distinct(tmp_path):
    """One window of as many fragments as slots: the hash puts many of them into slots of others."""
    tight = [*SHAPE, "--workload=all-reduce", "--algorithm=atp", "--slots=200", "--size=49600"]
    shares = [succeed(tmp_path, *tight, f"--distinctSlots={value}")["results"]["aggregation"]["hit_share"]
              for value in ("true", "false")]
    assert shares[0] == 1 and shares[1] < 0.95


@pytest.mark.parametrize("algorithm", ["atp", "esa", "switchml"])
def test_the_utilization_of_slots_is_a_share(tmp_path, algorithm):
    """A worker that computes longer than the others lets slots fill; with twice the slots the share is half."""
    (tmp_path / "jobs.csv").write_text(HEADER + "49600,1,1,10000,3,0\n")
    shares = []
    for slots in (400, 800):
        options = [f"--algorithm={algorithm}", "--jobs=jobs.csv", f"--slots={slots}", "--aggregationWindow=200"]
        found = succeed(tmp_path, *racks(1, 1, 5)[:4], "--workload=all-reduce", *options)["results"]
        results = found["aggregation"]
        assert results["slot_utilization"] == pytest.approx(results["filling_ns"] / slots / found["cct_ns"], rel=1e-6)
        assert 0 < results["filling_ns"] <= results["held_ns"]
        shares.append(results["slot_utilization"])
    assert 0.05 < shares[0] < 0.6
    assert shares[1] == pytest.approx(shares[0] / 2, rel=0.02)


def test_a_timer_of_0_never_expires(tmp_path):
    """The packet of one worker is lost, and nobody asks for it: the run stalls, and says so."""
    options = ["--workload=all-reduce", "--algorithm=esa", "--size=1KiB", "--fail=host-0@0us-10us"]
    never = ["--ns3::aifabric::AtpWorker::Timeout=0s", "--ns3::aifabric::ParameterServer::Reminders=false"]
    run = call(tmp_path, *SHAPE, *options, *never, "--out=out")
    assert run.returncode != 0
    assert any("stall" in line for line in stderr_lines(run))
    aggregate(tmp_path, *SHAPE, *options)


def test_a_short_queue_of_switchml_stalls(tmp_path):
    """The timers of all workers expire in step, so the queue of the pipeline keeps the same packets each time."""
    options = [*racks(1, 1, 4), "--algorithm=switchml", "--aggregationWindow=50", "--size=64000"]
    options += ["--ns3::aifabric::AggregationStage::PacketRate=1000000"]
    run = call(tmp_path, *options, "--ns3::aifabric::AggregationStage::PacketQueue=2", "--out=out")
    lines = stderr_lines(run)
    assert run.returncode == 1 and "stalled" in lines[0]
    assert sum("sums of 0 of 250 fragments, 50 sent" in line for line in lines) == 4
    roomy = succeed(tmp_path, *options, "--ns3::aifabric::AggregationStage::PacketQueue=200")["results"]
    assert roomy["policies"]["aggregation_overflows"] == 0 and roomy["aggregation"]["wrong_sums"] == 0


def test_marks_shorten_queues(tmp_path):
    """Nearly all packets go to the server: its link is congested."""
    options = [*racks(1, 1, 9), "--algorithm=atp", "--size=500KiB", "--slots=1", "--buffer=8MB"]
    marker = ["--marker=step", "--ns3::aifabric::StepMarker::Threshold=80000"]
    without, marked = [succeed(tmp_path, *options, *more)["results"] for more in ([], marker)]
    assert marked["aggregation"]["wrong_sums"] == without["aggregation"]["wrong_sums"] == 0
    assert marked["mean_queue_packets"] < 0.6 * without["mean_queue_packets"]


def test_jobs_of_a_file(tmp_path):
    (tmp_path / "jobs.csv").write_text(HEADER + "24800,5,2,1000,0.1,0\n24800,1,1,0,0,5000\n")
    options = [*SHAPE, "--workload=all-reduce", "--algorithm=esa", "--jobs=jobs.csv"]
    results = aggregate(tmp_path, *options)
    assert results["checked_sums"] == 4 * (2 * 100 + 100)
    assert results["jobs"][0]["jct_ns"] > 2 * 1000 + results["jobs"][1]["jct_ns"]


def test_slots_and_packet_rates_of_attributes(tmp_path):
    space = "--ns3::aifabric::"
    times = []
    for limit in ([], ["--slots=20"], [f"{space}SlotStage::Slots=20"], [f"{space}SlotStage::PortSlots=20"],
                  [f"{space}AggregationStage::PacketRate=5000000", "--aggregationWindow=100"]):
        times.append(aggregate(tmp_path, *JOB, "--algorithm=atp", *limit)["jct_ns"])
    assert times[0] < times[1] == times[2]
    assert times[0] < times[3]
    # The switch of the server gets a packet of 4 workers and of a switch, and the acknowledgement, of 413 fragments.
    # With a window of 200 they would take 240 us to pass, and timers of 200 us would expire.
    assert 1.2 * 413 * 6 / 5e6 * 1e9 > times[4] > 413 * 6 / 5e6 * 1e9 > 2 * times[0]


@pytest.mark.parametrize("algorithm, usual", [("atp", "true"), ("esa", "false")])
def test_rehashing_is_what_the_attribute_says(tmp_path, algorithm, usual):
    """By default ATP re-hashes and ESA does not; the attribute holds for both."""
    (tmp_path / "jobs.csv").write_text(HEADER + "300000,2,2,10000,1,0\n" * 2)
    scarce = [*racks(1, 1, 10), f"--algorithm={algorithm}", "--jobs=jobs.csv", "--slots=200", "--aggregationWindow=50"]
    option = "--ns3::aifabric::ParameterServer::RehashOnCollision="
    found = {value: aggregate(tmp_path, *scarce, *([option + value] if value else [])) for value in ("", "true", "false")}
    assert found[""] == found[usual]
    assert found["true"] != found["false"]


def test_hosts_of_a_placement(tmp_path):
    options = [*JOB, "--algorithm=esa", "--jobs=2"]
    usual = succeed(tmp_path, *options)["results"]
    (tmp_path / "same.txt").write_text("\n".join(map(str, range(10))))
    same = succeed(tmp_path, *options, "--placement=same.txt")["results"]
    assert same["aggregation"] == usual["aggregation"] and same["events"] == usual["events"]
    # Job 0 has hosts 0 to 2 and the server 3, job 1 has 5 to 7 and 8: nothing crosses a spine.
    (tmp_path / "racks.txt").write_text("0 1 2 5 6 7 3 8".replace(" ", "\n"))
    racks = succeed(tmp_path, *options, "--placement=racks.txt")["results"]
    assert racks["aggregation"]["wrong_sums"] == 0
    assert racks["aggregation"]["checked_sums"] == 2 * 3 * 413
    assert racks["packet_hops"] == 2 * 413 * 2 * (3 + 1)
    for placement in ("packed", "fragmented", "random"):
        assert aggregate(tmp_path, *options, f"--placement={placement}")["checked_sums"] == 2 * 4 * 413
    servers = aggregate(tmp_path, *options, "--placement=racks.txt", "--parameterServers=4,9")
    assert servers["checked_sums"] == 2 * 4 * 413


@pytest.mark.parametrize("algorithm", ["ring", "double-binary-tree", "halving-doubling"])
@pytest.mark.parametrize("transport", [["--balancer=host-dr"], ["--transport=mrc"]])
def test_the_same_file_of_jobs_over_messages(tmp_path, algorithm, transport):
    (tmp_path / "jobs.csv").write_text(HEADER + "24801,5,2,100000,0.1,0\n24800,1,1,0,0,5000\n")
    options = [*SHAPE, "--workload=all-reduce", "--jobs=jobs.csv", "--jobRanks=8", *transport]
    found = succeed(tmp_path, *options, f"--algorithm={algorithm}")
    assert found["scenario"]["jobs"] == "jobs.csv" and found["scenario"]["size"] is None
    jobs = found["results"]["jobs"]
    assert [job["hosts"] for job in jobs] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert [job["collectives"] for job in jobs] == [10, 1]
    assert [job["arrival_ns"] for job in jobs] == [0, 5000]
    # Two iterations wait for the slowest of four workers; the mean of the largest of 4 |N| is 1.5.
    assert 2 * 100000 * 1.01 < jobs[0]["jct_ns"] - 2 * jobs[1]["jct_ns"] < 2 * 100000 * 1.6


def test_computations_without_jitter_are_equal(tmp_path):
    (tmp_path / "jobs.csv").write_text(HEADER + "24800,1,2,100000,0,0\n")
    (tmp_path / "cluster.csv").write_text(
        "name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns\n"
        "one,10,packed,0,all-reduce,24800,2,100000\n")
    jobs = succeed(tmp_path, *SHAPE, "--workload=all-reduce", "--jobs=jobs.csv")["results"]
    cluster = succeed(tmp_path, *SHAPE, "--cluster=cluster.csv")["results"]
    assert jobs["jobs"][0]["jct_ns"] == cluster["jobs"][0]["jct_ns"]


@pytest.mark.skipif(not shutil.which("tshark"), reason="tshark is not installed")
@pytest.mark.parametrize("algorithm, port, length", [("atp", 48880, 316), ("esa", 48880, 318), ("switchml", 48864, 308)])
def test_wireshark_reads_the_packets(tmp_path, algorithm, port, length):
    succeed(tmp_path, *JOB, f"--algorithm={algorithm}", "--pcap=host-0")
    command = ["tshark", "-r", str(tmp_path / "out" / "host-0.pcap"), "-T", "fields", "-E", "separator=,"]
    for name in ("frame.len", "udp.dstport", "_ws.malformed", "ip.src"):
        command += ["-e", name]
    frames = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()
    assert {tuple(frame.split(",")[:3]) for frame in frames} == {(str(length), str(port), "")}
    sent = sum(frame.endswith(",10.0.0.1") for frame in frames)
    assert 0 < sent < len(frames)


@pytest.mark.parametrize("loss", [0.1, 0.2])
def test_lossy_links_are_no_stall(tmp_path, loss):
    """SwitchML's timer of 10 ms doubles up to 640 ms."""
    options = ["--algorithm=switchml", "--size=200KiB", f"--fail=cables:1.0%{loss}@0s"]
    assert aggregate(tmp_path, *racks(3, 2, 4), *options)["retransmissions"] > 0


@pytest.mark.parametrize("algorithm", ["switchml", "esa"])
def test_waiting_for_the_slowest_worker_is_no_stall(tmp_path, algorithm):
    (tmp_path / "jobs.csv").write_text(HEADER + "1000,1,1,1000000000,0.1,0\n")
    options = "--workload=all-reduce", f"--algorithm={algorithm}", "--jobs=jobs.csv"
    assert aggregate(tmp_path, *SHAPE, *options)["jct_ns"] > 1e9


@pytest.mark.parametrize("slow", ["--delay=1s", "--ns3::aifabric::ParameterServer::Latency=2s"])
def test_slow_links_and_servers_are_no_stall(tmp_path, slow):
    assert aggregate(tmp_path, *racks(1, 1, 3), "--algorithm=esa", "--size=1KiB", slow)["jct_ns"] > 8e8


def test_a_request_ends_the_first_timeout(tmp_path):
    """The sums of the first window are lost on the way to a worker, and others go on."""
    options = ["--algorithm=esa", "--aggregationWindow=200", "--rate=800Gb/s", "--size=256KiB", "--fail=host-0@5us-1ms"]
    assert aggregate(tmp_path, *racks(3, 2, 4)[:4], "--workload=all-reduce", *options)["jct_ns"] < 5e6


def test_the_extent_is_that_of_fragments(tmp_path):
    run = call(tmp_path, *racks(1, 1, 5), "--algorithm=esa", "--size=24800", "--check")
    assert "5 hosts, 1 job, 100 fragments, about 1000 packet-hops" in run.stdout + run.stderr


def test_a_file_of_jobs_is_a_regular_file(tmp_path):
    os.mkfifo(tmp_path / "jobs.csv")  # nobody writes into it
    run = call(tmp_path, "--workload=all-reduce", "--algorithm=esa", "--jobs=jobs.csv", "--out=out")
    assert len(stderr_lines(run)) == 1
    assert "'jobs.csv' is neither a number nor a file that can be read" in stderr_lines(run)[0]


def test_exponents(tmp_path):
    """Options, attributes and columns read them: 1e2 is 100."""
    space = "--ns3::aifabric::"
    texts = {"slots": ("150", "1.5e2"), "gradientMagnitude": ("20", "2e+1"), "jobs": ("2", "0.2e1"),
             "rate": ("100Gb/s", "1E11b/s"), "delay": ("500ns", "5e-7s"), "size": ("20000", "2e1kB")}
    attributes = {"AtpWorker::ReorderThreshold": ("5", "5e0"), "AggregationStage::PacketRate": ("20000000", "2e7")}
    shape = [option for option in SHAPE if not option.startswith("--rate")]
    found = []
    for place in (0, 1):
        options = [f"--{name}={text[place]}" for name, text in texts.items()]
        options += [f"{space}{name}={text[place]}" for name, text in attributes.items()]
        found.append(succeed(tmp_path, *shape, "--workload=all-reduce", "--algorithm=atp", *options)["results"])
    assert found[0]["aggregation"] == found[1]["aggregation"] and found[0]["events"] == found[1]["events"]
    jobs = []
    for row in ("24800,2,2,1000,0.1,500", "2.48e4,2,2,1e3,1e-1,0.5e3"):
        (tmp_path / "jobs.csv").write_text(f"{HEADER}{row}\n")
        jobs.append(succeed(tmp_path, *SHAPE, "--workload=all-reduce", "--algorithm=atp", "--jobs=jobs.csv")["results"])
    assert jobs[0]["aggregation"] == jobs[1]["aggregation"]


def test_no_exponents(tmp_path):
    for text in "e5 1e 1e5e5 1e- 1e+-2 1e999 1.2.3e2 0x1p3".split():
        options = [f"--gradientMagnitude={text}", f"--slots={text}"]
        check_blame(tmp_path, options, *SHAPE, "--workload=all-reduce", "--algorithm=atp")


# A value of each attribute that changes a run, the systems of which this is true, and more options.
EFFECTS = {
    "AggregationDriver::PriorityPolicy": ("equal", "esa", ""),
    "AggregationDriver::LeastLog": ("-100", "esa", "--ns3::aifabric::AggregationDriver::MostLog=100"),
    "AggregationDriver::MostLog": ("8", "esa", ""),
    "AggregationStage::PacketRate": ("5000000", "atp esa switchml", ""),
    "AggregationStage::PacketQueue": ("4", "atp esa switchml", "--ns3::aifabric::AggregationStage::PacketRate=5000000"),
    "AtpWorker::ReactToMarks": ("false", "atp esa", "--marker=step --ns3::aifabric::StepMarker::Threshold=2000"),
    "AtpWorker::ReorderThreshold": ("0", "atp esa", "--fail=host-0%0.02@0s"),
    "AtpWorker::ReorderRtts": ("5", "atp esa", "--fail=host-0%0.02@0s"),
    "AtpWorker::FirstTimeout": ("0s", "atp esa", ""),
    "AtpWorker::Timeout": ("20us", "atp esa", "--fail=host-0%0.3@0s"),
    "AtpWorker::Doubling": ("100", "atp esa", "--fail=host-0%0.3@0s"),
    "ParameterServer::ServiceRate": ("1000000", "atp esa", ""),
    "ParameterServer::Latency": ("2us", "atp esa", ""),
    "ParameterServer::ReminderTime": ("5us", "atp esa", ""),
    "ParameterServer::Reminders": ("false", "atp esa", ""),
    "SlotStage::Slots": ("40", "atp esa", "--slots=auto"),
    "SlotStage::PortSlots": ("10", "atp esa", ""),
    "SlotStage::MergePartials": ("true", "atp esa", ""),
    "SlotStage::Ageing": ("false", "esa", ""),
    "SlotStage::Refresh": ("true", "esa", ""),
    "SwitchMlStage::Slots": ("40", "switchml", "--slots=auto"),
    "SwitchMlWorker::Timeout": ("20us", "switchml", "--fail=host-0%0.01@0s"),
    "SwitchMlWorker::Doubling": ("1", "switchml", "--fail=host-0%0.3@0s"),
}
TYPES = ["AggregationDriver", "AggregationMember", "AggregationStage", "AtpWorker", "GradientWorker", "ParameterServer",
         "SlotStage", "SwitchMlStage", "SwitchMlWorker"]
SYSTEMS = ["atp", "esa", "switchml"]
TESTED = {"SlotStage::FreePolicy", "ParameterServer::RehashOnCollision", "AggregationMember::Dscp"}  # by other tests


def contest(folder, algorithm, *options):
    """Two jobs of four workers in two racks with few slots; results without what is known beforehand."""
    (folder / "jobs.csv").write_text(HEADER + "40000,3,3,100000,3,0\n" * 2)
    slots = [] if any(option.startswith("--slots") for option in options) else ["--slots=20"]
    return [*SHAPE, "--workload=all-reduce", f"--algorithm={algorithm}",
            "--jobs=jobs.csv", "--placement=fragmented", "--aggregationWindow=5" if algorithm == "switchml" else
            "--aggregationWindow=50", *slots, *options]


def test_all_attributes_are_tested(tmp_path):
    there = set()
    for name in TYPES:
        text = call(tmp_path, f"--PrintAttributes=ns3::aifabric::{name}").stdout
        there |= set(re.findall(r"--ns3::aifabric::(\w+::\w+)=", text))
    assert there == set(EFFECTS) | TESTED


@pytest.mark.parametrize("attribute", EFFECTS)
def test_each_attribute_has_an_effect_or_is_refused(tmp_path, attribute):
    value, systems, more = EFFECTS[attribute]
    option = f"--ns3::aifabric::{attribute}={value}"
    for system in SYSTEMS:
        options = contest(tmp_path, system, *more.split())
        if system in systems.split():
            usual, changed = (aggregate(tmp_path, *options, *given) for given in ([], [option]))
            assert usual != changed, system
        else:
            refusal(tmp_path, *contest(tmp_path, system), option)
    refusal(tmp_path, *SHAPE, "--workload=all-reduce", option)


def test_attributes_of_messages_are_refused(tmp_path):
    for attribute in "MessageService::MaxMessageBytes=4096", "TrainingDriver::StreamOperations=2":
        refusal(tmp_path, *JOB, "--algorithm=esa", f"--ns3::aifabric::{attribute}")


@pytest.mark.parametrize("leaves", [2, 4])
@pytest.mark.parametrize("slots", [20, 20000])
def test_reminders_suffice_across_racks(tmp_path, leaves, slots):
    """No timer expires and nothing is lost: a sum that is preempted in a rack comes after one reminder."""
    (tmp_path / "jobs.csv").write_text(HEADER + "12400,1,1,20000,1,0\n" * 2)
    options = [*racks(leaves, 2, 12 // leaves), "--algorithm=esa", "--jobs=jobs.csv", f"--slots={slots}",
               "--placement=fragmented", "--aggregationWindow=100"]  # fmt: skip
    space = "--ns3::aifabric::"
    options += [f"{space}{text}" for text in ("AggregationDriver::PriorityPolicy=random", "AtpWorker::Timeout=0s",
                                              "AtpWorker::ReorderThreshold=0", "ParameterServer::ReminderTime=80us")]
    for seed in (401, 404, 406, 409):
        found = aggregate(tmp_path, *options, f"--RngRun={seed}")
        assert found["retransmissions"] == 0
        early = aggregate(tmp_path, *options[:-1], f"--RngRun={seed}")
        for late, job in zip(found["jobs"], early["jobs"]):  # usually after 20 us; a round trip takes less than 20 us
            assert late["jct_ns"] <= job["jct_ns"] + 80e3 + 20e3


def most_of_esa_over_atp(folder, *options):
    """The upper end of the 95 % interval of ESA's completion time over ATP's: the mean of six paired runs."""
    shares = []
    for run in range(1, 7):
        esa, atp = (aggregate(folder, *options, f"--algorithm={system}", f"--RngRun={run}")["jct_ns"]
                    for system in ("esa", "atp"))  # fmt: skip
        shares.append(esa / atp)
    student = 2.571  # of five degrees of freedom
    return statistics.mean(shares) + student * statistics.stdev(shares) / math.sqrt(len(shares))


@pytest.mark.slow
@pytest.mark.parametrize("slots, fail, most", [(200, "none", 0.9), (200, "leaf-0%0.0005@0s", 1), (20000, "none", 1.02)])
def test_the_order_of_the_systems_with_defaults(tmp_path, slots, fail, most):
    """ESA is before ATP where memory is scarce, with losses too, and not behind where it is ample."""
    lines = [f"{fragments * 248},12,2,{compute},0.15,0" for fragments, compute in ((800, 10000), (280, 40000))] * 4
    (tmp_path / "jobs.csv").write_text(HEADER + "\n".join(lines) + "\n")
    options = [*racks(1, 1, 40), "--delay=1us", "--jobs=jobs.csv", f"--slots={slots}", f"--fail={fail}"]
    assert most_of_esa_over_atp(tmp_path, *options) < most


def test_workers_of_esa_do_not_wait_for_what_is_lost(tmp_path):
    """One job in three racks preempts nothing: all sums that are overtaken are lost. 0.80, and 0.96 if workers wait."""
    losses = ",".join(f"leaf-{leaf}--spine-{spine}%0.001@0s" for leaf in range(3) for spine in range(4))
    options = [*racks(3, 4, 4), "--size=1MiB", "--balancer=switch-ar", f"--fail={losses}"]
    timers = "--ns3::aifabric::AtpWorker::Timeout=30us"  # losses at the end of a run, which no order shows, cost little
    assert most_of_esa_over_atp(tmp_path, *options, timers) < 0.85


@pytest.mark.parametrize("slow", ["--ns3::aifabric::ParameterServer::Latency=300us", "--delay=60us"])
def test_timers_wait_for_three_round_trips(tmp_path, slow):
    """Nothing is lost, so nothing is sent again, though a round trip takes longer than the timer."""
    found = aggregate(tmp_path, *racks(1, 1, 5), "--algorithm=atp", "--size=1MiB", slow)
    assert found["retransmissions"] == 0 and found["hit_share"] == 1


def test_reminders_take_no_more_than_the_link(tmp_path):
    """A server that asks each nanosecond: without a limit its questions queue at the NIC and take all memory."""
    options = [*racks(1, 1, 10), "--algorithm=esa", "--size=100KiB", "--slots=2"]
    found = succeed(tmp_path, *options, "--ns3::aifabric::ParameterServer::ReminderTime=1ns")["results"]
    assert found["aggregation"]["wrong_sums"] == 0
    assert found["aggregation"]["reminders"] * 74 * 8 / 100 < found["cct_ns"]


def test_a_slow_pipeline_ends(tmp_path):
    """All windows need longer to pass the switch than the first timer."""
    slow = ["--ns3::aifabric::AggregationStage::PacketRate=10000", "--aggregationWindow=50"]
    aggregate(tmp_path, *racks(1, 1, 5), "--algorithm=esa", "--size=50KiB", *slow)


def test_the_timer_of_switchml_is_constant_at_first(tmp_path):
    """With losses of 10 % a packet is lost a few times in a row: a doubled timer takes much longer."""
    options = [*racks(1, 1, 4), "--algorithm=switchml", "--size=100KiB", "--fail=leaf-0%0.1@0s"]
    constant, doubled = (aggregate(tmp_path, *options, *more)["jct_ns"]
                         for more in ([], ["--ns3::aifabric::SwitchMlWorker::Doubling=1"]))  # fmt: skip
    assert constant < 0.5 * doubled


def test_the_first_priority_without_computation(tmp_path):
    """Thirty layers of a job that only communicates have different priorities from the first iteration on."""
    (tmp_path / "jobs.csv").write_text(HEADER + "74400,30,2,0,0,0\n")
    options = ["--workload=all-reduce", "--algorithm=esa", "--jobs=jobs.csv", "--pcap=host-0"]
    succeed(tmp_path, *SHAPE, *options)
    assert len(priorities(tmp_path, 0, 300)) > 12


def test_priorities_are_those_of_iterations_that_have_ended(tmp_path):
    """A job without jitter: communication / computation is the same after each iteration."""
    (tmp_path / "jobs.csv").write_text(HEADER + "248000,1,4,100000,0,0\n")
    options = ["--workload=all-reduce", "--algorithm=esa", "--jobs=jobs.csv", "--pcap=host-0"]
    succeed(tmp_path, *SHAPE, *options, "--ns3::aifabric::AggregationDriver::PriorityPolicy=ratio")
    later = [priorities(tmp_path, 1000 * iteration, 1000) for iteration in (1, 2, 3)]
    assert later[0] == later[1] == later[2] and len(later[0]) == 1


def priorities(folder, first, count):
    """The priorities of the packets of some fragments that host 0 sent: the header is behind Ethernet, IPv4 and UDP."""
    data = (folder / "out" / "host-0.pcap").read_bytes()
    found, place = set(), 24
    while place < len(data):
        length = int.from_bytes(data[place + 8 : place + 12], "little")
        packet = data[place + 16 : place + 16 + length]
        place += 16 + length
        header = packet[42:]
        sequence = int.from_bytes(header[8:10], "big")
        if packet[26:30] == bytes([10, 0, 0, 1]) and first <= sequence < first + count:
            found.add(packet[-2])  # before the flags
    return found
