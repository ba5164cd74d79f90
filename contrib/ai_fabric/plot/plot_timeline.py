#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The messages of a run over time, a row a host that sends, and the queues of switches beneath:
./fabric plot timeline FOLDER writes timeline.png."""

from ai_fabric.common import program  # first: Ctrl-C from here on

from collections.abc import Mapping
from pathlib import Path

import numpy
import pandas

from ai_fabric.plot.charts import OVER_LINES, legend_above
from ai_fabric.common.command import Parser, in_one_line, number_list, time_ns, whole_number
from ai_fabric.plot.messages import NONE, Choice, lanes_of, leaves_of, places_of, read_messages, under_way
from ai_fabric.runs.run_data import Run, first_of
from ai_fabric.plot.style import COLORS, Axes, Figure, color, matplotlib, plt, save, styled_width

WIDTH, DPI = 10, 130  # of the picture, in inches and pixels an inch
PLOT_PIXELS = 0.85 * WIDTH * DPI  # of these belong to the axis of time
MOST_BARS = 200_000
MOST_NAMES = 2.5  # height of the names of collectives, in inches
SCALE = {  # by what messages are colored, and what the scale of colors says
    "collective": "collective of the message",
    "step": "step of the receiver",
    "slice": "slice of the message",
    "leaf": "leaf that the message goes to",
}
WITHOUT = "#404040"  # the color of messages of no collective
CHARACTER = 6  # pixels
NARROW = 0.75  # of the pixels of a style's width: axes with names and a scale beside them


# --- What is drawn --------------------------------------------------------------------------------


def color_by_default(run: Run, choice: Choice) -> str:
    """What tells messages apart: their collective, the steps of the only one, or the leaf that a
    plain flow goes to."""
    if not len(run.collectives):
        return "leaf"
    return "collective" if choice.collective is None and len(run.collectives) > 1 else "step"


def span_of(run: Run, messages: pandas.DataFrame, choice: Choice) -> tuple[float, float]:
    """The time that is shown, in ns: the window; where that is open, all of the messages. It begins
    at 0, with the first message of the run if that starts late, or with that of a chosen
    collective."""
    begin, end = choice.begin_ns, choice.end_ns
    last = 0 if messages.empty else messages.completed_ns.max()
    if begin == -numpy.inf and (choice.collective is None or messages.empty):
        begin = first_of(run.first_start_ns, last if end == numpy.inf else end)
    elif begin == -numpy.inf:
        begin = messages.start_ns.min()
    if end == numpy.inf:
        end = max(begin, last)
    return begin, max(end, begin + 1)


def height_of(rows: int, lanes: int = 1) -> float:
    """The height of the part with the messages, in inches."""
    return min(max(0.17 * rows, 0.018 * rows * lanes, 2.2), 9)


class Timeline:
    """The messages that a picture shows, and where."""

    def __init__(self, run: Run, choice: Choice, by: str | None) -> None:
        self.run = run
        self.choice = choice
        self.by = by or color_by_default(run, choice)
        attribute = "destination" if self.by == "leaf" else self.by
        self.messages = read_messages(run, choice, attribute)
        self.places, self.hosts = places_of(self.messages, choice.hosts)
        self.span = span_of(run, self.messages, choice)
        self.lanes = self.find_lanes()

    @property
    def lane_count(self) -> int:
        return 1 if self.lanes is None else self.lanes.max() + 1

    def find_lanes(self) -> numpy.ndarray | None:
        """The lane of each bar in its row; None if bars would be too thin to be seen."""
        if not 0 < len(self.messages) <= MOST_BARS:
            return None
        begins, ends = self.messages.start_ns.to_numpy(), self.messages.received_ns.to_numpy()
        if numpy.median(ends - begins) * PLOT_PIXELS < self.span[1] - self.span[0]:
            return None
        lanes = lanes_of(self.places, begins, ends)
        bars = len(self.hosts) * (lanes.max() + 1)
        return lanes if bars <= 0.7 * DPI * height_of(bars) else None

    def groups(self) -> numpy.ndarray:
        """The number of each message's group, which its color stands for."""
        if self.by == "leaf":
            return self.messages.destination.map(leaves_of(self.run)).to_numpy()
        return self.messages[self.by].to_numpy()

    def name(self, group: int) -> str:
        """What a group is called in the legend."""
        if group == NONE:
            return f"no {self.by}"
        if self.by == "collective":
            return f"{group} {self.run.collectives.name[group]}"
        return f"to leaf {group}" if self.by == "leaf" else f"{self.by} {group}"

    def counts(self, columns: int) -> numpy.ndarray:
        """How many messages of each host are under way, the means over parts of the time."""
        begins, ends = self.messages.start_ns.to_numpy(), self.messages.received_ns.to_numpy()
        edges = numpy.linspace(*self.span, columns + 1)
        return under_way(self.places, begins, ends, len(self.hosts), edges)

    def collectives(self) -> pandas.DataFrame:
        """The collectives whose names stand over the messages: those of the time that is shown, if
        there are several."""
        table = self.run.collectives
        if self.choice.collective is not None or len(table) < 2:
            return table[:0]
        return table[(table.end_ns >= self.span[0]) & (table.start_ns <= self.span[1])]

    def samples(self) -> pandas.DataFrame:
        """The samples of the queues of switches, of the time that is shown and the ones before and
        after it."""
        if self.run.is_fluid and not self.run.has("queues"):
            return pandas.DataFrame()
        samples = self.run.table("queues", "time_ns", "layer", "max_queue_packets")
        samples = samples[samples.layer.isin(self.run.switch_layers())]
        times = samples.time_ns.unique()
        begin = times[times <= self.span[0]].max(initial=-numpy.inf)
        end = times[times >= self.span[1]].min(initial=numpy.inf)
        return samples[samples.time_ns.between(begin, end)]

    def bound_ns(self) -> float | None:
        """When all could be done at best."""
        if self.choice.collective is None:
            bound = self.run.results["bound_ns"]
            return bound and self.run.first_start_ns + bound
        row = self.run.collectives.loc[self.choice.collective]
        return row.start_ns + row.bound_ns

    def title(self) -> str:
        """What the picture shows."""
        thin = self.lanes is None and len(self.messages)
        what = "Messages under way" if thin else "Messages"
        if self.choice.collective is None:
            return what
        row = self.run.collectives.loc[self.choice.collective]
        time = (row.end_ns - row.start_ns) / 1e3
        return f"{what} of {self.choice.collective} {row['name']}, {time:.2f} us"


