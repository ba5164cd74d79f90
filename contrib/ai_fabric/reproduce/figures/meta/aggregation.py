# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""E-ECMP over the aggregation layer of two zones of racks, 7:1: traffic between zones by queue pairs, beside a model"""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import pandas

from ai_fabric.plot.charts import draw_reference, draw_whiskers, ends_of
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.meta import LOSSLESS, draw_groups, queue_pairs
from ai_fabric.plot.style import color

if TYPE_CHECKING:
    from pathlib import Path

    from ai_fabric.common.aliases import Values
    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.meta import MetaStudy

LIMIT = 10  # percent between a load and the model's, or two standard errors of the draws, if that is more
LINKS = 2  # from a cluster switch to the aggregation layer
RACKS = 7 * LINKS  # of a zone, so that a cluster switch has seven times as many links down
DRAWS = 400  # of the model
BALANCERS = {"ecmp": [1], "one-port": [4, 16], "e-ecmp": [1, 4, 16, 32], "te": [1]}  # with queue pairs
COUNTS = BALANCERS["e-ecmp"]
UPLINKS = [2, 3, 4, 7]  # of a cluster switch, one of which is dead (R14)
DEAD_DRAWS = 6  # of the traffic: with 4 links the gain of one draw has a standard deviation of 10 %
AWARE = {"ECMP": "never", "W-ECMP": "0s"}  # when switches know of links that are not theirs
GAIN = 10, 30  # percent; published is about 20
PLACEMENTS = ["packed", "fragmented", "random"]
GPUS = 8


def shape(study: MetaStudy) -> tuple[int, int]:
    """NICs of a rack, and cluster switches of a zone: an eighth more."""
    return study.pick(full=(16, 18), quick=(8, 9))


def zones(study: MetaStudy, links: int = LINKS) -> Values:
    """Two zones, joined by an aggregation layer with so many links to each cluster switch."""
    nics, spines = shape(study)
    return {"topology": "three-tier", "pods": 2, "leavesPerPod": RACKS, "spinesPerPod": spines,
            "cores": links * spines, "hostsPerLeaf": nics, "rate": "400Gb/s", **LOSSLESS}


def crossings(study: MetaStudy, draws: int) -> dict[int, Values]:
    """By draw: each NIC sends a message to another one in the other zone, a random permutation."""
    half = RACKS * shape(study)[0]
    size = study.pick(full="1048576", quick="262144")
    found = {}
    for seed in range(1, draws + 1):
        draw = random.Random(seed)
        orders = [draw.sample(range(half), half) for _ in range(2)]
        flows = [(0, host, half + to, size) for host, to in enumerate(orders[0])]
        flows += [(0, half + host, to, size) for host, to in enumerate(orders[1])]
        found[seed] = study.flows(f"crossing-{2 * half}-{seed}", flows)
    return found


def model(study: MetaStudy, count: int) -> tuple[float, float]:
    """The busiest link to the aggregation layer over an even share, if each queue pair draws one: mean, deviation."""
    nics, spines = shape(study)
    draw = random.Random(1)
    flows, links = RACKS * nics * count, LINKS * spines
    found = []
    for _ in range(DRAWS):
        loads = [0] * (2 * links)
        for first in (0, links):
            for _ in range(flows):
                loads[first + draw.randrange(links)] += 1
        found.append(max(loads) * links / flows)
    return pandas.Series(found).mean(), pandas.Series(found).std()


def over_share(folder: Path) -> float:
    """The busiest link to the aggregation layer over an even share."""
    links = pandas.read_csv(folder / "links.csv", usecols=["layer", "bytes_sent"])
    bytes_sent = links.bytes_sent[links.layer == "agg-up"]
    return bytes_sent.max() / bytes_sent.mean()


def run_crossing(study: MetaStudy) -> pandas.DataFrame:
    draws, cases = crossings(study, study.seeds), []
    for name, counts in BALANCERS.items():
        pairs = {count: queue_pairs(count) for count in counts}
        cases += study.sweep(zones(study), balancer={name: {"balancer": name}}, queue_pairs=pairs, draw=draws)
    columns = {"over": lambda runs: [over_share(folder) for folder in runs.folder], "time_us": "time_us",
               "least_us": lambda runs: runs.completion_bound_ns / 1000}
    return study.tabulate(cases, ["balancer", "queue_pairs"], columns, 1)


def judge_crossing(study: MetaStudy, table: pandas.DataFrame) -> None:
    rows = table.set_index(["balancer", "queue_pairs"])
    for count in COUNTS:
        (expected, deviation), ours = model(study, count), rows.over["e-ecmp", count]
        room = max(LIMIT / 100 * expected, 2 * deviation / math.sqrt(study.seeds))
        what = f"E-ECMP Q={count}: busiest aggregation link over its share, mean of {study.seeds}"
        study.note("2.3", what, f"{expected:.3g} +- {room:.2g}", ours, abs(ours - expected) <= room)
    gain = 100 * (rows.time_us["one-port", 16] / rows.time_us["e-ecmp", 16] - 1)
    study.note("R1", "between zones: gain of E-ECMP over ECMP, Q=16 (%)", "40 or more", gain)
    times = [rows.time_us[case] for case in [("te", 1), ("e-ecmp", 32), ("e-ecmp", 4), ("ecmp", 1)]]
    study.claim_ascending("between zones: TE < E-ECMP 32 < E-ECMP 4 < ECMP (us)", times)


