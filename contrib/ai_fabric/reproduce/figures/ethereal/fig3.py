# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Completion times of four all-reduces, leaf-spine of 256 hosts (Fig. 3)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.papers.ethereal import (
    ALIKE,
    BALANCED,
    COLLECTIVES,
    COMPARED,
    MP_RDMA,
    PAPER,
    Part,
    judge_queue_pairs,
    of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas

    from ai_fabric.reproduce.papers.ethereal import EtherealStudy

SCHEMES = [*COMPARED, "ethereal-v1"]
SIZES = {"all-to-all": [1, 4, 16], "recursive doubling": [1, 4, 16, 64], "ring": [4, 16], "double binary tree": [4, 16]}
USUAL = [
    Part(SCHEMES, SIZES),
    Part(COMPARED, {"all-to-all": [64], "recursive doubling": [256]}, seeds=1),
    Part(PAPER, dict.fromkeys(COLLECTIVES, [2, 8, 32, 128]), seeds=1),
]


def reproduce(study: EtherealStudy) -> None:
    judge(study, *study.compare(SCHEMES, USUAL, study.leaf_spine(), "leaf-spine, 400 Gb/s"))


def judge(
    study: EtherealStudy, times: pandas.DataFrame, by_seed: Sequence[pandas.DataFrame], counts: pandas.DataFrame
) -> None:
    study.claim_up_to(times, by_seed)
    for name in BALANCED:
        study.claim_best_of_all(name, *of(name, times, by_seed))
    judge_mp_rdma(study, times.loc[["recursive doubling"]])
    for name in ALIKE:
        study.claim_alike(name, times.loc[[name]])
    judge_queue_pairs(study, counts)


def judge_mp_rdma(study: EtherealStudy, times: pandas.DataFrame) -> None:
    """P7: too few flows for ECMP, even if they are split."""
    for other in MP_RDMA:
        if {"ethereal", other} <= set(times):
            least = 100 * (times[other] / times["ethereal"] - 1).min()
            study.claim(f"recursive doubling: {other} takes longer than Ethereal, at least by", "above 1 %", least)
