# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Iterations of a job, and what happens to it when a queue pair fails."""

import json

import pytest
from harness import call, check_refusals, needs_program, rows, stderr_lines, succeed

pytestmark = needs_program

SHAPE = "--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=2 --planes=2".split()
QUICK = ["--ns3::aifabric::RcQueuePair::AckTimeout=20us", "--ns3::aifabric::RcQueuePair::RetryTime=0s"]
RC = [*SHAPE, "--recovery=sack", "--balancer=ecmp", *QUICK]
CUT = "--fail=host-0@30us-400us"
FAILED_MESSAGES = 3  # exit status

BAD = {
    "--onFailure=retry": "one of continue, stop, abort, restart",
    "--restartCost=1ms": "only with --onFailure=restart",
    "--restartLimit=3": "only with --onFailure=restart",
    "--onFailure=abort --restartCost=1ms": "only with --onFailure=restart",
    "--onFailure=restart --restartCost=-1us": "--restartCost=-1us: ",
    "--onFailure=restart --restartLimit=0": "--restartLimit=0: ",
    "--iterations=0": "--iterations=0: ",
    "--iterations=1.5": "--iterations=1.5: ",
}


def test_bad_options_are_refused(tmp_path):
    check_refusals(tmp_path, BAD, *RC)


def attempts(folder):
    return [(int(r["iteration"]), float(r["start_ns"]), float(r["end_ns"]), r["completed"]) for r in rows(folder, "iterations")]


def check(folder, job):
    """What the numbers of a job have to do with each other and with its table."""
    found = attempts(folder)
    assert job["job_ns"] == pytest.approx(job["useful_ns"] + job["waiting_ns"] + job["lost_ns"])
    assert job["useful_ns"] == pytest.approx(sum(end - start for _, start, end, done in found if done == "1"))
    assert job["lost_ns"] == pytest.approx(sum(end - start for _, start, end, done in found if done == "0"))
    assert job["training_goodput"] == pytest.approx(job["useful_ns"] / job["job_ns"])
    assert [row[0] for row in found if row[3] == "1"] == list(range(job["completed_iterations"]))
    assert job["restarts"] + job["aborted"] == sum(row[3] == "0" for row in found)
    assert (job["completed_iterations"] < job["iterations"]) == job["aborted"]
    return found


@pytest.mark.parametrize("workload", ["permutation", "all-reduce"])
def test_iterations_follow_each_other(tmp_path, workload):
    options = [*RC, f"--workload={workload}", "--size=256KiB"]
    one = succeed(tmp_path, *options)["results"]
    assert "job" not in one and not (tmp_path / "out" / "iterations.csv").exists()
    messages = len(rows(tmp_path, "flows"))
    results = succeed(tmp_path, *options, "--iterations=3")["results"]
    found = check(tmp_path, results["job"])
    assert results["job"]["training_goodput"] == 1 and not results["job"]["aborted"]
    assert [start for _, start, _, _ in found[1:]] == [end for _, _, end, _ in found[:-1]]
    assert len(rows(tmp_path, "flows")) == 3 * messages
    assert results["cct_ns"] == results["job"]["job_ns"] >= results["bound_ns"]
    assert results["data_packets"] == 3 * one["data_packets"]
    if workload == "all-reduce":
        assert len(rows(tmp_path, "collectives")) == results["collectives"]["count"] == 3
        assert {row["collective"] for row in rows(tmp_path, "flows")} == {"0", "1", "2"}


@pytest.mark.parametrize("workload", ["permutation", "all-reduce"])
def test_a_job_restarts_from_its_last_iteration(tmp_path, workload):
    options = [*RC, f"--workload={workload}", "--size=256KiB", "--iterations=8", CUT, "--stallTime=10ms"]
    run = call(tmp_path, *options, "--onFailure=stop", "--out=out")
    assert run.returncode == 1 and "given up" in run.stderr and not (tmp_path / "out").exists()
    job = succeed(tmp_path, *options, "--onFailure=restart", "--restartCost=1ms")["results"]["job"]
    found = check(tmp_path, job)
    assert job["restarts"] == 1 and job["completed_iterations"] == 8 and job["queue_pair_failures"] >= 1
    assert job["waiting_ns"] == pytest.approx(1e6, rel=1e-6)
    failed = [i for i, row in enumerate(found) if row[3] == "0"]
    assert len(failed) == 1 and found[failed[0]][0] == found[failed[0] + 1][0] > 0
    assert found[failed[0] + 1][1] == pytest.approx(found[failed[0]][2] + 1e6)
    assert 0 < job["training_goodput"] < 0.5


