# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Formatting of the C++ code and the shell scripts, and what .editorconfig says of all files."""

import re
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


SHELL_SCRIPTS = "fabric", ".ci/run", "contrib/ai_fabric/completion/completion.bash"


def test_shellcheck():
    run = subprocess.run([tool("shellcheck"), *SHELL_SCRIPTS], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def lengths():
    """The longest line that .editorconfig allows to each kind of file, the last entry that has it."""
    config = (ROOT / ".editorconfig").read_text()
    for kinds, text in re.findall(r"^\[\*\.?(.*)\]\n((?:\w.*\n)*)", config, re.MULTILINE):
        length = re.search(r"^max_line_length = (\w+)$", text, re.MULTILINE)
        for kind in re.findall(r"\w+", kinds) or ["*"]:
            if length:
                yield kind, length[1]


def test_lines_are_as_long_as_editors_are_told():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    if not listed:
        pytest.skip("no clone")
    most = dict(lengths())
    assert {"*", "cc", "h", "rst"} <= most.keys()
    for path in map(ROOT.joinpath, listed):
        length = most.get(path.suffix[1:], most["*"])
        if length != "off" and path.suffix not in (".png", ".et") and path.exists():
            lines = path.read_text().splitlines()
            assert not [line for line in lines if len(line) > int(length)], path
