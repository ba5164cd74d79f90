# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""NSCC and the schemes of PRIME's family beside the reference simulator's own tests: flows, incasts, 1024 hosts"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas

from ai_fabric.plot.charts import ends_of, name_rows
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import leaf_spine
from ai_fabric.sweep.grid import Case
from ai_fabric.reproduce.papers.prime import NEAR, acked, fabric, hashed, prime, slow_links
from ai_fabric.plot.style import color

if TYPE_CHECKING:
    from ai_fabric.common.aliases import Values
    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.prime import PrimeStudy

SIZE = 2000000  # bytes a flow, in all of these tests
THREE_TIERS: dict[str, Any] = {"rate": 100, "rtt_ns": 14022.72}
TWO_TIERS: dict[str, Any] = {"rate": 100, "rtt_ns": 9348.48}
LINKS = 8  # of an aggregation switch towards the cores, of the largest fabric
LONG = 500  # packets of a queue, in the tests with long queues; the others have 43

SCHEMES = {"ecmp": {"balancer": "ecmp"}, **hashed(128), "prime": prime()}

# Longest flow in us by test and scheme, an ACK a packet and one per 4, in the reference simulator. PRIME's are of a
# selector written for that simulator.
SMALL = {
    "one flow": {"mixed": (None, 176.2)},
    "both ways": {"mixed": (None, 176.804)},
    "15 to 1": {"mixed": (None, 2478.53)},
    "permutation, 16 hosts": {"mixed": (None, 194.022), "ecmp": (None, 527.755)},
}
LARGE = {
    "127 to 1": {"mixed": (None, 21029.3)},
    "permutation, 1024 hosts": {
        "ops-rrx": (None, 212.794), "bitmap": (None, 200.507), "reps": (198.246, 208.239), "mixed": (193.184, 200.507),
        "prime": (186.6, 186.2), "ecmp": (None, 889.92),
    },
    "1024 hosts, 500 packets": {"ops-rrx": (None, 221.895), "bitmap": (None, 202.349), "reps": (198.246, None)},
    "8 slow links": {
        "ops-rrx": (None, 280.775), "bitmap": (None, 220.269), "reps": (206.684, 245.821), "mixed": (211.821, 219.554),
        "prime": (202.7, 201.5),
    },
    "slow links, 500 packets": {"ops-rrx": (None, 564.701), "bitmap": (None, 478.668), "reps": (209.872, None)},
    "4:1 leaf-spine": {"mixed": (None, 785.774)},
    "8:1 leaf-spine": {"mixed": (None, 1443.43)},
}
# With one entropy chance decides which flows share a link, and one run says little: runs, and the mean
# that the reference simulator has with the permutations of our runs and with as many seeds
CHANCE = {("permutation, 16 hosts", "ecmp", 4): (30, 497.6)}
FLOWS = {"one flow": [(0, 15)], "both ways": [(0, 15), (15, 0)]}
RETRANSMISSIONS = 811  # of the incast from 15 hosts
CLOSE = {"one flow": (0.98, 1.02), "15 to 1": (2450 / 2478.53, 2550 / 2478.53)}


def reproduce(study: PrimeStudy) -> None:
    tests = study.pick(full={**SMALL, **LARGE}, quick=SMALL)
    expected = {(test, scheme, packets): us for test, schemes in tests.items() for scheme, pair in schemes.items()
                for packets, us in zip((1, 4), pair) if us}
    cases: dict[int, list[Case]] = {}  # by their number of runs
    for (test, scheme, packets), published in expected.items():
        if study.only and scheme not in study.only:
            continue
        options = {**options_of(study, test), **SCHEMES[scheme], **acked(packets), "size": SIZE}
        options.pop("size" if "flows" in options else "", None)
        seeds, reference = CHANCE.get((test, scheme, packets), (study.seeds, published))
        labels = {"test": test, "scheme": scheme, "packets_per_ack": packets}
        labels |= {"published_us": published, "reference_us": reference}
        cases.setdefault(study.pick(full=seeds, quick=study.seeds), []).append(Case(labels, options))
    runs = pandas.concat([study.run(some, seeds) for seeds, some in cases.items()])
    key = ["test", "scheme", "packets_per_ack"]
    values = ["longest_us", "retransmissions", "acks", "timeouts"]
    means = study.means(runs, [*key, "published_us", "reference_us"], values).set_index(key)
    means = means.loc[[row for row in expected if row in means.index]].reset_index()
    study.save(means)
    names = [f"{row.test}: {row.scheme}, an ACK per {row.packets_per_ack}" for row in means.itertuples()]
    axis = "longest flow, ours over the reference simulator's"
    panel = Panel("", axis, "", (draw_ratios, means), (name_rows, names, 8))
    study.draw([panel], "2 MB a flow, 100 Gb/s", width=6.4, height=0.26 * len(means) + 1.2)
    judge(study, means)


def options_of(study: PrimeStudy, test: str) -> Values:
    """The fabric and the traffic of a test."""
    if test in FLOWS:
        path = study.write_flows(f"{test.replace(' ', '-')}.csv", [(0, *pair, SIZE) for pair in FLOWS[test]])
        return {**fabric(**THREE_TIERS, k=4), "flows": path}
    if test in ("15 to 1", "127 to 1"):
        senders = int(test.split()[0])
        return {**fabric(**THREE_TIERS, k=4 if senders == 15 else 8), "workload": "incast", "senders": senders}
    if test == "permutation, 16 hosts":
        return fabric(**THREE_TIERS, k=4)
    if "leaf-spine" in test:
        up = {"4:1 leaf-spine": 8, "8:1 leaf-spine": 4}[test]
        return fabric(**TWO_TIERS, **leaf_spine(32, up, 32))
    slow = slow_links(8, LINKS) if "slow links" in test else {}
    return {**fabric(**THREE_TIERS, queue=LONG if "500 packets" in test else None, k=16), **slow}


def draw_ratios(axes: Axes, means: pandas.DataFrame) -> None:
    """How far each test is from the reference simulator."""
    ratios = means[["longest_us", *ends_of("longest_us")]].div(means.reference_us, axis=0)
    places, look = range(len(means)), {"color": color(0), "alpha": 0.4, "linewidth": 4, "label": "95 % interval"}
    axes.hlines(places, ratios.longest_us_low95, ratios.longest_us_high95, **look)
    axes.plot(ratios.longest_us, places, "o", color=color(0), label="mean of the runs")
    axes.axvline(1, color="black", linestyle="--", label="reference simulator")
    axes.axvspan(*NEAR, color="black", alpha=0.06, label="10 %")


def judge(study: PrimeStudy, means: pandas.DataFrame) -> None:
    for test, rows in means.groupby("test", sort=False):
        claim = f"{test}: longest flow over the reference simulator's"
        study.claim_ratio(claim, rows.longest_us / rows.reference_us, *CLOSE.get(test, NEAR))
    for retransmissions in means[means.test == "15 to 1"].retransmissions:
        study.claim_near("15 to 1: retransmissions", RETRANSMISSIONS, retransmissions, percent=15)
    for acks in means[means.test == "one flow"].acks:
        study.claim_near("one flow: acknowledgements", 124, acks, points=0)
