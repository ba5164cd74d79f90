# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The Python package ai_fabric: the order of its parts, its types, its installation, and runs as data frames."""

import ast
import graphlib
import json
import re
import runpy
import shutil
import subprocess
import sys

import pytest

from harness import PROGRAM, ROOT, SMALL, call, needs_program

from ai_fabric.common.clone import of_clone
from ai_fabric.common.program import ScriptError

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


def test_each_file_of_the_clone_that_the_package_reads_is_installed():
    """With the same contents, where the package looks for it."""
    names = re.findall(r'of_clone\("([^"]*)"\)', "".join(path.read_text() for path in (CONTRIB / "ai_fabric").rglob("*.py")))
    backend = runpy.run_path(str(CONTRIB / "build_backend.py"))
    there = dict(backend["files"]())
    assert names and sorted(set(names)) == sorted(backend["OF_CLONE"])
    for name in names:
        assert there[f"ai_fabric/clone/{name}"] == of_clone(name).read_bytes() == (ROOT / name).read_bytes()


def test_another_program_may_import_it_in_any_thread():
    """Only the main thread may set what a signal does."""
    code = "import threading as t; a = t.Thread(target=__import__, args=['ai_fabric.plot.charts']); a.start(); a.join()"
    run = subprocess.run([sys.executable, "-c", code], cwd=CONTRIB, capture_output=True, text=True, timeout=60, check=False)
    assert run.stderr == ""


def test_what_pip_leaves_in_a_clone_is_ignored():
    ignored = (ROOT / ".gitignore").read_text().split()
    assert {"/contrib/build/", "*.egg-info/"} <= set(ignored)


@needs_program
@pytest.mark.slow
@pytest.mark.skipif(not has("pip"), reason="pip is not installed")
@pytest.mark.parametrize("how", [[], ["--editable"]], ids=["copied", "editable"])
def test_pip_installs_the_package_without_a_network(tmp_path, how):
    """In a virtual environment without the packages that build others. What the package reads of the clone is there."""
    there = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", there], check=True, timeout=60)
    pip = [sys.executable, "-m", "pip", f"--python={there}", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, *how, CONTRIB], cwd=tmp_path, check=True, timeout=300)

    def ask(part, *options):
        command = [there / "bin/python", "-m", f"ai_fabric.{part}", f"--program={PROGRAM}", *options]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=300).stdout

    where = [there / "bin/python", "-c", "import ai_fabric; print(ai_fabric.__file__)"]
    assert (str(there) in subprocess.run(where, cwd=tmp_path, capture_output=True, text=True, check=True).stdout) == (not how)
    listed = ask("study", "--list")
    assert "moe-failed-uplink" in listed and "\n    ./fabric reproduce fig6 --quick\n" in listed
    assert "the others take about" in ask("reproduce", "ethereal-fig5", "--quick", "--dry-run")


@needs_program
def test_a_run_is_data_frames_with_units(tmp_path):
    import ai_fabric

    assert call(tmp_path, *SMALL, "--out=out").returncode == 0
    run = ai_fabric.load(tmp_path / "out")
    with pytest.raises(ScriptError, match=r"flow.csv: no such table \(did you mean flows\?\); there are events, flows, "):
        run.table("flow")
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
    from ai_fabric.runs import run_data

    monkeypatch.setattr(run_data, "find_spec", lambda _: None)
    with pytest.raises(ScriptError, match="^Parquet needs the Python module pyarrow, which is not installed$"):
        run_data.Run.to_parquet(None, tmp_path)


@needs_program
def test_parquet_has_every_table(tmp_path, monkeypatch):
    """A stand-in writes what pyarrow would: Debian 12 has no package of it."""
    import ai_fabric
    import pandas
    from ai_fabric.runs import run_data

    assert call(tmp_path, *SMALL, "--out=out").returncode == 0
    monkeypatch.setattr(run_data, "find_spec", lambda _: True)
    monkeypatch.setattr(pandas.DataFrame, "to_parquet", lambda table, path: table.to_csv(path, index=False))
    run = ai_fabric.load(tmp_path / "out")
    run.to_parquet(tmp_path / "new/parquet")
    assert sorted(path.name for path in (tmp_path / "new/parquet").iterdir()) == [f"{name}.parquet" for name in run.tables]
    pandas.testing.assert_frame_equal(pandas.read_csv(tmp_path / "new/parquet/flows.parquet"), run.table("flows"), check_dtype=False)


@pytest.mark.parametrize("name", ["load", "Run"])
def test_what_the_pages_name_is_one_thing(name):
    definition = re.compile(rf"^(?:def|class) {name}\b", re.MULTILINE)
    there = [path for path in (CONTRIB / "ai_fabric").rglob("*.py") if definition.search(path.read_text())]
    assert len(there) == 1


def test_units_of_columns():
    from ai_fabric.common.metric import metric_of
    from ai_fabric.common.units import unit_of

    units = {"cct_ns": "ns", "busbw_gbit_per_s": "Gb/s", "busbw_gbytes_per_s": "GB/s", "packet_hops_per_cpu_s": "", "bytes_sent": "B",
             "cpu_s": "s", "slowdown": "", "max_queue_packets": "packets", "drops": ""}  # fmt: skip
    assert {column: unit_of(column) for column in units} == units
    assert metric_of("max_waiting_bytes", 1).unit == "B" and metric_of("cct_ns", 2e6).unit == "ms"
