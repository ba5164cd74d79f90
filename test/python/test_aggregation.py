# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""In-network aggregation as an algorithm of an all-reduce: its options, its results and its files."""

import os
import shutil
import subprocess

import pytest
from test_run import assert_refused, call, stderr_lines, succeed
from test_run import pytestmark  # noqa: F401  (skips all where there is no program)

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
    "--workload=all-reduce --algorithm=esa --gradientRounding=down": "--gradientRounding=down: nearest, random",
    "--workload=all-reduce --algorithm=ring --gradientRounding=random": "only with --algorithm=atp, switchml or esa",
    "--workload=all-reduce --algorithm=ring --resultPath=switch": "only with --algorithm=atp, switchml or esa",
    "--workload=all-reduce --algorithm=atp --planes=2": "--planes=2: ",
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


@pytest.mark.parametrize("options", BAD)
def test_bad_options_are_refused(tmp_path, options):
    (tmp_path / "bad.csv").write_text(HEADER + "1000,0,1,0,0,0\n")
    (tmp_path / "good.csv").write_text(HEADER + "1000,1,1,0,0,0\n")
    (tmp_path / "long.csv").write_text(HEADER + "1,1,10000,1000000000000,0,0\n")
    (tmp_path / "many.csv").write_text(HEADER + "1,1,1,0,0,0\n" * 65536)
    (tmp_path / "twice.txt").write_text("1\n1\n")
    run = call(tmp_path, *SHAPE, *options.split(), "--out=out")
    files = [tmp_path / f"{name}.csv" for name in ("bad", "good", "long", "many")]
    assert_refused(run, tmp_path, [*files, tmp_path / "twice.txt"])
    assert BAD[options] in stderr_lines(run)[0]


def test_switchml_has_at_most_256_jobs(tmp_path):
    """Its header has 8 bits for the number of a job."""
    options = "--topology=leaf-spine --leaves=33 --spines=1 --hostsPerLeaf=16 --workload=all-reduce --algorithm=switchml"
    for jobs in (256, 257):
        run = call(tmp_path, *options.split(), "--slots=10000", f"--jobs={jobs}", "--size=1kB", "--check", "--out=out")
        assert (run.returncode == 0) == (jobs == 256), run.stderr
    assert stderr_lines(run)[0].endswith("--jobs=257: at most 256 jobs")


def test_a_job_has_at_most_32_workers(tmp_path):
    options = [*SHAPE[:-2], "--hostsPerLeaf=17", "--workload=all-reduce", "--algorithm=esa", "--out=out"]
    run = call(tmp_path, *options)
    assert_refused(run, tmp_path, [])
    assert "--jobs=auto: " in stderr_lines(run)[0]


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


def test_little_memory_and_losses(tmp_path):
    few = [*JOB, "--jobs=2", "--slots=50", "--algorithm=esa"]
    results = succeed(tmp_path, *few, "--fail=host-0%0.01@0us")["results"]["aggregation"]
    assert results["wrong_sums"] == 0
    assert results["hit_share"] < 1


@pytest.mark.parametrize("algorithm", ["atp", "esa"])
def test_results_from_the_switch_come_sooner(tmp_path, algorithm):
    few = [*SHAPE[:1], "--leaves=1", *SHAPE[2:], "--workload=all-reduce", "--size=1KiB", f"--algorithm={algorithm}"]
    times = [succeed(tmp_path, *few, f"--resultPath={path}")["results"]["aggregation"] for path in ("server", "switch")]
    assert [found["wrong_sums"] for found in times] == [0, 0]
    # To the server and back: 0.5 us twice, its 1 us, and the packet twice.
    assert 2000 < times[0]["jct_ns"] - times[1]["jct_ns"] < 2200


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
    fits = succeed(tmp_path, *JOB, "--algorithm=switchml", "--gradientMagnitude=200")["results"]["aggregation"]
    assert fits["wrong_sums"] == 0  # ten workers, less than 2^31 / 10^6


