# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A sample of the random scenarios of laws.py. AI_FABRIC_LAW_CASES says how many of each kind."""

import json
import os
import random
import re

import laws
import pytest
from harness import PROGRAM, needs_program
from law_scenarios import ALGORITHMS, IN_NETWORK, Draw, Scenario
from law_shapes import ShapeDraw

pytestmark = needs_program

CASES = int(os.environ.get("AI_FABRIC_LAW_CASES", "120"))


@pytest.mark.parametrize("focus", [False, True], ids=["any", "planes"])
def test_no_scenario_breaks_a_law(focus):
    counts = laws.check_cases(PROGRAM, range(CASES), focus)
    ends = counts["completed"], counts["failed"], counts["stalled"], counts["refused"]
    assert sum(ends) == CASES
    assert counts["completed"] > 0.8 * CASES
    assert all(counts[law.__name__] == counts["completed"] for law in laws.LAWS)
    assert CASES < 100 or all(counts[law.__name__] > 0 for law in laws.LAWS_OF_TWO)
    threads = counts["fit for threads"]
    assert CASES < 100 or threads > 0.03 * CASES
    assert counts["fit for windows"] + threads == counts["completed"]


def test_no_scenario_in_any_shape_breaks_a_law():
    counts = laws.check_cases(PROGRAM, range(CASES), shapes=True)
    assert counts["completed"] > 0.6 * CASES, counts
    assert all(counts[law.__name__] == counts["completed"] for law in laws.LAWS)


# Options that laws.py gives itself, or that have no results of their own.
NOT_DRAWN = set(
    "fidelity simulator nicRate stage threads ranks engine plan pcap nodeTimes progress quiet json out check library config writeConfig".split()
)
POLICIES = "transport ackPolicy balancer recovery rateControl admission marker steering sendOrder algorithm protocol".split()
DRAWN = {  # values that the sample has, beside all policies that the program lists
    "planes": {"1", "2", "3", "4"},
    "workload": {"tornado", "permutation", "all-to-all", "incast", *ALGORITHMS},
    "algorithm": {*IN_NETWORK, "two-level", "node-ring", "node-tree", "nvls", "nvls-tree"},
    "onFailure": {"abort", "restart"},
    "nodeMapping": {"rack", "rail"},
}
WHERE = {
    "link": r"[^@]*:\d+--[^@]*:\d+",
    "number": r"\d+",
    "port": r"[a-z0-9-]+-\d+:\d+",
    "pair": r"[a-z0-9]+(-[a-z0-9]+)*--[a-z0-9-]+-\d+",
    "node": r"[a-z0-9]+(-[a-z0-9]+)*-\d+",
    "cables": r"cables:.*",
    "switches": r"switches:.*",
}


def test_the_sample_is_of_all_kinds():
    """All options, policies and kinds of faults; and strict senders with a window may wait for their timers."""
    ask = laws.make_ask(PROGRAM)
    scenarios = [Draw(random.Random(number), ask, focus).scenario() for focus in (False, True) for number in range(120)]
    scenarios += [ShapeDraw(random.Random(number), ask).scenario() for number in range(60)]
    options = {option["name"] for option in json.loads("\n".join(ask("--help=json")))}
    given = {option[2:].partition("=")[0] for scenario in scenarios for option in scenario.options}
    assert options - given == NOT_DRAWN
    for option in POLICIES:
        known = {line.split()[0] for line in ask(f"--{option}=help") if not line.startswith(" ")}
        drawn = {scenario.value(option) for scenario in scenarios}
        assert known | DRAWN.get(option, set()) <= drawn, (option, known - drawn)
    for option, values in DRAWN.items():
        assert values <= {scenario.value(option) for scenario in scenarios}, option
    faults = [fault for scenario in scenarios for fault in (scenario.value("fail") or "").split(",")]
    for where in WHERE.values():
        assert any(re.fullmatch(where + r"(/up|/down)?([*~%][0-9.]+)?@.*", fault) for fault in faults), where
    for part in "/up", "/down", "*0.5", "~0.5", "%0.02", "@0s", "@2us-30us":
        assert any(part in fault for fault in faults), part
    strict = [s for s in scenarios if s.value("recovery") == "strict" and s.value("rateControl") != "fixed"]
    assert strict and all(s.value("stallTime") in ("4ms", "5ms") for s in strict)


