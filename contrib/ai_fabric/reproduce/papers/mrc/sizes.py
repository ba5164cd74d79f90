# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Incidents of MRC at a second radix, and with times divided by another factor: what the scaling changes"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.papers.mrc import Group, cut, paths, ports, with_faults

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.mrc import MrcStudy
    from ai_fabric.sweep.grid import Case

# Of the other figures: radix 32, and O5's minute as 6 ms, O3's seconds as 1 ms.
RADICES = {"O1": 64, "O3": 16, "O4": 16, "O5": 16}
STRETCH = 2  # times so much longer, that is divided by 500


def scalings(study: MrcStudy, what: str) -> list[tuple[str, str, int, int]]:
    """Name of an incident's cases, words, radix, and times how long its times are. O5 takes too long for --quick."""
    by_radix = [(f"size {what} radix", f"radix {RADICES[what]}", RADICES[what], 1)]
    by_time = [(f"size {what} time", "times / 500", 32, STRETCH)]
    return study.pick(full=by_radix + by_time, quick=[] if what == "O5" else by_radix)


def cases(study: MrcStudy) -> list[Case]:
    """O3 and O5 with half as many uplinks, and with times twice as long."""
    found = paths.bypasses(study, "size O1", RADICES["O1"], quick=2)
    for name, _, radix, stretch in scalings(study, "O3"):
        found += paths.flaps(study, name, radix, stretch)
    down = cut("plane0-spine-3", paths.CUT_US, 1700)
    found += with_faults("size O4", study.stream(RADICES["O4"], 2, 1700), down=down)
    for name, _, radix, stretch in scalings(study, "O5"):
        found += ports.optics(study, name, radix, stretch)
    return found


def judge(study: MrcStudy, runs: pandas.DataFrame) -> None:
    paths.judge_bypasses(study, runs, "size O1", f"radix {RADICES['O1']}: ")
    for name, words, *_ in scalings(study, "O3"):
        paths.judge_flaps(study, runs, name, f"{words}: ")
    paths.judge_spine(study, runs, "size O4", RADICES["O4"])
    for name, words, _, stretch in scalings(study, "O5"):
        ports.judge_optics(study, runs, name, f"{words}, ", stretch)


SCALINGS = Group(cases, judge)
