# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Completion time over the bound without failures, all-to-all and permutation (Fig. 1)"""

from charts import draw_matrices, finish, legend, spaced
from papers.balancing import CONTENDERS, DR, PACKET_SCHEMES, SPRAYING

MATRICES = ["all-to-all", "permutation"]
SCHEMES = [*CONTENDERS, "rsq", "jsq", "simple-rr", *DR]


def reproduce(study):
    cases = study.sweep(SCHEMES, "matrix", MATRICES, lambda matrix: {"workload": matrix, "size": study.sizes[matrix]})
    columns = ["increase_percent", "max_queue_packets"]
    means = study.means(study.run(cases), ["matrix", "scheme"], columns)
    means = study.with_reference(means)
    study.save(means)
    draw(study, means)
    judge(study, means)


def draw(study, means):
    titles = {matrix: f"{spaced(study.sizes[matrix])} a message" for matrix in MATRICES}
    label = "completion time over the lower bound (%)"
    figure, grid = draw_matrices(means, "increase_percent", label, titles)
    legend(grid[-1])
    finish(figure, study, f"{study.k**3 // 4} hosts, no failures, ideal recovery")


def judge(study, means):
    gain = {matrix: means[means.matrix == matrix].set_index("scheme").increase_percent for matrix in MATRICES}
    every, one = gain["all-to-all"], gain["permutation"]
    packets = [name for name in PACKET_SCHEMES if name in every]
    fine = [name for name in packets if name in [*CONTENDERS, *DR]]
    if fine:
        study.claim(
            "all-to-all: the furthest packet scheme from the bound",
            "within 1 %",
            float(every[fine].max()),
            every[fine].max() <= 1,
        )
    order = [name for name in ("ecmp", "subflow", "plb") if name in every]
    if len(order) == 3 and fine:
        values = [every[name] for name in order] + [every[fine].max()]
        study.claim(
            "all-to-all: finer is better",
            "ecmp > subflow > plb > packets",
            ", ".join(f"{value:.3g}" for value in values),
            values == sorted(values, reverse=True),
        )
        study.claim(
            "permutation: flowlets are worse than subflows",
            "plb > subflow",
            f"{one['plb']:.3g}, {one['subflow']:.3g}",
            one["plb"] > one["subflow"],
        )
    if fine:
        larger = [name for name in fine if one[name] > every[name]]
        study.claim(
            "gaps of packet schemes are larger in the permutation",
            f"{len(fine)} schemes",
            f"{len(larger)} schemes",
            larger == fine,
        )
    study.claim_best("permutation", one)
    for row in means.dropna(subset=["reference_percent"]).itertuples():
        study.claim_near(
            f"{row.matrix}: {row.scheme} as in the reference model, percent",
            row.reference_percent,
            row.increase_percent,
            percent=15 if row.scheme in SPRAYING else None,
            points=0.5,
        )
