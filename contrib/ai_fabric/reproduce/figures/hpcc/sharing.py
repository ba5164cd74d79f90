# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""2 to 64 flows of HPCC, PowerTCP, TIMELY and DCQCN share a port of 100 Gb/s: its use, its queue, fairness"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.plot.charts import powers_of_two
from ai_fabric.plot.style import color
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.hpcc import FIRST_KB, FRAME, PORT_KB, mean_queue_kb, sharing, use_percent

if TYPE_CHECKING:
    import pandas

    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.hpcc import HpccStudy

SEEDS = 1, 1  # nothing is random
CONTROLS = ["hpcc", "power-tcp", "theta-power-tcp", "timely", "dcqcn"]
TARGETS = [0.8, 0.9, 0.95]
QUEUES = "layers.leaf-down.max_waiting_bytes"
VALUES = {
    "use_percent": use_percent,
    "mean_queue_kb": mean_queue_kb,
    "most_queue_kb": lambda runs: runs[QUEUES] / 1000,
    "longest_over_mean": lambda runs: runs.max_fct_ns / runs.mean_fct_ns,
    "pauses": "pauses",
    "drops": "drops",
}
NEAR = 1  # percent of use
FAIR = 1.1


def reproduce(study: HpccStudy) -> None:
    counts = study.pick(full=[2, 4, 8, 16, 32, 64], quick=[2, 16])
    total = study.pick(full=160_000_000, quick=32_000_000)  # bytes: about 14 ms of the port
    cases = study.sweep(lambda case: sharing(case.senders, total // case.senders, case.control),
                        control=CONTROLS, senders=counts, target=[0.95])
    cases += study.sweep(lambda case: {**sharing(2, total // 2, "hpcc"),
                                       **attributes("HpccControl", TargetUtilization=case.target)},
                         control=["hpcc"], senders=[2], target=TARGETS[:-1])
    table = study.tabulate(cases, ["control", "senders", "target"], VALUES)
    study.save(table)
    judge(study, table)
    usual = table[table.target == TARGETS[-1]]
    shown = [Panel(title, "senders", axis, (draw_lines, usual, y), (powers_of_two, counts, str), scale)
             for title, axis, y, scale in (("Use of the port", "percent", "use_percent", ("set_ylim", 0)),
                                           ("Queue and frame in transmission, mean", "kB", "mean_queue_kb", ("set_yscale", "log")),
                                           ("Queue, longest", "kB", "most_queue_kb", ("set_yscale", "log")),
                                           ("Slowest flow", "its time over the mean", "longest_over_mean", ("set_ylim", 1)))]
    study.draw(shown, "one switch, 100 Gb/s, links of 1 us, PFC", rows=2, width=4.4)


def draw_lines(axes: Axes, table: pandas.DataFrame, y: str) -> None:
    """A line a control."""
    for index, (name, rows) in enumerate(table.groupby("control", sort=False)):
        axes.plot(rows.senders, rows[y], color=color(index), marker="os^Dv"[index], markersize=4, label=name)


def judge(study: HpccStudy, table: pandas.DataFrame) -> None:
    rows = table.set_index(["control", "senders", "target"])
    for target in TARGETS:
        use = rows.use_percent["hpcc", 2, target]
        study.claim(f"HPCC: use of a port by two flows, eta = {target}", f"{100 * target:g} +- {NEAR}", f"{use:.2f} %",
                    abs(use - 100 * target) <= NEAR)
    usual = rows.xs(TARGETS[-1], level="target")
    for senders, most in usual.most_queue_kb["hpcc"].items():
        limit = senders * (FIRST_KB + FRAME / 1000) - PORT_KB
        study.claim(f"HPCC, {senders} senders: longest queue (kB): what the port cannot send of their first windows",
                    f"at most {limit:.0f}", f"{most:.0f}", most <= limit)
    for what in "drops", "pauses":
        study.claim(f"HPCC: {what}", "0", f"{usual[what]['hpcc'].sum():g}", usual[what]["hpcc"].sum() == 0)
    for control, other in ("hpcc", "dcqcn"), ("hpcc", "timely"), ("power-tcp", "dcqcn"):
        ratio = (usual.mean_queue_kb[control] / usual.mean_queue_kb[other]).max()
        study.claim(f"{control}: mean queue over that of {other}", "below 1", f"at most {ratio:.3g}", ratio < 1)
    for control in "hpcc", "power-tcp":
        slowest = usual.longest_over_mean[control].max()
        study.claim(f"{control}: slowest flow, its time over the mean", f"at most {FAIR:g}", f"{slowest:.3f}", slowest <= FAIR)
