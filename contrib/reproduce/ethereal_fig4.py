# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Completion times of four all-reduces, fat-tree of 512 hosts (Fig. 4)"""

from ethereal import ALIKE, BALANCED, COMPARED, SPACE, EtherealStudy, draw_collectives
from ethereal_fig3 import judge_queue_pairs

STUDY = EtherealStudy

# Packets of a bandwidth-delay product of 327 kB, with which the authors' REPS begins.
LONGER_WAY = {f"{SPACE}EtherealRepsBalancer::Exploration": 37}


def sizes_of(study):
    """The sizes in MB; an all-to-all of 16 MB is half a minute a run."""
    some = {
        "all-to-all": [4, 16],
        "recursive doubling": [1, 4, 16, 64],
        "ring": [16],
        "double binary tree": [16],
    }
    return study.pick_sizes(some)


def reproduce(study):
    cases = study.collectives(COMPARED, sizes_of(study), study.fat_tree())
    for case in cases:
        if case.labels["scheme"] == "ethereal-reps":
            case.options.update(LONGER_WAY)
    means = study.times(study.run(cases), ["collective", "size", "scheme"])
    study.save(means)
    draw_collectives(study, means, "fat-tree, 400 Gb/s, 1.6 Tb/s between switches")
    judge(study, means)


def judge(study, means):
    times = study.shown(study.pivot(means))
    study.claim_up_to(times)
    for name in BALANCED:
        study.claim_best(name, times.loc[[name]])
    for name in ALIKE:
        study.claim_alike(name, times.loc[[name]])
    judge_queue_pairs(study, study.pivot(means, "max_active_queue_pairs"))
