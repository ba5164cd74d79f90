# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""`--transport=mrc`: options, results, and captures as Wireshark sees them."""

import csv
import json
import re
import resource

import pytest
from harness import HEADER, SMALL, call, check_refusals, stderr_lines, succeed, write_flows
from test_tshark import fields, icrc, ip_packet, number, read_capture, tshark

MRC = "--transport=mrc"
PLANES = "--topology=leaf-spine", "--leaves=2", "--spines=4", "--hostsPerLeaf=2", "--planes=4", "--rate=100Gb/s"
PROFILE = "--ns3::aifabric::MrcBalancer::Profile"
TRIMMING = "--admission=trimming", "--buffer=30000B"
INCAST = "--workload=incast", "--senders=6", "--size=100kB"
FIRST, MIDDLE, LAST, ONLY, SACK, NACK = 0xC6, 0xC7, 0xC8, 0xCA, 0xDC, 0xDD
EXTENSION = {FIRST: 24, MIDDLE: 24, LAST: 24, ONLY: 24, SACK: 36, NACK: 20}
OWN_RETRIES = "--ns3::aifabric::MrcQueuePair::RetryTime=0s"


REFUSED = {
    "--balancer=mrc":
        "--balancer=mrc: ns3::aifabric::MrcBalancer needs probes of paths, which ns3::aifabric::RcQueuePair does not send; it needs --transport=mrc",
    "--transport=spray --balancer=mrc": "--balancer=mrc: ns3::aifabric::MrcBalancer needs probes of paths",
    "--transport=mrc --recovery=oracle":
        "--recovery=oracle: ns3::aifabric::OracleRecovery needs acknowledgements without a bitmap",
    "--transport=mrc --rateControl=rccc":
        "--rateControl=rccc: ns3::aifabric::RcccControl needs credits of the receiver",
    "--recovery=mrc": "--recovery=mrc: ns3::aifabric::MrcRecovery needs acknowledgements with a bitmap",
    "--transport=spray --recovery=mrc": "--recovery=mrc: ns3::aifabric::MrcRecovery needs the paths of packets",
    "--transport=mrc --ns3::aifabric::MrcQueuePair::Mtu=1000": "--ns3::aifabric::MrcQueuePair::Mtu",
    f"{MRC} {PROFILE}=stev:fields=33:explicit=0": f"{PROFILE}=stev:fields=33:explicit=0: a field has 33",
    f"{MRC} {PROFILE}=ecmp:fields=16:explicit=0": f"{PROFILE}=ecmp:fields=16:explicit=0: stev, srv6",
    f"{MRC} {PROFILE}=stev:fields=32/9:explicit=0": f"{PROFILE}=stev:fields=32/9:explicit=0: paths 0 to",
    f"{MRC} {PROFILE}=stev:fields=15,1/0/1,16:explicit=0,1": f"{PROFILE}=stev:fields=15,1/0/1,16:expl",
}


def test_bad_option(tmp_path):
    check_refusals(tmp_path, REFUSED, *SMALL)


def test_there_are_no_more_paths_than_labels(tmp_path):
    options = "--topology=leaf-spine", "--leaves=2", "--spines=1024", "--hostsPerLeaf=1", "--planes=17", MRC, "--check"
    line = "ai-fabric-run: --ns3::aifabric::MrcBalancer::Forwarding=Direct: 17 planes of 1024 paths; it names at most 16384 paths"
    assert stderr_lines(call(tmp_path, *options))[0].startswith(line)
    assert call(tmp_path, *options, "--ns3::aifabric::MrcBalancer::Forwarding=FullHash").returncode == 0


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
    reasons = {name: count for name, count in results["policies"].items() if name.startswith("nacks_")}
    last_hop = results["policies"]["trimming_last_hop_frames"]
    expected = {"nacks_trimmed": trimmed - last_hop, "nacks_trimmed_last_hop": last_hop}
    assert reasons == {**dict.fromkeys(reasons, 0), **expected} and len(reasons) == 5