# --- Drawing --------------------------------------------------------------------------------------


def boxes(begins_ns: pandas.Series, ends_ns: pandas.Series, low: numpy.ndarray, height: float) -> numpy.ndarray:
    """The corners of bars."""
    corners = numpy.empty((len(low), 4, 2))
    corners[:, :2, 0] = begins_ns.to_numpy()[:, None] / 1e3
    corners[:, 2:, 0] = ends_ns.to_numpy()[:, None] / 1e3
    corners[:, [0, 3], 1] = low[:, None]
    corners[:, [1, 2], 1] = low[:, None] + height
    return corners


def draw_bars(figure: Figure, axes: Axes, line: Timeline, lanes: numpy.ndarray) -> None:
    """A bar a message, until it is received; lighter until it is acknowledged, where no other bar
    lies."""
    height = 0.88 / line.lane_count
    low = line.places + 0.06 + height * lanes
    messages, colors = line.messages, paint(figure, axes, line)
    bars = boxes(messages.start_ns, messages.received_ns, low, height)
    tails = boxes(messages.received_ns, messages.completed_ns, low, height)
    look = {"facecolors": colors, "linewidths": 0}
    axes.add_collection(matplotlib.collections.PolyCollection(tails, alpha=0.3, zorder=2, **look))
    axes.add_collection(matplotlib.collections.PolyCollection(bars, zorder=3, **look))


def paint(figure: Figure, axes: Axes, line: Timeline) -> numpy.ndarray:
    """The colors of the messages, and a legend or a scale that explains them."""
    groups = line.groups()
    known, index = numpy.unique(groups, return_inverse=True)
    if len(known) > len(COLORS):
        scale = plt.cm.ScalarMappable(plt.Normalize(0, known[-1]), "viridis")
        figure.colorbar(scale, ax=axes, pad=0.01, aspect=30, label=SCALE[line.by], ticks=matplotlib.ticker.MaxNLocator(integer=True))
        colors = scale.to_rgba(known)
        colors[known == NONE] = matplotlib.colors.to_rgba(WITHOUT)
    else:
        colors = numpy.array([WITHOUT if group == NONE else color(group) for group in known])
        for group, its in zip(known, colors):
            axes.barh(0, 0, color=its, label=line.name(group))
    return colors[index]


def draw_under_way(figure: Figure, axes: Axes, line: Timeline) -> None:
    """How many messages of each host are under way, as an image."""
    counts = line.counts(int(PLOT_PIXELS))
    begin, end = line.span
    image = axes.imshow(
        counts,
        extent=(begin / 1e3, end / 1e3, len(line.hosts), 0),
        aspect="auto",
        cmap="Blues",
        vmin=0,
        vmax=max(counts.max(), 1),
    )
    figure.colorbar(image, ax=axes, pad=0.01, aspect=30, label="messages under way")


