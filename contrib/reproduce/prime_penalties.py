# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME's penalties: how much a mark and a loss should cost, with one spine at a quarter of its rate"""

import pandas

from charts import draw_law, draw_line, finish, legend, panels, powers_of_two
from grid import Case
from prime import PrimeStudy, acked, prime
from prime_degraded import DEGRADED
from style import color

STUDY = PrimeStudy
MARKS = [1, 2, 4, 8, 16, 32, 64]  # penalty of a mark, in packets
RATIOS = [1, 4]  # penalty of a loss over that of a mark
ACKS = [1, 4]

# Longest flow in us, 1 MiB, an ACK a packet, mean of 2 seeds, in the reference simulator
REFERENCE = {(2, 4): 45.6, (4, 4): 42.7, (8, 4): 36.0, (16, 4): 34.4, (32, 4): 34.7, (8, 1): 45.6, (16, 1): 43.6}


def reproduce(study):
    study.schemes(["prime"])
    marks = study.pick(full=MARKS, quick=[1, 4, 16])
    cases = [
        Case(
            {"mark": mark, "ratio": ratio, "packets_per_ack": packets},
            {
                **study.fabric,
                **prime(PEcn=mark, PNack=ratio * mark),
                **DEGRADED,
                **acked(packets),
                "size": "1MiB",
            },
        )
        for mark in marks
        for ratio in RATIOS
        for packets in ACKS
    ]
    runs = study.run(cases)
    runs["longest_us"] = runs.max_fct_ns / 1000
    means = study.means(runs, ["mark", "ratio", "packets_per_ack"], ["longest_us", "retransmissions"])
    keys = zip(means.mark, means.ratio, means.packets_per_ack)
    means["reference_us"] = [REFERENCE.get(key[:2]) if key[2] == 1 else None for key in keys]
    study.save(means)
    draw(study, means)
    judge(study, means)


def draw(study, means):
    figure, (axes,) = panels(width=5.6)
    for index, ((ratio, packets), rows) in enumerate(means.groupby(["ratio", "packets_per_ack"])):
        label = f"a loss costs {ratio} x a mark, an ACK per {packets}"
        draw_line(axes, rows, "mark", "longest_us", color(index), "o", label)
    known = means.dropna(subset=["reference_us"])
    if not study.quick:
        draw_law(axes, known.mark, known.reference_us, "reference simulator", "D")
    powers_of_two(axes, sorted(set(means.mark)))
    axes.set_xlabel("penalty of a mark (packets)")
    axes.set_ylabel("longest flow (us)")
    legend(axes)
    finish(figure, study, f"permutation of 1 MiB, {study.hosts()} hosts, spine 0 at 25 %")


def judge(study, means):
    table = means[means.ratio == 4].pivot(index="mark", columns="packets_per_ack", values="longest_us")
    best = float(table[1].min())
    for mark in (8, 16):
        if mark in table.index:
            over = float(100 * (table[1][mark] / best - 1))
            study.claim(f"PEcn {mark}, PNack {4 * mark}: over the best penalties, percent", "5 or less", over, over <= 5)
    if not study.quick:
        known = means.dropna(subset=["reference_us"])
        study.claim_ratio("longest flow, ours over the reference simulator's",
                          pandas.to_numeric(known.longest_us / known.reference_us), 0.9, 1.1)
        weak, strong = float(table[1][1]), float(table[1][8])
        study.claim("weak penalties (1, 4) are slower than one round and four (8, 32), percent",
                    "10 or more", 100 * (weak / strong - 1), weak / strong >= 1.1)
