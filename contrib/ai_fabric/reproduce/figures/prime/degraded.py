# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME and its rivals: the same permutation with one spine at a quarter of its rate"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.papers.prime import ACK_PACKETS, DEGRADED, RIVALS, by_cell, by_scheme

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.prime import PrimeStudy

SIZES = ["256KiB", "1MiB", "8MiB"]
SCHEMES = [*RIVALS, "prime-1-4", "prime", "prime-16-64"]
CLAIMED_GAIN = 27  # percent, the largest of the paper's abstract: its headline

# Longest flow in us, mean of 3 seeds, in the reference simulator
REFERENCE = by_cell(SCHEMES, {
    ("256KiB", 4): [26.9, 28.0, 28.0, 27.0, 26.3, 27.1, 25.4, 25.4, 25.4],
    ("1MiB", 1): [49.7, 49.0, 46.8, 37.6, 42.6, 42.2, 46.2, 35.2, 34.0],
    ("1MiB", 4): [50.0, 47.7, 45.4, 46.6, 46.0, 45.3, 44.8, 34.8, 34.3],
    ("1MiB", 8): [50.6, 50.0, 47.3, 45.7, 47.1, 45.8, 46.0, 34.4, 33.4],
    ("1MiB", 15): [49.4, 48.4, 46.5, 47.1, 48.1, 45.5, 45.6, 34.6, 34.2],
    ("8MiB", 1): [331.4, 333.9, 245.6, 225.4, 221.7, 241.0, 224.5, 223.1, 223.2],
    ("8MiB", 4): [357.4, 337.8, 246.1, 267.1, 264.9, 248.4, 223.2, 217.1, 221.3],
    ("8MiB", 15): [385.1, 341.4, 221.3, 317.2, 305.3, 234.8, 233.6, 216.7, 217.1],
})


def reproduce(study: PrimeStudy) -> None:
    sizes, acks = study.pick(full=(SIZES, ACK_PACKETS), quick=(SIZES[:2], [1, 4, 15]))
    means = study.longest(study.matrix(SCHEMES, sizes, acks, DEGRADED), REFERENCE)
    study.save(means)
    study.draw_longest(means, f"permutation, {study.hosts()} hosts, spine 0 at 25 %")
    judge(study, means)


def judge(study: PrimeStudy, means: pandas.DataFrame) -> None:
    study.claim_as_reference(means)
    study.claim_gains(means, 18, 28, CLAIMED_GAIN)
    table = by_scheme(means)
    if "ops-random" in table and ("1MiB", 4) in table.index:
        worst = table.loc["1MiB", 4].idxmax()
        study.claim("1 MiB, an ACK per 4 packets: OPS random is the worst", "ops-random", worst, worst == "ops-random")
    study.claim_best_rival("degraded", means)
