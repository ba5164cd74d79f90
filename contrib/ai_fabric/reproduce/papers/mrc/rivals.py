# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The two sides of MRC's comparison: MRC over four planes, and RC over one of four times the rate, which switches
pause, with and without DCQCN."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.fabrics import attributes, red
from ai_fabric.reproduce.papers.mrc import BASE, LINK

if TYPE_CHECKING:
    from ai_fabric.common.aliases import Values

PLANES = 4
ONE_PLANE = {**BASE, "planes": 1, "rate": f"{PLANES * LINK}Gb/s"}
SCALE = PLANES * LINK // 25  # the marks of HPCC's runs of DCQCN are for each 25 Gb/s
PORT_BYTES = "4MB"  # of the shared memory for each port: 64 MB in a switch of 16 ports
EXPONENT = 14  # of the local ACK timeout of InfiniBand, as rdma-core's examples have it
ACK_TIMEOUT = f"{4096 * 2**EXPONENT}ns"


DCQCN = {"rateControl": "dcqcn", **red(100000 * SCALE, 400000 * SCALE, 0.2)}
CONTROLS: dict[str, Values] = {"": {}, " dcqcn": DCQCN}  # by what the names of RC's cases have behind the number of queue pairs
WORDS = {"": "RC", " dcqcn": "DCQCN"}


def rc(queue_pairs: int, control: str = "", **options: object) -> Values:
    """RC with go-back-n on one plane whose switches pause it; messages split over some queue pairs."""
    return {"topology": "leaf-spine", "planes": 1, "rate": f"{PLANES * LINK}Gb/s", "balancer": "ecmp",
            "recovery": "go-back-n", "ackPolicy": "per-packet", "admission": "shared", "buffer": PORT_BYTES,
            "steering": "split",
            **attributes("SharedBuffer", LosslessClasses=8), **attributes("RcQueuePair", AckTimeout=ACK_TIMEOUT),
            **attributes("SplitSteering", QueuePairs=queue_pairs), **CONTROLS[control], **options}


def mrc(**options: object) -> Values:
    return {**BASE, "planes": PLANES, **options}
