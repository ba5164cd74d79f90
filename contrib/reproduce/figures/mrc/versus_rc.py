# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC over four planes against RC over one, with and without DCQCN: collectives, losses, incasts (R1 to R7)"""

import math

import numpy

from charts import finish, legend, panels, spaced
from papers.mrc import incasts
from papers.mrc import LINK, case
from papers.mrc.rivals import CONTROLS, PLANES, WORDS, mrc, rc
from style import color, scheme_color, scheme_marker

QUEUE_PAIRS = [1, 2, 4, 8, 16]
LOSSES = [0, 0.001, 0.01]
SMALL, LARGE, QUICK_LARGE = "4MiB", "64MiB", "16MiB"  # of all-reduces
EACH = ["64KiB", "1MiB"]  # of all-to-alls, to each host
LOOKS = {
    "": ("RC, ECMP, PFC", {"color": scheme_color("ecmp"), "marker": scheme_marker("ecmp")}),
    " dcqcn": ("the same with DCQCN", {"color": color(1), "marker": "^", "linestyle": "--"}),
}


def hosts_of(study):
    """Leaves, and hosts and spines of each."""
    return study.pick(full=(8, 8), quick=(4, 4))


def cases(study):
    return [*rings(study), *exchanges(study), *incasts.cases(study)]


def lossy(study, share):
    """Each packet is lost with this probability, on the link from its host."""
    leaves, each = hosts_of(study)
    return {"fail": ",".join(f"host-{host}/up%{share}@0ns" for host in range(leaves * each))} if share else {}


def wide(study):
    leaves, each = hosts_of(study)
    return {"leaves": leaves, "spines": each, "hostsPerLeaf": each}


def rings(study):
    """All-reduces, each step of which crosses a spine."""
    leaves, each = hosts_of(study)
    large = study.pick(full=LARGE, quick=QUICK_LARGE)
    ring = {**wide(study), "workload": "all-reduce", "algorithm": "ring", "stallTime": "1s"}
    ring |= study.crossing_ring(leaves, each, each)
    found = []
    for share in LOSSES:
        options = {**ring, **lossy(study, share)}
        for size in (SMALL, large):
            found.append(case(f"ring mrc {share} {size}", mrc(**options, size=size)))
            for number in QUEUE_PAIRS if size == large else [1, 16]:
                for control in CONTROLS:
                    rival = rc(number, control, **options, size=size)
                    found.append(case(f"ring {number}{control} {share} {size}", rival))
    return found


def exchanges(study):
    options = {**wide(study), "workload": "all-to-all", "stallTime": "1s"}
    sides = {"mrc": mrc(), **{f"{number}{control}": rc(number, control) for number in (1, 16) for control in CONTROLS}}
    return [
        case(f"exchange {name} {share} {size}", {**base, **options, **lossy(study, share), "size": size})
        for share in LOSSES[:2]
        for size in study.pick(full=EACH, quick=EACH[:1])
        for name, base in sides.items()
    ]


def reproduce(study):
    runs = study.run(cases(study)).set_index("case")
    large = study.pick(full=LARGE, quick=QUICK_LARGE)
    for control in CONTROLS:
        judge_rings(study, runs, large, control)
    judge_rings_of_mrc(study, runs, large)
    for control in CONTROLS:
        judge_exchanges(study, runs, control)
    judge_exchanges_of_mrc(study, runs)
    incasts.judge(study, runs)
    study.save_rows("MRC over RC, and shares of rates")
    draw_rings(study, runs, large)


def time_of(runs, name):
    """The mean completion time; not a number if a run did not complete."""
    return runs.loc[[name]].cct_ns.mean(skipna=False)


