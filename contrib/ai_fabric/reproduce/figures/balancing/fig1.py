# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Completion time over the bound without failures, all-to-all and permutation (Fig. 1)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.papers.balancing import COMPARED, CONTENDERS, DR, OVER_BOUND, PACKET_SCHEMES, SPRAYING, traffic

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.balancing import BalancingStudy

MATRICES = ["all-to-all", "permutation"]
SCHEMES = [*CONTENDERS, "rsq", "jsq", "simple-rr", *DR]


def reproduce(study: BalancingStudy) -> None:
    cases = study.sweep(scheme=SCHEMES, matrix=traffic(study.sizes))
    means = study.with_reference(study.tabulate(cases, ["matrix", "scheme"], ["increase_percent", "max_queue_packets"]))
    study.save(means)
    study.draw_bars(means, "increase_percent", OVER_BOUND, "no failures, ideal recovery")
    judge(study, means)


def judge(study: BalancingStudy, means: pandas.DataFrame) -> None:
    every, one = (means[means.matrix == matrix].set_index("scheme").increase_percent for matrix in MATRICES)
    fine = [name for name in PACKET_SCHEMES if name in every and name in COMPARED]
    if fine:
        worst = every[fine].max()
        study.claim("all-to-all: the furthest packet scheme from the bound", "within 1 %", worst, worst <= 1)
        order = "ecmp > subflow > plb > packets"
        study.claim_order("all-to-all: finer is better", order, {**every, "packets": worst})
        study.claim_order("permutation: flowlets are worse than subflows", "plb > subflow", one)
        larger = [name for name in fine if one[name] > every[name]]
        claim = "gaps of packet schemes are larger in the permutation"
        study.claim(claim, f"{len(fine)} schemes", f"{len(larger)} schemes", larger == fine)
    study.claim_ranking("permutation", one)
    for row in means.dropna(subset=["reference_percent"]).itertuples():
        claim = f"{row.matrix}: {row.scheme} as in the reference model, percent"
        percent = 15 if row.scheme in SPRAYING else None
        study.claim_near(claim, row.reference_percent, row.increase_percent, percent, points=0.5)
