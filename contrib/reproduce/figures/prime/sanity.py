# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""NSCC and the schemes of PRIME's family beside the reference simulator's own tests: flows, incasts, 1024 hosts"""

import pandas

from charts import name_rows
from drawing import Panel
from fabrics import leaf_spine
from grid import Case
from papers.prime import NEAR, acked, fabric, hashing, prime, slow_links
from style import color

SIZE = 2000000  # bytes a flow, in all of these tests
THREE_TIERS = {"rate": 100, "rtt_ns": 14022.72}
TWO_TIERS = {"rate": 100, "rtt_ns": 9348.48}
ENTROPIES = 128
LINKS = 8  # of an aggregation switch towards the cores, of the largest fabric
LONG = 500  # packets of a queue, in the tests with long queues; the others have 43

SCHEMES = {
    "ecmp": {"balancer": "ecmp"},
    "ops-rrx": hashing("host-permuted", "HostPermutedBalancer::LogEntropies", 7),
    "bitmap": hashing("bitmap", "BitmapBalancer::LogEntropies", 7),
    "reps": hashing("reps", "RepsBalancer::Entropies", ENTROPIES),
    "mixed": hashing("mixed", "BitmapBalancer::LogEntropies", 7),
    "prime": prime(),
}

# Longest flow in us by test, scheme and packets per acknowledgement, in the reference simulator. PRIME's
# rows are of a selector written for that simulator.
SMALL = {
    ("one flow", "mixed", 4): 176.2,
    ("both ways", "mixed", 4): 176.804,
    ("15 to 1", "mixed", 4): 2478.53,
    ("permutation, 16 hosts", "mixed", 4): 194.022,
    ("permutation, 16 hosts", "ecmp", 4): 527.755,
}
LARGE = {
    ("127 to 1", "mixed", 4): 21029.3,
    ("permutation, 1024 hosts", "ops-rrx", 4): 212.794,
    ("permutation, 1024 hosts", "bitmap", 4): 200.507,
    ("permutation, 1024 hosts", "reps", 1): 198.246,
    ("permutation, 1024 hosts", "reps", 4): 208.239,
    ("permutation, 1024 hosts", "mixed", 1): 193.184,
    ("permutation, 1024 hosts", "mixed", 4): 200.507,
    ("permutation, 1024 hosts", "prime", 1): 186.6,
    ("permutation, 1024 hosts", "prime", 4): 186.2,
    ("permutation, 1024 hosts", "ecmp", 4): 889.92,
    ("1024 hosts, 500 packets", "ops-rrx", 4): 221.895,
    ("1024 hosts, 500 packets", "bitmap", 4): 202.349,
    ("1024 hosts, 500 packets", "reps", 1): 198.246,
    ("8 slow links", "ops-rrx", 4): 280.775,
    ("8 slow links", "bitmap", 4): 220.269,
    ("8 slow links", "reps", 1): 206.684,
    ("8 slow links", "reps", 4): 245.821,
    ("8 slow links", "mixed", 1): 211.821,
    ("8 slow links", "mixed", 4): 219.554,
    ("8 slow links", "prime", 1): 202.7,
    ("8 slow links", "prime", 4): 201.5,
    ("slow links, 500 packets", "ops-rrx", 4): 564.701,
    ("slow links, 500 packets", "bitmap", 4): 478.668,
    ("slow links, 500 packets", "reps", 1): 209.872,
    ("4:1 leaf-spine", "mixed", 4): 785.774,
    ("8:1 leaf-spine", "mixed", 4): 1443.43,
}
# With one entropy chance decides which flows share a link, and one run says little: runs, and the mean
# that the reference simulator has with the permutations of our runs and with as many seeds
CHANCE = {("permutation, 16 hosts", "ecmp", 4): (30, 497.6)}
FLOWS = {"one flow": [(0, 15)], "both ways": [(0, 15), (15, 0)]}
RETRANSMISSIONS = 811  # of the incast from 15 hosts
CLOSE = {"one flow": (0.98, 1.02), "15 to 1": (2450 / 2478.53, 2550 / 2478.53)}


