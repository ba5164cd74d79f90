# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A result of a run as people say it: its name, unit and size."""

from dataclasses import dataclass

from ai_fabric.common.units import unit_of

NAMES = {
    "cct_ns": "completion time",
    "max_fct_ns": "longest flow",
    "p99_fct_ns": "99th percentile of flows",
    "mean_fct_ns": "mean flow",
    "increase_percent": "increase over the lower bound",
    "max_queue_packets": "largest queue",
}
TIMES = (("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1))


@dataclass
class Metric:
    """A column of results. unit, scale: in which its values are said."""

    column: str
    unit: str = ""
    scale: float = 1
    name: str = ""

    @property
    def said(self) -> str:
        """The name in a sentence: that of a column stands as it is."""
        return self.name if self.name == self.column else f"a {self.name}"

    def text(self, value: float) -> str:
        """A value with its unit."""
        return f"{self.number(value)} {self.unit}".strip()

    def number(self, value: float) -> str:
        scaled = value / self.scale
        return f"{scaled:.4g}" if abs(scaled) < 10000 else f"{scaled:.0f}"

    def words(self, percent: bool) -> tuple[str, str]:
        """What is said of more and of less."""
        return ("longer", "shorter") if self.column.endswith("_ns") and percent else ("higher", "lower")


def metric_of(column: str, typical: float) -> Metric:
    """The metric of a column whose values are about as large as a typical one."""
    name = NAMES.get(column, column)
    if column.endswith("_ns"):
        unit, scale = next(((unit, scale) for unit, scale in TIMES if typical >= 1.5 * scale), TIMES[-1])
        return Metric(column, unit, scale, name)
    return Metric(column, unit_of(column), 1, name)
