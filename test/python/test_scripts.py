# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A script's results are read as those of ai-fabric-run."""

import csv
import json
import os
import subprocess
from pathlib import Path

import pytest
from harness import script

ROOT = Path(__file__).resolve().parents[2]
BIN_DIR = Path(os.environ.get("AI_FABRIC_BIN_DIR") or "none")
SCRIPT = BIN_DIR / "scenario-example"
TABLES = ["events.csv", "flows.csv", "links.csv", "layers.csv", "queues.csv"]
HOSTS = 16
BYTES = 100_000

pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="AI_FABRIC_BIN_DIR does not hold scenario-example")


def run(program, folder, *options):
    return subprocess.run([program, f"--out={folder}", *options], capture_output=True, text=True, check=True).stdout


def rows(folder, table):
    with open(folder / table, newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("script") / "mine"
    for size in 2 * BYTES, BYTES:  # the results of the second run replace those of the first
        run(SCRIPT, folder, f"--size={size}")
    return folder


def test_files_are_those_of_the_program(folder, tmp_path):
    run(BIN_DIR / "ai-fabric-run", tmp_path / "program", "--k=4", "--size=64KiB")
    for table in TABLES:
        (head, *_) = (folder / table).read_text().splitlines()
        assert head == (tmp_path / "program" / table).read_text().splitlines()[0]
    summary = json.loads((folder / "run.json").read_text())
    assert summary["files"] == TABLES
    assert summary["scenario"]["hosts"] == HOSTS and summary["scenario"]["size"] == BYTES


def test_results_are_those_of_the_run(folder):
    """Sums and times of the tables agree, and the bound, of the frames as they are, holds."""
    results = json.loads((folder / "run.json").read_text())["results"]
    flows = rows(folder, "flows.csv")
    assert len(flows) == HOSTS and {int(flow["bytes"]) for flow in flows} == {BYTES}
    assert results["cct_ns"] == max(float(flow["completed_ns"]) for flow in flows)
    packets = -(-BYTES // 4096)
    frames = BYTES + packets * (62 + 20)
    assert frames * 8 / 400 <= results["completion_bound_ns"] <= results["cct_ns"]
    sent = {layer: values["bytes"] for layer, values in results["layers"].items()}
    assert sent["host-up"] > HOSTS * BYTES
    assert results["drops"] == sum(results["drops_by_reason"].values())
    assert results["measured_ns"] == results["cct_ns"]  # not until the last timer
    assert float(rows(folder, "queues.csv")[-1]["time_ns"]) <= results["cct_ns"]


def test_results_do_not_change_the_run(tmp_path):
    with_files = run(SCRIPT, tmp_path / "mine")
    assert with_files == subprocess.run([SCRIPT], capture_output=True, text=True, check=True).stdout


def test_plot_draws_them(folder):
    pytest.importorskip("matplotlib")
    drawn = script("plot.plot_run", folder)
    assert drawn.returncode == 0, drawn.stderr
    assert (folder / "flows.png").exists() or list(folder.glob("*.png"))


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    refused = subprocess.run([SCRIPT, f"--out={tmp_path / 'file'}"], capture_output=True, text=True)
    assert refused.returncode != 0
    assert f'msg="ResultsHelper: a folder is needed, and {tmp_path}/file is none"' in refused.stderr