def test_rounding_at_random_changes_integers_only(tmp_path):
    times, payloads = set(), set()
    for rounding in ("nearest", "random"):
        options = ["--algorithm=atp", f"--gradientRounding={rounding}", "--pcap=host-0"]
        results = succeed(tmp_path, *JOB, *options)["results"]["aggregation"]
        assert results["wrong_sums"] == 0
        times.add(results["jct_ns"])
        payloads.add((tmp_path / "out" / "host-0.pcap").read_bytes())
    assert len(times) == 1 and len(payloads) == 2


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
    one = ["--topology=leaf-spine", "--leaves=1", "--spines=1", "--hostsPerLeaf=5", "--workload=all-reduce"]
    shares = []
    for slots in (400, 800):
        options = [f"--algorithm={algorithm}", "--jobs=jobs.csv", f"--slots={slots}", "--aggregationWindow=200"]
        found = succeed(tmp_path, *one, *options)["results"]
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
    results = succeed(tmp_path, *SHAPE, *options)["results"]["aggregation"]
    assert results["wrong_sums"] == 0


def test_a_short_queue_of_switchml_stalls(tmp_path):
    """The timers of all workers expire in step, so the queue of the pipeline keeps the same packets each time."""
    options = ["--topology=leaf-spine", "--leaves=1", "--spines=1", "--hostsPerLeaf=4", "--rate=100Gb/s"]
    options += ["--workload=all-reduce", "--algorithm=switchml", "--aggregationWindow=50", "--size=64000"]
    options += ["--ns3::aifabric::AggregationStage::PacketRate=1000000"]
    run = call(tmp_path, *options, "--ns3::aifabric::AggregationStage::PacketQueue=2", "--out=out")
    lines = stderr_lines(run)
    assert run.returncode == 1 and "stalled" in lines[0]
    assert sum("sums of 0 of 250 fragments, 50 sent" in line for line in lines) == 4
    roomy = succeed(tmp_path, *options, "--ns3::aifabric::AggregationStage::PacketQueue=200")["results"]
    assert roomy["policies"]["aggregation_overflows"] == 0 and roomy["aggregation"]["wrong_sums"] == 0


def test_marks_shorten_queues(tmp_path):
    """Nearly all packets go to the server: its link is congested."""
    one = ["--topology=leaf-spine", "--leaves=1", "--spines=1", "--hostsPerLeaf=9", "--workload=all-reduce"]
    options = ["--rate=100Gb/s", "--algorithm=atp", "--size=500KiB", "--slots=1", "--buffer=8MB"]
    marker = ["--marker=step", "--ns3::aifabric::StepMarker::Threshold=80000"]
    without, marked = [succeed(tmp_path, *one, *options, *more)["results"] for more in ([], marker)]
    assert marked["aggregation"]["wrong_sums"] == without["aggregation"]["wrong_sums"] == 0
    assert marked["mean_queue_packets"] < 0.6 * without["mean_queue_packets"]


def test_jobs_of_a_file(tmp_path):
    (tmp_path / "jobs.csv").write_text(HEADER + "24800,5,2,1000,0.1,0\n24800,1,1,0,0,5000\n")
    options = [*SHAPE, "--workload=all-reduce", "--algorithm=esa", "--jobs=jobs.csv"]
    results = succeed(tmp_path, *options)["results"]["aggregation"]
    assert results["checked_sums"] == 4 * (2 * 100 + 100)
    assert results["wrong_sums"] == 0
    assert results["jobs"][0]["jct_ns"] > 2 * 1000 + results["jobs"][1]["jct_ns"]


def test_slots_and_packet_rates_of_attributes(tmp_path):
    space = "--ns3::aifabric::"
    times = []
    for limit in ([], ["--slots=20"], [f"{space}SlotStage::Slots=20"], [f"{space}SlotStage::PortSlots=20"],
                  [f"{space}AggregationStage::PacketRate=5000000", "--aggregationWindow=100"]):
        results = succeed(tmp_path, *JOB, "--algorithm=atp", *limit)["results"]["aggregation"]
        assert results["wrong_sums"] == 0
        times.append(results["jct_ns"])
    assert times[0] < times[1] == times[2]
    assert times[0] < times[3]
    # The switch of the server gets a packet of 4 workers and of a switch, and the acknowledgement, of 413 fragments.
    # With a window of 200 they would take 240 us to pass, and timers of 200 us would expire.
    assert 1.2 * 413 * 6 / 5e6 * 1e9 > times[4] > 413 * 6 / 5e6 * 1e9 > 2 * times[0]


