# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC over four planes against RC over one: collectives with and without loss, an incast (R1 to R6)"""

import math

import numpy

from charts import finish, legend, panels
from mrc import BASE, LINK, MrcStudy, attributes, case, rates
from style import scheme_color, scheme_marker

STUDY = MrcStudy
QUEUE_PAIRS = [1, 2, 4, 8, 16]
LOSSES = [0, 0.001, 0.01]
PLANES = 4
SMALL, LARGE = "4MiB", "64MiB"  # of all-reduces
EACH = ["64KiB", "1MiB"]  # of all-to-alls, to each host
SENDERS, VICTIM = range(8, 15), (15, 1)  # of the incast to host 0; the victim's destination has the same leaf
ONE_PLANE = {**BASE, "planes": 1, "rate": f"{PLANES * LINK}Gb/s"}


def rc(queue_pairs, **options):
    """RC with go-back-n on one plane whose switches pause it; messages split over some queue pairs."""
    return {
        "topology": "leaf-spine",
        "planes": 1,
        "rate": f"{PLANES * LINK}Gb/s",
        "balancer": "ecmp",
        "recovery": "go-back-n",
        "admission": "shared",
        "buffer": "64MB",
        **attributes("SharedBuffer", LosslessClasses=8),
        "steering": "split",
        **attributes("SplitSteering", QueuePairs=queue_pairs),
        **options,
    }


def mrc(**options):
    return {**BASE, "planes": PLANES, **options}


def hosts_of(study):
    """Leaves, and hosts and spines of each."""
    return study.pick(full=(8, 8), quick=(4, 4))


def cases(study):
    return [*rings(study), *exchanges(study), *incasts(study)]


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
    large = study.pick(full=LARGE, quick="4MiB")
    ring = {**wide(study), "workload": "all-reduce", "algorithm": "ring", "stallTime": "1s"}
    ring |= study.crossing_ring(leaves, each, each)
    found = []
    for share in LOSSES:
        options = {**ring, **lossy(study, share)}
        for size in dict.fromkeys([SMALL, large]):
            found.append(case(f"ring mrc {share} {size}", mrc(**options, size=size)))
            for number in QUEUE_PAIRS if size == large else [1, 16]:
                found.append(case(f"ring {number} {share} {size}", rc(number, **options, size=size)))
    return found


def exchanges(study):
    options = {**wide(study), "workload": "all-to-all", "stallTime": "1s"}
    return [
        case(f"exchange {name} {share} {size}", {**base, **options, **lossy(study, share), "size": size})
        for share in LOSSES[:2]
        for size in study.pick(full=EACH, quick=EACH[:1])
        for name, base in (("mrc", mrc()), ("1", rc(1)), ("16", rc(16)))
    ]


def incasts(study):
    """Seven hosts of a leaf send to one of another leaf, and an eighth to that one's neighbor."""
    messages = study.pick(full=400, quick=100)
    fabric = {"leaves": 2, "spines": 8, "hostsPerLeaf": 8}
    crowd = study.flows("incast", [*((host, 0) for host in SENDERS), VICTIM], messages)
    alone = study.flows("victim", [VICTIM], messages)
    return [
        case(f"incast {name} {what}", {**base, **fabric, **flows})
        for name, base in (("mrc", ONE_PLANE), ("1", rc(1)), ("8", rc(8)))
        for what, flows in (("crowd", crowd), ("alone", alone))
    ]


def reproduce(study):
    runs = study.run(cases(study)).set_index("case")
    large = study.pick(full=LARGE, quick="4MiB")
    judge_rings(study, runs, large)
    judge_exchanges(study, runs)
    judge_incasts(study, runs)
    study.save_rows("MRC over RC, and shares of rates")
    draw_rings(study, runs, large)


def time_of(runs, name):
    """The mean completion time; not a number if a run did not complete."""
    return runs.loc[[name]].cct_ns.mean(skipna=False)


