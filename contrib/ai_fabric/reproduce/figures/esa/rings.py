# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""ESA, ATP and SwitchML beside ring, tree and halving-doubling: bus bandwidth, memory and traffic of 32 workers"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas

from ai_fabric.plot.charts import legend, slant
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes, leaf_spine
from ai_fabric.reproduce.papers.esa import LOOKS, results_of, slots_of
from ai_fabric.reproduce.study import bytes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ai_fabric.common.aliases import Options, Values
    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.esa import EsaStudy
    from ai_fabric.sweep.grid import Case

    Axis = Sequence[object] | Mapping[Any, Options]  # its values, or the options of each

WORKERS = 32
RATE = 100  # Gb/s
BYTES = {"atp": (248, 340), "esa": (248, 342), "switchml": (256, 332)}  # values, and all that a packet takes
RING_BYTES = (4096, 4178)
ACK_BYTES = 84  # for each packet of a ring, on the link on which its receiver sends packets of its own
RINGS = ["ring", "double-binary-tree", "halving-doubling"]
COLORS = {system: LOOKS[system][0] for system in BYTES} | dict(zip(RINGS, ["C3", "C4", "C5"]))
CHUNKED = "ring, 2 chunks"  # no host waits for its neighbour's next part
SWITCHES = ["ecmp", "switch-ar"]  # balancers of hosts do not label packets of aggregation
BALANCERS = [*SWITCHES, "host-random", "reps"]
SLOTS = [16, 32, 64, 96, 128, 160, 192, 256, 512]
FEW_SLOTS = [1, 2, 4, 8]  # without jitter ESA needs no more
RATES = [10, 100]  # Gb/s, of a step with SwitchML and with a ring
JITTERED = 10, 10000, 1  # iterations, ns of computation of each, and its standard deviation as a share
EVEN = attributes("AtpWorker", ReactToMarks="false")
BY = ["part", "system", "balancer", "number"]
SEEDS = 1, 1  # nothing is drawn but paths


def sizes_of(study: EsaStudy) -> tuple[str, str]:
    """Bytes below one switch, and of all other parts. What is published of ATP (38 to 66 % faster in a shared cluster,
    A1) and SwitchML (up to 5.5 times as fast, S1; twice as fast as NCCL, and its times do not grow with the workers,
    S2) is of other hardware, so a trend."""
    return study.pick(full=("64MiB", "4MiB"), quick=("1MiB", "512KiB"))


