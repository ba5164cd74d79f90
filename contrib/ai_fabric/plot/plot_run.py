#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Plots of one run of ai-fabric-run: ./fabric plot FOLDER writes queues.png (not of --fidelity=fluid),
links.png, flows.png, link-load.png; of a run with --planeSeries planes.png, with messages of several sizes slowdown.png
and slowdown.csv, and, of no more than a million messages, timeline.png."""

from ai_fabric.common import program  # first: Ctrl-C from here on

from collections.abc import Callable
from pathlib import Path

import numpy

from ai_fabric.common.command import Parser, in_one_line
from ai_fabric.common.safe_file import written_whole
from ai_fabric.plot.plot_links import plot_link_load
from ai_fabric.plot.plot_planes import plot_planes
from ai_fabric.plot.plot_timeline import plot_timeline
from ai_fabric.plot.slowdowns import SHARES, has_sizes, slowed, tabulate_slowdown
from ai_fabric.runs.run_data import Run, first_of
from ai_fabric.plot.style import color, plt, save

MOST_MESSAGES = 1_000_000  # of which a timeline is drawn unasked


def plot_queues(run: Run, path: Path) -> Path:
    """The queues over time, a line a layer."""
    samples = run.table("queues", "time_ns", "layer", "mean_queue_packets", "max_queue_packets")
    figure, (mean, most) = plt.subplots(2, 1, figsize=(8, 5.6), sharex=True)
    for layer in run.switch_layers():
        rows = samples[samples.layer == layer]
        for axes, column in ((mean, "mean_queue_packets"), (most, "max_queue_packets")):
            axes.step(
                rows.time_ns / 1e3, rows[column], where="post", color=color(run.place_of(layer)), label=layer
            )
    mean.set_title("Mean queue of a port")
    mean.set_ylabel("packets")
    mean.legend(ncols=5, loc="upper right", fontsize="small")
    mean.margins(y=0.18)
    most.set_title("Fullest port")
    most.set_ylabel("packets")
    most.set_xlabel("simulated time (us)")
    for axes in (mean, most):
        axes.set_ylim(bottom=0)
    mean.set_xlim(left=first_of(samples.time_ns.min() / 1e3, mean.get_xlim()[1]))
    return save(figure, path, run.caption)


def plot_links(run: Run, path: Path) -> Path:
    """The utilization of links, sorted, a line a layer."""
    links = run.table("links", "layer", "utilization")
    figure, axes = plt.subplots(figsize=(8, 4))
    for index, layer in enumerate(run.layers):
        load = links[links.layer == layer].utilization.sort_values(ascending=False).values
        axes.plot(numpy.linspace(0, 100, len(load)), 100 * load, color=color(index), label=layer)
    axes.set_title("Load over links")
    axes.set_xlabel("links of a layer, the busiest first (%)")
    axes.set_ylabel("utilization (%)")
    axes.set_ylim(bottom=0)
    axes.set_xlim(0, 100)
    axes.legend(fontsize="small", ncols=2)
    return save(figure, path, run.caption)


def plot_flows(run: Run, path: Path) -> Path:
    """How long messages took, as a distribution; with the bound of all where they start together."""
    table = run.table("flows", "start_ns", "duration_ns")
    durations = table.duration_ns.dropna().sort_values().values / 1e3
    share = 100 * numpy.arange(1, len(durations) + 1) / len(durations)
    figure, axes = plt.subplots(figsize=(8, 4))
    axes.step(durations, share, where="post", color=color(0), label="messages")
    bound = (run.results["bound_ns"] or 0) / 1e3
    if bound > 0 and table.start_ns.max() < 10 * bound:  # within 1 % of it
        axes.axvline(bound, color="black", linestyle="--", linewidth=1, label="lower bound of all")
    axes.set_title("Time that messages took")
    axes.set_xlabel("from start to acknowledgement (us)")
    axes.set_ylabel("messages (%)")
    axes.set_xlim(left=0)
    axes.set_ylim(0, 101)
    axes.legend(loc="upper left", fontsize="small")
    return save(figure, path, run.caption)


def plot_slowdown(run: Run, path: Path) -> Path:
    """The slowdown of messages by size; a table with the same name has its numbers."""
    flows = slowed(run)
    table = tabulate_slowdown(flows)
    with written_whole(path.with_suffix(".csv"), newline="") as file:
        table.to_csv(file, index=False, float_format="%.10g")
    figure, axes = plt.subplots(figsize=(8, 4))
    for index, label in enumerate(SHARES):
        axes.plot(table.bytes / 1024, table[f"slowdown_{label}"], marker="o", color=color(index), label=label)
    axes.set_title(f"Slowdown of {len(flows)} messages by size")
    axes.set_xlabel("size of a message (KiB)")
    axes.set_ylabel("time over that alone")
    for axis, scale in ((axes.xaxis, axes.set_xscale), (axes.yaxis, axes.set_yscale)):
        scale("log", base=2)
        axis.set_major_formatter("{x:g}")
    axes.set_ylim(bottom=1)
    axes.legend(fontsize="small")
    return save(figure, path, run.caption)


PLOTS: dict[Callable[[Run, Path], Path], str] = {
    plot_queues: "queues",
    plot_links: "links",
    plot_flows: "flows",
    plot_link_load: "link-load",
}


def main() -> None:
    options = Parser(__doc__).parse_args()
    run = Run(options.folder)
    options.out.mkdir(parents=True, exist_ok=True)
    for plot, name in PLOTS.items():
        if name == "queues" and run.is_fluid and not run.has(name):
            continue  # the fluid model has none
        print(plot(run, options.out / f"{name}.png"))
    if has_sizes(run):
        path = plot_slowdown(run, options.out / "slowdown.png")
        print(path, path.with_suffix(".csv"), sep="\n")
    if run.has("planes"):
        print(plot_planes(run, options.out / "planes.png"))
    if run.results["messages"] <= MOST_MESSAGES:
        print(plot_timeline(run, options.out / "timeline.png"))


if __name__ == "__main__":
    in_one_line(main)
