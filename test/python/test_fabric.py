# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The script ./fabric: which files it trusts and writes, and what it refuses before it builds."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534

DPKG_QUERY = """#!/bin/sh
for last; do case $last in -*) ;; *) echo "$last installed" ;; esac; done
"""
FAIL = "#!/bin/sh\necho called >> {log}\nexit 1\n"
PROJECT = """cmake_minimum_required(VERSION 3.10)
project(small NONE)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/bin/ai-fabric-run DEPENDS ${CMAKE_SOURCE_DIR}/source
    COMMAND cp ${CMAKE_SOURCE_DIR}/source ${CMAKE_BINARY_DIR}/bin/ai-fabric-run)
add_custom_target(ai-fabric-run ALL DEPENDS ${CMAKE_BINARY_DIR}/bin/ai-fabric-run)
"""


@pytest.fixture
def clone():
    """A folder with ./fabric, that any user may read, with tools that stand in for those of Debian."""
    with tempfile.TemporaryDirectory(prefix="ai-fabric-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "tools").mkdir()
        shutil.copy(ROOT / "fabric", folder)
        for tool, text in (
            ("dpkg-query", DPKG_QUERY),
            ("apt-get", FAIL.format(log=folder / "calls")),
            ("mpicxx", FAIL.format(log=folder / "calls")),
        ):
            (folder / "tools" / tool).write_text(text)
            (folder / "tools" / tool).chmod(0o755)
        (folder / "contrib").symlink_to(ROOT / "contrib")
        yield folder


def call(clone, *arguments, cwd=None, variables=None, timeout=60, **more):
    variables = {"HOME": str(clone / "home")} if variables is None else variables
    return subprocess.run(
        [clone / "fabric", *arguments],
        cwd=cwd or clone,
        env={"PATH": f"{clone}/tools:{os.environ['PATH']}", **variables},
        text=True,
        timeout=timeout,
        check=False,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more},
    )


def test_modules_of_the_current_folder_are_not_run(clone):
    for module in ("matplotlib", "pandas", "sys"):
        (clone / f"{module}.py").write_text("open('was-run', 'w')\n")
    run = call(clone, "plot", "--help", variables={"HOME": os.path.expanduser("~")})
    assert run.returncode == 0, run.stderr
    assert not (clone / "was-run").exists()


def test_there_is_no_cache_without_a_home(clone):
    run = call(clone, "run", "--ranks=2", variables={})
    assert run.returncode == 1 and run.stdout == ""
    assert run.stderr.startswith("fabric: HOME is not set; set AI_FABRIC_CACHE to")
    assert run.stderr.count("\n") == 1
    assert not (clone / "calls").exists()
    assert "/tmp" not in call(clone, "--help", variables={}).stdout


@pytest.mark.parametrize(
    "options",
    ["--ranks=x", "--ranks=1", "--ranks=", "--repeat=0", "--hosts=few", "--nonsense", "--counts --hosts=few"],
)
def test_bench_refuses_before_it_builds(clone, options):
    run = call(clone, "bench", *options.split())
    assert run.returncode == 1 and run.stdout == ""
    assert run.stderr.startswith("run-") and run.stderr.count("\n") == 1
    assert not (clone / "build").exists() and not (clone / "home").exists()


def make_read_only_build(clone):
    """A build of a program that says hello, which nobody may write."""
    (clone / "CMakeLists.txt").write_text(PROJECT)
    (clone / "source").write_text("#!/bin/sh\necho hello\n")
    (clone / "source").chmod(0o755)
    build = clone / "build/release"
    (build / "bin").mkdir(parents=True)
    subprocess.run(["cmake", "-S", clone, "-B", build, "-G", "Ninja"], check=True, capture_output=True)
    subprocess.run(["cmake", "--build", build], check=True, capture_output=True)


def lock(folder):
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o555 if path.is_dir() or os.access(path, os.X_OK) else 0o444)


def unlock(folder):
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)


@pytest.mark.skipif(not (shutil.which("cmake") and shutil.which("ninja")), reason="no cmake or ninja")
def test_a_clone_that_is_read_only_runs_what_is_built(clone):
    user = {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}
    make_read_only_build(clone)
    try:
        lock(clone)
        run = call(clone, "run", cwd="/", **user)
        assert (run.returncode, run.stdout, run.stderr) == (0, "hello\n", "")
        unlock(clone)
        os.utime(clone / "source", (2**31, 2**31))
        lock(clone)
        run = call(clone, "run", cwd="/", **user)
        assert run.returncode == 1 and run.stdout == ""
        assert run.stderr.startswith("fabric: ") and "is older than its sources" in run.stderr
        assert run.stderr.count("\n") == 1
    finally:
        unlock(clone)


# --- Progress -------------------------------------------------------------------------------------

# Stands in for cmake: prints what ninja does, and leaves a program that says hello.
CMAKE = """#!/bin/sh
[ "$1" = --build ] || exit 0
echo "[0/2] Re-checking globbed directories..."
{build}
mkdir -p "$2/bin"
printf '#!/bin/sh\\necho hello\\n' >"$2/bin/ai-fabric-run"
chmod 755 "$2/bin/ai-fabric-run"
"""
STEPS = "for i in $(seq 20); do echo \"[$i/20] Building CXX object a.cc.o\"; done"