def test_an_aborted_job_has_results(tmp_path):
    options = [*RC, "--workload=all-reduce", "--size=256KiB", "--iterations=8", CUT, "--stallTime=10ms"]
    results = succeed(tmp_path, *options, "--onFailure=abort")["results"]
    found = check(tmp_path, results["job"])
    assert results["job"]["aborted"] and results["job"]["restarts"] == results["job"]["waiting_ns"] == 0
    assert 0 < results["job"]["completed_iterations"] < 8
    assert len(rows(tmp_path, "collectives")) == results["job"]["completed_iterations"] == len(found) - 1
    # not even the first one
    for workload in "permutation", "all-reduce":
        options = [*RC, f"--workload={workload}", "--onFailure=abort", "--fail=host-0@1us", "--stallTime=10ms"]
        results = succeed(tmp_path, *options)["results"]
        check(tmp_path, results["job"])
        assert results["job"]["completed_iterations"] == 0 and rows(tmp_path, "flows") == []


@pytest.mark.parametrize("workload", ["permutation", "all-reduce"])
def test_what_failed_in_the_last_iteration_is_in_the_results(tmp_path, workload):
    options = [*RC, f"--workload={workload}", "--size=256KiB", "--iterations=8", CUT, "--stallTime=10ms"]
    assert call(tmp_path, *options, "--out=out").returncode == 3
    results = json.loads((tmp_path / "out" / "run.json").read_text())["results"]
    times = [row["completed_ns"] for row in rows(tmp_path, "flows")]
    assert results["failed_messages"] == times.count("") > 0
    assert results["failed_message_numbers"] == [i for i, time in enumerate(times) if not time]


def test_a_job_gives_up_after_so_many_restarts(tmp_path):
    options = [*RC, "--workload=all-reduce", "--iterations=3", "--fail=host-0@5us", "--stallTime=10ms"]
    restart = ["--onFailure=restart", "--restartCost=10us", "--restartLimit=4"]
    job = succeed(tmp_path, *options, *restart)["results"]["job"]
    check(tmp_path, job)
    assert job["aborted"] and job["restarts"] == 4 and job["completed_iterations"] == 0


def test_mrc_rides_through_what_aborts_rc(tmp_path):
    incident = ["--workload=all-reduce", "--size=256KiB", "--iterations=8", "--fail=host-0:0@30us-1ms"]
    restart = ["--onFailure=restart", "--restartCost=1ms", "--stallTime=10ms", "--convergence=never"]
    jobs = []
    for transport in RC, [*SHAPE, "--transport=mrc", "--admission=trimming"]:
        jobs.append(succeed(tmp_path, *transport, *incident, *restart)["results"]["job"])
        check(tmp_path, jobs[-1])
    assert jobs[0]["restarts"] > 0 and jobs[0]["training_goodput"] < 0.6
    assert jobs[1]["restarts"] == jobs[1]["queue_pair_failures"] == 0 and jobs[1]["training_goodput"] == 1
    assert jobs[1]["max_iteration_ns"] > jobs[1]["min_iteration_ns"]


@pytest.mark.parametrize("steering", ["round-robin", "split"])
def test_steerings_begin_anew(tmp_path, steering):
    options = [*RC, f"--steering={steering}", "--size=256KiB", "--iterations=8", CUT, "--stallTime=10ms"]
    job = succeed(tmp_path, *options, "--onFailure=restart")["results"]["job"]
    assert check(tmp_path, job) and job["restarts"] >= 1 and not job["aborted"]


def test_the_same_job_is_the_same(tmp_path):
    options = [*RC, "--size=256KiB", "--iterations=5", CUT, "--onFailure=restart", "--stallTime=10ms"]
    found = []
    for _ in range(2):
        results = succeed(tmp_path, *options)["results"]
        found.append((results["job"], rows(tmp_path, "flows"), rows(tmp_path, "links")))
    assert found[0] == found[1]


