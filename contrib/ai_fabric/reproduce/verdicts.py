# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Verdicts: whether what came out is what was expected. Every figure says so in the words of Claims, as text, as a
number near another one, as ratios, or as values within limits, which are also rows of a table of the figure."""

from __future__ import annotations

import math
import operator
import re
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy
import pandas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

NUMBER = r"(-?\d+(?:\.\d+)?)"  # in what is expected
COMPARISONS = {"at most": operator.le, "at least": operator.ge, "above": operator.gt, "below": operator.lt,
               "less than": operator.lt, "more than": operator.gt, "more": operator.ge, "less": operator.le}
SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
AS_TEXT = object()  # a claim holds if the number is as the text of what is expected says


def one_limit(expected: str) -> tuple[Callable[[float, float], bool], float] | None:
    """The comparison and the limit of "at most 3 %" or "5 or less"; None of other texts."""
    found = re.fullmatch(rf"(at most|at least|above|below|less than|more than) {NUMBER}(?: %)?", expected)
    if found:
        return COMPARISONS[found[1]], float(found[2])
    found = re.fullmatch(rf"{NUMBER} or (more|less)", expected)
    return (COMPARISONS[found[2]], float(found[1])) if found else None


def limits_in(expected: str) -> tuple[float, ...]:
    """The limits of what is expected: of "0.9 to 1.1", "1 (0.9 to 1.1)", "2 +- 0.5", "2 +- 10 %", "at most 3 %", "5 or
    less"; none of other texts. In "1 (0.8 to 1)", what is expected is the most that there can be, and no limit."""
    near = re.fullmatch(rf"{NUMBER} \+- {NUMBER}( %)?", expected)
    if near:
        middle, room = float(near[1]), float(near[2])
        room *= abs(middle) / 100 if near[3] else 1
        return middle - room, middle + room
    around = re.fullmatch(rf"{NUMBER} \({NUMBER} to {NUMBER}\)", expected)
    if around:
        middle, *limits = map(float, around.groups())
        return tuple(limit for limit in limits if limit != middle)
    within = re.fullmatch(rf"{NUMBER} to {NUMBER}", expected)
    if within:
        return tuple(map(float, within.groups()))
    one = one_limit(expected)
    return (one[1],) if one else ()


def is_as_expected(expected: str, value: float) -> bool:
    """Whether a number is as a text says, such as "at most 3 %", "2 or more", "0.9 to 1.1", "2 +- 10 %", "0"."""
    one = one_limit(expected)
    if one:
        compare, limit = one
        return compare(value, limit)
    low, high = limits_in(expected) or 2 * [float(expected)]
    return low <= value <= high


@dataclass
class Verdict:
    """Whether a claim came out. holds: True, False, or None if it could not be measured. half: half of the
    95 % interval of the value; flips: without the runs of one seed the verdict would be another; of_all: the value is
    the mean of those that all have to be within the limits."""

    claim: str
    expected: str
    measured: str
    holds: bool | None = None
    value: float = math.nan
    half: float = math.nan
    flips: bool = False
    of_all: bool = False

    def is_open(self) -> bool:
        """Whether the runs are too few: the interval has a limit inside, or one seed decides."""
        if self.of_all and not self.holds:
            return self.flips  # some value is outside, wherever their mean is
        limits = limits_in(self.expected)
        if limits and not math.isnan(self.half):
            return any(abs(self.value - limit) < self.half for limit in limits)
        return self.flips

    def word(self) -> str:
        if self.holds is None:
            return "not measured"
        return "open" if self.is_open() else "yes" if self.holds else "NO"

    def interval(self) -> str:
        """Half of the interval as text; a dash if the seeds do not change the value, or it is no number."""
        rounding = 1e-9 * abs(self.value)
        return f"+- {self.half:.2g}" if self.half > rounding else "-"


def ratio_of(values: Mapping[str, float] | pandas.Series, one: str, other: str) -> float | None:
    """One of some values over another one; None, of which nothing is claimed, if either is missing."""
    return values[one] / values[other] if one in values and other in values else None


def short(value: float) -> str:
    """A number with four digits, or all of a large one."""
    return f"{value:.4g}" if abs(value) < 10000 else f"{value:.0f}"


def limits_of(row: SimpleNamespace) -> str:
    if row.low == row.high:
        return short(row.expected)
    if row.low == -math.inf or row.low == 0 and row.high == row.expected:
        return f"at most {short(row.high)}"
    if row.high == math.inf:
        return f"at least {short(row.low)}"
    return f"{short(row.expected)} ({short(row.low)} to {short(row.high)})"


def span_of(row: SimpleNamespace) -> str:
    if math.isnan(row.ours):
        return "-"
    spread = row.most > row.least and row.most - row.least > 1e-4 * abs(row.ours)
    return short(row.ours) + (f" ({short(row.least)} to {short(row.most)})" if spread else "")


