# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""`--balancer=conweave`: leaves reroute flows whose path is slow, and put their packets in order."""

import pytest
from harness import check_refusals, rows, succeed, write_flows

SHAPE = "--topology=leaf-spine --leaves=4 --spines=4 --hostsPerLeaf=4 --rate=100Gb/s --fabricRate=100Gb/s --mtu=1000".split()
CROWD = "--workload=permutation", "--size=2MB", "--queuePairPerFlow=true", "--balancer=conweave"
LOSSLESS = "--stack=roce", "--buffer=4MB"
LOSSY = "--stack=roce", "--recovery=sack", "--ackPolicy=per-packet", "--buffer=200kB", "--ns3::aifabric::SharedBuffer::LosslessClasses=0"
WEAVE = "--ns3::aifabric::ConweaveBalancer::"


def run(folder, *options):
    return succeed(folder, *SHAPE, *CROWD, *options)["results"]


def test_flows_are_rerouted_and_stay_in_order(tmp_path):
    results = run(tmp_path, *LOSSLESS)
    counts = results["policies"]
    assert counts["conweave_reroutes"] > 5 and counts["conweave_moves"] > 5 and counts["conweave_held"] > 5
    assert counts["conweave_timeouts"] == counts["conweave_overflows"] == counts["conweave_untracked"] == 0
    assert results["out_of_sequence"] == results["retransmissions"] == results["drops"] == 0
    assert 0 < counts["max_conweave_bytes"] < 4e6 and 1 <= counts["max_conweave_queues"] <= 24
    assert counts["conweave_clears"] <= counts["conweave_reroutes"]
    assert counts["conweave_replies"] + counts["conweave_clears"] <= counts["conweave_epochs"]


def test_without_reorder_queues_packets_come_in_disorder(tmp_path):
    results = run(tmp_path, *LOSSLESS, f"{WEAVE}Queues=0")
    counts = results["policies"]
    assert results["out_of_sequence"] > 0 and counts["conweave_overflows"] > 0
    assert counts["conweave_held"] == counts["max_conweave_bytes"] == counts["max_conweave_queues"] == 0


def test_a_slow_path_is_left(tmp_path):
    """One flow, and one uplink of four that carries all of it: a flow whose replies are late does not stay elsewhere."""
    slow = "--fail=" + ",".join(f"leaf-0--spine-{spine}*0.5@0s" for spine in range(3))
    flows = write_flows(tmp_path, "start_ns,source,destination,bytes\n0,0,4,5000000\n")
    for seed in 1, 2, 3:
        results = succeed(tmp_path, *SHAPE, flows, slow, "--balancer=conweave", *LOSSLESS, f"--RngRun={seed}")["results"]
        sent = {row["from"].partition(":")[0]: int(row["frames_delivered"]) for row in rows(tmp_path, "links")
                if row["from"].startswith("spine") and row["to"].startswith("leaf-1")}
        assert sent["spine-3"] > 3500, sent  # of 5000
        assert results["out_of_sequence"] == 0
    assert results["policies"]["conweave_reroutes"] > 0


@pytest.mark.parametrize("options", [
    LOSSLESS, LOSSY, (*LOSSLESS, "--operation=read"), (*LOSSLESS, "--planes=2"), (*LOSSLESS, "--fail=leaf-0--spine-1@20us"),
    (*LOSSLESS, f"{WEAVE}Queues=1", f"{WEAVE}ReplyTimeout=3us"), (*LOSSY, f"{WEAVE}ResumeExtra=100ns"),
])
def test_events_windows_and_threads_agree(tmp_path, options):
    found = []
    for how in "--simulator=events", "--simulator=windows", "--threads=2":
        results = run(tmp_path, *options, how)
        assert results["policies"]["conweave_controls"] > 0
        found.append(((tmp_path / "out" / "flows.csv").read_text(), (tmp_path / "out" / "links.csv").read_text(),
                      results["policies"]))
    assert found[0] == found[1] == found[2]


def test_packets_that_are_lost_do_not_stop_a_flow(tmp_path):
    """TAILs, requests and control packets are lost, too."""
    fail = "--fail=" + ",".join(f"leaf-{leaf}--spine-{spine}%0.005@0s" for leaf in range(4) for spine in range(4))
    results = run(tmp_path, *LOSSY, fail)
    assert results["failed_messages"] == 0 and results["link_losses"] > 100 and results["policies"]["conweave_timeouts"] > 0


def test_what_it_cannot_work_with_is_refused(tmp_path):
    check_refusals(tmp_path, {
        "--k=4 --balancer=conweave": "--balancer=conweave: not in a fabric with other switches than leaves and spines",
        "--topology=leaf-spine --leaves=2 --spines=300 --hostsPerLeaf=1 --balancer=conweave": "more than 256 uplinks of a leaf",
        "--topology=leaf-spine --balancer=ecmp --upgrade=conweave": "--upgrade=conweave: another one, as all switches have to have",
        "--topology=leaf-spine --balancer=conweave --upgrade=rsq": "--upgrade=rsq: not with --balancer=conweave",
        "--topology=leaf-spine --balancer=conweave --stack=hpcc": "--balancer=conweave",
        f"--topology=leaf-spine --balancer=conweave {WEAVE}Queues=5000": "Queues=5000",
        f"--topology=leaf-spine --balancer=conweave {WEAVE}ReplyTimeout=2s": "ReplyTimeout=2s",
    })
