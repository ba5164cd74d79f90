# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""How queues grow with the size of messages: slopes on logarithmic axes (Theorems 1 to 4)."""

import math

import numpy
# The slope of log(largest queue) over log(m) that a theorem or the reference model allows.
SLOPES = {
    "simple-rr": (0.9, 1.1),
    "jsq": (0.8, math.inf),
    "rr": (0.4, 0.7),
    "rsq": (0.4, 0.6),
    "host-random": (0.4, 0.6),
    "switch-ar": (0.4, 0.8),
    "reps": (0.4, 0.8),
    "host-dr-random": (-0.1, 0.1),
    "host-dr": (-0.1, 0.1),
    "ofan": (-0.1, 0.1),
}


def slope(rows, column):
    """The slope of a line fitted to logarithms."""
    return numpy.polyfit(numpy.log(rows.m), numpy.log(rows[column]), 1)[0]


def claim_slope(study, claim, scheme, slopes):
    """Whether the slopes of a scheme, one or more, are what is expected of it."""
    low, high = SLOPES[scheme]
    expected = f"{low:g} to {high:g}" if high < math.inf else f"above {low:g}"
    measured = ", ".join(f"{round(value, 2) + 0:.2f}" for value in slopes)
    holds = None if numpy.isnan(slopes).any() else all(low <= value <= high for value in slopes)
    study.claim(claim, expected, measured, holds)
