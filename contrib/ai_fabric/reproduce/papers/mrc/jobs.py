# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""M10, O2 and O8 of MRC: large messages of many hosts, the start of a job on dead links, and two jobs"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
import pandas

from ai_fabric.reproduce.papers.mrc import KIB, Group, all_rates, case, fabric, losses

if TYPE_CHECKING:
    from pathlib import Path

    from ai_fabric.reproduce.papers.mrc import MrcStudy
    from ai_fabric.sweep.grid import Case

SEND = 736  # Gb/s: 92 GB/s of a NIC
DEAD = [0.005, 0.01, 0.02]  # shares of the links between switches; not published
MOST_LOST = 5
FIRST_US, LATER_US = 300, 900


def cases(study: MrcStudy) -> list[Case]:
    """M10: each of 64 hosts sends to one of the next leaf, so all uplinks are full. O2: as in C7; once for longer,
    which shows the losses after the first time."""
    leaves = study.pick(full=8, quick=2)
    hosts = 8 * leaves
    pairs = [(host, (host + 8) % hosts) for host in range(hosts)]
    flows = study.flows("shift", pairs, study.pick(full=32, quick=16), 1024 * KIB)
    short, longer = (study.stream(losses.RADIX, losses.PLANES, time, losses.senders(study))
                     for time in (FIRST_US, LATER_US))
    found = [case("M10", {**fabric(16, 8), "leaves": leaves, **flows})]
    found += [case(f"O2 {share}", {**short, "failRate": share}) for share in study.pick(full=DEAD, quick=DEAD[1:2])]
    return [*found, case("O2 later", {**longer, "failRate": DEAD[1]}), *pairs_of_jobs(study)]


def pairs_of_jobs(study: MrcStudy) -> list[Case]:
    """O8: rings of two jobs, which have half of the hosts of each leaf. Together they fill all uplinks."""
    jobs = [[rank % 2 * 8 + rank // 2 + first for rank in range(8)] for first in (0, 4)]
    ring = {**fabric(16, 4), "workload": "all-reduce", "size": study.pick(full="16MiB", quick="4MiB"), "repeat": 5}
    place = lambda name, placed: study.write(f"jobs-{name}.txt", [host for job in placed for host in job])
    return [case(f"O8 {name}", {**ring, "placement": place(name, placed), "communicators": len(placed)})
            for name, placed in (("alone", jobs[:1]), ("both", jobs))]


def judge(study: MrcStudy, runs: pandas.DataFrame) -> None:
    rates = all_rates(runs.loc[["M10"]], 50, study.pick(full=330, quick=160))
    study.near("M10", "1 MiB after the other, all hosts: rate of a NIC (Gb/s)", SEND, numpy.mean(rates), 5)
    for name, rows in runs[runs.index.str.startswith("O2 0")].groupby(level=0, sort=False):
        lost = rows.retransmissions.mean() / losses.senders(study)
        words = f"{100 * float(name.split()[1]):g} % of links dead: packets that a queue pair loses"
        study.expect("O2", words, MOST_LOST, lost, 0, MOST_LOST)
    later, first = (runs.loc[[f"O2 {which}"]].retransmissions.sum() for which in ("later", DEAD[1]))
    study.expect("O2", f"packets lost from {FIRST_US / 1000:g} to {LATER_US / 1000:g} ms", 0, later - first, 0, 0)
    alone, both = (numpy.array([time_of_job(folder) for folder in runs.loc[[f"O8 {name}"]].folder])
                   for name in ("alone", "both"))
    study.near("O8", "iterations of a job beside another one, over those alone", 1, both / alone, 2)
    rows = runs.loc[["O8 both"]]
    trims = rows.trims.sum() - rows["policies.trimming_last_hop_frames"].fillna(0).sum()
    study.expect("O8", "packets trimmed before the last hop", 0, trims, 0, 0)


def time_of_job(folder: Path) -> float:
    """The mean time of the collectives of the first job."""
    table = pandas.read_csv(folder / "collectives.csv")
    return table[table.name.isin(["all-reduce", "all-reduce-0"])].duration_ns.mean()


JOBS = Group(cases, judge)
