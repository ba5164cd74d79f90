# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The planes of a run over time, from planes.csv."""

import numpy

from ai_fabric.runs.run_data import Run

# Okabe and Ito again, but none of the colors of planes 0 to 2; a hatch tells the last two apart in
# gray too.
STATES = {
    "skip": ("skipped once", "#F0E442", None),
    "assumed_bad": ("assumed bad", "#D55E00", None),
    "denied": ("denied", "#404040", "//////"),
}


class Series:
    """The planes of a run over time."""

    def __init__(self, run: Run) -> None:
        self.table = run.table("planes", "time_ns", "interval_ns", "plane", "sent_bytes")
        self.planes = sorted(self.table.plane.unique())
        times = self.table[["time_ns", "interval_ns"]].drop_duplicates()
        begins = times.time_ns - times.interval_ns
        self.edges_us = numpy.append(begins.to_numpy()[:1], times.time_ns.to_numpy()) / 1e3

    @property
    def has_evs(self) -> bool:
        return "evs_good" in self.table

    def rates(self, plane: int, hosts: int) -> numpy.ndarray:
        """The mean rate of a NIC into a plane, in Gb/s, by interval."""
        rows = self.table[self.table.plane == plane]
        return (8 * rows.sent_bytes / rows.interval_ns / hosts).to_numpy()

    def shares(self, plane: int) -> dict[str, numpy.ndarray]:
        """Entropy values in each state, in percent of those of the plane, by interval."""
        rows = self.table[self.table.plane == plane]
        counts = rows[["evs_good", *(f"evs_{state}" for state in STATES)]]
        sums = counts.sum(axis=1).where(lambda sums: sums > 0, 1)
        return {state: (100 * counts[f"evs_{state}"] / sums).to_numpy() for state in STATES}
