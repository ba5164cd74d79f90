# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Slowdown of storage messages with ECMP, CONGA, LetFlow and ConWeave, without losses and with SACK (ConWeave's figures 12, 13)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ai_fabric.plot.charts import draw_whiskers, ends_of
from ai_fabric.plot.style import color
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.conweave import LOADS, MODES, SCHEMES, SIZES, fabric, slowdowns

if TYPE_CHECKING:
    import pandas

    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.conweave import ConweaveStudy

LEAST = {"ecmp": 10, "conga": 0, "letflow": 0}  # percent by which ConWeave is better
COLUMNS = {"mean": "mean", "p99": "p99", "disorder": "out_of_sequence", "timeouts": "policies.conweave_timeouts",
           "queues": "policies.max_conweave_queues", "held_kb": lambda runs: runs["policies.max_conweave_bytes"] / 1000}


def reproduce(study: ConweaveStudy) -> None:
    hosts, leaves, ms = study.pick(full=(16, 8, 1.5), quick=(8, 4, 1.5))
    sizes = study.write("sizes.csv", ["bytes,probability", *(f"{size},{share}" for size, share in SIZES.items())])
    cases = study.sweep(
        {**fabric(hosts, leaves, ms), "cdf": sizes}, mode=MODES, load={load: {"load": share} for load, share in LOADS.items()},
        choice=SCHEMES,
    )
    runs = study.run(cases)
    found = [slowdowns(folder) for folder in runs.folder]
    runs["mean"], runs["p99"] = [one.mean() for one in found], [one.quantile(0.99) for one in found]
    runs = runs.assign(**{name: what(runs) if callable(what) else runs[what] for name, what in COLUMNS.items()})
    table = study.means(runs, ["mode", "load", "choice"], [*COLUMNS])
    study.save(table)
    for (mode, load), rows in table.groupby(["mode", "load"], sort=False):
        judge(study, f"{mode}, {load} %", rows.set_index("choice"))
    panels = [Panel(f"{mode}, {load} %", "balancer", "slowdown", (draw_bars, rows))
              for (mode, load), rows in table.groupby(["mode", "load"], sort=False)]
    fabric_of = f"{leaves} leaves, {leaves * hosts} hosts, 100 Gb/s, AliStorage2019, DCQCN"
    study.draw(panels, f"{fabric_of}; patient: conweave with ResumeExtra 1 ms", rows=2)


def judge(study: ConweaveStudy, where: str, rows: pandas.DataFrame) -> None:
    for column, what in ("mean", "mean"), ("p99", "99th percentile"):
        values = rows[column]
        for name, least in LEAST.items():
            gain = 100 * (1 - values["conweave"] / values[name])
            study.claim(f"{where}: {what} below that of {name} (percent)", f"{least} or more", float(gain))
    study.claim(f"{where}: packets in disorder at hosts", "0", float(rows.disorder["conweave"]))
    study.claim(f"{where}: the same, if each TAIL is waited for", "0", float(rows.disorder["patient"]))
    study.claim(f"{where}: reorder queues of a port", "at most 24", float(rows.queues["conweave"]))


def draw_bars(axes: Axes, rows: pandas.DataFrame) -> None:
    """The mean and the 99th percentile, balancer by balancer, with their 95 % intervals."""
    for index, (column, label) in enumerate({"mean": "mean", "p99": "99th percentile"}.items()):
        places = numpy.arange(len(rows)) + 0.4 * (index - 0.5)
        axes.bar(places, rows[column], 0.4, color=color(index), label=label)
        draw_whiskers(axes, places, *(rows[end] for end in ends_of(column)))
    axes.set_xticks(range(len(rows)), rows.choice)
