# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Flows that share the port of one host: a switch with hosts of 100 Gb/s, links of 1 us, packets of 1000 bytes, as in the
example of the simulator of HPCC's authors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.fabrics import attributes, leaf_spine
from ai_fabric.reproduce.study import Study

if TYPE_CHECKING:
    import pandas

    from ai_fabric.common.aliases import Values

RATE = 12.5  # bytes a nanosecond: 100 Gb/s
ROUND_TRIP = 4200  # nanoseconds: a packet and its acknowledgement by the switch
FRAME = 1104  # bytes of a full packet with telemetry
INT = 42  # of these, the telemetry
TELEMETRY = "hpcc", "power-tcp"
PORT_KB = RATE * ROUND_TRIP / 1000  # what a port sends in that time: the first window, without headers
FIRST_KB = (int(PORT_KB) + 1) * FRAME / 1000  # what the window lets go: whole packets
WINDOWS = "hpcc", "power-tcp", "theta-power-tcp"  # controls with such a window
DCQCN = {"stack": "roce", "marker": "auto"}  # beside the controls whose stack follows from their name


def sharing(senders: int, size: int, control: str) -> Values:
    """So many hosts send to one, all at once."""
    ports = senders + 2  # of a switch with 32 MB
    star = leaf_spine(1, 1, senders + 1, rate="100Gb/s", delay="1us", mtu=1000, buffer=32_000_000 // ports)
    chosen = DCQCN if control == "dcqcn" else {"rateControl": control}
    base = attributes("PacedWindowControl", BaseRtt=f"{ROUND_TRIP}ns") if control in WINDOWS else {}
    return {**star, "workload": "incast", "senders": senders, "size": size, "jitter": "0ns", **chosen, **base}


def frame_bytes(runs: pandas.DataFrame) -> pandas.Series:
    """Bytes of a full packet, by the control: with telemetry or without."""
    return FRAME - INT * ~runs.control.isin(TELEMETRY)


def use_percent(runs: pandas.DataFrame) -> pandas.Series:
    """Bytes that the port of the receiver carried, of what it can, headers included and gaps not."""
    return 100 * runs.data_packets * frame_bytes(runs) / (RATE * runs.cct_ns)


def mean_queue_kb(runs: pandas.DataFrame) -> pandas.Series:
    """What waits for the port of the receiver, the frame in transmission included: the layer's mean is over the ports of all
    hosts, and those of the senders carry nothing but acknowledgements."""
    return runs["layers.leaf-down.mean_queue_packets"] * (runs.senders + 1) * frame_bytes(runs) / 1000


class HpccStudy(Study):
    """A figure of controls, each with the stack that is fair to it."""

    fixed = "compares congestion controls"


STUDY = HpccStudy
