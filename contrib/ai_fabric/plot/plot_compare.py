#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Plots that compare runs of ai-fabric-run: plot_compare.py DIR DIR... --out FOLDER writes
completion.png, queues.png and links.png there."""

from ai_fabric.common import program  # first: Ctrl-C from here on

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy
import pandas

from ai_fabric.common.command import in_one_line, script_name
from ai_fabric.runs.run_data import Run, describe, first_of
from ai_fabric.plot.charts import ends_of
from ai_fabric.plot.style import SCHEMES, Axes, Figure, matplotlib, plt, save, scheme_color, scheme_marker, styled_width


LINEAR = 1  # logarithmic axes are linear below this percentage, or this number of packets
LEGEND = 11.0  # heights of a letter: its width
POINTS = 72  # of an inch
MARKS = 12  # markers on a line
MOST_LINES = 10  # of a panel that can be told apart
FAMILIES = "ofan", "prime", "mrc", "host-random", "reps", "rr", "jsq", "te", "subflow", "ecmp"  # a scheme of each


def make_logarithmic(axes: Axes, which: str) -> None:
    """A logarithmic axis that has a zero. which: x or y."""
    axis = getattr(axes, f"{which}axis")
    getattr(axes, f"set_{which}scale")("symlog", linthresh=LINEAR, linscale=0.3)
    ticks = matplotlib.ticker.SymmetricalLogLocator(base=10, linthresh=LINEAR, subs=[1, 2, 5])
    axis.set_major_locator(ticks)
    axis.set_major_formatter("{x:g}")


def plot_completion(schemes: pandas.DataFrame, path: Path, caption: str) -> Path:
    """By how much each scheme exceeds the lower bound: the mean as a marker, its 95 % interval as a line, if the
    table has it. The table has scheme, cct_us and increase_percent, as means() has them. Without a bound (all
    increases are nan), the completion time itself."""
    has_bound = schemes.increase_percent.notna().all()
    column = "increase_percent" if has_bound else "cct_us"
    figure, axes = plt.subplots(figsize=(8, 0.3 * len(schemes) + 1.2))
    for place, row in enumerate(schemes.to_dict("records")):
        name, middle = row["scheme"], row[column]
        low, high = (row.get(end, math.nan) for end in ends_of(column))
        axes.plot([low, high], [place, place], color=scheme_color(name), linewidth=3, alpha=0.45)
        axes.plot(middle, place, scheme_marker(name), color=scheme_color(name),
                  markersize=1.4 * plt.rcParams["lines.markersize"])
        time = f"{row['cct_us']:.2f} us"
        text = f"{middle:+.1f} %  ({time})" if has_bound else time
        axes.text(1.01, place, text, va="center", fontsize="small", transform=axes.get_yaxis_transform())
    axes.set_yticks(range(len(schemes)), schemes.scheme)
    axes.set_ylim(len(schemes) - 0.4, -0.6)
    if has_bound:
        make_logarithmic(axes, "x")
        axes.set_xlim(left=min(0, schemes[column].min()))  # intervals of few runs may reach below the bound
        axes.axvline(0, color="black", linewidth=2, clip_on=False)
        bounds = sorted({f"{bound:.2f}" for bound in schemes.bound_us}, key=float)
        most = f" to {bounds[-1]}" if len(bounds) > 1 else ""  # headers of transports differ
        axes.set_title(f"Completion time over the lower bound of {bounds[0]}{most} us")
        axes.set_xlabel("percent over the lower bound (logarithmic from 1 %)")
    else:
        axes.set_xlim(left=0)
        axes.set_title("Completion time by scheme")
        axes.set_xlabel("completion time (us)")
    return save(figure, path, caption, schemes.scheme, vector=True)


def choose_lines(names: Sequence[str]) -> list[str]:
    """The schemes to draw of those that are compared, in the same order, if there are too many: those that are not the
    module's, then one of each family, then the first."""
    ours = [name for name in names if name not in SCHEMES]
    families = [name for name in names if name in FAMILIES]
    drawn = list(dict.fromkeys([*ours, *families, *names]))[:MOST_LINES]
    return [name for name in names if name in drawn]


