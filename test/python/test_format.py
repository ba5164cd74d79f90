# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Formatting of the C++ code and the shell scripts."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = "model", "helper", "examples", "test", "contrib"


def tool(*names):
    for name in names:
        if shutil.which(name):
            return name
    pytest.skip(f"{names[-1]} is not installed")


def test_clang_format():
    clang_format = tool("clang-format-14", "clang-format")
    code = sorted(path for folder in FOLDERS for suffix in ("cc", "h") for path in (ROOT / folder).rglob(f"*.{suffix}"))
    run = subprocess.run([clang_format, "--dry-run", "--Werror", *code], cwd=ROOT, capture_output=True, text=True)
    wrong = sorted({line.split(":")[0] for line in run.stderr.splitlines() if "error:" in line})
    assert run.returncode == 0, "run clang-format -i on: " + " ".join(wrong)


def test_shellcheck():
    run = subprocess.run([tool("shellcheck"), "fabric", ".ci/run"], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
