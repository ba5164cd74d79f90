# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figure of DCQCN in racks: its settings, and verdicts that can say no."""

import pytest
from meta_figures import study, words  # noqa: F401 (a fixture, and contrib in the path)

pandas = pytest.importorskip("pandas")

import meta_dcqcn


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
