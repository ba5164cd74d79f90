# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Completion times of four all-reduces, leaf-spine of 256 hosts (Fig. 3)"""

from papers.ethereal import ALIKE, BALANCED, COMPARED, MP_RDMA, PAPER, Part, draw_collectives, judge_queue_pairs

SCHEMES = [*COMPARED, "ethereal-v1"]
USUAL = [
    Part(
        SCHEMES,
        {
            "all-to-all": [1, 4, 16],
            "recursive doubling": [1, 4, 16, 64],
            "ring": [4, 16],
            "double binary tree": [4, 16],
        },
    ),
    Part(COMPARED, {"all-to-all": [64], "recursive doubling": [256]}, seeds=1),
    Part(
        PAPER,
        {
            "all-to-all": [2, 8, 32, 128],
            "recursive doubling": [2, 8, 32, 128],
            "ring": [2, 8, 32, 128],
            "double binary tree": [2, 8, 32, 128],
        },
        seeds=1,
    ),
]


def reproduce(study):
    table = study.run_parts(study.pick_parts(SCHEMES, USUAL), study.leaf_spine())
    means = study.times(table, ["collective", "size", "scheme"])
    study.save(means)
    draw_collectives(study, means, "leaf-spine, 400 Gb/s")
    judge(study, table, means)


def judge(study, table, means):
    times = study.shown(study.pivot(means))
    by_seed = [study.shown(runs) for runs in study.by_seed(table)]
    study.claim_up_to(times, by_seed)
    for name in BALANCED:
        study.claim_best(name, times.loc[[name]], [runs.loc[[name]] for runs in by_seed])
    judge_mp_rdma(study, times.loc[["recursive doubling"]])
    for name in ALIKE:
        study.claim_alike(name, times.loc[[name]])
    judge_queue_pairs(study, study.pivot(means, "max_active_queue_pairs"))


def judge_mp_rdma(study, times):
    """P7: too few flows for ECMP, even if they are split."""
    for other in MP_RDMA:
        if {"ethereal", other} <= set(times):
            least = 100 * (times[other] / times["ethereal"] - 1).min()
            study.claim(
                f"recursive doubling: {other} takes longer than Ethereal, at least by", "above 1 %", float(least)
            )
