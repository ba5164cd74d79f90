# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Public measurements beside the same collectives here: doc/against-hardware.rst."""

import re
import subprocess
from pathlib import Path

import pytest
from harness import PROGRAM, needs_program

pandas = pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

from ai_fabric.reproduce.figures.hardware.against_hardware import is_quick, judge
from ai_fabric.reproduce.papers.hardware import CLUSTERS, HardwareStudy

pytestmark = needs_program

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = pandas.read_csv(ROOT / "doc/results/against-hardware.csv").set_index(["cluster", "bytes"])


def test_measurements_have_sources_and_results():
    """Each measured size is in the table of results, with what was measured."""
    assert len({cluster.name for cluster in CLUSTERS}) == len(CLUSTERS) >= 8
    points = {(cluster.name, size) for cluster in CLUSTERS for size in {**cluster.times, **cluster.bandwidths}}
    assert points == set(PUBLISHED.index)
    for cluster in CLUSTERS:
        assert cluster.source.startswith("https://")
        for size, time in cluster.times.items():
            assert PUBLISHED.loc[(cluster.name, size)].measured_us == time
        for size, rate in cluster.bandwidths.items():
            assert PUBLISHED.loc[(cluster.name, size)].measured_gbytes_per_s == pytest.approx(rate, rel=1e-5)
    errors = 100 * (PUBLISHED.ours_us / PUBLISHED.measured_us - 1)
    assert errors.to_numpy() == pytest.approx(PUBLISHED.error_percent.to_numpy(), abs=0.01)


def test_the_quick_form_has_the_published_numbers(tmp_path):
    """The runs of --quick are those of the full figure, so that their results are, too."""
    command = ["./fabric", "reproduce", "against-hardware", "--quick", f"--out={tmp_path}", f"--program={PROGRAM}"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "Collectives beside public measurements" in run.stdout
    [path] = tmp_path.rglob("against-hardware.csv")
    ours = pandas.read_csv(path).set_index(["cluster", "bytes"])
    short = {(cluster.name, size) for cluster in CLUSTERS for size in {**cluster.times, **cluster.bandwidths}
             if is_quick(cluster, size)}  # fmt: skip
    assert set(ours.index) == short and len(short) > 20
    for index, row in ours.iterrows():
        assert row.ours_us == pytest.approx(PUBLISHED.loc[index].ours_us, rel=1e-4), index
        assert row.algorithm == PUBLISHED.loc[index].algorithm, index


def test_verdicts_can_say_no(tmp_path):
    study = HardwareStudy("against-hardware", "A figure", str(PROGRAM), tmp_path)
    rows = [(1 << 30, 5), (1 << 29, -30), (1 << 20, 10), (8, -60)]
    judge(study, pandas.DataFrame(rows, columns=["bytes", "error_percent"]))
    assert [verdict.holds for verdict in study.verdicts] == [False, False, True, True, False, False]
    assert all(re.search(r"error", verdict.claim) for verdict in study.verdicts)


def test_the_page_has_the_results():
    """The errors of the page are those of the table of results, rounded."""
    text = (ROOT / "doc/against-hardware.rst").read_text()
    for name, size, words in [
        ("8 A100 in a node", 1 << 30, "240         -4"),
        ("4 x 8 H100, 8 x 400 Gb/s", 4 << 30, "384         -17"),
        ("5 x 8 H100, 4 x 400 Gb/s, tree", 1 << 30, "144         4"),
    ]:
        row = PUBLISHED.loc[(name, size)]
        assert f"{row.ours_gbytes_per_s:.0f}{' ' * 9}{row.error_percent:.0f}" == words and words in text
