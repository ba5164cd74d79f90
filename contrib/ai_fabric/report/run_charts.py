# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The charts of one run, from its tables."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy

from ai_fabric.report.chart import Chart, Line
from ai_fabric.plot.faults import faults_of
from ai_fabric.plot.link_series import busiest, longest
from ai_fabric.plot.messages import lanes_of
from ai_fabric.plot.palette import color
from ai_fabric.plot.plane_series import Series
from ai_fabric.common.quantity import parse
from ai_fabric.runs.run_data import HOST_LAYER, Run

NS_PER_US = 1e3
MOST_MESSAGES = 2_000_000  # that are read for a chart
QUANTILES = 400  # of a distribution
MOST_BARS = 400  # collectives that are drawn
UNITS = ("s", 1e6), ("ms", 1e3), ("us", 1.0)  # of time, in us
LEAST = 20  # of a unit that an axis has
MOST_NAMES = 8  # of bars that have a color each
NICS = {  # counters of NICs over time, and what they are called
    "retransmissions": "retransmissions",
    "np_ecn_marked_roce_packets": "marked packets",
    "np_cnp_sent": "CNPs sent",
    "rx_discards": "discarded frames",
    "out_of_sequence": "out of sequence",
}


def pairs(xs: Iterable[float], ys: Iterable[float]) -> list[tuple[float, float]]:
    return list(zip(map(float, xs), map(float, ys)))


def held(table: Any, column: str, scale: float = 1.0) -> list[tuple[float, float]]:
    """A series whose rows have what was until their time_ns, as one that has what is from a time on."""
    begins = (table.index.to_numpy()) / NS_PER_US
    values = table[column].to_numpy() * scale
    return pairs(begins[:-1], values[1:]) + pairs(begins[-1:], values[-1:]) if len(table) > 1 else []


def layer_color(run: Run, layer: str) -> str:
    """A layer has one color in all charts of a run, be the layer of the hosts among the lines or not."""
    return color(run.place_of(layer))


def queue_charts(run: Run) -> list[Chart]:
    samples = run.table("queues", "time_ns", "layer", "mean_queue_packets", "max_queue_packets")
    charts = []
    for column, title in ("max_queue_packets", "Fullest port of a layer"), ("mean_queue_packets", "Mean queue of a port"):
        lines = []
        for layer in run.switch_layers():
            rows = samples[samples.layer == layer]
            lines.append(Line(layer, pairs(rows.time_ns / NS_PER_US, rows[column]), layer_color(run, layer)))
        if any(line.points for line in lines):
            charts.append(Chart(title, "simulated time (us)", "packets", lines, is_time=True))
    return charts


def plane_charts(run: Run) -> list[Chart]:
    series = Series(run)
    lines = []
    for plane in series.planes:
        rates = series.rates(plane, run.scenario["hosts"])
        lines.append(Line(f"plane {plane}", pairs(series.edges_us, [*rates, rates[-1]]), color(plane)))
    known = parse(run.scenario["rate"] or "")
    rule = (float(known[0]) / 1e9, "line rate of a port") if known else None
    return [Chart("Rate by plane", "simulated time (us)", "Gb/s of a NIC, the mean over all", lines, is_time=True, rule=rule)]


def link_charts(run: Run) -> list[Chart]:
    series = run.table("link-series", "time_ns", "interval_ns", "layer", "utilization", "waiting_bytes")
    loads, queues = [], []
    peaks = longest(run) if run.has("queue-series") else None
    for layer in run.layers:
        rows = busiest(series, layer)
        loads.append(Line(layer, held(rows, "utilization", 100), layer_color(run, layer)))
        if peaks is not None:
            rows["waiting_bytes"] = peaks[peaks.layer == layer].set_index("time_ns").max_bytes
            rows["waiting_bytes"] = rows.waiting_bytes.fillna(0)
        if layer != HOST_LAYER:
            queues.append(Line(layer, held(rows, "waiting_bytes", 1e-3), layer_color(run, layer)))
    return [
        Chart("Busiest link of a layer", "simulated time (us)", "utilization (%)", loads, is_time=True, top=105),
        Chart("Longest queue of a layer", "simulated time (us)", "waiting (kB)", queues, is_time=True),
    ]


def hop_charts(run: Run) -> list[Chart]:
    table = run.table("hop-series", "time_ns", "interval_ns", "tier", "max_ns")
    lines = []
    for index, (tier, rows) in enumerate(table.groupby("tier")):
        most = rows.groupby("time_ns")[["max_ns"]].max()
        lines.append(Line(f"tier {tier}", held(most, "max_ns", 1 / NS_PER_US), color(index)))
    return [Chart("Longest time in a switch", "simulated time (us)", "us", lines, is_time=True)] if lines else []


def nic_charts(run: Run) -> list[Chart]:
    table = run.table("nic-series", "time_ns", "interval_ns", *NICS)
    sums = table.groupby("time_ns")[list(NICS)].sum()
    shown = [name for name in NICS if sums[name].any()]
    lines = [Line(NICS[name], held(sums, name), color(index)) for index, name in enumerate(shown)]
    if not lines:
        return []
    return [Chart("What NICs count", "simulated time (us)", "events an interval, of all NICs", lines, is_time=True)]


