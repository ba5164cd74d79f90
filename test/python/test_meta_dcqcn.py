# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figure of DCQCN in racks: its settings, and verdicts that can say no."""

import sys
from pathlib import Path

import pytest

pandas = pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

ROOT = Path(__file__).resolve().parents[2]

sys.path[:0] = [str(ROOT / "contrib" / part) for part in ("reproduce", "plot", "sweep")]

import meta_dcqcn
from meta import MetaStudy


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.setattr("study.ask", lambda *_: ["ecmp"])
    return MetaStudy("meta-x", "a figure", "program", tmp_path)


def words(study, part):
    return [verdict.holds for verdict in study.verdicts if part in verdict.claim]


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
