# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Completion times of four all-reduces, fat-tree of 512 hosts (Fig. 4)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.ethereal import (
    ALIKE,
    BALANCED,
    COMPARED,
    OURS,
    PAPER,
    EtherealStudy,
    Part,
    judge_queue_pairs,
    of,
)

if TYPE_CHECKING:
    from ai_fabric.common.aliases import Values

# Packets of a bandwidth-delay product of 327 kB, with which the authors' REPS begins.
LONGER_WAY = attributes("EtherealRepsBalancer", Exploration=37)

# The sizes in MB. An all-to-all of 16 MB is most of a minute a run.
SIZES = {"all-to-all": [4, 16], "recursive doubling": [1, 4, 16, 64], "ring": [16], "double binary tree": [16]}
USUAL = [Part(PAPER, SIZES), Part(OURS, SIZES, seeds=1)]


class FatTreeStudy(EtherealStudy):
    """The figure of the fat-tree."""

    def options_of(self, scheme: str) -> Values:
        options = super().options_of(scheme)
        return {**options, **LONGER_WAY} if scheme == "ethereal-reps" else options


STUDY = FatTreeStudy


def reproduce(study: FatTreeStudy) -> None:
    caption = "fat-tree, 400 Gb/s, 1.6 Tb/s between switches"
    times, by_seed, counts = study.compare(COMPARED, USUAL, study.fat_tree(), caption)
    study.claim_up_to(times, by_seed)
    for name in BALANCED:
        study.claim_clear_gain(name, *of(name, times, by_seed))
    for name in ALIKE:
        study.claim_alike(name, times.loc[[name]])
    judge_queue_pairs(study, counts)
