# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figure of a study with many cases and schemes: a cell each, whose colour says how far it is from the best of its row."""

import math
from pathlib import Path

from matplotlib.colors import LinearSegmentedColormap, LogNorm

from ai_fabric.study.answer import joined
from ai_fabric.study.case_axes import JOIN
from ai_fabric.study.study_runs import StudyRuns
from ai_fabric.plot.style import Axes, plt, save

ROW, COLUMN, MARGIN, LEAST_WIDTH = 0.21, 0.43, 1.35, 7.0  # inches
LEAST, MOST = 1.0, 2.0  # times the best of a row: the ends of the colours
COLORS = LinearSegmentedColormap.from_list("cost", ["#f7fbff", "#fdd49e", "#d7301f", "#67000d"])
DARK = 1.5  # times the best: white letters


class Matrix:
    """Cells of all cases, in panels of a fabric and a job."""

    def __init__(self, runs: StudyRuns) -> None:
        self.runs = runs
        self.schemes = [scheme.name for scheme in runs.study.schemes]
        self.panels: dict[str, list[str]] = {}
        for case in runs.cases:
            self.panels.setdefault(JOIN.join(runs.study.parts[case][:-1]), []).append(case)

    def text(self, case: str, scheme: str) -> str:
        """What a cell says: times the best of the case that this one is compared with, or of its own."""
        best = self.runs.cases[self.runs.study.references.get(case, case)].best()
        ratio = self.runs.cases[case].mean(scheme).mean / best if best > 0 else math.nan
        return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}" if ratio >= 10 else "?"

    def draw_cell(self, axes: Axes, row: int, case: str, scheme: str) -> None:
        paired, column = self.runs.cases[case], self.schemes.index(scheme)
        if scheme not in paired.values:
            axes.text(column, row, "·", ha="center", va="center", color="0.6")
            return
        if scheme not in paired.order() or scheme in paired.incomplete:
            axes.text(column, row, "×", ha="center", va="center", fontsize="small")
            return
        worse = paired.worse(scheme, paired.best())
        far = LEAST if math.isnan(worse) else max(worse, LEAST)
        axes.fill_between([column - 0.5, column + 0.5], row - 0.5, row + 0.5, linewidth=0,
                          color=COLORS(LogNorm(LEAST, MOST, clip=True)(far)))
        best = not paired.beats(paired.order()[0], scheme)
        axes.text(column, row, self.text(case, scheme), ha="center", va="center", fontsize="x-small",
                  color="white" if far > DARK else "black", fontweight="bold" if best else "normal")

    def draw_panel(self, axes: Axes, name: str) -> None:
        cases = self.panels[name]
        for row, case in enumerate(cases):
            for scheme in self.schemes:
                self.draw_cell(axes, row, case, scheme)
        axes.set_yticks(range(len(cases)), [self.runs.study.parts[case][-1] for case in cases])
        axes.set_xticks(range(len(self.schemes)), self.schemes, rotation=40, ha="left", rotation_mode="anchor")
        axes.tick_params(length=0, labelsize="x-small", top=False, bottom=False)
        axes.xaxis.tick_top()
        axes.tick_params(axis="x", labeltop=name == next(iter(self.panels)), labelbottom=False)
        axes.set_xlim(-0.5, len(self.schemes) - 0.5)
        axes.set_ylim(len(cases) - 0.5, -0.5)
        axes.grid(visible=False)
        for side in axes.spines.values():
            side.set_visible(False)
        if name:
            axes.set_ylabel(name.replace(JOIN, "\n"), fontsize="x-small")


def legend_of(runs: StudyRuns) -> str:
    """What cells say, in lines."""
    conditions = {runs.study.parts[case][-1] for case in runs.study.references.values()}
    lacks = any(runs.study.parts[case][-1] not in conditions and case not in runs.study.references for case in runs.cases)
    place = f"{joined(sorted(conditions))} above it" if conditions else "its row"
    place += " (of its row, where there is none)" if conditions and lacks else ""
    return (f"Numbers: mean {runs.metric.name} over the best mean of {place}. Bold: not clearly worse than the best of the row.\n"
            f"Colour: from the best of the row to {MOST:g} times as much. ×: runs did not finish. ·: left out")


def plot_matrix(runs: StudyRuns, out: Path, software: str, counts: str) -> None:
    """Draws the matrix as PNG, PDF and SVG. counts: how many seeds."""
    matrix = Matrix(runs)
    heights = [len(cases) for cases in matrix.panels.values()]
    size = (max(MARGIN + COLUMN * len(matrix.schemes), LEAST_WIDTH), ROW * sum(heights) + 0.2 * len(heights) + 1.3)
    figure, axes = plt.subplots(len(heights), 1, figsize=size, squeeze=False, height_ratios=heights)
    for one, name in zip(axes[:, 0], matrix.panels):
        matrix.draw_panel(one, name)
    axes[-1, 0].set_xlabel(legend_of(runs), fontsize="x-small", labelpad=8)
    save(figure, out / f"{runs.study.name}.png", f"{runs.study.name}: {counts}", (), software, vector=True)
