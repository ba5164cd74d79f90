# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""2 to 256 flows of Swift share a port of 100 Gb/s: its delay beside the target, with flow scaling and without"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.plot.charts import powers_of_two
from ai_fabric.plot.style import color
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.swift import EMPTY, FRAME, GAP, RANGE, RATE, delay_ns, sharing

if TYPE_CHECKING:
    import pandas

    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.swift import SwiftStudy

SEEDS = 1, 1  # nothing is random
HOSTS = 16
SCALING = {"with flow scaling": RANGE, "without": 0}
NEAR = 15  # percent of the delay
BUSY = 95  # percent of the port
WHOLE = 64  # flows whose windows are a packet or more


def delay_us(runs: pandas.DataFrame) -> pandas.Series:
    """The mean round trip: what waits at the port, the frame in transmission included, which EMPTY has once."""
    queue = runs["layers.leaf-down.mean_queue_packets"] * (HOSTS + 1)  # the mean is over the ports of all hosts
    return (EMPTY + (queue - 1) * (FRAME + GAP) / RATE) / 1000


def use_percent(runs: pandas.DataFrame) -> pandas.Series:
    return 100 * runs.data_packets * (FRAME + GAP) / (RATE * runs.cct_ns)


VALUES = {"delay_us": delay_us, "use_percent": use_percent, "longest_over_mean": lambda runs: runs.max_fct_ns / runs.mean_fct_ns,
          "drops": "drops"}


def reproduce(study: SwiftStudy) -> None:
    counts = study.pick(full=[2, 4, 8, 16, 32, 64, 128, 256], quick=[2, 16, 64])
    total = study.pick(full=200_000_000, quick=40_000_000)  # bytes: 16 ms of the port
    flows = {count: {"flows": study.write_flows(f"{count}-{total}.csv", [
        (0, 1 + flow % HOSTS, 0, total // count) for flow in range(count)])} for count in counts}
    cases = study.sweep(lambda case: {**sharing(SCALING[case.scaling], HOSTS), **flows[case.flows]},
                        scaling=list(SCALING), flows=counts)
    table = study.tabulate(cases, ["scaling", "flows"], VALUES)
    table["expected_us"] = [delay_ns(row.flows, SCALING[row.scaling]) / 1000 for row in table.itertuples()]
    study.save(table)
    judge(study, table)
    shown = [Panel("Round trip", "flows", "us", (draw_delays, table), (powers_of_two, counts, str), ("set_ylim", 0)),
             Panel("Use of the port", "flows", "percent", (draw_lines, table, "use_percent"), (powers_of_two, counts, str),
                   ("set_ylim", 0)),
             Panel("Slowest flow", "flows", "its time over the mean", (draw_lines, table, "longest_over_mean"),
                   (powers_of_two, counts, str), ("set_ylim", 1))]
    study.draw(shown, "one switch, 100 Gb/s, links of 1 us; dashed: where delay and target meet")


def draw_lines(axes: Axes, table: pandas.DataFrame, y: str) -> None:
    for index, (name, rows) in enumerate(table.groupby("scaling", sort=False)):
        axes.plot(rows.flows, rows[y], color=color(index), marker="os"[index], markersize=4, label=name)


def draw_delays(axes: Axes, table: pandas.DataFrame) -> None:
    draw_lines(axes, table, "delay_us")
    for index, (_, rows) in enumerate(table.groupby("scaling", sort=False)):
        axes.plot(rows.flows, rows.expected_us, color=color(index), linestyle="--", linewidth=1)


def judge(study: SwiftStudy, table: pandas.DataFrame) -> None:
    for scaling, rows in table.groupby("scaling", sort=False):
        for row in rows.itertuples():
            study.claim_near(f"{row.flows} flows, {scaling}: round trip (us)", row.expected_us, row.delay_us, percent=NEAR)
        study.claim(f"{scaling}: packets lost", "0", f"{rows.drops.sum():g}", rows.drops.sum() == 0)
    whole = table[(table.scaling == "with flow scaling") & (table.flows <= WHOLE)]
    least = whole.use_percent.min()
    study.claim(f"with flow scaling, up to {WHOLE} flows: least use of the port", f"at least {BUSY} %", f"{least:.1f} %",
                least >= BUSY)
    slowest = table.groupby("scaling").longest_over_mean.max()
    study.claim_order("slowest flow, its time over the mean", "with flow scaling < without", slowest)
