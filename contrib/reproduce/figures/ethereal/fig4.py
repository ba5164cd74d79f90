# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Completion times of four all-reduces, fat-tree of 512 hosts (Fig. 4)"""

from papers.ethereal import (
    ALIKE, BALANCED, COMPARED, OURS, PAPER,
    SPACE, EtherealStudy, Part, draw_collectives, judge_queue_pairs,
)

# Packets of a bandwidth-delay product of 327 kB, with which the authors' REPS begins.
LONGER_WAY = {f"{SPACE}EtherealRepsBalancer::Exploration": 37}

# The sizes in MB. An all-to-all of 16 MB is most of a minute a run.
SIZES = {
    "all-to-all": [4, 16],
    "recursive doubling": [1, 4, 16, 64],
    "ring": [16],
    "double binary tree": [16],
}
USUAL = [Part(PAPER, SIZES), Part(OURS, SIZES, seeds=1)]


class FatTreeStudy(EtherealStudy):
    """The figure of the fat-tree."""

    def options_of(self, scheme):
        options = super().options_of(scheme)
        return {**options, **LONGER_WAY} if scheme == "ethereal-reps" else options


STUDY = FatTreeStudy


def reproduce(study):
    table = study.run_parts(study.pick_parts(COMPARED, USUAL), study.fat_tree())
    means = study.times(table, ["collective", "size", "scheme"])
    study.save(means)
    draw_collectives(study, means, "fat-tree, 400 Gb/s, 1.6 Tb/s between switches")
    judge(study, table, means)


def judge(study, table, means):
    times = study.shown(study.pivot(means))
    by_seed = [study.shown(runs) for runs in study.by_seed(table)]
    study.claim_up_to(times, by_seed)
    for name in BALANCED:
        study.claim_clear_gain(name, times.loc[[name]], [runs.loc[[name]] for runs in by_seed])
    for name in ALIKE:
        study.claim_alike(name, times.loc[[name]])
    judge_queue_pairs(study, study.pivot(means, "max_active_queue_pairs"))
