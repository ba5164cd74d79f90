# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""More and more dead links, routing has converged (Fig. 5)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ai_fabric.plot.charts import draw_law, draw_schemes, spaced
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.balancing import COMPARED, traffic

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.balancing import BalancingStudy

MATRICES = {"all-to-all": "64KiB", "permutation": "1MiB"}
OPTIONS = {"rho": "max", "stallTime": "2ms", "convergence": "0ns"}


def reproduce(study: BalancingStudy) -> None:
    rates = {rate: {"failRate": rate} for rate in study.pick(full=[0, 0.005, 0.01, 0.02, 0.04], quick=[0, 0.1])}
    runs = study.run(study.sweep(OPTIONS, matrix=traffic(MATRICES), scheme=COMPARED, f=rates))
    # All are compared with one best case, the bound of most runs without failures: the published.
    best = runs.groupby("matrix").line_rate_bound_ns.transform("median")
    runs = runs.assign(over_percent=100 * (runs.cct_ns / best - 1),
                       bound_percent=100 * (runs.completion_bound_ns / best - 1))
    means = study.means(runs, ["matrix", "scheme", "f"], ["over_percent", "bound_percent"])
    study.save(means)
    shown = []
    for matrix, rows in means.assign(f=100 * means.f).groupby("matrix", sort=False):
        bound = rows.groupby("f").bound_percent.mean()
        shown.append(Panel(f"{matrix}, {spaced(MATRICES[matrix])} a message", "dead links (%)",
                           "over the bound without failures (%)", (draw_schemes, rows, "f", "over_percent"),
                           (draw_law, bound.index, bound, "bound at rho_max")))
    study.draw(shown, f"{study.network}, G = 0")
    for matrix, rows in means.groupby("matrix", sort=False):
        judge(study, matrix, rows)


def judge(study: BalancingStudy, matrix: str, means: pandas.DataFrame) -> None:
    gain = means.pivot(index="scheme", columns="f", values="over_percent").fillna(numpy.inf)
    worse = gain.iloc[:, -1] > gain.iloc[:, 0]
    study.claim(f"{matrix}: all schemes lose with failures", f"{len(gain)} schemes", f"{worse.sum()} schemes",
                worse.all())
    for host, switch in (("host-random", "rr"), ("reps", "switch-ar")):
        if {host, switch} <= set(gain.index):
            ratio = (100 + gain.loc[host]) / (100 + gain.loc[switch])
            worst = ratio[(ratio - 1).abs().idxmax()]
            claim = f"{matrix}: {host} and {switch} stay close (ratio of completion times)"
            study.claim(claim, "0.9 to 1.1", worst, abs(worst - 1) <= 0.1)
