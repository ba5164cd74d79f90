# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME and its rivals: a permutation on a healthy fabric, by how acknowledgements are coalesced"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.papers.prime import ACK_PACKETS, RIVALS, by_cell

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.prime import PrimeStudy

SIZES = ["256KiB", "1MiB", "8MiB"]
SCHEMES = ["ecmp", *RIVALS, "prime", "prime-hashed"]
CLAIMED_GAIN = 15  # percent, the largest of the paper's abstract: its headline

# Longest flow in us, mean of 3 seeds, in the reference simulator. The hashed variant: 1 MiB, 8 entropies.
REFERENCE = by_cell([*RIVALS, "prime"], {
    ("256KiB", 1): [15.9, 15.4, 15.4, 15.5, 16.1, 15.4, 14.2],
    ("256KiB", 4): [15.6, 15.4, 15.4, 15.5, 15.9, 15.4, 14.2],
    ("256KiB", 15): [16.0, 15.4, None, None, 15.8, None, 14.2],
    ("1MiB", 1): [35.3, 33.5, 33.5, 33.1, 33.7, 32.8, 30.6],
    ("1MiB", 4): [35.5, 33.3, 33.3, 34.0, 35.2, 33.6, 30.4],
    ("1MiB", 8): [34.5, 33.3, 33.3, 34.2, 34.5, 33.2, 30.3],
    ("1MiB", 15): [34.6, 33.3, 33.3, 34.0, 35.2, 33.3, 30.3],
    ("8MiB", 1): [206.1, 202.3, 193.4, 184.4, 184.5, 184.3, 182.1],
    ("8MiB", 4): [221.9, 224.1, 198.3, 197.4, 190.4, 192.1, 180.2],
    ("8MiB", 15): [243.7, 245.2, 192.3, 236.9, 233.7, 191.7, 179.7],
}) | {("1MiB", 4, "prime-hashed"): 42.8}


def reproduce(study: PrimeStudy) -> None:
    sizes, acks = study.pick(full=(SIZES, ACK_PACKETS), quick=(SIZES[:2], [1, 4, 15]))
    means = study.longest(study.matrix(SCHEMES, sizes, acks), REFERENCE)
    study.save(means)
    study.draw_longest(means[means.scheme != "ecmp"], f"permutation, {study.hosts()} hosts")
    judge(study, means)


def judge(study: PrimeStudy, means: pandas.DataFrame) -> None:
    study.claim_as_reference(means)
    study.claim_gains(means, 9, 15, CLAIMED_GAIN)
    over = means.set_index(["message", "packets_per_ack", "scheme"]).over_ideal_percent
    for size in ("1MiB", "8MiB"):
        study.claim(f"{size}: PRIME over the lower bound, percent", "5 or less", over.get((size, 4, "prime")))
    # The tail of REPS grows with the interval of acknowledgements, and PRIME's does not
    size = means.message.iloc[-1]
    table = means[means.message == size].pivot(index="packets_per_ack", columns="scheme", values="longest_us")
    if "reps" in table:
        claim = f"{size}: REPS's longest flow, an ACK per 15 packets over per packet, percent"
        study.claim(claim, "10 or more", 100 * (table.reps.iloc[-1] / table.reps.iloc[0] - 1))
    if "prime" in table:
        change = 100 * (table.prime.max() / table.prime.min() - 1)
        study.claim(f"{size}: PRIME's change with the coalescing, percent", "less than 2", change)
    hashed, reps = (over.get(("1MiB", 4, scheme)) for scheme in ("prime-hashed", "reps"))
    if hashed is not None and reps is not None:
        claim = "1 MiB, PRIME with hashed forwarding is no better than REPS, percent over the bound"
        study.claim(claim, f"{reps:.3g} or more", hashed, hashed >= reps)
    study.claim_best_rival("healthy", means)
