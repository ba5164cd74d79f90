# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A two-level all-reduce of 128 nodes of 8 GPUs under the routing generations"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.plot.charts import slant
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.meta import LOSSLESS, draw_groups, fabric, places_in, policy, side_by_side
from ai_fabric.plot.style import color

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas

    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.meta import MetaStudy
    from ai_fabric.sweep.grid import Case

GPUS = 8  # of a node
NODE_GBPS = 3600  # of a GPU in its node
NICS = 2 * GPUS  # of a rack
SEEDS = 1  # of a collective of many steps, the slowest path of each step counts
GENERATIONS = ["ecmp", "path-pinning", "e-ecmp 4", "e-ecmp 16", "te", "flowlet"]
ORDER = ["te", "e-ecmp 16", "e-ecmp 4", "ecmp"]
PLACEMENTS = ["packed", "fragmented", "random"]
UPLINKS = [NICS, NICS + NICS // 8]
USUAL = "fragmented"  # every hop of a ring between nodes crosses uplinks
HASHED = "e-ecmp 16"  # beside which TE is published
SPREAD = 40, 90  # percent; published utilization of uplinks with E-ECMP
LEVEL = 80  # percent; published utilization of uplinks with TE
FASTER = 5, 10  # percent; published gain of TE over E-ECMP
SHARES = ["least", "p25", "mean", "p75", "most"]  # of uplink_utilization
BY = ["placement", "uplinks", "generation", "steering"]


def size_of(study: MetaStudy) -> tuple[int, int]:
    """Racks, and the size of the all-reduce in MiB."""
    return study.pick(full=(64, 256), quick=(4, 8))


def lines_of(study: MetaStudy, placement: str, uplinks: int) -> list[tuple[str, str]]:
    """Generations, each with its steering. The usual figure has one placement with as many uplinks as NICs. The whole
    one has with few uplinks all generations, and if fragmented also host-dr and E-ECMP with a message on each queue
    pair in turn; with more uplinks those that are ordered; if random those whose paths depend on slices."""
    if study.pick(full=False, quick=False, usual=True):
        return [(name, "split") for name in GENERATIONS] if (placement, uplinks) == (USUAL, NICS) else []
    if placement == "random":
        return [(name, "split") for name in ("path-pinning", "te") if uplinks == NICS]
    if uplinks > NICS:
        return [(name, "split") for name in ORDER]
    turns = [(f"e-ecmp {count}", "round-robin") for count in (4, 16, 32)] if placement == "fragmented" else []
    return [(name, "split") for name in (*GENERATIONS, "host-dr")] + turns


def make_cases(study: MetaStudy) -> list[Case]:
    racks, size = size_of(study)
    options = lambda case: {
        **fabric(racks, case.uplinks), **LOSSLESS, "acks": "bypass", "mtu": 9000, "gpusPerNode": GPUS,
        "placement": case.placement, "workload": "all-reduce", "size": f"{size}MiB",
        "chunks": 1,  # the two stages follow one another
        **policy(case.generation, case.steering),
    }
    return [case for placement in PLACEMENTS for uplinks in UPLINKS for line in lines_of(study, placement, uplinks)
            for case in study.sweep(options, **{name: [value] for name, value in zip(BY, (placement, uplinks, *line))})]


def judge(study: MetaStudy, table: pandas.DataFrame) -> None:
    racks, size = size_of(study)
    ranks, bits = racks * NICS, size * 2**23
    for row in table.itertuples():
        expected = 2 * (ranks - 1) / ranks * bits / row.time_us / 1000  # Gb/s
        if abs(row.busbw_gbps / expected - 1) > 0.001:
            study.claim(f"busbw of {row.generation}: as nccl-tests", f"{expected:.4g}", row.busbw_gbps, False)
    nodes = ranks // GPUS
    stages_us = 2 * (nodes - 1) / nodes * bits / GPUS / 400e3 + 2 * (GPUS - 1) / GPUS * bits / NODE_GBPS / 1e3
    ordered = table[(table.steering == "split") & (table.placement != "random")]
    judge_uplinks(study, ordered)
    for (placement, uplinks), rows in ordered.groupby(["placement", "uplinks"], sort=False):
        times = rows.set_index("generation").time_us
        where = f"two-level all-reduce, {placement}, U={uplinks}"
        study.claim_ascending(f"E1: {where}: TE < E-ECMP 16 < E-ECMP 4 < ECMP (us)", times[ORDER].tolist())
        what = f"{where}: TE over the times of NICs and nodes at their rates"
        study.note("2.4", what, "below 1.5", times["te"] / stages_us)
    times = table[table.steering == "split"].set_index(["generation", "placement", "uplinks"]).time_us.sort_index()
    for placement in [name for name in ("fragmented", "random") if ("te", name, NICS) in times]:
        lost = 100 * (1 - times["te", placement, NICS] / times["path-pinning", placement, NICS])
        what = f"path pinning, one job on all nodes, {placement}, U={NICS}: bandwidth lost to TE (%)"
        study.note("R2", what, "above 30", lost)


def judge_uplinks(study: MetaStudy, table: pandas.DataFrame) -> None:
    """R9: how evenly uplinks are used, and what that gains. The published values are remembered, not verified."""
    rows = table[(table.placement == USUAL) & (table.uplinks == NICS)].set_index("generation")
    engineered, hashed = rows.loc["te"], rows.loc[HASHED]
    study.note("R9", "TE: mean utilization of uplinks (%)", f"{LEVEL} +- 10", 100 * engineered.mean_used)
    even = engineered.least_used / engineered.most_used
    study.note("R9", "TE: utilization of uplinks, least over most", "above 0.95", even)
    spread, published = 100 * hashed.least_used / hashed.most_used, 100 * SPREAD[0] / SPREAD[1]
    what = f"{HASHED}: utilization of uplinks, least over most (%)"
    study.note("R9", what, f"{published:.0f} +- 15", spread, abs(spread - published) <= 15)
    # Published is the gain of an iteration, of which a part is no communication.
    gain = 100 * (hashed.time_us / engineered.time_us - 1)
    study.note("R9", f"gain of TE over {HASHED}, of the collective alone (%)", f"{FASTER[0]} or more", gain)


def draw_shares(axes: Axes, parts: Mapping[str, pandas.DataFrame]) -> None:
    """A box from p25 to p75 and a line from the least to the most used uplink, for each case."""
    places, width = places_in(parts["mean"])
    for index, label in enumerate(parts["mean"]):
        least, p25, mean, p75, most = (parts[name][label] for name in SHARES)
        axes.vlines(places[index], least, most, color=color(index), linewidth=1)
        axes.bar(places[index], p75 - p25, width * 0.8, p25, color=color(index), label=label)
        axes.plot(places[index], mean, "k_", markersize=8)
    axes.set_xticks(range(len(mean)), mean.index, fontsize="x-small")


def end(axes: Axes) -> None:
    axes.set_ylim(top=1.3 * axes.get_ylim()[1])
    axes.legend(ncols=2)


def reproduce(study: MetaStudy) -> None:
    columns = {"time_us": "time_us", "busbw_gbps": "collectives.mean_bus_bandwidth_gbps",
               **{f"{name}_used": f"uplink_utilization.{name}" for name in SHARES}}
    table = study.tabulate(make_cases(study), BY, columns)
    judge(study, table)
    study.save(table)
    names = [row.generation + ("" if row.steering == "split" else ", in turn") for row in table.itertuples()]
    table = table.assign(line=names, case=[f"{row.placement}, {row.uplinks} uplinks" for row in table.itertuples()])
    parts = {name: side_by_side(table, "line", "case", f"{name}_used") for name in SHARES}
    shown = [
        Panel("", "", "bus bandwidth as of nccl-tests in Gb/s",
              (draw_groups, table, "line", "case", "busbw_gbps", 7), slant, end),
        Panel("line: least to most; box: quartiles; black: mean", "", "utilization of uplinks",
              (draw_shares, parts), slant, end),
    ]
    racks, size = size_of(study)
    study.draw(shown, f"{racks} racks of two nodes of {GPUS} GPUs at 400 Gb/s, {size} MiB, lossless", width=6.5)
