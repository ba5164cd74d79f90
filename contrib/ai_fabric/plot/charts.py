# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The kinds of plots that the figures are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy
import pandas

from ai_fabric.plot.style import Axes, Figure, plt, scheme_color, scheme_marker, styled_width  # before all of matplotlib

from matplotlib.font_manager import FontProperties
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
from matplotlib.transforms import ScaledTranslation

Group = tuple[pandas.DataFrame, str, str, str]  # rows, their color, marker and label
MOST_SHADES = 5  # in one panel
BAR_PITCH = 2.5  # points between the bars of two schemes
LINE_OF_PANEL = 0.75  # of a narrow figure: the width of a panel
HANDLE, LETTER, ROW_OF_LEGEND = 3.5, 0.55, 1.5  # of a legend, in sizes of its letters: width before a label, of a letter; height
OVER_LINES = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}  # the box of a text


def spaced(size: str) -> str:
    """A size as it is read: 64 KiB for 64KiB."""
    return size.replace("KiB", " KiB").replace("MiB", " MiB")


def panels(
    rows: int = 1, columns: int = 1, width: float = 4.6, height: float = 3.6, **options: Any
) -> tuple[Figure, list[Axes]]:
    """A figure with a grid of axes, as a list; there is room for a legend beside it."""
    figure, grid = plt.subplots(
        rows, columns, figsize=(width * columns + 1.6, height * rows), squeeze=False, **options
    )
    return figure, list(grid.flat)


def ends_of(y: str) -> tuple[str, str]:
    """The columns that have the ends of the intervals of the means in another."""
    return f"{y}_low95", f"{y}_high95"


def draw_whiskers(axes: Axes, places: numpy.ndarray, low: pandas.Series, high: pandas.Series) -> None:
    """The 95 % intervals of means that have one."""
    known = low.notna().to_numpy()
    if known.any():
        axes.vlines(places[known], low[known], high[known], color="k", linewidth=0.8, zorder=3)


def draw_line(axes: Axes, rows: pandas.DataFrame, x: str, y: str, color: str, marker: str, label: str) -> None:
    """A line, with the 95 % interval as a shade. The table is one of means."""
    rows = rows.sort_values(x)
    axes.plot(rows[x], rows[y], color=color, marker=marker, label=label)
    low, high = ends_of(y)
    if low in rows:
        axes.fill_between(rows[x], rows[low], rows[high], color=color, alpha=0.12, linewidth=0)


def draw_schemes(axes: Axes, means: pandas.DataFrame, x: str, y: str) -> None:
    """A line a scheme, with its 95 % interval: as a shade, or, where the shades of many schemes would
    cover each other, as a bar beside the marker. The table is one of means."""
    schemes = list(dict.fromkeys(means.scheme))
    for index, (scheme, rows) in enumerate(means.groupby("scheme", sort=False)):
        look = scheme_color(scheme), scheme_marker(scheme), scheme
        if len(schemes) <= MOST_SHADES or ends_of(y)[0] not in rows:
            draw_line(axes, rows, x, y, *look)
            continue
        draw_line(axes, rows.drop(columns=[*ends_of(y)]), x, y, *look)
        draw_intervals(axes, rows, x, y, BAR_PITCH * (index - (len(schemes) - 1) / 2))


def draw_intervals(axes: Axes, rows: pandas.DataFrame, x: str, y: str, shift: float) -> None:
    """The 95 % intervals as bars, so many points to the right of their place."""
    low, high = (rows[end] for end in ends_of(y))
    place = ScaledTranslation(shift / 72, 0, axes.figure.dpi_scale_trans)
    color = scheme_color(rows.scheme.iloc[0])
    axes.vlines(rows[x], low, high, color=color, alpha=0.5, linewidth=1.2, transform=axes.transData + place)
    for end in low, high:
        axes.update_datalim(list(zip(rows[x], end)))
    axes.autoscale_view()


def draw_hollow(axes: Axes, rows: pandas.DataFrame, x: str, y: str) -> None:
    """Hollow markers over those of draw_schemes. The table has the rows of the markers."""
    for scheme, points in rows.groupby("scheme", sort=False):
        look = {"color": scheme_color(scheme), "marker": scheme_marker(scheme)}
        axes.plot(points[x], points[y], linestyle="", markerfacecolor="white", **look)


