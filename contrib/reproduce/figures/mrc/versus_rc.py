# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC over four planes against RC over one, with and without DCQCN: collectives, losses, incasts (R1 to R7)"""

import math

import numpy

from charts import spaced
from drawing import Panel
from fabrics import leaf_spine
from papers.mrc import LINK, case, incasts, lossy
from papers.mrc.rivals import CONTROLS, PLANES, WORDS, mrc, rc
from style import color, scheme_color, scheme_marker

BANDWIDTH = "collectives.mean_bus_bandwidth_gbps"
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


def wide(study, share, **workload):
    """A leaf-spine whose hosts lose a share of their packets."""
    leaves, each = hosts_of(study)
    return {**leaf_spine(leaves, each, each), **lossy(leaves * each, share), "stallTime": "1s", **workload}


def rings(study):
    """All-reduces, each step of which crosses a spine."""
    leaves, each = hosts_of(study)
    large = study.pick(full=LARGE, quick=QUICK_LARGE)
    found = []
    for share in LOSSES:
        ring = wide(study, share, workload="all-reduce", algorithm="ring") | study.crossing_ring(leaves, each, each)
        for size in (SMALL, large):
            for name, base in sides_of(QUEUE_PAIRS if size == large else [1, 16]).items():
                found.append(case(f"ring {name} {share} {size}", {**base, **ring, "size": size}))
    return found


def sides_of(queue_pairs):
    """Options by name: MRC, and RC with some numbers of queue pairs, with and without DCQCN."""
    return {"mrc": mrc(), **{f"{one}{control}": rc(one, control) for one in queue_pairs for control in CONTROLS}}


def exchanges(study):
    return [case(f"exchange {name} {share} {size}", {**base, **wide(study, share, workload="all-to-all", size=size)})
            for share in LOSSES[:2] for size in study.pick(full=EACH, quick=EACH[:1])
            for name, base in sides_of([1, 16]).items()]


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
    some, much = LOSSES[1:]
    best, one, eight, many = (time(who, 0) for who in ("mrc", rival(1), rival(8), rival(16)))
    study.expect("R1", f"{words} with 1 QP: share of MRC's rate", 0.5, best / one, 0.375, 0.625)
    study.expect("R1", f"{words} with 16 QPs: rate over 8 QPs", 1, eight / many, 0, 1.1)
    for size in (SMALL, large):
        ours = time(rival(16), 0, size) / time("mrc", 0, size)
        study.expect("R1", f"MRC: rate over {words} with 16 QPs, {size}", 1, ours, 1, math.inf)
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
    shown = []
    for share in LOSSES:
        bandwidth = lambda who, share=share: runs.loc[[f"ring {who} {share} {large}"]][BANDWIDTH].mean()
        title = f"{100 * share:g} % of packets lost" if share else "no loss"
        shown.append(Panel(title, "queue pairs of RC", "bus bandwidth of the ring (Gb/s)",
                           (draw_bandwidths, bandwidth), ("set_ylim", 0, PLANES * LINK)))
    scenario = f"all-reduce of {spaced(large)}, {study.hosts()} hosts, 400 Gb/s a host"
    study.draw(shown, scenario, "-rings", width=3.4, sharey=True, outer=True)


def draw_bandwidths(axes, bandwidth):
    for control, (label, look) in LOOKS.items():
        axes.plot(QUEUE_PAIRS, [bandwidth(f"{number}{control}") for number in QUEUE_PAIRS], label=label, **look)
    axes.axhline(bandwidth("mrc"), color=scheme_color("mrc"), label="MRC, one queue pair")
    axes.set_xscale("log", base=2)
    axes.set_xticks(QUEUE_PAIRS, map(str, QUEUE_PAIRS))