@pytest.mark.parametrize("algorithm, usual", [("atp", "true"), ("esa", "false")])
def test_rehashing_is_what_the_attribute_says(tmp_path, algorithm, usual):
    """By default ATP re-hashes and ESA does not; the attribute holds for both."""
    (tmp_path / "jobs.csv").write_text(HEADER + "300000,2,2,10000,1,0\n" * 2)
    one = ["--topology=leaf-spine", "--leaves=1", "--spines=1", "--hostsPerLeaf=10", "--rate=100Gb/s"]
    scarce = [*one, "--workload=all-reduce", f"--algorithm={algorithm}", "--jobs=jobs.csv"]
    scarce += ["--slots=200", "--aggregationWindow=50"]
    option = "--ns3::aifabric::ParameterServer::RehashOnCollision="
    found = {value: succeed(tmp_path, *scarce, *([option + value] if value else []))["results"]["aggregation"]
             for value in ("", "true", "false")}
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
        found = succeed(tmp_path, *options, f"--placement={placement}")["results"]["aggregation"]
        assert found["wrong_sums"] == 0 and found["checked_sums"] == 2 * 4 * 413
    servers = succeed(tmp_path, *options, "--placement=racks.txt", "--parameterServers=4,9")["results"]["aggregation"]
    assert servers["checked_sums"] == 2 * 4 * 413 and servers["wrong_sums"] == 0


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
    racks = ["--topology=leaf-spine", "--leaves=3", "--spines=2", "--hostsPerLeaf=4", "--rate=100Gb/s"]
    options = ["--workload=all-reduce", "--algorithm=switchml", "--size=200KiB", f"--fail=cables:1.0%{loss}@0s"]
    results = succeed(tmp_path, *racks, *options)["results"]["aggregation"]
    assert results["wrong_sums"] == 0 and results["retransmissions"] > 0


@pytest.mark.parametrize("algorithm", ["switchml", "esa"])
def test_waiting_for_the_slowest_worker_is_no_stall(tmp_path, algorithm):
    (tmp_path / "jobs.csv").write_text(HEADER + "1000,1,1,1000000000,0.1,0\n")
    options = "--workload=all-reduce", f"--algorithm={algorithm}", "--jobs=jobs.csv"
    results = succeed(tmp_path, *SHAPE, *options)["results"]["aggregation"]
    assert results["wrong_sums"] == 0 and results["jct_ns"] > 1e9


@pytest.mark.parametrize("slow", ["--delay=1s", "--ns3::aifabric::ParameterServer::Latency=2s"])
def test_slow_links_and_servers_are_no_stall(tmp_path, slow):
    few = ["--topology=leaf-spine", "--leaves=1", "--spines=1", "--hostsPerLeaf=3", "--rate=100Gb/s"]
    results = succeed(tmp_path, *few, "--workload=all-reduce", "--algorithm=esa", "--size=1KiB", slow)
    assert results["results"]["aggregation"]["jct_ns"] > 8e8


def test_a_request_ends_the_first_timeout(tmp_path):
    """The sums of the first window are lost on the way to a worker, and others go on."""
    racks = ["--topology=leaf-spine", "--leaves=3", "--spines=2", "--hostsPerLeaf=4"]
    options = ["--workload=all-reduce", "--algorithm=esa", "--size=256KiB", "--fail=host-0@5us-1ms"]
    results = succeed(tmp_path, *racks, *options)["results"]["aggregation"]
    assert results["wrong_sums"] == 0 and results["jct_ns"] < 5e6


def test_the_extent_is_that_of_fragments(tmp_path):
    few = ["--topology=leaf-spine", "--leaves=1", "--spines=1", "--hostsPerLeaf=5"]
    run = call(tmp_path, *few, "--workload=all-reduce", "--algorithm=esa", "--size=24800", "--check")
    assert "5 hosts, 1 job, 100 fragments, about 1000 packet-hops" in run.stdout + run.stderr


def test_a_file_of_jobs_is_a_regular_file(tmp_path):
    os.mkfifo(tmp_path / "jobs.csv")  # nobody writes into it
    run = call(tmp_path, "--workload=all-reduce", "--algorithm=esa", "--jobs=jobs.csv", "--out=out")
    assert len(stderr_lines(run)) == 1
    assert "'jobs.csv' is neither a number nor a file that can be read" in stderr_lines(run)[0]
