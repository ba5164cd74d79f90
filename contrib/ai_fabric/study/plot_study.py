# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figure of a study: means, and paired differences, with 95 % intervals, by scheme and case."""

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ai_fabric.study.answer import pairs_of
from ai_fabric.study.paired import Estimate
from ai_fabric.study.plot_faults import SUFFIX, plot_faults
from ai_fabric.study.plot_matrix import plot_matrix
from ai_fabric.study.study_file import MATRIX, Study
from ai_fabric.study.study_runs import StudyRuns
from ai_fabric.plot.style import SCHEMES, Axes, color, plt, save

Look = tuple[str, str]  # color and marker
Places = Mapping[tuple[str, str], float]  # by case and scheme
KINDS = "pdf", "png", "svg"
SCHEME, CASE, STUDY = 24, 36, 50  # characters of a name that have room
ROW = 0.24  # inches of a scheme
ROOM = 1.03  # times what the axis of means needs
MARKERS = "osD^v<>pPX*h"
STYLE = {"axes.titleweight": "normal", "axes.titlesize": "medium"}


def look_of(name: str, index: int) -> Look:
    """The color and marker of a scheme."""
    return SCHEMES.get(name, (color(index), MARKERS[index % len(MARKERS)]))


def short(name: str, most: int) -> str:
    """A name, cut where it has no room."""
    return name if len(name) <= most else name[: most - 3] + "..."


def draw_estimate(axes: Axes, place: float, found: Estimate, look: Look, scale: float) -> None:
    """A mean with its interval."""
    halves = (0.0, 0.0) if math.isnan(found.half) else (found.mean - found.low, found.high - found.mean)
    axes.errorbar(found.mean / scale, place, xerr=[[half / scale] for half in halves], color=look[0], marker=look[1], capsize=3,
                  elinewidth=1.4)


def places_of(cases: Iterable[str], schemes: Sequence[str]) -> Places:
    """Where each scheme of each case stands, from above, with a gap between cases."""
    pairs = [(case, scheme) for case in cases for scheme in schemes]
    return {pair: number + number // len(schemes) * 0.8 for number, pair in enumerate(pairs)}


def draw_means(axes: Axes, runs: StudyRuns, places: Places, schemes: Sequence[str]) -> None:
    for (case, scheme), place in places.items():
        there = scheme in runs.cases[case].values
        found = runs.cases[case].mean(scheme) if there else Estimate(())
        if found.count:
            draw_estimate(axes, place, found, look_of(scheme, schemes.index(scheme)), runs.metric.scale)
        else:
            axes.annotate("no run finished" if there else "left out", (0.02, place), xycoords=("axes fraction", "data"), va="center", fontsize="x-small")
    if axes.get_xlim()[0] > 0 or runs.floor == 0:
        axes.set_xlim(0, ROOM * axes.get_xlim()[1])
    axes.set_title("means")
    axes.set_xlabel(f"{runs.metric.name} ({runs.metric.unit})" if runs.metric.unit else runs.metric.name)


def draw_differences(axes: Axes, runs: StudyRuns, places: Places, schemes: Sequence[str]) -> None:
    unit, scale = ("%", 1) if runs.percent else (runs.metric.unit, runs.metric.scale)
    for case, paired in runs.cases.items():
        for scheme, other in pairs_of(paired, runs.study.baseline):
            found = paired.over(scheme, other)
            if found.count:
                draw_estimate(axes, places[case, scheme], found, look_of(scheme, schemes.index(scheme)), scale)
        for _, other in pairs_of(paired, runs.study.baseline)[:1]:
            axes.plot(0, places[case, other], "k|", markersize=9)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_title("seed by seed (paired)")
    label = f"difference to {runs.study.baseline or 'the best'}"
    axes.set_xlabel(f"{label} ({unit})" if unit else label)


def count_text(runs: StudyRuns, bars: str = "; bars: 95 % intervals") -> str:
    """n of the figure, and what its bars are."""
    counts = sorted({found.count for paired in runs.cases.values() for found in map(paired.mean, paired.values)})
    if counts[-1] == 1:
        return "n = 1 seed: no intervals"
    return f"n = {' to '.join(map(str, dict.fromkeys([counts[0], counts[-1]])))} seeds{bars}"


def plot_rows(runs: StudyRuns, out: Path, software: str) -> None:
    """Draws means beside paired differences, a row a case and scheme."""
    schemes = [scheme.name for scheme in runs.study.schemes]
    places = places_of(runs.cases, schemes)
    with plt.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # a letter that the font lacks is a box
        figure, axes = plt.subplots(1, 2, figsize=(7.0, ROW * (max(places.values()) + 1) + 1.3), sharey=True)
        draw_means(axes[0], runs, places, schemes)
        draw_differences(axes[1], runs, places, schemes)
        axes[0].set_yticks(list(places.values()), [short(scheme, SCHEME) for _, scheme in places])
        axes[0].set_ylim(max(places.values()) + 0.7, -1.1)
        for case in runs.cases if len(runs.cases) > 1 else ():
            axes[0].annotate(short(case, CASE), (0, places[case, schemes[0]] - 0.55), xycoords=("axes fraction", "data"),
                             xytext=(3, 0), textcoords="offset points", fontsize="small", fontstyle="italic", va="center")
        for one in axes:
            one.grid(axis="y", visible=False)
        caption = f"{short(runs.study.name, STUDY)}: {count_text(runs)}"
        save(figure, out / f"{runs.study.name}.png", caption, schemes, software, vector=True)


def names_of(study: Study) -> list[str]:
    """What figures of a study are called."""
    return [study.name, f"{study.name}{SUFFIX}"]


def plot_study(runs: StudyRuns, out: Path, software: str) -> list[str]:
    """Draws the figure as PNG, PDF and SVG; returns their names."""
    if runs.study.figure == MATRIX:
        plot_matrix(runs, out, software, count_text(runs, ""))
        plot_faults(runs, out, software, count_text(runs, ""))
    else:
        plot_rows(runs, out, software)
    names = [f"{name}.{kind}" for name in names_of(runs.study) for kind in KINDS]
    return [name for name in names if (out / name).is_file()]
