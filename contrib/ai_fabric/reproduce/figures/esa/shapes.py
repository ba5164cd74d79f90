# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""ESA, ATP and SwitchML: ten tests of what each rule does, each with the number that its formula gives"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy
import pandas

from ai_fabric.plot.charts import slant
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes, leaf_spine
from ai_fabric.reproduce.papers.esa import DRIVER, MODEL, results_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ai_fabric.common.aliases import Options
    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.esa import EsaStudy
    from ai_fabric.sweep.grid import Case

PATIENT = attributes("AtpWorker", FirstTimeout="1s", Timeout="1s")
OUTSTANDING = {"aggregationWindow": 1000, "aggregationReach": 1000}
KEYS = ["jct_ns", "line_rate_ns", "hit_share", "held_ns", "filling_ns", "slot_utilization", "preemptions", "collisions",
        "reminders", "requests", "retransmissions", "wrong_sums", "server_packets_per_fragment"]

SEEDS = 1, 1

# T2: 20 jobs whose windows are a tenth of the slots: a slot is used with probability 1 - 0.9^20, by one of two.
T2_SLOTS, T2_JOBS = 2000, 20
T2_FORMULA = (1 - 0.9**T2_JOBS) / 2
REMINDER = 80  # us in T8: longer than one worker computes longer than another
SWITCH_TO_SERVER = 2 * 1 + 1  # us: there, 1 us in the server, and back; the packet itself takes 0.06 us more


def cases_of(study: EsaStudy) -> list[Case]:
    """All runs, labelled by test and what differs between its runs."""
    cases = []

    def add(test: str, what: object, hosts: int, algorithm: str, *groups: Options, **options: object) -> None:
        found = leaf_spine(1, 1, hosts, algorithm=algorithm, **options)
        for group in groups:
            found |= group
        cases.extend(study.sweep(found, test=[test], what=[what]))

    size = study.pick(full="10MB", quick="1MB")
    for system in ("atp", "esa", "switchml"):
        add("T1", system, 5, system, {} if system == "switchml" else {"aggregationWindow": 400}, size=size, slots=20000)
    window = T2_SLOTS // T2_JOBS * 2
    for windows, latency in ((10, "1us"), (1, "1us"), (10, "1ms"), (1, "1ms")):
        add("T2", f"{windows} windows, server {latency}", 5 * T2_JOBS, "atp", MODEL, PATIENT,
            attributes("ParameterServer", Latency=latency), slots=T2_SLOTS, jobs=T2_JOBS, aggregationWindow=window,
            size=windows * window * 248)
    for pool in (8, 32):
        add("T2", f"switchml-{pool}", 5, "switchml", size="1MB", slots=2 * pool, aggregationWindow=pool)
    add_contests(study, add)
    add_losses(study, add)
    for what in ("completion", "acknowledgement"):
        add("T9", what, 5, "atp", MODEL, attributes("SlotStage", FreePolicy=what), size="1MB", slots=20000,
            aggregationWindow=50)
    for slots in (50, 100, 150, 180):
        add("T10", slots, 9, "atp", MODEL, size=size, slots=slots, aggregationWindow=200)
    return cases


def add_contests(study: EsaStudy, add: Callable[..., None]) -> None:
    """T3 to T6: two jobs ask for the same slots; 1 / remaining time makes the first one ten times as urgent.

    Ageing lets the other one have slots, so T3 is without it. There the urgent job has a window of fragments, and
    its first worker begins with the other job's. The others come when that job has communicated. In T6, the urgent
    job holds all slots, and waits for one of its workers while the other job communicates."""
    size = study.pick(full=1240000, quick=620000)
    files = {name: {"slots": 1000, "jobs": study.write_jobs(name, jobs)} for name, jobs in (
        ("jobs", [f"{size},1,1,10000,1,90000", f"{size},1,1,100000,0.1,0"]),
        ("window", ["248000,1,1,10000,30,94000", "496000,1,1,100000,0.1,0"]),
        ("straggler", [f"{size},1,1,10000,1,300000", f"{size},1,1,100000,3,0"]),
        ("starved", [f"{size},1,1,200000,5,0", f"{size},1,1,600000,0.01,0"]),
    )}
    contest, urgent = {**MODEL, **OUTSTANDING}, {DRIVER: "job"}
    ageing = {name: attributes("SlotStage", Ageing=name) for name in ("true", "false")}
    for what, name in (("", "window"), (", little skew", "jobs")):
        add("T3", f"atp{what}", 10, "atp", contest, files[name])
        add("T3", f"esa{what}", 10, "esa", contest, files[name], urgent, ageing["false"])
    add("T5", "equal", 10, "esa", contest, files["jobs"], {DRIVER: "equal"})
    for what, ages in (("on", "true"), ("off", "false")):
        add("T6", what, 10, "esa", contest, files["starved"], urgent, ageing[ages])
    for system, more in {"atp": {}, "esa": urgent}.items():
        add("T4", system, 10, system, contest, files["straggler"], more)
    add("T4", "switchml", 8, "switchml", files["straggler"])


