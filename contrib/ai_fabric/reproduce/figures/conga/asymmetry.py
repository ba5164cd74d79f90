# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Throughput of two paths of unequal rate: static, local and global choice (CONGA's figure 2)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.plot.style import color
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.conga import FULL, HALF, OFFERED, SCHEMES, SPINES, arrivals, fabric, throughput

if TYPE_CHECKING:
    import pandas

    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.conga import CongaStudy

SEEDS = 3, 1
EXPECTED = {"static": (50, 40), "local": (40, 40), "global": (200 / 3, 100 / 3), "CONGA, Q = 3": (200 / 3, 100 / 3)}
NEAR = 4  # percent of throughput
LEVEL = 1 / 8 / (OFFERED / FULL + OFFERED / HALF)  # of the share: between paths whose utilization differs by one of 3 bits


def reproduce(study: CongaStudy) -> None:
    last = study.pick(full=10, quick=5)  # ms
    draws = range(1, study.seeds + 1)
    files = {draw: {"flows": study.write_flows(f"draw-{draw}-{last}.csv", arrivals(draw, last))} for draw in draws}
    cases = study.sweep(fabric(), choice=SCHEMES, draw=files)
    runs = study.run(cases, 1)
    sent = [throughput(folder, last) for folder in runs.folder]
    for spine in SPINES:
        runs[spine] = [one[spine] for one in sent]
    table = study.means(runs.assign(total=runs[SPINES[0]] + runs[SPINES[1]]), ["choice"], [*SPINES, "total"])
    study.save(table)
    judge(study, table.set_index("choice"))
    study.draw([Panel("What the spines carry", "choice of an uplink", "Gb/s", (draw_bars, table), "legend")],
               f"{OFFERED} Gb/s from leaf to leaf, links of {FULL}, one of {HALF}", width=6.5)


def judge(study: CongaStudy, rows: pandas.DataFrame) -> None:
    for choice, (fast, slow) in EXPECTED.items():
        study.claim_near(f"{choice}: throughput (Gb/s)", fast + slow, rows.total[choice], percent=NEAR)
    for choice in "global", "CONGA, Q = 3":
        share = rows[SPINES[0]][choice] / rows.total[choice]
        study.claim_near(f"{choice}: share of the faster path", 2 / 3, share, points=LEVEL)
    study.claim_order("throughput", "local < static < global", rows.total)


def draw_bars(axes: Axes, table: pandas.DataFrame) -> None:
    """A bar a choice, spine by spine; lines: the paper's."""
    axes.bar(table.choice, table[SPINES[0]], color=color(0), label="by spine 0")
    axes.bar(table.choice, table[SPINES[1]], bottom=table[SPINES[0]], color=color(1), label="by spine 1, the slower link")
    for place, choice in enumerate(table.choice):
        axes.hlines(sum(EXPECTED[choice]), place - 0.45, place + 0.45, color="black", linestyle="--",
                    label=None if place else "expected")
    axes.set_ylim(0, 125)