# Each law, and a change of the results that breaks it.
BROKEN = [
    (laws.check_bound, "run.json", '"completion_bound_ns": ', '"completion_bound_ns": 9'),
    (laws.check_completion, "run.json", '"messages": ', '"messages": 9'),
    (laws.check_links, "links.csv", ",leaf-0:2,spine-down,", ",leaf-0:2,spine-down,9"),
    (laws.check_switches, "run.json", '"no_route": 0', '"no_route": 1'),
    (laws.check_hosts, "run.json", '"link_losses": 0', '"link_losses": 1'),
]


@pytest.mark.parametrize("law, file, before, after", BROKEN)
def test_a_law_can_be_broken(law, file, before, after):
    options = "--topology=leaf-spine --leaves=2 --spines=1 --hostsPerLeaf=2 --size=64KiB".split()
    scenario = Scenario([*options, "--balancer=ecmp", "--acks=fabric"], {}, False, [])
    run = laws.Run(PROGRAM, scenario)
    assert run.outcome() == "completed" and laws.is_quiet(run, scenario)
    law(run, scenario)
    text = run.files[file].decode()
    assert before in text
    run.files[file] = text.replace(before, after, 1).encode()
    with pytest.raises(AssertionError):
        law(run, scenario)


@pytest.mark.parametrize("key, value", [("wrong_sums", 1), ("checked_sums", 0), ("jct_ns", 1), ("line_rate_ns", 1e9)])
def test_the_law_of_sums_can_be_broken(key, value):
    fabric = "--topology=leaf-spine --leaves=2 --spines=1 --hostsPerLeaf=2 --size=5000 --slots=4".split()
    scenario = Scenario([*fabric, "--workload=all-reduce", "--algorithm=esa"], {}, False, [])
    run = laws.Run(PROGRAM, scenario)
    assert run.outcome() == "completed"
    for law in laws.LAWS:
        law(run, scenario)
    summary = run.summary()
    summary["results"]["aggregation"][key] = value
    run.files["run.json"] = json.dumps(summary).encode()
    with pytest.raises(AssertionError):
        laws.check_sums(run, scenario)


def test_an_answer_to_a_probe_may_be_on_its_way_at_the_end():
    fabric = "--topology=leaf-spine --leaves=4 --spines=3 --hostsPerLeaf=1 --planes=3 --rate=800Gb/s --delay=1ns"
    spray = "--mtu=64 --transport=spray --ackPolicy=mrc --balancer=ecmp --buffer=40kB --acks=fabric"
    traffic = "--workload=tornado --size=467 --jitter=3us --rho=0.13 --stallTime=4ms --RngRun=229"
    scenario = Scenario(f"{fabric} {spray} {traffic} --sendOrder=oldest-first".split(), {}, False, [])
    run = laws.Run(PROGRAM, scenario)
    assert run.outcome() == "completed" and run.summary()["results"]["policies"]["probes"] > 0
    assert not laws.is_quiet(run, scenario)
    laws.check_links(run, scenario)
    laws.check_hosts(run, scenario)


def test_the_end_of_a_run_can_break_a_law():
    scenario = Scenario(["--topology=nothing"], {}, False, [])
    run = laws.Run(PROGRAM, scenario)
    assert run.outcome() == "refused"
    run.errors.append("ai-fabric-run: and more")
    with pytest.raises(AssertionError):
        run.outcome()


def test_snapshots_differ_if_results_do():
    scenario = Scenario(["--k=2", "--size=4KiB"], {}, False, [])
    run = laws.Run(PROGRAM, scenario)
    assert laws.snapshot(run) == laws.snapshot(laws.Run(PROGRAM, scenario))
    summary = run.summary()
    summary["results"]["acks"] += 1
    before = laws.snapshot(run)
    run.files["run.json"] = json.dumps(summary).encode()
    assert laws.snapshot(run) != before
