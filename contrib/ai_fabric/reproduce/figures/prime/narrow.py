# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME and its rivals where parts have few values: fat-trees of radix 4, 6 and 8 with slow core links"""

from __future__ import annotations

from ai_fabric.plot.charts import draw_schemes
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.prime import FabricsStudy, acked, fabric, slow_links

STUDY = FabricsStudy
SCHEMES = ["prime", "reps", "mixed"]
SIZE = "1MB"
RTT_NS = 14686.08  # of the network
SEVERAL = {4: 2, 6: 3, 8: 4}  # slow links by radix, beside one
SEEDS = 12


def reproduce(study: FabricsStudy) -> None:
    cases = []
    for k in study.pick(full=SEVERAL, quick=[4]):
        slow = {count: slow_links(count, k // 2) for count in (1, SEVERAL[k])}
        options = {**fabric(100, RTT_NS, k=k), **acked(4), "size": SIZE}
        cases += study.sweep(options, k=[k], slow_links=slow, scheme=SCHEMES)
    means = study.tabulate(cases, ["k", "slow_links", "scheme"], ["longest_us"])
    study.save(means)
    one = means.slow_links == 1
    shown = [Panel(title, "radix", "longest flow (us)", (draw_schemes, rows, "k", "longest_us"))
             for title, rows in (("one slow link", means[one]), ("several", means[~one]))]
    study.draw(shown, f"permutation, {SIZE} a flow, three tiers, core links at 25 %", outer=True)
    for (k, count), rows in means.groupby(["k", "slow_links"], sort=False):
        longest = rows.set_index("scheme").longest_us
        for rival in [name for name in SCHEMES[1:] if {"prime", name} <= set(longest.index)]:
            claim = f"k = {k}, slow core links: {count}; PRIME's longest flow over that of {rival}"
            study.claim(claim, "below 1", longest.prime / longest[rival])
