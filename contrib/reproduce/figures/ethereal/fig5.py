# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""An iteration of GPT-2, leaf-spine of 256 hosts (Fig. 5)"""

from charts import draw_bars, finish, panels
from papers.ethereal import BALANCED, COMPARED
from papers.ethereal.training import cases_of


def reproduce(study):
    """One run of each; by all-to-all in full only, which is six minutes a scheme."""
    names = study.pick(full=BALANCED, quick=BALANCED[1:], usual=BALANCED[1:])
    study.seeds = 1
    cases = [case for name in names for case in cases_of(study, COMPARED, name)]
    table = study.run(cases)
    means = study.times(table, ["collective", "size", "scheme"])
    study.save(means)
    draw(study, means, names)
    judge(study, table, means, names)


def draw(study, means, names):
    figure, grid = panels(1, len(names), width=5.2, height=0.36 * means.scheme.nunique() + 1)
    for axes, name in zip(grid, names):
        rows = means[means.collective == name]
        draw_bars(axes, rows, "increase_percent")
        axes.set_title(f"{rows['size'].iloc[0]}, {name}")
        axes.set_xlabel("time over the lower bound (%)")
    finish(figure, study, "one iteration, compute takes no time; leaf-spine, 400 Gb/s")


def judge(study, table, means, names):
    times = study.pivot(means)
    by_seed = study.by_seed(table)
    study.claim_up_to(times, by_seed)
    for name in names:
        study.claim_best(name, times.loc[[name]], [runs.loc[[name]] for runs in by_seed])
