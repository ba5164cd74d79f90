# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the benchmarks should reach."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Target:
    """A number to reach."""

    text: str
    value: float
    limit: float
    at_least: bool

    @property
    def holds(self) -> bool:
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def __str__(self) -> str:
        verdict = "holds " if self.holds else "MISSED"
        relation = ">=" if self.at_least else "<="
        return f"{verdict}  {self.text}: {readable(self.value)} ({relation} {readable(self.limit)})"


def readable(value: float) -> str:
    """A number with as many decimals as say something."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3f}".rstrip("0").rstrip(".")
