# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""HPCC, PowerTCP and TIMELY with their authors' constants share a port, beside what their simulators do there"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas

from ai_fabric.plot.charts import powers_of_two
from ai_fabric.plot.style import color
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.figures.hpcc.sharing import VALUES
from ai_fabric.reproduce.papers.hpcc import sharing
from ai_fabric.sweep.grid import Case

if TYPE_CHECKING:
    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.hpcc import HpccStudy

SEEDS = 1, 1  # nothing is random
TOTAL = 160_000_000  # bytes of all flows
BASE = attributes("PacedWindowControl", BaseRtt="4160ns")  # as their simulators reckon
CONSTANTS = {  # of simulation/mix/config.txt of HPCC's simulator with MI_THRESH 5, and UpdateRatePower() of PowerTCP's
    "hpcc": {**BASE, **attributes("HpccControl", Increase=26)},
    "power-tcp": {**BASE, **attributes("PowerTcpControl", Increase=78, TargetPower=0.95, WeighsNoted="true")},
    "timely": attributes("TimelyControl", Segment=0, AdditiveIncrease="50Mb/s", HyperFactor=2, CountsIncreases="true",
                         MinRtt="20us"),
}
KEYS = ["control", "senders"]
SHOWN = ["use_percent", "mean_queue_kb", "most_queue_kb", "longest_over_mean"]
AUTHORS = pandas.DataFrame(
    [
        ("hpcc", 2, 94.81, 1.31, 56.7, 1.0005), ("hpcc", 8, 94.27, 2.62, 401.1, 1.0937),
        ("hpcc", 16, 93.74, 4.91, 854.6, 1.0608), ("hpcc", 32, 93.47, 12.51, 1761.4, 1.0476),
        ("power-tcp", 2, 95.25, 1.30, 61.0, 1.0157), ("power-tcp", 8, 94.85, 2.77, 401.1, 1.0199),
        ("power-tcp", 16, 94.98, 5.15, 852.4, 1.0137), ("power-tcp", 32, 95.94, 12.72, 1754.9, 1.0109),
        ("timely", 2, 86.16, 162.96, 1638.9, 1.0184), ("timely", 8, 89.39, 1187.74, 16805.2, 1.0142),
        ("timely", 16, 86.47, 887.52, 15365.9, 1.0264),
    ],
    columns=[*KEYS, *SHOWN],
)  # fmt: skip
NEAR = {"use_percent": 1, "mean_queue_kb": 0.25, "most_queue_kb": 0.05, "longest_over_mean": 0.05}  # the first in points


def reproduce(study: HpccStudy) -> None:
    most = study.pick(full=math.inf, quick=8)
    points = AUTHORS[AUTHORS.senders <= most][KEYS].itertuples(index=False)
    cases = [Case({"control": control, "senders": senders},
                  {**sharing(senders, TOTAL // senders, control), **CONSTANTS[control]}) for control, senders in points]
    ours = study.tabulate(cases, KEYS, {name: VALUES[name] for name in SHOWN})
    table = ours.merge(AUTHORS, on=KEYS, suffixes=("", "_authors"))
    study.save(table)
    judge(study, table)
    counts = sorted(set(table.senders))
    shown = [Panel(title, "senders", axis, (draw_lines, table, y), (powers_of_two, counts, str), scale)
             for title, axis, y, scale in (("Use of the port", "percent", SHOWN[0], ("set_ylim", 0)),
                                           ("Queue and frame in transmission, mean", "kB", SHOWN[1], ("set_yscale", "log")),
                                           ("Queue, longest", "kB", SHOWN[2], ("set_yscale", "log")),
                                           ("Slowest flow", "its time over the mean", SHOWN[3], ("set_ylim", 1)))]
    study.draw(shown, "lines: ours; crosses: the simulators of the authors", rows=2, width=4.4)


def draw_lines(axes: Axes, table: pandas.DataFrame, y: str) -> None:
    """A line a control, and crosses of its authors' simulator."""
    for index, (name, rows) in enumerate(table.groupby("control", sort=False)):
        axes.plot(rows.senders, rows[y], color=color(index), marker="os^"[index], markersize=4, label=name)
        axes.plot(rows.senders, rows[f"{y}_authors"], "x", color=color(index), markersize=8)


def judge(study: HpccStudy, table: pandas.DataFrame) -> None:
    """The largest difference of each control. What is near was chosen before the runs."""
    for control, rows in table.groupby("control", sort=False):
        for name, near in NEAR.items():
            theirs = rows[f"{name}_authors"]
            is_share = name != "use_percent"
            difference = (rows[name] / theirs - 1 if is_share else rows[name] - theirs).abs().max() * (100 if is_share else 1)
            limit, unit = (100 * near, "%") if is_share else (near, "points")
            study.claim(f"{control}: {name}, largest difference from the authors' simulator ({unit})", f"at most {limit:g}",
                        f"{difference:.2g}", difference <= limit)
