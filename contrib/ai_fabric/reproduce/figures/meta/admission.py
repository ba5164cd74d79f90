# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Admission by receivers in racks: queues, pauses and CTS of incasts by slots, class of CTS and buffer of spines"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ai_fabric.plot.charts import decades
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.meta import LOSSLESS, draw_lines, fabric, in_units, pauses
from ai_fabric.reproduce.study import WIRE

if TYPE_CHECKING:
    import pandas

    from ai_fabric.common.aliases import Options
    from ai_fabric.reproduce.papers.meta import MetaStudy
    from ai_fabric.sweep.grid import Case

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
POLICIES: dict[str, Options] = {
    "none": {},
    "1 slot": {"receiverAdmission": 1},
    "8 slots": {"receiverAdmission": 8},
    "8 slots, CTS as data": {"receiverAdmission": 8, **attributes("ReceiverAdmission", CtsDscp=DATA_DSCP)},
}
COUNTED = ["cts_p99_ns", "cts_wait_p99_ns", "max_granted_bytes"]
VALUES = ["queue_mb", "by_spines", "by_leaves", "of_hosts", "drops", "time_us", *COUNTED]


def reproduce(study: MetaStudy) -> None:
    nics = study.pick(full=16, quick=4)
    racks = {**fabric(RACKS, nics, nics), **LOSSLESS, "buffer": LEAVES, "spineBuffer": DEEP, "balancer": "e-ecmp"}
    runs = study.run(cases_of(study, racks, nics))
    counted = {name: runs.get(f"policies.{name}", math.nan) for name in COUNTED}
    runs = runs.join(pauses(runs)).assign(queue_mb=runs.max_queue_data_packets * WIRE / 1e6, **counted)
    table = study.means(runs, ["traffic", "policy", "n", "buffer"], VALUES)
    judge_queues(study, table)
    judge_cts(study, table)
    times = table.set_index(["traffic", "buffer", "n", "policy"]).time_us.unstack()
    for policy in ("8 slots", "1 slot"):
        over = (times[policy] / times["none"]).max()
        study.note("R8", f"{policy}: completion time over that without admission, most", "at most 1.1", over)
    trips = run_round_trips(study, racks, nics)
    judge_round_trips(study, trips)
    study.save(table, "-cases")
    study.save(trips, "-round-trips")
    study.save_rows()
    draw(study, table)


