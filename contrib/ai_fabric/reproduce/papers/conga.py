# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The example of CONGA's paper (section 2.4, figure 2): two leaves, two spines, links of 80 Gb/s, of which one has half."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pandas

from ai_fabric.reproduce.fabrics import attributes, leaf_spine
from ai_fabric.reproduce.study import Study

if TYPE_CHECKING:
    from pathlib import Path

    from ai_fabric.common.aliases import Values

HOSTS = 10  # of a leaf
OFFERED = 100  # Gb/s, from leaf 0 to leaf 1, with headers
PACKET, HEADERS = 1024, 62  # bytes
FULL, HALF = 80, 40  # Gb/s, of links
SIZE = 30_000  # bytes of a message: a flow
FIRST_MS = 2  # what comes before is not measured
SPINES = "spine-0", "spine-1"  # the second one has the slower link to leaf 1
SCHEMES = {
    "static": {"balancer": "ecmp"},
    "local": {"balancer": "conga", **attributes("CongaBalancer", Feedback="false", Bits=7)},
    "global": {"balancer": "conga", **attributes("CongaBalancer", Bits=7)},
    "CONGA, Q = 3": {"balancer": "conga"},
}


def fabric() -> Values:
    """The fabric; queues have room for what the slower link cannot carry."""
    shape = leaf_spine(2, 2, HOSTS, rate="40Gb/s", fabricRate=f"{FULL}Gb/s", delay="1us", mtu=PACKET, jitter="0ns")
    stack = {"stack": "swift", "queuePairPerFlow": "true", "admission": "port", "buffer": "1MB",
             **attributes("SwiftControl", InitialWindow=4 * PACKET)}
    return {**shape, **stack, "fail": "spine-1--leaf-1*0.5@0s", "linkSeries": "1ms"}


def arrivals(seed: int, ms: float) -> list[tuple[int, int, int, int]]:
    """Messages of leaf 0 for leaf 1, which start at random, and come to the offered load."""
    dice, time, flows = random.Random(seed), 0.0, []
    while time < ms * 1e6:
        time += dice.expovariate(OFFERED / 8 / SIZE * PACKET / (PACKET + HEADERS))
        flows.append((round(time), dice.randrange(HOSTS), HOSTS + dice.randrange(HOSTS), SIZE))
    return flows


def throughput(folder: Path, last: float) -> pandas.Series:
    """What each spine sends to leaf 1 from FIRST_MS on, in Gb/s, headers included."""
    table = pandas.read_csv(folder / "link-series.csv")
    ms = table.time_ns / 1e6
    table = table[(ms > FIRST_MS + 0.5) & (ms < last + 0.5) & table.to.str.startswith("leaf-1")]
    spine = table["from"].str.partition(":")[0]
    sent = table[spine.isin(SPINES)].groupby(spine).sent_bytes.sum()
    return sent.reindex(SPINES, fill_value=0) * 8 / ((last - FIRST_MS) * 1e6)


class CongaStudy(Study):
    """A figure of three ways to choose an uplink."""

    fixed = "compares what leaves know of paths"


STUDY = CongaStudy
