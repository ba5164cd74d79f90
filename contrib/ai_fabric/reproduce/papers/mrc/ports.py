# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""O5 to O7, M4 and M5 of MRC's incidents: ports of NICs that fail, flap, or fail all together"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.mrc import Group, case, cut, fabric, rate_over, rates, with_faults
from ai_fabric.reproduce.papers.mrc.paths import FACTOR

if TYPE_CHECKING:
    import pandas

    from ai_fabric.common.aliases import Values
    from ai_fabric.reproduce.papers.mrc import MrcStudy
    from ai_fabric.sweep.grid import Case

CUT_US = 200
PORTS = [8, 4]
OPTICS = {"down": ("NIC links of a plane down", 0.75), "flap": ("down half of the time", 0.875)}
WAYS = {(0, 4): "from", (4, 0): "to"}
REMAP_US = 2e6 / FACTOR
FLAP_US, MINUTE_US = 1e6 / FACTOR, 6e6 / FACTOR  # O5: down for each other second; a tenth of its minute
RETRY_MS = 135  # 7 timeouts of 65.5 us, and 10 more that double
OUTAGES_MS = [10, 100, 200]
ENDS = {"sender": "host-0", "receiver": "host-4"}


def optics(study: MrcStudy, name: str = "O5", radix: int = 32, stretch: int = 1) -> list[Case]:
    """Four NIC links at one leaf flap; three of the hosts are in the ring of the job, which has four planes."""
    ends = [f"host-{host}:0" for host in range(4)]
    flap, minute = stretch * FLAP_US, stretch * MINUTE_US
    times = [CUT_US + 2 * flap * number for number in range(int(minute / flap / 2))]
    flapping = ",".join(cut(end, time, time + flap) for end in ends for time in times)
    ring = study.ring(radix, 4, study.pick(full=20, quick=15) * stretch, 3)
    return with_faults(name, ring, flap=flapping, down=cut(ends, CUT_US, CUT_US + minute))


def exchange(study: MrcStudy, planes: int, messages: int) -> Values:
    """Two hosts of different leaves send to each other."""
    return {**fabric(8, planes), **study.flows("both-ways", list(WAYS), messages)}


def both_ways(study: MrcStudy) -> list[Case]:
    found = []
    for planes in PORTS:
        found += with_faults(f"M4 {planes}", exchange(study, planes, 110 * planes), cut=cut("host-0:0", CUT_US))
    slow = attributes("MrcQueuePair", PortRemapDelay=f"{REMAP_US:g}us")
    longer = exchange(study, PORTS[0], 500 * PORTS[0])
    return [*found, case("O6 remap", {**longer, "fail": cut("host-0:0", CUT_US), **slow})]


def flaps(study: MrcStudy) -> list[Case]:
    fail = ",".join(cut(f"host-0:{port}", time, time + 100) for port in range(4) for time in [200, 400, 600])
    return [case("M5", {**exchange(study, 8, 1500), "fail": fail})]


def all_ports(study: MrcStudy) -> list[Case]:
    """Outages that the retries of a queue pair outlast, and some that they do not, at either end."""
    options = {**fabric(8, 4), **study.flows("one", [(0, 4)], 100), "onFailure": "abort"}
    options |= attributes("MrcQueuePair", RetryTime="0s")
    outage = lambda host, time: cut([f"{host}:{port}" for port in range(4)], 50, 50 + 1000 * time)
    return [case(f"O7 {end} {time}", {**options, "fail": outage(host, time)})
            for end, host in ENDS.items() for time in OUTAGES_MS]


def judge_ways(study: MrcStudy, runs: pandas.DataFrame, check: str, name: str, words: str) -> None:
    """The shares of both ways that a fault leaves, which takes one of the planes."""
    for planes in PORTS:
        healthy, rows = runs.loc[[f"{name} {planes}"]], runs.loc[[f"{name} {planes} cut"]]
        for pair, way in WAYS.items():
            ours = shares(rows, healthy, pair, (300, 700))
            study.near(check, f"{words.format(planes)}: share {way} its host", 1 - 1 / planes, ours, 1)


def judge_both_ways(study: MrcStudy, runs: pandas.DataFrame) -> None:
    judge_ways(study, runs, "M4, O6", "M4", "a port of {} cut")
    whole, remap = runs.loc[[f"M4 {PORTS[0]}"]], runs.loc[["O6 remap"]]
    sent, got = (shares(remap, whole, pair, (300, CUT_US + REMAP_US)) for pair in WAYS)
    study.near("O6", f"share from its host during the remap, 2 s / {FACTOR}", 7 / 8, sent, 1)
    most = 1.01 * 7 / 8  # a window of time has a packet more or less, as in the other rows
    study.expect("O6", f"share to its host during the remap, 2 s / {FACTOR}", 7 / 8, got, 0, most)
    ours = shares(remap, whole, (0, 4), (300 + REMAP_US, 600 + REMAP_US))
    study.near("O6", "share after the remap", 7 / 8, ours, 1)


def judge_flaps(study: MrcStudy, runs: pandas.DataFrame) -> None:
    whole = runs.loc[[f"M4 {PORTS[0]}"]]
    for pair, way in WAYS.items():
        ours = shares(runs.loc[["M5"]], whole, pair, (900, 1500))
        study.near("M5", f"after flaps of four ports: share {way} their host", 1, ours, 1)


def judge_outages(study: MrcStudy, runs: pandas.DataFrame) -> None:
    for end in ENDS:
        for time in OUTAGES_MS:
            rows = runs.loc[[f"O7 {end} {time}"]]
            expected = int(time > RETRY_MS)
            fails = rows["policies.failed_queue_pairs"].clip(upper=1).where(rows.completed)
            words = f"all ports of the {end} cut for {time} ms: queue pair fails"
            study.expect("O7", words, expected, fails, expected, expected)


def judge_optics(study: MrcStudy, runs: pandas.DataFrame, name: str = "O5", words: str = "", stretch: int = 1) -> None:
    until = CUT_US + stretch * MINUTE_US
    for state, (how, expected) in OPTICS.items():
        ours = rate_over(runs, f"{name} {state}", name, CUT_US, until)
        study.near("O5", f"{words}{how}: rate of the job", expected, ours, 2)
        if name == "O5":
            after = rate_over(runs, f"{name} {state}", name, until + 500, until + 2500)
            study.near("O5", f"{how}: rate of the job afterwards", 1, after, 2)


def shares(rows: pandas.DataFrame, healthy: pandas.DataFrame, pair: tuple[int, int], times: tuple[float, float]) -> list[float]:
    """The rates of a pair between two times over its rate without faults, of each run."""
    whole = rates(healthy.folder.iloc[0], 300, 700)[pair]
    return [rates(folder, *times)[pair] / whole for folder in rows.folder]


OPTICAL = Group(optics, judge_optics)
BOTH_WAYS = Group(both_ways, judge_both_ways)
FLAPPING = Group(flaps, judge_flaps)
OUTAGES = Group(all_ports, judge_outages)