class Claims:
    """What a study can claim. Verdicts are appended to verdicts, rows to rows, two lists of the study."""

    verdicts: list[Verdict]
    rows: list[SimpleNamespace]
    quick: bool

    def claim(self, claim: str, expected: str, measured: Any, holds: Any = AS_TEXT, value: float = math.nan) -> None:
        """Notes whether a claim holds. What is measured is a number, several numbers, text about a value, or None if
        what it is about was not run: then nothing is claimed."""
        if measured is None:
            return
        if isinstance(measured, (list, tuple)):
            measured = ", ".join(f"{value:.3g}" for value in measured)
        if holds is AS_TEXT:
            holds = is_as_expected(expected, measured)
        if isinstance(measured, float):
            value = measured
            holds = None if math.isnan(measured) else holds
            measured = "-" if math.isnan(measured) else f"{round(measured, 4) + 0:.3g}"
        holds = None if holds is None else bool(holds)
        self.verdicts.append(Verdict(claim, expected, measured, holds, float(value)))

    def claim_near(
        self, claim: str, expected: float, measured: float | None, percent: float | None = None, points: float = 0
    ) -> None:
        """A number near an expected one, within percent of it or within points."""
        room = points if percent is None else expected * percent / 100
        if measured is not None:
            self.claim(claim, f"{expected:g} +- {room:.2g}", float(measured), abs(measured - expected) <= room)

    def claim_ratio(self, claim: str, ratios: Iterable[float], low: float = 0.85, high: float = 1.15) -> None:
        """Ratios of ours to what is expected, all near 1. The furthest from it is shown."""
        ratios = list(ratios)
        worst = max(ratios, key=lambda ratio: abs(math.log(ratio)))
        worst = math.nan if any(map(math.isnan, ratios)) else worst
        self.claim(claim, f"{low:.2f} to {high:.2f}", float(worst), low <= worst <= high)

    def claim_trend(self, claim: str, expected: str, values: Iterable[float]) -> None:
        """Values in their order are falling, or growing; not measured if one is missing or alone."""
        values = [*values]
        is_step = operator.lt if expected == "falling" else operator.ge
        holds = all(map(is_step, values[1:], values))
        self.claim(claim, expected, values, None if any(map(math.isnan, values)) or len(values) < 2 else holds)

    def claim_order(self, claim: str, expected: str, values: Mapping[str, float] | pandas.Series) -> None:
        """Values in the order that a text says, such as "a < b <= others", which are the least of all that it does not
        name (or the most, after a >). values: by name; nothing is claimed if one is missing."""
        names, signs = re.split(" [<>]=? ", expected), re.findall(" ([<>]=?) ", expected)
        values = dict(values)
        texts = {name: f"{values[name]:.3g}" for name in names if name in values}
        rest = [name for name in values if name not in names and not math.isnan(values[name])]
        if names[-1] == "others" and rest and "others" not in values:
            best = (min if "<" in signs[-1] else max)(rest, key=lambda name: values[name])
            values["others"], texts["others"] = values[best], f"{values[best]:.3g} ({best})"
        if set(names) <= set(texts):
            holds = all(SIGNS[sign](values[one], values[two]) for one, sign, two in zip(names, signs, names[1:]))
            self.claim(claim, expected, ", ".join(texts[name] for name in names), holds)

    def claim_best(self, claim: str, name: str, values: pandas.Series, show: str = "") -> None:
        """Who has the least value. values: by name, if there are others; show: how the value is said, as a format."""
        if name in values and len(values) > 1:
            best = values.idxmin()
            self.claim(claim, name, best + (f" ({show.format(values[best])})" if show else ""), best == name)

    def claim_least(self, claim: str, expected: str, values: pandas.Series, with_most: bool = False) -> None:
        """The least of some values is as a text says. values: by name."""
        ends = [values.idxmin(), *([values.idxmax()] if with_most else [])]
        measured = " and ".join(f"{values[end]:.3g} ({end})" for end in ends)
        self.claim(claim, expected, measured, is_as_expected(expected, values.min()))

    def claim_as_reference(
        self,
        means: pandas.DataFrame,
        what: str = "longest flow",
        ours: str = "longest_us",
        theirs: str = "reference_us",
        where: str = "",
        limits: tuple[float, float] = (0.9, 1.1),
    ) -> None:
        """Times of ours as long as those of the reference simulator, scheme by scheme; it knows the full size only."""
        if self.quick:
            return
        for scheme, rows in means.dropna(subset=[theirs]).groupby("scheme", sort=False):
            claim = f"{where + ', ' if where else ''}{scheme}: {what}, ours over the reference simulator's"
            self.claim_ratio(claim, rows[ours] / rows[theirs].astype(float), *limits)

    def expect(self, check: str, what: str, expected: float, values: Any, low: float, high: float) -> None:
        """Notes a row. It holds if all values, those of hosts or runs, are from low to high."""
        values = numpy.atleast_1d(numpy.asarray(values, dtype=float))
        holds = None if numpy.isnan(values).any() else bool(low <= values.min() and values.max() <= high)
        row = SimpleNamespace(check=check, what=what, expected=expected, low=low, high=high, ours=values.mean(),
                              least=values.min(), most=values.max(), holds=holds)
        self.rows.append(row)
        self.claim(f"{check}: {what}", limits_of(row), span_of(row), holds, value=row.ours)
        self.verdicts[-1].of_all = len(values) > 1

    def near(self, check: str, what: str, expected: float, values: Any, percent: float) -> None:
        """Notes a row whose values are within some percent of what is expected."""
        room = abs(expected) * percent / 100
        self.expect(check, what, expected, values, expected - room, expected + room)

    def note(self, source: str, what: str, expected: str, ours: float, holds: Any = AS_TEXT) -> None:
        """Notes a row of a number beside what is expected, which is text, and its verdict."""
        if holds is AS_TEXT:
            holds = is_as_expected(expected, ours)
        self.rows.append(SimpleNamespace(source=source, what=what, expected=expected, ours=ours, holds=holds))
        self.claim(f"{source}: {what}", expected, float(ours), holds)

    def table_of_rows(self) -> pandas.DataFrame:
        return pandas.DataFrame([vars(row) for row in self.rows])
