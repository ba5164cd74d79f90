# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""One link fails at 1 us, and routing learns of it after 100 ms (the failure figures)"""

import pandas

from grid import Case
from papers.ethereal import GAINS, draw_collectives, gain_over
from papers.ethereal.failures import E6_SIZES, judge_e6, with_fault

# Those of the authors' runs, and the ones that we add.
SCHEMES = ["ethereal", "spray", "ethereal-reps", "reps", "rr", "ecmp"]


def settings(study):
    """The options of each fabric and the sizes in MB by collective: the fat-tree in full only."""
    some = {"all-to-all": E6_SIZES, "recursive doubling": [*E6_SIZES, 64]}
    sizes = study.pick_sizes(some)
    fat_tree = study.pick(full=sizes, quick=None, usual={"recursive doubling": E6_SIZES})
    found = {"leaf-spine": (study.leaf_spine(), sizes)}
    if fat_tree:
        found["fat-tree"] = (study.fat_tree(), fat_tree)
    return found


def reproduce(study):
    tables = []
    for name, (fabric, sizes) in settings(study).items():
        cases = study.collectives(SCHEMES, sizes, fabric)
        cases = [Case({**case.labels, "fault": "none"}, case.options) for case in cases] + [
            with_fault(case, fabric, name) for case in cases
        ]
        tables.append(study.run(cases).assign(fabric=name))
    means = study.times(pandas.concat(tables), "fabric", "fault")
    study.save(means)
    for name, rows in means[means.fault == "cut"].groupby("fabric", sort=False):
        draw_collectives(study, rows, f"{name}, one uplink cut at 1 us", f"-{name}")
    for name, rows in means.groupby("fabric", sort=False):
        judge(study, name, rows)


def judge(study, where, means):
    cut, whole = (study.pivot(means[means.fault == fault]) for fault in ("cut", "none"))
    judge_gains(study, where, cut)
    judge_e6(study, where, cut, whole)


def judge_gains(study, where, times):
    """P3: with the failure, Ethereal is faster by at least as much as without any."""
    for other, percent in GAINS.items():
        if {"ethereal", other} <= set(times):
            gain = gain_over(other, times)
            name, size = gain.idxmin()
            study.claim(
                f"{where}, link cut: Ethereal is faster than {other}",
                f"at each size, up to {percent} % or more",
                f"{gain.min():.0f} ({name}, {size} MB) to {gain.max():.0f} %",
                gain.min() > 0 and gain.max() >= percent,
            )
