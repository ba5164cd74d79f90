# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A two-level all-reduce of 128 nodes of 8 GPUs under the routing generations"""

from charts import finish, panels
from grid import Case
from papers.meta import LOSSLESS, fabric, queue_pairs
from style import color

GPUS = 8  # of a node
NODE_GBPS = 3600  # of a GPU in its node
NICS = 2 * GPUS  # of a rack
SEEDS = 1  # of a collective of many steps, the slowest path of each step counts
GENERATIONS = ["ecmp", "path-pinning", "e-ecmp 4", "e-ecmp 16", "te", "flowlet"]
ORDER = ["te", "e-ecmp 16", "e-ecmp 4", "ecmp"]
QUEUE_PAIRS = [4, 16, 32]
PLACEMENTS = ["packed", "fragmented", "random"]
UPLINKS = [NICS, NICS + NICS // 8]
USUAL = "fragmented"  # every hop of a ring between nodes crosses uplinks
HASHED = "e-ecmp 16"  # beside which TE is published
SPREAD = 40, 90  # percent; published utilization of uplinks with E-ECMP
LEVEL = 80  # percent; published utilization of uplinks with TE
FASTER = 5, 10  # percent; published gain of TE over E-ECMP
SHARES = ["least", "p25", "mean", "p75", "most"]  # of uplink_utilization


def racks_of(study):
    return study.pick(full=64, quick=4, usual=64)


def size_of(study):
    """Size of the all-reduce in MiB."""
    return study.pick(full=256, quick=8, usual=256)


def lines_of(study, placement, uplinks):
    """Generations, each with its steering. The usual figure has one placement with as many uplinks as NICs. The whole
    one has with few uplinks all generations, and if fragmented also host-dr and E-ECMP with a message on each queue
    pair in turn; with more uplinks those that are ordered; if random those whose paths depend on slices."""
    if study.pick(full=False, quick=False, usual=True):
        return [(name, "split") for name in GENERATIONS] if (placement, uplinks) == (USUAL, NICS) else []
    if placement == "random":
        return [(name, "split") for name in ("path-pinning", "te") if uplinks == NICS]
    if uplinks > NICS:
        return [(name, "split") for name in ORDER]
    turns = [(f"e-ecmp {count}", "round-robin") for count in QUEUE_PAIRS] if placement == "fragmented" else []
    return [(name, "split") for name in (*GENERATIONS, "host-dr")] + turns


def make_cases(study):
    cases = []
    for placement in PLACEMENTS:
        for uplinks in UPLINKS:
            for generation, steering in lines_of(study, placement, uplinks):
                name, _, count = generation.partition(" ")
                labels = {"placement": placement, "uplinks": uplinks, "generation": generation, "steering": steering}
                options = {
                    **fabric(racks_of(study), uplinks, NICS),
                    **LOSSLESS,
                    "acks": "bypass",
                    "mtu": 9000,
                    "gpusPerNode": GPUS,
                    "placement": placement,
                    "workload": "all-reduce",
                    "size": f"{size_of(study)}MiB",
                    "chunks": 1,  # the two stages follow one another
                    "balancer": name,
                    **queue_pairs(int(count or 1), steering),
                }
                cases.append(Case(labels, options))
    return cases


def run_all(study):
    runs = study.run(make_cases(study))
    runs["time_us"] = runs.cct_ns / 1000
    runs["busbw_gbps"] = runs["collectives.mean_bus_bandwidth_gbps"]
    for name in SHARES:
        runs[f"{name}_used"] = runs[f"uplink_utilization.{name}"]
    by = ["placement", "uplinks", "generation", "steering"]
    return study.means(runs, by, ["time_us", "busbw_gbps", *(f"{name}_used" for name in SHARES)])


def busbw(study, time_us):
    """As nccl-tests defines it, in Gb/s: 2 (n - 1) / n of the size, over the time."""
    ranks = racks_of(study) * NICS
    return 2 * (ranks - 1) / ranks * size_of(study) * 2**20 * 8 / time_us / 1000


def judge(study, table):
    ranks = racks_of(study) * NICS
    for row in table.itertuples():
        expected = busbw(study, row.time_us)
        if abs(row.busbw_gbps / expected - 1) > 0.001:
            study.claim(f"busbw of {row.generation}: as nccl-tests", expected, row.busbw_gbps, False)
    nodes = ranks // GPUS
    bits = size_of(study) * 2**23
    stages_us = 2 * (nodes - 1) / nodes * bits / GPUS / 400e3 + 2 * (GPUS - 1) / GPUS * bits / NODE_GBPS / 1e3
    ordered = table[(table.steering == "split") & (table.placement != "random")]
    judge_uplinks(study, ordered)
    for (placement, uplinks), rows in ordered.groupby(["placement", "uplinks"], sort=False):
        times = rows.set_index("generation").time_us
        order = [times[name] for name in ORDER]
        holds = all(first < second for first, second in zip(order, order[1:]))
        study.claim(
            f"E1: two-level all-reduce, {placement}, U={uplinks}: TE < E-ECMP 16 < E-ECMP 4 < ECMP (us)",
            "ascending",
            " ".join(f"{time:.4g}" for time in order),
            holds,
        )
        what = f"two-level all-reduce, {placement}, U={uplinks}: TE over the times of NICs and nodes at their rates"
        study.note("2.4", what, "below 1.5", times["te"] / stages_us, times["te"] < 1.5 * stages_us)
    times = table[table.steering == "split"].set_index(["generation", "placement", "uplinks"]).time_us.sort_index()
    for placement in [name for name in ("fragmented", "random") if ("te", name, NICS) in times]:
        pinned, best = (times[name, placement, NICS] for name in ("path-pinning", "te"))
        what = f"path pinning, one job on all nodes, {placement}, U={NICS}: bandwidth lost to TE (%)"
        study.note("R2", what, "above 30", 100 * (1 - best / pinned), pinned > best / 0.7)


def judge_uplinks(study, table):
    """R9: how evenly uplinks are used, and what that gains. The published values are remembered, not verified."""
    rows = table[(table.placement == USUAL) & (table.uplinks == NICS)].set_index("generation")
    engineered, hashed = rows.loc["te"], rows.loc[HASHED]
    used = 100 * engineered.mean_used
    study.note("R9", "TE: mean utilization of uplinks (%)", f"{LEVEL} +- 10", used, abs(used - LEVEL) <= 10)
    even = engineered.least_used / engineered.most_used
    study.note("R9", "TE: utilization of uplinks, least over most", "above 0.95", even)
    spread = 100 * hashed.least_used / hashed.most_used
    published = 100 * SPREAD[0] / SPREAD[1]
    study.note("R9", f"{HASHED}: utilization of uplinks, least over most (%)", f"{published:.0f} +- 15", spread,
               abs(spread - published) <= 15)  # fmt: skip
    gain = 100 * (hashed.time_us / engineered.time_us - 1)
    # Published is the gain of an iteration, of which a part is no communication.
    study.note("R9", f"gain of TE over {HASHED}, of the collective alone (%)", f"{FASTER[0]} or more", gain)  # fmt: skip


def draw_shares(panel, lines, groups, width):
    """A box from p25 to p75 and a line from the least to the most used uplink, for each case."""
    for index, ((placement, uplinks), rows) in enumerate(groups):
        values = rows.set_index(["generation", "steering"]).reindex(lines)
        places = [place + (index - (len(groups) - 1) / 2) * width for place in range(len(lines))]
        panel.vlines(places, values.least_used, values.most_used, color=color(index), linewidth=1)
        boxes = values.p75_used - values.p25_used
        panel.bar(places, boxes, width * 0.8, values.p25_used, color=color(index), label=f"{placement}, {uplinks} uplinks")
        panel.plot(places, values.mean_used, "k_", markersize=8)


def draw(study, table):
    figure, axes = panels(1, 2, width=6.5)
    lines = lines_of(study, USUAL, NICS)
    names = [f"{name}{', in turn' if steering != 'split' else ''}" for name, steering in lines]
    groups = list(table.groupby(["placement", "uplinks"], sort=False))
    width = 0.8 / len(groups)
    for index, ((placement, uplinks), rows) in enumerate(groups):
        values = rows.set_index(["generation", "steering"]).busbw_gbps.reindex(lines)
        places = [place + (index - (len(groups) - 1) / 2) * width for place in range(len(lines))]
        axes[0].bar(places, values, width, color=color(index), label=f"{placement}, {uplinks} uplinks")
    draw_shares(axes[1], lines, groups, width)
    axes[1].set_title("line: least to most; box: quartiles; black: mean", fontsize=9)
    for panel, title in ((axes[0], "bus bandwidth as of nccl-tests in Gb/s"), (axes[1], "utilization of uplinks"),):
        panel.set_xticks(range(len(names)), names, fontsize=7, rotation=30, ha="right")
        panel.set_ylabel(title)
        panel.set_ylim(top=1.3 * panel.get_ylim()[1])
        panel.legend(fontsize=6, ncols=2)
    racks = racks_of(study)
    finish(figure, study, f"{racks} racks of two nodes of {GPUS} GPUs at 400 Gb/s, {size_of(study)} MiB, lossless")


def reproduce(study):
    table = run_all(study)
    judge(study, table)
    study.save(table)
    draw(study, table)
