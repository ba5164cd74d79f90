# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""`--balancer=conga`: leaves choose uplinks by what packets meet on the whole path."""

import random

import pytest
from harness import check_refusals, rows, succeed, write_flows

SHAPE = "--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=5 --rate=40Gb/s --fabricRate=80Gb/s --delay=1us".split()
HALVED = "--fail=spine-1--leaf-1*0.5@0s"  # in both directions
STACK = "--stack=swift", "--queuePairPerFlow=true", "--buffer=4MB", "--admission=port"
PERMUTATION = "--topology=leaf-spine", "--leaves=4", "--spines=4", "--hostsPerLeaf=4", "--workload=permutation"


def shares(folder, *options):
    """What the two spines carry to leaf 1, where leaf 0 offers 100 Gb/s for 2 ms, in messages that start at random."""
    dice, time, lines = random.Random(7), 0.0, ["start_ns,source,destination,bytes"]
    while time < 2e6:
        time += dice.expovariate(12.5 / 50_000)
        lines.append(f"{round(time)},{dice.randrange(5)},{5 + dice.randrange(5)},50000")
    flows = write_flows(folder, "\n".join(lines) + "\n")
    results = succeed(folder, *SHAPE, HALVED, *STACK, flows, "--balancer=conga", *options)["results"]
    sent = {row["from"].partition(":")[0]: float(row["bytes_sent"]) for row in rows(folder, "links")
            if row["from"].startswith("spine") and row["to"].startswith("leaf-1")}
    return sent["spine-0"] / sum(sent.values()), results


def test_paths_get_traffic_by_what_they_can_carry(tmp_path):
    """One link of four is half as fast: its path gets a third, though both uplinks of the first leaf are equal."""
    share, results = shares(tmp_path)
    assert share == pytest.approx(2 / 3, abs=0.05)
    assert results["policies"]["conga_feedbacks"] > 1000 and results["policies"]["flowlets"] > 1000


def test_without_feedback_uplinks_are_equal(tmp_path):
    share, _ = shares(tmp_path, "--ns3::aifabric::CongaBalancer::Feedback=false")
    assert share == pytest.approx(1 / 2, abs=0.05)


@pytest.mark.parametrize("options", ["", "--rateControl=hpcc", "--planes=2", "--fail=leaf-0--spine-1@5us"])
def test_events_windows_and_threads_agree(tmp_path, options):
    flows = []
    for how in "--simulator=events", "--simulator=windows", "--threads=2":
        run = succeed(tmp_path, *PERMUTATION, "--balancer=conga", "--size=300kB", *options.split(), how)
        flows.append((tmp_path / "out" / "flows.csv").read_text())
        assert run["results"]["policies"]["flowlets"] > 0
    assert flows[0] == flows[1] == flows[2]


def test_what_it_cannot_work_with_is_refused(tmp_path):
    check_refusals(tmp_path, {
        "--k=4 --balancer=conga": "--balancer=conga: not in a fabric with other switches than leaves and spines",
        "--topology=torus --lengths=4,4 --balancer=conga": "--balancer=conga: not in a fabric with other switches",
        "--topology=leaf-spine --leaves=2 --spines=300 --hostsPerLeaf=1 --balancer=conga": "more than 256 uplinks of a leaf",
        "--topology=leaf-spine --balancer=ecmp --upgrade=conga": "--upgrade=conga: another one, as all switches have to have",
        "--topology=leaf-spine --balancer=conga --upgrade=rsq": "--upgrade=rsq: not with --balancer=conga, which all switches",
        "--topology=leaf-spine --balancer=flowlet --ns3::aifabric::FlowletBalancer::ChoiceType=ns3::aifabric::CongaBalancer":
            "ChoiceType is ns3::aifabric::CongaBalancer",
        "--topology=leaf-spine --balancer=conga --ns3::aifabric::CongaBalancer::Bits=8": "Bits=8",
        "--topology=leaf-spine --balancer=conga --ns3::aifabric::CongaBalancer::Discount=1": "Discount=1",
    })
