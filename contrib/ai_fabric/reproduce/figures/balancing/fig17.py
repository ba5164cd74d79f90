# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Mean queue of the five layers against N*D/D/1, Host DR and Ofan (Figs. 17 and 19)"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy

from ai_fabric.plot.charts import draw_law, draw_stages, small_names
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.balancing.reference import LAYER_QUEUE, LAYERS, RADIX
from ai_fabric.reproduce.papers.balancing import DR, DR_SCHEMES, UNLIMITED
from ai_fabric.reproduce.study import MTU, beside

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas

    from ai_fabric.reproduce.papers.balancing import BalancingStudy
M = 1024
OPTIONS = {"size": M * MTU, "acks": "bypass", "buffer": UNLIMITED}
NEAR = 3 / 4, 4 / 3  # what is near the model


def mean_wait(streams: int, period: int) -> float:
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


def mean_queue(streams: int, period: int) -> float:
    """Mean number of packets, the one in service counted, by Little's law: an arrival waits for what
    the other streams have brought, and is served in one slot."""
    return streams / period * (1 + mean_wait(streams - 1, period)) if streams else 0


def mean_over_ports(period: int, load: float) -> float:
    """The mean over ports of a layer. Some flows are local and leave others' ports alone, so that
    the streams of a port are a random number, and the load is below 1."""
    chance = lambda n: math.comb(period, n) * load**n * (1 - load) ** (period - n)
    return sum(chance(n) * mean_queue(n, period) for n in range(1, period + 1))


def model(scheme: str, k: int) -> tuple[float, ...]:
    """The mean queue of each layer in a random permutation. streams: those that a queue serves if no flow is local,
    each of one packet a period; the link to a host serves its one flow as h streams, one a way."""
    hosts, h = k**3 // 4, k // 2
    middle = k - 1 if scheme == "ofan" else h * h
    edge, pod = (hosts - h) / (hosts - 1), (hosts - h * h) / (hosts - 1)
    streams, loads = [h, middle, middle, h, h], [edge, pod, pod, edge, 1]
    return tuple(map(mean_over_ports, streams, loads))


def reproduce(study: BalancingStudy) -> None:
    radices = {k: {"k": k} for k in study.pick(full=[4, 8, 16], quick=[4])}
    queues = {layer: f"layers.{layer}.sending_queue_packets" for layer in LAYERS}
    means = study.tabulate(study.sweep(OPTIONS, scheme=DR_SCHEMES, k=radices), ["k", "scheme"], queues)
    models = {(k, scheme): model(scheme, k) for k in radices for scheme in DR_SCHEMES if scheme in set(means.scheme)}
    study.save(beside(means, ["k", "scheme"], models, *(f"{layer}_model" for layer in LAYERS)))
    shown = []
    for k, rows in means.groupby("k"):
        laws = [(draw_law, LAYERS, models[k, scheme], f"N*D/D/1 for {scheme}", line)
                for scheme, line in (("host-dr", "--"), ("ofan", ":")) if (k, scheme) in models]
        shown.append(Panel(f"{k**3 // 4} hosts", "", "q(m): mean queue (data packets)",
                           (draw_stages, rows, LAYERS), *laws, small_names))
    study.draw(shown, f"permutation, m = {M}, no acknowledgements in queues", width=4.2)
    judge(study, means, models)


def judge(study: BalancingStudy, means: pandas.DataFrame, models: Mapping[tuple[int, str], Sequence[float]]) -> None:
    for row in means[means.scheme.isin(DR)].itertuples():  # whose streams are periodic
        hosts = f"{row.scheme}, {row.k**3 // 4} hosts"
        measured = means.loc[row.Index, LAYERS].astype(float)
        study.claim_ratio(f"{hosts}: all layers, over N*D/D/1", measured / models[row.k, row.scheme], *NEAR)
        if row.k == RADIX:
            study.claim_ratio(f"{hosts}: all layers, over the reference model", measured / LAYER_QUEUE[row.scheme])
