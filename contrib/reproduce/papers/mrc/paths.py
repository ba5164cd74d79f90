# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""O1, O3, O4 and M8 of MRC's incidents: paths that fail, flap and lose packets, and a spine that reboots"""

from papers.mrc import Group, all_rates, case, cut, fabric, lost_forward, mean_rate, uplink, uplink_share

FACTOR = 1000  # by which times above 1 ms are divided
CUT_US = 200
BYPASS_US = [5, 10, 15, 20, 30, 50, 100]  # lengths of cuts; once longer ones lose no more packets, the path is bypassed
LIMIT_US = 100
FLAPS = 4
FLAP_US, EVERY_US = 1e6 / FACTOR, 4e6 / FACTOR  # a second each four, which is more than in production
REBOOT_US = 2 * 60e6 / FACTOR
SHORTER = 80  # by which the two minutes of a reboot are divided once more, so that the return is seen


def bypasses(study):
    return cuts_of(study.stream(32, 8, 400, study.pick(full=8, quick=4)), "O1")


def cuts_of(options, name):
    """A spine that is cut for good, and for some times."""
    found = [case(name, {**options, "fail": cut("plane0-spine-3", CUT_US)})]
    for time in BYPASS_US:
        found.append(case(f"{name} {time}", {**options, "fail": cut("plane0-spine-3", CUT_US, CUT_US + time)}))
    return found


def flaps(study):
    """A ring over both leaves, whose hosts fill a quarter of the uplinks."""
    ring = {**fabric(32, 2, 4), "workload": "all-reduce", "size": "16MiB", "repeat": study.pick(full=14, quick=1)}
    ring |= study.crossing_ring(2, 4, 4)
    starts = [CUT_US + flap * EVERY_US for flap in range(FLAPS)]
    faults = [cut(uplink(flap % 2, 3 + flap), start, start + FLAP_US) for flap, start in enumerate(starts)]
    return [case("O3", ring), case("O3 flaps", {**ring, "fail": ",".join(faults)})]


def reboots(study):
    small = study.stream(study.pick(full=32, quick=8), 2, 7000)
    fail = cut("plane0-spine-3", CUT_US, CUT_US + REBOOT_US / SHORTER)
    return [case("O4", small), case("O4 down", {**small, "fail": fail})]


def lossy(study):
    """One uplink loses a tenth of its packets."""
    options = study.stream(16, 2, 1500, 4)
    return [case("M8", options), case("M8 lossy", {**options, "fail": f"{uplink(0, 3)}/up%0.1@{CUT_US}us"})]


def judge_bypasses(study, runs):
    ours = [bypass_time(runs, place) for place in range(len(runs.loc[["O1"]]))]
    study.expect("O1", "time until no packet takes a dead path (us)", LIMIT_US, ours, 0, LIMIT_US)


def bypass_time(runs, place, name="O1"):
    """Of one seed: the shortest cut that loses as many packets as one without an end."""
    most = lost_forward(runs.loc[[name]].folder.iloc[place])
    for time in BYPASS_US:
        if lost_forward(runs.loc[[f"{name} {time}"]].folder.iloc[place]) >= most:
            return time
    return float("inf")


def judge_flaps(study, runs):
    ratio = 100 * (runs.loc[["O3 flaps"]].cct_ns.to_numpy() / runs.loc[["O3"]].cct_ns.to_numpy() - 1)
    study.expect("O3", "ring longer by flaps of uplinks (%)", 1, ratio, -1, 1)


def judge_reboots(study, runs):
    small = study.pick(full=32, quick=8)
    share = (small / 2 - 1) / (small / 2)
    rows, healthy = runs.loc[["O4 down"]], mean_rate(runs.loc[["O4"]], 500, 1600)
    ours = [rate * small / 2 / healthy for rate in all_rates(rows, 500, 1600)]
    study.near("O4", f"radix {small}: rate of a host without a spine", share, ours, 2)
    ours = mean_rate(rows, 5600, 6700) / mean_rate(runs.loc[["O4"]], 5600, 6700)
    study.near("O4", f"radix {small}: rate 4 s / {FACTOR} after its return", 1, ours, 1)
    failed = runs.filter(like="O4", axis=0)["policies.failed_queue_pairs"].sum()
    study.expect("O4", "queue pairs that fail", 0, failed, 0, 0)


def judge_lossy(study, runs):
    shares = [uplink_share(folder, 3) for folder in runs.loc[["M8 lossy"]].folder]
    study.expect("M8", "bytes of a lossy uplink over the mean one", 0.5, shares, 0, 0.5)
    ratio = mean_rate(runs.loc[["M8 lossy"]], 300, 1450) / mean_rate(runs.loc[["M8"]], 300, 1450)
    study.near("M8", "rate beside that without losses", 1, ratio, 1)


BYPASSES = Group(bypasses, judge_bypasses)
FLAPPING = Group(flaps, judge_flaps)
REBOOTS = Group(reboots, judge_reboots)
LOSSY = Group(lossy, judge_lossy)
