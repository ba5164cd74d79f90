# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A two-level all-reduce of 128 nodes of 8 GPUs under the routing generations"""

from charts import finish, panels
from grid import Case
from meta import LOSSLESS, MetaStudy, fabric, queue_pairs
from style import color

GPUS = 8  # of a node
NODE_GBPS = 3600  # of a GPU in its node
NICS = 2 * GPUS  # of a rack
GENERATIONS = ["ecmp", "path-pinning", "e-ecmp 4", "e-ecmp 16", "te", "host-dr"]
ORDER = ["te", "e-ecmp 16", "e-ecmp 4", "ecmp"]  # with 32 parts a message, the full size is refused for its memory
QUEUE_PAIRS = [4, 16, 32]
PLACEMENTS = ["packed", "fragmented", "random"]
UPLINKS = [NICS, NICS + NICS // 8]


class TwoLevelStudy(MetaStudy):
    """The figure of one run a case: of a collective of many steps, the slowest path of each step counts."""

    usual_seeds = 1


STUDY = TwoLevelStudy


def racks_of(study):
    return study.pick(full=64, quick=4, usual=64)


def size_of(study):
    """Size of the all-reduce in MiB."""
    return study.pick(full=256, quick=8, usual=256)


def lines_of(placement, uplinks):
    """Generations, each with its steering: with few uplinks all, and if fragmented also E-ECMP with a message on each
    queue pair in turn; with more uplinks those that are ordered; if random those whose paths depend on slices."""
    if placement == "random":
        return [(name, "split") for name in ("path-pinning", "te") if uplinks == NICS]
    if uplinks > NICS:
        return [(name, "split") for name in ORDER]
    turns = [(f"e-ecmp {count}", "round-robin") for count in QUEUE_PAIRS] if placement == "fragmented" else []
    return [(name, "split") for name in GENERATIONS] + turns


def run_all(study):
    cases = []
    for placement in PLACEMENTS:
        for uplinks in UPLINKS:
            for generation, steering in lines_of(placement, uplinks):
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
                    "balancer": name,
                    **queue_pairs(int(count or 1), steering),
                }
                cases.append(Case(labels, options))
    runs = study.run(cases)
    runs["time_us"] = runs.cct_ns / 1000
    runs["busbw_gbps"] = runs["collectives.mean_bus_bandwidth_gbps"]
    runs["used"] = runs["uplink_utilization.mean"]
    runs["most_used"] = runs["uplink_utilization.most"]
    by = ["placement", "uplinks", "generation", "steering"]
    return study.means(runs, by, ["time_us", "busbw_gbps", "used", "most_used"])


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
    for placement in ("fragmented", "random"):
        pinned, best = (times[name, placement, NICS] for name in ("path-pinning", "te"))
        what = f"path pinning, one job on all nodes, {placement}, U={NICS}: bandwidth lost to TE (%)"
        study.note("R2", what, "above 30", 100 * (1 - best / pinned), pinned > best / 0.7)


def draw(study, table):
    figure, axes = panels(1, 2, width=6.5)
    lines = lines_of("fragmented", NICS)
    names = [f"{name}{', in turn' if steering != 'split' else ''}" for name, steering in lines]
    groups = list(table.groupby(["placement", "uplinks"], sort=False))
    width = 0.8 / len(groups)
    for panel, column, title in (
        (axes[0], "busbw_gbps", "bus bandwidth as of nccl-tests in Gb/s"),
        (axes[1], "used", "mean utilization of uplinks"),
    ):
        for index, ((placement, uplinks), rows) in enumerate(groups):
            values = rows.set_index(["generation", "steering"])[column].reindex(lines)
            places = [place + (index - (len(groups) - 1) / 2) * width for place in range(len(lines))]
            panel.bar(places, values, width, color=color(index), label=f"{placement}, {uplinks} uplinks")
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
