# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""R6 and R7 of MRC against RC: an incast beside a victim, and profiles of DCQCN"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ai_fabric.reproduce.fabrics import attributes, red
from ai_fabric.reproduce.papers.mrc import case, rates
from ai_fabric.reproduce.papers.mrc.rivals import DCQCN, ONE_PLANE, PLANES, rc

if TYPE_CHECKING:
    import pandas

    from ai_fabric.common.aliases import Values
    from ai_fabric.reproduce.papers.mrc import MrcStudy
    from ai_fabric.sweep.grid import Case

SENDERS, VICTIM = range(8, 15), (15, 1)  # of the incast to host 0; the victim's destination has the same leaf
FABRIC = {"leaves": 2, "spines": 8, "hostsPerLeaf": 8}
SECOND_US = 1000  # a second over 1000
PAUSED = (0.075, 0.25)  # of the victim, without DCQCN: 30 to 100 of 400 Gb/s
VICTIMS = {"1": ("RC with 1 QP", PAUSED), "8": ("RC with 8 QPs", PAUSED), "mrc": ("MRC", (0.99, 1.01))}
WIDELY = 1.5  # our reading of "differ widely"
# R7: presets and their marks; those of the first two are scaled from 40 and 25 Gb/s to the rate here
PROFILES = {
    "dcqcn-paper": red(5000 * 10, 200000 * 10, 0.01),
    "hpcc-repo": red(100000 * 4 * PLANES, 400000 * 4 * PLANES, 0.2),
    "nvidia-doc": red(150000, 1500000, 1),
}


def times_of(study: MrcStudy) -> tuple[int, int]:
    """The part of the incast that is judged: pauses have reached the hosts, and no sender is done."""
    return SECOND_US, study.pick(full=3, quick=2) * SECOND_US


def times_of_dcqcn(study: MrcStudy) -> tuple[int, int]:
    """The same with DCQCN. In the first second each sender begins at the rate of its link."""
    return SECOND_US, study.pick(full=25, quick=4) * SECOND_US


def flows_of(study: MrcStudy, name: str, messages: int) -> dict[str, Values]:
    """Seven hosts of a leaf send to one of another leaf, and an eighth to that one's neighbor, which gets seven times
    as much as each of them sends, so that all end together; and the eighth alone."""
    victim = [VICTIM] * len(SENDERS)
    crowd = study.flows(f"{name}-incast", [*((host, 0) for host in SENDERS), *victim], messages)
    return {"crowd": crowd, "alone": study.flows(f"{name}-victim", victim, messages)}


def cases(study: MrcStudy) -> list[Case]:
    """An incast beside a victim, without DCQCN and with it; and 15 hosts that send to one, with each profile."""
    paused = flows_of(study, "paused", study.pick(full=700, quick=450))
    many = study.pick(full=3000, quick=450)  # with DCQCN, whose rates change within milliseconds
    marked = flows_of(study, "dcqcn", many)
    sides = {"mrc": (ONE_PLANE, paused), "1": (rc(1), paused), "8": (rc(8), paused)}
    sides |= {f"{number} dcqcn": (rc(number, " dcqcn"), marked) for number in (1, 8)}
    found = [case(f"incast {name} {what}", {**base, **FABRIC, **options}) for name, (base, flows) in sides.items()
             for what, options in flows.items()]
    flows = study.flows("incast", [(host, 0) for host in range(1, 16)], many // 2)
    for name, marks in PROFILES.items():
        options = {**rc(1), **DCQCN, **attributes("DcqcnControl", Preset=name), **marks, **FABRIC, **flows}
        found.append(case(f"profile {name}", options))
    return found


def judge(study: MrcStudy, runs: pandas.DataFrame) -> None:
    """The victim with DCQCN: with one queue pair the mean of its rate, with eight the least mean of a second."""
    def victims(name: str, since: float, until: float) -> list[float]:
        return [rates(folder, since, until)[VICTIM] for folder in runs.loc[[f"incast {name}"]].folder]

    times = times_of(study)
    for name, (words, limits) in VICTIMS.items():
        ours = sum(victims(f"{name} crowd", *times)) / sum(victims(f"{name} alone", *times))
        study.expect("R6", f"incast, {words}: victim's rate over that alone", sum(limits) / 2, ours, *limits)
    shares = [rate for folder in runs.loc[["incast mrc crowd"]].folder for rate in rates(folder, *times).drop(VICTIM)]
    study.near("R6", "incast, MRC: senders' rates over their mean", 1, numpy.array(shares) / numpy.mean(shares), 10)
    since, until = times_of_dcqcn(study)
    alone = numpy.mean(victims("1 dcqcn alone", since, until))
    ours = float(numpy.mean(victims("1 dcqcn crowd", since, until)) / alone)
    study.near("R6", "incast, DCQCN with 1 QP: victim's rate over that alone", 0.75, ours, 25)
    starts = range(since, until, SECOND_US)
    least = numpy.min([victims("8 dcqcn crowd", start, start + SECOND_US) for start in starts])
    study.near("R6", "incast, DCQCN with 8 QPs: victim's least second over alone", 0.25, least / alone, 25)
    judge_profiles(study, runs)


def judge_profiles(study: MrcStudy, runs: pandas.DataFrame) -> None:
    """How far the profiles are apart."""
    since, until = SECOND_US, study.pick(full=20, quick=3) * SECOND_US
    total, least, queue = {}, {}, {}
    for name in PROFILES:
        rows = runs.loc[[f"profile {name}"]]
        found = [rates(folder, since, until) for folder in rows.folder]
        total[name] = numpy.mean([rate.sum() for rate in found])
        least[name] = numpy.mean([rate.min() / rate.mean() for rate in found])
        queue[name] = rows.max_queue_packets.mean()
    measures = {"rate of the receiver": total, "least sender over the mean": least, "longest queue": queue}
    for words, values in measures.items():
        ours = max(values.values()) / min(values.values())
        study.expect("R7", f"profiles of DCQCN: {words}, most over least", WIDELY, ours, WIDELY, float("inf"))