@pytest.fixture(name="building")
def make_building(clone):
    """Has ./fabric believe that a build takes some steps."""

    def building(build):
        (clone / "tools/cmake").write_text(CMAKE.format(build=build))
        (clone / "tools/cmake").chmod(0o755)
        return clone

    return building


@pytest.mark.slow
def test_a_build_says_what_it_builds_and_how_long_it_takes(building):
    run = call(building(f"sleep 3; {STEPS}"), "run")
    assert run.stdout == "hello\n", run.stderr
    lines = re.sub(r"about \d+ s", "about N s", run.stderr).splitlines()
    what = "Building ai-fabric-run"
    assert lines == [what, *(f"{what}: {done} of 20, about N s left" for done in (4, 8, 12, 16, 20))]
    left = [int(seconds) for seconds in re.findall(r"about (\d+) s left", run.stderr)]
    assert left[0] >= 8 and left[-1] == 0


def test_a_fast_build_says_so_at_once(building):
    lines = call(building(STEPS), "run").stderr.splitlines()
    assert len(lines) == 6
    assert re.fullmatch(r"Building ai-fabric-run(: 1 of 20, about \d+ s left)?", lines[0])  # the latter unless it takes a second


def test_the_version_is_that_of_the_program(building):
    clone = building("echo 'ninja: no work to do.'")
    (clone / "tools/cmake").write_text((clone / "tools/cmake").read_text().replace("echo hello", 'echo "$@"'))
    run = call(clone, "--version")
    assert (run.returncode, run.stdout) == (0, "--version\n")


def test_a_build_without_work_says_nothing(building):
    clone = building("echo 'ninja: no work to do.'")
    runs = [call(clone, "run") for _ in range(3)]
    assert all((run.returncode, run.stdout) == (0, "hello\n") for run in runs)
    assert any(run.stderr == "" for run in runs)  # on a busy machine one may take a second


@pytest.mark.slow
def test_a_build_has_one_changing_line_on_a_terminal(building):
    ours, theirs = os.openpty()
    run = call(building(f"sleep 2; {STEPS}"), "run", stderr=theirs)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert run.stdout == "hello\n"
    texts = [text.strip() for text in shown.replace("\033[K", "").split("\r") if text.strip()]
    assert texts[0] == "Building ai-fabric-run" and texts[1].startswith("Building ai-fabric-run: 1 of 20, about ")
    assert texts[-1] == "Building ai-fabric-run: 20 of 20, about 0 s left" and shown.count("\n") == 1


# --- The manual -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_docs_builds_the_manual(clone):
    """With the tables that a repository's pages link."""
    pytest.importorskip("sphinx")
    for name in "doc", "scenarios":
        (clone / name).symlink_to(ROOT / name)
    run = call(clone, "docs", timeout=600)
    html = clone / "build/doc/html"
    assert (run.returncode, run.stdout) == (0, f"The manual is in {html}/index.html\n"), run.stderr
    for page in ROOT.glob("doc/*.rst"):
        text = (html / f"{page.stem}.html").read_text()
        assert text.count("<table") >= page.read_text().count(".csv>`__"), page.name
        assert not re.findall(r'href="(?!_sources/)[^":]*\.(?:csv|txt|toml|py)"', text), page.name


def test_docs_takes_no_option(clone):
    run = call(clone, "docs", "--quick")
    assert (run.returncode, run.stderr) == (1, "fabric: docs takes no option, not --quick\n")


# --- The cache of matplotlib ----------------------------------------------------------------------

ASK = """import os, sys
from unittest.mock import MagicMock
for name in "matplotlib", "matplotlib.pyplot", "matplotlib.ticker":  # which take seconds
    sys.modules[name] = MagicMock()
import style
print(os.environ["MPLCONFIGDIR"], os.stat(os.environ["MPLCONFIGDIR"]).st_mode & 0o777)
"""


def cache_of_plots(tmp_path, **variables):
    """The folder that plots give to matplotlib, and its permissions."""
    run = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=ROOT / "contrib/plot",
        env={"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path), **variables},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    folder, mode = run.stdout.split()
    return Path(folder), int(mode)


def test_plots_write_to_private_folders_only(tmp_path):
    victim = tmp_path / "victim"
    victim.mkdir()
    (tmp_path / "ai-fabric-matplotlib").symlink_to(victim)
    folder, mode = cache_of_plots(tmp_path)
    assert folder.parent == tmp_path and mode == 0o700
    assert not folder.exists() and not list(victim.iterdir())
    home = {"HOME": str(tmp_path / "home")}
    folder, mode = cache_of_plots(tmp_path, **home)
    assert folder == tmp_path / "home/.cache/ai-fabric/matplotlib" and mode == 0o700
    assert folder.exists()
    shutil.rmtree(folder)
    folder.symlink_to(victim)
    assert cache_of_plots(tmp_path, **home)[0].parent == tmp_path
    folder.unlink()
    folder.mkdir()
    folder.chmod(0o777)  # somebody else has made it
    assert cache_of_plots(tmp_path, **home)[0].parent == tmp_path
    assert not list(folder.iterdir()) and not list(victim.iterdir())
