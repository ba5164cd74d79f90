# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A policy outside of the clone: its library is built as doc/own-library.rst shows, and --library finds it. A script
outside of it is built as doc/write-a-scenario.rst shows."""

import csv
import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from harness import script
from test_commands import CHECKS, PAGES, commands_of

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
    build_as_shown(tmp_path, "doc/own-library.rst", prefix, EXAMPLE)
    load = f"--library={tmp_path}/build/libmine.so"
    assert "two-choices" in call(PROGRAM, load, "--balancer=help").stdout
    run = call(PROGRAM, load, "--balancer=two-choices", *SMALL, f"--out={tmp_path}/out")
    assert run.returncode == 0, run.stderr
    assert call(PROGRAM, "--balancer=two-choices", *SMALL, "--check").returncode == 1
    pytest.importorskip("matplotlib")
    demo = ["--runs=1", "--balancers=two-choices,rsq,two-choices", *SMALL, f"--out={tmp_path}/demo"]
    assert_compares("demo", load, *demo)
    assert_compares("reproduce", load, "fig1", "--quick", "--also=two-choices", "--only=two-choices", f"--out={tmp_path}/figure")


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


# --- ./fabric library -----------------------------------------------------------------------------

needs_build = pytest.mark.skipif(BIN_DIR != ROOT / "build/release/bin", reason="AI_FABRIC_BIN_DIR is not the folder of the build of ./fabric")
OWN = [*sorted((ROOT / "examples/library").glob("*.cc")), ROOT / "examples/mirror-stage.cc"]


@pytest.fixture(name="library", scope="module")
def make_library(tmp_path_factory):
    """The library of the page, with the stage, in a folder whose name has a blank."""
    folder = tmp_path_factory.mktemp("of my own")
    run = call(ROOT / "fabric", "library", *OWN, "--out=libmine.so", cwd=folder)
    assert run.returncode == 0 and run.stdout == "libmine.so\n", run.stderr
    assert [path.name for path in folder.iterdir()] == ["libmine.so"]
    return folder / "libmine.so"


@pytest.mark.slow
@needs_build
def test_commands_of_pages_that_load_a_library_start_as_printed(tmp_path, library):
    for name in "libmine.so", "libmirror-stage.so":
        (tmp_path / name).symlink_to(library)
    shown = [words for page in PAGES for words in commands_of(page) if "--library=" in " ".join(words)]
    assert {words[1] for words in shown} == {"run", "sweep"}
    for _, verb, *options in shown:
        first, last = CHECKS[verb]
        run = call(ROOT / "fabric", verb, *first, *options, *last, cwd=tmp_path)
        assert run.returncode == 0, run.stderr


def run_with(library, folder, *options):
    """run.json of a run with the library."""
    run = call(PROGRAM, f"--library={library}", "--k=4", *options, f"--out={folder}/out")
    assert run.returncode == 0, run.stderr
    return json.loads((folder / "out/run.json").read_text())


@pytest.mark.slow
@needs_build
def test_a_balancer_of_the_hosts_changes_its_label(tmp_path, library):
    sticky = "--stack=uec", "--balancer=sticky"
    many, one = (run_with(library, tmp_path, *sticky, f"--ns3::aifabric::StickyBalancer::Labels={count}")["results"] for count in (64, 1))
    assert many["policies"]["sticky_changes"] > 0 and many["cct_ns"] != one["cct_ns"]


WORKLOADS = [
    "--workload=permutation --size=64KiB",
    "--workload=all-reduce --size=1MiB",
    "--workload=poisson --duration=20us --cdf=sizes-small-calls.csv",
    "--planes=2 --rateControl=dcqcn --size=64KiB",
    "--training=overlap.toml --balancer=rsq",
]


@pytest.mark.slow
@needs_build
@pytest.mark.parametrize("workload", WORKLOADS)
def test_a_transport_carries_every_workload(tmp_path, library, workload):
    """Its packets take longer than those of RC."""
    options = re.sub(r"=(?=overlap|sizes)", f"={ROOT}/scenarios/", workload).split()
    psp, rc = (run_with(library, tmp_path, *options, f"--transport={name}")["results"] for name in ("psp", "rc"))
    assert psp["messages"] == rc["messages"] > 0 and psp["failed_messages"] == 0
    assert psp["cct_ns"] != rc["cct_ns"]


@pytest.mark.slow
@needs_build
def test_the_bytes_of_a_transport_count(tmp_path, library):
    flows = tmp_path / "flows.csv"
    flows.write_text("start_ns,source,destination,bytes\n0,0,1,409600\n")
    bytes_sent = {}
    for name in "psp", "rc":
        run_with(library, tmp_path, f"--flows={flows}", f"--transport={name}")
        with open(tmp_path / "out/links.csv", newline="") as file:
            [row] = [row for row in csv.DictReader(file) if row["from"].startswith("host-0") and row["layer"] == "host-up"]
        bytes_sent[name] = int(row["bytes_sent"])
    assert bytes_sent["psp"] == bytes_sent["rc"] + 100 * 40


@pytest.mark.slow
@needs_build
def test_switches_have_the_stage_that_is_chosen(tmp_path, library):
    assert run_with(library, tmp_path)["scenario"]["stage"] == "none"
    run = run_with(library, tmp_path, "--stage=mirror", "--ns3::aifabric::MirrorStage::Period=1")
    assert run["scenario"]["stage"] == "mirror"
    assert run["results"]["policies"]["mirror_copies"] == run["results"]["policies"]["mirror_seen"] > 16 * 256 - 1
    for options, why in {
        "--ns3::aifabric::MirrorStage::Period=1": "--ns3::aifabric::MirrorStage::Period=1: has no effect with --stage=none",
        "--stage=mirrors": "(did you mean 'mirror'?)",
        "--stage=mirror --fidelity=fluid --workload=all-reduce": "--stage=mirror: ",
        "--stage=mirror --workload=all-reduce --algorithm=esa": "--stage=mirror: ",
    }.items():
        refused = call(PROGRAM, f"--library={library}", "--k=4", *options.split(), "--check")
        assert refused.returncode == 1 and why in refused.stderr, refused.stderr


@needs_build
@pytest.mark.parametrize("files, why", [
    ([], "C++ files are needed"), (["none.cc"], "none.cc: a C++ file is needed"), (["--x=1"], "--x=1: no such option"),
    (["a.csv"], "a.csv: a C++ file is needed"), (["a.cc", "--out=no/such/lib.so"], "no/such/lib.so cannot be written"), (["a.cc", "--out=."], ". cannot be written"),
])  # fmt: skip
def test_what_is_no_library_is_refused_in_one_line(tmp_path, files, why):
    for name in "a.cc", "a.csv":
        (tmp_path / name).touch()
    run = call(ROOT / "fabric", "library", *files, cwd=tmp_path)
    assert run.returncode == 1 and why in run.stderr and run.stderr.count("\n") == 1 and run.stdout == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.cc", "a.csv"]


@pytest.mark.slow
@needs_build
def test_errors_of_the_compiler_are_shown(tmp_path):
    (tmp_path / "bad.cc").write_text("int x = nothing;\n")
    run = call(ROOT / "fabric", "library", "bad.cc", cwd=tmp_path)
    assert run.returncode == 1 and "nothing" in run.stderr and "libbad.so could not be built" in run.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.cc", "libbad.so.log"]


def test_a_fabric_of_a_script_runs(tmp_path):
    table = call(sys.executable, ROOT / "scenarios/hyperx.py").stdout
    (tmp_path / "hyperx.csv").write_text(table)
    run = call(PROGRAM, "--topology=hyperx.csv", "--size=4KiB", "--balancer=rsq", "--out=out", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert json.loads((tmp_path / "out/run.json").read_text())["scenario"]["hosts"] == 32
    assert (tmp_path / "out/links.csv").read_text().count("\n") == 1 + 2 * (32 + 2 * 4 * 6)
