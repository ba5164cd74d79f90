# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""`--transport=mrc`: options, results, and captures as Wireshark sees them."""

import pytest
from test_run import HEADER, SMALL, assert_refused, call, stderr_lines, succeed, write_flows
from test_tshark import fields, icrc, ip_packet, number, read_capture, tshark

MRC = "--transport=mrc"
PLANES = "--topology=leaf-spine", "--leaves=2", "--spines=4", "--hostsPerLeaf=2", "--planes=4", "--rate=100Gb/s"
TRIMMING = "--admission=trimming", "--buffer=30000B"
INCAST = "--workload=incast", "--senders=6", "--size=100kB"
FIRST, MIDDLE, LAST, ONLY, SACK, NACK = 0xC6, 0xC7, 0xC8, 0xCA, 0xDC, 0xDD
EXTENSION = {FIRST: 24, MIDDLE: 24, LAST: 24, ONLY: 24, SACK: 36, NACK: 20}


@pytest.mark.parametrize(
    "options, line",
    [
        ("--balancer=mrc", "--balancer=mrc: another one with --transport=rc, which sends no probes"),
        ("--transport=spray --balancer=mrc", "--balancer=mrc: another one with --transport=spray"),
        ("--transport=mrc --recovery=oracle", "--recovery=oracle: another one with --transport=mrc"),
        ("--transport=mrc --rateControl=rccc", "--rateControl=rccc: another one with --transport=mrc"),
        ("--recovery=mrc", "--recovery=mrc: another one with --transport=rc"),
        ("--transport=spray --recovery=mrc", "--recovery=mrc: another one with --transport=spray"),
        ("--transport=mrc --ns3::aifabric::MrcQueuePair::Mtu=1000", "--ns3::aifabric::MrcQueuePair::Mtu"),
    ],
)
def test_bad_option(tmp_path, options, line):
    run = call(tmp_path, *SMALL, *options.split(), "--out=out")
    assert_refused(run, tmp_path, [])
    assert stderr_lines(run)[0].startswith(f"ai-fabric-run: {line}")


def test_the_transport_is_recorded_with_what_it_brings(tmp_path):
    scenario = succeed(tmp_path, *SMALL, MRC)["scenario"]
    names = "transport", "balancer", "rateControl", "recovery", "ackPolicy"
    assert [scenario[name] for name in names] == ["mrc", "mrc", "nscc", "mrc", "mrc"]


@pytest.mark.parametrize("forwarding", ["clos", "stev", "srv6"])
def test_each_packet_comes_once(tmp_path, forwarding):
    results = succeed(tmp_path, *PLANES, "--size=1MiB", MRC, f"--forwarding={forwarding}")["results"]
    assert results["data_packets"] == 4 * 256
    assert results["retransmissions"] == results["timeouts"] == results["nacks"] == 0
    policies = results["policies"]
    assert policies["inferred_losses"] == policies["ev_retired"] == policies["failed_queue_pairs"] == 0
    assert 4 * 256 / 4 <= policies["sacks"] <= 4 * (256 / 4 + 3)


def test_trimmed_packets_are_sent_again(tmp_path):
    results = succeed(tmp_path, "--k=4", MRC, *TRIMMING, *INCAST)["results"]
    trimmed = results["policies"]["trimming_frames"]
    assert results["nacks"] == results["retransmissions"] == trimmed > 0
    assert results["timeouts"] == results["policies"]["ev_retired"] == 0


def test_a_balancer_with_one_path_gives_up_on_a_dead_one(tmp_path):
    options = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=2", "--rate=100Gb/s", "--size=1MiB"
    dead = "--convergence=never", "--fail=leaf-0--spine-0@20us,leaf-0--spine-1@20us", "--stallTime=400ms"
    run = call(tmp_path, *options, MRC, "--balancer=ecmp", *dead, "--out=out")
    assert run.returncode == 1
    assert "has given up after" in run.stderr


def test_a_port_that_fails_costs_its_share(tmp_path):
    options = *PLANES, "--size=8MiB", MRC, "--admission=trimming", "--convergence=never"
    whole = succeed(tmp_path, *options)["results"]
    results = succeed(tmp_path, *options, "--fail=host-0:0@50us")["results"]
    assert results["policies"]["port_status_updates"] >= 1
    assert results["retransmissions"] <= 2 * results["link_losses"]
    assert 1.1 < results["cct_ns"] / whole["cct_ns"] < 1.6  # four planes are three after 50 us


@pytest.mark.parametrize("version", [4, 6])
def test_wireshark_reads_mrc(tmp_path, version):
    """Each frame has the headers of its opcode, a right ICRC, and no malformed field."""
    files = write_flows(tmp_path, HEADER + "0,0,1,20000\n0,0,1,1\n0,1,0,9000\n")
    succeed(tmp_path, "--k=2", MRC, files, "--pcap=host-0", f"--ip={version}")
    path = tmp_path / "out" / "host-0.pcap"
    assert tshark(path, "-Y", "_ws.malformed") == []
    names = ["_ws.col.Protocol", "infiniband.bth.opcode", "infiniband.bth.psn"]
    rows = fields(path, names)
    assert {row["_ws.col.Protocol"] for row in rows} == {"RRoCE"}
    opcodes = {number(row["infiniband.bth.opcode"]) for row in rows}
    assert opcodes == {FIRST, MIDDLE, LAST, ONLY, SACK}
    for _, frame in read_capture(path)[1]:
        packet, header = ip_packet(frame)
        bth = packet[header + 8 :]
        assert packet[-4:] == icrc(packet[:-4], header)
        assert len(bth) >= 12 + EXTENSION[bth[0]] + 4
        assert bool(bth[8] & 0x10) == (bth[0] < SACK)  # TSETH
        if bth[0] in (FIRST, MIDDLE, LAST):
            length = int.from_bytes(bth[32:36], "big")
            address = int.from_bytes(bth[20:28], "big")
            assert length in (20000, 9000) and address % 4096 == 0
            assert address + len(bth) - 12 - 24 - 4 - (bth[1] >> 4 & 3) <= length


def test_a_trimmed_packet_keeps_its_headers(tmp_path):
    options = "--k=4", MRC, *TRIMMING, *INCAST, "--pcap=host-0"
    assert succeed(tmp_path, *options)["results"]["nacks"] > 0
    path = tmp_path / "out" / "host-0.pcap"
    trimmed = [ip_packet(frame)[0] for _, frame in read_capture(path)[1] if frame[15] >> 2 in (12, 16)]
    assert trimmed
    for packet in trimmed:
        assert FIRST <= packet[28] <= ONLY and packet[36] & 0x10


@pytest.mark.parametrize("planes", [2, 3, 4])
def test_more_queue_pairs_than_ports_take_turns(tmp_path, planes):
    """Each has one packet, so those that wait for a port are not woken by packets of their own."""
    options = f"--planes={planes} --rate=100Gb/s --workload=all-to-all --size=4096".split()
    results = succeed(tmp_path, "--k=4", MRC, *options)["results"]
    assert results["increase_percent"] < 30  # with host-dr: 24
