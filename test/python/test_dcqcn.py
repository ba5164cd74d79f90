# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""`--rateControl=dcqcn`: options, results, and CNPs as Wireshark sees them."""

import pytest
from harness import SMALL, assert_refused, call, refusal, stderr_lines, succeed
from test_tshark import CNP, ICRC_SIZE, fields, icrc, ip_packet, number, read_capture, tshark

DCQCN = "--rateControl=dcqcn"
RED = "--marker=red", "--ns3::aifabric::RedMarker::KMin=10000", "--ns3::aifabric::RedMarker::KMax=50000"
INCAST = "--k=4", "--workload=incast", "--senders=6", "--size=2MB", "--buffer=20MB"


@pytest.mark.parametrize("transport", ["spray", "mrc"])
def test_transports_without_cnps_refuse_it(tmp_path, transport):
    run = call(tmp_path, *SMALL, DCQCN, f"--transport={transport}", "--out=out")
    assert_refused(run, tmp_path, [])
    owner = f"ns3::aifabric::{transport.capitalize()}QueuePair"
    line = f"ai-fabric-run: --rateControl=dcqcn: ns3::aifabric::DcqcnControl needs CNPs, which {owner} does not send"
    assert stderr_lines(run)[0].startswith(line)


@pytest.mark.parametrize("preset", ["dcqcn-paper", "hpcc-repo", "nvidia-like", "connectx-3"])
def test_an_incast_is_cut(tmp_path, preset):
    run = succeed(tmp_path, *INCAST, *RED, DCQCN, f"--ns3::aifabric::DcqcnControl::Preset={preset}")["results"]
    assert run["cnps"] == run["cnps_received"] == run["policies"]["cnps"] > 0
    assert 0 < run["policies"]["dcqcn_cuts"] <= run["cnps"]
    assert run["drops"] == run["retransmissions"] == run["timeouts"] == 0
    assert 0 < run["acks"] < run["data_packets"] == 6 * 489  # coalesced


def test_attributes_override_the_preset(tmp_path):
    options = *INCAST, *RED, DCQCN
    usual, seldom = (
        succeed(tmp_path, *options, f"--ns3::aifabric::RcQueuePair::CnpGap={gap}")["results"] for gap in ("0ns", "40us")
    )
    assert 0 < seldom["cnps"] < usual["cnps"] / 3


@pytest.mark.parametrize("more", [(), ("--balancer=ecmp",), ("--balancer=host-random",)])
def test_without_marks_it_is_refused(tmp_path, more):
    said = refusal(tmp_path, *INCAST, DCQCN, *more, "--marker=none")
    assert said.startswith("--marker=none: auto, red or step with --rateControl=dcqcn, ")
    assert succeed(tmp_path, *INCAST, DCQCN, *more)["results"]["cnps"] > 0


def test_the_marks_that_a_balancer_needs_suffice(tmp_path):
    run = succeed(tmp_path, *INCAST, DCQCN, "--balancer=reps")
    assert run["scenario"]["marker"] == "step" and run["results"]["cnps"] > 0


@pytest.mark.parametrize("attribute", ["CnpGap=1us", "CnpScope=nic", "CnpDscp=40"])
def test_cnps_have_no_attributes_without_it(tmp_path, attribute):
    option = f"--ns3::aifabric::RcQueuePair::{attribute}"
    for control in "fixed", "dctcp":
        said = refusal(tmp_path, *INCAST, *RED, f"--rateControl={control}", option)
        assert said.startswith(f"{option}: only with a congestion control that uses CNPs")


@pytest.mark.parametrize("ip", ["4", "6"])
def test_cnps_in_a_capture(tmp_path, ip):
    """Opcode 0x81, BECN, DSCP 48, no ECT, 16 zeros and the right ICRC; tshark finds nothing malformed."""
    results = succeed(tmp_path, *INCAST, *RED, DCQCN, f"--ip={ip}", "--pcap=host-0")["results"]
    path = tmp_path / "out" / "host-0.pcap"
    assert tshark(path, "-Y", "_ws.malformed") == []
    column = "ip.dsfield" if ip == "4" else "ipv6.tclass"
    names = ["infiniband.bth.opcode", "infiniband.bth.psn", "infiniband.bth.destqp", column, "udp.length"]
    cnps = [row for row in fields(path, names) if number(row["infiniband.bth.opcode"]) == CNP]
    assert len(cnps) == results["cnps"] > 0
    for row in cnps:
        assert number(row[column]) == 48 << 2
        assert number(row["infiniband.bth.psn"]) == 0
        assert number(row["udp.length"]) == 8 + 12 + 16 + ICRC_SIZE
    found = 0
    for _, frame in read_capture(path)[1]:
        packet, header = ip_packet(frame)
        transport = packet[header + 8 :]
        if transport[0] == CNP:
            found += 1
            assert transport[4] == 0x40  # BECN
            assert transport[12:28] == bytes(16)
            assert packet[-ICRC_SIZE:] == icrc(packet[:-ICRC_SIZE], header)
    assert found == len(cnps)
