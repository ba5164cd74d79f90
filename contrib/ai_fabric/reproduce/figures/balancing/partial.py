# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Some switches run Ofan and the others another balancer, 432 hosts (arXiv 2610.07230)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.plot.charts import decades, draw_law, draw_schemes
from ai_fabric.reproduce.drawing import Panel

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.balancing import BalancingStudy

SIZE = "1MiB"
BASES = ["ecmp", "host-random", "rr", "reps", "switch-ar"]  # what the other switches do
SHARES = [0, 0.25, 0.5, 0.75, 1]  # of the switches that choose, drawn at random
LEAST = 0.1  # our reading of "not linear": so far from the line at some share


def reproduce(study: BalancingStudy) -> None:
    radix = study.pick(full=12, quick=4)
    shares = {share: {"upgraded": share} for share in SHARES}
    cases = study.sweep({"k": radix, "size": SIZE, "upgrade": "ofan"}, scheme=BASES, upgraded_share=shares)
    columns = ["increase_percent", "max_queue_data_packets", "drops"]
    means = with_benefit(study.tabulate(cases, ["scheme", "upgraded_share"], columns))
    study.save(means)
    rows = means.assign(percent=100 * means.upgraded_share, gained=100 * means.benefit)
    x, ticks = "switches with Ofan (%)", ("set_xticks", [100 * share for share in SHARES])
    shown = [
        Panel("Completion time over the bound", x, "percent",
              (draw_schemes, rows, "percent", "increase_percent"), decades, ticks),
        Panel("Share of the benefit", x, "percent of what all switches gain",
              (draw_schemes, rows, "percent", "gained"), (draw_law, [0, 100], [0, 100], "linear"), ticks),
    ]
    hosts = radix**3 // 4
    study.draw(shown, f"{hosts} hosts, permutation, 1 MiB a message; the other switches as named")
    judge(study, means)


def with_benefit(means: pandas.DataFrame) -> pandas.DataFrame:
    """Adds how much of what all switches gain is gained."""
    gain = means.set_index(["scheme", "upgraded_share"]).increase_percent
    none, every = (means.scheme.map(gain.xs(share, level=1)) for share in (0, 1))
    return means.assign(benefit=(none - means.increase_percent) / (none - every))


def judge(study: BalancingStudy, means: pandas.DataFrame) -> None:
    benefit = means.pivot(index="upgraded_share", columns="scheme", values="benefit")
    inner = benefit.loc[SHARES[1:-1]]
    for scheme in [name for name in BASES if name in inner]:
        off = inner[scheme] - inner.index
        furthest = off.loc[off.abs().idxmax()] if off.notna().all() else float("nan")
        claim = f"{scheme}: the benefit is not linear in the share, furthest from the line"
        study.claim(claim, f"{LEAST} or more", furthest, abs(furthest) >= LEAST)