def cases_of(study: MetaStudy, racks: Options, nics: int) -> list[Case]:
    """Incasts: n hosts send to one. Crossed incasts: n hosts, of which four receive, send to these four, so that CTS to
    a receiver cross the queue of its data."""
    counts, size = study.pick(full=([2, 4, 8, 16, 32, 64], "16MiB"), quick=([2, 8], "5MiB"))
    buffers = {size: {"spineBuffer": size} for size in (SHALLOW, DEEP)}
    incasts = study.sweep({**racks, "workload": "incast", "size": size}, traffic=["incast"], policy=POLICIES,
                          buffer=buffers, n={count: {"senders": count} for count in counts})
    files = {}
    for count in study.pick(full=[8, 16, 32, 64], quick=[8]):
        hosts = [rank * (RACKS * nics // count) for rank in range(count)]
        messages = [(0, source, sink, 8 << 20) for source in hosts for sink in hosts[:RECEIVERS] if source != sink]
        files[count] = {"workload": "flows", "flows": study.write_flows(f"crossed-{count}.csv", messages)}
    return incasts + study.sweep(racks, traffic=[CROSSED], n=files, policy=POLICIES, buffer=[DEEP])


def judge_queues(study: MetaStudy, table: pandas.DataFrame) -> None:
    incasts = table[table.traffic == "incast"]
    for buffer, rows in incasts[incasts.n == incasts.n.max()].groupby("buffer", sort=False):
        where = f"n={incasts.n.max()}, spines {buffer}"
        rows = rows.set_index("policy").loc[["1 slot", "8 slots", "none"]]
        queues, hosts = rows.queue_mb, rows.of_hosts
        study.claim(f"E5: {where}: largest queue with 1 slot, 8 slots, none (MB)", "falls with the slots", [*queues],
                    queues["1 slot"] < queues["8 slots"] < queues["none"])
        study.claim(f"E5: {where}: pauses of hosts with 1 slot, 8 slots, none", "1 slot: none",
                    ", ".join(f"{count:g}" for count in hosts), hosts["1 slot"] == 0)
    admitted = table[(table.policy != "none") & (table.buffer == DEEP)]
    for traffic, rows in admitted.groupby("traffic", sort=False):
        study.note("E5", f"{traffic}, spines {DEEP}, admission: pauses by spines, most", "0", rows.by_spines.max())
    study.note("E5", "drops of all runs", "0", table.drops.max())


def judge_cts(study: MetaStudy, table: pandas.DataFrame) -> None:
    """CTS take at most the idle time, one packet a hop, and the CTS before them at the NIC of the receiver."""
    rows = table[table.policy.isin(["1 slot", "8 slots"])]
    slots = rows.policy.map({"1 slot": 1, "8 slots": 8})
    waited = LINKS * WIRE + (rows.n + RECEIVERS) * slots * CTS_WIRE  # bytes
    over = (rows.cts_p99_ns / (table.cts_p99_ns.min() + waited * 8 / BIT_PER_NS)).max()
    study.note("E5", "p99 of CTS in a class of their own, over its limit", "at most 1", over)
    last = table[table.traffic == CROSSED]
    last = last[last.n == last.n.max()].set_index("policy").cts_p99_ns
    ratio = last["8 slots, CTS as data"] / last["8 slots"]
    study.note("E5", f"{CROSSED}: p99 of CTS as data over that of a class of their own", "above 1", ratio)


def run_round_trips(study: MetaStudy, racks: Options, nics: int) -> pandas.DataFrame:
    """R6: a small message, and a long one by slots, between two racks with base round trips of 5 and 22 us."""
    short, long = (study.flows(f"one-{nics}-{size}", [(0, 0, nics, size)])
                   for size in (64, study.pick(full=64, quick=8) << 20))
    policies = {"empty": short, **{name: {**long, **POLICIES[name]} for name in ("none", "1 slot", "8 slots")}}
    delays = {name: {"delay": delay} for name, delay in ROUND_TRIPS.items()}
    cases = study.sweep(racks, round_trip=delays, policy=policies)
    return study.tabulate(cases, ["round_trip", "policy"], {"time_us": "mean_us"}, 1)


def judge_round_trips(study: MetaStudy, table: pandas.DataFrame) -> None:
    times = table.set_index(["round_trip", "policy"]).time_us
    for name in ROUND_TRIPS:
        study.note("R6", "base round trip (us)", f"{float(name.split()[0]):g} +- 1 %", times[name, "empty"])
        over = times[name, "8 slots"] / times[name, "none"]
        what = f"one flow, base round trip {name}: time with 8 slots over that without admission"
        study.note("R6", what, "at most 1.02", over)
    over = [times[name, "1 slot"] / times[name, "none"] for name in ROUND_TRIPS]
    study.claim("R6: the same with 1 slot, 5 and 22 us", "above 1.02, ascending", over, 1.02 < over[0] < over[1])


def draw(study: MetaStudy, table: pandas.DataFrame) -> None:
    times = table.set_index(["traffic", "buffer", "n", "policy"]).time_us
    least = [times[row.traffic, row.buffer, row.n, "none"] for row in table.itertuples()]
    table = in_units(table, "time_us", "over", least)

    def panel(traffic: str, buffer: str, y: str, axis: str) -> Panel:
        rows = table[(table.traffic == traffic) & (table.buffer == buffer)]
        title, x = f"incast, spines {buffer} a port", "senders"
        scale: Any = ("set_ylim", 0)
        if traffic == CROSSED:
            title, x, scale = CROSSED, "hosts", decades
        return Panel(title, x, axis, (draw_lines, rows, "n", y, "policy"), scale, "legend")

    shown = [
        panel("incast", SHALLOW, "queue_mb", "largest queue in MB"),
        panel("incast", DEEP, "queue_mb", "largest queue in MB"),
        panel("incast", SHALLOW, "by_spines", "pauses of leaves by spines"),
        panel("incast", DEEP, "over", "time over that without admission"),
        panel(CROSSED, DEEP, "cts_p99_ns", "p99 of CTS in ns"),
        panel(CROSSED, DEEP, "cts_wait_p99_ns", "p99 of waiting for a CTS in ns"),
    ]
    study.draw(shown, f"{RACKS} racks at 400 Gb/s, {LEAVES} a port, lossless, slots of 512 KiB", rows=2, width=4.4)
