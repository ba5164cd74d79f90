# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME and its rivals: a permutation in three tiers, healthy and with slow links from core to pod"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.papers.prime import PrimeStudy, RIVALS, by_cell, fabric, slow_links

if TYPE_CHECKING:
    import pandas

    from ai_fabric.common.aliases import Values

SCHEMES = [*RIVALS, "prime"]
THREE_TIERS = fabric(400, 12505.68, k=8)
SMALL = fabric(400, 12505.68, k=4)
LINKS = 4  # of a switch towards the cores, and of a leaf upwards
CASES = {0: [1, 4], 1: [4], 8: [1, 4]}  # slow links and packets per acknowledgement

# Longest flow in us, mean of 3 seeds, in the reference simulator
REFERENCE = {
    0: by_cell(SCHEMES, {("1MiB", 1): [39.1, 39.0, 39.0, 37.8, 38.7, 37.9, 35.1],
                         ("1MiB", 4): [38.8, 38.8, 38.8, 37.9, 38.3, 38.7, 34.9]}),
    1: by_cell(SCHEMES, {("1MiB", 4): [50.7, 49.4, 48.7, 48.3, 48.7, 47.4, 46.0]}),
    8: by_cell(SCHEMES, {("1MiB", 1): [63.4, 64.3, 58.9, 48.7, 49.3, 49.3, 47.8],
                         ("1MiB", 4): [63.6, 64.4, 58.9, 59.2, 58.0, 56.9, 48.0]}),
}


class TiersStudy(PrimeStudy):
    """The fabric has three tiers."""

    @property
    def base(self) -> Values:  # type: ignore[override]
        return self.pick(full=THREE_TIERS, quick=SMALL)


STUDY = TiersStudy


def reproduce(study: TiersStudy) -> None:
    for slow, acks in CASES.items():
        options = slow_links(slow, study.pick(full=LINKS, quick=LINKS // 2))
        means = study.longest(study.matrix(SCHEMES, ["1MiB"], acks, options), REFERENCE[slow])
        study.save(means, f"-{slow}")
        where = "healthy" if slow == 0 else f"{slow} core links at 25 %"
        study.draw_longest(means, f"permutation, {study.hosts()} hosts in three tiers, {where}", f"-{slow}")
        judge(study, means, where)


def judge(study: TiersStudy, means: pandas.DataFrame, where: str) -> None:
    study.claim_as_reference(means, where=where)
    study.claim_best_rival(where, means)
