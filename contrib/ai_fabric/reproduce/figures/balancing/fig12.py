# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""SACK recovery in place of the ideal one (Fig. 12)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ai_fabric.reproduce.papers.balancing import COMPARED, OVER_BOUND, THRESHOLDS, threshold, traffic

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.balancing import BalancingStudy

SPRAYING = ["host-random", "rr", "reps", "switch-ar"]
CLOSE = 1.1  # longest over shortest completion time of schemes that are close
COLUMNS = ["increase_percent", "retransmissions", "data_packets", "max_reordering_packets"]


def reproduce(study: BalancingStudy) -> None:
    lost = lambda case: {"recovery": "sack", **threshold(THRESHOLDS[case.matrix])}
    cases = study.sweep(lost, scheme=COMPARED, matrix=traffic(study.sizes))
    means = with_close(study.with_reference(study.tabulate(cases, ["matrix", "scheme"], COLUMNS)))
    study.save(means)
    scenario = "SACK, a packet lost after x later ones (reference model: ideal)"
    look = {"color": "#D0D0D0", "zorder": 0, "label": "spraying is close"}
    close = lambda rows: ("axvspan", 0, rows.close_percent.iloc[0], look)
    note = lambda matrix: f", x = {THRESHOLDS[matrix]}"
    study.draw_bars(means, "increase_percent", OVER_BOUND, scenario, close, note)
    for matrix, rows in means.groupby("matrix", sort=False):
        judge(study, matrix, rows.set_index("scheme").increase_percent.fillna(numpy.inf))


def with_close(means: pandas.DataFrame) -> pandas.DataFrame:
    """Adds up to where a spraying scheme is close to the best of them."""
    best = means[means.scheme.isin(SPRAYING)].groupby("matrix").increase_percent.min()
    return means.assign(close_percent=CLOSE * (100 + means.matrix.map(best)) - 100)


def judge(study: BalancingStudy, matrix: str, gain: pandas.Series) -> None:
    times = 100 + gain[[name for name in SPRAYING if name in gain]]
    if len(times) > 1:
        claim = f"{matrix}: spraying schemes are close, longest over shortest completion"
        study.claim(claim, f"at most {CLOSE}", times.max() / times.min())
    study.claim_ofan_best(matrix, gain)
