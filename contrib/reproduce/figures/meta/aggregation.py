# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""E-ECMP over the aggregation layer of two zones of racks, 7:1: traffic between zones by queue pairs, beside a model"""

import math
import random

import pandas

from charts import draw_reference, finish, panels
from grid import Case
from papers.meta import LOSSLESS, queue_pairs
from style import color

LIMIT = 10  # percent between a load and the model's, or two standard errors of the draws, if that is more
LINKS = 2  # from a cluster switch to the aggregation layer
RACKS = 7 * LINKS  # of a zone, so that a cluster switch has seven times as many links down
DRAWS = 400  # of the model
BALANCERS = {
    "ecmp": ("ecmp", [1]),
    "one-port": ("one-port", [4, 16]),
    "e-ecmp": ("e-ecmp", [1, 4, 16, 32]),
    "te": ("te", [1]),
}
UPLINKS = [2, 3, 4, 7]  # of a cluster switch, one of which is dead (R14)
DEAD_DRAWS = 6  # of the traffic: with 4 links the gain of one draw has a standard deviation of 10 %
AWARE = {"ECMP": "never", "W-ECMP": "0s"}  # when switches know of links that are not theirs
GAIN = 10, 30  # percent; published is about 20
PLACEMENTS = ["packed", "fragmented", "random"]
GPUS = 8


def shape(study):
    """NICs of a rack, and cluster switches of a zone: an eighth more."""
    return study.pick(full=(16, 18), quick=(8, 9))


def zones(study, cores=None):
    """Two zones, joined by an aggregation layer."""
    nics, spines = shape(study)
    return {"topology": "three-tier", "pods": 2, "leavesPerPod": RACKS, "spinesPerPod": spines,
            "cores": cores or LINKS * spines, "hostsPerLeaf": nics, "rate": "400Gb/s", **LOSSLESS}  # fmt: skip


def crossing(study, seed):
    """Each NIC sends a message to another one in the other zone, a random permutation."""
    half = RACKS * shape(study)[0]
    draw = random.Random(seed)
    orders = [draw.sample(range(half), half) for _ in range(2)]
    size = study.pick(full="1048576", quick="262144")
    flows = [(0, host, half + to, size) for host, to in enumerate(orders[0])]
    flows += [(0, half + host, to, size) for host, to in enumerate(orders[1])]
    path = study.write_flows(f"crossing-{2 * half}-{seed}.csv", flows)
    return {"workload": "flows", "flows": path, "jitter": "0ns"}


def model(study, count):
    """The busiest of all links to the aggregation layer over an even share, if each queue pair draws one: mean, deviation."""
    nics, spines = shape(study)
    draw = random.Random(1)
    flows, links = RACKS * nics * count, LINKS * spines
    found = []
    for _ in range(DRAWS):
        loads = [0] * (2 * links)
        for zone in range(2):
            for _ in range(flows):
                loads[zone * links + draw.randrange(links)] += 1
        found.append(max(loads) * links / flows)
    return pandas.Series(found).mean(), pandas.Series(found).std()


def over_share(folder):
    """The busiest link to the aggregation layer over an even share."""
    links = pandas.read_csv(folder / "links.csv", usecols=["from", "layer", "bytes_sent"])
    bytes_sent = links.bytes_sent[links.layer == "agg-up"]
    return bytes_sent.max() / bytes_sent.mean()


def run_crossing(study):
    cases = [
        Case(
            {"balancer": name, "queue_pairs": count, "draw": draw},
            {**zones(study), **crossing(study, draw), "balancer": balancer, **queue_pairs(count)},
        )
        for name, (balancer, counts) in BALANCERS.items()
        for count in counts
        for draw in range(1, study.seeds + 1)
    ]
    runs = study.run(cases, 1)
    runs["over"] = [over_share(folder) for folder in runs.folder]
    runs["time_us"] = runs.cct_ns / 1000
    runs["least_us"] = runs.completion_bound_ns / 1000
    return study.means(runs, ["balancer", "queue_pairs"], ["over", "time_us", "least_us"])


def judge_crossing(study, table):
    rows = table.set_index(["balancer", "queue_pairs"])
    for count in BALANCERS["e-ecmp"][1]:
        (expected, deviation), ours = model(study, count), rows.over["e-ecmp", count]
        room = max(LIMIT / 100 * expected, 2 * deviation / math.sqrt(study.seeds))
        study.note("2.3", f"E-ECMP Q={count}: busiest aggregation link over its share, mean of {study.seeds}",
                   f"{expected:.3g} +- {room:.2g}", ours, abs(ours - expected) <= room)  # fmt: skip
    gain = 100 * (rows.time_us["one-port", 16] / rows.time_us["e-ecmp", 16] - 1)
    study.note("R1", "between zones: gain of E-ECMP over ECMP, Q=16 (%)", "40 or more", gain)
    times = [rows.time_us[case] for case in [("te", 1), ("e-ecmp", 32), ("e-ecmp", 4), ("ecmp", 1)]]
    study.claim("between zones: TE < E-ECMP 32 < E-ECMP 4 < ECMP (us)", "ascending",
                " ".join(f"{time:.4g}" for time in times), times == sorted(times))  # fmt: skip


def run_placements(study):
    """One all-reduce over all nodes of both zones: 7:1, and with as many links to the aggregation layer as down."""
    spines = shape(study)[1]
    cases = [
        Case(
            {"placement": placement, "aggregation": name},
            {**zones(study, links * spines), "gpusPerNode": study.pick(full=GPUS, quick=4), "placement": placement,
             "workload": "all-reduce", "size": study.pick(full="64MiB", quick="4MiB"), "chunks": 1, "balancer": "e-ecmp",
             **queue_pairs(4)},
        )  # fmt: skip
        for placement in PLACEMENTS
        for name, links in (("7:1", LINKS), ("1:1", RACKS))
    ]
    runs = study.run(cases, 1)
    runs["time_us"] = runs.cct_ns / 1000
    return study.means(runs, ["placement", "aggregation"], ["time_us"])


