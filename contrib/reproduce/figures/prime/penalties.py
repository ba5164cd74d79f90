# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME's penalties: how much a mark and a loss should cost, with one spine at a quarter of its rate"""

import pandas

from charts import draw_law, draw_line, finish, legend, panels, powers_of_two
from grid import Case
from papers.prime import DEGRADED, NEAR, acked, fabric, prime, slow_links
from style import color

MARKS = [1, 2, 4, 8, 16, 32, 64]  # penalty of a mark, in packets
RATIOS = [1, 4]  # penalty of a loss over that of a mark
ACKS = [1, 4]

ADDS = {"EcnAccumulates": "true", "NackOverwrites": "false"}  # a mark or a loss adds to a penalty above 0
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
USUAL = 8, 32
WHERE = ["healthy", "8 slow links"]
CORE_LINKS = 8  # of an aggregation switch


def reproduce(study):
    study.each(sweep, sweep_tiers)


def sweep(study):
    """Two tiers with a slow spine."""
    study.schemes(["prime"])
    marks = study.pick(full=MARKS, quick=[1, 4, 16])
    penalties = [(mark, ratio, "no") for mark in marks for ratio in RATIOS]
    penalties += study.pick(full=EXTRA, quick=EXTRA[1:2])
    runs = study.run([case_of(study, *one, packets) for one in penalties for packets in ACKS])
    runs["longest_us"] = runs.max_fct_ns / 1000
    labels = ["mark", "ratio", "adds", "packets_per_ack"]
    means = study.means(runs, labels, ["longest_us", "retransmissions"])
    keys = zip(means.mark, means.ratio, means.adds, means.packets_per_ack)
    means["reference_us"] = [REFERENCE.get(key[:3]) if key[3] == 1 else None for key in keys]
    study.save(means)
    draw(study, means)
    judge(study, means)


def case_of(study, mark, ratio, adds, packets):
    """A case. mark: the penalty of a mark; ratio: that of a loss over it; adds: whether penalties add up."""
    rules = ADDS if adds == "yes" else {}
    return Case(
        {"mark": mark, "ratio": ratio, "adds": adds, "packets_per_ack": packets},
        {**study.base, **prime(PEcn=mark, PNack=ratio * mark, **rules), **DEGRADED, **acked(packets), "size": "1MiB"},
    )


def draw(study, means):
    figure, (axes,) = panels(width=5.6)
    for index, ((ratio, packets), both) in enumerate(means.groupby(["ratio", "packets_per_ack"])):
        for adds, rows in both.groupby("adds"):
            label = f"a loss costs {ratio} x a mark, an ACK per {packets}" + (", adding up" if adds == "yes" else "")
            draw_line(axes, rows, "mark", "longest_us", color(index), "x" if adds == "yes" else "o", label)
    known = means.dropna(subset=["reference_us"])
    if not study.quick:
        draw_law(axes, known.mark, known.reference_us, "reference simulator", "D")
    powers_of_two(axes, sorted(set(means.mark)))
    axes.set_xlabel("penalty of a mark (packets)")
    axes.set_ylabel("longest flow (us)")
    legend(axes)
    finish(figure, study, f"permutation of 1 MiB, {study.hosts()} hosts, spine 0 at 25 %")


def judge(study, means):
    rows = means[(means.ratio == 4) & (means.adds == "no")]
    table = rows.pivot(index="mark", columns="packets_per_ack", values="longest_us")
    best = float(table[1].min())
    for mark in (8, 16):
        if mark in table.index:
            over = float(100 * (table[1][mark] / best - 1))
            study.claim(f"PEcn {mark}, PNack {4 * mark}: over the best penalties, percent", "5 or less", over, over <= 5)
    if not study.quick:
        known = means.dropna(subset=["reference_us"])
        study.claim_ratio("longest flow, ours over the reference simulator's",
                          pandas.to_numeric(known.longest_us / known.reference_us), *NEAR)
        weak, strong = float(table[1][1]), float(table[1][8])
        study.claim("weak penalties (1, 4) are slower than one round and four (8, 32), percent",
                    "10 or more", 100 * (weak / strong - 1), weak / strong >= 1.1)


