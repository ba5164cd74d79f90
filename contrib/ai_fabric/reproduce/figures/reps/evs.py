# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""REPS and OPS by the number of entropies (its fig. 12)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.plot.charts import powers_of_two, spaced
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.reps import ALL, ARTIFACT, HOSTS_16, HOSTS_128, TRIMMING, draw_marks

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.reps import RepsStudy

SIZE = "8MiB"
COUNTS = [32, 256, ALL]
ATTRIBUTES = {"ops": "HostRandomBalancer", "reps-fifo": "RepsFifoBalancer", "reps": "RepsBalancer"}

# Longest and mean flow in us, with switches that trim, in the artifact, whose REPS was the legacy one (here
# reps-fifo); one run, OPS with 32 entropies the mean of 10. It has 65535 entropies in place of 16384.
LONGEST = {
    "ops": [(313.4, 214.0), (237.4, 193.8), (194.4, 187.1)],
    "reps-fifo": [(198.7, 184.9), (185.1, 183.5), (185.1, 183.4)],
}
REFERENCE = {(count, scheme): value for scheme, values in LONGEST.items() for count, value in zip(COUNTS, values)}


def reproduce(study: RepsStudy) -> None:
    fabric = {**study.pick(full=HOSTS_128, quick=HOSTS_16), **TRIMMING, "size": SIZE}
    options = lambda case: {**fabric, **attributes(ATTRIBUTES[case.scheme], Entropies=case.entropies)}
    _, means = study.longest(study.cases(list(ATTRIBUTES), options, entropies=COUNTS), "entropies", REFERENCE)
    study.save(means)
    lines = (draw_marks, means, "entropies", "longest_us", study.quick)
    panel = Panel("", "entropies of a queue pair", "longest flow (us)", lines, (powers_of_two, COUNTS))
    scenario = f"permutation of {spaced(SIZE)}, {study.hosts()} hosts, switches trim"
    study.draw([panel], scenario + ("" if study.quick else "; hollow: the reference simulator"), width=5.2)
    study.claim_both_as_reference(means)
    judge(study, means)
    study.claim_marks(means, "entropies")


def judge(study: RepsStudy, means: pandas.DataFrame) -> None:
    rows = means[means.marks == ARTIFACT]
    table = rows.pivot(index="entropies", columns="scheme", values="longest_us")
    few, many = COUNTS[0], COUNTS[-1]
    for scheme, expected in {"ops": "1.4 or more", "reps": "1.1 or less", "reps-fifo": "1.1 or less"}.items():
        if scheme in table:
            claim = f"{scheme}: longest flow with {few} entropies over that with {many}"
            study.claim(claim, expected, table[scheme][few] / table[scheme][many])
