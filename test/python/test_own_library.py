# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A policy outside of the clone: its library is built as doc/add-a-balancer.rst shows, and --library finds it."""

import os
import re
import subprocess
import textwrap
from pathlib import Path

import pytest

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


@pytest.mark.slow
def test_a_library_of_the_package_is_loaded(tmp_path):
    page = (ROOT / "doc/add-a-balancer.rst").read_text()
    lines = re.search(r"^( +cmake_minimum_required.*?)\n\n", page, re.MULTILINE | re.DOTALL)[1]
    assert len(lines.splitlines()) == 5
    (tmp_path / "CMakeLists.txt").write_text(textwrap.dedent(lines) + "\n")
    (tmp_path / EXAMPLE.name).write_bytes(EXAMPLE.read_bytes())
    prefix = tmp_path / "prefix"
    build("cmake", "--install", BIN_DIR.parent, "--prefix", prefix)
    build("cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=tmp_path)
    build("cmake", "--build", "build", cwd=tmp_path)
    load = f"--library={tmp_path}/build/libmine.so"
    assert "two-choices" in call(PROGRAM, load, "--balancer=help").stdout
    run = call(PROGRAM, load, "--balancer=two-choices", *SMALL, f"--out={tmp_path}/out")
    assert run.returncode == 0, run.stderr
    assert call(PROGRAM, "--balancer=two-choices", *SMALL, "--check").returncode == 1


@pytest.mark.parametrize("path", ["none.so", "", "text.so", ",", ",text.so"])
def test_what_cannot_be_loaded_is_named(tmp_path, path):
    (tmp_path / "text.so").write_text("no library\n")
    run = call(PROGRAM, f"--library={path}", *SMALL, "--check", cwd=tmp_path)
    assert run.returncode == 1 and run.stdout == ""
    assert run.stderr.startswith(f"ai-fabric-run: --library={path}: ") and run.stderr.count("\n") == 1