def message_charts(run: Run) -> list[Chart]:
    """Messages under way, and how long they took."""
    pieces = [piece.to_numpy() for piece in run.chunks("flows", ["start_ns", "completed_ns", "duration_ns"])]
    table = numpy.concatenate(pieces) if pieces else numpy.empty((0, 3))
    table = table[~numpy.isnan(table).any(axis=1)][:MOST_MESSAGES]
    if not len(table):
        return []
    starts, ends, durations = table.T / NS_PER_US
    times = numpy.concatenate([starts, ends])
    order = numpy.argsort(times, kind="stable")
    counts = numpy.cumsum(numpy.repeat([1, -1], len(table))[order])
    last = numpy.append(numpy.diff(times[order]) > 0, True)
    way = Line("messages", pairs(times[order][last], counts[last]), color(0))
    shares = numpy.linspace(0, 1, min(QUANTILES, len(durations)) + 1)[1:]
    found = numpy.quantile(durations, shares, method="inverted_cdf")
    line = Line("messages", [(float(found[0]), 0.0), *pairs(found, 100 * shares)], color(0))
    bound = (run.results["bound_ns"] or 0) / NS_PER_US
    marks = [(bound, "lower bound of all")] if bound and starts.max() < 10 * bound and starts.max() == starts.min() else []
    title = "Time that messages took"
    return [
        Chart("Messages under way", "simulated time (us)", "messages", [way], is_time=True),
        Chart(title, "from start to acknowledgement (us)", "messages that took at most so long (%)", [line], begin=0,
              end=max(float(durations.max()), *[x for x, _ in marks], 1e-9) * 1.02, top=105, marks=marks),
    ]


def load_charts(run: Run) -> list[Chart]:
    links = run.table("links", "layer", "utilization")
    lines = []
    for layer in run.layers:
        load = links[links.layer == layer].utilization.sort_values(ascending=False).to_numpy()
        places = numpy.linspace(0, 100, len(load) + 1)
        lines.append(Line(layer, pairs(places, [*(100 * load), 100 * load[-1]]), layer_color(run, layer)))
    return [Chart("Load over links", "links of a layer, the busiest first (%)", "utilization (%)", lines, begin=0, end=100)]


def collective_charts(run: Run) -> list[Chart]:
    """A bar a collective, over time."""
    table = run.collectives.head(MOST_BARS)
    begins, ends = table.start_ns.to_numpy() / NS_PER_US, table.end_ns.to_numpy() / NS_PER_US
    lanes = lanes_of(numpy.zeros(len(table), int), begins, ends)
    names = list(dict.fromkeys(table.name))
    lines = []
    for index, name in enumerate(names[:MOST_NAMES]):
        is_last = index == MOST_NAMES - 1 and len(names) > MOST_NAMES
        chosen = numpy.isin(table.name, names[index:] if is_last else [name])
        points = []
        for begin, end, lane in zip(begins[chosen], ends[chosen], lanes[chosen]):
            points += [(begin, -lane - 0.5), (end, -lane - 0.5), (end, numpy.nan)]
        lines.append(Line("others" if is_last else name, points, color(index)))
    note = f"The first {MOST_BARS} of {len(run.collectives)}." if len(run.collectives) > MOST_BARS else ""
    height = int(lanes.max()) + 1
    return [Chart("Collectives", "simulated time (us)", "", lines, note, is_time=True, begin=0, top=0, is_bars=True,
                  low=-float(height))]


MAKERS: dict[str, Callable[[Run], list[Chart]]] = {  # by the table that they need
    "collectives": collective_charts,
    "planes": plane_charts,
    "queues": queue_charts,
    "link-series": link_charts,
    "hop-series": hop_charts,
    "nic-series": nic_charts,
    "flows": message_charts,
    "links": load_charts,
}


def last_of(charts: list[Chart]) -> float | None:
    """When the last point of charts over time is."""
    return max((point[0] for chart in charts if chart.is_time for line in chart.lines for point in line.points), default=None)


def unit_of(end: float) -> tuple[str, float]:
    """The unit of an axis of time that ends at so many us, and how many us it has."""
    return next(((unit, scale) for unit, scale in UNITS if end >= LEAST * scale), UNITS[-1])


def rescale(chart: Chart, unit: str, scale: float) -> None:
    """Gives a chart another unit of time."""
    chart.unit, chart.x_label = unit, f"simulated time ({unit})"
    for line in chart.lines:
        line.points = [(x / scale, y) for x, y in line.points]
    chart.spans = [(begin / scale, end / scale, what) for begin, end, what in chart.spans]
    chart.begin, chart.end = (chart.begin or 0) / scale, None if chart.end is None else chart.end / scale


def charts_of(run: Run) -> list[Chart]:
    """All charts that the tables of a run give; those over time have one axis, and faults."""
    charts: list[Chart] = []
    for name, maker in MAKERS.items():
        if run.has(name) and (name != "collectives" or len(run.collectives)):
            charts += maker(run)
    spans = faults_of(run) if run.has("events") else []
    end = last_of(charts)
    begin = min((point[0] for chart in charts if chart.is_time for line in chart.lines for point in line.points), default=0)
    for chart in charts:
        if chart.is_time:
            chart.begin, chart.end = min(begin, 0) if begin < (end or 0) / 2 else begin, end
            chart.spans = [(start, stop, f"fault: {what}") for start, stop, what in spans]
            chart.explains = chart is next(one for one in charts if one.is_time)
            rescale(chart, *unit_of(end or 0))
    return charts