def reproduce(study):
    expected = study.pick(full={**SMALL, **LARGE}, quick=SMALL)
    cases = {}  # by their number of runs
    for (test, scheme, packets), published in expected.items():
        if study.only and scheme not in study.only:
            continue
        options = {**options_of(study, test), **SCHEMES[scheme], **acked(packets), "size": SIZE}
        if "flows" in options:
            del options["size"]
        seeds, reference = CHANCE.get((test, scheme, packets), (study.seeds, published))
        labels = {"test": test, "scheme": scheme, "packets_per_ack": packets}
        labels |= {"published_us": published, "reference_us": reference}
        cases.setdefault(study.pick(full=seeds, quick=study.seeds), []).append(Case(labels, options))
    runs = pandas.concat([study.run(some, seeds) for seeds, some in cases.items()])
    key = ["test", "scheme", "packets_per_ack"]
    values = ["longest_us", "retransmissions", "acks", "timeouts"]
    means = study.means(runs, [*key, "published_us", "reference_us"], values).set_index(key)
    means = means.loc[[row for row in expected if row in means.index]].reset_index()
    study.save(means)
    names = [f"{row.test}: {row.scheme}, an ACK per {row.packets_per_ack}" for row in means.itertuples()]
    parts = (draw_ratios, means), (name_rows, names, 8)
    shown = [Panel("", "longest flow, ours over the reference simulator's", "", *parts)]
    study.draw(shown, "2 MB a flow, 100 Gb/s", width=6.4, height=0.26 * len(means) + 1.2)
    judge(study, means)


def options_of(study, test):
    """The fabric and the traffic of a test."""
    if test in FLOWS:
        path = study.write_flows(f"{test.replace(' ', '-')}.csv", [(0, *pair, SIZE) for pair in FLOWS[test]])
        return {**fabric(**THREE_TIERS, k=4), "flows": path}
    if test in ("15 to 1", "127 to 1"):
        senders = int(test.split()[0])
        return {**fabric(**THREE_TIERS, k=4 if senders == 15 else 8), "workload": "incast", "senders": senders}
    if test == "permutation, 16 hosts":
        return fabric(**THREE_TIERS, k=4)
    if "leaf-spine" in test:
        up = {"4:1 leaf-spine": 8, "8:1 leaf-spine": 4}[test]
        return fabric(**TWO_TIERS, **leaf_spine(32, up, 32))
    slow = slow_links(8, LINKS) if "slow links" in test else {}
    return {**fabric(**THREE_TIERS, queue=LONG if "500 packets" in test else None, k=16), **slow}


def draw_ratios(axes, means):
    """How far each test is from the reference simulator."""
    columns = means[["longest_us", "longest_us_least", "longest_us_most"]]
    ratios = columns.div(means.reference_us, axis=0)
    places = range(len(means))
    axes.hlines(places, ratios.longest_us_least, ratios.longest_us_most, color=color(0), alpha=0.4, linewidth=4,
                label="range of the runs")
    axes.plot(ratios.longest_us, places, "o", color=color(0), label="mean of the runs")
    axes.axvline(1, color="black", linestyle="--", label="reference simulator")
    axes.axvspan(*NEAR, color="black", alpha=0.06, label="10 %")


def judge(study, means):
    for test, rows in means.groupby("test", sort=False):
        claim = f"{test}: longest flow over the reference simulator's"
        study.claim_ratio(claim, rows.longest_us / rows.reference_us, *CLOSE.get(test, NEAR))
    for retransmissions in means[means.test == "15 to 1"].retransmissions:
        study.claim_near("15 to 1: retransmissions", RETRANSMISSIONS, retransmissions, percent=15)
    for acks in means[means.test == "one flow"].acks:
        study.claim_near("one flow: acknowledgements", 124, acks, points=0)
