# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The kinds of plots that the figures are made of."""

import numpy

from style import plt, save, scheme_color, scheme_marker


def spaced(size):
    """A size as it is read: 64 KiB for 64KiB."""
    return size.replace("KiB", " KiB").replace("MiB", " MiB")


def panels(rows=1, columns=1, width=4.6, height=3.6, **options):
    """A figure with a grid of axes, as a list; there is room for a legend beside it."""
    figure, grid = plt.subplots(
        rows, columns, figsize=(width * columns + 1.6, height * rows), squeeze=False, **options
    )
    return figure, list(grid.flat)


def draw_line(axes, rows, x, y, color, marker, label):
    """A line, with the range over the runs as a shade. The table is one of means."""
    rows = rows.sort_values(x)
    axes.plot(rows[x], rows[y], color=color, marker=marker, markersize=5, label=label)
    if f"{y}_least" in rows:
        least, most = rows[f"{y}_least"], rows[f"{y}_most"]
        axes.fill_between(rows[x], least, most, color=color, alpha=0.12, linewidth=0)


def draw_schemes(axes, means, x, y):
    """A line a scheme, with the range over the runs as a shade. The table is one of means."""
    for scheme, rows in means.groupby("scheme", sort=False):
        draw_line(axes, rows, x, y, scheme_color(scheme), scheme_marker(scheme), scheme)


def powers_of_two(axes, values, label=str):
    """A logarithmic axis with a tick at every value, named by label(value)."""
    ticks = sorted(set(values))
    axes.set_xscale("log", base=2)
    axes.set_xticks(ticks, [label(tick) for tick in ticks], fontsize=8)
    axes.minorticks_off() if len(ticks) > 8 else None


def draw_law(axes, xs, ys, label, style="--"):
    """A published value, a bound or a law, in black."""
    axes.plot(xs, ys, f"k{style}", linewidth=1, markersize=5, label=label, zorder=1)


def draw_stages(axes, means, stages, styles=None):
    """A line a scheme over the stages of the way, which are columns of the table."""
    for row in means.itertuples():
        axes.plot(
            [means.loc[row.Index, stage] for stage in stages],
            color=scheme_color(row.scheme),
            marker=scheme_marker(row.scheme),
            markersize=6,
            label=row.scheme,
            **(styles or {}),
        )
    axes.set_xticks(range(len(stages)), stages)


def draw_bars(axes, means, y, expected=None):
    """A bar a scheme, with the range over the runs; expected: reference values by scheme."""
    schemes = list(means.scheme)
    places = numpy.arange(len(schemes))[::-1]
    axes.barh(places, means[y], height=0.62, color=[scheme_color(name) for name in schemes])
    for place, row in zip(places, means.itertuples()):
        low, high = getattr(row, f"{y}_least"), getattr(row, f"{y}_most")
        axes.plot([low, high], [place, place], color="black", linewidth=1, marker="|")
        text = f"  {getattr(row, y):.3g}"
        if row.completed < row.runs:
            text = f"  {row.completed} of {row.runs} runs complete"
        axes.text(0 if numpy.isnan(high) else high, place, text, va="center", fontsize=8)
    known = {name: value for name, value in (expected or {}).items() if name in schemes}
    if known:
        axes.plot(
            list(known.values()),
            [places[schemes.index(name)] for name in known],
            linestyle="",
            marker="D",
            markersize=5,
            markerfacecolor="none",
            markeredgecolor="black",
            label="reference model",
        )
    axes.set_yticks(places, schemes)
    axes.set_ylim(-0.6, len(schemes) - 0.4)
    axes.grid(axis="y", visible=False)
    axes.set_xlim(left=0, right=1.18 * axes.get_xlim()[1])


def draw_matrices(means, column, label, titles):
    """A panel of bars a traffic matrix; titles: by matrix. Returns the figure."""
    figure, grid = panels(1, len(titles), width=5.2, height=0.36 * means.scheme.nunique() + 1)
    for axes, (matrix, title) in zip(grid, titles.items()):
        draw_bars(axes, means[means.matrix == matrix], column)
        axes.set_title(f"{matrix}, {title}")
        axes.set_xlabel(label)
    return figure


def draw_categories(axes, means, x, values, y):
    """A line a scheme over values that are names."""
    for scheme, rows in means.groupby("scheme", sort=False):
        rows = rows.set_index(x).reindex(values)
        axes.plot(
            range(len(values)),
            rows[y],
            color=scheme_color(scheme),
            marker=scheme_marker(scheme),
            markersize=5,
            label=scheme,
        )
    axes.set_xticks(range(len(values)), values, rotation=45, fontsize=8)


def draw_pairs(axes, means, y, which, kinds):
    """A group of bars a scheme, one for each kind; all but the first are hatched."""
    schemes = list(dict.fromkeys(means.scheme))
    height = 0.8 / len(kinds)
    for index, kind in enumerate(kinds):
        rows = means[means[which] == kind].set_index("scheme").reindex(schemes)
        places = numpy.arange(len(schemes))[::-1] + 0.4 - height * (index + 0.5)
        hatch = "////" if index else None
        colors = [scheme_color(name) for name in schemes]
        axes.barh(places, rows[y], height=height, color=colors, hatch=hatch, edgecolor="white")
        for place, value, done, runs in zip(places, rows[y], rows.completed, rows.runs):
            text = f"  {value:.3g}" if done == runs else f"  {done:.0f} of {runs:.0f} runs complete"
            axes.text(0 if numpy.isnan(value) else value, place, text, va="center", fontsize=8)
        axes.barh([0], [0], color="#B0B0B0", hatch=hatch, edgecolor="white", label=kind)
    axes.set_yticks(numpy.arange(len(schemes))[::-1], schemes)
    axes.grid(axis="y", visible=False)
    axes.set_xlim(left=0, right=1.18 * axes.get_xlim()[1])


def legend(axes, others=()):
    """One legend for several axes, at the right of the last."""
    entries = {}
    for one in [*others, axes]:
        for handle, label in zip(*one.get_legend_handles_labels()):
            entries.setdefault(label, handle)
    axes.legend(
        entries.values(), entries.keys(), loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=8
    )


def finish(figure, study, scenario, suffix=""):
    """Writes the plot, its caption saying what was run."""
    save(figure, study.plot_path(suffix), study.caption(scenario))
