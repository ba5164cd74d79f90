# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""1 % of the links dead, routing never converges (Fig. 3)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ai_fabric.plot.charts import draw_published
from ai_fabric.reproduce.papers.balancing import COMPARED, CONTENDERS, traffic

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.balancing import BalancingStudy

X = "completion time over the strict bound at rho_max (%)"
OPTIONS = {"convergence": "never", "rho": "max", "stallTime": "2ms"}


def reproduce(study: BalancingStudy) -> None:
    dead = study.pick(0.01, 0.1)
    cases = study.sweep({**OPTIONS, "failRate": dead}, scheme=COMPARED, matrix=traffic(study.sizes))
    # The published form is no bound where hosts are paced; the strict one is.
    means = study.tabulate(cases, ["matrix", "scheme"], ["over_percent", "published_percent", "link_losses"])
    study.save(means)
    published = lambda rows: (draw_published, "axvline", rows.published_percent)
    study.draw_bars(means, "over_percent", X, f"each link dead with {100 * dead:g} %, G never", published)
    for matrix, rows in means.groupby("matrix", sort=False):
        judge(study, matrix, rows.set_index("scheme").over_percent.fillna(numpy.inf))


def judge(study: BalancingStudy, matrix: str, gain: pandas.Series) -> None:
    contenders = gain[[name for name in CONTENDERS if name in gain]]
    study.claim_order(f"{matrix}: reps is the best of the study's seven", "reps < others", contenders)
    study.claim_order(f"{matrix}: switch-ar prefers dead ports: no better than rr", "switch-ar >= rr", gain)
