# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Switches that have to change something when one link fails (Fig. 2)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.plot.charts import draw_law, powers_of_two
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.plot.style import color

if TYPE_CHECKING:
    import pandas

    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.balancing import BalancingStudy

# The link that fails, and how many switches change by the counting of doc/convergence.rst, both by the radix.
LINKS = {
    "edge - aggregation": (lambda k: f"pod0-edge-0:{k // 2}--pod0-agg-0:0", lambda k: k**2 // 2 + 1),
    "aggregation - core": (lambda k: f"pod0-agg-0:{k // 2}--core-0:0", lambda k: k**2 // 2 + k + 1),
}


def reproduce(study: BalancingStudy) -> None:
    radices = {k: {"k": k} for k in study.pick(full=[4, 6, 8, 10, 12, 16], quick=[4, 6])}
    study.seeds = 1  # nothing is drawn that would change a count
    # One link is cut, and all switches know it a microsecond later; messages last until then.
    options = lambda case: {"size": "16KiB", "fail": f"{LINKS[case.link][0](case.k)}@1us", "convergence": "1us"}
    cases = study.sweep(options, scheme=["rsq"], link=list(LINKS), k=radices)
    means = study.tabulate(cases, ["link", "k"], ["updated_switches"])
    counted = [LINKS[row.link][1](row.k) for row in means.itertuples()]
    means = means.assign(hosts=means.k**3 // 4, switches=5 * means.k**2 // 4, counted=counted)
    study.save(means)
    panel = Panel("One link fails", "hosts", "switches that change routes or weights", (draw, means),
                  (powers_of_two, means.hosts), ("set_ylim", 0))
    study.draw([panel], "fat-trees, routing converges 1 us after the cut")
    judge(study, means)


def draw(axes: Axes, means: pandas.DataFrame) -> None:
    for index, (link, rows) in enumerate(means.groupby("link", sort=False)):
        axes.plot(rows.hosts, rows.updated_switches, "os"[index], color=color(index), label=link)
        draw_law(axes, rows.hosts, rows.counted, f"counted: {link}", ["--", ":"][index])
    rows = means.drop_duplicates("k")
    draw_law(axes, rows.hosts, rows.switches, "all switches", "-")


def judge(study: BalancingStudy, means: pandas.DataFrame) -> None:
    for link, rows in means.groupby("link", sort=False):
        claim = f"{link}: switches that change, as counted, k = {', '.join(map(str, rows.k))}"
        counted, ours = ", ".join(map(str, rows.counted)), ", ".join(f"{count:g}" for count in rows.updated_switches)
        study.claim(claim, counted, ours, (rows.counted == rows.updated_switches).all())
        others = 1 - rows.k / rows.updated_switches  # if all k switches of the pod change
        measured = f"{others.iloc[0]:.2f} or more at k = {rows.k.iloc[0]}, {others.iloc[-1]:.2f} at {rows.k.iloc[-1]}"
        claim = f"{link}: many of them are in other pods, share of those that change"
        study.claim(claim, "more than half", measured, (others > 0.5).all())
