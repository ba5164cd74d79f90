#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The rate of each plane over time with the faults marked, and the states of entropy values
beneath: ./fabric plot planes FOLDER writes planes.png, from a run with --planeSeries."""

from ai_fabric.common import program  # first: Ctrl-C from here on

from collections.abc import Sequence
from pathlib import Path

import numpy

from ai_fabric.common.command import Parser, in_one_line
from ai_fabric.plot.faults import Fault, faults_of
from ai_fabric.plot.plane_series import STATES, Series
from ai_fabric.common.quantity import parse
from ai_fabric.runs.run_data import Run
from ai_fabric.plot.style import Axes, color, plt, save

WIDTH = 9.6  # of the picture, in inches
LEAST_SHARE = 5  # percent of entropy values that the height of a band stands for, at least
MOST_FAULTS = 12  # that have a line each in the legend
FAULT = "#CC79A7"


def draw_rates(axes: Axes, series: Series, run: Run) -> None:
    """A line a plane. Where lines coincide, the later ones are thinner, so that all are seen."""
    widths = numpy.linspace(1.2 + 0.55 * (len(series.planes) - 1), 1.2, len(series.planes))
    for plane, width in zip(series.planes, widths):
        rates = series.rates(plane, run.scenario["hosts"])
        look = {"color": color(plane), "linewidth": width, "label": f"plane {plane}"}
        axes.stairs(rates, series.edges_us, baseline=None, **look)
    line_rate = parse(run.scenario["rate"] or "")
    if line_rate:
        rate = float(line_rate[0]) / 1e9
        axes.axhline(rate, color="black", linestyle=":", linewidth=1, label="line rate of a port")
    axes.set_ylim(bottom=0)
    axes.set_ylabel("rate of a NIC (Gb/s)")
    axes.set_title("Rate by plane, the mean over all NICs")


def draw_faults(grid: Sequence[Axes], faults: Sequence[Fault], end_us: float) -> None:
    """A tinted span a fault in all parts, with a line at its begin; the first part explains it."""
    shown = set()
    for begin, end, what in faults:
        label = f"fault: {what}" if len(faults) <= MOST_FAULTS else f"{len(faults)} faults"
        for axes in grid:
            first = axes is grid[0] and label not in shown
            axes.axvspan(
                begin,
                min(end, end_us),
                color=FAULT,
                alpha=0.18,
                linewidth=0,
                zorder=0.5,
                label=label if first else None,
            )
            for time in (begin, end):
                if time < end_us:
                    axes.axvline(time, color=FAULT, linewidth=0.9, linestyle="--", zorder=0.6)
        shown.add(label)


def draw_bands(axes: Axes, series: Series) -> None:
    """A band a plane, the upper plane first: the shares of states other than good, stacked."""
    shares = {plane: series.shares(plane) for plane in series.planes}
    most = max(numpy.sum([*its.values()], axis=0).max(initial=0) for its in shares.values())
    height = min(max(LEAST_SHARE, 5 * numpy.ceil(most / 5)), 100)
    for row, plane in enumerate(series.planes):
        base = numpy.full(len(series.edges_us) - 1, row + 0.95)
        for state, (label, fill, hatch) in STATES.items():
            top = base - 0.9 * shares[plane][state] / height
            look = {"facecolor": fill, "edgecolor": "white" if hatch else fill, "hatch": hatch}
            look["label"] = label if row == 0 else None
            axes.stairs(top, series.edges_us, baseline=base, fill=True, linewidth=0, **look)
            base = top
        axes.axhline(row + 0.95, color="black", linewidth=0.6)
    axes.set_ylim(len(series.planes), 0)
    axes.set_yticks(numpy.array(series.planes) + 0.5, [f"plane {plane}" for plane in series.planes])
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    axes.set_title(f"Entropy values that are not good (height of a band: {height:g} % of the plane's)")


def explain(axes: Axes) -> None:
    axes.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0)


def plot_planes(run: Run, path: Path) -> Path:
    """Draws the planes of a run; those of a run without entropy values have no bands."""
    series = Series(run)
    heights = [3] + ([0.42 * len(series.planes) + 0.5] if series.has_evs else [])
    figure, grid = plt.subplots(
        len(heights),
        1,
        figsize=(WIDTH, sum(heights) + 0.9),
        sharex=True,
        squeeze=False,
        gridspec_kw={"height_ratios": heights},
    )
    parts = list(grid.flat)
    draw_rates(parts[0], series, run)
    draw_faults(parts, faults_of(run), series.edges_us[-1])
    if series.has_evs:
        draw_bands(parts[1], series)
    for axes in parts:
        explain(axes)
        axes.set_xlim(series.edges_us[0], series.edges_us[-1])
    parts[-1].set_xlabel("simulated time (us)")
    return save(figure, path, run.caption)


def main() -> None:
    options = Parser(__doc__).parse_args()
    run = Run(options.folder)
    if not run.has("planes"):
        raise SystemExit(f"{options.folder}: no planes.csv there; run with --planeSeries=5us")
    options.out.mkdir(parents=True, exist_ok=True)
    print(plot_planes(run, options.out / "planes.png"))


if __name__ == "__main__":
    in_one_line(main)
