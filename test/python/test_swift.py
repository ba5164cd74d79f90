# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""`--rateControl=swift`: windows by delays, of the fabric and of hosts, with targets by hops and windows."""

import math

import pytest
from harness import call, refusal, rows, succeed, write_flows

RATE = 12.5  # bytes a nanosecond: 100 Gb/s
PACKET = 4158  # bytes of a full packet on the wire
STAR = "--topology=leaf-spine --leaves=1 --spines=1 --hostsPerLeaf=17 --rate=100Gb/s --delay=1us --jitter=0ns".split()
BASE, HOP, RANGE = 8000, 1000, 20000  # ns: of the target
SETTINGS = [f"--ns3::aifabric::SwiftControl::{name}={value}ns" for name, value in
            (("BaseTarget", BASE), ("HopTarget", HOP))] + ["--ns3::aifabric::SwiftControl::InitialWindow=4096"]
EMPTY = 4000 + 2 * PACKET / RATE + 2 * 80 / RATE  # ns: round trip without a queue, roughly


def scaled(most):
    return f"--ns3::aifabric::SwiftControl::ScalingRange={most}ns"


def target_of(window, most=RANGE):
    """Target delay of a window in packets on a path of two links."""
    alpha = most / (1 / math.sqrt(0.1) - 1 / math.sqrt(100))
    return BASE + 2 * HOP + min(max(0, alpha * (1 / math.sqrt(window) - 1 / 10)), most)


def expected_delay(flows, most=RANGE):
    """The delay that is the target of the windows which it makes of so many flows."""
    low, high = 0, 1e6
    while high - low > 1:
        delay = (low + high) / 2
        low, high = (delay, high) if delay < target_of(RATE * delay / PACKET / flows, most) else (low, delay)
    return low


def shared_port(folder, senders, size, *more, scaling=RANGE):
    """Some hosts send a long message each to host 0 of a switch: results, use of its link, and the mean queue in ns."""
    flows = "start_ns,source,destination,bytes\n" + "".join(f"0,{host},0,{size}\n" for host in range(1, senders + 1))
    run = succeed(folder, *STAR, write_flows(folder, flows), "--rateControl=swift", *SETTINGS, scaled(scaling), *more)["results"]
    link = next(row for row in rows(folder, "links") if row["to"] == "host-0:0")
    queue = float(link["mean_queue_packets"]) * PACKET / RATE
    return run, float(link["bytes_sent"]) / RATE / run["cct_ns"], queue


def test_alone_it_is_a_whole_stack(tmp_path):
    run = call(tmp_path, "--k=4", "--size=500kB", "--rateControl=swift", "--out=out")
    assert run.returncode == 0, run.stderr
    assert "\nstack            swift: rc, balancer ecmp, rateControl swift, recovery sack" in run.stdout
    assert "admission shared" in run.stdout


@pytest.mark.parametrize("senders", [2, 4, 8, 16])
def test_flows_keep_the_delay_at_their_target(tmp_path, senders):
    run, use, queue = shared_port(tmp_path, senders, 40_000_000 // senders)
    assert use > 0.95 and run["drops"] == 0
    assert EMPTY + queue == pytest.approx(expected_delay(senders), rel=0.15)


def test_a_target_without_scaling_is_lower(tmp_path):
    queues = [shared_port(tmp_path, 8, 5_000_000, scaling=most)[2] for most in (0, RANGE)]
    assert queues[1] - queues[0] == pytest.approx(expected_delay(8) - expected_delay(8, 0), rel=0.3)


def test_paths_of_more_hops_have_a_higher_target(tmp_path):
    """A flow from another leaf has two hops more. Where hops count nothing, its longer round trip slows it down."""
    shape = "--topology=leaf-spine --leaves=2 --spines=1 --hostsPerLeaf=2 --rate=100Gb/s --delay=1us --jitter=0ns".split()
    flows = write_flows(tmp_path, "start_ns,source,destination,bytes\n0,1,0,20000000\n0,2,0,20000000\n")
    ratios = []
    for hop in 0, 4000:
        succeed(tmp_path, *shape, flows, "--rateControl=swift", SETTINGS[0], scaled(RANGE),
                f"--ns3::aifabric::SwiftControl::HopTarget={hop}ns")
        near, far = (float(row["duration_ns"]) for row in rows(tmp_path, "flows"))
        ratios.append(far / near)
    assert ratios[1] < ratios[0]


SLOW = "--ns3::aifabric::RoceNetDevice::ReceiveRate=50Gb/s"


def test_slow_hosts_slow_senders_down(tmp_path):
    """Two senders share half of the link. The host's time stays near its target, and that of the fabric below its own."""
    for target in 10000, 40000:
        run, use, queue = shared_port(tmp_path, 2, 20_000_000, SLOW, f"--ns3::aifabric::SwiftControl::HostTarget={target}ns")
        assert use == pytest.approx(0.5, abs=0.02) and run["drops"] == 0
        assert queue < 1500
        times = [float(row["duration_ns"]) for row in rows(tmp_path, "flows")]
        assert max(times) < 1.2 * min(times)


def test_a_large_incast_needs_windows_below_a_packet(tmp_path):
    """16 flows of queue pairs times 8 to one port: more than a packet each would be a queue of as many."""
    flows = "start_ns,source,destination,bytes\n" + "".join(f"0,{host},0,400000\n" for host in range(1, 17) for _ in range(8))
    one = succeed(tmp_path, *STAR, write_flows(tmp_path, flows), "--queuePairPerFlow=true", "--rateControl=swift", *SETTINGS,
                  scaled(RANGE))["results"]
    link = next(row for row in rows(tmp_path, "links") if row["to"] == "host-0:0")
    assert one["drops"] == 0 and float(link["mean_queue_packets"]) < 100
    assert float(link["bytes_sent"]) / RATE / one["cct_ns"] > 0.75


@pytest.mark.parametrize("options", ["", SLOW, "--transport=spray --balancer=reps --admission=trimming", "--planes=2"])
def test_events_windows_and_threads_agree(tmp_path, options):
    flows = []
    for how in "--simulator=events", "--simulator=windows", "--threads=2":
        succeed(tmp_path, "--k=4", "--workload=permutation", "--size=500kB", "--rateControl=swift", *options.split(), how)
        flows.append((tmp_path / "out" / "flows.csv").read_text())
    assert flows[0] == flows[1] == flows[2]


@pytest.mark.parametrize("option, value", [("HostGain", "0"), ("MinWindow", "1000000"), ("ScalingMinWindow", "200")])
def test_what_cannot_be_is_refused(tmp_path, option, value):
    assert option in refusal(tmp_path, "--k=4", "--rateControl=swift", f"--ns3::aifabric::SwiftControl::{option}={value}")