CROSSED = "--topology=leaf-spine", "--leaves=8", "--spines=8", "--hostsPerLeaf=8", "--planes=4", "--rate=100Gb/s"


@pytest.mark.parametrize("run", [308, 310])
def test_a_window_that_shrinks_does_not_wait_for_the_timer(tmp_path, run):
    """The sender asks for reports of packets that left before a NACK cut its window."""
    options = MRC, "--workload=all-to-all", "--size=64KiB", "--sample=0ns", f"--RngRun={run}"
    results = succeed(tmp_path, *CROSSED, *options)["results"]
    assert results["timeouts"] == results["drops"] == 0 < results["trims"]
    assert 0 < results["policies"]["report_requests"] < 4 * results["trims"]
    assert results["increase_percent"] < 30  # 72 without them


@pytest.mark.parametrize("run", [1, 308])
def test_no_timer_expires_before_a_sack_is_due(tmp_path, run):
    """Of 63 messages at a time each sends a packet every 21 us, and four packets trigger a SACK."""
    crossed = [option if option != "--planes=4" else "--planes=1" for option in CROSSED]
    options = MRC, "--workload=all-to-all", "--size=64KiB", "--sample=0ns", "--buffer=800kB", f"--RngRun={run}"
    results = succeed(tmp_path, *crossed, *options)["results"]
    assert results["timeouts"] == results["retransmissions"] == results["policies"]["ev_retired"] == 0


@pytest.mark.parametrize("planes", [1, 4])
def test_no_timer_expires_in_an_incast(tmp_path, planes):
    options = *PLANES[:4], f"--planes={planes}", "--rate=100Gb/s", MRC, "--workload=incast", "--senders=3", "--size=2MiB"
    results = succeed(tmp_path, *options)["results"]
    policies = results["policies"]
    assert results["timeouts"] == policies["ev_retired"] == policies["false_losses"] == 0 < results["trims"]
    assert results["increase_percent"] < 6


def test_switches_trim_and_mark_as_the_specification_has_it(tmp_path):
    run = call(tmp_path, *PLANES, MRC, "--size=64KiB", "--out=out")
    with open(tmp_path / "out" / "run.json", encoding="utf-8") as file:
        scenario = json.load(file)["scenario"]
    product = scenario["buffer"]
    assert 60e3 < product == scenario["spineBuffer"] == scenario["trimmingThreshold"] < 75e3
    assert scenario["marker"] == "red" and scenario["trimmingLastHop"] == round(1.5 * product)
    shares = scenario["markingThreshold"] / product, scenario["markingCeiling"] / product
    assert shares == pytest.approx((0.2, 0.8), abs=1e-3)
    assert f"\ntrims            from queues of more than {product} bytes, {round(1.5 * product)} at" in run.stdout
    assert f"\nmarks            in queues of more than {scenario['markingThreshold']} to " in run.stdout


@pytest.mark.parametrize(
    "options, expected",
    [
        (["--buffer=200kB"], {"buffer": 200_000, "trimmingSource": None, "marker": "step", "markingThreshold": 40_000}),
        (["--ns3::aifabric::TrimmingBuffer::LastHopBytes=90000"], {"trimmingLastHop": 90_000, "marker": "red"}),
        (["--ns3::aifabric::MrcBalancer::MarkingShare=0.5"], {"marker": "step", "markingThreshold": 33_444}),
        (["--ns3::aifabric::RedMarker::KMin=9000"], {"marker": "red", "markingThreshold": 9000}),
        (["--admission=port"], {"buffer": 800_000, "trimmingSource": None, "marker": "step"}),
        (["--spineBuffer=99kB"], {"spineBuffer": 99_000, "marker": "red"}),
    ],
)
def test_what_is_given_overrides_derived_queues(tmp_path, options, expected):
    scenario = succeed(tmp_path, *PLANES, MRC, "--size=64KiB", *options)["scenario"]
    assert {name: scenario[name] for name in expected} == expected