def label_hosts(axes: Axes, hosts: numpy.ndarray) -> None:
    """The numbers of hosts, as many as there is room for."""
    places = numpy.arange(0, len(hosts), max(-(-len(hosts) // 32), 1))
    axes.set_yticks(places + 0.5, hosts[places], fontsize="small")
    axes.set_ylim(max(len(hosts), 1), 0)
    axes.set_ylabel("host that sends")
    axes.grid(axis="y", visible=False)


def draw_messages(figure: Figure, axes: Axes, line: Timeline) -> None:
    if line.lanes is not None:
        draw_bars(figure, axes, line, line.lanes)
    elif len(line.messages):
        draw_under_way(figure, axes, line)
    axes.set_xlim(line.span[0] / 1e3, line.span[1] / 1e3)
    label_hosts(axes, line.hosts)
    axes.set_title(line.title())
    legend_above(axes, 4)
    bound = line.bound_ns()
    if bound and line.span[0] < bound < line.span[1]:
        axes.axvline(bound / 1e3, color="black", linestyle="--", linewidth=1, zorder=4)
        text = {"rotation": 90, "fontsize": 7, "ha": "right", "va": "bottom", "bbox": OVER_LINES}
        place = axes.get_xaxis_transform()
        axes.text(bound / 1e3, 0.01, "lower bound", transform=place, zorder=5, **text)


def lanes_of_names(collectives: pandas.DataFrame) -> numpy.ndarray:
    begins, ends = collectives.start_ns.to_numpy(), collectives.end_ns.to_numpy()
    return lanes_of(numpy.zeros(len(begins), int), begins, ends)


def draw_names(axes: Axes, collectives: pandas.DataFrame) -> None:
    """A bar a collective, with its number and name where there is room."""
    lanes = lanes_of_names(collectives)
    begins, ends = collectives.start_ns / 1e3, collectives.end_ns / 1e3
    left, right = axes.get_xlim()
    axes.barh(lanes + 0.5, ends - begins, left=begins, height=0.84, color="#D8D8D8")
    axes.set_ylim(lanes.max() + 1, 0)
    axes.set_axis_off()
    begins, ends = numpy.maximum(begins, left), numpy.minimum(ends, right)
    width = styled_width()
    pixels = PLOT_PIXELS * (NARROW * width / WIDTH if width else 1)
    look = {"fontsize": 7, "ha": "center", "va": "center"}
    for lane, begin, end, (number, name) in zip(lanes, begins, ends, collectives.name.items()):
        room = (end - begin) / (right - left) * pixels / CHARACTER
        texts = [text for text in (f"{number} {name}", str(number)) if len(text) < room]
        axes.text((begin + end) / 2, lane + 0.53, texts[0], **look) if texts else None


def draw_queues(axes: Axes, run: Run, samples: pandas.DataFrame) -> None:
    """The fullest port of each layer of switches over time."""
    for layer in run.switch_layers():
        rows = samples[samples.layer == layer]
        look = {"where": "post", "color": color(run.place_of(layer)), "linewidth": 1.2, "label": layer}
        axes.step(rows.time_ns / 1e3, rows.max_queue_packets, **look)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("packets")
    axes.set_title("Fullest port of a layer")
    legend_above(axes, 5)


def make_axes(heights: Mapping[str, float]) -> tuple[Figure, dict[str, Axes]]:
    """A figure with axes of these heights in inches, one above the other, by their names."""
    figure, grid = plt.subplots(
        len(heights),
        1,
        figsize=(WIDTH, sum(heights.values()) + 0.9),
        dpi=DPI,
        sharex=True,
        squeeze=False,
        gridspec_kw={"height_ratios": list(heights.values())},
    )
    return figure, dict(zip(heights, grid.flat))


def plot_timeline(run: Run, path: Path, choice: Choice = Choice(), by: str | None = None) -> Path:
    """Draws the messages that are wanted; by: what their colors tell apart, one of SCALE."""
    choice.check(run)
    line = Timeline(run, choice, by)
    collectives, samples = line.collectives(), line.samples()
    heights = {}
    if len(collectives):
        heights["names"] = min(0.19 * (lanes_of_names(collectives).max() + 1), MOST_NAMES)
    heights["messages"] = height_of(len(line.hosts), line.lane_count)
    if len(samples):
        heights["queues"] = 1.7
    figure, axes = make_axes(heights)
    draw_messages(figure, axes["messages"], line)
    if "names" in axes:
        draw_names(axes["names"], collectives)
    if "queues" in axes:
        draw_queues(axes["queues"], run, samples)
    axes[list(heights)[-1]].set_xlabel("simulated time (us)")
    return save(figure, path, run.caption)


def main() -> None:
    parser = Parser(__doc__)
    parser.add_argument("--collective", type=whole_number, help="number of a collective (all)")
    parser.add_argument("--ranks", type=number_list, help="hosts that send, such as 0-15,32 (all)")
    parser.add_argument("--from", type=time_ns, dest="begin", default=-numpy.inf, help="as 5us")
    parser.add_argument("--to", type=time_ns, dest="end", default=numpy.inf, help="as 10us")
    parser.add_argument("--color", choices=SCALE, help="what colors of messages tell apart")
    options = parser.parse_args()
    choice = Choice(options.collective, options.ranks, options.begin, options.end)
    run = Run(options.folder)
    choice.check(run)
    options.out.mkdir(parents=True, exist_ok=True)
    print(plot_timeline(run, options.out / "timeline.png", choice, options.color))


if __name__ == "__main__":
    in_one_line(main)
