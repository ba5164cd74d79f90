# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The reference model's own setting: a permutation, all at once, unlimited buffers (targets)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.plot.charts import decades, draw_reference, draw_schemes, powers_of_two
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.balancing import OVER_BOUND, reference, room
from ai_fabric.reproduce.study import EQUAL_PACKETS, size_of

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.balancing import BalancingStudy

SCHEMES = list(reference.COMPLETION["permutation"])


def reproduce(study: BalancingStudy) -> None:
    sizes = study.pick(full=reference.SIZES["permutation"], quick=reference.SIZES["permutation"][:2])
    options = lambda case: {"jitter": "0ns", **EQUAL_PACKETS, "size": case.size, "buffer": room(case.scheme)}
    table = study.run(study.sweep(options, scheme=SCHEMES, size=sizes))
    means = study.means(table, ["scheme", "size"], ["increase_percent", "max_queue_packets"])
    means["standard_error"] = standard_errors(table, ["scheme", "size"], "increase_percent")
    means = reference.beside(means, lambda row: (study.k, "permutation", row.size))
    study.save(means)
    lines = (draw_schemes, means, "size", "increase_percent")
    known = (draw_reference, means["size"], means.reference_percent, "_")
    panel = Panel("", "message", OVER_BOUND, lines, known, (powers_of_two, means["size"], size_of), decades)
    study.draw([panel], f"{study.network}, simultaneous starts, nothing is dropped")
    gain = means.pivot(index="size", columns="scheme", values="increase_percent")
    for size, row in gain.iterrows():
        study.claim_ranking(size_of(size), row)
    if not study.quick:
        errors = means.pivot(index="size", columns="scheme", values="standard_error")
        study.claim_reference(gain, reference.COMPLETION["permutation"], errors)


def standard_errors(table: pandas.DataFrame, by: list[str], column: str) -> list[float]:
    """The standard error of each mean over the runs, in the order of the cases; none of one run."""
    return table.groupby(by, sort=False)[column].sem().to_list()