def run_placements(study: MetaStudy) -> pandas.DataFrame:
    """One all-reduce over all nodes of both zones: 7:1, and with as many links to the aggregation layer as down."""
    options = {"gpusPerNode": study.pick(full=GPUS, quick=4), "workload": "all-reduce", "chunks": 1,
               "size": study.pick(full="64MiB", quick="4MiB"), "balancer": "e-ecmp", **queue_pairs(4)}
    places = {name: {"placement": name} for name in PLACEMENTS}
    layers = {"7:1": zones(study), "1:1": zones(study, RACKS)}
    cases = study.sweep(options, placement=places, aggregation=layers)
    return study.tabulate(cases, ["placement", "aggregation"], ["time_us"], 1)


def run_dead(study: MetaStudy) -> pandas.DataFrame:
    """A switch of the aggregation layer is dead: one cluster switch of each zone has lost an uplink. Its own switches
    know so; racks know it with W-ECMP, whose weights are the numbers of paths that are alive."""
    options = {"balancer": "e-ecmp", **queue_pairs(16), "fail": "core-0@0s", "detection": "0s"}
    aware = {name: {"convergence": when} for name, when in AWARE.items()}
    draws = crossings(study, study.pick(full=max(study.seeds, DEAD_DRAWS), quick=study.seeds))
    layers = {links: zones(study, links) for links in UPLINKS}
    return study.run(study.sweep(options, routing=aware, links=layers, draw=draws), 1)


def gains_of(runs: pandas.DataFrame) -> pandas.DataFrame:
    """By links: the gain of W-ECMP over ECMP in percent, its standard error, and the draws."""
    times = runs.pivot(index=["links", "draw"], columns="routing", values="time_us")
    gains = (100 * (times["ECMP"] / times["W-ECMP"] - 1)).groupby("links")
    return pandas.DataFrame({"gain": gains.mean(), "error": gains.sem(), "draws": gains.count()})


def judge_dead(study: MetaStudy, gains: pandas.DataFrame) -> None:
    texts = [f"{row.gain:.3g} +- {2 * row.error:.2g}" for row in gains.itertuples()]
    counts, draws = ", ".join(map(str, gains.index)), gains.draws.min()
    study.claim(f"R14: a dead path: gain of W-ECMP over ECMP with {counts} links (%), mean of {draws}, 20 published",
                f"{GAIN[0]} to {GAIN[1]} in some cell", ", ".join(texts), gains.gain.between(*GAIN).any())


def draw_crossing(axes: Axes, table: pandas.DataFrame, y: str) -> None:
    for index, (name, line) in enumerate(table.groupby("balancer", sort=False)):
        axes.plot(line.queue_pairs, line[y], color=color(index), marker="os^D"[index], markersize=5, label=name)
        draw_whiskers(axes, line.queue_pairs.to_numpy(), *(line[end] for end in ends_of(y)))
    axes.set_xscale("log", base=2)
    axes.set_xticks(COUNTS, COUNTS)
    axes.set_ylim(bottom=0)


def draw(study: MetaStudy, crossed: pandas.DataFrame, placed: pandas.DataFrame, lost: pandas.DataFrame) -> None:
    axis, us, between = "queue pairs of a connection", "completion time in us", "traffic between zones"
    expected = [model(study, count)[0] for count in COUNTS]
    shown = [
        Panel(between, axis, "busiest aggregation link over its share", (draw_crossing, crossed, "over"),
              (draw_reference, COUNTS, expected, "D", "model"), "legend"),
        Panel(between, axis, us, (draw_crossing, crossed, "time_us"), "legend"),
        Panel("all-reduce of both zones, E-ECMP with 4 queue pairs", "", us,
              (draw_groups, placed, "placement", "aggregation", "time_us"), "legend"),
        Panel(f"{between}, a dead aggregation switch", "links of a cluster switch to the aggregation layer", us,
              (draw_groups, lost, "links", "routing", "time_us"), "legend"),
    ]
    nics, spines = shape(study)
    caption = f"two zones of {RACKS} racks of {nics} NICs at 400 Gb/s, {spines} uplinks, 7:1, lossless"
    study.draw(shown, caption, rows=2, width=5.2)


def reproduce(study: MetaStudy) -> None:
    crossed, placed, lost = study.each(run_crossing, run_placements, run_dead)
    judge_crossing(study, crossed)
    gains = gains_of(lost)
    lost = study.means(lost, ["routing", "links"], ["time_us", "drops"])
    judge_dead(study, gains)
    times = placed.set_index(["placement", "aggregation"]).time_us
    for placement, expected in (("packed", "below 5"), ("random", "above 5")):
        slower = 100 * (times[placement, "7:1"] / times[placement, "1:1"] - 1)
        study.note("1.2", f"all-reduce of both zones, {placement}: time lost by 7:1 (%)", expected, slower)
    tables = {"crossing": crossed, "placements": placed, "dead": lost, "gains": gains.reset_index()}
    for name, table in tables.items():
        study.save(table, f"-{name}")
    study.save_rows()
    draw(study, crossed, placed, lost)