def sweep_tiers(study):
    """Three tiers, healthy and with slow links from the cores."""
    cases = [
        tier_case_of(study, mark, loss, where, packets) for mark, loss in LARGE for where in WHERE for packets in ACKS
    ]
    runs = study.run(cases, seeds=1)  # each has 1024 hosts
    runs["longest_us"] = runs.max_fct_ns / 1000
    labels = ["mark", "loss", "where", "packets_per_ack"]
    means = study.means(runs, labels, ["longest_us", "retransmissions"])
    means["reference_us"] = [
        None if study.quick else LARGE[row.mark, row.loss][row.where][ACKS.index(row.packets_per_ack)]
        for row in means.itertuples()
    ]
    study.save(means, "-tiers")
    draw_tiers(study, means)
    judge_tiers(study, means)


def tier_case_of(study, mark, loss, where, packets):
    """A case. mark, loss: their penalties; where: which links are slow."""
    k = study.pick(full=16, quick=4)
    slow = {} if where == "healthy" else slow_links(study.pick(full=8, quick=1), study.pick(full=CORE_LINKS, quick=2))
    return Case(
        {"mark": mark, "loss": loss, "where": where, "packets_per_ack": packets},
        {**fabric(100, 14022.72, k=k), **prime(PEcn=mark, PNack=loss), **slow, **acked(packets), "size": 2000000},
    )


def draw_tiers(study, means):
    """A panel a fabric: the longest flow with each pair of penalties."""
    names = [f"{mark} / {loss}" for mark, loss in LARGE]
    figure, grid = panels(1, len(WHERE), width=4.4)
    for axes, where in zip(grid, WHERE):
        for index, packets in enumerate(ACKS):
            rows = means[(means["where"] == where) & (means.packets_per_ack == packets)]
            places = range(len(rows))
            label = "an ACK a packet" if packets == 1 else f"an ACK per {packets}"
            axes.fill_between(places, rows.longest_us_least, rows.longest_us_most, color=color(index), alpha=0.15)
            axes.plot(places, rows.longest_us, "os"[index] + "-", color=color(index), markersize=5, label=label)
            if not study.quick:
                axes.plot(places, rows.reference_us, "os"[index], markeredgecolor=color(index), markersize=8,
                          fillstyle="none", label=f"{label}, reference simulator")
        axes.set_title(where if where == "healthy" or not study.quick else "a slow link")
        axes.set_xticks(range(len(names)), names, rotation=45, fontsize=8)
        axes.set_xlabel("penalty of a mark / of a loss (packets)")
    grid[0].set_ylabel("longest flow (us)")
    legend(grid[-1], grid)
    finish(figure, study, f"permutation of 2 MB, {tier_hosts(study)} hosts in three tiers, 100 Gb/s", "-tiers", seeds=1)


def tier_hosts(study):
    return study.pick(full=16, quick=4) ** 3 // 4


def judge_tiers(study, means):
    if not study.quick:
        for where, rows in means.groupby("where", sort=False):
            study.claim_ratio(f"three tiers, {where}: longest flow, ours over the reference simulator's",
                              pandas.to_numeric(rows.longest_us / rows.reference_us), *NEAR)
    slow = means[means["where"] != "healthy"].set_index(["mark", "loss"]).groupby(level=[0, 1], sort=False).longest_us
    slow = slow.mean()
    best = slow.idxmin()
    over = float(100 * (slow[USUAL] / slow.min() - 1))
    study.claim(f"three tiers, slow links: PEcn 8, PNack 32 over the best penalties ({best[0]}, {best[1]}), percent",
                "2 or less", over, over <= 2)
    worst = float(100 * (slow[64, 256] / slow[0, 0] - 1))
    study.claim("three tiers, slow links: penalties of all paths (64, 256) are slower than none, percent",
                "above 0", worst)
