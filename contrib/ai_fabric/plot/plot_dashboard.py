#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The counters of a run on one page: the busiest link and the longest queue of each layer over time, counters of
NICs, and the ports that were paused most; how long frames stay in switches and the round trips between racks, if the
run has them (--hopLatency, --reachability). ./fabric plot dashboard FOLDER writes dashboard.png, from a run with
--linkSeries and --nicCounters."""

from ai_fabric.common import program  # first: Ctrl-C from here on

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy

from ai_fabric.plot.charts import legend
from ai_fabric.common.command import Parser, in_one_line
from ai_fabric.plot.link_series import busiest, edges, longest
from ai_fabric.runs.run_data import Run
from ai_fabric.plot.style import Axes, color, plt, save

MOST_ROWS = 12  # hosts, or ports, that have bars
LEAST_ROWS = 6  # for which there is room
COUNTERS = "out_of_sequence packet_seq_err local_ack_timeout_err np_cnp_sent rx_discards".split()
MOST_TICKS = 16  # names of racks or switches beside a panel
NEEDED = {"link-series": "--linkSeries=1us", "nic-counters": "--nicCounters"}


def draw_links(axes: Axes, queues: Axes, run: Run) -> None:
    """The use of each layer over time. Queues have their peaks if the run has them, else what waits at the ends of the
    intervals."""
    series = run.table("link-series", "time_ns", "interval_ns", "layer", "utilization", "waiting_bytes")
    peaks = longest(run) if run.has("queue-series") else None
    for index, layer in enumerate(run.layers):
        rows = busiest(series, layer)
        times = rows.index.to_numpy() / 1e3
        axes.step(times, 100 * rows.utilization, where="pre", color=color(index), label=layer)
        waiting = rows.waiting_bytes if peaks is None else peaks[peaks.layer == layer].set_index("time_ns").max_bytes
        waiting = waiting.reindex(rows.index, fill_value=0)
        queues.step(times, waiting / 1e3, where="pre", color=color(index), label=layer)
    axes.set_title("Busiest link of a layer")
    axes.set_ylabel("utilization (%)")
    axes.set_ylim(0, 105)
    queues.set_title("Longest queue of a layer")
    queues.set_ylabel("waiting (kB)")
    queues.set_ylim(bottom=0)
    for each in (axes, queues):
        each.set_xlabel("simulated time (us)")
    legend(queues, [axes])


def write_instead(axes: Axes, title: str, text: str) -> None:
    """A line of text, where there is nothing to draw."""
    axes.set_title(title)
    axes.text(0.5, 0.5, text, ha="center", va="center", transform=axes.transAxes)
    axes.set_axis_off()


def draw_bars(axes: Axes, names: Sequence[str], parts: Mapping[str, Sequence[float]], title: str, nothing: str) -> None:
    """Stacked bars, or a line of text if there are none."""
    if not names:
        write_instead(axes, title, nothing)
        return
    axes.set_title(title)
    left = numpy.zeros(len(names))
    for index, (label, values) in enumerate(parts.items()):
        axes.barh(names, values, left=left, color=color(index), label=label)
        left += numpy.array(values, dtype=float)
    axes.set_ylim(max(len(names), LEAST_ROWS) + 1, -0.5)  # room for the legend below the bars
    axes.legend(fontsize="x-small", loc="lower right", ncol=len(parts))


def draw_nics(axes: Axes, run: Run) -> None:
    """The counters of the NICs that have the largest ones."""
    table = run.table("nic-counters", "host", *COUNTERS)
    table = table.assign(all=table[COUNTERS].sum(axis=1)).query("all > 0").nlargest(MOST_ROWS, "all")
    parts = {name: table[name].tolist() for name in COUNTERS if table[name].any()}
    draw_bars(axes, [f"host-{host}" for host in table.host], parts, "NICs with errors or marks", "no NIC counted any")
    axes.set_xlabel("events")


def draw_pauses(axes: Axes, run: Run) -> None:
    """The ports that were paused for the longest time."""
    names, values = [], []
    if run.has("pfc"):
        table = run.table("pfc", "from", "pause_ns")
        sums = table.groupby("from").pause_ns.sum().nlargest(MOST_ROWS)
        sums = sums[sums > 0]
        names, values = sums.index.tolist(), (sums / 1e3).tolist()
    draw_bars(axes, names, {"paused": values}, "Ports that were paused", "no port was paused")
    axes.set_xlabel("paused (us)")


def thinned(names: Sequence[str]) -> list[str]:
    """As many names as there is room for, the others empty."""
    step = -(-len(names) // MOST_TICKS)
    return [name if index % step == 0 else "" for index, name in enumerate(names)]


def draw_hops(axes: Axes, run: Run, most: float | None = None) -> None:
    """How long frames stay in each switch: the least, the median, and 99 %. most: the longest of several runs, in us."""
    table = run.table("hop-latency", "switch", "frames", "min_ns", "p50_ns", "p99_ns")
    table = table[table.frames > 0]
    if table.empty:
        write_instead(axes, "Time of frames in switches", "no frame crossed a switch")
        return
    places = numpy.arange(len(table))
    axes.vlines(places, table.min_ns / 1e3, table.p99_ns / 1e3, color="#B0B0B0", linewidth=4, label="least to 99 %")
    axes.plot(places, table.p50_ns / 1e3, "_", color=color(0), markersize=10, markeredgewidth=2, label="median")
    axes.plot(places, table.min_ns / 1e3, "o", color=color(3), markersize=5, label="least")
    axes.set_title("Time of frames in switches")
    axes.set_ylabel("time (us)")
    if (table.min_ns > 0).all():
        axes.set_yscale("log")  # queues are long beside latencies
        axes.set_ylim(table.min_ns.min() / 2e3, 4 * (most or table.p99_ns.max() / 1e3))  # room for the legend
        axes.yaxis.set_major_formatter("{x:g}")
    else:
        top = most or table.p99_ns.max() / 1e3 or 1
        axes.set_ylim(-0.03 * top, 1.2 * top)
    axes.set_xticks(places, thinned(table["switch"].tolist()), rotation=90, fontsize="x-small")
    axes.legend(fontsize="x-small", loc="upper left", ncol=3)


def draw_hop_series(axes: Axes, run: Run) -> None:
    """The longest time of a frame in a switch of each tier over time."""
    table = run.table("hop-series", "time_ns", "interval_ns", "tier", "max_ns")
    if table.empty:
        write_instead(axes, "Longest time in a switch of a tier", "no frame crossed a switch")
        return
    for index, (tier, rows) in enumerate(table.groupby("tier")):
        most = rows.groupby("time_ns").max_ns.max().reindex(edges(table), fill_value=0)
        axes.step(most.index / 1e3, most / 1e3, where="pre", color=color(index), label=f"tier {tier}")
    axes.set_title("Longest time in a switch of a tier")
    axes.set_xlabel("simulated time (us)")
    axes.set_ylabel("time (us)")
    axes.set_ylim(0, 1.15 * axes.get_ylim()[1])  # room for the legend
    axes.legend(fontsize="x-small", loc="upper left", ncol=3)


def draw_round_trips(axes: Axes, run: Run, ends: tuple[float | None, float | None] = (None, None)) -> None:
    """The least round-trip time of probes between each two racks. ends: of the colors, in us."""
    table = run.table("reachability", "from_rack", "to_rack", "answered", "rtt_min_ns")
    times = table.assign(us=(table.rtt_min_ns / 1e3).where(table.answered > 0))
    grid = times.pivot(index="from_rack", columns="to_rack", values="us")
    racks = list(dict.fromkeys(table.from_rack))
    grid = grid.loc[racks, racks]
    image = axes.imshow(grid.to_numpy(), cmap="viridis", vmin=ends[0], vmax=ends[1], aspect="auto")
    axes.grid(False)
    axes.set_title("Least round trip between racks")
    axes.set_xticks(range(len(racks)), thinned(racks), rotation=90, fontsize="x-small")
    axes.set_yticks(range(len(racks)), thinned(racks), fontsize="x-small")
    axes.set_xlabel("to")
    axes.set_ylabel("from")
    axes.figure.colorbar(image, ax=axes, label="us")


def plot_dashboard(run: Run, path: Path) -> Path:
    """Draws the counters of a run."""
    tables: dict[str, Callable[[Axes, Run], None]] = {
        "hop-latency": draw_hops, "hop-series": draw_hop_series, "reachability": draw_round_trips,
    }  # fmt: skip
    more = [draw for name, draw in tables.items() if run.has(name)]
    rows = 2 + (len(more) + 1) // 2
    figure, grid = plt.subplots(rows, 2, figsize=(11, 3.7 * rows))
    (links, queues), (nics, pauses) = grid[:2]
    draw_links(links, queues, run)
    draw_nics(nics, run)
    draw_pauses(pauses, run)
    for axes, draw in zip(grid[2:].flat, [*more, None]):
        draw(axes, run) if draw else axes.set_axis_off()
    return save(figure, path, run.caption)


def main() -> None:
    options = Parser(__doc__).parse_args()
    run = Run(options.folder)
    for name, option in NEEDED.items():
        if not run.has(name):
            raise SystemExit(f"{options.folder}: no {name}.csv there; run with {option}")
    options.out.mkdir(parents=True, exist_ok=True)
    print(plot_dashboard(run, options.out / "dashboard.png"))


if __name__ == "__main__":
    in_one_line(main)
