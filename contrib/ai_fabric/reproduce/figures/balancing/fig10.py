# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Messages of 32 KiB to 64 MiB, and of 4 to 64 KiB a pair in an all-to-all (Fig. 10)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ai_fabric.plot.charts import decades, draw_reference
from ai_fabric.reproduce.papers.balancing import CONTENDERS, DR, reference, reps_panels
from ai_fabric.reproduce.papers.balancing.reps_panels import panel
from ai_fabric.reproduce.study import size_of

if TYPE_CHECKING:
    from types import SimpleNamespace

    import pandas

    from ai_fabric.common.aliases import Values
    from ai_fabric.reproduce.papers.balancing import BalancingStudy

KIB = 1024
SIZES = {
    "permutation": [32 * KIB, 128 * KIB, 512 * KIB, *(4**step * KIB**2 for step in range(4))],
    "all-to-all": [4 * KIB, 16 * KIB, 64 * KIB],
}
QUICK_SIZES = {"permutation": [32 * KIB, 256 * KIB, KIB**2], "all-to-all": [4 * KIB, 16 * KIB]}
SCHEMES = [*CONTENDERS, "rsq", "jsq", "simple-rr", "host-dr-random", *DR]


def reproduce(study: BalancingStudy) -> None:
    sizes = study.pick(full=SIZES, quick=QUICK_SIZES)
    points = [(matrix, size) for matrix in sizes for size in sizes[matrix]]
    cases = study.sweep(options_of, scheme=SCHEMES, matrix=list(sizes), size=sorted({size for _, size in points}))
    cases = [case for case in cases if (case.labels["matrix"], case.labels["size"]) in points]
    columns = ["increase_percent", "max_queue_data_packets", "drops"]
    means = study.tabulate(cases, ["matrix", "scheme", "size"], columns)
    means = reference.beside(means, lambda row: (study.k, row.matrix, row.size))
    study.save(means)
    shown = []
    for matrix in SIZES:
        rows = means[means.matrix == matrix]
        known = (draw_reference, rows["size"], rows.reference_percent, "_")
        shown += [panel(rows, "completion time over the bound", "percent", "increase_percent", decades, known),
                  panel(rows, "largest queue", "data packets waiting", "max_queue_data_packets", decades)]
    study.draw(shown, study.network, rows=2, width=5.2)
    for matrix in SIZES:
        rows = means[means.matrix == matrix]
        judge(study, matrix, rows.pivot(index="size", columns="scheme", values="increase_percent"))
    reps_panels.reproduce(study, points, options_of, means)


def options_of(case: SimpleNamespace) -> Values:
    return {"size": case.size} if case.matrix == "permutation" else {"workload": case.matrix, "size": case.size}


def judge(study: BalancingStudy, matrix: str, gain: pandas.DataFrame) -> None:
    gain = gain.fillna(numpy.inf)  # of a run that stalled
    claim = study.claim_ranking if matrix == "permutation" else study.claim_ofan_best
    for size, row in gain.iterrows():
        claim(f"{matrix}, {size_of(size)}", row)
    if matrix == "permutation":
        judge_large(study, gain)
    if not study.quick:
        study.claim_reference(gain, reference.COMPLETION[matrix])


def judge_large(study: BalancingStudy, gain: pandas.DataFrame) -> None:
    for scheme in [name for name in gain if name in ("rsq", "host-random", "host-dr", "ofan")]:
        large = gain[scheme][gain.index >= KIB**2]
        study.claim_trend(f"{scheme}: the gap to the bound shrinks from 1 MiB on", "falling", large)
    if {"reps", "host-random"} <= set(gain) and gain.index.max() > 16 * KIB**2:
        first, *_, last = gain["reps"] / gain["host-random"]
        measured = f"{first:.3g} at 32 KiB, {last:.3g} at {size_of(gain.index.max())}"
        study.claim("reps loses to random spraying at very large sizes", "ratio above 1 there", measured, last > 1)