def powers_of_two(axes: Axes, values: Iterable[float], label: Callable[[float], str] = str) -> None:
    """A logarithmic axis with a tick at every value, named by label(value)."""
    ticks = sorted(set(values))
    axes.set_xscale("log", base=2)
    axes.set_xticks(ticks, [label(tick) for tick in ticks], fontsize="small")
    axes.minorticks_off() if len(ticks) > 8 else None


def decades(axes: Axes) -> None:
    """A logarithmic axis upwards, with plain numbers at 1, 2 and 5 times the powers of ten."""
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5), numticks=20))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def draw_law(axes: Axes, xs: Sequence[float], ys: Sequence[float], label: str, style: str = "--") -> None:
    """A published value, a bound or a law, in black."""
    axes.plot(xs, ys, f"k{style}", linewidth=1, label=label, zorder=1)


def draw_stages(
    axes: Axes, means: pandas.DataFrame, stages: Sequence[str], styles: Mapping[str, Any] | None = None
) -> None:
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


def small_names(axes: Axes) -> None:
    """Small names below the axis, as those of stages are long."""
    axes.tick_params(axis="x", labelsize="small")


def slant(axes: Axes) -> None:
    """Long names below the axis, which would cover each other."""
    for name in axes.get_xticklabels():
        name.set(rotation=30, ha="right")


def name_rows(axes: Axes, names: Sequence[str], size: str | None = None) -> None:
    """Names of rows, from above."""
    axes.set_yticks(range(len(names)), names, fontsize=size)
    axes.invert_yaxis()


def by_scheme(table: pandas.DataFrame) -> list[Group]:
    """The groups that draw_rows draws, if each is a scheme."""
    return [(rows, scheme_color(name), scheme_marker(name), name)
            for name, rows in table.groupby("scheme", sort=False)]


def draw_rows(
    axes: Axes,
    groups: Sequence[Group],
    names: Sequence[str],
    column: str,
    x: str,
    ends: tuple[str, str],
    height: float = 0.6,
    hollow: str | None = None,
) -> None:
    """A row a name, in which groups stand one below the other: rows of a table, their color, marker and label. column:
    the one that has the names; x, ends, hollow: those of values, of the ends of their intervals, and of hollow markers."""
    for place, (rows, color, marker, label) in enumerate(groups):
        ys = rows[column].map(names.index) + height * (place / max(len(groups) - 1, 1) - 0.5)
        low, high = rows[ends[0]], rows[ends[1]]
        known = low.notna() & high.notna()  # one run has no interval
        axes.hlines(ys[known], low[known], high[known], color=color, alpha=0.4, linewidth=3)
        look = {"color": color, "marker": marker, "markersize": 6, "linestyle": ""}
        if hollow:
            axes.plot(rows[hollow], ys, **look, markerfacecolor="white")
        axes.plot(rows[x], ys, label=label, **look)


def draw_bars(axes: Axes, means: pandas.DataFrame, y: str) -> None:
    """A bar a scheme, with its 95 % interval, from the bound, linear up to 1 % and logarithmic
    from there; a diamond where the table has a reference_percent."""
    schemes = list(means.scheme)
    places = numpy.arange(len(schemes))[::-1]
    axes.barh(places, means[y], height=0.62, color=[scheme_color(name) for name in schemes])
    for place, row in zip(places, means.itertuples()):
        low, high = (getattr(row, end, math.nan) for end in ends_of(y))
        axes.plot([low, high], [place, place], color="black", linewidth=1, marker="|")
        text = f"  {getattr(row, y):.3g}"
        if row.completed < row.runs:
            text = f"  {row.completed} of {row.runs} runs complete"
        right = numpy.nanmax([0, getattr(row, y), high, getattr(row, "reference_percent", 0)])
        axes.text(right, place, text, va="center", fontsize="small", bbox=OVER_LINES)
    if "reference_percent" in means:
        draw_reference(axes, means.reference_percent, places)
    axes.set_yticks(places, schemes)
    axes.set_ylim(-0.6, len(schemes) - 0.4)
    axes.grid(axis="y", visible=False)
    axes.set_xscale("symlog", linthresh=1, linscale=0.5)
    axes.set_xlim(left=0, right=3 * axes.get_xlim()[1])


