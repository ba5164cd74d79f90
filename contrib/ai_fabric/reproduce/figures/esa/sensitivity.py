# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""ESA: which verdicts flip with the rules that its public text does not state"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
import pandas

from ai_fabric.plot.charts import name_rows
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes, leaf_spine
from ai_fabric.reproduce.papers.esa import DRIVER, EARLY, HOSTS, LIMITED, slots_of, summarize

if TYPE_CHECKING:
    from ai_fabric.common.aliases import Values
    from ai_fabric.reproduce.papers.esa import EsaStudy

LATE = attributes("SlotStage", FreePolicy="acknowledgement")

# The rules of ESA that are inferred, each in place of the usual one.
RULES: dict[str, Values] = {
    "usual": {},
    **{f"priority: {name}": {DRIVER: name} for name in ("job", "layer", "ratio", "equal", "random")},
    "free at acknowledgement": LATE,
    "free at acknowledgement, priority: equal": {**LATE, DRIVER: "equal"},
    "result from the switch": {"resultPath": "switch"},
    "result from the switch, window 100": {"resultPath": "switch", "aggregationWindow": 100},
    "no ageing": attributes("SlotStage", Ageing="false"),
    "reminder after 10 us": attributes("ParameterServer", ReminderTime="10us"),
    "reminder after 40 us": attributes("ParameterServer", ReminderTime="40us"),
    "reordering after 3 packets": attributes("AtpWorker", ReorderThreshold="3"),
}
# What is compared with: ATP, with its own free policy and with ESA's.
OTHERS: dict[str, Values] = {"atp": {}, "atp-free": EARLY}
SCARCE, AMPLE = 400, 3200  # slots; all windows together ask for 1600
COLUMNS = ["hit_share", "preemptions", "reminders", "retransmissions", "server_packets_per_fragment"]

SEEDS = 10, 1  # there are many rules


def reproduce(study: EsaStudy) -> None:
    rules = {name: {"algorithm": "esa", **options} for name, options in RULES.items()}
    rules |= {name: {"algorithm": "atp", **options} for name, options in OTHERS.items()}
    options: Values = {**leaf_spine(1, 1, HOSTS), "jobs": study.mixed_jobs(), **LIMITED}
    runs = study.run(study.sweep(options, rule=rules, slots=slots_of([SCARCE, AMPLE])))
    table = summarize(runs, ["rule", "slots"], COLUMNS)
    times = table.pivot(index="rule", columns="slots", values="jct_us")
    study.save(table)
    axis = f"mean completion time (us): {SCARCE} slots, and {AMPLE} (pale)"
    rows, colors = times.reindex([*RULES, *OTHERS]), ["C2"] * len(RULES) + ["C1"] * len(OTHERS)
    places = numpy.arange(len(rows))
    panel = Panel("", axis, "", ("barh", places - 0.2, rows[SCARCE], 0.4, {"color": colors}),
                  ("barh", places + 0.2, rows[AMPLE], 0.4, {"color": colors, "alpha": 0.4}), (name_rows, rows.index))
    study.draw([panel], "eight jobs of 4 workers, one switch, 100 Gb/s", legends=0, width=7, height=4.2)
    found = verdicts_of(table)
    study.save(found.reset_index(), "-flips")
    usual, atp, early = times.loc[["usual", "atp", "atp-free"], SCARCE]
    study.claim("with the usual rules, ESA is before ATP, also before one that frees slots early", "less time",
                f"{usual:.0f}, ATP {atp:.0f} and {early:.0f} us", usual < min(atp, early))
    for rule, slots, verdict, claim in (
        ("free at acknowledgement", SCARCE, "esa < atp",
         "slots that are free at the acknowledgement: no longer before ATP"),
        ("free at acknowledgement, priority: equal", SCARCE, "esa < atp",
         "the same without preemption (equal priorities): no longer before ATP"),
        ("priority: job", AMPLE, "ample: esa <= atp + 2 %",
         "priorities of jobs alone: behind ATP where memory is ample"),
    ):
        measured = f"{times.loc[rule, slots]:.0f}, ATP {times.loc['atp', slots]:.0f} us"
        study.claim(claim, "flips", measured, not found.loc[rule, verdict])
    for rule, other, slots, percent in (
        ("result from the switch, window 100", "usual", AMPLE, 2),
        ("priority: layer", "usual", SCARCE, 3), ("priority: equal", "atp-free", SCARCE, 3),
        ("no ageing", "usual", SCARCE, 3), ("reminder after 10 us", "usual", SCARCE, 2),
        ("reminder after 40 us", "usual", SCARCE, 2),
    ):
        study.claim_near(f"{rule}: as {other}", 1, times.loc[rule, slots] / times.loc[other, slots], percent=percent)
    study.claim_sums(table)


def verdicts_of(table: pandas.DataFrame) -> pandas.DataFrame:
    """Whether each verdict holds, by rule."""
    times, hits = (table.pivot(index="rule", columns="slots", values=name) for name in ("jct_us", "hit_share"))
    rules = [rule for rule in RULES if rule in times.index]
    return pandas.DataFrame({"esa < atp": times.loc[rules, SCARCE] < times.loc["atp", SCARCE],
                             "esa < atp-free": times.loc[rules, SCARCE] < times.loc["atp-free", SCARCE],
                             "ample: esa <= atp + 2 %": times.loc[rules, AMPLE] <= 1.02 * times.loc["atp", AMPLE],
                             "f > 0.9": hits.loc[rules, SCARCE] > 0.9})
