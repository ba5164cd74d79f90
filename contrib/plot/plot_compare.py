#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Plots that compare runs of ai-fabric-run: plot_compare.py DIR DIR... --out FOLDER writes
completion.png, queues.png and links.png there."""

import argparse
from pathlib import Path

import numpy

from run_data import Run, describe
from style import plt, save, scheme_color


def plot_completion(names, times_us, bound_us, path, caption, ranges_us=None):
    """Completion time by scheme, with the lower bound; ranges_us: least and most of each."""
    figure, axes = plt.subplots(figsize=(8, 0.55 * len(names) + 1.6))
    places = numpy.arange(len(names))[::-1]
    colors = [scheme_color(name) for name in names]
    axes.barh(places, times_us, height=0.62, color=colors)
    if ranges_us:
        for place, (low, high) in zip(places, ranges_us):
            axes.plot([low, high], [place, place], color="black", linewidth=1, marker="|")
    axes.axvline(bound_us, color="black", linestyle="--", linewidth=1)
    axes.text(bound_us, 1.0, f" lower bound {bound_us:.2f} us", fontsize=8, va="bottom",
              transform=axes.get_xaxis_transform())
    right = [high for _, high in ranges_us] if ranges_us else times_us
    for place, time, end in zip(places, times_us, right):
        text = f"  {time:.2f} us  (+{100 * (time / bound_us - 1):.1f} %)"
        axes.text(end, place, text, va="center", fontsize=9)
    axes.set_yticks(places, names)
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, 1.35 * max(right))
    axes.set_xlabel("completion time (us)")
    axes.set_title("Completion time by scheme", pad=18)
    return save(figure, path, caption)


def plot_queues(runs, path, caption):
    """The queues of switch ports over time, a line a run."""
    figure, (mean, most) = plt.subplots(2, 1, figsize=(8, 5.6), sharex=True)
    for run in runs:
        queue = run.queue_over_time()
        for axes, column in ((mean, "mean"), (most, "max")):
            axes.step(
                queue.index,
                queue[column],
                where="post",
                color=scheme_color(run.label),
                label=run.label,
            )
    mean.set_title("Queue of a switch port, mean over all ports")
    most.set_title("Fullest switch port")
    for axes in (mean, most):
        axes.set_ylabel("packets")
        axes.set_ylim(bottom=0)
        axes.set_xlim(left=0)
    mean.legend(fontsize=9, loc="upper right")
    most.set_xlabel("simulated time (us)")
    return save(figure, path, caption)


def plot_links(runs, path, caption):
    """The load of links by layer, sorted, a line a run."""
    layers = runs[0].choice_layers()
    columns = min(2, len(layers))
    rows = -(-len(layers) // columns)
    figure, grid = plt.subplots(
        rows, columns, figsize=(8, 2.6 * rows + 0.6), sharex=True, sharey=True, squeeze=False
    )
    for layer, axes in zip(layers, grid.flat):
        for run in runs:
            load = run.link_load(layer)
            axes.plot(
                numpy.linspace(0, 100, len(load)),
                load,
                color=scheme_color(run.label),
                label=run.label,
            )
        axes.axhline(1, color="black", linestyle="--", linewidth=1)
        axes.set_title(layer)
        axes.set_xlim(0, 100)
        axes.set_ylim(bottom=0)
    grid.flat[0].legend(fontsize=8)
    figure.supylabel("bytes, as a multiple of what a NIC has to send", fontsize=9)
    for axes in grid[-1]:
        axes.set_xlabel("links, the busiest first (%)")
    return save(figure, path, caption)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="folders with results of runs")
    parser.add_argument("--out", type=Path, default=Path("."), help="folder for the plots (.)")
    options = parser.parse_args()
    runs = [Run(folder) for folder in options.folders]
    caption = describe(runs[0].scenario)
    options.out.mkdir(parents=True, exist_ok=True)
    times = [run.results["cct_ns"] / 1e3 for run in runs]
    bound = runs[0].results["bound_ns"] / 1e3
    names = [run.label for run in runs]
    print(plot_completion(names, times, bound, options.out / "completion.png", caption))
    print(plot_queues(runs, options.out / "queues.png", caption))
    print(plot_links(runs, options.out / "links.png", caption))


if __name__ == "__main__":
    main()
