# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figures of DCQCN: settings, the fluid model, and verdicts that can say no."""

import pytest
from meta_figures import study, words  # noqa: F401 (a fixture, and contrib in the path)

pandas = pytest.importorskip("pandas")

from ai_fabric.reproduce.figures.meta import convergence as meta_convergence
from ai_fabric.reproduce.figures.meta import dcqcn as meta_dcqcn


def test_thresholds_follow_the_rate():
    key = "ns3::aifabric::RedMarker::KMin"
    assert meta_dcqcn.control("default", 400)[key] == 1_600_000
    assert meta_dcqcn.control("default", 200)[key] == 800_000
    assert meta_dcqcn.control("relaxed", 400)[key] == 4 * 1_600_000
    assert meta_dcqcn.control("off", 400) == {"rateControl": "fixed"}


@pytest.mark.parametrize(
    "times, pauses, expected",
    [
        ((100, 106, 104, 103), (9, 1, 2, 3), [True, True, True]),
        ((110, 106, 104, 103), (9, 1, 2, 3), [False, True, True]),
        ((100, 106, 104, 103), (9, 4, 2, 3), [True, False, True]),
        ((100, 150, 104, 103), (9, 1, 2, 3), [True, True, False]),
        ((100, 106, 104, 106), (9, 1, 2, 3), [True, True, True]),
    ],
)
def test_dcqcn_may_help(study, times, pauses, expected):
    names = "off", "default", "doubled", "relaxed"
    rows = [("200 Gb/s", "incast", *row) for row in zip(names, times, pauses)]
    meta_dcqcn.judge(study, pandas.DataFrame(rows, columns=["rate", "traffic", "control", "time_us", "pauses"]))
    assert words(study, "fastest") + words(study, "pauses") + words(study, "R11") == expected


def test_two_flows_of_the_fluid_model_fall_less_if_the_first_cut_is_made_at_once():
    gradual, whole = (meta_convergence.fluid(2, 8, whole=whole) for whole in (False, True))
    assert meta_convergence.recovery(enumerate(gradual, 1), 20) == 3
    assert meta_convergence.recovery(enumerate(whole, 1), 20) == 0
    assert min(gradual) < 17 < 19 < min(whole)
    for means in gradual, whole:
        assert means[-1] == pytest.approx(20, rel=0.01)


@pytest.mark.parametrize("low, expected", [(1, True), (3, False)])
def test_the_begin_of_two_flows_is_judged_by_most_draws(study, low, expected):
    draws = [[19, 20, 20, 20]] * (4 - low) + [[12, 14, 16, 17]] * low
    starts = [pandas.DataFrame({0: draw, 1: draw}, index=range(1, 5)) for draw in draws]
    meta_convergence.judge_start(study, starts, [19.6, 20, 20, 20])
    assert words(study, "2 flows") == [expected]
