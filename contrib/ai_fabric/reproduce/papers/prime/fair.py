# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME, its rivals, and the rivals on path labels, as PRIME itself has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.prime import DEGRADED, ORDERED, RIVALS, SCHEMES, PrimeStudy, prime
from ai_fabric.reproduce.study import bytes_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas

    from ai_fabric.sweep.grid import Case

CASES = {"healthy": {}, "degraded": DEGRADED, "ordered": ORDERED}
TITLES = {"healthy": "healthy", "degraded": "spine 0 at 25 %", "ordered": "each tenth flow ordered"}
DIRECT = attributes("EntropyBalancer", Forwarding="Direct")
EACH_ACK = attributes("SprayQueuePair", AckDeaggregation="true")
ON_LABELS = [f"{name}-direct" for name in RIVALS]
VARIANTS = {
    **SCHEMES,
    **{f"{name}-direct": {**SCHEMES[name], **DIRECT} for name in RIVALS},
    "reps-each": {**SCHEMES["reps"], **EACH_ACK},
    "reps-each-direct": {**SCHEMES["reps"], **EACH_ACK, **DIRECT},
    "prime-64": prime(Forwarding="FullHash", PartSizes=64),
    "prime-256": prime(Forwarding="FullHash", PartSizes=256),
}
GROUPS = {"hashed": [*RIVALS, "reps-each"], "direct": [*ON_LABELS, "reps-each-direct"]}
CELL = ["case", "message", "packets_per_ack"]
COLUMNS = {"longest_us": "longest_us", "over_bound_percent": "over_ideal_percent", "p99_us": "p99_us",
           "mean_us": "mean_us", "goodput_gbps": lambda runs: 8 * runs.message.map(bytes_of) / runs.mean_fct_ns,
           "retransmissions": "retransmissions", "timeouts": "timeouts"}


class FairStudy(PrimeStudy):
    """PRIME, its rivals, and the rivals on path labels."""

    variants = VARIANTS

    def measure(self, cases: Iterable[Case], seeds: int | None = None) -> pandas.DataFrame:
        """Runs cases. Returns the table of means, with the goodput of the mean flow."""
        return self.tabulate(cases, [*CELL, "scheme"], COLUMNS, seeds)

    def cases_of(self, case: str, schemes: list[str], sizes: Iterable[str], acks: Iterable[int], **more: object) -> list[Case]:
        """Cases of one of the three, which have its name among their labels; more: other options of all."""
        hosted = [name for name in schemes if name != "ecmp" or case != "ordered"]  # all of ECMP is ordered
        return self.matrix(hosted, sizes, acks, more, case={case: CASES[case]})
