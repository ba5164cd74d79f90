# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""ESA: which verdicts flip with the rules that its public text does not state"""

import pandas

from charts import finish, panels
from grid import Case
from papers.esa import DRIVER, HOSTS, MODEL, one_switch, reach_of, results_of
from papers.prime import SPACE

STAGE = f"{SPACE}SlotStage"
REMINDER = f"{SPACE}ParameterServer::ReminderTime"

# The rules of ESA that are inferred, each in place of the usual one.
RULES = {
    "usual": {},
    "priority: job": {DRIVER: "job"},
    "priority: layer": {DRIVER: "layer"},
    "priority: ratio": {DRIVER: "ratio"},
    "priority: equal": {DRIVER: "equal"},
    "priority: random": {DRIVER: "random"},
    "free at acknowledgement": {f"{STAGE}::FreePolicy": "acknowledgement"},
    "free at acknowledgement, priority: equal": {f"{STAGE}::FreePolicy": "acknowledgement", DRIVER: "equal"},
    "result from the switch": {"resultPath": "switch"},
    "result from the switch, window 100": {"resultPath": "switch", "aggregationWindow": 100},
    "no ageing": {f"{STAGE}::Ageing": "false"},
    "reminder after 10 us": {REMINDER: "10us"},
    "reminder after 40 us": {REMINDER: "40us"},
    "reordering after 3 packets": {f"{SPACE}AtpWorker::ReorderThreshold": "3"},
}
# What is compared with: ATP, with its own free policy and with ESA's.
OTHERS = {"atp": {}, "atp-free": {f"{STAGE}::FreePolicy": "completion"}}
SCARCE, AMPLE = 400, 3200  # slots; all windows together ask for 1600
FLIPS = ["esa < atp", "esa < atp-free", "ample: esa <= atp + 2 %", "f > 0.9"]

SEEDS = 10, 1  # there are many rules


def reproduce(study):
    common = {**one_switch(HOSTS), "workload": "all-reduce", "jobs": study.mixed_jobs(), **MODEL, **reach_of("esa")}
    systems = {name: {"algorithm": "esa", **options} for name, options in RULES.items()}
    systems |= {name: {"algorithm": "atp", **options} for name, options in OTHERS.items()}
    cases = [
        Case({"rule": name, "slots": slots}, {**common, **options, "slots": slots})
        for name, options in systems.items()
        for slots in (SCARCE, AMPLE)
    ]
    table = summarize(study.run(cases))
    study.save(table)
    draw(study, table)
    judge(study, table)


def summarize(runs):
    rows = []
    for (rule, slots), group in runs.groupby(["rule", "slots"], sort=False):
        found = pandas.DataFrame([results_of(run) for run in group.itertuples() if run.completed])
        columns = ["hit_share", "preemptions", "reminders", "retransmissions", "server_packets_per_fragment"]
        rows.append({
            "rule": rule, "slots": slots, "runs": len(found), "jct_us": found.jct_ns.mean() / 1000,
            **{column: found[column].mean() for column in columns}, "wrong_sums": found.wrong_sums.sum(),
        })
    return pandas.DataFrame(rows)


def verdicts_of(table):
    """Whether each verdict holds, by rule."""
    times = table.pivot(index="rule", columns="slots", values="jct_us")
    hits = table.pivot(index="rule", columns="slots", values="hit_share")
    rows = {}
    for rule in [rule for rule in RULES if rule in times.index]:
        scarce, ample = times.loc[rule, SCARCE], times.loc[rule, AMPLE]
        rows[rule] = [
            scarce < times.loc["atp", SCARCE], scarce < times.loc["atp-free", SCARCE],
            ample <= 1.02 * times.loc["atp", AMPLE], hits.loc[rule, SCARCE] > 0.9,
        ]
    return pandas.DataFrame.from_dict(rows, orient="index", columns=FLIPS)


def draw(study, table):
    figure, grid = panels(1, 1, width=7, height=4.2)
    times = table.pivot(index="rule", columns="slots", values="jct_us").reindex([*RULES, *OTHERS])
    for place, rule in enumerate(times.index):
        grid[0].barh(place - 0.2, times[SCARCE][rule], 0.4, color="C2" if rule in RULES else "C1")
        grid[0].barh(place + 0.2, times[AMPLE][rule], 0.4, color="C2" if rule in RULES else "C1", alpha=0.4)
    grid[0].set_yticks(range(len(times)), times.index)
    grid[0].invert_yaxis()
    grid[0].set_xlabel(f"mean completion time (us): {SCARCE} slots, and {AMPLE} (pale)")
    finish(figure, study, "eight jobs of 4 workers, one switch, 100 Gb/s")


def judge(study, table):
    found = verdicts_of(table)
    study.save(found.rename_axis("rule").reset_index(), "-flips")
    times = table.pivot(index="rule", columns="slots", values="jct_us")
    study.claim("with the usual rules, ESA is before ATP, also before one that frees slots early", "less time",
                f"{times.loc['usual', SCARCE]:.0f}, ATP {times.loc['atp', SCARCE]:.0f} and "
                f"{times.loc['atp-free', SCARCE]:.0f} us",
                found.loc["usual", "esa < atp"] and found.loc["usual", "esa < atp-free"])
    study.claim("slots that are free at the acknowledgement: no longer before ATP", "flips",
                f"{times.loc['free at acknowledgement', SCARCE]:.0f}, ATP {times.loc['atp', SCARCE]:.0f} us",
                not found.loc["free at acknowledgement", "esa < atp"])
    study.claim("the same without preemption (equal priorities): no longer before ATP", "flips",
                f"{times.loc['free at acknowledgement, priority: equal', SCARCE]:.0f}, ATP "
                f"{times.loc['atp', SCARCE]:.0f} us",
                not found.loc["free at acknowledgement, priority: equal", "esa < atp"])
    study.claim("priorities of jobs alone: behind ATP where memory is ample", "flips",
                f"{times.loc['priority: job', AMPLE]:.0f}, ATP {times.loc['atp', AMPLE]:.0f} us",
                not found.loc["priority: job", "ample: esa <= atp + 2 %"])
    for rule, other, slots, percent in (
        ("result from the switch, window 100", "usual", AMPLE, 2),
        ("priority: layer", "usual", SCARCE, 3), ("priority: equal", "atp-free", SCARCE, 3),
        ("no ageing", "usual", SCARCE, 3), ("reminder after 10 us", "usual", SCARCE, 2),
        ("reminder after 40 us", "usual", SCARCE, 2),
    ):
        study.claim_near(f"{rule}: as {other}", 1, times.loc[rule, slots] / times.loc[other, slots], percent=percent)
    study.claim("all sums are right", "0 wrong", f"{table.wrong_sums.sum()} wrong", table.wrong_sums.sum() == 0)
