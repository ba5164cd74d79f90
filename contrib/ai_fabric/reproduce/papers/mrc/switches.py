# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""M6 and M7 of MRC's tests: many uplinks that are cut one after the other and flap, and switches that are down"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.papers.mrc import GOODPUT, Group, case, cut, mean_rate, time_over, uplink, with_faults
from ai_fabric.reproduce.papers.mrc.paths import CUT_US, FACTOR, REBOOT_US, SHORTER
from ai_fabric.reproduce.papers.mrc.ports import PORTS, exchange, judge_ways

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.mrc import MrcStudy
    from ai_fabric.sweep.grid import Case

RADIX, PLANES, HOSTS = 32, 4, 2
AGAIN_US = 1000  # after the last cut, all uplinks are back; flaps begin so long after that


def links_of(study: MrcStudy) -> tuple[int, float]:
    """How many uplinks are cut, and the time between two cuts: a second over 1000."""
    return study.pick(full=(20, 1e6 / FACTOR), quick=(4, 0.3e6 / FACTOR))


def times_of(study: MrcStudy) -> tuple[float, float, float, float]:
    """When the last uplink has been cut for as long as the others wait, the flaps begin and end, and the run ends."""
    count, every = links_of(study)
    last = CUT_US + count * every
    flaps = last + AGAIN_US
    return last, flaps, flaps + 4 * every, flaps + 5 * every + AGAIN_US


def cases(study: MrcStudy) -> list[Case]:
    """M6: two hosts send over the uplinks of four planes, of which some are cut and then flap. M7: a switch to which a
    port of four hosts is connected, of which one sends and receives; and a ring whose hosts fill a quarter of the
    uplinks, with a spine that reboots."""
    count, every = links_of(study)
    last, flaps, end, stop = times_of(study)
    places = [uplink(number % PLANES, number // PLANES) for number in range(count)]
    faults = [cut(place, CUT_US + number * every, last) for number, place in enumerate(places)]
    faults += [f"{place}@{flaps:g}us-{end:g}us:period={every:g}us:duty=0.5" for place in places]
    found = [case("M6", {**study.stream(RADIX, PLANES, stop, HOSTS), "fail": ",".join(faults)})]
    for planes in PORTS:
        found += with_faults(f"M7 {planes}", exchange(study, planes, 110 * planes), cut=cut("plane0-leaf-0", CUT_US))
    fail = cut("plane0-spine-3", CUT_US, CUT_US + REBOOT_US / SHORTER)
    return found + with_faults("M7 ring", study.ring(32, 2, study.pick(full=4, quick=1)), cut=fail)


def judge(study: MrcStudy, runs: pandas.DataFrame) -> None:
    count, every = links_of(study)
    last, flaps, end, stop = times_of(study)
    rate = lambda since, until: mean_rate(runs.loc[["M6"]], since, until) / (HOSTS * PLANES * GOODPUT)
    steps = [rate(CUT_US + number * every, CUT_US + (number + 1) * every) for number in range(count)]
    study.expect("M6", f"{count} uplinks cut one by one: least rate of a second", 1, min(steps), 0.98, 1.01)
    study.near("M6", f"{count} of {RADIX // 2 * PLANES} uplinks cut: rate", 1, rate(last - every, last), 1)
    study.near("M6", f"{count} uplinks flap: rate", 1, rate(flaps, end), 1)
    study.near("M6", "rate afterwards", 1, rate(end, stop - AGAIN_US), 1)
    judge_ways(study, runs, "M7", "M7", "T0 of one of {} planes down")
    ours = 100 * (time_over(runs, "M7 ring cut", "M7 ring") - 1)
    study.expect("M7", "ring longer by the reboot of a T1 (%)", 1, ours, -1, 1)


ELEMENTS = Group(cases, judge)
