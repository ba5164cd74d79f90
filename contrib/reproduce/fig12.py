# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""SACK recovery in place of the ideal one (Fig. 12)"""

import numpy

from charts import draw_matrices, finish, spaced
from study import CONTENDERS, DR

# The study's best reordering thresholds, in packets.
THRESHOLDS = {"all-to-all": 6, "permutation": 32}
SIZES = {"all-to-all": "64KiB", "permutation": "1MiB"}
SPRAYING = ["host-random", "rr", "reps", "switch-ar"]


def reproduce(study):
    cases = study.sweep(
        [*CONTENDERS, *DR],
        "matrix",
        list(SIZES),
        lambda matrix: {
            "workload": matrix,
            "size": SIZES[matrix],
            "recovery": "sack",
            "ns3::aifabric::SackRecovery::ReorderingThreshold": THRESHOLDS[matrix],
        },
    )
    columns = ["increase_percent", "retransmissions", "data_packets", "max_reordering_packets"]
    means = study.means(study.run(cases), ["matrix", "scheme"], columns)
    study.save(means)
    draw(study, means)
    for matrix in SIZES:
        rows = means[means.matrix == matrix].set_index("scheme").increase_percent
        judge(study, matrix, rows.fillna(numpy.inf))


def draw(study, means):
    titles = {matrix: f"{spaced(size)}, x = {THRESHOLDS[matrix]}" for matrix, size in SIZES.items()}
    label = "completion time over the lower bound (%)"
    figure = draw_matrices(means, "increase_percent", label, titles)
    finish(figure, study, f"{study.k**3 // 4} hosts, SACK, a packet lost after x later ones")


def judge(study, matrix, gain):
    times = 100 + gain[[name for name in SPRAYING if name in gain]]
    if len(times) > 1:
        spread = float(times.max() / times.min())
        study.claim(
            f"{matrix}: spraying schemes are close, longest over shortest completion",
            "at most 1.1",
            spread,
            spread <= 1.1,
        )
    study.claim_ofan_best(matrix, gain)
