# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A plot of the means of a sweep: a result over the values of an option, a line for each
combination of the others."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas

from ai_fabric.common.metric import metric_of
from ai_fabric.common.quantity import numbers
from ai_fabric.plot.charts import decades, draw_line, ends_of, legend, panels, small_names
from ai_fabric.plot.style import Axes, color, columns_within, save, scheme_color, scheme_marker
from ai_fabric.sweep.plot_request import PlotRequest

DEFAULT = "default"  # what an option is called that is not given
MOST_COLUMNS = 3  # of panels
SPREAD = 8  # from which ratio of the largest to the smallest value on the axis is logarithmic


def places_of(texts: Sequence[str]) -> tuple[dict[str, float], bool]:
    """Where values of an option stand on an axis, and whether it is logarithmic: numbers where they
    belong, other values side by side in their order."""
    values = numbers(texts)
    if values is None:
        return dict(zip(texts, range(len(texts)))), False
    return dict(zip(texts, values)), min(values) > 0 and max(values) / min(values) >= SPREAD


def looks(index: int, columns: Sequence[str], values: Sequence[str]) -> tuple[str, str]:
    """Color and marker of a line."""
    if columns == ["balancer"]:
        return scheme_color(values[0]), scheme_marker(values[0])
    return color(index), "os^vDP*X"[index % 8]


def last_word(option: str) -> str:
    """An option without the name of the module."""
    return option.rpartition("::")[2]


def name_line(columns: Sequence[str], values: Sequence[str]) -> str:
    """What a line is called: balancers by their names, other options with theirs."""
    return ", ".join(
        value if column == "balancer" else f"{last_word(column)}={value or DEFAULT}"
        for column, value in zip(columns, values)
    )


def scaled(means: pandas.DataFrame, y: str) -> tuple[pandas.DataFrame, str, float]:
    """The table with a result in a unit in which its values are said, and the name of the axis."""
    typical = means[y].abs().median()
    metric = metric_of(y, 0 if math.isnan(typical) else typical)
    columns = [y, *(end for end in ends_of(y) if end in means)]
    name = f"{metric.name} ({metric.unit})" if metric.unit else metric.name
    return means.assign(**{column: means[column] / metric.scale for column in columns}), name, metric.scale


def plot_means(
    means: pandas.DataFrame, options: Sequence[str], plot: PlotRequest, path: Path, caption: str, software: str
) -> Path:
    """Draws what a PlotRequest asks for. The table has the options, and of the result the mean and its 95 % interval."""
    others = [name for name in options if name not in plot.options and means[name].nunique() > 1]
    places, is_logarithmic = places_of(list(dict.fromkeys(means[plot.x])))
    means, name, scale = scaled(means.assign(place=means[plot.x].map(places)), plot.y)
    shown = {(): means} if not plot.facet else dict(iter(means.groupby(plot.facet, sort=False)))
    columns = min(len(shown), columns_within(MOST_COLUMNS))
    figure, grid = panels(-(-len(shown) // columns), columns, width=6.4 if columns == 1 else 4, height=4 if columns == 1 else 3.2,
                          sharex=True, sharey=True)
    lines = [key for key, _ in groups_of(means, others)]
    for axes, (value, rows) in zip(grid, shown.items()):
        draw_cases(axes, rows, others, plot.y, lines)
        if math.isfinite(plot.line):
            axes.axhline(plot.line / scale, color="black", linestyle="--", linewidth=1, zorder=1)
        axes.set_title(f"{last_word(plot.facet)}={value or DEFAULT}" if plot.facet else f"{name.partition(' (')[0]} by {plot.x}")
    is_log_upwards = plot.log and bool((means[plot.y] > 0).any())
    dress(grid[0], places, is_logarithmic, is_log_upwards, not (means[plot.y].dropna() < 0).any())
    for place, axes in enumerate(grid):
        axes.set_visible(place < len(shown))
        small_names(axes)
        is_lowest = place + columns >= len(shown)  # nothing is below it
        axes.tick_params(labelbottom=is_lowest)
        axes.set(xlabel=plot.x if is_lowest else "", ylabel="" if place % columns else name)
    if others:
        legend(grid[columns - 1], grid[: len(shown)])
    return save(figure, path, caption, software=software, vector=True)


def groups_of(means: pandas.DataFrame, others: list[str]) -> Iterable[tuple[Any, pandas.DataFrame]]:
    """The rows of each combination of the other options."""
    by = others if len(others) > 1 else others[0] if others else lambda row: ""
    return means.groupby(by, sort=False)


def draw_cases(axes: Axes, means: pandas.DataFrame, others: list[str], y: str, lines: Sequence[Any]) -> None:
    """A line for each combination of the other options; lines: those of all panels, where a line looks the same."""
    for key, rows in groups_of(means, others):
        values = [key] if isinstance(key, str) else list(key)
        draw_line(axes, rows, "place", y, *looks(lines.index(key), others, values), name_line(others, values))


def dress(axes: Axes, places: Mapping[str, float], is_logarithmic: bool, is_log_upwards: bool, from_zero: bool) -> None:
    """The axes of all panels."""
    if is_logarithmic:
        axes.set_xscale("log", base=2)
    axes.set_xticks(list(places.values()), [text or DEFAULT for text in places])
    axes.minorticks_off()
    if is_log_upwards:
        decades(axes)
    elif from_zero:
        axes.set_ylim(bottom=0)
