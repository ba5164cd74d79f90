# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Flows beside the traffic, for which the run does not wait."""

import csv
import statistics

import pytest
from harness import COST, HEADER, PROGRAM, call, check_refusals, needs_program, refusal, rows, script, succeed

pytestmark = needs_program

FABRIC = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=4"
FLOWS = HEADER + "0,0,4,4000000\n700,1,5,1000000\n10000,5,1,100000\n700,2,6,0\n900000000,3,7,100\n"
TRAINING = 'phase = [{ steps = [{ compute = "5us" }, { collective = "all-reduce", bytes = 800000 }] }]\n'
JOBS = "name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns\na,4,packed,0,all-reduce,400000,2,0\n"
TRAFFIC = {
    "collective": ["--workload=all-reduce", "--size=800000"],
    "training": ["--training=t.toml"],
    "cluster": ["--cluster=jobs.csv"],
    "flows": ["--workload=incast", "--senders=3"],
    "iterations": ["--workload=all-to-all", "--size=20000", "--iterations=2"],
    "nodes": ["--workload=all-reduce", "--size=800000", "--gpusPerNode=2"],
}
KINDS = {
    "file": ["--background=beside.csv"],
    "poisson": ["--background=poisson", "--backgroundLoad=0.3"],
    "checkpoint": ["--background=checkpoint", "--backgroundServers=2"],
}


@pytest.fixture(name="folder")
def make_folder(tmp_path):
    for name, text in ("beside.csv", FLOWS), ("t.toml", TRAINING), ("jobs.csv", JOBS):
        (tmp_path / name).write_text(text)
    return tmp_path


def background(summary):
    return summary["results"]["background"]


def test_background_ends_before_time_does(folder):
    """What would start after the end of time is never started; a period that long is refused."""
    results = succeed(folder, *FABRIC, "--workload=incast", "--background=poisson", "--backgroundLoad=1e-17")["results"]
    assert results["background"]["started"] == 0
    long = "--background=checkpoint", "--backgroundSize=64GiB", "--rate=1Gb/s"
    assert "--backgroundSize=64GiB: less than a server" in refusal(folder, *FABRIC, *long)
    dense = "--backgroundPeriod=1ps: no less than", "--backgroundLoad=1: less for messages that short"
    assert dense[0] in refusal(folder, *FABRIC, "--background=checkpoint", "--backgroundPeriod=1ps")
    assert dense[1] in refusal(folder, *FABRIC, "--background=poisson", "--backgroundSize=1", "--backgroundLoad=1")
    assert refusal(folder, *FABRIC, *long, "--backgroundPeriod=1001s").startswith("--backgroundPeriod=1001s: a time")


def test_a_cut_leaves_each_host_of_a_made_background_a_way(folder):
    """Not only those of the file of flows: the messages of a background go to any host."""
    (folder / "pair.csv").write_text(HEADER + "0,0,1,1000\n")
    cut = "--flows=pair.csv", "--fail=leaf-1@0s", "--convergence=0s"
    succeed(folder, *FABRIC, *cut)
    assert "has none to host-" in refusal(folder, *FABRIC, *cut, "--background=poisson")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("traffic", TRAFFIC)
def test_any_traffic_has_a_background_on_any_simulator(folder, traffic, kind):
    """The messages are those without it; they take longer, and the run ends when they are done."""
    options = *FABRIC, *TRAFFIC[traffic]
    alone = succeed(folder, *options)
    assert "background" not in alone["results"]
    seen = []
    for how in ["--simulator=events"], ["--simulator=windows"], ["--threads=3"]:
        results = (summary := succeed(folder, *options, *KINDS[kind], *how))["results"]
        cost = {key: results.pop(key) for key in COST}
        assert cost["threads"] == (3 if how == ["--threads=3"] else 1)
        seen.append((results, *(rows(folder, name) for name in ("flows", "background", "links", "queues"))))
        assert seen[-1] == seen[0], how
        assert results["messages"] == alone["results"]["messages"] == len(seen[0][1])
        assert results["message_bytes"] == alone["results"]["message_bytes"]
        assert results["cct_ns"] > alone["results"]["cct_ns"] and results["bound_ns"] == alone["results"]["bound_ns"]
        table, counts = seen[-1][2], background(summary)
        done = [row for row in table if row["completed_ns"]]
        assert (counts["started"], counts["completed"]) == (len(table), len(done))
        assert counts["unfinished"] == len(table) - len(done)
        assert counts["not_started"] == (kind == "file")
        assert counts["completed_bytes"] == sum(int(row["bytes"]) for row in done)
        assert all(float(row["completed_ns"]) <= results["cct_ns"] + 501 for row in done)


