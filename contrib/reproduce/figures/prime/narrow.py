# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME and its rivals where parts have few values: fat-trees of radix 4, 6 and 8 with slow core links"""

from charts import draw_schemes, finish, legend, panels
from grid import Case
from papers.prime import acked, fabric, slow_links

SCHEMES = ["prime", "reps", "mixed"]
SIZE = "1MB"
RTT_NS = 14686.08  # of the network
SEVERAL = {4: 2, 6: 3, 8: 4}  # slow links by radix, beside one
SEEDS = 12


def reproduce(study):
    radixes = study.pick(full=SEVERAL, quick=[4])
    cases = [
        Case(
            {"k": k, "slow_links": count, "scheme": scheme},
            {
                **fabric(100, RTT_NS, k=k),
                **study.options_of(scheme),
                **slow_links(count, k // 2),
                **acked(4),
                "size": SIZE,
            },
        )
        for k in radixes
        for count in (1, SEVERAL[k])
        for scheme in study.schemes(SCHEMES)
    ]
    runs = study.run(cases)
    runs["longest_us"] = runs.max_fct_ns / 1000
    means = study.means(runs, ["k", "slow_links", "scheme"], ["longest_us"])
    study.save(means)
    draw(study, means)
    judge(study, means)


def draw(study, means):
    counts = {"one slow link": means.slow_links == 1, "several": means.slow_links > 1}
    figure, grid = panels(1, len(counts))
    for axes, (title, chosen) in zip(grid, counts.items()):
        draw_schemes(axes, means[chosen], "k", "longest_us")
        axes.set_title(title)
        axes.set_xlabel("radix")
    grid[0].set_ylabel("longest flow (us)")
    legend(grid[-1], grid)
    finish(figure, study, f"permutation, {SIZE} a flow, three tiers, core links at 25 %")


def judge(study, means):
    for (k, count), rows in means.groupby(["k", "slow_links"], sort=False):
        longest = rows.set_index("scheme").longest_us
        for rival in [name for name in SCHEMES[1:] if {"prime", name} <= set(longest.index)]:
            claim = f"k = {k}, slow core links: {count}; PRIME's longest flow over that of {rival}"
            ratio = float(longest.prime / longest[rival])
            study.claim(claim, "below 1", ratio)
