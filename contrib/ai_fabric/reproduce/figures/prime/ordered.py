# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME and its rivals: the same permutation, where each tenth flow is ordered and keeps one path"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.papers.prime import ORDERED, RIVALS, by_cell

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.prime import PrimeStudy

# The longest flow takes a third more in the runs where two ordered flows share a link, which chance decides.
SEEDS = 10
SCHEMES = [*RIVALS, "prime-1-4", "prime", "prime-16-64"]

# Longest flow of all in us, mean of 3 seeds, in the reference simulator
REFERENCE = by_cell(SCHEMES, {
    ("1MiB", 1): [58.1, 58.5, 58.1, 53.6, 53.0, 54.5, 54.0, 53.0, 52.3],
    ("1MiB", 4): [56.9, 60.4, 60.3, 57.0, 56.3, 59.1, 53.8, 53.2, 51.6],
    ("1MiB", 15): [57.1, 59.5, 59.8, 59.0, 58.3, 59.7, 53.1, 52.1, 52.5],
})


def reproduce(study: PrimeStudy) -> None:
    means = study.longest(study.matrix(SCHEMES, ["1MiB"], [1, 4, 15], ORDERED), REFERENCE)
    study.save(means)
    study.draw_longest(means, f"permutation, {study.hosts()} hosts, each tenth flow ordered")
    judge(study, means)


def judge(study: PrimeStudy, means: pandas.DataFrame) -> None:
    study.claim_as_reference(means)
    claim = "an ACK per 4 packets: PRIME's gain over REPS, percent"
    study.claim(claim, "0 or more", study.gains(means).get(("1MiB", 4)))
    study.claim_best_rival("ordered flows", means)
