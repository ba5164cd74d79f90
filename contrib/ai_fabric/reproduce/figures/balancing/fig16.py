# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Flows that stay together on a link to their edge, over time (Fig. 16, Theorems 5 to 7)"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas

from ai_fabric.plot.charts import draw_law, draw_schemes, powers_of_two
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.balancing import UNLIMITED
from ai_fabric.reproduce.study import EQUAL_PACKETS, MTU

if TYPE_CHECKING:
    from pathlib import Path

    from ai_fabric.reproduce.papers.balancing import BalancingStudy

STICKY = ["simple-rr", "jsq"]
SCHEMES = [*STICKY, "rr", "rsq", "host-dr", "ofan"]
LAYER = "agg-down"


def reproduce(study: BalancingStudy) -> None:
    sizes = [2**step for step in range(study.pick(full=9, quick=6))]
    options = {"acks": "bypass", "buffer": UNLIMITED, **EQUAL_PACKETS}
    runs = study.run(study.sweep(options, scheme=SCHEMES, m={m: {"size": m * MTU} for m in sizes}))
    windows = windows_of(runs, study.k // 2)
    means = study.means(windows, ["scheme", "m"], ["pairs", "free"])
    means["full_edges"] = windows.groupby(["scheme", "m"], sort=False).full_edges.sum().to_list()
    study.save(means)
    h, sizes = study.k // 2, sorted(set(means.m))
    law = study.k**2 / 4 * (h - 1)
    x, ticks = "packets of a message, up to", (powers_of_two, sizes)
    level = lambda value, label, line: (draw_law, sizes, [value] * len(sizes), label, line)
    pairs = Panel("Pairs of flows that stay together", x, "pairs on one link to their edge",
                  (draw_schemes, means, "m", "pairs"), level(law, f"k²/4 (h - 1) = {law:.0f}", ":"),
                  level(expected_pairs(study.k), "expected for random links", "--"), ticks)
    free = Panel("Edges without a collision", x, "share of edges with h flows",
                 (draw_schemes, means[means.scheme.isin(STICKY)], "m", "free"),
                 level(no_collision(h), "h! / h^h", "-."), ("set_ylim", 0), ticks)
    study.draw([pairs, free], f"permutation, {study.network}, data packets only")
    judge(study, means)


def windows_of(table: pandas.DataFrame, h: int) -> pandas.DataFrame:
    """A row for each scheme, seed and window of packets. A run of m packets a message goes as one of
    2 m does until a flow ends, so what it has carried is what the first m packets of all flows have
    put on each link, and the difference of two runs is what those between have."""
    rows = []
    for (scheme, seed), runs in table.groupby(["scheme", "seed"], sort=False):
        before, first = 0, 0
        for run in runs.sort_values("m").itertuples():
            carried = packets_on(run.folder)
            flows = (carried - before) / (run.m - first)
            free, edges = free_edges(flows, incoming(run.folder, h), h)
            pairs = float((flows * (flows - 1) / 2).clip(lower=0).sum())
            rows.append((scheme, seed, run.m, pairs, free, edges, True))
            before, first = carried, run.m
    columns = ["scheme", "seed", "m", "pairs", "free", "full_edges", "completed"]
    return pandas.DataFrame(rows, columns=columns)


def packets_on(folder: Path) -> pandas.Series:
    """Data packets that each link of the layer has carried, by the switch that receives and the link."""
    links = pandas.read_csv(folder / "links.csv")
    links = links[links.layer == LAYER]
    switches = links.to.str.partition(":")[0]
    return links.frames_delivered.groupby([switches, links.link]).sum().astype(float)


def incoming(folder: Path, h: int) -> pandas.Series:
    """How many flows come to each edge from others, in the order of the edges."""
    flows = pandas.read_csv(folder / "flows.csv")
    remote = flows[flows.source // h != flows.destination // h]
    count = (remote.destination // h).value_counts()
    return count.reindex(range(len(flows) // h), fill_value=0)


def free_edges(flows: pandas.Series, incoming: pandas.Series, h: int) -> tuple[float, int]:
    """Of the edges to which h flows come: the share in which each has a link for itself, and how many there are. An
    edge is called pod1-edge-2."""
    numbers = flows.index.levels[0].str.extract(r"pod(\d+)-edge-(\d+)").astype(int)
    most = flows.groupby(level=0).max()
    full = most[(incoming[numbers[0] * h + numbers[1]] == h).to_numpy()]
    return (float((full <= 1).mean()), len(full)) if len(full) else (math.nan, 0)


def expected_pairs(k: int) -> float:
    """Pairs of flows with one destination edge that are on one link, if each flow has one at random.
    Flows of one edge have different ones (Theorem 5), and local flows have none."""
    hosts, h = k**3 // 4, k // 2
    pairs = hosts * (h - 1) / 2
    apart = (hosts - h) / (hosts - 1) * (hosts - 2 * h) / (hosts - 2)
    return pairs * apart / h


def no_collision(h: int) -> float:
    """The probability that h flows have h different links, if each has one at random."""
    return math.factorial(h) / h**h


def judge(study: BalancingStudy, means: pandas.DataFrame) -> None:
    """The share of edges without a collision is within two standard errors of the formula."""
    law, chance = study.k**2 / 4 * (study.k // 2 - 1), no_collision(study.k // 2)
    for scheme, rows in means.groupby("scheme", sort=False):
        rows = rows.sort_values("m")
        begin, end = rows.iloc[0], rows.iloc[-1]
        if scheme in STICKY:
            least, expected = 0.85 * law, f"slightly below {law:g}: {0.85 * law:.3g} to {law:g}"
            claim = f"{scheme}: pairs on one link at the first packet"
            study.claim(claim, expected, float(begin.pairs), least <= begin.pairs <= law)
            study.claim_ratio(f"{scheme}: pairs at the last packets over those at the first", [end.pairs / begin.pairs])
            error = math.sqrt(chance * (1 - chance) / max(begin.full_edges, 1))
            claim = f"{scheme}: edges without a collision, percent"
            study.claim_near(claim, round(100 * chance, 1), 100 * begin.free, points=200 * error)
        else:
            claim = f"{scheme}: pairs that stay together at the last packets"
            study.claim(claim, f"below {0.1 * law:.2g}", float(end.pairs), end.pairs < 0.1 * law)
