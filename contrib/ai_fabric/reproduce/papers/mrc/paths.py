# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""O1, O3, O4 and M8 of MRC's incidents: paths that fail, flap and lose packets, and a spine that
reboots, also one of 256"""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING

from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.mrc import (
    GOODPUT, KIB, Group, all_rates, case, cut, lost_forward, mean_rate, rate_over, time_over, uplink, uplink_share,
    with_faults,
)

if TYPE_CHECKING:
    import pandas

    from ai_fabric.common.aliases import Values
    from ai_fabric.reproduce.papers.mrc import MrcStudy
    from ai_fabric.sweep.grid import Case

FACTOR = 1000  # by which times above 1 ms are divided
CUT_US = 200
BYPASS_US = [5, 10, 15, 20, 30, 50, 100]  # lengths of cuts; once longer ones lose no more packets, the path is bypassed
LIMIT_US = 100
FLAPS = 4
FLAP_US = 1e6 / FACTOR  # a second each four, which is more than in production
REBOOT_US = 2 * 60e6 / FACTOR
PLANES = 2  # where one of 256 spines of a plane is down
PATHS: dict[str, Values] = {"": {}, ", all paths in use": attributes("MrcBalancer", EvTotal=512, EvActive=512)}
SHORTER = 80  # by which the two minutes of a reboot are divided once more, so that the return is seen


def bypasses(study: MrcStudy, name: str = "O1", radix: int = 32, quick: int = 4) -> list[Case]:
    """A spine that is cut for good, and for some times."""
    options = study.stream(radix, 8, 400, study.pick(full=8, quick=quick))
    times = {str(time): cut("plane0-spine-3", CUT_US, CUT_US + time) for time in BYPASS_US}
    return with_faults(name, {**options, "fail": cut("plane0-spine-3", CUT_US)}, **times)


def flaps(study: MrcStudy, name: str = "O3", radix: int = 32, stretch: int = 1) -> list[Case]:
    """A ring whose hosts fill a quarter of the uplinks of radix 32; the flaps may be longer."""
    down = stretch * FLAP_US
    starts = [CUT_US + 4 * flap * down for flap in range(FLAPS)]
    faults = [cut(uplink(flap % 2, 3 + flap), start, start + down) for flap, start in enumerate(starts)]
    return with_faults(name, study.ring(radix, 2, study.pick(full=14, quick=1) * stretch), flaps=",".join(faults))


def reboots(study: MrcStudy) -> list[Case]:
    small = study.stream(study.pick(full=32, quick=8), 2, 7000)
    return with_faults("O4", small, down=cut("plane0-spine-3", CUT_US, CUT_US + REBOOT_US / SHORTER))


def lossy(study: MrcStudy) -> list[Case]:
    """One uplink loses a tenth of its packets."""
    return with_faults("M8", study.stream(16, 2, 1500, 4), lossy=f"{uplink(0, 3)}/up%0.1@{CUT_US}us")


def judge_bypasses(study: MrcStudy, runs: pandas.DataFrame, name: str = "O1", words: str = "") -> None:
    ours = [bypass_time(runs, place, name) for place in range(len(runs.loc[[name]]))]
    study.expect("O1", f"{words}time until no packet takes a dead path (us)", LIMIT_US, ours, 0, LIMIT_US)


def bypass_time(runs: pandas.DataFrame, place: int, name: str = "O1") -> float:
    """Of one seed: the shortest cut that loses as many packets as one without an end."""
    most = lost_forward(runs.loc[[name]].folder.iloc[place])
    for time in BYPASS_US:
        if lost_forward(runs.loc[[f"{name} {time}"]].folder.iloc[place]) >= most:
            return time
    return float("inf")


def judge_flaps(study: MrcStudy, runs: pandas.DataFrame, name: str = "O3", words: str = "") -> None:
    ours = 100 * (time_over(runs, f"{name} flaps", name) - 1)
    study.expect("O3", f"{words}ring longer by flaps of uplinks (%)", 1, ours, -1, 1)


def judge_spine(study: MrcStudy, runs: pandas.DataFrame, name: str, radix: int) -> None:
    """A host's rate without one of the spines."""
    healthy = mean_rate(runs.loc[[name]], 500, 1600)
    ours = [rate * radix / 2 / healthy for rate in all_rates(runs.loc[[f"{name} down"]], 500, 1600)]
    study.near("O4", f"radix {radix}: rate of a host without a spine", 1 - 2 / radix, ours, 2)


def judge_reboots(study: MrcStudy, runs: pandas.DataFrame) -> None:
    small = study.pick(full=32, quick=8)
    judge_spine(study, runs, "O4", small)
    ours = rate_over(runs, "O4 down", "O4", 5600, 6700)
    study.near("O4", f"radix {small}: rate 4 s / {FACTOR} after its return", 1, ours, 1)
    failed = runs.filter(like="O4", axis=0)["policies.failed_queue_pairs"].sum()
    study.expect("O4", "queue pairs that fail", 0, failed, 0, 0)


def judge_lossy(study: MrcStudy, runs: pandas.DataFrame) -> None:
    shares = [uplink_share(folder, 3) for folder in runs.loc[["M8 lossy"]].folder]
    study.expect("M8", "bytes of a lossy uplink over the mean one", 0.5, shares, 0, 0.5)
    study.near("M8", "rate beside that without losses", 1, rate_over(runs, "M8 lossy", "M8", 300, 1450), 1)


def large_of(study: MrcStudy) -> tuple[int, tuple[int, int]]:
    """The radix, and what is measured, in us. The 10 ms in which a reboot may cost 0.5 % take a quarter of an hour: in
    full only."""
    return study.pick(full=(512, (300, 10200)), usual=(512, (300, 800)), quick=(64, (300, 800)))


def large_reboots(study: MrcStudy) -> list[Case]:
    radix, (_, until) = large_of(study)
    options = study.stream(radix, PLANES, until + 50, size=256 * KIB)
    states = {"whole": options, "down": {**options, "fail": cut("plane0-spine-3", CUT_US)}}
    return [case(f"O4{words}, {state}", {**base, **more}) for words, more in PATHS.items()
            for state, base in states.items()]


def judge_large_reboots(study: MrcStudy, runs: pandas.DataFrame) -> None:
    radix, window = large_of(study)
    least = 0.995 if radix == 512 else 0.98 * (1 - 2 / radix)
    for words in PATHS:
        whole, down = (mean(all_rates(runs.loc[[f"O4{words}, {state}"]], *window)) for state in ("whole", "down"))
        study.near("O4", f"radix {radix}{words}: rate over the ceiling", 1, whole / (PLANES * GOODPUT), 2)
        study.expect("O4", f"radix {radix}{words}: share without a spine", 1, down / whole, least, 1.01)


BYPASSES = Group(bypasses, judge_bypasses)
FLAPPING = Group(flaps, judge_flaps)
REBOOTS = Group(reboots, judge_reboots)
LARGE_REBOOTS = Group(large_reboots, judge_large_reboots)
LOSSY = Group(lossy, judge_lossy)
