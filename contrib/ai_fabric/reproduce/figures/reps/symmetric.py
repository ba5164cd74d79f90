# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""REPS and its rivals on a healthy fabric: permutation, tornado, 8:1 incast (its fig. 2)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.plot.charts import spaced
from ai_fabric.reproduce.papers.reps import ARTIFACT, HOSTS_128, HOSTS_16, RIVALS, SIZE, TRAFFIC, by_scheme
from ai_fabric.reproduce.verdicts import ratio_of

if TYPE_CHECKING:
    from ai_fabric.reproduce.papers.reps import RepsStudy

# Longest and mean flow in us by traffic, in the order of the schemes, in the artifact: means of 10 runs, of mprdma,
# bitmap and the incast one run
REFERENCE: dict[str, list] = {
    "permutation": [
        (390.1, 181.6), (364.0, 190.3), (391.5, 181.7), (220.4, 126.9),
        (107.1, 98.4), (106.3, 99.8), (102.2, 98.3), (133.9, 104.4), (98.1, 96.5),
    ],
    "tornado": [
        (401.8, 167.7), (342.2, 174.7), (378.0, 168.2), (217.2, 123.3),
        (111.4, 99.4), (101.4, 99.0), (100.1, 98.3), (95.4, 95.2), (97.1, 96.4),
    ],
    "incast 8:1": [710.6, 713.5, 716.2, 724.5, 695.4, 725.9, 737.2, 713.6, 724.2],
}


def reproduce(study: RepsStudy) -> None:
    fabric = {**study.pick(full=HOSTS_128, quick=HOSTS_16), "size": SIZE}
    _, means = study.longest(study.cases(RIVALS, fabric, traffic=TRAFFIC), "traffic", by_scheme(REFERENCE))
    study.save(means)
    study.draw_conditions(means, "traffic", [*TRAFFIC], f"{spaced(SIZE)} a flow, {study.hosts()} hosts")
    study.claim_both_as_reference(means)
    table = means[means.marks == ARTIFACT].pivot(index="traffic", columns="scheme", values="longest_us")
    for traffic in ("permutation", "tornado"):
        hosts = table.loc[traffic].drop("switch-adaptive", errors="ignore")
        study.claim_best(f"{traffic}: REPS is the best of the hosts' schemes", "reps", hosts, "{:.4g} us")
    ratio = ratio_of(table.loc["tornado"], "ops", "reps")
    study.claim_near("tornado: OPS's longest flow over REPS's", 1.15, ratio, percent=10)
    ratio = ratio_of(table.loc["permutation"], "ecmp", "reps")
    study.claim("permutation: ECMP's longest flow over REPS's", "3 or more", ratio)
    study.claim_marks(means[means.traffic != "incast 8:1"], "traffic")