def judge_rings(study, runs, large):
    time = lambda who, share, size=large: time_of(runs, f"ring {who} {share} {size}")
    best = time("mrc", 0)
    study.expect("R1", "RC with 1 QP: share of MRC's rate", 0.5, best / time(1, 0), 0.375, 0.625)
    study.expect("R1", "RC with 16 QPs: rate over 8 QPs", 1, time(8, 0) / time(16, 0), 0, 1.1)
    for size in dict.fromkeys([SMALL, large]):
        study.expect("R1", f"MRC: rate over RC with 16 QPs, {size}", 1, time(16, 0, size) / time("mrc", 0, size), 1, math.inf)
    some, much = LOSSES[1:]
    least = min(time(number, 0) / time(number, some) for number in QUEUE_PAIRS)
    most = max(time(number, 0) / time(number, some) for number in QUEUE_PAIRS)
    study.expect("R2", "RC, 0.1 % lost: share of its rate", 0.5, [least, most], 0, 0.5)
    study.expect("R2", "MRC, 0.1 % lost: share of its rate, large", 1, best / time("mrc", some), 0.9, 1)
    small = time("mrc", 0, SMALL) / time("mrc", some, SMALL)
    study.expect("R2", "MRC, 0.1 % lost: share of its rate, small", 0.9, small, 0, best / time("mrc", some))
    shares = [best / time(number, much) for number in QUEUE_PAIRS]
    study.expect("R3", "RC, 1 % lost: share of MRC's rate without loss", 0.1, numpy.nan_to_num(shares), 0, 0.1)
    study.near("R3", "MRC, 1 % lost: share of its rate", 1 / 3, best / time("mrc", much), 25)


def judge_exchanges(study, runs):
    time = lambda who, share, size: time_of(runs, f"exchange {who} {share} {size}")
    sizes = study.pick(full=EACH, quick=EACH[:1])
    for size in sizes:
        study.expect("R4", f"all-to-all, RC with 16 QPs: rate over 1 QP, {size}", 0.9,
                     time(1, 0, size) / time(16, 0, size), 0.7, 1)
        rivals = min(time(1, 0, size), time(16, 0, size))
        study.expect("R4", f"all-to-all, MRC: rate over the best RC, {size}", 1, rivals / time("mrc", 0, size), 1, math.inf)
        for who, words, low, high in ((1, "RC with 1 QP", 0, 1), ("mrc", "MRC", 0.8, 1)):
            low = 0.75 if who == 1 and size == EACH[-1] else low
            high = 0.5 if who == 1 and size == EACH[0] else high
            share = time(who, 0, size) / time(who, LOSSES[1], size)
            study.expect("R5", f"all-to-all, 0.1 % lost, {words}: share of its rate, {size}", 1, share, low, high)


def judge_incasts(study, runs):
    until = study.pick(full=1200, quick=500)
    for name, words, low, high in (("1", "RC with 1 QP", 0.075, 0.25), ("8", "RC with 8 QPs", 0.075, 0.25), ("mrc", "MRC", 0.99, 1.01)):
        crowd, alone = ([rates(folder, 50, 150)[VICTIM] for folder in runs.loc[[f"incast {name} {what}"]].folder]
                        for what in ("crowd", "alone"))
        study.expect("R6", f"incast, {words}: victim's rate over that alone", 1, sum(crowd) / sum(alone), low, high)
        shares = [rate for folder in runs.loc[[f"incast {name} crowd"]].folder for rate in rates(folder, 50, until).drop(VICTIM)]
        fair = numpy.mean(shares)
        limits = (0.9, 1.1) if name == "mrc" else (0, math.inf)
        study.expect("R6", f"incast, {words}: senders' rates over their mean", 1, numpy.array(shares) / fair, *limits)


def draw_rings(study, runs, large):
    """The bus bandwidth of rings by queue pairs, a panel for each loss."""
    figure, grid = panels(1, len(LOSSES), width=3.4, sharey=True)
    for axes, share in zip(grid, LOSSES):
        bandwidth = lambda who: runs.loc[[f"ring {who} {share} {large}"]]["collectives.mean_bus_bandwidth_gbps"].mean()
        axes.plot(QUEUE_PAIRS, [bandwidth(number) for number in QUEUE_PAIRS], color=scheme_color("ecmp"),
                  marker=scheme_marker("ecmp"), label="RC, ECMP, PFC")
        axes.axhline(bandwidth("mrc"), color=scheme_color("mrc"), label="MRC, one queue pair")
        axes.set_xscale("log", base=2)
        axes.set_xticks(QUEUE_PAIRS, map(str, QUEUE_PAIRS))
        axes.set_title(f"{100 * share:g} % of packets lost")
        axes.set_xlabel("queue pairs of RC")
        axes.set_ylim(0, PLANES * LINK)
    grid[0].set_ylabel("bus bandwidth of the ring (Gb/s)")
    legend(grid[-1])
    finish(figure, study, f"all-reduce of {large}, {study.hosts()} hosts, 400 Gb/s a host", "-rings")