def draw_run(
    axes: Axes, run: Run, number: int, count: int, x: numpy.ndarray, y: numpy.ndarray, **look: Any
) -> None:
    """A line of one of count runs, with markers at places of its own. The first run lies on top."""
    step = max(1, len(x) // MARKS)
    axes.plot(
        x,
        y,
        color=scheme_color(run.label),
        marker=scheme_marker(run.label),
        markersize=0.8 * plt.rcParams["lines.markersize"],
        markevery=(step * number // count, step),
        linewidth=1.2,
        label=run.label,
        zorder=2 + (count - number) / count,
        **look,
    )


def name_runs(figure: Figure, axes: Axes) -> None:
    """A legend at the right of all panels, in the order of the runs."""
    share = LEGEND * plt.rcParams["font.size"] / POINTS / (styled_width() or figure.get_figwidth())
    figure.get_layout_engine().set(rect=(0, 0, 1 - share, 1))
    handles, labels = axes.get_legend_handles_labels()
    place = {"loc": "upper left", "bbox_to_anchor": (1 - share, 0.96)}
    figure.legend(handles, labels, fontsize="small", **place).set_in_layout(False)


def plot_queues(runs: Sequence[Run], path: Path, caption: str) -> Path:
    """The queues of switch ports over time, a line a run."""
    figure, (mean, most) = plt.subplots(2, 1, figsize=(9, 6), sharex=True)
    queues = [run.queue_over_time() for run in runs]
    for number, (run, queue) in enumerate(zip(runs, queues)):
        for axes, column in ((mean, "mean"), (most, "max")):
            look = {"drawstyle": "steps-post"}
            draw_run(axes, run, number, len(runs), queue.index, queue[column], **look)
    mean.set_title("Mean queue of all switch ports")
    most.set_title("Fullest switch port")
    for axes in (mean, most):
        axes.set_ylabel("packets")
        make_logarithmic(axes, "y")
        axes.set_ylim(bottom=0)
    mean.set_xlim(left=first_of(min(queue.index.min() for queue in queues), mean.get_xlim()[1]))
    most.set_xlabel("simulated time (us)")
    name_runs(figure, mean)
    return save(figure, path, caption, [run.label for run in runs], vector=True)


def plot_links(runs: Sequence[Run], path: Path, caption: str) -> Path:
    """The load of links by layer, sorted, a line a run."""
    layers = runs[0].choice_layers()
    columns = min(2, len(layers))
    rows = -(-len(layers) // columns)
    figure, grid = plt.subplots(
        rows, columns, figsize=(9, 2.7 * rows + 0.6), sharex=True, sharey=True, squeeze=False
    )
    for layer, axes in zip(layers, grid.flat):
        for number, run in enumerate(runs):
            load = run.link_load(layer)
            draw_run(axes, run, number, len(runs), numpy.linspace(0, 100, len(load)), load)
        axes.axhline(1, color="black", linestyle="--", linewidth=1)
        axes.set_title(layer)
    axes.set_xlim(0, 100)
    axes.set_ylim(bottom=0)  # which all panels share: only when all of them are drawn
    name_runs(figure, axes)
    figure.supylabel("bytes, as a multiple of what a NIC has to send", fontsize="small")
    for axes in grid[-1]:
        axes.set_xlabel("links, the busiest first (%)")
    return save(figure, path, caption, [run.label for run in runs], vector=True)


def table_of(runs: Sequence[Run]) -> pandas.DataFrame:
    """What plot_completion takes, of one run a scheme."""
    results = pandas.DataFrame([run.results for run in runs])
    table = pandas.DataFrame({"scheme": [run.label for run in runs]})
    table["cct_us"], table["bound_us"] = results.cct_ns / 1e3, results.bound_ns / 1e3
    table["increase_percent"] = results.increase_percent
    return table


def main() -> None:
    parser = program.Parser(script_name(), description=__doc__, allow_abbrev=False)
    parser.add_argument("folders", type=Path, nargs="+", help="folders with results of runs")
    parser.add_argument("--out", type=Path, default=Path("."), help="folder for the plots (.)")
    options = parser.parse_args()
    runs = [Run(folder) for folder in options.folders]
    caption = describe(runs[0].scenario)
    options.out.mkdir(parents=True, exist_ok=True)
    print(plot_completion(table_of(runs), options.out / "completion.png", caption))
    print(plot_queues(runs, options.out / "queues.png", caption))
    print(plot_links(runs, options.out / "links.png", caption))


if __name__ == "__main__":
    in_one_line(main)
