# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Completion time over the bound without failures, all-to-all and permutation (Fig. 1)"""

from charts import draw_bars, finish, panels, spaced
from study import CONTENDERS, DR, PACKET_SCHEMES, SPRAYING

MATRICES = ["all-to-all", "permutation"]
SCHEMES = [*CONTENDERS, "rsq", "jsq", "simple-rr", *DR]

# The reference model: permutation of 1 MB at k = 8 with acknowledgements, percent.
REFERENCE = {
    "simple-rr": 43.6,
    "jsq": 28.6,
    "rr": 15.4,
    "rsq": 11.5,
    "switch-ar": 10.4,
    "host-random": 11.1,
    "host-dr": 2.5,
    "ofan": 1.8,
}


def options(study, matrix):
    size = {"all-to-all": study.pick("1MiB", "64KiB"), "permutation": "1MiB"}[matrix]
    return {"workload": matrix, "size": size}


def reproduce(study):
    cases = study.sweep(SCHEMES, "matrix", MATRICES, lambda matrix: options(study, matrix))
    table = study.run(cases)
    means = study.means(table, ["matrix", "scheme"], ["increase_percent", "max_queue_packets"])
    means["reference_percent"] = [
        REFERENCE.get(row.scheme) if row.matrix == "permutation" and not study.quick else None
        for row in means.itertuples()
    ]
    study.save(means)
    draw(study, means)
    judge(study, means, table)


def draw(study, means):
    figure, grid = panels(1, 2, width=5.2, height=0.36 * means.scheme.nunique() + 1)
    for axes, matrix in zip(grid, MATRICES):
        rows = means[means.matrix == matrix]
        reference = {} if study.quick or matrix == "all-to-all" else REFERENCE
        draw_bars(axes, rows, "increase_percent", reference)
        axes.set_title(f"{matrix}, {spaced(options(study, matrix)['size'])} a message")
        axes.set_xlabel("completion time over the lower bound (%)")
    if not study.quick:
        grid[1].legend(loc="lower right", fontsize=8)
    finish(figure, study, f"{study.k**3 // 4} hosts, no failures, ideal recovery")


def judge(study, means, table):
    gain = {
        matrix: means[means.matrix == matrix].set_index("scheme").increase_percent
        for matrix in MATRICES
    }
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
        values = [every[name] for name in order] + [every[fine].min()]
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
    for scheme, expected in REFERENCE.items():
        if scheme in one and not study.quick:
            study.claim_near(
                f"permutation: {scheme} as in the reference model, percent",
                expected,
                one[scheme],
                percent=15 if scheme in SPRAYING else None,
                points=0.5,
            )
