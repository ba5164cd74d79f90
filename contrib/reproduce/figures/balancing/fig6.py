# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Queues against the message size: slopes 1, 1/2 and 0 (Fig. 6, Theorems 1 to 4)"""

import numpy
import pandas

from charts import decades, draw_law, draw_reference, draw_schemes, finish, legend, panels, powers_of_two
from papers.balancing import THEORY, reference, room
from papers.balancing.slopes import SLOPES, claim_slope, slope
from study import EQUAL_PACKETS, MTU


def reproduce(study):
    sizes = study.pick(full=[64, 128, 256, 512, 1024, 2048], quick=[64, 128, 256])
    options = {"acks": "bypass", **EQUAL_PACKETS}
    cases = study.sweep(THEORY, "m", sizes, lambda m: {"size": m * MTU, **options}, room)
    columns = ["max_queue_packets", "sending_queue_packets", "increase_percent"]
    means = study.means(study.run(cases), ["scheme", "m"], columns)
    if not study.quick:
        means = with_reference(means)
    study.save(means)
    draw(study, means)
    judge(study, means)


def with_reference(means):
    """Adds the numbers of the reference model."""
    table = pandas.DataFrame(
        [
            (scheme, m, reference.MAX_QUEUE[scheme][i], reference.MEAN_QUEUE[scheme][i])
            for scheme in reference.MAX_QUEUE
            for i, m in enumerate(reference.PACKETS)
        ],
        columns=["scheme", "m", "reference_max_queue", "reference_sending_queue"],
    )
    return means.merge(table, how="left", on=["scheme", "m"])


def draw(study, means):
    figure, (most, mean, increase) = panels(1, 3)
    for axes, column, title in (
        (most, "max_queue_packets", "Largest queue"),
        (mean, "sending_queue_packets", "q(m): mean queue while sending"),
        (increase, "increase_percent", "Completion time over the bound"),
    ):
        draw_schemes(axes, means, "m", column)
        axes.set_title(title)
        axes.set_xlabel("packets of a message, m")
        powers_of_two(axes, means.m)
        decades(axes)
        axes.set_ylabel("percent" if axes is increase else "data packets")
    if not study.quick:
        draw_reference(most, means.m, means.reference_max_queue, marker="_")
        draw_reference(mean, means.m, means.reference_sending_queue, marker="_")
    sizes = numpy.array(sorted(means.m.unique()))
    draw_law(most, sizes, 2 * sizes, "2 m (Theorem 1: linear)")
    h = study.k / 2
    walk = numpy.sqrt(1 - 1 / h) * numpy.sqrt(2 * sizes / numpy.pi)
    draw_law(most, sizes, walk, "one uplink's mean at time m (Theorem 2)", ":")
    draw_law(most, sizes, 0 * sizes + 1, "constant (Theorems 3 and 4)", "-.")
    legend(increase, [most, mean])
    finish(figure, study, f"permutation, {study.k**3 // 4} hosts, no acknowledgements in queues")


def judge(study, means):
    for scheme, rows in means.groupby("scheme", sort=False):
        if scheme in SLOPES:
            measured = slope(rows, "max_queue_packets")
            claim_slope(study, f"{scheme}: slope of the largest queue over m", scheme, [measured])
    if study.quick:
        return
    for column, other, name in (
        ("sending_queue_packets", "reference_sending_queue", "q(m)"),
        ("max_queue_packets", "reference_max_queue", "largest queue"),
    ):
        for scheme, rows in means.dropna(subset=[other]).groupby("scheme", sort=False):
            study.claim_ratio(
                f"{scheme}: {name} at m = 64 to 2048 as a multiple of the reference model's", rows[column] / rows[other]
            )
