# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Incidents of MRC at a second radix, and with times divided by another factor: what the scaling changes"""

from papers.mrc import Group, all_rates, case, cut, fabric, mean_rate, uplink
from papers.mrc.paths import CUT_US, FLAPS, LIMIT_US, bypass_time, cuts_of
from papers.mrc.paths import FLAP_US as PATH_FLAP_US
from papers.mrc.ports import FLAP_US, MINUTE_US

# Of the other figures: radix 32, and O5's minute as 6 ms, O3's seconds as 1 ms.
RADICES = {"O1": 64, "O3": 16, "O4": 16, "O5": 16}
STRETCH = {"O3": 2, "O5": 2}  # times so much longer, that is divided by 500


def scalings(study, what):
    """By name of an incident's cases: words, radix, and times how long its times are. O5 takes too long for --quick."""
    by_radix = {"radix": (f"radix {RADICES[what]}", RADICES[what], 1)}
    return study.pick(
        full={**by_radix, "time": ("times / 500", 32, STRETCH[what])}, quick={} if what == "O5" else by_radix
    )


def cases(study):
    return [*bypasses(study), *flaps(study), *reboots(study), *optics(study)]


def bypasses(study):
    return cuts_of(study.stream(RADICES["O1"], 8, 400, study.pick(full=8, quick=2)), "size O1")


def flaps(study):
    """O3 with half as many uplinks, and with flaps of 2 ms."""
    found = []
    for name, (_, radix, stretch) in scalings(study, "O3").items():
        repeat = study.pick(full=14, quick=1) * stretch
        ring = {**fabric(radix, 2, 4), "workload": "all-reduce", "size": "16MiB", "repeat": repeat}
        ring |= study.crossing_ring(2, 4, 4)
        down = stretch * PATH_FLAP_US
        starts = [CUT_US + 4 * flap * down for flap in range(FLAPS)]
        faults = [cut(uplink(flap % 2, 3 + flap), start, start + down) for flap, start in enumerate(starts)]
        found += [case(f"size O3 {name}", ring), case(f"size O3 {name} flaps", {**ring, "fail": ",".join(faults)})]
    return found


def reboots(study):
    options = study.stream(RADICES["O4"], 2, 1700)
    return [case("size O4", options), case("size O4 down", {**options, "fail": cut("plane0-spine-3", CUT_US, 1700)})]


def optics(study):
    """O5 with half as many uplinks, and with a minute of 12 ms."""
    found = []
    for name, (_, radix, stretch) in scalings(study, "O5").items():
        repeat = 20 * stretch
        ring = {**fabric(radix, 4, 4), "workload": "all-reduce", "size": "16MiB", "repeat": repeat}
        ring |= study.crossing_ring(2, 4, 3)
        times = [CUT_US + 2 * stretch * FLAP_US * number for number in range(int(MINUTE_US / FLAP_US / 2))]
        steady = [cut(f"host-{host}:0", CUT_US, CUT_US + stretch * MINUTE_US) for host in range(4)]
        flapping = [cut(f"host-{host}:0", time, time + stretch * FLAP_US) for host in range(4) for time in times]
        found += [case(f"size O5 {name}", ring), case(f"size O5 {name} down", {**ring, "fail": ",".join(steady)}),
                  case(f"size O5 {name} flap", {**ring, "fail": ",".join(flapping)})]
    return found


def judge(study, runs):
    ours = [bypass_time(runs, place, "size O1") for place in range(len(runs.loc[["size O1"]]))]
    words = f"radix {RADICES['O1']}: time until no packet takes a dead path (us)"
    study.expect("O1", words, LIMIT_US, ours, 0, LIMIT_US)
    for name, (words, _, _) in scalings(study, "O3").items():
        ratio = runs.loc[[f"size O3 {name} flaps"]].cct_ns.to_numpy() / runs.loc[[f"size O3 {name}"]].cct_ns.to_numpy()
        study.expect("O3", f"{words}: ring longer by flaps of uplinks (%)", 1, 100 * (ratio - 1), -1, 1)
    radix = RADICES["O4"]
    healthy = mean_rate(runs.loc[["size O4"]], 500, 1600)
    ours = [rate * radix / 2 / healthy for rate in all_rates(runs.loc[["size O4 down"]], 500, 1600)]
    study.near("O4", f"radix {radix}: rate of a host without a spine", 1 - 2 / radix, ours, 2)
    for name, (words, _, stretch) in scalings(study, "O5").items():
        judge_optics(study, runs, name, words, stretch)


def judge_optics(study, runs, name, words, stretch):
    until = CUT_US + stretch * MINUTE_US
    healthy = runs.loc[[f"size O5 {name}"]]
    for state, share, how in (("down", 0.75, "NIC links of a plane down"), ("flap", 0.875, "down half of the time")):
        rows = runs.loc[[f"size O5 {name} {state}"]]
        ours = mean_rate(rows, CUT_US, until) / mean_rate(healthy, CUT_US, until)
        study.near("O5", f"{words}, {how}: rate of the job", share, ours, 2)


SCALINGS = Group(cases, judge)
