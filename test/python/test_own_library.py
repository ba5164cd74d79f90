# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A policy outside of the clone: its library is built as doc/add-a-balancer.rst shows, and --library finds it. A script
outside of it is built as doc/write-a-scenario.rst shows."""

import os
import re
import subprocess
import textwrap
from pathlib import Path

import pytest
from harness import script
from test_commands import PAGES, commands_of

ROOT = Path(__file__).resolve().parents[2]
BIN_DIR = Path(os.environ.get("AI_FABRIC_BIN_DIR") or "none").resolve()
PROGRAM = BIN_DIR / "ai-fabric-run"
EXAMPLE = ROOT / "examples/two-choices-balancer-example.cc"
SMALL = "--k=4", "--size=4KiB"

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="AI_FABRIC_BIN_DIR has no ai-fabric-run")


def call(*command, cwd=None):
    return subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)


def build(*command, cwd=None):
    done = call(*command, cwd=cwd)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def build_as_shown(folder, page, prefix, source):
    """Builds a file in a folder of its own, as a page shows, with the package in a prefix."""
    lines = re.search(r"^( +cmake_minimum_required.*?)\n\n", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)[1]
    assert len(lines.splitlines()) == 5 and source.name in lines
    (folder / "CMakeLists.txt").write_text(textwrap.dedent(lines) + "\n")
    (folder / source.name).write_bytes(source.read_bytes())
    build("cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=folder)
    build("cmake", "--build", "build", cwd=folder)


@pytest.fixture(name="prefix", scope="module")
def make_prefix(tmp_path_factory):
    """Where the package is installed."""
    prefix = tmp_path_factory.mktemp("prefix")
    build("cmake", "--install", BIN_DIR.parent, "--prefix", prefix)
    return prefix


@pytest.mark.slow
def test_a_script_of_the_package_runs(tmp_path, prefix):
    build_as_shown(tmp_path, "doc/write-a-scenario.rst", prefix, ROOT / "examples/scenario-example.cc")
    printed = (ROOT / "doc/output/scenario.txt").read_text()
    assert call(tmp_path / "build/mine").stdout == printed.partition("\n")[2]


@pytest.mark.slow
def test_a_library_of_the_package_is_loaded(tmp_path, prefix):
    build_as_shown(tmp_path, "doc/add-a-balancer.rst", prefix, EXAMPLE)
    load = f"--library={tmp_path}/build/libmine.so"
    assert "two-choices" in call(PROGRAM, load, "--balancer=help").stdout
    run = call(PROGRAM, load, "--balancer=two-choices", *SMALL, f"--out={tmp_path}/out")
    assert run.returncode == 0, run.stderr
    assert call(PROGRAM, "--balancer=two-choices", *SMALL, "--check").returncode == 1
    assert_pages_load_it(tmp_path)
    pytest.importorskip("matplotlib")
    demo = ["--runs=1", "--balancers=two-choices,rsq,two-choices", *SMALL, f"--out={tmp_path}/demo"]
    assert_compares("demo", load, *demo)
    assert_compares("reproduce", load, "fig1", "--quick", "--also=two-choices", "--only=two-choices", f"--out={tmp_path}/figure")


def assert_pages_load_it(folder):
    """The commands of pages that name the library are accepted as printed."""
    shown = [words for page in PAGES for words in commands_of(page) if "--library=" in " ".join(words)]
    assert shown and all(words[0] == "ai-fabric-run" for words in shown)
    for words in shown:
        run = call(PROGRAM, *words[1:], "--check", cwd=folder)
        assert run.returncode == 0, run.stderr


def assert_compares(name, *options):
    """A part of the package ai_fabric runs the balancer of the library, and no other is needed."""
    run = script(name, f"--program={PROGRAM}", *options)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("path", ["none.so", "", "text.so", ",", ",text.so"])
def test_what_cannot_be_loaded_is_named(tmp_path, path):
    (tmp_path / "text.so").write_text("no library\n")
    run = call(PROGRAM, f"--library={path}", *SMALL, "--check", cwd=tmp_path)
    assert run.returncode == 1 and run.stdout == ""
    assert run.stderr.startswith(f"ai-fabric-run: --library={path}: ") and run.stderr.count("\n") == 1
