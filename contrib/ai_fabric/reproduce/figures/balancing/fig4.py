# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""1 % of the links dead, routing converges after G (Fig. 4)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ai_fabric.plot.charts import draw_categories, draw_published, spaced
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.balancing import COMPARED, traffic

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.balancing import BalancingStudy

MATRICES = {"all-to-all": "64KiB", "permutation": "1MiB"}
OPTIONS = {"rho": "max", "stallTime": "2ms"}
TIMES = ["0ns", "1us", "3us", "6.25us", "12.5us", "25us", "50us", "100us", "1ms", "never"]
ROUND_TRIP = "6.25us"
HOST, SWITCH = "reps", "switch-ar"
LINE: dict[str, Any] = {"color": "black", "linestyle": ":", "linewidth": 1}


def reproduce(study: BalancingStudy) -> None:
    times = study.pick(full=TIMES, quick=["0ns", ROUND_TRIP, "never"])
    dead = study.pick(0.01, 0.1)
    converging = {time: {"failRate": dead, "convergence": time} for time in times}
    cases = study.sweep(OPTIONS, matrix=traffic(MATRICES), scheme=COMPARED, G=converging)
    means = study.tabulate(cases, ["matrix", "scheme", "G"], ["over_percent", "published_percent"])
    study.save(means)
    shown = [
        Panel(f"{matrix}, {spaced(MATRICES[matrix])} a message", "G: until all switches know",
              "over the strict bound at rho_max (%)", (draw_categories, rows, "G", times, "over_percent"),
              ("axhline", 0, {"color": "black", "linewidth": 1.5, "label": "strict bound at rho_max"}),
              ("axvline", times.index(ROUND_TRIP), {**LINE, "label": "a round trip"}),
              ("set_yscale", "symlog", {"linthresh": 1, "linscale": 0.3}), ("set_ylim", -0.5),
              (draw_published, "axhline", rows.published_percent))
        for matrix, rows in means.groupby("matrix", sort=False)
    ]
    study.draw(shown, f"{study.network}, each link dead with {100 * dead:g} %; no point where a run stalled")
    for matrix, rows in means.groupby("matrix", sort=False):
        judge(study, matrix, rows.pivot(index="scheme", columns="G", values="over_percent"))


def judge(study: BalancingStudy, matrix: str, gain: pandas.DataFrame) -> None:
    gain = gain.fillna(numpy.inf)
    if not {HOST, SWITCH} <= set(gain.index):
        return
    near = abs(gain.loc[HOST, "0ns"] - gain.loc[SWITCH, "0ns"])
    study.claim(f"{matrix}: {HOST} and {SWITCH} alike at G = 0", "within 5 points", near, near <= 5)
    study.claim_order(f"{matrix}: {HOST} better than {SWITCH} when G is never", "reps < switch-ar", gain["never"])
    if matrix == "permutation":
        converged, late = gain.loc[SWITCH, "0ns"], gain.loc[SWITCH, ROUND_TRIP]
        claim = f"permutation: {SWITCH} loses already if G is one round trip ({ROUND_TRIP})"
        study.claim(claim, "above G = 0", [late, converged], late > converged)
