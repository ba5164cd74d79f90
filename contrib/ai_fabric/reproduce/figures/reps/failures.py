# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""REPS and its rivals with cut, lossy and slow cables and switches that no switch learns of (its fig. 7)"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy

from ai_fabric.common.interval import interval
from ai_fabric.plot.charts import by_scheme, draw_rows, ends_of, name_rows, spaced
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.reps import ARTIFACT, BLIND, HOSTS_16, HOSTS_32, plain_ticks

if TYPE_CHECKING:
    import pandas

    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.reps import RepsStudy

SCHEMES = ["ops", "plb", "flowlet", "bitmap", "reps-no-freezing", "reps"]
SIZE = "8MiB"
FAULTS = {
    "5 % of cables cut": "cables:0.05@0ns",
    "5 % of switches cut": "switches:0.05@0ns",
    "5 % of both cut": "cables:0.05@0ns,switches:0.05@0ns",
    "one cable cut": "cables:1@0ns",
    "one switch cut": "switches:1@0ns",
    "one of each cut": "cables:1@0ns,switches:1@0ns",
    "one cable loses 1 %": "cables:1%0.01@0ns",
    "one switch loses 1 %": "switches:1%0.01@0ns",
    "one slow cable": "cables:1/up~0.5@0ns",
}
LOOKS = [("#CC79A7", "*"), ("#404040", "^"), ("#7B2D5B", "s")]  # REPS with each way to mark
CUT = [name for name in FAULTS if name.endswith("cut")]


def reproduce(study: RepsStudy) -> None:
    fabric = {**study.pick(full=HOSTS_32, quick=HOSTS_16), **BLIND, "size": SIZE, "stallTime": "50ms"}
    faults = {name: {"fail": fault} for name, fault in FAULTS.items()}
    runs, means = study.longest(study.cases(SCHEMES, fabric, fault=faults), "fault", {})
    means = with_speedups(runs, means.drop(columns=["reference_us", "reference_mean_us"]))
    study.save(means)
    draw(study, means[means.scheme != "ops"])
    judge(study, means)


def with_speedups(runs: pandas.DataFrame, means: pandas.DataFrame) -> pandas.DataFrame:
    """Adds how many times as long OPS's longest flow is, of the same faults and marks: the geometric mean of
    the seeds, and its 95 % interval. No number if a run did not complete."""
    ops = runs[runs.scheme == "ops"].set_index(["fault", "marks", "seed"]).longest_us
    keys = zip(runs.fault, runs.marks, runs.seed)
    runs = runs.assign(speedup=[ops.get(key, numpy.nan) for key in keys] / runs.longest_us)
    groups = runs.groupby(["scheme", "fault", "marks"], sort=False).speedup
    found = {"speedup": groups.agg(lambda values: numpy.exp(numpy.log(values).mean(skipna=False)))}
    for place, end in enumerate(ends_of("speedup")):
        found[end] = groups.agg(lambda values: math.exp(interval(numpy.log(values.to_numpy()))[place]))
    cells = list(zip(means.scheme, means.fault, means.marks))
    return means.assign(**{name: [values[cell] for cell in cells] for name, values in found.items()})


def draw(study: RepsStudy, means: pandas.DataFrame) -> None:
    reps = means[means.scheme == "reps"]
    marks = [(reps[reps.marks == name], *look, f"marks {name}")
             for name, look in zip(dict.fromkeys(means.marks), LOOKS)]
    x, columns = "OPS's longest flow over the scheme's", ("fault", "speedup", [*ends_of("speedup")])
    faults = list(FAULTS)
    schemes = by_scheme(means[means.marks == ARTIFACT])
    shown = [
        Panel("schemes", x, "", (draw_rows, schemes, faults, *columns), draw_one, (name_rows, faults)),
        Panel("REPS by how switches mark", x, "", (draw_rows, marks, faults, *columns, 0.5), draw_one),
    ]
    scenario = f"permutation of {spaced(SIZE)}, {study.hosts()} hosts, faults from the start on; geometric means"
    study.draw(shown, scenario, legends=0, width=4.8, height=0.42 * len(faults) + 1.8, sharey=True)


def draw_one(axes: Axes) -> None:
    """Where a scheme is as OPS, and the legend below."""
    axes.axvline(1, color="black", linewidth=1, linestyle="--", label="OPS")
    axes.set_xscale("log")
    axes.autoscale_view()
    plain_ticks(axes)
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.14), ncols=3, fontsize="small")


def judge(study: RepsStudy, means: pandas.DataFrame) -> None:
    rows = means[means.marks == ARTIFACT]
    table = rows.pivot(index="fault", columns="scheme", values="speedup").reindex(list(FAULTS))
    if "ops" not in table or "reps" not in table:
        return
    for fault, value in table.reps.items():
        study.claim(f"{fault}: OPS's longest flow over REPS's", "above 1", value)
    rivals = table.drop(columns=["reps", "reps-no-freezing"], errors="ignore").max(axis=1)
    claim = "REPS is the best of all: the best rival's longest flow over REPS's, least"
    study.claim_least(claim, "1 or more", table.reps / rivals)
    if "reps-no-freezing" in table:
        gain = (table.reps / table["reps-no-freezing"])[CUT]
        claim = "cut cables and switches: freezing speeds REPS up, least and most"
        study.claim_least(claim, "above 1", gain, with_most=True)
    for marks, rows in means[means.scheme == "reps"].groupby("marks", sort=False):
        if marks != ARTIFACT:
            claim = f"marks {marks}: OPS's longest flow over REPS's, least"
            study.claim_least(claim, "above 1", rows.set_index("fault").speedup)
