# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Mean queue of the five layers against N*D/D/1, Host DR and Ofan (Figs. 17 and 19)"""

import math

import numpy
import pandas

from charts import draw_law, draw_stages, finish, legend, panels
from papers.balancing.reference import LAYER_QUEUE, LAYERS, RADIX
from papers.balancing import DR, DR_SCHEMES, UNLIMITED
from study import MTU

M = 1024
NEAR = 3 / 4, 4 / 3  # what is near the model


def mean_wait(streams, period):
    """Mean work in an N*D/D/1 queue at any time, in slots, for so many streams of one packet in
    each period of so many slots. The distribution is that of Roberts and Virtamo, "The
    superposition of periodic cell arrival streams in an ATM multiplexer" (1991)."""
    width = 1 / 64
    work = numpy.arange(width / 2, streams, width)
    exceeds = numpy.zeros_like(work)
    for i in range(1, streams + 1):
        share = numpy.clip((i - work) / period, 0, None)  # 0 where i streams are no more than that
        alone = math.comb(streams, i) * share**i * (1 - share) ** (streams - i)
        exceeds += alone * (period - streams + work) / (period - i + work)
    return exceeds.sum() * width


def mean_queue(streams, period):
    """Mean number of packets, the one in service counted, by Little's law: an arrival waits for what
    the other streams have brought, and is served in one slot."""
    return streams / period * (1 + mean_wait(streams - 1, period)) if streams else 0


def mean_over_ports(period, load):
    """The mean over ports of a layer. Some flows are local and leave others' ports alone, so that
    the streams of a port are a random number, and the load is below 1."""
    return sum(
        math.comb(period, n) * load**n * (1 - load) ** (period - n) * mean_queue(n, period)
        for n in range(1, period + 1)
    )


def streams(scheme, k):
    """Periodic streams that a queue of each layer serves if no flow is local."""
    h = k // 2
    middle = k - 1 if scheme == "ofan" else h * h
    return [h, middle, middle, h, h]  # the link to a host serves its one flow as h streams, one a way


def loads(k):
    """The load of each layer in a random permutation."""
    hosts, h = k**3 // 4, k // 2
    edge, pod = (hosts - h) / (hosts - 1), (hosts - h * h) / (hosts - 1)
    return [edge, pod, pod, edge, 1]


def model(scheme, k):
    """The mean queue of each layer."""
    return [mean_over_ports(n, load) for n, load in zip(streams(scheme, k), loads(k))]


def reproduce(study):
    radices = study.pick(full=[4, 8, 16], quick=[4])
    cases = study.sweep(
        DR_SCHEMES, "k", radices, lambda k: {"k": k, "size": M * MTU, "acks": "bypass", "buffer": UNLIMITED}
    )
    table = study.run(cases)
    for layer in LAYERS:
        table[layer] = table[f"layers.{layer}.sending_queue_packets"]
    means = study.means(table, ["k", "scheme"], LAYERS)
    models = {(k, scheme): model(scheme, k) for k in radices for scheme in DR_SCHEMES if scheme in set(means.scheme)}
    study.save(with_models(means, models))
    draw(study, means, models)
    judge(study, means, models)


def with_models(means, models):
    """Adds the model's numbers to the table."""
    rows = [[k, scheme, *values] for (k, scheme), values in models.items()]
    names = [f"{layer}_model" for layer in LAYERS]
    return means.merge(pandas.DataFrame(rows, columns=["k", "scheme", *names]), how="left")


def draw(study, means, models):
    figure, grid = panels(1, means.k.nunique(), width=4.2)
    for axes, (k, rows) in zip(grid, means.groupby("k")):
        draw_stages(axes, rows, LAYERS)
        for scheme, style in (("host-dr", "--"), ("ofan", ":")):
            if (k, scheme) in models:
                draw_law(axes, LAYERS, models[k, scheme], f"N*D/D/1 for {scheme}", style)
        axes.set_title(f"{k**3 // 4} hosts")
        axes.set_ylabel("q(m): mean queue (data packets)")
        axes.tick_params(axis="x", labelsize=8)
    legend(grid[-1], grid)
    finish(figure, study, f"permutation, m = {M}, no acknowledgements in queues")


def judge(study, means, models):
    for row in means.itertuples():
        if row.scheme not in DR:
            continue  # its streams are not periodic
        hosts = f"{row.scheme}, {row.k**3 // 4} hosts"
        measured = [means.loc[row.Index, layer] for layer in LAYERS]
        law = models[row.k, row.scheme]
        ratios = [ours / expected for ours, expected in zip(measured, law)]
        study.claim_ratio(f"{hosts}: all layers, over N*D/D/1", ratios, *NEAR)
        if row.k == RADIX:
            ratios = [ours / other for ours, other in zip(measured, LAYER_QUEUE[row.scheme])]
            study.claim_ratio(f"{hosts}: all layers, over the reference model", ratios)
