# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""ConWeave beside other balancers of leaves, as in its authors' simulator: 8 leaves, 8 spines, 128 hosts, storage traffic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas

from ai_fabric.reproduce.fabrics import attributes, leaf_spine, red
from ai_fabric.reproduce.study import Study

if TYPE_CHECKING:
    from pathlib import Path

    from ai_fabric.common.aliases import Values

# AliStorage2019 of the authors' simulator: bytes, share of the messages that are not longer
SIZES = {1: 0, 4000: 0.2293, 8000: 0.6921, 16000: 0.8061, 32000: 0.9047, 64000: 0.9353, 128000: 0.9677, 256000: 0.9753,
         2000000: 1}
SCHEMES: dict[str, Values] = {
    "ecmp": {"balancer": "ecmp"},
    "conga": {"balancer": "conga", **attributes("CongaBalancer", Gap="100us")},
    "letflow": {"balancer": "flowlet", **attributes("FlowletBalancer", Gap="100us")},
    "conweave": {"balancer": "conweave"},
    "patient": {"balancer": "conweave", **attributes("ConweaveBalancer", ResumeExtra="1ms")},  # waits for each TAIL
}
LOADS = {50: 0.25, 80: 0.4}  # percent of the links between switches: share of those of hosts, which are twice as many
LOSSLESS = {"recovery": "go-back-n", **attributes("SharedBuffer", LosslessClasses=8)}
LOSSY = {"recovery": "sack", "ackPolicy": "per-packet", **attributes("SharedBuffer", LosslessClasses=0)}
MODES = {"lossless": LOSSLESS, "lossy": LOSSY}
FIRST_NS = 300_000  # messages that start before are not measured


def fabric(hosts: int, leaves: int, ms: float) -> Values:
    """The fabric and its traffic: links of 100 Gb/s and 1 us, buffers of 9 MB, DCQCN's marks from 100 kB on."""
    shape = leaf_spine(leaves, leaves, hosts, rate="100Gb/s", fabricRate="100Gb/s", delay="1us", mtu=1000)
    stack = {"stack": "roce", "buffer": "9MB", "queuePairPerFlow": "true", **red(100_000, 400_000, 0.2)}
    return {**shape, **stack, "workload": "poisson", "duration": f"{ms}ms"}


def slowdowns(folder: Path) -> pandas.Series:
    """Times of messages over those in an empty fabric, of those that start when it is not empty any more."""
    flows = pandas.read_csv(folder / "flows.csv")
    return flows.slowdown[flows.start_ns > FIRST_NS]


class ConweaveStudy(Study):
    """A figure of four balancers."""

    fixed = "compares the balancers of the paper"


STUDY = ConweaveStudy
