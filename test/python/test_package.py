# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The Python package ai_fabric: the order of its parts, its types, its installation, and runs as data frames."""

import ast
import graphlib
import json
import os
import shutil
import subprocess
import sys
import tomllib

import pytest

from harness import ROOT, SMALL, call, needs_program

CONTRIB = ROOT / "contrib"


def has(module):
    return not subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, check=False).returncode


def test_no_part_imports_one_that_imports_it():
    """The parts have an order, imports within functions and for types included."""
    needs = {}
    for path in (CONTRIB / "ai_fabric").glob("*/**/*.py"):
        part = path.relative_to(CONTRIB / "ai_fabric").parts[0]
        for node in ast.walk(ast.parse(path.read_text())):
            found = (node.module or "").split(".") if isinstance(node, ast.ImportFrom) else [""]
            if found[0] == "ai_fabric" and len(found) > 1 and found[1] != part:
                needs.setdefault(part, set()).add(found[1])
    order = list(graphlib.TopologicalSorter(needs).static_order())  # raises CycleError
    assert order[0] == "common" and len(order) > 10


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("mypy"), reason="mypy is not installed")
def test_types(tmp_path):
    command = ["mypy", f"--cache-dir={tmp_path}", "-p", "ai_fabric"]
    run = subprocess.run(command, cwd=CONTRIB, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stdout


def test_each_file_of_the_package_is_named_as_its_data():
    """Without pip, which few machines have: a file that no pattern names is left out of an installation."""
    [patterns] = tomllib.loads((CONTRIB / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"].values()
    files = (path for path in (CONTRIB / "ai_fabric").rglob("*.*") if path.is_file() and "__pycache__" not in path.parts)
    left_out = [path.name for path in files if path.suffix != ".py" and not any(map(path.match, patterns))]
    assert not left_out


def test_what_pip_leaves_in_a_clone_is_ignored():
    ignored = (ROOT / ".gitignore").read_text().split()
    assert {"/contrib/build/", "*.egg-info/"} <= set(ignored)


@pytest.mark.slow
@pytest.mark.skipif(not (has("pip") and has("setuptools")), reason="pip or setuptools is not installed")
def test_the_package_is_installed_with_its_files(tmp_path):
    shutil.copytree(CONTRIB, tmp_path / "contrib", ignore=shutil.ignore_patterns("__pycache__", "run", "bench/*.cc"))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*pip, f"--target={tmp_path / 'there'}", tmp_path / "contrib"], check=True, timeout=300)
    there = tmp_path / "there/ai_fabric"
    kept = {path.relative_to(CONTRIB / "ai_fabric") for path in (CONTRIB / "ai_fabric").rglob("*.*") if "__pycache__" not in path.parts}
    assert kept == {path.relative_to(there) for path in there.rglob("*.*") if "__pycache__" not in path.parts}
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "there")}
    command = [sys.executable, "-m", "ai_fabric.study", "--list", "--program=/"]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert "moe-failed-uplink" in run.stdout


@needs_program
def test_a_run_is_data_frames_with_units(tmp_path):
    import ai_fabric

    assert call(tmp_path, *SMALL, "--out=out").returncode == 0
    run = ai_fabric.load(tmp_path / "out")
    assert run.tables == ["events", "flows", "layers", "links", "queues"]
    flows = run.table("flows")
    assert len(flows) == run.results["messages"] == 16
    assert flows.completed_ns.max() - flows.start_ns.min() == pytest.approx(run.results["cct_ns"], abs=0.001)
    assert run.table("links").attrs["units"].items() >= {"bytes_sent": "B", "frames_lost": "frames"}.items()
    assert flows.attrs["units"] == {"bytes": "B", **{f"{name}_ns": "ns" for name in "start received completed duration ideal".split()}}


@needs_program
def test_the_notebook_runs(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("Agg")
    for name in "contrib", "build":
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    names = {}
    for cell in json.loads((ROOT / "examples/read-runs.ipynb").read_text())["cells"]:
        if cell["cell_type"] == "code":
            assert not cell["outputs"]  # they would grow stale
            exec("".join(cell["source"]), names)
    medians = {name: values[0.5] for name, values in names["slowdown"].items()}
    assert 1 <= medians["ofan"] < medians["ecmp"]
    assert (tmp_path / "results/notebook/durations.png").stat().st_size > 1000


def test_parquet_needs_its_module(tmp_path, monkeypatch):
    from ai_fabric.common.program import ScriptError
    from ai_fabric.runs import run_data

    monkeypatch.setattr(run_data, "find_spec", lambda _: None)
    with pytest.raises(ScriptError, match="^Parquet needs the Python module pyarrow, which is not installed$"):
        run_data.Run.to_parquet(None, tmp_path)


def test_units_of_columns():
    from ai_fabric.common.metric import metric_of
    from ai_fabric.common.units import unit_of

    units = {"cct_ns": "ns", "busbw_gbit_per_s": "Gb/s", "busbw_gbytes_per_s": "GB/s", "packet_hops_per_cpu_s": "", "bytes_sent": "B",
             "cpu_s": "s", "slowdown": "", "max_queue_packets": "packets", "drops": ""}  # fmt: skip
    assert {column: unit_of(column) for column in units} == units
    assert metric_of("max_waiting_bytes", 1).unit == "B" and metric_of("cct_ns", 2e6).unit == "ms"