def cases_of(study: EsaStudy) -> list[Case]:
    large, small = sizes_of(study)
    racks, wide, one_switch = leaf_spine(4, 8, 8), leaf_spine(3, 11, 11), partial(leaf_spine, 1, 1)
    balancers = {name: {"balancer": name} for name in study.pick(full=BALANCERS, quick=BALANCERS[:1])}
    switches = {name: options for name, options in balancers.items() if name in SWITCHES}
    some, all_slots = (study.pick(full=counts, quick=SLOTS[1::3]) for counts in (SLOTS, FEW_SLOTS + SLOTS))
    cases = []

    def add(
        part: str, systems: Iterable[str], fabric: Options, balancer: Axis = ("",), number: Axis = (0,),
        size: str = small, **options: object,
    ) -> None:
        options = {**fabric, "size": size, **options}
        systems = {name: {"algorithm": name.split(",")[0]} for name in systems}
        cases.extend(study.sweep(options, part=[part], system=systems, balancer=balancer, number=number))

    reach: Values
    pool: Values
    for system in BYTES:
        one, several, reach, pool = one_switch(WORKERS + 1), wide, {"aggregationWindow": 800, **EVEN}, {}
        slots = {count: {"slots": count, **EVEN} for count in (all_slots if system == "esa" else some)}
        if system == "switchml":
            one, several, reach, pool = one_switch(WORKERS), racks, {}, {"aggregationWindow": 512}
            slots = {count: {"slots": count, "aggregationWindow": count // 2} for count in some}
        add("one switch", [system], one, size=large, slots=20000, **reach)
        add("racks", [system], several, switches, slots=20000, **reach, **pool)
        add("memory", [system], one, number=slots)
    iterations, compute, deviation = JITTERED  # of the size of the memory cases
    jobs = study.write_jobs("jittered", [(bytes_of(small) // iterations, 1, iterations, compute, deviation, 0)])
    jitter = {**one_switch(WORKERS + 1), "algorithm": "esa", "jobs": jobs, **EVEN}
    cases += study.sweep(jitter, part=["jitter"], system=["esa"], balancer=[""], number=slots_of(all_slots))
    add("one switch", [CHUNKED], one_switch(WORKERS), size=large, chunks=2)
    compared: dict[str, Values] = {"switchml": {}, CHUNKED: {"chunks": 2}}
    for rate in RATES:
        for system, more in compared.items():
            add("step", [system], one_switch(WORKERS), number=[rate], rate=f"{rate}Gb/s", **more)
    for ring in RINGS:
        add("one switch", [ring], one_switch(WORKERS), size=large)
        add("racks", [ring], racks, balancers)
    for workers in (4, 8, 16, 32):
        add("workers", ["switchml", "ring"], one_switch(workers), number=[workers])
    return cases


def reproduce(study: EsaStudy) -> None:
    runs, rows = study.run(cases_of(study)), []
    large, small = map(bytes_of, sizes_of(study))
    for run in runs[runs.completed].itertuples():
        workers, found = run.number if run.part == "workers" else WORKERS, results_of(run)
        size = large if run.part == "one switch" else small
        rows.append({**{name: getattr(run, name) for name in BY},
                     "time_us": run.cct_ns / 1000, "bus_gbps": 2 * (workers - 1) / workers * 8 * size / run.cct_ns,
                     "hit_share": found.get("hit_share", math.nan), "packet_hops": run.packet_hops,
                     "held": found.get("held_ns", math.nan) / run.cct_ns, "wrong_sums": found.get("wrong_sums", 0)})
    table = pandas.DataFrame(rows)
    study.save(table)
    means = table.groupby(BY, sort=False).mean().reset_index()
    parts = {part: rows for part, rows in means.groupby("part", sort=False)}
    one = parts["one switch"].set_index("system").bus_gbps
    memory = parts["memory"].pivot(index="number", columns="system", values="bus_gbps")
    memory["esa, jitter"] = parts["jitter"].set_index("number").bus_gbps
    racks = parts["racks"].pivot(index="balancer", columns="system", values="bus_gbps")
    racks = racks.loc[study.pick(full=BALANCERS, quick=BALANCERS[:1]), [*BYTES, *RINGS]]
    axis, counts = "bus bandwidth (Gb/s)", [count for count in memory.index if count & count - 1 == 0]
    ticks = ("set_xscale", "log"), ("set_xticks", counts, counts, {"rotation": 60}), "minorticks_off"
    shown = [
        Panel("one switch", "", f"{axis}\nline: what headers allow", (draw_one_switch, one), slant),
        Panel("", "slots of the switch", axis, (draw_lines, memory), *ticks),
        Panel("racks, by balancer", "", axis, (draw_lines, racks), slant),
    ]
    study.draw(shown, f"{WORKERS} workers, 100 Gb/s", legends=0, width=4.2, height=3.4)
    judge(study, means)


def headers_allow(system: str) -> float:
    """The bus bandwidth of a worker that sends all its values at the line rate; those of rings pass twice."""
    payload, wire = BYTES.get(system, (RING_BYTES[0], RING_BYTES[1] + ACK_BYTES))
    return RATE * payload / wire * (2 * (WORKERS - 1) / WORKERS if system in BYTES else 1)


def half_of(rows: pandas.DataFrame) -> float:
    """Slots at which the bandwidth is half of that with most slots, between the nearest that were run."""
    rows = rows.sort_values("number")
    half = rows.bus_gbps.iloc[-1] / 2
    below = rows[rows.bus_gbps < half]
    if below.empty:
        return math.nan
    low = below.iloc[-1]
    high = rows[rows.number > low.number].iloc[0]
    return low.number + (high.number - low.number) * (half - low.bus_gbps) / (high.bus_gbps - low.bus_gbps)


def show_half(slots: float) -> str:
    return "below the least" if math.isnan(slots) else f"{slots:.0f}"


def draw_one_switch(axes: Axes, one: pandas.Series) -> None:
    axes.bar(range(len(one)), one, color=["C2" if system in BYTES else "C0" for system in one.index])
    for place, system in enumerate(one.index):
        axes.plot([place - 0.4, place + 0.4], 2 * [headers_allow(system)], color="black", linewidth=1)
    axes.set_xticks(range(len(one)), one.index)


def draw_lines(axes: Axes, table: pandas.DataFrame) -> None:
    """A line a column, those with jitter dotted."""
    for label, rates in table.items():
        rates, style = rates.dropna(), "o:" if "jitter" in label else "o-"
        axes.plot(rates.index, rates, style, color=COLORS[label.split(",")[0]], label=label, markersize=4, linewidth=1)
    legend(axes)


def judge(study: EsaStudy, means: pandas.DataFrame) -> None:
    parts = {part: rows for part, rows in means.groupby("part", sort=False)}
    one = parts["one switch"].set_index("system")
    for system in BYTES:
        share = one.bus_gbps[system] / headers_allow(system)
        study.claim_ratio(f"{system}: bus bandwidth over what headers allow", [share], 0.97, 1.0001)
    for system in ("atp", "esa"):
        ratio = one.bus_gbps[system] / one.bus_gbps[CHUNKED]
        study.claim_near(f"{system} over the ring with 2 chunks, as its own headers and the ring's allow",
                         round(headers_allow(system) / headers_allow("ring"), 3), ratio, percent=1)
    best = max(one.bus_gbps[ring] for ring in RINGS)
    study.claim("the ring is the best of ring, double binary tree and halving-doubling", "ring",
                f"{one.bus_gbps['ring']:.1f} of {best:.1f} Gb/s", one.bus_gbps["ring"] >= 0.97 * best)
    judge_memory(study, parts, one)
    judge_traffic(study, parts, one)
    judge_steps(study, parts["step"])
    study.claim_sums(means)


def judge_memory(study: EsaStudy, parts: Mapping[str, pandas.DataFrame], one: pandas.DataFrame) -> None:
    """ESA holds a slot as long as one worker is behind another."""
    halves = {system: half_of(rows) for system, rows in parts["memory"].groupby("system")}
    atp, switchml, esa = (halves[system] for system in ("atp", "switchml", "esa"))
    study.claim("slots at which half of the bandwidth is left: atp, switchml, esa", "ESA the fewest",
                ", ".join(map(show_half, (atp, switchml, esa))), math.isnan(esa) or esa < min(atp, switchml))
    study.claim("ATP: half is left where 1 + (1 - f) (N - 1) = 2, so at nearly all slots of a window of 200",
                "180 to 200", float(atp))
    study.claim("slots held: ESA over ATP, without stragglers", "below 0.1", one.held["esa"] / one.held["atp"])
    jittered = half_of(parts["jitter"])
    study.claim("slots at which ESA has half: with jitter, without", "more with jitter",
                f"{jittered:.0f}, {show_half(esa)}", jittered > (0 if math.isnan(esa) else esa))


def judge_steps(study: EsaStudy, rows: pandas.DataFrame) -> None:
    """Trends of SwitchML: all-reduce and training step, twice as much communication as computation."""
    steps = rows.pivot(index="number", columns="system", values="time_us")
    allowed = headers_allow("switchml") / headers_allow("ring")
    for rate, ratio in (steps[CHUNKED] / steps.switchml).items():
        study.claim_near(f"S2: {rate} Gb/s: time of the ring over SwitchML's, as headers allow", round(allowed, 3),
                         ratio, percent=5)
        study.claim(f"S2: {rate} Gb/s: SwitchML is more than twice as fast (published, against NCCL)", "above 2", ratio)
        step = (0.5 + ratio) / 1.5  # computation: half of SwitchML's communication
        study.claim(f"S1: {rate} Gb/s: a training step with a ring over one with SwitchML",
                    "above 1 (published: up to 5.5)", step, step > 1)


def judge_traffic(study: EsaStudy, parts: Mapping[str, pandas.DataFrame], one: pandas.DataFrame) -> None:
    """Bytes on the links of the workers, and how time grows with the workers."""
    ring = 2 * (WORKERS - 1) / WORKERS * RING_BYTES[1] / RING_BYTES[0]
    for system, (payload, wire) in BYTES.items():
        members = 1 if system == "switchml" else 1 + 1 / WORKERS  # the link of the server has each sum as well
        sent = bytes_sent(one, system) / bytes_sent(one, "ring")
        study.claim_near(f"{system}: bytes on the links of hosts, over the ring's",
                         round(members * wire / payload / ring, 3), sent, percent=3)
    grown = parts["workers"].pivot(index="number", columns="system", values="time_us")
    flat, longer = (grown[system][32] / grown[system][4] for system in ("switchml", "ring"))
    study.claim_near("S2: SwitchML: time of 32 workers over that of 4", 1, flat, percent=5)
    study.claim("S2: ring: the same", "above SwitchML's", longer, longer > flat)
    step = (0.5 + one.time_us["ring"] / one.time_us["atp"]) / 1.5  # computation: half of ATP's communication
    study.claim("A1: a training step with ATP over one with a ring, twice as much communication as computation",
                "faster (ATP: 1.38 to 1.66 in a cluster)", step, step > 1.2)


def bytes_sent(one: pandas.DataFrame, system: str) -> float:
    """Bytes on the links of hosts below one switch, without acknowledgements, which are half of a ring's packets."""
    wire = BYTES.get(system, RING_BYTES)[1]
    return one.packet_hops[system] * wire / (1 if system in BYTES else 2)