@pytest.mark.parametrize("system", ["atp", "esa", "switchml"])
def test_sums_of_switches_have_a_background(folder, system):
    """Its messages have the queue pairs of a stack, which the sums have not; the run ends with the sums."""
    options = *FABRIC, "--workload=all-reduce", "--size=800000", f"--algorithm={system}"
    alone = succeed(folder, *options)
    for more in *KINDS.values(), [*KINDS["poisson"], "--stack=roce"]:
        seen = []
        for simulator in "events", "windows":
            results = (summary := succeed(folder, *options, *more, f"--simulator={simulator}"))["results"]
            seen.append(({key: value for key, value in results.items() if key not in COST}, rows(folder, "background")))
        assert seen[0] == seen[1]
        assert results["cct_ns"] > alone["results"]["cct_ns"] and results["messages"] == 0
        assert results["aggregation"]["wrong_sums"] == 0 < background(summary)["completed"]
        assert background(summary)["started"] == len(seen[0][1])
    assert summary["scenario"]["stack"] == "roce" and alone["scenario"]["stack"] is None
    text = call(folder, *options, "--background=poisson", "--out=seen").stdout
    assert "\nbackground " in text and " wrong sums, " in text and "\nstack            ideal: rc" in text


def test_a_nic_takes_turns_by_packet(folder):
    """So short packets of the background leave more of a host's link to the fragments of sums."""
    (folder / "large.csv").write_text(HEADER + "0,0,4,100000000\n")
    options = *FABRIC, "--workload=all-reduce", "--size=100000", "--algorithm=esa"
    times = [succeed(folder, *options, "--background=large.csv", f"--mtu={mtu}")["results"]["cct_ns"] for mtu in (4096, 512)]
    assert times[1] < times[0] / 2
    assert refusal(folder, *options, "--mtu=512") == "--mtu=512: not with --algorithm=esa"


def test_the_background_has_queue_pairs_of_its_own(folder):
    """Two messages of a host share its link; neither waits for the other. DQPLB posts the first 512 fragments at once."""
    (folder / "beside.csv").write_text(HEADER + "0,0,4,40000000\n")
    (folder / "flows.csv").write_text(HEADER + "0,0,4,1000000\n")
    for more in [], ["--steering=split"], ["--steering=round-robin"], ["--steering=dqplb"], ["--transport=spray"]:
        options = *FABRIC, "--flows=flows.csv", *more
        alone = succeed(folder, *options)["results"]["cct_ns"]
        most = 8 if more == ["--steering=dqplb"] else 2.5
        assert 1.5 * alone < succeed(folder, *options, "--background=beside.csv")["results"]["cct_ns"] < most * alone
        assert [row["completed_ns"] for row in rows(folder, "background")] == [""]


def test_arrivals_have_the_load_and_the_lengths_that_are_asked_for(folder):
    (folder / "sizes.csv").write_text("bytes,probability\n4000,0.5\n4000,0.5\n20000,0.5\n20000,1\n")
    job = *FABRIC, "--workload=all-reduce", "--size=20MB", "--background=poisson", "--RngRun=3"
    for load, sizes in (0.1, ["--backgroundSize=9000"]), (0.2, ["--backgroundCdf=sizes.csv"]), (0.2, []):
        given = [] if load == 0.2 else ["--backgroundLoad=0.1"]
        results = succeed(folder, *job, *given, *sizes)["results"]
        table = rows(folder, "background")
        rate = sum(int(row["bytes"]) for row in table) * 8 / results["cct_ns"] / 8  # Gb/s a host, of 800
        assert rate == pytest.approx(800 * load, rel=0.1)
        assert {int(row["bytes"]) for row in table} == {0.1: {9000}}.get(load, {65536} if not sizes else {4000, 20000})
        gaps = [float(row["start_ns"]) for row in table if row["source"] == "3"]
        gaps = [b - a for a, b in zip(gaps, gaps[1:])]
        assert statistics.stdev(gaps) == pytest.approx(statistics.mean(gaps), rel=0.2)  # exponential
        assert {(row["source"], row["destination"]) for row in table} == {
            (str(a), str(b)) for a in range(8) for b in range(8) if a != b
        }


def test_checkpoints_are_periodic(folder):
    job = *FABRIC, "--workload=all-reduce", "--size=4MB", "--jobRanks=4", "--background=checkpoint"
    succeed(folder, *job, "--backgroundServers=2", "--backgroundPeriod=30us", "--backgroundSize=50000")
    table = rows(folder, "background")
    for source in range(6):
        own = [row for row in table if row["source"] == str(source)]
        assert [float(row["start_ns"]) for row in own] == [30000.0 * i for i in range(len(own))] and len(own) > 2
        assert {(row["destination"], row["bytes"]) for row in own} == {(str(6 + source % 2), "50000")}
    assert {row["source"] for row in table} == {str(source) for source in range(6)}
    summary = succeed(folder, *job)  # half of the time at line rate
    assert summary["scenario"]["backgroundPeriod"] == "146800.640ns"  # 2 * 7 * 1 MiB at 800 Gb/s


