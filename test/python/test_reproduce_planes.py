# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figure of all schemes on several planes: what it measures, and that its verdicts can say no."""

import math
from pathlib import Path

import pytest

pandas = pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

ROOT = Path(__file__).resolve().parents[2]

from ai_fabric.reproduce.figures.planes import planes
from ai_fabric.reproduce.papers.planes import PlanesStudy


@pytest.fixture(name="study")
def make_study(tmp_path, fake):
    study = PlanesStudy("planes", "A figure", str(fake[0]), tmp_path / "out")
    study.known = list(planes.SCHEMES)
    return study


def verdicts_of(study, words=""):
    """What the verdicts say whose claim has some words."""
    return [verdict.holds for verdict in study.verdicts if words in verdict.claim]


def run_of(folder, scheme, fault, seed, times):
    """A row of a run whose iterations took so many us, one after the other; none: it failed."""
    folder = folder / f"{scheme} {fault} {seed}"
    folder.mkdir()
    if times:
        rows = [f"{1000 * sum(times[:number])},{1000 * time}" for number, time in enumerate(times, 1)]
        (folder / "collectives.csv").write_text("\n".join(["end_ns,duration_ns", *rows]) + "\n")
    labels = {"scheme": scheme, "fault": fault, "seed": seed, "folder": folder}
    return {**labels, "completed": bool(times), "timeouts": 0, "retransmissions": 0}


def test_what_runs_lose(tmp_path):
    """Each beside that of the same seed without a fault; iterations 5 % above the usual ones are disturbed."""
    runs = [
        run_of(tmp_path, "mrc", planes.HEALTHY, 1, [100, 100, 100]),
        run_of(tmp_path, "mrc", planes.HEALTHY, 2, [90, 100, 110]),
        run_of(tmp_path, "mrc", "a spine is down", 1, [100, 160, 104]),
        run_of(tmp_path, "mrc", "a spine is down", 2, [90, 106, 112]),
        run_of(tmp_path, "mrc", "a leaf of a plane is down", 1, []),
    ]
    table = planes.summarize(pandas.DataFrame(runs)).set_index("fault")
    lost = table.loc["a spine is down"]
    half = 12.7062 * 28  # Student's t of two runs, 8 and 64 us
    assert (lost.lost_us, lost.lost_us_low95, lost.lost_us_high95) == (36, pytest.approx(36 - half), pytest.approx(36 + half))
    assert lost.disturbed_us == (160 + 106 + 112) / 2 and lost.longest_iteration_us == 160
    assert lost.usual_iteration_us == 100 and lost.failed_runs == 0
    assert table.loc[planes.HEALTHY].lost_us == 0
    failed = table.loc["a leaf of a plane is down"]
    assert failed.failed_runs == 1 and math.isnan(failed.lost_us)


def test_both_sides_of_an_interval_have_ticks():
    from matplotlib import pyplot

    _, axes = pyplot.subplots()
    axes.set_xscale("symlog", linthresh=10)
    planes.plain(axes, planes.LOST, [pandas.Series([36, math.nan]), pandas.Series([-320, math.nan])])
    assert [label.get_text() for label in axes.get_xticklabels()] == ["-100", "-10", "0", "10"]


@pytest.mark.parametrize("lost, longest, failed, holds", [(50, 150, 0, True), (170, 250, 1, False)])
def test_verdicts_can_say_no(study, lost, longest, failed, holds):
    rows = [
        (scheme, fault, failed, longest, 100, *3 * [lost if scheme == "mrc" else 160])
        for scheme in planes.SCHEMES
        for fault in planes.FAULTS
    ]
    columns = "scheme fault failed_runs longest_iteration_us usual_iteration_us lost_us p99_iteration_us p999_iteration_us".split()
    planes.judge(study, pandas.DataFrame(rows, columns=columns))
    for words, count in (("all runs end", len(planes.SCHEMES)), ("loses the least", 12), ("percentile", 2), ("bypasses", 7)):
        assert verdicts_of(study, words) == count * [holds]
