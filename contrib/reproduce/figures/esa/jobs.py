# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""ESA, ATP and SwitchML: slowdown of jobs in mixes of communication-heavy and compute-heavy ones"""

import pandas

from charts import finish, legend, panels
from grid import Case
from papers.esa import (ITERATIONS, JOBS, KINDS, MODEL, WORKERS, layers_of, one_switch, reach_of, results_of)

SEEDS = 30
SLOTS = 400  # a quarter of all windows, where the published 1.35 times comes out in esa-slots
AMPLE = 20000
HEAVY, LIGHT = KINDS
MIXES = [8, 6, 4, 2, 0]  # communication-heavy jobs of the eight
SYSTEMS = {"switchml": {}, "atp": MODEL, "esa": MODEL}
LOOKS = dict(zip(SYSTEMS, [("C0", "s"), ("C1", "o"), ("C2", "o")]))
E1 = 1.35  # published: up to so many times, of a mean completion time; of which mix and memory is not public


def jobs_of(heavy):
    """The jobs of a mix: both kinds take turns as long as there are both."""
    kinds = [HEAVY if (job + 1) * heavy // JOBS > job * heavy // JOBS else LIGHT for job in range(JOBS)]
    return [(kind, ITERATIONS[job % len(ITERATIONS)]) for job, kind in enumerate(kinds)]


def cases_of(study):
    cases = []

    def add(mix, system, jobs, slots):
        fabric = one_switch(len(jobs) * (WORKERS + 1))
        path = study.write_jobs(mix, [layers_of(*job) for job in jobs])
        options = {"workload": "all-reduce", "algorithm": system, "jobs": path}
        cases.append(Case({"mix": mix, "system": system},
                          {**fabric, **options, "slots": slots, **reach_of(system), **SYSTEMS[system]}))

    for heavy in study.pick(full=MIXES, quick=[6, 4]):
        for system in SYSTEMS:
            add(f"heavy-{heavy}", system, jobs_of(heavy), SLOTS)
    for kind in (HEAVY, LIGHT):
        for iterations in ITERATIONS:
            add(f"alone-{kind[0]}-{iterations}", "esa", [(kind, iterations)], AMPLE)
    return cases


def reproduce(study):
    runs = study.run(cases_of(study))
    found = {(run.mix, run.system, run.seed): results_of(run) for run in runs.itertuples() if run.completed}
    table = slowdowns(found)
    study.save(table)
    draw(study, table)
    judge(study, table)


def slowdowns(found):
    """A row a mix and system: completion times and slowdowns of all jobs of all runs."""
    alone = {}
    for (mix, _, _), results in found.items():
        if mix.startswith("alone"):
            alone.setdefault(mix, []).append(results["jct_ns"])
    alone = {mix: sum(times) / len(times) for mix, times in alone.items()}
    groups = {}
    for (mix, system, _), results in found.items():
        if mix.startswith("heavy"):
            groups.setdefault((mix, system), []).append(results)
    rows = []
    for (mix, system), several in groups.items():
        heavy = int(mix.removeprefix("heavy-"))
        names = [f"alone-{kind[0]}-{iterations}" for kind, iterations in jobs_of(heavy)]
        jobs = pandas.DataFrame([{"kind": kind, "us": job["jct_ns"] / 1000, "slow": job["jct_ns"] / alone[name]}
                                 for results in several
                                 for job, name, (kind, _) in zip(results["jobs"], names, jobs_of(heavy))])
        slow = jobs.slow
        rows.append({
            "heavy": heavy, "system": system, "runs": len(several),
            "jct_us": sum(results["jct_ns"] for results in several) / len(several) / 1000,
            "mean_slowdown": slow.mean(), "p99_slowdown": slow.quantile(0.99),
            "hit_share": sum(results["hit_share"] for results in several) / len(several),
            **times_by_kind(jobs),
            "wrong_sums": sum(results["wrong_sums"] for results in several),
        })
    return pandas.DataFrame(rows)


def times_by_kind(jobs):
    """Percentiles of the completion times of each kind of job, in us."""
    times = {}
    for word, kind in (("heavy", HEAVY), ("light", LIGHT)):
        us = jobs.us[[found == kind for found in jobs.kind]]
        times |= {f"{word}_p{percent}_us": us.quantile(percent / 100) for percent in (95, 99)}
    return times


def draw(study, table):
    figure, grid = panels(1, 2, width=4.6, height=3.4)
    for axes, column in ((grid[0], "jct_us"), (grid[1], "mean_slowdown")):
        for system, rows in table.groupby("system", sort=False):
            color, marker = LOOKS[system]
            axes.plot(rows.heavy, rows[column], marker=marker, color=color, label=system, linewidth=1)
            if column == "mean_slowdown":
                axes.plot(rows.heavy, rows.p99_slowdown, marker=marker, color=color, linewidth=1, linestyle=":")
        axes.set_xticks(sorted(set(table.heavy)))
        axes.set_xlabel(f"communication-heavy jobs of {JOBS}")
        axes.set_ylim(bottom=0)
    grid[0].set_ylabel("mean completion time (us)")
    grid[1].set_ylabel("slowdown: mean\ndotted: 99th percentile")
    legend(grid[1])
    finish(figure, study, f"{JOBS} jobs of {WORKERS} workers, one switch of {SLOTS} slots, 100 Gb/s")


def judge(study, table):
    times = table.pivot(index="heavy", columns="system", values="jct_us")
    gain = times.atp / times.esa
    study.claim_near("E1: ATP over ESA with 4 communication-heavy jobs of 8", E1, gain[4], percent=15)
    study.claim("E1: the most of all mixes", f"{E1} or more",
                f"{gain.max():.2f}, {gain.idxmax()} communication-heavy", gain.max() >= E1)
    study.claim("ESA is before ATP and SwitchML in each mix", "esa", ", ".join(times.idxmin(axis=1)),
                (times.idxmin(axis=1) == "esa").all())
    for column, word in (("mean_slowdown", "mean"), ("p99_slowdown", "99th percentile of the")):
        slow = table.pivot(index="heavy", columns="system", values=column)
        study.claim(f"{word} slowdown: ESA before ATP in each mix", "esa < atp",
                    ", ".join(f"{row.esa:.2f} < {row.atp:.2f}" for row in slow.itertuples()),
                    (slow.esa < slow.atp).all())
    study.claim("all sums are right", "0 wrong", f"{table.wrong_sums.sum()} wrong", table.wrong_sums.sum() == 0)
