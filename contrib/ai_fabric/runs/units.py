# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The units of columns, which their names end with, or begin with as bytes_sent."""

UNITS = {
    "ns": "ns",
    "us": "us",
    "s": "s",
    "gbps": "Gb/s",
    "percent": "%",
    "bytes": "B",
    "packets": "packets",
    "frames": "frames",
}
COUNTED = "bytes", "packets", "frames"


def unit_of(column: str) -> str:
    """The unit of a column; empty for ratios, texts and counts of others."""
    first, last = column.partition("_")[0], column.rpartition("_")[2]
    return UNITS.get(last) or (UNITS[first] if first in COUNTED else "")
