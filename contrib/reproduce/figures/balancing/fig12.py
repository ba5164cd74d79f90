# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""SACK recovery in place of the ideal one (Fig. 12)"""

import numpy

from charts import draw_matrices, finish, legend, spaced
from papers.balancing import CONTENDERS, DR, THRESHOLDS

SPRAYING = ["host-random", "rr", "reps", "switch-ar"]
CLOSE = 1.1  # longest over shortest completion time of schemes that are close


def reproduce(study):
    cases = study.sweep(
        [*CONTENDERS, *DR],
        "matrix",
        list(THRESHOLDS),
        lambda matrix: {
            "workload": matrix,
            "size": study.sizes[matrix],
            "recovery": "sack",
            "ns3::aifabric::SackRecovery::ReorderingThreshold": THRESHOLDS[matrix],
        },
    )
    columns = ["increase_percent", "retransmissions", "data_packets", "max_reordering_packets"]
    means = study.means(study.run(cases), ["matrix", "scheme"], columns)
    means = with_close(study.with_reference(means))
    study.save(means)
    draw(study, means)
    for matrix in THRESHOLDS:
        rows = means[means.matrix == matrix].set_index("scheme").increase_percent
        judge(study, matrix, rows.fillna(numpy.inf))


def with_close(means):
    """Adds up to where a spraying scheme is close to the best of them."""
    best = means[means.scheme.isin(SPRAYING)].groupby("matrix").increase_percent.min()
    return means.assign(close_percent=CLOSE * (100 + means.matrix.map(best)) - 100)


def draw(study, means):
    titles = {matrix: f"{spaced(study.sizes[matrix])} a message, x = {most}" for matrix, most in THRESHOLDS.items()}
    label = "completion time over the lower bound (%)"
    figure, grid = draw_matrices(means, "increase_percent", label, titles)
    for axes, matrix in zip(grid, titles):
        close = means[means.matrix == matrix].close_percent
        axes.axvspan(0, close.iloc[0], color="#D0D0D0", zorder=0, label="spraying is close")
    legend(grid[-1], grid)
    finish(figure, study, f"{study.k**3 // 4} hosts, SACK, a packet lost after x later ones (reference model: ideal)")


def judge(study, matrix, gain):
    times = 100 + gain[[name for name in SPRAYING if name in gain]]
    if len(times) > 1:
        spread = float(times.max() / times.min())
        study.claim(
            f"{matrix}: spraying schemes are close, longest over shortest completion", f"at most {CLOSE}", spread
        )
    study.claim_ofan_best(matrix, gain)
