# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs that cannot go on say why; those that only wait go on."""

import pytest
from harness import call, needs_program, rows, stderr_lines, succeed

pytestmark = needs_program


def test_messages_that_wait_for_their_batch_are_no_stall(tmp_path):
    window = "--ns3::aifabric::SourceRoutedSteering::BatchWindow=20ms"
    results = succeed(tmp_path, "--k=4", "--size=64KiB", "--steering=ethereal", window)["results"]
    assert results["cct_ns"] > 20e6


@pytest.mark.parametrize("recovery", ["oracle", "go-back-n", "sack", "strict"])
def test_stall_report(tmp_path, recovery):
    run = call(
        tmp_path,
        "--k=2",
        f"--recovery={recovery}",
        "--fail=host-0:0--pod0-edge-0:0@5us",
        "--stallTime=5ms",
        "--out=out",
    )
    assert run.returncode == 1 and run.stdout == ""
    lines = stderr_lines(run)
    assert lines[0].startswith("ai-fabric-run: stalled after ")
    assert "2 of 2 messages pending" in lines[0]
    assert any("host-0 queue pair 0x10 to host-1: " in line for line in lines)
    assert any("its link is dead" in line or "given up" in line for line in lines)
    assert any("pod0-edge-0:0" in line for line in lines if "dead link" in line)
    assert not (tmp_path / "out").exists()


def test_a_stall_is_one_though_the_last_message_comes_meanwhile(tmp_path):
    """The ranks of a run know of a stall a link's delay later; the results do not depend on it."""
    (tmp_path / "one.csv").write_text("start_ns,source,destination,bytes\n0,0,1,4096\n")
    options = ["--k=4", "--flows=one.csv", "--delay=5us", "--jitter=0ns"]
    run = call(tmp_path, *options, "--stallTime=18us")
    assert run.returncode == 1 and "stalled after 25000.005 ns" in run.stderr
    assert call(tmp_path, *options, "--stallTime=1ms").returncode == 0


def test_little_patience_costs_little(tmp_path):
    run = call(tmp_path, "--k=4", "--size=4KiB", "--stallTime=1ps", "--delay=20us", timeout=10)
    assert run.returncode == 1 and "stalled after" in run.stderr


def test_stall_report_tells_of_losses(tmp_path):
    lossy = "--fail=host-0:0--pod0-edge-0:0%1@0s"
    run = call(tmp_path, "--k=4", lossy, "--buffer=8kB", "--stallTime=1ms", "--out=out")
    assert run.returncode == 1
    lines = stderr_lines(run)
    assert any(line.strip().startswith("frames lost on links: ") for line in lines)
    assert any("frames dropped by switches (no_buffer): " in line for line in lines)
    assert not any("its turn" in line for line in lines)


def test_dead_path_for_good(tmp_path):
    """With routing that never converges, flows that keep to a dead path are named at the end."""
    fail = "--fail=pod0-agg-0:2--core-0:0@0ns"
    options = "--k=4", "--size=64KiB", fail, "--convergence=never"
    soon = "--ns3::aifabric::RcQueuePair::RetryTime=5ms"
    run = call(tmp_path, *options, soon, "--workload=all-to-all", "--balancer=ecmp", "--out=out")
    lines = stderr_lines(run)
    assert run.returncode == 3 and "failed           40 of 240 messages" in run.stdout
    assert lines[0].startswith("ai-fabric-run: ended after ")
    assert "40 of 240 messages failed: a queue pair has given up" in lines[0]
    assert any("queue pair 0x" in line and " packets sent again" in line for line in lines)
    assert any("pod0-agg-0:2" in line and "dead link" in line for line in lines)
    assert len([row for row in rows(tmp_path, "flows") if not row["completed_ns"]]) == 40
    for balancer in ("rsq", "host-random"):
        results = succeed(tmp_path, *options, f"--balancer={balancer}")["results"]
        assert results["retransmissions"] > 0
    options = *options[:3], "--convergence=200us", "--balancer=ecmp"
    results = succeed(tmp_path, *options)["results"]
    assert results["cct_ns"] > 200000 and results["retransmissions"] > 0
