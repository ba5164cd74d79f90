# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Numbers with units, as ai-fabric-run takes them: 64KiB, 0.5us, 800Gb/s, 0.01."""

import re
from collections.abc import Collection
from decimal import Decimal

NUMBER = r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
QUANTITY = re.compile(rf"({NUMBER})([A-Za-z/]*)")
Unit = tuple[str, Decimal]  # what it measures, and how much of it


def powers(kind: str, base: int, units: str, first: int = 0) -> dict[str, Unit]:
    """Units of one kind, each base times the one before it."""
    return {unit: (kind, Decimal(base) ** power) for power, unit in enumerate(units.split(), first)}


UNITS: dict[str, Unit] = {
    "": ("", Decimal(1)),
    **powers("bytes", 1000, "B kB MB GB"),
    **powers("bytes", 1000, "KB", first=1),
    **powers("bytes", 1024, "KiB MiB GiB", first=1),
    **powers("ns", 1000, "ps ns us ms s", first=-1),
    **powers("b/s", 1000, "b/s kb/s Mb/s Gb/s Tb/s"),
    **powers("b/s", 1000, "bps kbps Mbps Gbps Tbps"),
}


def parse(text: str) -> tuple[Decimal, str] | None:
    """A number, and what it measures ("bytes", "ns", "b/s" or ""); None if the text is no such."""
    match = QUANTITY.fullmatch(text)
    if not match or match[2] not in UNITS:
        return None
    kind, factor = UNITS[match[2]]
    return Decimal(match[1]) * factor, kind


def numbers(texts: Collection[str]) -> list[float] | None:
    """The numbers that texts stand for, if all are numbers of one kind; else None. Zero and a plain
    number are of any kind."""
    parsed = [found for text in texts if (found := parse(text))]
    if len(parsed) < len(texts) or len({kind for number, kind in parsed if kind}) > 1:
        return None
    return [float(number) for number, _ in parsed]
