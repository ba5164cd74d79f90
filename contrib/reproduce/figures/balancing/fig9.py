# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Buffers of 20 packets a port (Fig. 9)"""

import numpy

from charts import draw_matrices, finish, legend, spaced
from papers.balancing import CONTENDERS, DR
from study import WIRE

PACKETS = 20
CACHED = "switch-ar-100ns"
MATRICES = ["permutation", "all-to-all"]


def reproduce(study):
    cases = study.sweep(
        [*CONTENDERS, CACHED, *DR],
        "matrix",
        MATRICES,
        lambda matrix: {"workload": matrix, "size": study.sizes[matrix], "buffer": PACKETS * WIRE, "stallTime": "2ms"},
    )
    table = study.run(cases)
    means = study.means(table, ["matrix", "scheme"], ["increase_percent", "drops"])
    means = study.with_reference(means)
    study.save(means)
    draw(study, means)
    judge(study, means, table)


def draw(study, means):
    titles = {matrix: f"{spaced(study.sizes[matrix])} a message" for matrix in MATRICES}
    label = "completion time over the lower bound (%)"
    figure, grid = draw_matrices(means, "increase_percent", label, titles)
    legend(grid[-1], grid)
    finish(figure, study, f"{study.k**3 // 4} hosts, {PACKETS} packets of buffer a port (reference model: unlimited)")


def judge(study, means, table):
    one = means[means.matrix == "permutation"].set_index("scheme").increase_percent
    study.claim_ofan_best("permutation", one.fillna(numpy.inf))
    runs = table[table.matrix == "permutation"].pivot_table(index="seed", columns="scheme", values="increase_percent")
    if {"switch-ar", "reps"} <= set(runs):
        wins = int((runs["switch-ar"] < runs["reps"]).sum())
        study.claim(
            "permutation: switch-ar sometimes beats reps",
            "in some runs, not in all",
            f"in {wins} of {len(runs)}",
            0 < wins < len(runs),
        )
    if {CACHED, "reps"} <= set(runs):
        study.claim(
            "permutation: switch-ar with levels of up to 0.1 us ago beats reps, means",
            f"{CACHED} < reps",
            f"{one[CACHED]:.3g}, {one['reps']:.3g}",
            one[CACHED] < one["reps"],
        )
