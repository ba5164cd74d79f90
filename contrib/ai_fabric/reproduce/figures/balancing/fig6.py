# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Queues against the message size: slopes 1, 1/2 and 0 (Fig. 6, Theorems 1 to 4)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ai_fabric.plot.charts import decades, draw_law, draw_reference, draw_schemes, powers_of_two
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.balancing import SLOPES, THEORY, claim_slope, reference, room, slope
from ai_fabric.reproduce.study import EQUAL_PACKETS, MTU, beside

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.balancing import BalancingStudy

# Largest and mean queue in the reference model
REFERENCE = {(scheme, m): tuple(queues) for scheme in reference.MAX_QUEUE
             for m, *queues in zip(reference.PACKETS, reference.MAX_QUEUE[scheme], reference.MEAN_QUEUE[scheme])}


def reproduce(study: BalancingStudy) -> None:
    sizes = {m: {"size": m * MTU} for m in study.pick(full=[64, 128, 256, 512, 1024, 2048], quick=[64, 128, 256])}
    options = lambda case: {"acks": "bypass", **EQUAL_PACKETS, "buffer": room(case.scheme)}
    columns = ["max_queue_packets", "sending_queue_packets", "increase_percent"]
    means = study.tabulate(study.sweep(options, scheme=THEORY, m=sizes), ["scheme", "m"], columns)
    if not study.quick:
        means = beside(means, ["scheme", "m"], REFERENCE, "reference_max_queue", "reference_sending_queue")
    study.save(means)
    draw(study, means)
    for scheme, rows in means.groupby("scheme", sort=False):
        if scheme in SLOPES:
            measured = slope(rows, "max_queue_packets")
            claim_slope(study, f"{scheme}: slope of the largest queue over m", scheme, [measured])
    for name, column, other in [("q(m)", "sending_queue_packets", "reference_sending_queue"),
                                ("largest queue", "max_queue_packets", "reference_max_queue")]:
        known = [] if study.quick else means.dropna(subset=[other]).groupby("scheme", sort=False)
        for scheme, rows in known:
            claim = f"{scheme}: {name} at m = 64 to 2048 as a multiple of the reference model's"
            study.claim_ratio(claim, rows[column] / rows[other])


def draw(study: BalancingStudy, means: pandas.DataFrame) -> None:
    def panel(title: str, y: str, column: str, *parts: Any) -> Panel:
        rising = (draw_schemes, means, "m", column), (powers_of_two, means.m), decades
        return Panel(title, "packets of a message, m", y, *rising, *parts)

    known = ["reference_max_queue", "reference_sending_queue"]
    most, mean = ([(draw_reference, means.m, means[name], "_")] if name in means else [] for name in known)
    sizes = numpy.array(sorted(means.m.unique()))
    walk = numpy.sqrt(1 - 2 / study.k) * numpy.sqrt(2 * sizes / numpy.pi)
    laws = [
        (draw_law, sizes, 2 * sizes, "2 m (Theorem 1: linear)"),
        (draw_law, sizes, walk, "one uplink's mean at time m (Theorem 2)", ":"),
        (draw_law, sizes, 0 * sizes + 1, "constant (Theorems 3 and 4)", "-."),
    ]
    shown = [
        panel("Largest queue", "data packets", "max_queue_packets", *most, *laws),
        panel("q(m): mean queue while sending", "data packets", "sending_queue_packets", *mean),
        panel("Completion time over the bound", "percent", "increase_percent"),
    ]
    study.draw(shown, f"permutation, {study.network}, no acknowledgements in queues")
