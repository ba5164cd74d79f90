# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The second figure of a study with a reference: what a scheme takes without a fault, and what faults make of it."""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from matplotlib.lines import Line2D

from ai_fabric.study.answer import joined
from ai_fabric.study.paired import Paired
from ai_fabric.study.study_runs import StudyRuns
from ai_fabric.plot.style import Axes, color, plt, save

Point = tuple[float, float, float]  # times the best: no fault, the mean of faults, the worst one
SUFFIX = "-faults"  # of the figure's name
PANEL, ROW, LEAST_WIDTH = 1.75, 0.21, 6.5  # inches
MOST = 5.0  # times the best: the end of the axis, where what is beyond has its number
TICKS = [1, 1.5, 2, 3, 5]
NAMES = ["no fault", "mean of faults", "worst fault"]
LOOKS: list[dict[str, Any]] = [
    {"marker": "o", "linestyle": "", "markerfacecolor": "white", "color": color(0)},
    {"marker": "o", "linestyle": "", "color": color(3)},
    {"marker": "|", "linestyle": "", "color": "black"},
]


def mean_ratio(ratios: Iterable[float]) -> float:
    """The geometric mean; not a number if a ratio is missing."""
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def ratio_of(paired: Paired, scheme: str, best: float) -> float:
    """How many times worse than the best a scheme is; not a number if it is left out, has runs that did not finish, or if a
    mean is not above 0."""
    if not paired.values.get(scheme) or scheme in paired.incomplete:
        return math.nan
    return paired.worse(scheme, best)


def place_of(runs: StudyRuns, case: str) -> str:
    """The fabric of a case, or nothing in a study that has one."""
    return runs.study.parts[case][0] if len(runs.study.parts[case]) > 1 else ""


def points_of(runs: StudyRuns, fabric: str) -> dict[str, Point]:
    """By scheme, geometric means over jobs and faults. Not a number: it is left out of a case, or has runs that did not
    finish."""
    references = runs.study.references
    faults = [case for case in references if place_of(runs, case) == fabric]
    best = {case: runs.cases[case].best() for case in dict.fromkeys(references[case] for case in faults)}
    found = {}
    for scheme in [scheme.name for scheme in runs.study.schemes]:
        healthy = [ratio_of(runs.cases[case], scheme, best[case]) for case in best]
        faulty = [ratio_of(runs.cases[case], scheme, best[references[case]]) for case in faults]
        found[scheme] = mean_ratio(healthy), mean_ratio(faulty), math.nan if math.isnan(sum(faulty)) else max(faulty)
    return found


def why_none(runs: StudyRuns, fabric: str, scheme: str) -> str:
    """Why a scheme has no point."""
    cases = [case for case in runs.cases if place_of(runs, case) == fabric]
    left_out = [case for case in cases if (case, scheme) in runs.study.left_out]
    return "left out" if left_out == cases else "left out of some" if left_out else "does not finish, or no value above 0"


def draw_panel(axes: Axes, runs: StudyRuns, fabric: str) -> None:
    """A row a scheme: without a fault, the mean of faults, the worst one."""
    for row, (scheme, point) in enumerate(points_of(runs, fabric).items()):
        if math.isnan(sum(point)):
            axes.annotate(why_none(runs, fabric, scheme), (0.02, row), xycoords=("axes fraction", "data"), va="center",
                          fontsize="xx-small", color="0.4")
            continue
        axes.plot([point[0], min(point[2], MOST)], [row, row], color="0.8", linewidth=1, zorder=1)
        for value, look in zip(point, LOOKS):
            axes.plot(min(value, MOST), row, **look, clip_on=False)
        if point[2] > MOST:
            text = f"{point[1]:.3g}, {point[2]:.3g}" if point[1] > MOST else f"{point[2]:.3g}"
            axes.annotate(text, (MOST, row - 0.35), ha="right", va="center", fontsize="xx-small")
    axes.set_xscale("log")
    axes.set_xlim(0.93, MOST)
    axes.set_xticks(TICKS, map(str, TICKS), fontsize="x-small")
    axes.minorticks_off()
    axes.set_title(fabric, fontsize="medium", fontweight="normal")
    axes.grid(axis="y", visible=False)


def plot_faults(runs: StudyRuns, out: Path, software: str, counts: str) -> None:
    """Draws the figure as PNG, PDF and SVG, if a fabric has faults and all values are above 0. counts: how many seeds."""
    fabrics = list(dict.fromkeys(place_of(runs, case) for case in runs.study.references))
    if not fabrics or not runs.percent:
        return
    schemes = [scheme.name for scheme in runs.study.schemes]
    size = max(1.2 + PANEL * len(fabrics), LEAST_WIDTH), 1.6 + ROW * len(schemes)
    figure, axes = plt.subplots(1, len(fabrics), figsize=size, sharey=True, squeeze=False)
    for one, fabric in zip(axes[0], fabrics):
        draw_panel(one, runs, fabric)
    axes[0, 0].set_yticks(range(len(schemes)), schemes, fontsize="small")
    axes[0, 0].set_ylim(len(schemes) - 0.5, -0.5)
    looks = [Line2D([], [], **look) for look in LOOKS]
    figure.legend(looks, NAMES, loc="upper right", ncol=len(NAMES), fontsize="x-small")
    best = joined(sorted({runs.study.parts[case][-1] for case in runs.study.references.values()}))
    figure.suptitle(f"{runs.metric.name} over the best of {best}", x=0.01, ha="left", fontsize="medium")
    save(figure, out / f"{runs.study.name}{SUFFIX}.png", f"{runs.study.name}: {counts}", (), software, vector=True)
