# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The units of columns, which their names end with."""

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


def unit_of(column: str) -> str:
    """The unit of a column; empty for counts, ratios and texts."""
    return UNITS.get(column.rpartition("_")[2], "")
