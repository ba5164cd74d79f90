# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""REPS and its rivals with four cables at half their rate, upward only (its fig. 4)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.plot.charts import spaced
from ai_fabric.reproduce.papers.reps import ARTIFACT, HOSTS_128, HOSTS_16, RIVALS, SIZE, TRAFFIC, by_scheme
from ai_fabric.reproduce.verdicts import ratio_of

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.reps import RepsStudy

CONDITIONS = {name: TRAFFIC[name] for name in ("permutation", "tornado")}
SLOW = [0, 4, 8, 12]  # leaves of which one cable is slow, that to spine 0, as in the artifact

# Longest and mean flow in us by traffic, in the order of the schemes, in the artifact: means of 10 runs, of mprdma
# and bitmap one run
REFERENCE = {
    "permutation": [
        (437.7, 184.6), (360.0, 193.2), (428.2, 187.9), (285.9, 131.4),
        (148.5, 108.0), (141.5, 108.4), (112.6, 99.9), (132.2, 105.2), (104.9, 97.4),
    ],
    "tornado": [
        (442.4, 171.5), (352.4, 177.1), (448.2, 175.8), (251.4, 127.0),
        (147.1, 109.8), (142.0, 108.4), (116.7, 100.4), (102.4, 96.8), (104.0, 98.0),
    ],
}
# Longest flow of the permutation over that of REPS, all of one run of the artifact, as bitmap has no other
RATIOS = {"ops": 150.1 / 105.8, "bitmap": 112.6 / 105.8}


def reproduce(study: RepsStudy) -> None:
    slow = study.pick(full=SLOW, quick=SLOW[:1])
    faults = ",".join(f"leaf-{leaf}--spine-0/up~0.5@0ns" for leaf in slow)
    fabric = {**study.pick(full=HOSTS_128, quick=HOSTS_16), "size": SIZE, "fail": faults}
    _, means = study.longest(study.cases(RIVALS, fabric, traffic=CONDITIONS), "traffic", by_scheme(REFERENCE))
    study.save(means)
    cables = "one slow cable" if len(slow) == 1 else f"{len(slow)} slow cables"
    study.draw_conditions(means, "traffic", [*CONDITIONS], f"{spaced(SIZE)} a flow, {study.hosts()} hosts, {cables}")
    study.claim_both_as_reference(means)
    judge(study, means)
    study.claim_marks(means, "traffic")


def judge(study: RepsStudy, means: pandas.DataFrame) -> None:
    table = means[means.marks == ARTIFACT].pivot(index="traffic", columns="scheme", values="longest_us")
    for scheme, expected in RATIOS.items():
        claim, ratio = f"permutation: longest flow of {scheme} over that of REPS", table.loc["permutation"]
        study.claim_near(claim, round(expected, 2), ratio_of(ratio, scheme, "reps"), percent=10)
    hosts = table.drop(columns="switch-adaptive", errors="ignore")
    for traffic in CONDITIONS:
        claim = f"{traffic}: REPS is the best of the hosts' schemes"
        study.claim_best(claim, "reps", hosts.loc[traffic], "{:.4g} us")
