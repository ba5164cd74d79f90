# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the figures of the first paper have in common: its schemes, the sizes of its messages, its ranking of
schemes, and the comparison with the reference model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy
import pandas

from ai_fabric.plot.charts import draw_bars, draw_bound, spaced
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.balancing import reference
from ai_fabric.reproduce.study import Study, bytes_of, size_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ai_fabric.common.aliases import Values

# Schemes that are no balancer's name: Host DR with a random order of paths a pointer; levels of queues that are read at
# most every 0.1 us, as the study's simulator does; REPS with RED from 10 to 80 % of the study's buffer in place of one
# threshold; and REPS whose packets have timers that freeze its labels.
VARIANTS = {
    "host-dr-random": {"balancer": "host-dr", **attributes("HostDrBalancer", Order="Random")},
    "switch-ar-100ns": {"balancer": "switch-ar", **attributes("SwitchArBalancer", Refresh="100ns")},
    "reps-red": {"balancer": "reps", "marker": "red", **attributes("RedMarker", KMin=80000, KMax=640000, PMax=1)},
    "reps-timer-100us": {"balancer": "reps", **attributes("RcQueuePair", PacketTimeout="100us")},
    "reps-timer-25us": {"balancer": "reps", **attributes("RcQueuePair", PacketTimeout="25us")},
}

CONTENDERS = ["ecmp", "subflow", "plb", "host-random", "rr", "reps", "switch-ar"]
DR = ["host-dr", "ofan"]
DR_SCHEMES = ["host-dr-random", "host-dr", "ofan"]
SPRAYING = ["host-random", "rr", "rsq", "jsq", "simple-rr", "reps", "switch-ar"]
PACKET_SCHEMES = [*SPRAYING, *DR_SCHEMES]
THEORY = ["simple-rr", "jsq", "rr", "rsq", "host-random", "switch-ar", "reps", *DR_SCHEMES]
COMPARED = [*CONTENDERS, *DR]
OVER_BOUND = "completion time over the lower bound (%)"
UNLIMITED = "64MB"  # a buffer in which nothing is dropped here

# The slope of log(largest queue) over log(m) that a theorem or the reference model allows.
SLOPES = {
    "simple-rr": (0.9, 1.1), "jsq": (0.8, math.inf), "rr": (0.4, 0.7), "rsq": (0.4, 0.6), "host-random": (0.4, 0.6),
    "switch-ar": (0.4, 0.8), "reps": (0.4, 0.8), "host-dr-random": (-0.1, 0.1), "host-dr": (-0.1, 0.1),
    "ofan": (-0.1, 0.1),
}

# The study's best reordering thresholds, in packets.
THRESHOLDS = {"all-to-all": 6, "permutation": 32}


def threshold(packets: int) -> Values:
    """A packet is lost after so many later ones."""
    return attributes("SackRecovery", ReorderingThreshold=packets)


def room(scheme: str) -> str:
    """Room for all; what adapts to queues counts them in shares of the study's buffer."""
    return "800kB" if scheme in ("switch-ar", "reps") else UNLIMITED


def traffic(sizes: Mapping[str, str]) -> dict[str, Values]:
    """Options by traffic matrix. sizes: of a message, by matrix."""
    return {matrix: {"workload": matrix, "size": size} for matrix, size in sizes.items()}


def slope(rows: pandas.DataFrame, column: str) -> float:
    """The slope of a line fitted to logarithms."""
    return numpy.polyfit(numpy.log(rows.m), numpy.log(rows[column]), 1)[0]


def claim_slope(study: BalancingStudy, claim: str, scheme: str, slopes: Sequence[float]) -> None:
    """Whether the slopes of a scheme, one or more, are what is expected of it."""
    low, high = SLOPES[scheme]
    expected = f"{low:g} to {high:g}" if high < math.inf else f"above {low:g}"
    measured = ", ".join(f"{round(value, 2) + 0:.2f}" for value in slopes)
    holds = None if numpy.isnan(slopes).any() else all(low <= value <= high for value in slopes)
    study.claim(claim, expected, measured, holds)


class BalancingStudy(Study):
    """A figure of schemes by their completion time over the bound."""

    variants = VARIANTS

    @property
    def k(self) -> int:
        """The radix of the study's fat-tree."""
        return self.pick(full=8, quick=4)

    @property  # type: ignore[override]  # as the size depends on --quick
    def base(self) -> Values:
        return {"k": self.k}

    @property
    def sizes(self) -> dict[str, str]:
        """The study's size of a message by traffic matrix; in an all-to-all each pair has one."""
        return {"all-to-all": self.pick(full="1MiB", quick="64KiB"), "permutation": "1MiB"}

    @property
    def network(self) -> str:
        """The study's fabric, for captions."""
        return f"{self.k**3 // 4} hosts"

    def draw_bars(
        self,
        means: pandas.DataFrame,
        column: str,
        x: str,
        scenario: str,
        part: Callable[[pandas.DataFrame], Any] = lambda rows: (),
        note: Callable[[str], str] = lambda matrix: "",
    ) -> None:
        """A panel of bars a traffic matrix; part: one more part of it, by its rows; note: more of its title."""
        shown = []
        for matrix, rows in means.groupby("matrix", sort=False):
            title = f"{matrix}, {spaced(self.sizes[matrix])} a message{note(matrix)}"
            shown.append(Panel(title, x, "", (draw_bars, rows, column), draw_bound, *filter(None, [part(rows)])))
        self.draw(shown, f"{self.network}, {scenario}", width=5.2, height=0.36 * means.scheme.nunique() + 1)

    def claim_ranking(self, where: str, values: pandas.Series) -> None:
        """The study's ranking: Ofan, then Host DR, then all others. values: means by scheme."""
        others = values.drop("host-dr-random", errors="ignore")
        self.claim_order(f"{where}: Ofan below Host DR below all others", "ofan < host-dr < others", others)

    def claim_ofan_best(self, where: str, values: pandas.Series) -> None:
        self.claim_best(f"{where}: ofan is the best", "ofan", values, "{:.3g} %")

    def claim_reference(
        self, gain: pandas.DataFrame, references: Mapping[str, Mapping[int, float]], errors: pandas.DataFrame | None = None
    ) -> None:
        """Completion times as the reference model has them: gain, and references by scheme, in
        percent over the bound, by message size. errors: the standard errors of gain."""
        for scheme, values in references.items():
            if scheme not in gain:
                continue
            ours, expected = gain[scheme].reindex(list(values)), pandas.Series(values)
            word, room = ("15 %", 0.15 * expected) if scheme in SPRAYING else ("0.5 points", 0.5)
            off = abs(ours - expected) - room
            texts = [f"{value:.3g}" for value in ours]
            if errors is not None:
                near = errors[scheme].reindex(list(values))
                texts = [f"{text} +- {error:.2g}" for text, error in zip(texts, near)]
            self.claim(f"{scheme}: as the reference model, {word}", " ".join(f"{value:.3g}" for value in expected),
                       " ".join(texts) + f" (furthest: {size_of(off.idxmax())})",
                       None if off.isna().any() else off.max() <= 0)

    def with_reference(self, means: pandas.DataFrame) -> pandas.DataFrame:
        """Adds the completion times of the reference model for messages of the study's sizes."""
        return reference.beside(means, lambda row: (self.k, row.matrix, bytes_of(self.sizes[row.matrix])))


STUDY = BalancingStudy
