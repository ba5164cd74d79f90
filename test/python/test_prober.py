# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""`--prober`: probes over all links find what has failed, and entropy values that cross it are denied."""

import pytest
from harness import HEADER, SMALL, check_refusals, rows, succeed, write_flows
from test_tshark import fields, number, tshark

PLANES = "--topology=leaf-spine", "--leaves=3", "--spines=4", "--hostsPerLeaf=2", "--planes=2", "--rate=100Gb/s"
MRC = "--transport=mrc", "--admission=trimming", "--convergence=never"
PROBER = "--prober=20us"
LINK = "plane1-leaf-0:2--plane1-spine-0:0"
ROUND = 6 * 2 + 3 * 4 * 2  # probes


@pytest.mark.parametrize("forwarding", ["clos", "stev", "srv6"])
@pytest.mark.parametrize(
    "element, name, kind",
    [
        (LINK, LINK, "link"), ("plane1-spine-3", "plane1-spine-3", "t1"), ("plane1-leaf-2", "plane1-leaf-2", "t0"),
        ("host-3:1", "host-3:1", "nic_port"),
    ],
)
def test_what_fails_is_found(tmp_path, element, name, kind, forwarding):
    options = *PLANES, "--transport=mrc", "--admission=trimming", "--size=12MiB", f"--forwarding={forwarding}"
    never = () if forwarding == "srv6" else ("--convergence=never",)
    run = succeed(tmp_path, *options, *never, PROBER, f"--fail={element}@100us-300us", "--planeSeries=10us")
    events = [row for row in rows(tmp_path, "events") if row["event"].startswith("element")]
    assert [row["event"] for row in events] == ["element_bad", "element_good"]
    assert {row["subject"] for row in events} == {name}
    assert {row["detail"] for row in events} == {f"kind={kind} plane=1"}
    assert 140_000 <= float(events[0]["time_ns"]) <= 200_000
    assert 340_000 <= float(events[1]["time_ns"]) <= 400_000
    policies = run["results"]["policies"]
    assert policies["elements_bad"] == policies["elements_good"] == 1
    assert policies["fabric_probes"] % ROUND == 0 and policies["fabric_probes_lost"] >= 3
    states = [row["state"] for row in rows(tmp_path, "evs")]
    assert states.count("denied") == policies["denied_evs"] > 0
    last = rows(tmp_path, "planes")[-1]
    assert last["evs_denied"] == "0"


def test_a_whole_fabric_loses_no_probe(tmp_path):
    policies = succeed(tmp_path, *PLANES, *MRC, "--size=4MiB", PROBER)["results"]["policies"]
    assert policies["fabric_probes"] > 5 * ROUND
    assert policies["fabric_probes_lost"] == policies["elements_bad"] == policies["denied_evs"] == 0


def test_links_that_are_dead_at_the_start(tmp_path):
    """C7: without a denylist each queue pair loses packets on each of its dead paths; with one, none, if the
    probes have found the links before. Uplinks have twice the rate that is needed: no queue is taken for a loss."""
    flows = HEADER + "".join(f"200000,{i},{(i + 8) % 16},4000000\n" for i in range(16))
    fabric = "--topology=leaf-spine", "--leaves=4", "--spines=8", "--hostsPerLeaf=4", "--planes=4", "--rate=100Gb/s"
    options = *fabric, *MRC, "--failRate=0.05", "--rho=1", write_flows(tmp_path, flows), "--planeSeries=10us"
    off = "--ns3::aifabric::FabricProber::Denylist=false"
    bare = succeed(tmp_path, *options)["results"]
    dead = len(bare["failed_links"])
    assert dead > 0
    results = {denies: succeed(tmp_path, *options, PROBER, *denies)["results"] for denies in ((off,), ())}
    for each in results.values():
        assert each["policies"]["elements_bad"] == dead
    without, listed = results[(off,)], results[()]
    # The EVs of a queue pair are all its 32 paths. A packet is lost on each dead one, or a few.
    paths = 16 * 32 * (1 - (1 - dead / (4 * 8 * 4)) ** 2)
    for each in bare, without:
        assert 0.5 * paths < each["policies"]["ev_retired"] < 2 * paths
        assert each["retransmissions"] >= each["policies"]["ev_retired"]
        assert each["policies"]["denied_evs"] == 0
    assert listed["retransmissions"] == listed["policies"]["ev_retired"] == 0
    last = listed["link_losses"] - listed["policies"]["fabric_probes_lost"]
    assert last in (0, dead)  # nothing but probes is lost, those of a last round that has not ended included
    assert listed["policies"]["denied_evs"] > 0
    assert listed["cct_ns"] <= without["cct_ns"]


def test_probes_are_frames_on_the_wire(tmp_path):
    succeed(tmp_path, *PLANES, *MRC, "--size=1MiB", PROBER, "--pcap=host-0")
    path = tmp_path / "out" / "host-0.pcap"
    assert tshark(path, "-Y", "_ws.malformed") == []
    names = ["infiniband.bth.opcode", "ip.src", "ip.dst", "frame.len"]
    probes = [row for row in fields(path, names) if number(row["infiniband.bth.opcode"]) == 0xD8]
    assert probes
    sent = [row for row in probes if row["ip.src"] != row["ip.dst"]]
    assert 0 < len(sent) < len(probes)


REFUSED = {
    "--prober=10us": "--prober=10us: only with --balancer=mrc",
    "--transport=mrc --prober=10us": "--prober=10us: only with static routes: --convergence=never",
    "--transport=mrc --convergence=never --prober=1us": "--prober=1000.000ns: at least two round-trip times",
    "--transport=mrc --convergence=never --prober=x": "--prober=x: a time with its unit",
    "--transport=mrc --convergence=never --prober=20us --acks=bypass": "--prober=20us: only with --acks=fabric",
}


def test_bad_option(tmp_path):
    check_refusals(tmp_path, REFUSED, *SMALL)


def test_no_packet_crosses_what_is_denied(tmp_path):
    """A spine, and a port of a host; the spine loses all that crosses it, so without a denylist packets are lost."""
    fault = "--fail=plane0-spine-1%1@0s"
    lost = succeed(tmp_path, *PLANES, *MRC, "--size=1MiB", fault)["results"]
    assert lost["link_losses"] > 0
    denied = succeed(tmp_path, *PLANES, *MRC, "--size=1MiB", fault, "--denylist=plane0-spine-1,host-3:1")["results"]
    assert denied["link_losses"] == denied["retransmissions"] == 0
    assert denied["policies"]["denied_evs"] > 0
    links = {row["link"]: int(row["bytes_sent"]) for row in rows(tmp_path, "links")}
    assert sum(count for link, count in links.items() if "host-3:1" in link) == 0
    assert sum(count for link, count in links.items() if "host-3:0" in link) > 0


REFUSED_LISTS = {
    "--denylist=plane0-spine-9": "--denylist=plane0-spine-9: there is no such link, port or node: plane0-spine-9",
    "--denylist=plane0-spine-1 --prober=20us": "--denylist=plane0-spine-1: not with --prober, which has its own",
    "--denylist=plane0-spine-1 --balancer=prime": "--denylist=plane0-spine-1: only with --balancer=mrc",
}


def test_denylists_that_are_refused(tmp_path):
    check_refusals(tmp_path, REFUSED_LISTS, *PLANES, *MRC)
