# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""ESA, ATP and SwitchML beside ring, tree and halving-doubling: bus bandwidth, memory and traffic of 32 workers"""

import math

import pandas

from charts import finish, legend, panels
from grid import Case
from papers.esa import LOOKS, one_switch, results_of
from papers.prime import SPACE

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
EVEN = {f"{SPACE}AtpWorker::ReactToMarks": "false"}

# Published: ATP trains 38 to 66 % faster in a shared cluster (A1); SwitchML trains up to 5.5 times as fast (S1), is more
# than twice as fast as NCCL, and its times do not grow with the workers (S2). They are of other hardware, so trends.

SEEDS = 1, 1  # nothing is drawn but paths


def case(labels, fabric, **options):
    return Case(labels, {"rate": "100Gb/s", "delay": "1us", "workload": "all-reduce", **fabric, **options})


def cases_of(study):
    size = study.pick(full="64MiB", quick="1MiB")
    small = study.pick(full="4MiB", quick="512KiB")
    racks = {"topology": "leaf-spine", "leaves": 4, "spines": 8, "hostsPerLeaf": 8}
    wide = {"topology": "leaf-spine", "leaves": 3, "spines": 11, "hostsPerLeaf": 11}
    cases = []
    for system in BYTES:
        reach = {} if system == "switchml" else {"aggregationWindow": 800, **EVEN}
        one = one_switch(WORKERS + (system != "switchml"))
        cases.append(case(label("one switch", system), one, algorithm=system, size=size, slots=20000, **reach))
        several = racks if system == "switchml" else wide
        pool = {"aggregationWindow": 512} if system == "switchml" else reach
        for balancer in study.pick(full=SWITCHES, quick=SWITCHES[:1]):
            cases.append(case(label("racks", system, balancer), several, algorithm=system, size=small, slots=20000,
                              balancer=balancer, **pool))
        for slots in study.pick(full=FEW_SLOTS + SLOTS if system == "esa" else SLOTS, quick=SLOTS[1::3]):
            window = {"aggregationWindow": slots // 2} if system == "switchml" else EVEN
            cases.append(case(label("memory", system, slots=slots), one, algorithm=system, size=small, slots=slots,
                              **window))
    jobs = jittered_jobs(study)
    for slots in study.pick(full=FEW_SLOTS + SLOTS, quick=SLOTS[1::3]):
        one = one_switch(WORKERS + 1)
        cases.append(case(label("jitter", "esa", slots=slots), one, algorithm="esa", jobs=jobs, slots=slots, **EVEN))
    cases.append(case(label("one switch", CHUNKED), one_switch(WORKERS), algorithm="ring", size=size, chunks=2))
    for rate in RATES:
        for system, more in (("switchml", {}), (CHUNKED, {"chunks": 2})):
            step = case(label("step", system, slots=rate), one_switch(WORKERS), algorithm=system.split(",")[0],
                        size=small, **more)
            step.options["rate"] = f"{rate}Gb/s"
            cases.append(step)
    for ring in RINGS:
        cases.append(case(label("one switch", ring), one_switch(WORKERS), algorithm=ring, size=size))
        for balancer in study.pick(full=BALANCERS, quick=BALANCERS[:1]):
            cases.append(case(label("racks", ring, balancer), racks, algorithm=ring, size=small, balancer=balancer))
    for workers in (4, 8, 16, 32):
        for system in ("switchml", "ring"):
            cases.append(case(label("workers", system, slots=workers), one_switch(workers), algorithm=system,
                              size=small))
    return cases


def jittered_jobs(study):
    """The size of the memory cases in iterations of a tenth, before each of which workers compute."""
    iterations, compute, jitter = JITTERED
    size = study.pick(full=2**22, quick=2**19) // iterations
    return study.write_jobs("jittered", [(size, 1, iterations, compute, jitter, 0)])


def label(part, system, balancer="", slots=0):
    return {"part": part, "system": system, "balancer": balancer, "number": slots}


def reproduce(study):
    runs = study.run(cases_of(study))
    table = pandas.DataFrame([row_of(study, run) for run in runs.itertuples() if run.completed])
    study.save(table)
    means = table.groupby(["part", "system", "balancer", "number"], sort=False).mean().reset_index()
    draw(study, means)
    judge(study, means)


def row_of(study, run):
    is_ring = run.system in (CHUNKED, *RINGS)
    workers = run.number if run.part == "workers" else WORKERS
    found = {} if is_ring else results_of(run)
    size = {"64MiB": 2**26, "4MiB": 2**22, "1MiB": 2**20, "512KiB": 2**19}[
        study.pick("64MiB", "1MiB") if run.part == "one switch" else study.pick("4MiB", "512KiB")]
    return {
        "part": run.part, "system": run.system, "balancer": run.balancer, "number": run.number,
        "time_us": run.cct_ns / 1000, "bus_gbps": 2 * (workers - 1) / workers * 8 * size / run.cct_ns,
        "hit_share": found.get("hit_share", math.nan), "packet_hops": run.packet_hops,
        "held": found.get("held_ns", math.nan) / run.cct_ns, "wrong_sums": found.get("wrong_sums", 0),
    }


def headers_allow(system):
    """The bus bandwidth of a worker that sends all its values at the line rate; those of rings pass twice."""
    payload, wire = BYTES.get(system, (RING_BYTES[0], RING_BYTES[1] + ACK_BYTES))
    return RATE * payload / wire * (2 * (WORKERS - 1) / WORKERS if system in BYTES else 1)


def half_of(rows):
    """Slots at which the bandwidth is half of that with most slots, between the nearest that were run."""
    rows = rows.sort_values("number")
    half = rows.bus_gbps.iloc[-1] / 2
    below = rows[rows.bus_gbps < half]
    if below.empty:
        return math.nan
    low = below.iloc[-1]
    high = rows[rows.number > low.number].iloc[0]
    return low.number + (high.number - low.number) * (half - low.bus_gbps) / (high.bus_gbps - low.bus_gbps)


def draw(study, means):
    figure, grid = panels(1, 3, width=4.2, height=3.4)
    one = means[means.part == "one switch"].set_index("system").bus_gbps
    grid[0].bar(range(len(one)), one, color=["C2" if system in BYTES else "C0" for system in one.index])
    for place, system in enumerate(one.index):
        grid[0].plot([place - 0.4, place + 0.4], 2 * [headers_allow(system)], color="black", linewidth=1)
    grid[0].set_xticks(range(len(one)), one.index, rotation=30, ha="right")
    grid[0].set_ylabel("bus bandwidth (Gb/s)\nline: what headers allow")
    grid[0].set_title("one switch")
    for system, rows in means[means.part == "memory"].groupby("system", sort=False):
        rows = rows.sort_values("number")
        grid[1].plot(rows.number, rows.bus_gbps, "o-", color=COLORS[system], label=system, markersize=4)
    rows = means[means.part == "jitter"].sort_values("number")
    grid[1].plot(rows.number, rows.bus_gbps, "o:", color=COLORS["esa"], label="esa, jitter", markersize=4)
    grid[1].set_xscale("log")
    counts = [count for count in sorted(set(means[means.part == "memory"].number)) if count & count - 1 == 0]
    grid[1].set_xticks(counts, counts, rotation=60)
    grid[1].minorticks_off()
    grid[1].set_xlabel("slots of the switch")
    grid[1].set_ylabel("bus bandwidth (Gb/s)")
    legend(grid[1])
    racks = means[means.part == "racks"].pivot(index="balancer", columns="system", values="bus_gbps")
    racks = racks.loc[study.pick(full=BALANCERS, quick=BALANCERS[:1]), [*BYTES, *RINGS]]
    for system in racks.columns:
        grid[2].plot(range(len(racks)), racks[system], "o-", color=COLORS[system], label=system, markersize=4, linewidth=1)
    grid[2].set_xticks(range(len(racks)), racks.index, rotation=30, ha="right")
    grid[2].set_ylabel("bus bandwidth (Gb/s)")
    grid[2].set_title("racks, by balancer")
    legend(grid[2])
    finish(figure, study, f"{WORKERS} workers, 100 Gb/s")


def judge(study, means):
    one = means[means.part == "one switch"].set_index("system")
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
    memory = means[means.part == "memory"]
    halves = {system: half_of(rows) for system, rows in memory.groupby("system", sort=False)}
    study.claim("slots at which half of the bandwidth is left: atp, switchml, esa", "ESA the fewest",
                ", ".join("below the least" if math.isnan(halves[system]) else f"{halves[system]:.0f}"
                          for system in ("atp", "switchml", "esa")),
                math.isnan(halves["esa"]) or halves["esa"] < min(halves["atp"], halves["switchml"]))
    study.claim("ATP: half is left where 1 + (1 - f) (N - 1) = 2, so at nearly all slots of a window of 200",
                "180 to 200", float(halves["atp"]))
    share = one.held["esa"] / one.held["atp"]
    study.claim("slots held: ESA over ATP, without stragglers", "below 0.1", float(share))
    judge_jitter(study, means)
    judge_traffic(study, means, one)
    judge_steps(study, means)
    wrong = means.wrong_sums.sum()
    study.claim("all sums are right", "0 wrong", f"{wrong:.0f} wrong", wrong == 0)


def judge_jitter(study, means):
    """ESA holds a slot as long as one worker is behind another."""
    even = means[(means.part == "memory") & (means.system == "esa")]
    half, jittered = half_of(even), half_of(means[means.part == "jitter"])
    study.claim("slots at which ESA has half: with jitter, without", "more with jitter",
                f"{jittered:.0f}, " + ("below the least" if math.isnan(half) else f"{half:.0f}"),
                jittered > (0 if math.isnan(half) else half))


def judge_steps(study, means):
    """Trends of SwitchML: all-reduce and training step, twice as much communication as computation."""
    steps = means[means.part == "step"].pivot(index="number", columns="system", values="time_us")
    allowed = headers_allow("switchml") / headers_allow("ring")
    for rate, row in steps.iterrows():
        ratio = row[CHUNKED] / row.switchml
        study.claim_near(f"S2: {rate} Gb/s: time of the ring over SwitchML's, as headers allow", round(allowed, 3),
                         ratio, percent=5)
        study.claim(f"S2: {rate} Gb/s: SwitchML is more than twice as fast (published, against NCCL)", "above 2",
                    float(ratio))
        step = (0.5 + ratio) / 1.5  # computation: half of SwitchML's communication
        study.claim(f"S1: {rate} Gb/s: a training step with a ring over one with SwitchML",
                    "above 1 (published: up to 5.5)", float(step), step > 1)


def judge_traffic(study, means, one):
    """Bytes on the links of the workers, and how time grows with the workers."""
    ring = 2 * (WORKERS - 1) / WORKERS * RING_BYTES[1] / RING_BYTES[0]
    for system, (payload, wire) in BYTES.items():
        members = 1 if system == "switchml" else 1 + 1 / WORKERS  # the link of the server has each sum as well
        sent = bytes_sent(one, system) / bytes_sent(one, "ring")
        study.claim_near(f"{system}: bytes on the links of hosts, over the ring's",
                         round(members * wire / payload / ring, 3), sent, percent=3)
    grown = means[means.part == "workers"].pivot(index="number", columns="system", values="time_us")
    flat = grown.switchml[32] / grown.switchml[4]
    study.claim_near("S2: SwitchML: time of 32 workers over that of 4", 1, flat, percent=5)
    longer = grown.ring[32] / grown.ring[4]
    study.claim("S2: ring: the same", "above SwitchML's", float(longer), longer > flat)
    step = (0.5 + one.time_us["ring"] / one.time_us["atp"]) / 1.5  # computation: half of ATP's communication
    study.claim("A1: a training step with ATP over one with a ring, twice as much communication as computation",
                "faster (ATP: 1.38 to 1.66 in a cluster)", float(step), step > 1.2)


def bytes_sent(one, system):
    """Bytes on the links of hosts below one switch, without acknowledgements, which are half of a ring's packets."""
    wire = BYTES.get(system, RING_BYTES)[1]
    return one.packet_hops[system] * wire / (1 if system in BYTES else 2)
