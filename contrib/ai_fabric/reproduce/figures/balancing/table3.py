# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""How queues grow: at k = 4, 8 and 16, with acknowledgements, layer by layer (Table 3, Theorems 1 to 4)"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pandas

from ai_fabric.plot.charts import decades, draw_reference, draw_stages, small_names
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.balancing import SLOPES, THEORY, claim_slope, reference, room, slope
from ai_fabric.reproduce.papers.balancing.reference import LAYERS
from ai_fabric.reproduce.study import MTU, beside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ai_fabric.common.aliases import Values
    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.balancing import BalancingStudy

NORTH, SOUTH = LAYERS[:2], LAYERS[2:]
STICKY = ["simple-rr", "jsq"]  # Theorem 1: flows keep their uplinks
M = 1024  # of the mean queues of layers
LARGE = 16  # the k whose runs are long: few of them, and no m = 2048
FEW = 3


def settings(study: BalancingStudy) -> dict[str, tuple[Values, list[int]]]:
    """What the slopes are measured in: options and message sizes, by name."""
    sizes = study.pick(full=[64, 128, 256, 512, 1024, 2048], quick=[64, 128, 256])
    found = {f"k = {k}": ({"k": k, "acks": "bypass"}, sizes[:-1] if k == LARGE else sizes)
             for k in study.pick(full=[4, 8, LARGE], quick=[4])}
    return {**found, f"k = {study.k}, with acknowledgements": ({"k": study.k}, sizes + study.pick([4096], quick=[]))}


def seeds_of(study: BalancingStudy, k: int) -> int:
    """How many runs there are of each case."""
    return min(study.seeds, FEW) if k == LARGE else study.seeds


def run(setting: str, options: Values, sizes: Sequence[int], study: BalancingStudy) -> pandas.DataFrame:
    """The runs of a setting."""
    options_of = lambda case: {**options, "buffer": room(case.scheme)}
    cases = study.sweep(options_of, scheme=THEORY, m={m: {"size": m * MTU} for m in sizes}, setting=[setting])
    return study.run(cases, seeds_of(study, options["k"]))


def reproduce(study: BalancingStudy) -> None:
    tables = study.each(*(partial(run, name, *what) for name, what in settings(study).items()))
    table = pandas.concat(tables, ignore_index=True)
    table["max_queue"] = largest_queue(table)
    table = table.assign(**{layer: table[f"layers.{layer}.sending_queue_packets"] for layer in LAYERS})
    means = study.means(table, ["setting", "scheme", "m"], ["max_queue", *LAYERS])
    slopes = slopes_of(means)
    study.save(means)
    ends = {(scheme,): limits for scheme, limits in SLOPES.items()}
    study.save(beside(slopes, ["scheme"], ends, "expected_least", "expected_most"), "-slopes")
    layers = means[means.setting == f"k = {study.k}"]
    schemes = list(dict.fromkeys(slopes.scheme))
    shown = layers[layers.m == study.pick(M, layers.m.max())].reset_index()
    m = shown.m.max()
    known = [reference.LAYER_QUEUE.get(scheme, []) for scheme in shown.scheme] if m == M else []
    models = [(draw_reference, range(len(LAYERS)), values) for values in known]
    growth = Panel("Growth of the largest queue", "slope of log(largest queue) over log(m)", "",
                   (draw_slopes, slopes, schemes))
    queue = Panel(f"Mean queue of each layer, m = {m}", "", "q(m): data packets",
                  (draw_stages, shown, LAYERS), *models, decades, small_names)
    few = f"; k = {LARGE}: {seeds_of(study, LARGE)} runs" if not study.quick else ""
    scenario = f"permutation; mean queues without acknowledgements{few}"
    study.draw([growth, queue], scenario, width=5.2, height=0.36 * len(schemes) + 1.2)
    judge_slopes(study, slopes)
    judge_layers(study, layers)
    for row in means[(means.m == 4096) & with_acks(means)].itertuples():
        if row.scheme in reference.MAX_QUEUE_ACKS:
            claim = f"{row.scheme}: largest queue with acknowledgements, over the reference model"
            study.claim_ratio(claim, [row.max_queue / reference.MAX_QUEUE_ACKS[row.scheme]])


def with_acks(table: pandas.DataFrame) -> pandas.Series:
    """Which rows are of a fabric with acknowledgements."""
    return table.setting.str.contains("acknowledgements")


def largest_queue(table: pandas.DataFrame) -> pandas.Series:
    """In data packets, the one in transmission counted. A count of packets would have the acknowledgements."""
    return table.max_queue_packets.where(~with_acks(table), 1 + table.max_queue_data_packets)


def slopes_of(means: pandas.DataFrame) -> pandas.DataFrame:
    """The slope of the largest queue of each scheme in each setting."""
    groups = means.groupby(["setting", "scheme"], sort=False)[["m", "max_queue"]]
    return groups.apply(slope, "max_queue").rename("slope").reset_index()


def draw_slopes(axes: Axes, slopes: pandas.DataFrame, schemes: Sequence[str]) -> None:
    """A row a scheme, a marker a setting, and what is expected as a bar."""
    places = {scheme: -place for place, scheme in enumerate(schemes)}
    for scheme in [name for name in schemes if name in SLOPES]:
        low, high = SLOPES[scheme]
        axes.barh(places[scheme], high - low, left=low, height=0.62, color="#D8D8D8")
    axes.barh([0], [0], color="#D8D8D8", label="expected slope")
    for (setting, rows), marker in zip(slopes.groupby("setting", sort=False), "os^x"):
        axes.plot(rows.slope, rows.scheme.map(places), f"k{marker}", fillstyle="none", label=setting)
    axes.set_yticks(list(places.values()), schemes)
    axes.grid(axis="y", visible=False)
    axes.set_xlim(-0.2, 1.3)


def judge_slopes(study: BalancingStudy, slopes: pandas.DataFrame) -> None:
    """The same slopes at every k, and with acknowledgements."""
    acks = with_acks(slopes)
    for what, rows in (("without acknowledgements", slopes[~acks]), ("with them", slopes[acks])):
        for scheme, group in rows.groupby("scheme", sort=False):
            if scheme in SLOPES:
                where = ", ".join(group.setting.str.partition(",")[0])
                claim_slope(study, f"{scheme}: slope {what}, {where}", scheme, list(group.slope))


def judge_layers(study: BalancingStudy, layers: pandas.DataFrame) -> None:
    """Linear growth is southbound only; and the layers are as in the reference model."""
    for scheme, rows in layers.groupby("scheme", sort=False):
        if scheme in STICKY:
            north, south = (max(slope(rows, layer) for layer in some) for some in (NORTH, SOUTH))
            claim, least = f"{scheme}: queues grow southbound only, slopes north and south", SLOPES[scheme][0]
            grown = north < 0.1 and south > least
            study.claim(claim, f"below 0.1, above {least:g}", f"{north:.2f}, {south:.2f}", grown)
        if scheme in reference.LAYER_QUEUE and not study.quick:
            row = rows[rows.m == M].iloc[0]
            claim = f"{scheme}: mean queue of each layer, over the reference model"
            study.claim_ratio(claim, row[LAYERS] / reference.LAYER_QUEUE[scheme])
