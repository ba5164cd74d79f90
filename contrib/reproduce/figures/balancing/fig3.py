# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""1 % of the links dead, routing never converges (Fig. 3)"""

import numpy

from charts import draw_matrices, draw_published, finish, legend, spaced
from papers.balancing import CONTENDERS, DR

MATRICES = ["all-to-all", "permutation"]


def reproduce(study):
    cases = study.sweep(
        [*CONTENDERS, *DR],
        "matrix",
        MATRICES,
        lambda matrix: {
            "workload": matrix,
            "size": study.sizes[matrix],
            "failRate": study.pick(0.01, 0.1),
            "convergence": "never",
            "rho": "max",
            "stallTime": "2ms",
        },
    )
    table = study.run(cases)
    # The published form is no bound where hosts are paced; the strict one is.
    table["over_percent"] = study.over(table, "completion_bound_ns")
    table["published_percent"] = study.published(table)
    columns = ["over_percent", "published_percent", "link_losses"]
    means = study.means(table, ["matrix", "scheme"], columns)
    study.save(means)
    draw(study, means)
    for matrix in MATRICES:
        rows = means[means.matrix == matrix].set_index("scheme").over_percent
        judge(study, matrix, rows.fillna(numpy.inf))


def draw(study, means):
    titles = {matrix: f"{spaced(study.sizes[matrix])} a message" for matrix in MATRICES}
    label = "completion time over the strict bound at rho_max (%)"
    figure, grid = draw_matrices(means, "over_percent", label, titles)
    for axes, matrix in zip(grid, MATRICES):
        draw_published(axes.axvline, means[means.matrix == matrix].published_percent)
    legend(grid[-1], grid)
    dead = study.pick("1 %", "10 %")
    finish(figure, study, f"{study.k**3 // 4} hosts, each link dead with {dead}, G never")


def judge(study, matrix, gain):
    contenders = gain[[name for name in CONTENDERS if name in gain]]
    others = contenders.drop("reps", errors="ignore")
    if "reps" in gain and len(others):
        study.claim(
            f"{matrix}: reps is the best of the study's seven",
            "reps < others",
            f"{gain['reps']:.3g}, {others.min():.3g} ({others.idxmin()})",
            gain["reps"] < others.min(),
        )
    if {"reps", "switch-ar", "rr"} <= set(gain.index):
        study.claim(
            f"{matrix}: switch-ar prefers dead ports: no better than rr",
            "switch-ar >= rr",
            f"{gain['switch-ar']:.3g}, {gain['rr']:.3g}",
            gain["switch-ar"] >= gain["rr"],
        )
