# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Buffers of 20 packets a port (Fig. 9)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ai_fabric.reproduce.papers.balancing import CONTENDERS, DR, OVER_BOUND, traffic
from ai_fabric.reproduce.study import WIRE

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.balancing import BalancingStudy

PACKETS = 20
CACHED = "switch-ar-100ns"
SCHEMES = [*CONTENDERS, CACHED, *DR]
OPTIONS = {"buffer": PACKETS * WIRE, "stallTime": "2ms"}


def reproduce(study: BalancingStudy) -> None:
    sizes = {matrix: study.sizes[matrix] for matrix in ("permutation", "all-to-all")}
    runs = study.run(study.sweep(OPTIONS, scheme=SCHEMES, matrix=traffic(sizes)))
    means = study.with_reference(study.means(runs, ["matrix", "scheme"], ["increase_percent", "drops"]))
    study.save(means)
    scenario = f"{PACKETS} packets of buffer a port (reference model: unlimited)"
    study.draw_bars(means, "increase_percent", OVER_BOUND, scenario)
    judge(study, means, runs)


def judge(study: BalancingStudy, means: pandas.DataFrame, runs: pandas.DataFrame) -> None:
    one = means[means.matrix == "permutation"].set_index("scheme").increase_percent
    study.claim_ofan_best("permutation", one.fillna(numpy.inf))
    runs = runs[runs.matrix == "permutation"].pivot_table(index="seed", columns="scheme", values="increase_percent")
    if {"switch-ar", "reps"} <= set(runs):
        wins = (runs["switch-ar"] < runs["reps"]).sum()
        claim, measured = "permutation: switch-ar sometimes beats reps", f"in {wins} of {len(runs)}"
        study.claim(claim, "in some runs, not in all", measured, 0 < wins < len(runs))
    claim = "permutation: switch-ar with levels of up to 0.1 us ago beats reps, means"
    study.claim_order(claim, f"{CACHED} < reps", one)