@pytest.mark.parametrize("more", [[], ["--reachability=20us", "--stallTime=1ms"]])
@pytest.mark.parametrize("workload", ["permutation", "all-reduce"])
def test_failed_messages_are_a_result(tmp_path, workload, more):
    """The other messages are completed, whether or not other things go on for ever."""
    run = call(tmp_path, *RC, f"--workload={workload}", "--size=4MiB", "--fail=host-0@5us", *more, "--out=out")
    assert run.returncode == FAILED_MESSAGES
    first = stderr_lines(run)[0]
    assert first.startswith("ai-fabric-run: ended after ") and first.endswith("failed: a queue pair has given up")
    assert "raise ns3::aifabric::RcQueuePair::RetryTime" in run.stderr
    results = json.loads((tmp_path / "out" / "run.json").read_text())["results"]
    flows = rows(tmp_path, "flows")
    failed = [int(row["flow"]) for row in flows if row["completed_ns"] == row["duration_ns"] == ""]
    assert 0 < results["failed_messages"] == len(failed) and results["failed_message_numbers"] == failed
    assert f"{len(failed)} of {len(flows)} messages" in run.stdout
    completed = [row for row in flows if row["completed_ns"]]
    assert all("0" in (flows[number]["source"], flows[number]["destination"]) for number in failed)
    if workload == "permutation":
        assert len(failed) == 2 and len(completed) == 2
        assert results["cct_ns"] == pytest.approx(
            max(float(r["completed_ns"]) for r in completed) - min(float(r["start_ns"]) for r in flows)
        )
        assert results["bound_ns"] <= results["cct_ns"]
    else:
        assert rows(tmp_path, "collectives") == [] and results["collectives"]["count"] == 0
        assert results["cct_ns"] == max(float(row["completed_ns"]) for row in completed)


def test_queue_pairs_survive_what_those_of_a_nic_survive(tmp_path):
    """An outage of 1 ms is ten timeouts of sack. One of 0.7 s is longer than the retries of a NIC."""
    for recovery, until, survives in ("sack", "1.1ms", True), ("go-back-n", "20ms", True), ("sack", "700ms", False):
        options = *SHAPE, f"--recovery={recovery}", "--size=256KiB", f"--fail=host-0@5us-{until}", "--sample=0"
        run = call(tmp_path, *options, "--out=out")
        assert run.returncode == (0 if survives else FAILED_MESSAGES), (recovery, until, run.stderr)


def test_a_job_restarts_as_often_as_it_may(tmp_path):
    """The usual time until a run has stalled is longer than its attempts; each of them is a failure, and no stall."""
    patience = "--ns3::aifabric::RcQueuePair::RetryTime=2ms"
    options = *SHAPE, "--recovery=go-back-n", "--size=256KiB", "--onFailure=restart", patience
    for until, completes in ("20ms", True), ("1s", False):
        job = succeed(tmp_path, *options, f"--fail=host-0@5us-{until}")["results"]["job"]
        assert job["aborted"] != completes
        assert 3 < job["restarts"] < 10 if completes else job["restarts"] == 10


def test_a_run_waits_for_a_link_that_returns(tmp_path):
    options = *SHAPE, "--recovery=go-back-n", "--size=256KiB", "--stallTime=1ms"
    assert succeed(tmp_path, *options, "--fail=host-0@5us-5ms")["results"]["cct_ns"] > 5e6
    run = call(tmp_path, *options, "--fail=host-0@5us", "--out=none")
    assert run.returncode == 1 and "nothing was acknowledged for " in run.stderr


def test_jobs_of_a_cluster_restart(tmp_path):
    """Their hosts open connections anew at one time."""
    head = "name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns\n"
    (tmp_path / "jobs.csv").write_text(head + "a,4,fragmented,0,all-reduce,2000000,1,0\n")
    options = [*RC, "--cluster=jobs.csv", "--fail=host-0@10us-400us", "--stallTime=10ms", "--onFailure=restart"]
    job = succeed(tmp_path, *options)["results"]["job"]
    assert job["restarts"] == 1 and job["completed_iterations"] == 1
    assert succeed(tmp_path, *options, "--simulator=events")["results"]["job"] == job
