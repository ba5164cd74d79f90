# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME's penalties: how much a mark and a loss should cost, with one spine at a quarter of its rate"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from ai_fabric.plot.charts import draw_law, draw_line, powers_of_two
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.sweep.grid import Case
from ai_fabric.reproduce.papers.prime import DEGRADED, NEAR, acked, fabric, prime, slow_links
from ai_fabric.reproduce.study import beside
from ai_fabric.plot.style import color

if TYPE_CHECKING:
    import pandas

    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.prime import PrimeStudy

MARKS = [1, 2, 4, 8, 16, 32, 64]  # penalty of a mark, in packets
RATIOS = [1, 4]  # penalty of a loss over that of a mark
ACKS = [1, 4]

ADDS: dict[str, Any] = {"EcnAccumulates": "true", "NackOverwrites": "false"}  # a mark or a loss adds to a penalty above 0
EXTRA = [(8, 16, "no"), (4, 4, "yes"), (8, 4, "yes"), (8, 1, "yes")]  # mark, ratio, and whether penalties add up

# Longest flow in us, 1 MiB, an ACK a packet, mean of 2 seeds, in the reference simulator
REFERENCE = {
    **{(mark, 4, "no"): us for mark, us in zip(MARKS[1:], [45.6, 42.7, 36.0, 34.4, 34.7, 34.7])},
    **{(8, 1, "no"): 45.6, (16, 1, "no"): 43.6, (8, 16, "no"): 35.0},
    **{(4, 4, "yes"): 35.4, (8, 4, "yes"): 35.0, (8, 1, "yes"): 42.2},
}

# Three tiers of 1024 hosts, 100 Gb/s, 2 MB a flow, a part has 8 values: longest flow in us by the penalties of a mark
# and of a loss, in the reference simulator, healthy and with 8 slow links, by packets per acknowledgement
LARGE = {
    (0, 0): {"healthy": (186.0, 185.9), "8 slow links": (232.4, 234.7)},
    (1, 4): {"healthy": (186.8, 186.5), "8 slow links": (214.5, 216.2)},
    (1, 16): {"healthy": (186.8, 186.5), "8 slow links": (209.0, 207.8)},
    (2, 8): {"healthy": (186.4, 186.2), "8 slow links": (209.5, 208.9)},
    (4, 16): {"healthy": (186.9, 185.6), "8 slow links": (209.5, 208.0)},
    (8, 32): {"healthy": (186.6, 186.2), "8 slow links": (202.7, 201.5)},
    (8, 64): {"healthy": (186.6, 186.2), "8 slow links": (203.6, 202.4)},
    (16, 64): {"healthy": (186.7, 186.5), "8 slow links": (205.6, 205.5)},
    (64, 256): {"healthy": (208.4, 207.7), "8 slow links": (267.3, 262.9)},
    (128, 512): {"healthy": (293.8, 252.2), "8 slow links": (326.5, 342.4)},
}
TIERS = {(*pair, where, packets): us for pair, wheres in LARGE.items() for where, times in wheres.items()
         for packets, us in zip(ACKS, times)}
SLOW = "8 slow links"
CORE_LINKS = 8  # of an aggregation switch


def reproduce(study: PrimeStudy) -> None:
    study.each(sweep, sweep_tiers)


def cases_of(study: PrimeStudy) -> list[Case]:
    """Two tiers with a slow spine."""
    marks = study.pick(full=MARKS, quick=[1, 4, 16])
    penalties = [(mark, ratio, "no") for mark in marks for ratio in RATIOS]
    penalties += study.pick(full=EXTRA, quick=EXTRA[1:2])
    cases = []
    for mark, ratio, adds in penalties:
        options = prime(PEcn=mark, PNack=ratio * mark, **(ADDS if adds == "yes" else {}))
        labels = {"mark": [mark], "ratio": [ratio], "adds": [adds]}
        acks = {packets: acked(packets) for packets in ACKS}
        cases += study.sweep({**options, **DEGRADED, "size": "1MiB"}, **labels, packets_per_ack=acks)
    return cases


def sweep(study: PrimeStudy) -> None:
    study.schemes(["prime"])
    cases = cases_of(study)
    labels = [*cases[0].labels]
    means = study.tabulate(cases, labels, ["longest_us", "retransmissions"])
    means = beside(means, labels, {(*key, 1): us for key, us in REFERENCE.items()}, "reference_us")
    study.save(means)
    known = means.dropna(subset=["reference_us"])
    laws = [] if study.quick else [(draw_law, known.mark, known.reference_us, "reference simulator", "D")]
    panel = Panel("", "penalty of a mark (packets)", "longest flow (us)", (draw_penalties, means), *laws,
                  (powers_of_two, means.mark))
    study.draw([panel], f"permutation of 1 MiB, {study.hosts()} hosts, spine 0 at 25 %", width=5.6)
    judge(study, means)