def add_losses(study: EsaStudy, add: Callable[..., None]) -> None:
    """T7 and T8: losses on the links of the first worker, and partial sums that are stranded."""
    # A server asks for a fragment of which it has something, so where slots are few.
    silent = {**attributes("AtpWorker", ReorderThreshold="0"), "slots": 100}
    loss, size = {"fail": "host-0%0.0001@0s"}, study.pick("20MB", "10MB")
    whats: dict[str, Options] = {"default": loss, "no reordering": {**silent, **loss},
                                 "no reordering, no loss": {**silent, "fail": "none"}}
    for what, more in whats.items():
        for system in ("atp", "esa"):
            add("T7", f"{system}, {what}", 5, system, more, size=size)
    jobs = study.write_jobs("stranded", ["12400,1,1,20000,1,0"] * 2)
    never = attributes("AtpWorker", Timeout="0s", ReorderThreshold="0")
    for what, reminds, slots in (("true", "true", 20), ("false", "false", 20), ("ample", "true", 20000)):
        add("T8", what, 10, "esa", {DRIVER: "random"}, never,
            attributes("ParameterServer", Reminders=reminds, ReminderTime=f"{REMINDER}us"),
            jobs=jobs, slots=slots, aggregationWindow=100)


def reproduce(study: EsaStudy) -> None:
    rows = []
    for run in study.run(cases_of(study)).itertuples():
        found = results_of(run) if run.completed else {}
        row = {name: getattr(run, name) for name in ("test", "what", "seed", "completed")}
        row |= {key: found.get(key, math.nan) for key in KEYS} | {"completed_sums": found.get("completed", math.nan)}
        for name, job in zip(("first", "second"), [*found.get("jobs", []), {}, {}]):
            row |= {f"{name}_{key}": job.get(key, math.nan) for key in ("jct_ns", "hit_share")}
        rows.append(row)
    table = pandas.DataFrame(rows)
    study.save(table)
    means = table.drop(columns="seed").groupby(["test", "what"], sort=False).mean()
    both = {f"T3 {what}": means.loc["T3", what] for what in ("atp", "esa", "esa, little skew")}
    both |= {f"T6 ageing {what}": means.loc["T6", what] for what in ("on", "off")}
    windows, rates, shares = means.loc["T2"].hit_share.filter(like="server"), means.loc["T10"], numpy.arange(101) / 100
    shown = [
        Panel("T10: 8 workers", "share f that is added up in the switch", "rate / line rate\nline: 1 / (f + (1 - f) N)",
              ("plot", shares, rate_law(shares, 8), {"color": "black", "linewidth": 0.8}),
              ("plot", rates.hit_share, rates.line_rate_ns / rates.jct_ns, "o", {"color": "C1"})),
        Panel("two jobs, slots for one", "", "share f\ngreen: urgent job, red: other", (draw_contests, both), slant),
        Panel(f"T2: {T2_JOBS} jobs, windows of a tenth", "", "share f (%); line: formula", (draw_windows, windows)),
    ]
    study.draw(shown, "one switch, 4 or 8 workers a job, 100 Gb/s", legends=0, width=4.2, height=3.4)
    judge(study, means)


def rate_law(share: Any, workers: int) -> Any:
    """The rate of a worker as a share of the line rate, if a share of its packets is added up in the switch."""
    return 1 / (share + (1 - share) * workers)


def draw_contests(axes: Axes, both: Mapping[str, pandas.Series]) -> None:
    for place, row in enumerate(both.values()):
        axes.bar(place - 0.2, row.first_hit_share, 0.4, color="C2")
        axes.bar(place + 0.2, row.second_hit_share, 0.4, color="C3")
    axes.set_xticks(range(len(both)), both)


def draw_windows(axes: Axes, shares: pandas.Series) -> None:
    axes.bar(range(len(shares)), 100 * shares, color="C0")
    axes.axhline(100 * T2_FORMULA, color="black", linewidth=0.8)
    names = [what.replace(", ", "\n").replace("1 windows", "1 window") for what in shares.index]
    axes.set_xticks(range(len(shares)), names)


