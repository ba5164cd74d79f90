# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Statistics of schemes that ran with the same seeds: means, and differences seed by seed (paired), with intervals of
Student's t."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy

from scipy import special

from ai_fabric.common.interval import quantile

BySeed = Mapping[int, float]  # values of runs
ROUNDING = 1e-12  # relative error of a result
MOST_SEEDS = 10000  # up to which a number of seeds is estimated


@dataclass
class Estimate:
    """A mean and its interval. half: half of it; NaN with one sample, 0 if all samples are equal. floor: what the mean cannot be
    below."""

    samples: tuple[float, ...]
    percent: bool = False
    floor: float = -math.inf

    @property
    def count(self) -> int:
        return len(self.samples)

    @property
    def mean(self) -> float:
        return float(numpy.mean(self.samples)) if self.samples else math.nan

    @property
    def deviation(self) -> float:
        return 0.0 if self.is_constant() else float(numpy.std(self.samples, ddof=1))

    @property
    def half(self) -> float:
        if self.count < 2:
            return math.nan
        return quantile(self.count) * self.deviation / math.sqrt(self.count)

    @property
    def low(self) -> float:
        return max(self.mean - self.half, self.floor)

    @property
    def high(self) -> float:
        return self.mean + self.half

    def is_constant(self) -> bool:
        """Whether all samples are equal, but for rounding."""
        most = 100.0 if self.percent else max((abs(sample) for sample in self.samples), default=0.0)
        return bool(numpy.ptp(self.samples or (0,)) <= ROUNDING * most)

    def is_clear(self) -> bool:
        """Whether 0 is outside of the interval, which takes two samples."""
        return self.count > 1 and abs(self.mean) > self.half

    def probability(self) -> float:
        """The p value of a paired t test: how often samples differ from 0 as much by chance."""
        if self.count < 2 or self.is_constant():
            return math.nan if self.count < 2 else float(not self.mean)
        error = self.deviation / math.sqrt(self.count)
        return float(2 * special.stdtr(self.count - 1, -abs(self.mean) / error))

    def seeds_for(self, half: float) -> int | None:
        """How many samples the interval needs to have such a half, if they scatter as these do; None of more than
        MOST_SEEDS."""
        if self.count < 2 or half <= 0:
            return None
        enough = lambda count: quantile(count) * self.deviation <= half * math.sqrt(count)
        low, high = 1, 2
        while not enough(high):
            low, high = high, 2 * high
            if low > MOST_SEEDS:
                return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return high

    def seeds_to_be_clear(self) -> int | None:
        """How many samples tell the mean from 0, if it stays where it is."""
        return self.seeds_for(abs(self.mean))


def corrected(probabilities: Iterable[float]) -> list[float]:
    """P values corrected for their number, by Holm (Scand. J. Statist. 6, 1979): the k-th smallest of n times n - k + 1, and none
    below one that was smaller. NaN counts for nothing."""
    given = list(probabilities)
    order = sorted((value, at) for at, value in enumerate(given) if not math.isnan(value))
    found, largest = [math.nan] * len(given), 0.0
    for rank, (value, at) in enumerate(order):
        largest = found[at] = max(largest, min(1.0, value * (len(order) - rank)))
    return found


def difference(ours: BySeed, theirs: BySeed, percent: bool = True) -> Estimate:
    """By how much values exceed others with the same seed: in percent of these, which are above 0 then, or as plain
    differences. ours, theirs: values by seed; seeds that one of them does not have count for nothing."""
    both = [(ours[seed], theirs[seed]) for seed in sorted(ours.keys() & theirs.keys())]
    return Estimate(tuple(100 * (one / other - 1) if percent else one - other for one, other in both), percent)


class Paired:
    """The values of one case: by scheme, of which each has values by seed. percent: differences are in percent."""

    def __init__(
        self, values: Mapping[str, BySeed], better: str = "lower", incomplete: Iterable[str] = (), percent: bool = True,
        floor: float = -math.inf,
    ) -> None:
        self.values = values
        self.percent = percent
        self.floor = floor  # of all means
        self.incomplete = set(incomplete)  # schemes of which runs are missing
        self.sign = 1 if better == "lower" else -1

    def mean(self, scheme: str) -> Estimate:
        return Estimate(tuple(self.values[scheme].values()), floor=self.floor)

    def order(self) -> list[str]:
        """The schemes that ran, from the best mean on; those with runs that did not finish come last."""
        there = [name for name in self.values if self.values[name]]
        return sorted(there, key=lambda name: (name in self.incomplete, self.sign * self.mean(name).mean))

    def over(self, scheme: str, other: str) -> Estimate:
        return difference(self.values[scheme], self.values[other], self.percent)

    def beats(self, scheme: str, other: str) -> bool:
        """Whether a scheme is clearly better than another one, and has finished all of its runs."""
        found = self.over(scheme, other)
        return scheme not in self.incomplete and found.is_clear() and self.sign * found.mean < 0

    def best(self) -> float:
        """The best mean; not a number if no run finished."""
        order = self.order()
        return self.mean(order[0]).mean if order else math.nan

    def worse(self, scheme: str, best: float) -> float:
        """How many times worse than a value the mean of a scheme is; not a number unless both are above 0."""
        own = self.mean(scheme).mean
        if not (best > 0 and own > 0):
            return math.nan
        return own / best if self.sign > 0 else best / own
