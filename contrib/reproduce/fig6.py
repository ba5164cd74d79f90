# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Queues against the message size: slopes 1, 1/2 and 0 (Fig. 6, Table 3, Theorems 1 to 4)"""

import numpy
import pandas

from charts import draw_law, draw_schemes, finish, legend, panels, powers_of_two
from study import MTU, THEORY, UNLIMITED

# The slope of log(largest queue) over log(m) that a theorem or the reference model allows.
SLOPES = {
    "simple-rr": (0.9, 1.1),
    "jsq": (0.8, 2.0),
    "rr": (0.4, 0.7),
    "rsq": (0.4, 0.6),
    "host-random": (0.4, 0.6),
    "switch-ar": (0.4, 0.8),
    "host-dr-random": (-0.1, 0.1),
    "host-dr": (-0.1, 0.1),
    "ofan": (-0.1, 0.1),
}

# The reference model at k = 8 without acknowledgements: largest queue, and q(m), in packets.
REFERENCE_SIZES = [64, 256, 1024, 2048]
REFERENCE_MAX = {
    "simple-rr": [129, 518, 2085, 4175],
    "jsq": [27, 184, 1058, 1644],
    "rr": [36, 80, 164, 255],
    "rsq": [21, 43, 85, 115],
    "host-random": [21.5, 39, 81, 123],
    "switch-ar": [17, 37.5, 107, 184],
    "host-dr-random": [8.2, 8.2, 8.2, 8.2],
    "host-dr": [6.9, 6.9, 6.9, 6.9],
    "ofan": [5.6, 5.6, 5.6, numpy.nan],
}
REFERENCE_MEAN = {
    "simple-rr": [5.90, 21.4, 83.4, 166],
    "jsq": [2.22, 5.79, 30.7, 48.5],
    "rr": [2.88, 5.12, 9.18, 12.3],
    "rsq": [2.61, 4.20, 7.06, 9.29],
    "host-random": [2.60, 4.19, 7.05, 9.31],
    "switch-ar": [2.58, 4.01, 6.49, 8.58],
    "host-dr-random": [2.06, 2.19, 2.22, 2.23],
    "host-dr": [1.59, 1.63, 1.64, 1.64],
    "ofan": [1.66, 1.72, 1.74, numpy.nan],
}
TOLERANCE = 0.15


def slope(rows, column):
    """The slope of a line fitted to logarithms."""
    return numpy.polyfit(numpy.log(rows.m), numpy.log(rows[column]), 1)[0]


def reproduce(study):
    sizes = study.pick(full=[64, 128, 256, 512, 1024, 2048], quick=[64, 128, 256])
    cases = study.sweep(THEORY, "m", sizes, lambda m: {"size": m * MTU, "acks": "bypass"})
    for case in cases:
        case.options["buffer"] = room(case.labels["scheme"])
    columns = ["max_queue_packets", "sending_queue_packets", "increase_percent"]
    means = study.means(study.run(cases), ["scheme", "m"], columns)
    if not study.quick:
        means = with_reference(means)
    study.save(means)
    draw(study, means)
    judge(study, means)


def room(scheme):
    """Room for all; what adapts to queues counts them in shares of the study's buffer."""
    return "800kB" if scheme in ("switch-ar", "reps") else UNLIMITED


def with_reference(means):
    """Adds the numbers of the reference model."""
    reference = pandas.DataFrame(
        [
            (scheme, m, REFERENCE_MAX[scheme][i], REFERENCE_MEAN[scheme][i])
            for scheme in REFERENCE_MAX
            for i, m in enumerate(REFERENCE_SIZES)
        ],
        columns=["scheme", "m", "reference_max_queue", "reference_sending_queue"],
    )
    return means.merge(reference, how="left", on=["scheme", "m"])


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
        axes.set_yscale("log")
        axes.set_ylabel("percent" if axes is increase else "data packets")
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
        if scheme not in SLOPES:
            continue
        low, high = SLOPES[scheme]
        measured = slope(rows, "max_queue_packets")
        study.claim(
            f"{scheme}: slope of the largest queue over m",
            f"{low:g} to {high:g}" if high < 2 else f"above {low:g}",
            measured,
            low <= measured <= high,
        )
    if study.quick:
        return
    for column, reference, name in (
        ("sending_queue_packets", "reference_sending_queue", "q(m)"),
        ("max_queue_packets", "reference_max_queue", "largest queue"),
    ):
        for scheme, rows in means.dropna(subset=[reference]).groupby("scheme", sort=False):
            ratio = rows[column] / rows[reference]
            worst = ratio[(ratio - 1).abs().idxmax()]
            study.claim(
                f"{scheme}: {name} at m = 64 to 2048 as a multiple of the reference model's",
                f"{1 - TOLERANCE:g} to {1 + TOLERANCE:g}",
                float(worst),
                abs(worst - 1) <= TOLERANCE,
            )
