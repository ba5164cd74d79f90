# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Verdicts of figures: their intervals, and which of them the runs leave open."""

import math
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pandas
import pytest

ROOT = Path(__file__).resolve().parents[2]

from ai_fabric.reproduce.resample import half_width, judge_again, without_seed
from ai_fabric.reproduce.verdicts import Verdict, is_as_expected, limits_in


@dataclass
class Judged:
    """A study that has run two tables: three seeds, and one."""

    tables: list
    verdicts: list = field(default_factory=list)
    runs: pandas.DataFrame = None
    also: list = field(default_factory=list)

    def run(self, cases, seeds=None):
        return self.tables[cases]

    def claim(self, name, expected, value, holds):
        self.verdicts.append(Verdict(name, expected, f"{value:g}", bool(holds), float(value)))


def figure(least):
    """A figure that claims that the mean of three seeds is at least so much, and that of one seed."""

    def reproduce(study):
        mean = study.run(0).cct_ns.mean()
        study.claim("mean", f"at least {least}", mean, mean >= least)
        single = study.run(1, seeds=1).cct_ns.mean()
        study.claim("single", "at least 1", single, single >= 1)

    return SimpleNamespace(reproduce=reproduce)


def judged(values, least):
    tables = [pandas.DataFrame({"seed": range(1, len(values) + 1), "cct_ns": values}),
              pandas.DataFrame({"seed": [1], "cct_ns": [2.0]})]  # fmt: skip
    study = Judged(tables)
    figure(least).reproduce(study)
    judge_again(figure(least), study)
    return study.verdicts


def test_a_seed_is_left_out_and_the_later_ones_move_up():
    table = pandas.DataFrame({"seed": [1, 2, 3], "x": [10, 20, 30]})
    assert without_seed(table, 2).to_dict("list") == {"seed": [1, 2], "x": [10, 30]}
    assert without_seed(table[:1], 1).to_dict("list") == {"seed": [1], "x": [10]}


def test_the_interval_of_a_mean_is_students():
    """Three values, 1, 2 and 6: mean 3, standard error 1.5275, t of two degrees of freedom 4.3027."""
    assert half_width([4, 3.5, 1.5]) == pytest.approx(4.3027 * 1.5275, rel=1e-4)
    mean, single = judged([1, 2, 6], 3)
    assert mean.half == pytest.approx(6.572, rel=1e-3) and math.isnan(single.half)


@pytest.mark.parametrize(
    "values, least, word",
    [
        ([10, 11, 12], 5, "yes"),
        ([10, 11, 12], 20, "NO"),
        ([10, 11, 12], 10.9, "open"),  # the limit is inside the interval
        ([10, 11, 12], 12, "open"),
    ],
)
def test_a_verdict_is_open_while_its_interval_has_the_limit_inside(values, least, word):
    mean, single = judged(values, least)
    assert mean.word() == word and single.word() == "yes"


def test_without_limits_one_seed_that_decides_leaves_it_open():
    assert Verdict("x", "the best", "a", True, flips=True).word() == "open"
    assert Verdict("x", "the best", "a", True).word() == "yes"
    assert Verdict("x", "the best", "a", None, flips=True).word() == "not measured"


@pytest.mark.parametrize(
    "text, limits",
    [
        ("0.9 to 1.1", (0.9, 1.1)), ("2 +- 0.5", (1.5, 2.5)), ("5 +- 10 %", (4.5, 5.5)), ("at most 1.02", (1.02,)),
        ("above 43.9 %", (43.9,)), ("-5 to 3", (-5, 3)), ("1 (0.9 to 1.1)", (0.9, 1.1)), ("1 (0.8 to 1)", (0.8,)),
        ("5 or less", (5,)), ("0 or more", (0,)), ("less than 2", (2,)), ("ofan < host-dr < others", ()),
        ("9 schemes", ()),
    ],
)
def test_limits_are_those_of_the_text(text, limits):
    assert limits_in(text) == limits


@pytest.mark.parametrize(
    "text, inside, outside",
    [("at most 3 %", 3, 3.1), ("above 1", 1.1, 1), ("5 or less", 5, 5.1), ("2 or more", 2, 1.9), ("0.9 to 1.1", 1.1, 1.2),
     ("less than 2", 1.9, 2), ("2 +- 0.5", 1.5, 1.4)],
)
def test_a_number_is_as_a_text_says(text, inside, outside):
    assert is_as_expected(text, inside) and not is_as_expected(text, outside)


def test_one_seed_has_no_interval():
    mean, _ = judged([3.0], 1)
    assert math.isnan(mean.half) and mean.word() == "yes" and mean.interval() == "-"


def test_a_value_outside_decides_where_all_have_to_be_within():
    near = {"value": 1.09, "half": 0.05, "of_all": True}
    assert Verdict("x", "1 (0.9 to 1.1)", "1.09 (0.8 to 1.3)", False, **near).word() == "NO"
    assert Verdict("x", "1 (0.9 to 1.1)", "1.09 (1 to 1.1)", True, **near).word() == "open"
    assert Verdict("x", "1 (0.9 to 1.1)", "1.09 (0.8 to 1.3)", False, flips=True, **near).word() == "open"


def test_a_rounding_error_is_no_interval():
    assert Verdict("x", "1", "0.3", True, value=0.3, half=1e-15).interval() == "-"
    assert Verdict("x", "1", "0.3", True, value=0.3, half=1e-3).interval() == "+- 0.001"
