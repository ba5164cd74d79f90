# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Intervals of means, of Student's t."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy
from scipy import special

from ai_fabric.common.units import unit_of

CONFIDENCE = 0.95


def quantile(count: int) -> float:
    """How many standard errors half of an interval has, with so many samples; NaN with one."""
    return float(special.stdtrit(count - 1, (1 + CONFIDENCE) / 2)) if count > 1 else math.nan


def least_of(column: str, least: float) -> float:
    """What a mean is not below, and so its interval: 0 of times, sizes and counts, of which a run has the least; percentages and
    their points may be of either sign."""
    is_signed = unit_of(column) == "%" or column.endswith("points")
    return -math.inf if is_signed or least < 0 else 0.0


def interval(samples: Sequence[float]) -> tuple[float, float]:
    """The ends of the interval of the mean of samples."""
    count = len(samples)
    if count < 2:
        return math.nan, math.nan
    mean, half = numpy.mean(samples), quantile(count) * numpy.std(samples, ddof=1) / math.sqrt(count)
    return float(mean - half), float(mean + half)
