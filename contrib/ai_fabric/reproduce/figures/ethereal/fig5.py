# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""An iteration of GPT-2, leaf-spine of 256 hosts (Fig. 5)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.plot.charts import draw_bars
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.ethereal import BALANCED, COMPARED, of

if TYPE_CHECKING:
    from ai_fabric.reproduce.papers.ethereal import EtherealStudy


def reproduce(study: EtherealStudy) -> None:
    """One run of each; by all-to-all in full only, which is six minutes a scheme."""
    names = study.pick(full=BALANCED, quick=BALANCED[1:], usual=BALANCED[1:])
    study.seeds = 1
    table = study.run(study.training(COMPARED, names))
    means = study.times(table)
    study.save(means)
    shown = [Panel(f"GPT-2, {name}", "time over the lower bound (%)", "", (draw_bars, rows, "increase_percent"))
             for name, rows in means.groupby("collective", sort=False)]
    scenario = "one iteration, compute takes no time; leaf-spine, 400 Gb/s"
    study.draw(shown, scenario, legends=0, width=5.2, height=0.36 * means.scheme.nunique() + 1)
    times, by_seed = study.pivot(means), study.by_seed(table)
    study.claim_up_to(times, by_seed)
    for name in names:
        study.claim_best_of_all(name, *of(name, times, by_seed))
