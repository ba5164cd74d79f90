# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""compile-all.py: a file that lacks an include fails where each file is compiled alone, although <vector>, <string> and
core-test.h are parsed once for those that include them, and passes in a group whose other file has the include."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = "contrib/cmake/compile-all.py"
FILES = {
    "model/one/first.cc": '#include "first.h"\nint First(const std::vector<int>& all) { return all.front(); }\n',
    "model/one/first.h": "#include <vector>\nint First(const std::vector<int>& all);\n",
    "model/one/second.cc": "int Second(const std::vector<int>& all) { return all.back(); }\n",
    "model/one/late.cc": '#include "late.h"\n#include <vector>\nint Late(const std::vector<int>& all) { return all[1]; }\n',
    "model/one/late.h": "int Late(const std::vector<int>& all);\n",
    "model/one/perhaps.h": "#ifdef PERHAPS\n#include <string>\n#endif\ninline bool Perhaps(const std::string& a) { return a.empty(); }\n",
    "model/one/third.h": "inline int Third(const std::vector<int>& all) { return all[0]; }\n",
    "test/core/core-test.h": '#ifndef CORE_TEST_H\n#define CORE_TEST_H\n#include "ns3/first.h"\n#endif\n',
    "test/core/first-test.cc": '#include "core-test.h"\nint Test() { return First({0}); }\n',
    "test/core/second-test.cc": '#include "core-test.h"\nint Other() { return First({int(std::list<int>().size())}); }\n',
}
LACKING = {  # the file that fails, but for tests: the one that lacks an include, and the header
    "model/one/late.cc": ("model/one/late.h", "vector"),
    "model/one/perhaps.h": ("model/one/perhaps.h", "string"),
    "model/one/second.cc": ("model/one/second.cc", "vector"),
    "model/one/third.h": ("model/one/third.h", "vector"),
}


@pytest.fixture(name="module")
def make_module(tmp_path):
    """A small module, some files of which lack an include."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / SCRIPT).parent.mkdir(parents=True)
    shutil.copy(Path(__file__).resolve().parents[2] / SCRIPT, tmp_path / SCRIPT)
    return tmp_path


def compile_all(module, way, compiler):
    """The status, and the files that do not compile."""
    command = [module / SCRIPT, module / "build", "2", way, compiler, "-std=c++17"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    return run.returncode, {line.removeprefix(f"{module}/") for line in run.stdout.splitlines()}


def named(files):
    return {f"{file} does not compile" for file in files}


@pytest.fixture(name="compiler", params=["g++", "clang++"])
def find_compiler(request):
    if not shutil.which(request.param):
        pytest.skip(f"no {request.param}")
    return request.param


def test_a_missing_include_is_found_where_files_are_compiled_alone(module, compiler):
    status, failed = compile_all(module, "alone", compiler)
    assert status != 0 and failed == named(LACKING)
    for file, header in LACKING.values():
        (module / file).write_text(f"#include <{header}>\n{FILES[file]}")
    assert compile_all(module, "alone", compiler) == (0, set())


def test_a_group_hides_a_missing_include(module, compiler):
    status, failed = compile_all(module, "groups", compiler)
    assert status != 0 and failed == named(["test/core/second-test.cc"])
