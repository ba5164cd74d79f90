# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Long flows of Swift that share a port, and what the target delay lets wait there (Kumar et al., sections 3.1 and 3.5)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ai_fabric.reproduce.fabrics import attributes, leaf_spine
from ai_fabric.reproduce.study import Study

if TYPE_CHECKING:
    from ai_fabric.common.aliases import Values

RATE = 12.5  # bytes a nanosecond: 100 Gb/s
FRAME = 4158  # bytes of a full packet
GAP = 20  # bytes of preamble and gap
EMPTY = 4 * 1000 + (2 * (FRAME + GAP) + 2 * (80 + GAP)) / RATE  # ns: round trip of a packet without queues
BASE, HOP, RANGE = 8000, 1000, 30000  # ns: of the target
HOPS = 2  # links of a path
LEAST, MOST = 0.1, 100  # packets: windows between which the target is scaled


def target_ns(window: float, most: float = RANGE) -> float:
    """The target delay of a window of so many packets (section 3.5)."""
    alpha = most / (1 / math.sqrt(LEAST) - 1 / math.sqrt(MOST))
    return BASE + HOPS * HOP + min(max(alpha * (1 / math.sqrt(window) - 1 / math.sqrt(MOST)), 0), most)


def delay_ns(flows: int, most: float = RANGE) -> float:
    """The delay which is the target of the windows that so many flows have with it while the port is busy."""
    low, high = 0.0, 1e7
    while high - low > 1:
        delay = (low + high) / 2
        window = RATE * delay / (FRAME + GAP) / flows
        low, high = (delay, high) if delay < target_ns(window, most) else (low, delay)
    return low


def sharing(most: float, hosts: int) -> Values:
    """Hosts that send to one, by windows that begin with one packet."""
    star = leaf_spine(1, 1, hosts + 1, rate="100Gb/s", delay="1us", jitter="0ns")
    targets = attributes("SwiftControl", BaseTarget=f"{BASE}ns", HopTarget=f"{HOP}ns", ScalingRange=f"{most:g}ns",
                         InitialWindow=4096)
    return {**star, "rateControl": "swift", "queuePairPerFlow": "true", "buffer": "4MB", "admission": "port", **targets}


class SwiftStudy(Study):
    """A figure of one control."""

    fixed = "is about Swift alone"


STUDY = SwiftStudy