def draw_penalties(axes: Axes, means: pandas.DataFrame) -> None:
    for index, ((ratio, packets), both) in enumerate(means.groupby(["ratio", "packets_per_ack"])):
        for adds, rows in both.groupby("adds"):
            label = f"a loss costs {ratio} x a mark, an ACK per {packets}" + (", adding up" if adds == "yes" else "")
            draw_line(axes, rows, "mark", "longest_us", color(index), "x" if adds == "yes" else "o", label)


def judge(study: PrimeStudy, means: pandas.DataFrame) -> None:
    rows = means[(means.ratio == 4) & (means.adds == "no")]
    table = rows.pivot(index="mark", columns="packets_per_ack", values="longest_us")
    for mark in (8, 16):
        if mark in table.index:
            over = 100 * (table[1][mark] / table[1].min() - 1)
            study.claim(f"PEcn {mark}, PNack {4 * mark}: over the best penalties, percent", "5 or less", over)
    if not study.quick:
        ratios = (means.longest_us / means.reference_us)[means.reference_us.notna()]
        study.claim_ratio("longest flow, ours over the reference simulator's", ratios, *NEAR)
        weak = table[1][1] / table[1][8]
        claim = "weak penalties (1, 4) are slower than one round and four (8, 32), percent"
        study.claim(claim, "10 or more", 100 * (weak - 1), weak >= 1.1)


def tier_cases_of(study: PrimeStudy) -> list[Case]:
    """Three tiers, healthy and with slow links from the cores."""
    k, count, links = study.pick(full=(16, 8, CORE_LINKS), quick=(4, 1, 2))
    options = {**fabric(100, 14022.72, k=k), "size": 2000000}
    faults: dict[str, dict] = {"healthy": {}, SLOW: slow_links(count, links)}
    return [Case({"mark": mark, "loss": loss, "where": where, "packets_per_ack": packets},
                 {**options, **prime(PEcn=mark, PNack=loss), **faults[where], **acked(packets)})
            for (mark, loss), where, packets in itertools.product(LARGE, faults, ACKS)]


def sweep_tiers(study: PrimeStudy) -> None:
    cases = tier_cases_of(study)
    labels = [*cases[0].labels]
    means = study.tabulate(cases, labels, ["longest_us", "retransmissions"], seeds=1)  # each has 1024 hosts
    means = beside(means, labels, {} if study.quick else TIERS, "reference_us")
    study.save(means, "-tiers")
    slow = "a slow link" if study.quick else SLOW
    shown = [Panel("healthy" if where == "healthy" else slow, "penalty of a mark / of a loss (packets)",
                   "longest flow (us)", (draw_tiers, rows, not study.quick))
             for where, rows in means.groupby("where", sort=False)]
    scenario = f"permutation of 2 MB, {study.pick(full=1024, quick=16)} hosts in three tiers, 100 Gb/s"
    study.draw(shown, scenario, "-tiers", width=4.4, seeds=1, outer=True)
    judge_tiers(study, means)


def draw_tiers(axes: Axes, means: pandas.DataFrame, with_reference: bool) -> None:
    """The longest flow with each pair of penalties."""
    for (packets, rows), marker, look in zip(means.groupby("packets_per_ack"), "os", (color(0), color(1))):
        places, label = range(len(rows)), "an ACK a packet" if packets == 1 else f"an ACK per {packets}"
        axes.fill_between(places, rows.longest_us_low95, rows.longest_us_high95, color=look, alpha=0.15)
        axes.plot(places, rows.longest_us, f"{marker}-", color=look, markersize=5, label=label)
        if with_reference:
            hollow = {"markeredgecolor": look, "markersize": 8, "fillstyle": "none"}
            axes.plot(places, rows.reference_us, marker, label=f"{label}, reference simulator", **hollow)
    axes.set_xticks(range(len(LARGE)), [f"{mark} / {loss}" for mark, loss in LARGE], rotation=45, fontsize="small")


def judge_tiers(study: PrimeStudy, means: pandas.DataFrame) -> None:
    if not study.quick:
        for where, rows in means.groupby("where", sort=False):
            claim = f"three tiers, {where}: longest flow, ours over the reference simulator's"
            study.claim_ratio(claim, rows.longest_us / rows.reference_us, *NEAR)
    slow = means[means["where"] != "healthy"].groupby(["mark", "loss"], sort=False).longest_us.mean()
    best = slow.idxmin()
    claim = f"three tiers, slow links: PEcn 8, PNack 32 over the best penalties ({best[0]}, {best[1]}), percent"
    study.claim(claim, "2 or less", 100 * (slow[8, 32] / slow.min() - 1))
    claim = "three tiers, slow links: penalties of all paths (64, 256) are slower than none, percent"
    study.claim(claim, "above 0", 100 * (slow[64, 256] / slow[0, 0] - 1))