def judge_rings(study, runs, large, control):
    """RC's rows, which the paper has with DCQCN."""
    rival, words = (lambda number: f"{number}{control}"), WORDS[control]
    time = lambda who, share, size=large: time_of(runs, f"ring {who} {share} {size}")
    best = time("mrc", 0)
    study.expect("R1", f"{words} with 1 QP: share of MRC's rate", 0.5, best / time(rival(1), 0), 0.375, 0.625)
    study.expect("R1", f"{words} with 16 QPs: rate over 8 QPs", 1, time(rival(8), 0) / time(rival(16), 0), 0, 1.1)
    for size in (SMALL, large):
        ours = time(rival(16), 0, size) / time("mrc", 0, size)
        study.expect("R1", f"MRC: rate over {words} with 16 QPs, {size}", 1, ours, 1, math.inf)
    some, much = LOSSES[1:]
    kept = [time(rival(number), 0) / time(rival(number), some) for number in QUEUE_PAIRS]
    study.expect("R2", f"{words}, 0.1 % lost: share of its rate", 0.5, kept, 0, 0.5)
    shares = [best / time(rival(number), much) for number in QUEUE_PAIRS]
    study.expect("R3", f"{words}, 1 % lost: share of MRC's rate without loss", 0.1, numpy.nan_to_num(shares), 0, 0.1)


def judge_rings_of_mrc(study, runs, large):
    time = lambda share, size=large: time_of(runs, f"ring mrc {share} {size}")
    some, much = LOSSES[1:]
    study.expect("R2", "MRC, 0.1 % lost: share of its rate, large", 1, time(0) / time(some), 0.9, 1)
    small = time(0, SMALL) / time(some, SMALL)
    study.expect("R2", "MRC, 0.1 % lost: share of its rate, small", 0.9, small, 0, time(0) / time(some))
    study.near("R3", "MRC, 1 % lost: share of its rate", 1 / 3, time(0) / time(much), 25)


def judge_exchanges(study, runs, control):
    time = lambda who, share, size: time_of(runs, f"exchange {who} {share} {size}")
    one, many, words = f"1{control}", f"16{control}", WORDS[control]
    for size in study.pick(full=EACH, quick=EACH[:1]):
        ours = time(one, 0, size) / time(many, 0, size)
        study.expect("R4", f"all-to-all, {words} with 16 QPs: rate over 1 QP, {size}", 0.9, ours, 0.7, 1)
        ours = min(time(one, 0, size), time(many, 0, size)) / time("mrc", 0, size)
        study.expect("R4", f"all-to-all, MRC: rate over the best {words}, {size}", 1, ours, 1, math.inf)
        low, high = (0, 0.5) if size == EACH[0] else (0.75, 1)
        ours = time(one, 0, size) / time(one, LOSSES[1], size)
        name = f"all-to-all, 0.1 % lost, {words} with 1 QP: share of its rate, {size}"
        study.expect("R5", name, high, ours, low, high)


def judge_exchanges_of_mrc(study, runs):
    for size in study.pick(full=EACH, quick=EACH[:1]):
        whole, lossy_time = (time_of(runs, f"exchange mrc {share} {size}") for share in LOSSES[:2])
        study.expect("R5", f"all-to-all, 0.1 % lost, MRC: share of its rate, {size}", 1, whole / lossy_time, 0.8, 1)


def draw_rings(study, runs, large):
    """The bus bandwidth of rings by queue pairs, a panel for each loss."""
    figure, grid = panels(1, len(LOSSES), width=3.4, sharey=True)
    for axes, share in zip(grid, LOSSES):
        bandwidth = lambda who: runs.loc[[f"ring {who} {share} {large}"]]["collectives.mean_bus_bandwidth_gbps"].mean()
        for control, (label, look) in LOOKS.items():
            axes.plot(QUEUE_PAIRS, [bandwidth(f"{number}{control}") for number in QUEUE_PAIRS], label=label, **look)
        axes.axhline(bandwidth("mrc"), color=scheme_color("mrc"), label="MRC, one queue pair")
        axes.set_xscale("log", base=2)
        axes.set_xticks(QUEUE_PAIRS, map(str, QUEUE_PAIRS))
        axes.set_title(f"{100 * share:g} % of packets lost" if share else "no loss")
        axes.set_xlabel("queue pairs of RC")
        axes.set_ylim(0, PLANES * LINK)
    grid[0].set_ylabel("bus bandwidth of the ring (Gb/s)")
    legend(grid[-1])
    finish(figure, study, f"all-reduce of {spaced(large)}, {study.hosts()} hosts, 400 Gb/s a host", "-rings")
