# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""C4 to C6, C12 and C13 of MRC's checks: cut links between switches, ports of a NIC, and a spine"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.mrc import (
    DETECTION_US, GOODPUT, WINDOW, Group, all_rates, case, cut, ev_interval, fabric, lost_forward, plane_spreads,
    uplink,
)

if TYPE_CHECKING:
    import pandas

    from ai_fabric.common.aliases import Values
    from ai_fabric.reproduce.papers.mrc import MrcStudy
    from ai_fabric.sweep.grid import Case

CUT_US = 200
PATIENT = attributes("MrcRecovery", ReorderSlack="30us")  # longer than the queue of the plane with the dead link
DEEP = {"buffer": "800kB", "marker": "none"}  # 11 BDP of a plane: nothing is trimmed
VARIANTS: dict[str, Values] = {"": {}, ", 11 BDP": DEEP, ", 11 BDP, slack 30 us": {**DEEP, **PATIENT}}
PORTS = [(8, 1), (8, 2), (4, 1)]  # planes, and how many of a host's ports are cut
ACTIVE = [64, 128]  # entropy values in use, of 128 paths


def radices(study: MrcStudy) -> list[tuple[int, int]]:
    """Radix and planes of the fabrics of C4."""
    return study.pick(full=[(8, 2), (16, 2), (32, 2), (32, 8)], quick=[(8, 2)])


def senders(study: MrcStudy) -> int:
    """Hosts that send in C6: no more than half of what the uplinks carry."""
    return study.pick(full=8, quick=4)


def equal_planes(study: MrcStudy) -> list[Case]:
    found = []
    for radix, planes in radices(study):
        name, options = f"C4 {radix} {planes}", study.stream(radix, planes, 900)
        dead = {**options, "fail": cut(uplink(0, 0), CUT_US)}
        found += [case(name, options), case(f"{name}, 11 BDP", {**options, **DEEP})]
        found += [case(f"{name} cut{words}", {**dead, **more}) for words, more in VARIANTS.items()]
    return found


def ports(study: MrcStudy) -> list[Case]:
    return [case(f"C5 {planes} {dead}", {**fabric(8, planes), **study.flows("one", [(0, 4)], 160 * planes),
                                         "fail": cut([f"host-0:{port}" for port in range(dead)], CUT_US)})
            for planes, dead in PORTS]


def switches(study: MrcStudy) -> list[Case]:
    options = {**study.stream(32, 8, 500, senders(study)), "fail": cut("plane0-spine-3", CUT_US)}
    return [case(f"C6 {active}", {**options, **attributes("MrcBalancer", EvActive=active)}) for active in ACTIVE]


def judge_equal_planes(study: MrcStudy, runs: pandas.DataFrame) -> None:
    """Where nothing is trimmed, all planes send at the rate of the one with the dead link. Where switches trim, it
    goes on sending, and the other planes carry what it trims: the fabric loses the capacity of one link."""
    spreads = []
    for radix, planes in radices(study):
        name = f"C4 {radix} {planes}"
        for words in [words for words in VARIANTS if f"{name} cut{words}" in runs.index]:
            rates = all_rates(runs.loc[[f"{name}, 11 BDP" if words else name]], 400, 850)
            whole = sum(rates) / len(rates)
            ours = [rate / whole for rate in all_rates(runs.loc[[f"{name} cut{words}"]], 500, 850)]
            share = 1 - 2 / radix / (1 if words else planes)
            study.near("C4", f"radix {radix}, {planes} planes{words}: share", share, ours, 2)
        spreads += [spread for folder in runs.loc[[name]].folder for spread in plane_spreads(folder)]
    study.expect("C12", "bytes of a NIC's ports, spread (%)", 1, spreads, 0, 1)


def judge_ports(study: MrcStudy, runs: pandas.DataFrame) -> None:
    for planes, dead in PORTS:
        rows = runs.loc[[f"C5 {planes} {dead}"]]
        ours = [rate / (planes * GOODPUT) for rate in all_rates(rows, 300, 700)]
        study.near("C5", f"{dead} of {planes} ports cut: share", 1 - dead / planes, ours, 1)
        lost = [lost_forward(folder) for folder in rows.folder]
        study.expect("C5", f"{dead} of {planes} ports cut: data lost (packets)", WINDOW * dead, lost, 0, WINDOW * dead)


def judge_switch(study: MrcStudy, runs: pandas.DataFrame) -> None:
    pairs = senders(study)
    for name, rows in runs[runs.index.str.startswith("C6")].groupby(level=0, sort=False):
        active, retired = int(name.split()[1]), rows["policies.ev_retired"].sum()
        share, draws = active / 128, pairs * len(rows)
        room = 3 * math.sqrt(share * (1 - share) / draws)  # three deviations of the draws
        study.expect("C6", f"{active} EVs: retired by a queue pair", share, retired / draws, share - room, share + room)
        interval = ev_interval(active, 8)
        ours = sum(map(lost_forward, rows.folder)) / max(retired, 1) * interval
        study.near("C6", f"{active} EVs: time until one is retired (us)", DETECTION_US + interval / 2, ours, 25)
    failed = runs["policies.failed_queue_pairs"].fillna(0).sum()
    study.expect("C6", "queue pairs that fail in all runs", 0, failed, 0, 0)


def judge_retransmissions(study: MrcStudy, runs: pandas.DataFrame) -> None:
    """Retransmitted packets over those lost on the way."""
    radix, planes = radices(study)[-1]
    names = {f"C6 {ACTIVE[1]}": "spine cut"}
    names |= {f"C4 {radix} {planes} cut{words}": f"C4, radix {radix}{words}" for words in VARIANTS}
    for name, words in names.items():
        rows = runs.loc[[name]]
        ours = rows.retransmissions.sum() / (sum(map(lost_forward, rows.folder)) + rows.trims.sum())
        study.near("C13", f"{words}: retransmitted over lost", 1, ours, 2)


EQUAL_PLANES = Group(equal_planes, judge_equal_planes)
NIC_PORTS = Group(ports, judge_ports)
SWITCHES = Group(switches, judge_switch)
RETRANSMISSIONS = Group(lambda study: [], judge_retransmissions)  # of the runs of the others
