#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The load of every link of a run as heat maps, a panel a layer: ./fabric plot links FOLDER writes
link-load.png."""

from ai_fabric.common import program  # first: Ctrl-C from here on

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy
import pandas

from ai_fabric.common.command import Parser, in_one_line
from ai_fabric.runs.run_data import HOST_LAYER, Run
from ai_fabric.plot.style import Axes, matplotlib, plt, save, styled_width

from matplotlib.image import AxesImage

VALUES = {  # what colors can say
    "layer": "bytes sent, as a multiple of the mean of the layer",
    "switch": "bytes sent, as a multiple of the mean of the row",
    "utilization": "utilization",
}
CUT, DEAD = "cut for a time", "dead at the end"
MARKERS = {CUT: "o", DEAD: "X"}
MOST_NAMES = 40  # of switches at an axis


# --- What is drawn --------------------------------------------------------------------------------


class Tier:
    """The cables between two tiers of the fabric, as heat maps of both directions. A row is the
    switch at the lower end, and the columns are its ports that lead up; of the cables of hosts, a row
    is their switch, and the columns are its ports that lead down."""

    def __init__(self, links: pandas.DataFrame, up: str, down: str) -> None:
        self.up, self.down = up, down
        sender = down if up == HOST_LAYER else up
        ends = links[links.layer == sender].set_index("link")["from"].str.rpartition(":")
        self.names = list(ends[0].unique())
        self.rows = ends[0].map({name: row for row, name in enumerate(self.names)})
        ports = ends[2].astype(int)
        self.columns = ports.groupby(self.rows).rank(method="first").astype(int) - 1

    def cells(self, links: pandas.DataFrame, layer: str, value: str) -> numpy.ndarray:
        """What the colors of a direction say; nan where there is no port, or the mean is 0."""
        links = links[links.layer == layer]
        cells = numpy.full((len(self.names), self.columns.max() + 1), numpy.nan)
        at = self.rows[links.link], self.columns[links.link]
        cells[at] = links.utilization if value == "utilization" else links.bytes_sent
        if value == "utilization":
            return cells
        mean = numpy.nanmean(cells, axis=1 if value == "switch" else None, keepdims=True)
        return cells / numpy.where(mean > 0, mean, numpy.nan)


def tiers_of(run: Run, links: pandas.DataFrame) -> list[Tier]:
    """The tiers, from the hosts on; of a pair of layers, up is the first on a frame's way."""
    order = {layer: place for place, layer in enumerate(run.layers)}
    places = links.layer.map(order).groupby(links.link)
    pairs = sorted(set(zip(places.min(), places.max())))
    layers = list(order)
    return [Tier(links, layers[up], layers[down]) for up, down in pairs]


def marks_of(run: Run) -> pandas.Series:
    """The links that were cut, by name: CUT or DEAD."""
    events = run.table("events", "event", "subject")
    cuts = events[events.event.isin(["link_down", "link_up"])]
    return cuts.groupby("subject").event.last().map({"link_down": DEAD, "link_up": CUT})


# --- Drawing --------------------------------------------------------------------------------------


def scale_of(value: str, maps: Iterable[numpy.ndarray]) -> dict[str, Any]:
    """Colors: blue below the mean, white at it, red above; or brighter where links are busier."""
    if value == "utilization":
        return {"cmap": "viridis", "norm": plt.Normalize(0, 1)}
    most = max([2, *(cells[~numpy.isnan(cells)].max(initial=0) for cells in maps)])
    return {"cmap": "RdBu_r", "norm": matplotlib.colors.TwoSlopeNorm(1, 0, most)}


def draw_marks(axes: Axes, tier: Tier, marks: pandas.Series) -> None:
    """Marks on links that were cut."""
    for kind, marker in MARKERS.items():
        links = tier.rows.index.intersection(marks.index[marks == kind])
        look = {"s": 36, "facecolors": "white", "edgecolors": "black", "linewidths": 0.9}
        axes.scatter(tier.columns[links], tier.rows[links], marker=marker, **look)


def explain_marks(axes: Axes, marks: pandas.Series) -> None:
    """A legend of the marks that there are."""
    for kind in marks.unique():
        look = {"facecolors": "white", "edgecolors": "black", "label": kind}
        axes.scatter([], [], marker=MARKERS[kind], **look)
    if len(marks):
        axes.legend(fontsize="small", loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.1)


def title_of(layer: str, cells: numpy.ndarray) -> str:
    """The layer, and the least and the most of its values."""
    if numpy.isnan(cells).all():
        return f"{layer}: nothing sent"
    return f"{layer}: {numpy.nanmin(cells):.2f} to {numpy.nanmax(cells):.2f}"


def draw_map(
    axes: Axes, tier: Tier, layer: str, cells: numpy.ndarray, marks: pandas.Series, scale: Mapping[str, Any]
) -> AxesImage:
    """The heat map of a direction of a tier."""
    image = axes.imshow(cells, aspect="auto", interpolation="nearest", **scale)
    axes.set_facecolor("#D8D8D8")
    axes.grid(visible=False)
    axes.set_title(title_of(layer, cells), fontsize="medium" if styled_width() is None else "small")
    axes.set_xlabel("host" if tier.up == HOST_LAYER else "uplink", fontsize="small")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_yticks([])
    draw_marks(axes, tier, marks)
    return image


def label_rows(axes: Axes, names: Sequence[str]) -> None:
    places = range(0, len(names), -(-len(names) // MOST_NAMES))
    axes.set_yticks(places, [names[place] for place in places], fontsize="x-small")


def plot_link_load(run: Run, path: Path, value: str = "layer") -> Path:
    """Draws the load of links; value: one of VALUES."""
    links = run.table("links", "link", "from", "layer", "bytes_sent", "utilization")
    marks = marks_of(run)
    tiers = tiers_of(run, links)
    maps = [
        [tier.cells(links, layer, value) for layer in (tier.up, tier.down)] for tier in tiers
    ]
    scale = scale_of(value, [cells for pair in maps for cells in pair])
    heights = [min(max(0.13 * len(tier.names), 1.1), 5) + 0.5 for tier in tiers]
    figure, grid = plt.subplots(
        len(tiers),
        2,
        figsize=(9, sum(heights) + 0.9),
        squeeze=False,
        gridspec_kw={"height_ratios": heights},
    )
    for tier, pair, row in zip(tiers, maps, grid):
        for axes, layer, cells in zip(row, (tier.up, tier.down), pair):
            image = draw_map(axes, tier, layer, cells, marks, scale)
        label_rows(row[0], tier.names)
    explain_marks(grid[0, 1], marks)
    figure.colorbar(image, ax=grid, label=VALUES[value], aspect=40, pad=0.01)
    return save(figure, path, run.caption)


def main() -> None:
    parser = Parser(__doc__)
    parser.add_argument(
        "--value", choices=VALUES, default="layer", help="what colors say (%(default)s)"
    )
    options = parser.parse_args()
    run = Run(options.folder)
    options.out.mkdir(parents=True, exist_ok=True)
    print(plot_link_load(run, options.out / "link-load.png", options.value))


if __name__ == "__main__":
    in_one_line(main)
