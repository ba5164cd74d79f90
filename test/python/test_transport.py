# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Recoveries, timeouts, controls, and packets of all lengths, in whole runs."""

import pytest
from harness import HEADER, LOSSY_LINK, SMALL, call, needs_program, rows, stderr_lines, succeed, write_flows

pytestmark = needs_program


@pytest.mark.parametrize("balancer", ["ecmp", "rsq", "host-random"])
@pytest.mark.parametrize("recovery", ["go-back-n", "oracle", "sack", "strict"])
def test_recoveries_survive_a_lossy_link(tmp_path, recovery, balancer):
    options = "--k=4", f"--recovery={recovery}", f"--balancer={balancer}", "--buffer=10MB", LOSSY_LINK
    results = succeed(tmp_path, *options)["results"]
    packets = results["messages"] * 256
    again = results["retransmissions"] + results["repair_packets"]
    assert results["data_packets"] == packets + again
    assert results["link_losses"] > 0
    assert results["drops"] == 0
    # The run may stop before the last copies have arrived.
    assert results["discarded_packets"] <= again
    assert (results["repair_packets"] > 0) == (recovery == "strict")
    if recovery == "oracle":
        assert results["retransmissions"] <= results["link_losses"]
    timeouts = [row for row in rows(tmp_path, "events") if row["event"] == "timeout"]
    assert len(timeouts) == results["timeouts"]


def test_recoveries_rank_as_they_should(tmp_path):
    def time(recovery):
        options = "--k=4", "--balancer=rsq", f"--recovery={recovery}", LOSSY_LINK
        runs = [succeed(tmp_path, *options, f"--RngRun={run}") for run in range(1, 7)]
        return sum(run["results"]["cct_ns"] for run in runs)

    assert time("oracle") < time("sack") < time("go-back-n")


def test_spurious_retransmissions_need_reordering_beyond_the_threshold(tmp_path):
    def run(threshold):
        attribute = f"--ns3::aifabric::SackRecovery::ReorderingThreshold={threshold}"
        options = "--k=4", "--balancer=rsq", "--recovery=sack", attribute
        return succeed(tmp_path, *options)["results"]

    patient = run(1000)
    assert patient["drops"] == patient["retransmissions"] == 0
    reordering = patient["max_reordering_packets"]
    assert 1 < reordering < 200
    assert run(reordering + 1)["retransmissions"] == 0
    assert run(1)["retransmissions"] > 0


def test_timeout_of_a_queue_pair(tmp_path):
    def timeout(*options):
        scenario = succeed(tmp_path, *SMALL, "--balancer=rsq", *options)["scenario"]
        return float(scenario["ackTimeout"].removesuffix("ns"))

    attribute = "--ns3::aifabric::RcQueuePair::AckTimeout=77us"
    assert timeout("--recovery=sack") == 100_000
    assert timeout("--recovery=oracle") == 540_000
    assert timeout("--recovery=sack", "--delay=20us") == pytest.approx(3 * 240e3, rel=0.01)
    assert timeout("--recovery=sack", attribute) == 77_000