def test_a_background_that_cannot_come_through_does_not_end_the_run(folder):
    """Its queue pairs give up; the job is done, and the exit status is 0."""
    (folder / "beside.csv").write_text(HEADER + "0,0,4,1000000\n")
    (folder / "flows.csv").write_text(HEADER + "0,1,2,100\n2000000,1,2,100\n")
    cut = "--fail=host-0:0--leaf-0:0@3us", "--ns3::aifabric::RcQueuePair::RetryLimit=3"
    timers = "--ns3::aifabric::RcQueuePair::AckTimeout=20us", "--recovery=go-back-n", "--stallTime=500us"
    summary = succeed(folder, *FABRIC, "--flows=flows.csv", "--background=beside.csv", *cut, *timers)
    assert summary["results"]["failed_messages"] == 0
    assert background(summary)["unfinished"] == 1


def test_a_job_that_stalls_is_found_though_its_background_moves(folder):
    (folder / "flows.csv").write_text(HEADER + "0,0,4,1000000\n")
    cut = "--fail=host-0:0--leaf-0:0@3us", "--stallTime=100us", "--ns3::aifabric::RcQueuePair::RetryLimit=0"
    run = call(folder, *FABRIC, "--flows=flows.csv", "--background=poisson", "--backgroundLoad=0.01", *cut, "--out=out")
    assert run.returncode == 1 and "stalled after" in run.stderr and "1 of 1 messages pending" in run.stderr


REFUSED = {
    "--background=posson": "--background=posson: there is no such file; poisson, checkpoint, a file, or none (did you mean 'poisson'?)",
    "--background=bad.csv": "--background: bad.csv:2: column destination: '9' is not a host (0..7)",
    "--backgroundLoad=0.1": "--backgroundLoad=0.1: only with --background=poisson",
    "--background=beside.csv --backgroundSize=5": "--backgroundSize=5: only with --background=poisson or checkpoint",
    "--background=poisson --backgroundLoad=0": "--backgroundLoad=0: a decimal number above 0 and at most 1",
    "--background=poisson --backgroundPeriod=1us": "--backgroundPeriod=1us: only with --background=checkpoint",
    "--background=poisson --backgroundCdf=none.csv": "--backgroundCdf: none.csv: ",
    "--background=poisson --backgroundCdf=s.csv --backgroundSize=5": "not with a file of --backgroundCdf",
    "--background=checkpoint --backgroundServers=8": "--backgroundServers=8: a whole number from 1 to 7",
    "--background=checkpoint --backgroundSize=2TiB": "--backgroundSize=2TiB: at most 1099511627776 bytes",
    "--background=checkpoint --backgroundCdf=s.csv": "--backgroundCdf=s.csv: only with --background=poisson",
    "--background=checkpoint --receiverAdmission=2": "none with --receiverAdmission",
    "--background=checkpoint --onFailure=restart": "--onFailure=restart: continue or stop with --background",
    "--stack=uec --workload=all-reduce --algorithm=atp": "--stack=uec: auto with in-network aggregation",
    "--background=poisson --gpusPerNode=2 --workload=all-reduce --algorithm=atp": "--gpusPerNode=2: 1 with in-network",
}


def test_refusals(folder):
    (folder / "bad.csv").write_text(HEADER + "0,0,9,1\n")
    (folder / "s.csv").write_text("bytes,probability\n5,1\n")
    check_refusals(folder, REFUSED, *FABRIC)
    fluid = "--k=4", "--workload=all-reduce", "--fidelity=fluid", "--background=poisson"
    assert refusal(folder, *fluid).startswith("--background=poisson: another one with --fidelity=fluid")


def test_slowdown_by_a_background(folder):
    """One command compares a run with the same without its background, and jobs with each of them alone."""
    for traffic, name in ("collective", "all-reduce"), ("cluster", "a"):
        options = *FABRIC, *TRAFFIC[traffic], "--background=beside.csv"
        run = script("sweep.slowdown", "--program", PROGRAM, f"--out={name}", "--", *options, cwd=folder)
        assert run.returncode == 0, run.stderr
        with open(folder / name / "slowdown.csv", newline="") as file:
            (row,) = csv.DictReader(file)
        times = [succeed(folder, *more, "--RngRun=1")["results"]["cct_ns"] for more in (options, options[:-1])]
        assert row["name"] == name and float(row["slowdown"]) == pytest.approx(times[0] / times[1], abs=1e-6)
        assert float(row["slowdown"]) > 1.01 and name in run.stdout


def test_a_file_that_is_not_there(tmp_path):
    found = refusal(tmp_path, "--k=4", "--background=nofile")
    assert found == "--background=nofile: there is no such file; poisson, checkpoint, a file, or none"
