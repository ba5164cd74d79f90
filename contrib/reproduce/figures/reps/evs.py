# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""REPS and OPS by the number of entropies (its fig. 12)"""

from charts import finish, legend, panels, powers_of_two, spaced
from grid import Case
from papers.reps import ALL, ARTIFACT, BASE, HOSTS_16, HOSTS_128, MARKS, SPACE, TRIMMING, draw_marks

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


def reproduce(study):
    fabric = {**study.pick(full=HOSTS_128, quick=HOSTS_16), **TRIMMING, "size": SIZE}
    cases = [
        Case(
            {"scheme": scheme, "entropies": count, "marks": marks},
            {**BASE, **marker, **study.options_of(scheme), **fabric, f"{SPACE}{ATTRIBUTES[scheme]}::Entropies": count},
        )
        for marks, marker in MARKS.items()
        for scheme in study.schemes(ATTRIBUTES)
        for count in COUNTS
        if marks == ARTIFACT or scheme != "reps-fifo"
    ]
    _, means = study.longest(cases, "entropies", REFERENCE)
    study.save(means)
    draw(study, means)
    study.claim_both_as_reference(means)
    judge(study, means)
    study.claim_marks(means, "entropies")


def draw(study, means):
    figure, (axes,) = panels(width=5.2)
    draw_marks(axes, means, "entropies", "longest_us", study.quick)
    powers_of_two(axes, COUNTS)
    axes.set_xlabel("entropies of a queue pair")
    axes.set_ylabel("longest flow (us)")
    legend(axes)
    scenario = f"permutation of {spaced(SIZE)}, {study.hosts()} hosts, switches trim"
    finish(figure, study, scenario + ("" if study.quick else "; hollow: the reference simulator"))


def judge(study, means):
    rows = means[means.marks == ARTIFACT]
    table = rows.pivot(index="entropies", columns="scheme", values="longest_us")
    expected = {"ops": ("1.4 or more", lambda ratio: ratio >= 1.4), "reps": ("1.1 or less", lambda ratio: ratio <= 1.1)}
    expected["reps-fifo"] = expected["reps"]
    for scheme, (text, holds) in expected.items():
        if scheme in table:
            ratio = float(table[scheme][COUNTS[0]] / table[scheme][COUNTS[-1]])
            study.claim(f"{scheme}: longest flow with {COUNTS[0]} entropies over that with {COUNTS[-1]}", text, ratio,
                        holds(ratio))