def test_packets_in_ipv6_are_longer(tmp_path):
    """The bytes on the links of hosts are the sum of headers, payload and pad, in either version."""
    size, mtu = 20_001, 4096
    packets = -(-size // mtu)
    bounds = []
    for version, headers in (4, 62), (6, 82):
        options = "--k=4", f"--size={size}", "--recovery=oracle", f"--ip={version}"
        summary = succeed(tmp_path, *options, "--ns3::aifabric::RoceNetDevice::AckBytes=66")
        assert summary["scenario"]["ip"] == version
        assert summary["results"]["retransmissions"] == 0
        data = packets * headers + 16 + -(-size // 4) * 4  # with one RETH and a pad
        acks = packets * (headers + 4)
        for row in rows(tmp_path, "links"):
            if row["layer"] == "host-up":
                assert int(row["bytes_sent"]) == data + acks
        bounds.append(summary["results"]["completion_bound_ns"])
    assert bounds[0] < bounds[1] < 1.02 * bounds[0]


@pytest.mark.parametrize("mtu", [8192, 32768])
def test_long_packets_make_room_for_themselves(tmp_path, mtu):
    summary = succeed(tmp_path, *SMALL, f"--mtu={mtu}", "--balancer=rsq", "--admission=shared")
    assert summary["results"]["data_packets"] == 16 * (65536 // mtu)
    assert summary["results"]["drops"] == 0


@pytest.mark.parametrize(("k", "size", "least", "most"), [(8, "1MiB", -0.5, 0.5), (6, "16MiB", 0, 15)])
def test_m_swift_slows_down_long_messages_only(tmp_path, k, size, least, most):
    def run(control):
        options = f"--k={k}", f"--size={size}", "--balancer=rsq", f"--rateControl={control}", "--sample=0ns"
        return succeed(tmp_path, *options)["results"]

    fixed, swift = run("fixed"), run("m-swift")
    assert least <= swift["increase_percent"] - fixed["increase_percent"] <= most
    assert swift["max_queue_packets"] <= fixed["max_queue_packets"]


def test_lossless_classes_lose_nothing_whatever_the_mtu(tmp_path):
    lossless = "--admission=shared", "--ns3::aifabric::SharedBuffer::LosslessClasses=8"
    incast = "--workload=incast", "--senders=15", "--rate=25Gb/s", "--size=300kB"
    for mtu in (4096, 9000, 32768):
        options = *lossless, *incast, f"--mtu={mtu}", "--buffer=500kB", "--recovery=go-back-n"
        results = succeed(tmp_path, "--k=4", *options)["results"]
        assert results["lossless_drops"] == results["drops"] == 0
        assert results["retransmissions"] == 0
        assert any(row["event"] == "pause" for row in rows(tmp_path, "events"))


def test_the_least_buffer_is_enough(tmp_path):
    lossless = "--admission=shared", "--ns3::aifabric::SharedBuffer::LosslessClasses=8"
    run = call(tmp_path, *SMALL, *lossless, "--buffer=100kB")
    least = int(stderr_lines(run)[0].split("at least ")[1].split()[0])
    succeed(tmp_path, *SMALL, *lossless, f"--buffer={least}")
    assert call(tmp_path, *SMALL, *lossless, f"--buffer={least - 1}").returncode == 1


def test_slow_hosts_take_their_time(tmp_path):
    """A byte takes 80 ms: products of times and bytes exceed 64 bits."""
    option = write_flows(tmp_path, HEADER + "0,0,1,8192\n")
    slow = "--rate=1Mb/s", "--ns3::aifabric::FixedControl::RateFraction=0.0001"
    results = succeed(tmp_path, "--k=2", option, *slow, "--ns3::aifabric::RcQueuePair::AckTimeout=1000s")
    assert results["results"]["cct_ns"] == pytest.approx(8e7 * (4096 + 78 + 20), rel=1e-3)


def test_balancers_that_need_marks_get_them(tmp_path):
    def marker(*options):
        scenario = succeed(tmp_path, *SMALL, *options)["scenario"]
        return scenario["marker"], scenario["markingThreshold"]

    assert marker("--balancer=plb") == ("step", 400000)
    assert marker("--balancer=reps", "--buffer=200kB") == ("step", 20000)
    share = "--ns3::aifabric::RepsBalancer::MarkingShare=0.25"
    assert marker("--balancer=reps", share) == ("step", 200000)
    assert marker("--balancer=reps", "--marker=none") == ("none", None)
    assert marker("--balancer=reps", "--marker=red") == ("red", 100000)
    threshold = "--ns3::aifabric::StepMarker::Threshold=5000"
    assert marker("--balancer=reps", threshold) == ("step", 5000)
    assert marker("--balancer=host-dr") == ("none", None)
    assert marker("--balancer=rsq", "--marker=step") == ("step", 400000)


@pytest.mark.parametrize("balancer", ["rsq", "simple-rr", "host-random", "ecmp"])
def test_acknowledgements_that_bypass_the_fabric(tmp_path, balancer):
    run = succeed(tmp_path, *SMALL, "--acks=bypass", f"--balancer={balancer}")
    results = run["results"]
    assert run["scenario"]["acks"] == "bypass"
    assert results["acks"] == results["data_packets"] == 16 * 16
    assert results["cct_ns"] >= results["completion_bound_ns"]
    # Only data is on the links: 16 packets a host, the first with an RETH of 16 bytes.
    message = 16 * (4096 + 62) + 16
    assert results["nic_bytes"] == message - 16
    assert results["layers"]["host-up"]["bytes"] == 16 * message
    assert results["layers"]["edge-down"]["bytes"] == 16 * message
