# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Admission by receivers in racks: queues, pauses and CTS of incasts by slots, class of CTS and buffer of spines"""

import pandas

from charts import decades, finish, panels, powers_of_two
from grid import Case
from papers.meta import LOSSLESS, SPACE, fabric, pauses
from study import WIRE
from style import color

RACKS = 5
DATA_DSCP = 26  # RcQueuePair::Dscp
CTS_WIRE = 142 + 20  # bytes of a CTS with FCS, preamble and gap
RECEIVERS = 4  # of crossed incasts
CROSSED = "crossed incasts"
LINKS = 4  # between hosts of two racks
BIT_PER_NS = 400
LEAVES = "3500kB"  # of a port of a rack switch: 112 MB with 32 ports
SHALLOW, DEEP = "3500kB", "64MB"  # of a port of a cluster switch
ROUND_TRIPS = {"5 us": "623ns", "22 us": "2748ns"}  # of a small packet and its acknowledgement, by the delay of links
POLICIES = {
    "none": {},
    "1 slot": {"receiverAdmission": 1},
    "8 slots": {"receiverAdmission": 8},
    "8 slots, CTS as data": {"receiverAdmission": 8, f"{SPACE}ReceiverAdmission::CtsDscp": DATA_DSCP},
}


def with_columns(runs):
    """Adds pauses, the largest queue in MB, and times in us."""
    more = pandas.DataFrame([pauses(folder) for folder in runs.folder], index=runs.index)
    runs = pandas.concat([runs, more], axis=1)
    runs["queue_mb"] = runs.max_queue_data_packets * WIRE / 1e6
    runs["time_us"] = runs.cct_ns / 1000
    for name in ("cts_p99_ns", "cts_wait_p99_ns", "max_granted_bytes"):
        column = f"policies.{name}"
        runs[name] = runs[column] if column in runs else float("nan")
    return runs

VALUES = ["queue_mb", "by_spines", "by_leaves", "of_hosts", "drops", "time_us", "cts_p99_ns", "cts_wait_p99_ns",
          "max_granted_bytes"]  # fmt: skip


def racks(nics, spines):
    """Racks whose switches have shallow buffers, below cluster switches with these buffers."""
    buffers = {"buffer": LEAVES, "spineBuffer": spines}
    return {**fabric(RACKS, nics, nics), **LOSSLESS, **buffers, "balancer": "e-ecmp"}


def run_incasts(study):
    """n hosts send to one."""
    nics = study.pick(full=16, quick=4)
    senders = study.pick(full=[2, 4, 8, 16, 32, 64], quick=[2, 8])
    size = study.pick(full="16MiB", quick="5MiB")
    cases = [
        Case(
            {"traffic": "incast", "policy": policy, "n": count, "buffer": spines},
            {**racks(nics, spines), "workload": "incast", "senders": count, "size": size, **options},
        )
        for policy, options in POLICIES.items()
        for spines in (SHALLOW, DEEP)
        for count in senders
    ]
    return cases


def run_crossed(study):
    """n hosts, of which four receive, send to these four. So CTS to a receiver cross the queue of its data."""
    nics = study.pick(full=16, quick=4)
    cases = []
    for count in study.pick(full=[8, 16, 32, 64], quick=[8]):
        step = RACKS * nics // count
        hosts = [rank * step for rank in range(count)]
        pairs = [(source, sink) for source in hosts for sink in hosts[:RECEIVERS] if source != sink]
        messages = [(0, *pair, 8 << 20) for pair in pairs]
        flows = study.write_flows(f"crossed-{count}.csv", messages)
        cases += [
            Case(
                {"traffic": CROSSED, "policy": policy, "n": count, "buffer": DEEP},
                {**racks(nics, DEEP), "workload": "flows", "flows": flows, **options},
            )
            for policy, options in POLICIES.items()
        ]
    return cases


def judge_queues(study, table):
    incasts = table[table.traffic == "incast"]
    worst = incasts[incasts.n == incasts.n.max()].set_index(["buffer", "policy"])
    for buffer in dict.fromkeys(incasts.buffer):
        queues = [worst.queue_mb[buffer, policy] for policy in ("1 slot", "8 slots", "none")]
        text = ", ".join(f"{queue:.3g}" for queue in queues)
        where = f"n={incasts.n.max()}, spines {buffer}"
        study.claim(f"E5: {where}: largest queue with 1 slot, 8 slots, none (MB)",
                    "falls with the slots", text, queues[0] < queues[1] < queues[2])  # fmt: skip
        hosts = [worst.of_hosts[buffer, policy] for policy in ("1 slot", "8 slots", "none")]
        study.claim(f"E5: {where}: pauses of hosts with 1 slot, 8 slots, none",
                    "1 slot: none", ", ".join(f"{count:g}" for count in hosts), hosts[0] == 0)  # fmt: skip
    admitted = table[table.policy != "none"]
    for traffic, rows in admitted[admitted.buffer == DEEP].groupby("traffic", sort=False):
        most = rows.by_spines.max()
        study.note("E5", f"{traffic}, spines {DEEP}, admission: pauses by spines, most", "0", most, most == 0)
    study.note("E5", "drops of all runs", "0", table.drops.max(), table.drops.max() == 0)


