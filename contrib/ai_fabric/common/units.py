# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The units of columns, which their names end with, or begin with as bytes_sent."""

UNITS = {
    "ns": "ns",
    "us": "us",
    "s": "s",
    "gbps": "Gb/s",
    "gbit_per_s": "Gb/s",
    "gbytes_per_s": "GB/s",
    "percent": "%",
    "bytes": "B",
    "packets": "packets",
    "frames": "frames",
}
RATE = "_per_"
COUNTED = "bytes", "packets", "frames"


def unit_of(column: str) -> str:
    """The unit of a column; empty for ratios, texts and counts of others."""
    if RATE in column:
        return next((unit for name, unit in UNITS.items() if column.endswith(name) and RATE in name), "")
    first, last = column.partition("_")[0], column.rpartition("_")[2]
    return UNITS.get(last) or (UNITS[first] if first in COUNTED else "")
