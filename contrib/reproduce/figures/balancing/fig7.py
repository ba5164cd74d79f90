# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The busiest link of each stage, messages of 1 MB and 32 KB (Fig. 7)"""

from charts import draw_law, draw_stages, finish, legend, panels
from papers.balancing import UNLIMITED
from study import EQUAL_PACKETS, MTU

STAGES = ["edge-up", "agg-up", "core-down", "agg-down"]
SCHEMES = ["simple-rr", "jsq", "rsq", "host-dr-random", "host-dr", "ofan"]

# The reference model at k = 8: the most data packets on a link, over m, by stage.
REFERENCE = {
    256: {
        "simple-rr": [1.00, 1.00, 2.94, 3.52],
        "jsq": [1.00, 1.00, 1.34, 1.84],
        "rsq": [1.13, 1.11, 1.12, 1.14],
        "host-dr-random": [1.00, 0.99, 0.99, 1.00],
        "host-dr": [1.00, 0.99, 0.99, 1.00],
        "ofan": [1.00, 0.99, 0.99, 1.00],
    },
    8: {
        "simple-rr": [1.00, 1.00, 2.99, 3.52],
        "jsq": [1.12, 1.14, 1.75, 1.69],
        "rsq": [1.88, 1.84, 1.94, 1.82],
        "host-dr-random": [1.59, 1.51, 1.51, 1.51],
        "host-dr": [1.00, 1.54, 1.50, 1.00],
        "ofan": [1.00, 1.19, 1.16, 1.00],
    },
}
NORTH, SOUTH = STAGES[:2], STAGES[2:]


def reproduce(study):
    cases = study.sweep(
        SCHEMES,
        "m",
        list(REFERENCE),
        lambda m: {"size": m * MTU, "acks": "bypass", "buffer": UNLIMITED, **EQUAL_PACKETS},
    )
    table = study.run(cases)
    for stage in STAGES:
        table[stage] = table[f"layers.{stage}.link_overload"]
    means = study.means(table, ["m", "scheme"], STAGES)
    study.save(means)
    draw(study, means)
    for m, name in ((256, "1 MB"), (8, "32 KB")):
        judge(study, means[means.m == m].set_index("scheme"), m, name)


def draw(study, means):
    figure, grid = panels(1, 2, sharey=True)
    for axes, (m, title) in zip(grid, ((256, "1 MB: 256 packets"), (8, "32 KB: 8 packets"))):
        draw_stages(axes, means[means.m == m], STAGES)
        draw_law(axes, range(len(STAGES)), [1] * len(STAGES), "even load")
        if not study.quick:
            for scheme, values in REFERENCE[m].items():
                axes.plot(values, linestyle="", marker="_", color="black", markersize=9, zorder=3)
        axes.set_title(title)
        axes.set_ylabel("packets on the busiest link / m")
    if not study.quick:
        grid[1].plot([], linestyle="", marker="_", color="black", label="reference model")
    legend(grid[1], grid)
    finish(figure, study, f"permutation, {study.k**3 // 4} hosts, data packets only")


def judge(study, rows, m, name):
    for scheme in ("simple-rr", "jsq"):
        if scheme in rows.index and m == 256:
            north = rows.loc[scheme, NORTH].max()
            south = rows.loc[scheme, SOUTH].max()
            study.claim(
                f"{name}: {scheme} even northbound, overloaded southbound",
                "below 1.1, above 1.3",
                f"{north:.3g}, {south:.3g}",
                north < 1.1 and south > 1.3,
            )
    if "host-dr" in rows.index:
        worst = float(rows.loc["host-dr", STAGES].max())
        expected = "below 1.05" if m == 256 else "above 1.2"
        holds = worst < 1.05 if m == 256 else worst > 1.2
        study.claim(f"{name}: host-dr {'even' if m == 256 else 'poor'}", expected, worst, holds)
    if "ofan" in rows.index:
        worst = float(rows.loc["ofan", STAGES].max())
        study.claim(f"{name}: ofan even", "below 1.25", worst)
    for scheme, values in REFERENCE[m].items():
        if scheme in rows.index and not study.quick:
            study.claim_ratio(
                f"{name}: {scheme} as a multiple of the reference model's, worst stage",
                rows.loc[scheme, STAGES] / values,
            )
