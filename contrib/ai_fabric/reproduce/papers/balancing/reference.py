# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Numbers of the reference model that several figures compare with. It is an independent model of
the study's fabric (k = 8, 128 hosts) with unlimited buffers, written before this module."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas

RADIX = 8
KIB = 1024
MIB = 1024**2

# Completion time over the published bound in percent, acknowledgements in the fabric, by size.
SIZES = {
    "permutation": [32 * KIB, MIB, 4 * MIB, 16 * MIB],
    "all-to-all": [4 * KIB, 16 * KIB, 64 * KIB],
}
PERCENT = {
    "permutation": {
        "simple-rr": [11.7, 43.6, 29.3, 27.2],
        "jsq": [5.1, 28.6, 31.6, 28.8],
        "rr": [9.0, 15.4, 10.2, 5.9],
        "rsq": [5.7, 11.5, 8.1, 4.2],
        "switch-ar": [5.7, 10.4, 7.2, 3.9],
        "host-random": [5.5, 11.1, 8.1, 4.5],
        "host-dr-random": [4.7, 2.5, 0.86, 0.24],
        "host-dr": [4.3, 2.5, 0.87, 0.24],
        "ofan": [3.3, 1.8, 0.61, 0.17],
    },
    "all-to-all": {
        "simple-rr": [17.6, 15.1, 10.1],
        "rr": [13.6, 10.2, 6.1],
        "jsq": [10.2, 9.2, 5.3],
        "rsq": [12.5, 8.6, 3.8],
        "host-random": [13.7, 8.2, 3.8],
        "switch-ar": [12.0, 7.8, 3.1],
        "host-dr-random": [13.1, 7.3, 2.6],
        "host-dr": [11.7, 6.4, 1.9],
        "ofan": [6.8, 2.9, 0.85],
    },
}
COMPLETION = {matrix: {scheme: dict(zip(SIZES[matrix], values)) for scheme, values in schemes.items()}
              for matrix, schemes in PERCENT.items()}

# Without acknowledgements, by packets of a message: largest queue, and q(m).
PACKETS = [64, 256, 1024, 2048]
MAX_QUEUE: dict[str, list[float]] = {
    "simple-rr": [129, 518, 2085, 4175],
    "jsq": [27, 184, 1058, 1644],
    "rr": [36, 80, 164, 255],
    "rsq": [21, 43, 85, 115],
    "host-random": [21.5, 39, 81, 123],
    "switch-ar": [17, 37.5, 107, 184],
    "host-dr-random": [8.2, 8.2, 8.2, 8.2],
    "host-dr": [6.9, 6.9, 6.9, 6.9],
    "ofan": [5.6, 5.6, 5.6, math.nan],
}
MEAN_QUEUE = {
    "simple-rr": [5.90, 21.4, 83.4, 166],
    "jsq": [2.22, 5.79, 30.7, 48.5],
    "rr": [2.88, 5.12, 9.18, 12.3],
    "rsq": [2.61, 4.20, 7.06, 9.29],
    "host-random": [2.60, 4.19, 7.05, 9.31],
    "switch-ar": [2.58, 4.01, 6.49, 8.58],
    "host-dr-random": [2.06, 2.19, 2.22, 2.23],
    "host-dr": [1.59, 1.63, 1.64, 1.64],
    "ofan": [1.66, 1.72, 1.74, math.nan],
}

# The same with m = 4096 and acknowledgements: largest queue.
MAX_QUEUE_ACKS = {"simple-rr": 1077, "jsq": 1172, "rsq": 167, "host-random": 168, "switch-ar": 162, "host-dr": 8.6,
                  "ofan": 6.7}

# Mean queue of each layer at m = 1024, without acknowledgements.
LAYERS = ["edge-up", "agg-up", "core-down", "agg-down", "edge-down"]
LAYER_QUEUE = {
    "simple-rr": [0.97, 0.89, 221, 193, 1.04],
    "host-random": [13.9, 4.45, 4.50, 8.30, 4.05],
    "host-dr": [1.55, 1.93, 1.83, 1.47, 1.42],
    "ofan": [1.53, 1.55, 1.66, 1.90, 2.04],
}

# Largest queue at m = 256 by k, without acknowledgements.
MAX_QUEUE_BY_RADIX = {
    "host-dr-random": {4: 3.1, 8: 8.2, 16: 18.8},
    "host-dr": {4: 2.9, 8: 6.9, 16: 13.5},
    "ofan": {4: 2.9, 8: 5.6, 16: 9.2},
}


def completion(k: int | None, matrix: str, size: int, scheme: str) -> float:
    """By how much a completion time exceeds the bound, in percent; not a number if the model has
    no such case. The size is in bytes."""
    return COMPLETION[matrix].get(scheme, {}).get(size, math.nan) if k == RADIX else math.nan


def beside(means: pandas.DataFrame, case: Callable[[Any], tuple[int | None, str, int]]) -> pandas.DataFrame:
    """A table with the model's completion times beside ours. case(row) says of which scenario a row
    is: k, traffic matrix, bytes of a message."""
    values = [completion(*case(row), row.scheme) for row in means.itertuples()]
    return means.assign(reference_percent=values)
