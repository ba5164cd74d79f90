# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME's penalties: how much a mark and a loss should cost, with one spine at a quarter of its rate"""

import pandas

from charts import draw_law, draw_line, finish, legend, panels, powers_of_two
from grid import Case
from prime import NEAR, PrimeStudy, acked, prime
from prime_degraded import DEGRADED
from style import color

STUDY = PrimeStudy
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


def reproduce(study):
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
        {
            **study.fabric,
            **prime(PEcn=mark, PNack=ratio * mark, **rules),
            **DEGRADED,
            **acked(packets),
            "size": "1MiB",
        },
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
