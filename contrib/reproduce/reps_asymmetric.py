# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""REPS and its rivals with four cables at half their rate, upward only (its fig. 4)"""

from charts import spaced
from reps import ARTIFACT, HOSTS_16, HOSTS_128, RepsStudy
from reps_symmetric import SCHEMES, SIZE, TRAFFIC, by_scheme

STUDY = RepsStudy
CONDITIONS = ["permutation", "tornado"]
SLOW = [0, 4, 8, 12]  # leaves of which one cable is slow, that to spine 0, as in the artifact

# Longest and mean flow in us by traffic, in the order of the schemes, in the artifact; one run
REFERENCE = {
    "permutation": [
        (526.6, 189.4), (356.5, 195.3), (346.1, 184.5), (307.5, 132.8),
        (150.1, 109.2), (112.6, 99.9), (152.6, 106.1), (105.8, 98.1),
    ],
    "tornado": [
        (375.4, 170.9), (312.3, 167.2), (689.2, 173.1), (265.4, 127.6),
        (144.3, 109.8), (116.7, 100.4), (102.4, 96.7), (107.0, 98.1),
    ],
}
RATIOS = {"ops": 150.1 / 105.8, "bitmap": 112.6 / 105.8}  # of the permutation, over REPS


def reproduce(study):
    slow = study.pick(full=SLOW, quick=SLOW[:1])
    faults = ",".join(f"leaf-{leaf}--spine-0/up~0.5@0ns" for leaf in slow)
    fabric = {**study.pick(full=HOSTS_128, quick=HOSTS_16), "size": SIZE, "fail": faults}
    cases = study.cases(SCHEMES, "traffic", CONDITIONS, lambda name: {**fabric, **TRAFFIC[name]})
    _, means = study.longest(cases, "traffic", by_scheme(REFERENCE))
    study.save(means)
    titles = {name: name for name in CONDITIONS}
    cables = "one slow cable" if len(slow) == 1 else f"{len(slow)} slow cables"
    study.draw_conditions(means, "traffic", titles, f"{spaced(SIZE)} a flow, {study.hosts()} hosts, {cables}")
    study.claim_as_reference(means)
    judge(study, means)
    study.claim_marks(means, "traffic")


def judge(study, means):
    table = means[means.marks == ARTIFACT].pivot(index="traffic", columns="scheme", values="longest_us")
    if "reps" not in table:
        return
    for scheme, expected in RATIOS.items():
        if scheme in table:
            ratio = float(table[scheme]["permutation"] / table.reps["permutation"])
            claim = f"permutation: longest flow of {scheme} over that of REPS"
            study.claim_near(claim, round(expected, 2), ratio, percent=10)
    hosts = table.drop(columns="switch-adaptive", errors="ignore")
    for traffic in CONDITIONS:
        best = hosts.loc[traffic].idxmin()
        study.claim(f"{traffic}: REPS is the best of the hosts' schemes", "reps",
                    f"{best} ({hosts.loc[traffic, best]:.4g} us)", best == "reps")