def judge(study: EsaStudy, means: pandas.DataFrame) -> None:
    ample = means.loc["T1"]
    study.claim_near("T1: share f with ample memory", 1, ample.hit_share.min(), points=0.001)
    study.claim_near("T1: time of ESA over that of ATP", 1, ample.jct_ns["esa"] / ample.jct_ns["atp"], percent=2)
    study.claim_near("T1: ATP's rate over the line rate", 1, ample.line_rate_ns["atp"] / ample.jct_ns["atp"], percent=3)
    share = ample.jct_ns["switchml"] / ample.jct_ns["atp"]
    study.claim("T1: SwitchML takes no longer than ATP", "at most 1.02", share)
    crowd = means.loc["T2"]
    study.claim_near("T2: share f (%) of 20 jobs, of one window that is held as a whole", round(100 * T2_FORMULA, 1),
                     100 * crowd.hit_share["1 windows, server 1ms"], points=2)
    held = crowd.hit_share["10 windows, server 1us"]
    study.claim("T2: slots that are free for a part of the time add more up", f"above {100 * T2_FORMULA:.1f} %",
                100 * held, held > T2_FORMULA)
    ratio = crowd.jct_ns["switchml-8"] / crowd.jct_ns["switchml-32"]
    study.claim_near("T2: SwitchML's rate with 32 slots over that with 8 (r = k B / RTT)", 4, ratio, percent=5)
    judge_contests(study, means)
    judge_losses(study, means)
    held = means.loc["T9"].held_ns / means.loc["T9"].completed_sums / 1000
    study.claim_near("T9: us that a slot is held longer until the acknowledgement", SWITCH_TO_SERVER,
                     held["acknowledgement"] - held["completion"], percent=10)
    rates = means.loc["T10"]
    ratios = rates.line_rate_ns / rates.jct_ns / [rate_law(share, 8) for share in rates.hit_share]
    study.claim_ratio("T10: rate over C / (f + (1 - f) N)", ratios, 0.95, 1.05)
    study.claim_sums(means)


def judge_contests(study: EsaStudy, means: pandas.DataFrame) -> None:
    atp, esa = means.loc["T3", "atp"], means.loc["T3", "esa"]
    study.claim("T3: ESA: the urgent job has its slots", "f > 0.9, the other one below 0.25",
                f"{esa.first_hit_share:.2f}, {esa.second_hit_share:.2f}",
                esa.first_hit_share > 0.9 and esa.second_hit_share < 0.25)
    study.claim("T3: ATP: both have a share", "0.5 to 0.6", f"{atp.first_hit_share:.2f}, {atp.second_hit_share:.2f}",
                all(0.5 < share < 0.6 for share in (atp.first_hit_share, atp.second_hit_share)))
    study.claim("T3: where the urgent job holds its slots for a short time, the other one has them", "above 0.5",
                means.loc["T3", "esa, little skew"].second_hit_share)
    study.claim("T3: the urgent job is faster with ESA", "less time", f"{esa.first_jct_ns / 1000:.0f}, ATP "
                f"{atp.first_jct_ns / 1000:.0f} us", esa.first_jct_ns < atp.first_jct_ns)
    filling = means.loc["T4"].filling_ns / means.loc["T4"].held_ns
    study.claim("T4: straggler: the share of held time in which slots fill", "ESA above ATP and SwitchML",
                ", ".join(f"{filling[system]:.2f}" for system in ("esa", "atp", "switchml")),
                filling["esa"] > max(filling["atp"], filling["switchml"]))
    equal = means.loc["T5", "equal"]
    study.claim("T5: equal priorities preempt nothing", "0, of many collisions",
                f"{equal.preemptions:.0f} of {equal.collisions:.0f}", equal.preemptions == 0 and equal.collisions > 100)
    off, on = means.loc["T6", "off"].second_hit_share, means.loc["T6", "on"].second_hit_share
    study.claim("T6: share f of the other job: starved without ageing, not with it", "below 0.05, above 0.5",
                f"{off:.2f}, {on:.2f}", off < 0.05 and on > 0.5)


def judge_losses(study: EsaStudy, means: pandas.DataFrame) -> None:
    names = [f"{system}, no reordering, no loss" for system in ("atp", "esa")]
    lost, lossless = means.loc["T7"].drop(names), means.loc["T7"].loc[names]
    all_end = lost.jct_ns.notna().all()
    study.claim("T7: with losses of 0.01 % all runs end", "yes", "yes" if all_end else "no", all_end)
    most, least = lossless.reminders.max(), lost.reminders[["atp, no reordering", "esa, no reordering"]].min()
    study.claim("T7: reminders, where order says nothing of losses, and without losses", "above 0, 0",
                f"{least:.0f}, {most:.0f}", least > 0 and most == 0)
    study.claim("T7: packets sent again", "above 0", lost.retransmissions.min())
    on, off, ample = means.loc["T8", "true"], means.loc["T8", "false"], means.loc["T8", "ample"]
    study.claim("T8: without reminders and timers partial sums are stranded", "hangs",
                "hangs" if not off.completed else f"{off.jct_ns / 1e3:.1f} us", not off.completed)
    later = (on.second_jct_ns - ample.second_jct_ns) / 1000
    study.claim(f"T8: with reminders after {REMINDER} us: us later than with ample memory", "T_rem to T_rem + RTT "
                f"({REMINDER} to {REMINDER + SWITCH_TO_SERVER})", later,
                REMINDER <= later <= REMINDER + SWITCH_TO_SERVER)