def test_a_responder_without_memory_says_so(tmp_path):
    small = "--ns3::aifabric::MrcQueuePair::TrackedPsnRange=1", "--ns3::aifabric::NsccControl::MaxWindowFactor=50"
    lossy = "--fail=host-0/up%0.05@0us"
    results = succeed(tmp_path, *PLANES, "--size=8MiB", MRC, *small, lossy)["results"]
    policies = results["policies"]
    assert results["nacks"] == policies["nacks_no_bitmap"] + policies["nacks_out_of_window"]
    assert policies["nacks_no_bitmap"] > 0


def uplinks_used(folder):
    """The uplinks of plane and leaf that have carried data, as pairs of plane and spine."""
    with (folder / "out" / "links.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["layer"] == "leaf-up" and int(row["bytes_sent"]) > 50000]
    names = [re.findall(r"plane(\d+)-.*spine-(\d+)", row["link"])[0] for row in rows]
    return {(int(plane), int(spine)) for plane, spine in names}


@pytest.mark.parametrize(
    "profile, expected",
    [
        ("stev:fields=14,2/0/3,15,1/0/1:generated=0-7", {(plane, spine) for plane in range(4) for spine in range(2)}),
        ("stev:fields=14,2/0/3,14,2/2:generated=0-3", {(plane, 2) for plane in range(4)}),
        (
            "+".join(
                f"srv6:fields=32/0x5f000000,16/0x1{2 * plane}00,16/0x2{2 * plane}00/3,16/0x1{2 * plane}01,"
                f"16/0xe{2 * plane}00:explicit={plane}"
                for plane in range(4)
            ),
            {(plane, plane) for plane in range(4)},
        ),
    ],
)
def test_a_profile_names_the_paths(tmp_path, profile, expected):
    results = succeed(tmp_path, *PLANES, "--size=1MiB", MRC, f"{PROFILE}={profile}", "--workload=permutation")["results"]
    assert results["retransmissions"] == 0
    assert uplinks_used(tmp_path) == expected


def test_a_balancer_with_one_path_gives_up_on_a_dead_one(tmp_path):
    options = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=2", "--rate=100Gb/s", "--size=1MiB"
    dead = "--convergence=never", "--fail=leaf-0--spine-0@20us,leaf-0--spine-1@20us", OWN_RETRIES
    run = call(tmp_path, *options, MRC, "--balancer=ecmp", *dead, "--out=out")
    assert run.returncode == 3
    assert "has given up after" in run.stderr and "raise ns3::aifabric::MrcQueuePair::RetryTime" in run.stderr


SLOW = "--topology=leaf-spine", "--leaves=4", "--spines=4", "--hostsPerLeaf=4", "--rate=100Gb/s", MRC, "--size=4MiB"


@pytest.mark.parametrize("planes", [2, 4, 8])
def test_a_plane_that_is_slower_loses_nothing(tmp_path, planes):
    """It is late by its own round trips, not by those of other planes; the window of NSCC limits the rate."""
    latency = ",".join(f"plane1-spine-{spine}=30.5us" for spine in range(4))
    results = succeed(tmp_path, *SLOW, f"--planes={planes}", f"--switchLatency={latency}")["results"]
    assert results["timeouts"] == results["policies"]["silent_planes"] == 0
    assert results["policies"]["inferred_losses"] <= 2
    window = "--ns3::aifabric::NsccControl::MaxWindowFactor=12"
    other = succeed(tmp_path, *SLOW, f"--planes={planes}", f"--switchLatency={latency}", window)["results"]
    assert other["cct_ns"] < results["completion_bound_ns"] + 170e3


def test_a_plane_that_is_much_slower_is_left(tmp_path):
    """It delivers nothing within seven round trips of the empty fabric, and probes decide when it is used again."""
    latency = ",".join(f"plane1-spine-{spine}=60.5us" for spine in range(4))
    results = succeed(tmp_path, *SLOW, "--planes=4", f"--switchLatency={latency}")["results"]
    assert results["timeouts"] == 0 < results["policies"]["silent_planes"]
    assert results["increase_percent"] < 150


@pytest.mark.parametrize("planes", [1, 4])
def test_a_nic_without_a_link_sends_nothing(tmp_path, planes):
    """Packets wait for a port, and are not lost on the dead one."""
    ports = "+".join(f"host-0:{port}" for port in range(planes)) if planes > 1 else "host-0"
    options = "--topology=leaf-spine", "--leaves=2", "--spines=4", "--hostsPerLeaf=1", f"--planes={planes}"
    flows = write_flows(tmp_path, f"{HEADER}0,0,1,{8 << 20}\n")
    lost = set()
    for outage in (100, 300, 1000):
        fault = f"--fail={ports}@30us-{30 + outage}us"
        results = succeed(tmp_path, *options, "--rate=100Gb/s", MRC, flows, fault)["results"]
        lost.add(results["link_losses"])
    assert len(lost) == 1  # what was on the links at 30 us


@pytest.mark.parametrize("planes, fault", [(3, "host-4:1@60us-80us"), (4, "plane1-leaf-1@60us-78us"), (4, "plane1-leaf-1@60us-82us")])
def test_a_plane_is_not_silent_because_of_a_port_that_is_back(tmp_path, planes, fault):
    """Its losses are noticed after the return."""
    fabric = "--topology=leaf-spine", "--leaves=4", "--spines=6", "--hostsPerLeaf=6", f"--planes={planes}", "--rate=100Gb/s"
    options = *fabric, MRC, "--forwarding=srv6", "--convergence=never", "--size=4MiB", "--sample=0ns", "--RngRun=304"
    results = succeed(tmp_path, *options, f"--fail={fault}")["results"]
    assert results["policies"]["silent_planes"] == results["policies"]["ev_retired"] == 0 < results["link_losses"]


def test_a_port_that_fails_costs_its_share(tmp_path):
    options = *PLANES, "--size=8MiB", MRC, "--admission=trimming", "--convergence=never"
    whole = succeed(tmp_path, *options)["results"]
    results = succeed(tmp_path, *options, "--fail=host-0:0@50us")["results"]
    assert results["policies"]["port_status_updates"] >= 1
    assert results["retransmissions"] <= 2 * results["link_losses"]
    assert 1.1 < results["cct_ns"] / whole["cct_ns"] < 1.6  # four planes are three after 50 us


@pytest.mark.parametrize("host", [0, 2])
def test_a_queue_pair_fails_if_the_nic_of_either_end_is_dead_for_longer_than_its_retries(tmp_path, host):
    """The retries take 135 ms, which the usual time until a run has stalled allows for."""
    flow = write_flows(tmp_path, HEADER + "0,0,2,1000000\n")
    options = *PLANES, MRC, "--convergence=never", flow, "--onFailure=abort", OWN_RETRIES
    dead = succeed(tmp_path, *options, f"--fail=host-{host}@20us")["results"]
    assert dead["policies"]["failed_queue_pairs"] == 1 and dead["job"]["aborted"]
    late = succeed(tmp_path, *options, f"--fail=host-{host}@20us-50ms")["results"]
    assert late["policies"]["failed_queue_pairs"] == 0 and 50e6 < late["cct_ns"] < 100e6


def test_a_queue_pair_fails_if_all_retransmissions_are_lost(tmp_path):
    """Probes are answered, so losses are inferred before timers expire."""
    flow = write_flows(tmp_path, HEADER + "0,0,2,1000000\n")
    lossy = "--fail=host-0/up%1:dscp=8@0s,host-0:0/up%0.1:dscp=4@0s"
    run = succeed(tmp_path, *PLANES, MRC, "--convergence=never", flow, "--onFailure=abort", lossy, OWN_RETRIES)
    results = run["results"]
    assert results["policies"]["failed_queue_pairs"] == 1 and results["job"]["aborted"]
    assert results["retransmissions"] > 100
    assert results["policies"]["report_requests"] < 40000  # one a round trip
    assert 134e6 < results["measured_ns"] < 137e6  # as long as its retries take


def test_packets_that_are_lost_again_and_again_cost_the_same_each_time(tmp_path):
    """No way leads to host 1, and nothing stops its senders for 10 ms."""
    flows = "".join(f"{i},{2 * (i % 2)},1,164659\n" for i in range(12))
    fabric = "--topology=leaf-spine --leaves=3 --spines=2 --hostsPerLeaf=1 --rate=800Gb/s --buffer=800kB --acks=bypass".split()
    stack = MRC, "--rateControl=fixed", "--ackPolicy=unordered", "--admission=shared", "--marker=none"
    cut = "--fail=leaf-1:1@0s,optic-spine-1:1@1us", "--opticPorts=2", "--convergence=0", "--detection=0"
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run = call(tmp_path, *fabric, *stack, *cut, write_flows(tmp_path, HEADER + flows), "--sample=0", "--stallTime=10ms")
    assert "12 of 12 messages pending" in stderr_lines(run)[0]
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 12  # 2 s; it was 21


def test_a_queue_pair_that_may_not_send_does_not_fail(tmp_path):
    """Its ports are down three times; in the gaps it sends, and nothing comes back. Or switches pause it."""
    fabric = "--topology=leaf-spine --leaves=2 --spines=4 --hostsPerLeaf=4 --planes=2 --rate=100Gb/s --forwarding=srv6".split()
    flow = write_flows(tmp_path, HEADER + "0,2,6,4194304\n")
    fail = "--fail=host-2@50us-100ms,host-2@100.003ms-200ms,host-2@200.003ms-300ms", "--stallTime=1s"
    lossless = "--admission=shared", "--buffer=100kB", "--ns3::aifabric::SharedBuffer::LosslessClasses=1"
    incast = "--workload=incast", "--senders=7", "--size=4MiB", "--pauseStorm=host-0@50us-200ms"
    for options in ((flow, *fail), (*lossless, *incast)):
        results = succeed(tmp_path, *fabric, MRC, "--convergence=never", *options)["results"]
        assert results["policies"]["failed_queue_pairs"] == 0 and results["cct_ns"] > 200e6


def test_a_denylist_that_hits_all_entropy_values_stops_nothing(tmp_path):
    """Two of eight paths are in the profile. Spine 0 of both planes is down, so both are denied."""
    profile = f"{PROFILE}=stev:fields=15,1/0/1,16/0:generated=0-1"
    fail = "--fail=plane0-spine-0@30us-500us,plane1-spine-0@30us-500us"
    options = *PLANES[:-2], "--planes=2", PLANES[-1], MRC, "--admission=trimming", "--convergence=never", "--size=2MiB"
    results = succeed(tmp_path, *options, profile, fail, "--prober=20us", "--stallTime=50ms")["results"]
    assert results["policies"]["denied_evs"] > 0
    assert 500e3 < results["cct_ns"] < 5e6


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
    trimmed = [ip_packet(frame)[0] for _, frame in read_capture(path)[1] if frame[15] >> 2 in (44, 45)]
    assert trimmed
    for packet in trimmed:
        assert FIRST <= packet[28] <= ONLY and packet[36] & 0x10


@pytest.mark.parametrize("planes", [2, 3, 4])
def test_more_queue_pairs_than_ports_take_turns(tmp_path, planes):
    """Each has one packet, so those that wait for a port are not woken by packets of their own."""
    options = f"--planes={planes} --rate=100Gb/s --workload=all-to-all --size=4096".split()
    results = succeed(tmp_path, "--k=4", MRC, *options)["results"]
    assert results["increase_percent"] < 30  # with host-dr: 24
