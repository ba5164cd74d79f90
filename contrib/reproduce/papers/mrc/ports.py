# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""O5 to O7, M4 and M5 of MRC's incidents: ports of NICs that fail, flap, or fail all together"""

from papers.mrc import Group, attributes, case, cut, fabric, mean_rate, rates
from papers.mrc.paths import FACTOR

CUT_US = 200
PORTS = [8, 4]
OPTICS = {"down": ("NIC links of a plane down", 0.75), "flap": ("down half of the time", 0.875)}
WAYS = {(0, 4): "from", (4, 0): "to"}
REMAP_US = 2e6 / FACTOR
FLAP_US, MINUTE_US = 1e6 / FACTOR, 6e6 / FACTOR  # O5: down for each other second; a tenth of its minute
RETRY_MS = 135  # 7 timeouts of 65.5 us, and 10 more that double
OUTAGES_MS = [10, 100, 200]
ENDS = {"sender": "host-0", "receiver": "host-4"}


def optics(study):
    """Four NIC links at one leaf flap; three of the hosts are in the ring of the job, which has four planes."""
    ring = {**fabric(32, 4, 4), "workload": "all-reduce", "size": "16MiB", "repeat": study.pick(full=20, quick=15)}
    ring |= study.crossing_ring(2, 4, 3)
    times = [CUT_US + 2 * FLAP_US * number for number in range(int(MINUTE_US / FLAP_US / 2))]
    flapping = [cut(f"host-{host}:0", time, time + FLAP_US) for host in range(4) for time in times]
    steady = [cut(f"host-{host}:0", CUT_US, CUT_US + MINUTE_US) for host in range(4)]
    return [case("O5", ring), case("O5 flap", {**ring, "fail": ",".join(flapping)}),
            case("O5 down", {**ring, "fail": ",".join(steady)})]


def both_ways(study):
    found = []
    for planes in PORTS:
        options = {**fabric(8, planes), **study.flows("both-ways", [(0, 4), (4, 0)], 110 * planes)}
        found += [case(f"M4 {planes}", options), case(f"M4 {planes} cut", {**options, "fail": cut("host-0:0", CUT_US)})]
    slow = attributes("MrcQueuePair", PortRemapDelay=f"{REMAP_US:g}us")
    longer = study.flows("both-ways", [(0, 4), (4, 0)], 500 * PORTS[0])
    return [*found, case("O6 remap", {**fabric(8, PORTS[0]), **longer, "fail": cut("host-0:0", CUT_US), **slow})]


def flaps(study):
    times = [200, 400, 600]
    fail = ",".join(cut(f"host-0:{port}", time, time + 100) for port in range(4) for time in times)
    return [case("M5", {**fabric(8, 8), **study.flows("both-ways", [(0, 4), (4, 0)], 1500), "fail": fail})]


def all_ports(study):
    """Outages that the retries of a queue pair outlast, and some that they do not, at either end."""
    options = {**fabric(8, 4), **study.flows("one", [(0, 4)], 100), "onFailure": "abort"}
    options |= attributes("MrcQueuePair", RetryTime="0s")
    outage = lambda host, time: ",".join(cut(f"{host}:{port}", 50, 50 + 1000 * time) for port in range(4))
    return [case(f"O7 {end} {time}", {**options, "fail": outage(host, time)})
            for end, host in ENDS.items() for time in OUTAGES_MS]


def judge_both_ways(study, runs):
    whole = runs.loc[[f"M4 {PORTS[0]}"]]
    for planes in PORTS:
        healthy, rows = runs.loc[[f"M4 {planes}"]], runs.loc[[f"M4 {planes} cut"]]
        for pair, way in WAYS.items():
            ours = shares(rows, healthy, pair, (300, 700))
            study.near("M4, O6", f"a port of {planes} cut: share {way} its host", 1 - 1 / planes, ours, 1)
    remap = runs.loc[["O6 remap"]]
    ours = shares(remap, whole, (0, 4), (300, CUT_US + REMAP_US))
    study.near("O6", f"share from its host during the remap, 2 s / {FACTOR}", 7 / 8, ours, 1)
    ours = shares(remap, whole, (4, 0), (300, CUT_US + REMAP_US))
    most = 1.01 * 7 / 8  # a window of time has a packet more or less, as in the other rows
    study.expect("O6", f"share to its host during the remap, 2 s / {FACTOR}", 7 / 8, ours, 0, most)
    ours = shares(remap, whole, (0, 4), (300 + REMAP_US, 600 + REMAP_US))
    study.near("O6", "share after the remap", 7 / 8, ours, 1)


def judge_flaps(study, runs):
    whole = runs.loc[[f"M4 {PORTS[0]}"]]
    for pair, way in WAYS.items():
        ours = shares(runs.loc[["M5"]], whole, pair, (900, 1500))
        study.near("M5", f"after flaps of four ports: share {way} their host", 1, ours, 1)


def judge_outages(study, runs):
    for end in ENDS:
        for time in OUTAGES_MS:
            rows = runs.loc[[f"O7 {end} {time}"]]
            expected = int(time > RETRY_MS)
            fails = rows["policies.failed_queue_pairs"].clip(upper=1).where(rows.completed)
            study.expect("O7", f"all ports of the {end} cut for {time} ms: queue pair fails", expected, fails, expected, expected)


def judge_optics(study, runs):
    until = CUT_US + MINUTE_US
    healthy = mean_rate(runs.loc[["O5"]], CUT_US, until)
    for name, (words, expected) in OPTICS.items():
        rows = runs.loc[[f"O5 {name}"]]
        study.near("O5", f"{words}: rate of the job", expected, mean_rate(rows, CUT_US, until) / healthy, 2)
        after = mean_rate(rows, until + 500, until + 2500) / mean_rate(runs.loc[["O5"]], until + 500, until + 2500)
        study.near("O5", f"{words}: rate of the job afterwards", 1, after, 2)


def shares(rows, healthy, pair, times):
    """The rates of a pair between two times over its rate without faults, of each run."""
    whole = rates(healthy.folder.iloc[0], 300, 700)[pair]
    return [rates(folder, *times)[pair] / whole for folder in rows.folder]


OPTICAL = Group(optics, judge_optics)
BOTH_WAYS = Group(both_ways, judge_both_ways)
FLAPPING = Group(flaps, judge_flaps)
OUTAGES = Group(all_ports, judge_outages)
