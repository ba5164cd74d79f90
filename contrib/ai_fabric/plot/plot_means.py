# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A plot of the means of a sweep: a result over the values of an option, a line for each
combination of the others."""

from ai_fabric.plot.charts import draw_line, legend, panels
from ai_fabric.common.quantity import numbers
from ai_fabric.plot.style import color, save, scheme_color, scheme_marker

DEFAULT = "default"  # what an option is called that is not given
SPREAD = 8  # from which ratio of the largest to the smallest value on the axis is logarithmic


def places_of(texts):
    """Where values of an option stand on an axis, and whether it is logarithmic: numbers where they
    belong, other values side by side in their order."""
    values = numbers(texts)
    if values is None:
        return dict(zip(texts, range(len(texts)))), False
    return dict(zip(texts, values)), min(values) > 0 and max(values) / min(values) >= SPREAD


def looks(index, columns, values):
    """Color and marker of a line."""
    if columns == ["balancer"]:
        return scheme_color(values[0]), scheme_marker(values[0])
    return color(index), "os^vDP*X"[index % 8]


def name_line(columns, values):
    """What a line is called: balancers by their names, other options with theirs."""
    return ", ".join(
        value if column == "balancer" else f"{column.rpartition('::')[2]}={value or DEFAULT}"
        for column, value in zip(columns, values)
    )


def plot_means(means, options, x, y, path, caption, software):
    """Draws the result y over the option x. The table has the options, and of y the mean, least and
    most."""
    others = [name for name in options if name != x and means[name].nunique() > 1]
    places, is_logarithmic = places_of(list(dict.fromkeys(means[x])))
    means = means.assign(place=means[x].map(places))
    by = others if len(others) > 1 else others[0] if others else lambda row: ""
    lines = means.groupby(by, sort=False)
    figure, [axes] = panels(width=6.4, height=4)
    for index, (values, rows) in enumerate(lines):
        values = [values] if isinstance(values, str) else list(values)
        look = looks(index, others, values)
        draw_line(axes, rows, "place", y, *look, name_line(others, values))
    if is_logarithmic:
        axes.set_xscale("log", base=2)
    axes.set_xticks(list(places.values()), [text or DEFAULT for text in places], fontsize=8)
    axes.minorticks_off()
    if (means[f"{y}_least"].dropna() >= 0).all():
        axes.set_ylim(bottom=0)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_title(f"{y} by {x}")
    if others:
        legend(axes)
    return save(figure, path, caption, software=software)