def draw_reference(
    axes: Axes, xs: Iterable[float], ys: Iterable[float], marker: str = "D", label: str | None = "reference model"
) -> None:
    """Values of the reference model, where there are any."""
    known = [(x, y) for x, y in zip(xs, ys) if not (numpy.isnan(x) or numpy.isnan(y))]
    if known:
        axes.plot(
            *zip(*known), f"k{marker}", markersize=5, fillstyle="none", label=label, zorder=3
        )


def draw_published(axes: Axes, line: str, percents: pandas.Series) -> None:
    """The mean of the published form of the bound over the strict one, as an axvline or axhline."""
    if percents.notna().any():
        getattr(axes, line)(percents.mean(), color="black", linestyle="--", linewidth=1, label="its published form")


def draw_bound(axes: Axes) -> None:
    """The bound that draw_bars begins at."""
    axes.axvline(0, color="black", linewidth=1.5, clip_on=False, label="lower bound")


def draw_categories(axes: Axes, means: pandas.DataFrame, x: str, values: Sequence[str], y: str) -> None:
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
    axes.set_xticks(range(len(values)), values, rotation=45, fontsize="small")


def draw_pairs(axes: Axes, means: pandas.DataFrame, y: str, which: str, kinds: Sequence[str]) -> None:
    """A group of bars a scheme, one for each kind; all but the first are hatched. Diamonds and lines
    are the table's reference_percent, and what is claimed: claim_least to claim_most."""
    schemes = list(dict.fromkeys(means.scheme))
    height = 0.8 / len(kinds)
    for index, kind in enumerate(kinds):
        rows = means[means[which] == kind].set_index("scheme").reindex(schemes)
        places = numpy.arange(len(schemes))[::-1] + 0.4 - height * (index + 0.5)
        hatch = "////" if index else None
        colors = [scheme_color(name) for name in schemes]
        axes.barh(places, rows[y], height=height, color=colors, hatch=hatch, edgecolor="white")
        for place, row in zip(places, rows.itertuples()):
            value = getattr(row, y)
            text = f"  {value:.3g}"
            if row.completed < row.runs:
                text = f"  {row.completed:.0f} of {row.runs:.0f} runs complete"
            right = numpy.nanmax([0, value, row.claim_most, row.reference_percent])
            axes.text(right, place, text, va="center", fontsize="small")
        axes.barh([0], [0], color="#B0B0B0", hatch=hatch, edgecolor="white", label=kind)
        draw_reference(axes, rows.reference_percent, places)
        for place, least, most in zip(places, rows.claim_least, rows.claim_most):
            axes.plot([least, most], [place, place], color="black", linewidth=2)
    axes.plot([], color="black", linewidth=2, label="as the study claims")
    axes.axvline(0, color="black", linewidth=1.5, clip_on=False, label="lower bound")
    axes.set_yticks(numpy.arange(len(schemes))[::-1], schemes)
    axes.grid(axis="y", visible=False)
    axes.set_xlim(left=0, right=1.18 * axes.get_xlim()[1])


def legend_above(axes: Axes, columns: int) -> None:
    """A legend above a panel, beside its title; in a style with a narrow figure, below its title. columns: at most."""
    labels = axes.get_legend_handles_labels()[1]
    width = styled_width()
    if not labels or width is None:
        axes.legend(fontsize="small", ncols=columns, loc="lower right", bbox_to_anchor=(1, 1)) if labels else None
        return
    letter = FontProperties(size="small").get_size_in_points()
    room = LINE_OF_PANEL * width * 72 / (letter * (HANDLE + LETTER * max(map(len, labels))))
    columns = min(max(int(room), 1), columns)
    axes.legend(fontsize="small", ncols=columns, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.1, handlelength=1,
                columnspacing=1)
    rows = -(-len(labels) // columns)
    axes.set_title(axes.get_title("left"), pad=letter * (ROW_OF_LEGEND * rows + 1))


def legend(axes: Axes, others: Iterable[Axes] = ()) -> None:
    """One legend for several axes, at the right of the last."""
    entries: dict[str, Any] = {}
    for one in [*others, axes]:
        for handle, label in zip(*one.get_legend_handles_labels()):
            entries.setdefault(label, handle)
    axes.legend(
        entries.values(), entries.keys(), loc="upper left", bbox_to_anchor=(1.01, 1), fontsize="small"
    )