def judge_cts(study, table):
    """CTS take at most the idle time, one packet a hop, and the CTS before them at the NIC of the receiver."""
    idle = table.cts_p99_ns.min()
    packet = LINKS * WIRE * 8 / BIT_PER_NS
    rows = table[table.policy.isin(["1 slot", "8 slots"])]
    slots = rows.policy.map({"1 slot": 1, "8 slots": 8})
    limit = idle + packet + (rows.n + RECEIVERS) * slots * CTS_WIRE * 8 / BIT_PER_NS
    over = (rows.cts_p99_ns / limit).max()
    study.note("E5", "p99 of CTS in a class of their own, over its limit", "at most 1", over)
    last = table[table.traffic == CROSSED]
    last = last[last.n == last.n.max()].set_index("policy").cts_p99_ns
    ratio = last["8 slots, CTS as data"] / last["8 slots"]
    study.note("E5", f"{CROSSED}: p99 of CTS as data over that of a class of their own", "above 1", ratio)


def judge_times(study, table):
    """What admission costs: completion times over those without it."""
    times = table.set_index(["traffic", "buffer", "n", "policy"]).time_us.unstack()
    for policy in ("8 slots", "1 slot"):
        over = (times[policy] / times["none"]).max()
        what = f"{policy}: completion time over that without admission, most"
        study.note("R8", what, "at most 1.1", over)


def run_round_trips(study):
    """R6: a small message, and a long one by slots, between two racks with base round trips of 5 and 22 us."""
    nics = study.pick(full=16, quick=4)
    paths = [study.write_flows(f"one-{nics}-{size}.csv", [(0, 0, nics, size)])
             for size in (64, study.pick(full=64, quick=8) << 20)]  # fmt: skip
    lines = {"empty": (paths[0], {}), **{name: (paths[1], POLICIES[name]) for name in ("none", "1 slot", "8 slots")}}
    cases = [
        Case(
            {"round_trip": name, "policy": policy},
            {**racks(nics, DEEP), "workload": "flows", "flows": path, "jitter": "0ns", "delay": delay, **options},
        )
        for name, delay in ROUND_TRIPS.items()
        for policy, (path, options) in lines.items()
    ]
    runs = study.run(cases, 1)
    runs["time_us"] = runs.mean_fct_ns / 1000
    return study.means(runs, ["round_trip", "policy"], ["time_us"])


def judge_round_trips(study, table):
    times = table.set_index(["round_trip", "policy"]).time_us
    for name in ROUND_TRIPS:
        base, ours = float(name.split()[0]), times[name, "empty"]
        study.note("R6", "base round trip (us)", f"{base:g} +- 1 %", ours, abs(ours / base - 1) < 0.01)
        over = times[name, "8 slots"] / times[name, "none"]
        what = f"one flow, base round trip {name}: time with 8 slots over that without admission"
        study.note("R6", what, "at most 1.02", over)
    over = [times[name, "1 slot"] / times[name, "none"] for name in ROUND_TRIPS]
    study.claim("R6: the same with 1 slot, 5 and 22 us", "above 1.02, ascending",
                ", ".join(f"{value:.3g}" for value in over), 1.02 < over[0] < over[1])  # fmt: skip


def draw(study, table):
    figure, axes = panels(2, 3, width=4.4)
    shallow, deep = SHALLOW, DEEP
    least = table[table.policy == "none"].set_index(["traffic", "buffer", "n"]).time_us
    table = table.assign(over=[row.time_us / least[row.traffic, row.buffer, row.n] for row in table.itertuples()])
    incasts = table[table.traffic == "incast"]
    both = table[table.traffic == CROSSED]
    plots = [
        (incasts[incasts.buffer == shallow], "queue_mb", f"incast, spines {shallow} a port", "largest queue in MB"),
        (incasts[incasts.buffer == deep], "queue_mb", f"incast, spines {deep} a port", "largest queue in MB"),
        (incasts[incasts.buffer == shallow], "by_spines", f"incast, spines {shallow} a port", "pauses of leaves by spines"),
        (incasts[incasts.buffer == deep], "over", f"incast, spines {deep} a port", "time over that without admission"),
        (both, "cts_p99_ns", CROSSED, "p99 of CTS in ns"),
        (both, "cts_wait_p99_ns", CROSSED, "p99 of waiting for a CTS in ns"),
    ]
    for panel, (rows, column, title, axis) in zip(axes, plots):
        for index, (policy, line) in enumerate(rows.groupby("policy", sort=False)):
            wider = len(POLICIES) - 1 - index
            look = {"color": color(index), "marker": "os^D"[index], "linewidth": 1.2 + 0.6 * wider}
            if not line[column].isna().all():
                panel.plot(line.n, line[column], markersize=4 + 0.9 * wider, label=policy, **look)
        powers_of_two(panel, rows.n)
        panel.set_title(title, fontsize=9)
        panel.set_xlabel("hosts" if title == CROSSED else "senders")
        panel.set_ylabel(axis)
        decades(panel) if title == CROSSED else panel.set_ylim(bottom=0)
        panel.legend(fontsize=6)
    finish(figure, study, f"{RACKS} racks at 400 Gb/s, {LEAVES} a port, lossless, slots of 512 KiB")


def reproduce(study):
    runs = with_columns(study.run(run_incasts(study) + run_crossed(study), study.pick(full=None, quick=1)))
    table = study.means(runs, ["traffic", "policy", "n", "buffer"], VALUES)
    judge_queues(study, table)
    judge_cts(study, table)
    judge_times(study, table)
    trips = run_round_trips(study)
    judge_round_trips(study, trips)
    study.save(table, "-cases")
    study.save(trips, "-round-trips")
    study.save_rows()
    draw(study, table)