def judge_placements(study, table):
    times = table.set_index(["placement", "aggregation"]).time_us
    lost = {name: 100 * (times[name, "7:1"] / times[name, "1:1"] - 1) for name in PLACEMENTS}
    study.note("1.2", "all-reduce of both zones, packed: time lost by 7:1 (%)", "below 5", lost["packed"])  # fmt: skip
    study.note("1.2", "all-reduce of both zones, random: time lost by 7:1 (%)", "above 5", lost["random"])  # fmt: skip


def run_dead(study):
    """A switch of the aggregation layer is dead: one cluster switch of each zone has lost an uplink. Its own switches
    know so; racks know it with W-ECMP, whose weights are the numbers of paths that are alive."""
    cases = [
        Case(
            {"routing": name, "links": links, "draw": draw},
            {**zones(study, links * shape(study)[1]), **crossing(study, draw), "balancer": "e-ecmp", **queue_pairs(16),
             "fail": "core-0@0s", "detection": "0s", "convergence": when},
        )  # fmt: skip
        for name, when in AWARE.items()
        for links in UPLINKS
        for draw in range(1, study.pick(full=max(study.seeds, DEAD_DRAWS), quick=study.seeds) + 1)
    ]
    runs = study.run(cases, 1)
    runs["time_us"] = runs.cct_ns / 1000
    return runs


def gains_of(runs):
    """By links: the gain of W-ECMP over ECMP in percent, its standard error, and the draws."""
    times = runs.pivot(index=["links", "draw"], columns="routing", values="time_us")
    gains = (100 * (times["ECMP"] / times["W-ECMP"] - 1)).groupby("links")
    return pandas.DataFrame({"gain": gains.mean(), "error": gains.sem(), "draws": gains.count()})


def judge_dead(study, gains):
    near = gains.gain.between(*GAIN)
    texts = [f"{row.gain:.3g} +- {2 * row.error:.2g}" for row in gains.itertuples()]
    counts = ", ".join(map(str, gains.index))
    study.claim(f"R14: a dead path: gain of W-ECMP over ECMP with {counts} links (%), mean of {gains.draws.min()}, 20 published",
                f"{GAIN[0]} to {GAIN[1]} in some cell", ", ".join(texts), near.any())  # fmt: skip


def draw_dead(panel, table):
    width = 0.38
    for index, (name, rows) in enumerate(table.groupby("routing", sort=False)):
        places = [at + (index - 0.5) * width for at in range(len(UPLINKS))]
        panel.bar(places, rows.set_index("links").time_us.reindex(UPLINKS), width, color=color(index), label=name)
    panel.set_xticks(range(len(UPLINKS)), UPLINKS)
    panel.set_title("traffic between zones, a dead aggregation switch", fontsize=9)
    panel.set_xlabel("links of a cluster switch to the aggregation layer")
    panel.set_ylabel("completion time in us")


def draw_all(study, crossed, placed, lost):
    figure, axes = panels(2, 2, width=5.2)
    for index, (name, line) in enumerate(crossed.groupby("balancer", sort=False)):
        look = {"color": color(index), "marker": "os^D"[index], "markersize": 5}
        axes[0].plot(line.queue_pairs, line.over, label=name, **look)
        axes[1].plot(line.queue_pairs, line.time_us, label=name, **look)
    counts = BALANCERS["e-ecmp"][1]
    draw_reference(axes[0], counts, [model(study, count)[0] for count in counts], label="model")
    axes[0].set_title("traffic between zones", fontsize=9)
    axes[0].set_ylabel("busiest aggregation link over its share")
    axes[1].set_title("traffic between zones", fontsize=9)
    axes[1].set_ylabel("completion time in us")
    for panel in axes[:2]:
        panel.set_xscale("log", base=2)
        panel.set_xticks(counts, counts)
        panel.set_xlabel("queue pairs of a connection")
        panel.set_ylim(bottom=0)
    width = 0.38
    for index, (name, rows) in enumerate(placed.groupby("aggregation", sort=False)):
        places = [at + (index - 0.5) * width for at in range(len(PLACEMENTS))]
        axes[2].bar(places, rows.set_index("placement").time_us.reindex(PLACEMENTS), width, color=color(index), label=name)
    axes[2].set_xticks(range(len(PLACEMENTS)), PLACEMENTS)
    axes[2].set_title("all-reduce of both zones, E-ECMP with 4 queue pairs", fontsize=9)
    axes[2].set_ylabel("completion time in us")
    draw_dead(axes[3], lost)
    for panel in axes:
        panel.legend(fontsize=7)
    nics, spines = shape(study)
    finish(figure, study, f"two zones of {RACKS} racks of {nics} NICs at 400 Gb/s, {spines} uplinks, 7:1, lossless")


def reproduce(study):
    crossed, placed, lost = study.each(run_crossing, run_placements, run_dead)
    judge_crossing(study, crossed)
    gains = gains_of(lost)
    lost = study.means(lost, ["routing", "links"], ["time_us", "drops"])
    judge_dead(study, gains)
    judge_placements(study, placed)
    study.save(crossed, "-crossing")
    study.save(placed, "-placements")
    study.save(lost, "-dead")
    study.save(gains.reset_index(), "-gains")
    study.save_rows()
    draw_all(study, crossed, placed, lost)
