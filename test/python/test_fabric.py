# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The script ./fabric: which files it trusts and writes, and what it refuses before it builds."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
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
file(GLOB source CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/model/*)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/bin/ai-fabric-run DEPENDS ${source}
    COMMAND cp ${source} ${CMAKE_BINARY_DIR}/bin/ai-fabric-run)
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


def test_a_verb_that_is_guessed_runs_no_module_of_the_current_folder(clone):
    (clone / "difflib.py").write_text("open('was-run', 'w')\n")
    run = call(clone, "dmo")
    assert run.returncode == 1 and run.stderr.startswith("fabric: unknown verb dmo (did you mean demo?)")
    assert not (clone / "was-run").exists()


@pytest.mark.parametrize("jobs", ["0", "-1", "many", "1e3"])
def test_a_number_of_compilers_that_is_none_is_refused(clone, jobs):
    run = call(clone, "run", variables={"AI_FABRIC_JOBS": jobs})
    assert run.returncode == 1 and run.stdout == ""
    assert run.stderr.startswith(f"fabric: AI_FABRIC_JOBS={jobs}: ") and run.stderr.count("\n") == 1
    assert not (clone / "build").exists()


def test_there_is_no_cache_without_a_home(clone):
    run = call(clone, "run", "--ranks=2", variables={})
    assert run.returncode == 1 and run.stdout == ""
    assert run.stderr.startswith("fabric: HOME is not set; set AI_FABRIC_CACHE to")
    assert run.stderr.count("\n") == 1
    assert not (clone / "calls").exists()
    assert "/tmp" not in call(clone, "--help", variables={}).stdout


def test_help_that_cannot_be_written_says_so(clone):
    with open("/dev/full", "w", encoding="utf-8") as full:
        run = subprocess.run([clone / "fabric", "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert run.returncode == 1 and "No space left" in run.stderr and "unknown verb" not in run.stderr


@pytest.mark.parametrize(
    "options",
    ["--ranks=x", "--ranks=1", "--ranks=", "--repeat=0", "--hosts=few", "--nonsense", "--counts --hosts=few"],
)
def test_bench_refuses_before_it_builds(clone, options):
    run = call(clone, "bench", *options.split())
    assert run.returncode == 1 and run.stdout == ""
    assert run.stderr.startswith("bench: ") and run.stderr.count("\n") == 1
    assert not (clone / "build").exists() and not (clone / "home").exists()


MANY = {
    "demo": ["--runs=0", "--k=4 --k=6", "--RngRun=1", "--out="],
    "sweep": ["", "--size=1 --jobs=0", "--size=4..2", "--size=1 --seeds=0", "--size=1 --plot=k,drops", "--cases=none.csv", "-x"],
    "study": ["", "none", "none.toml", "moe-failed-uplink --seeds=0", "moe-failed-uplink --schemes=a,b", "-x"],
    "collectives": ["--size=1 -- --workload=all-reduce", "-- --k=4", "--sizes=2..1 -- --workload=all-reduce"],
    "slowdown": ["-- --k=4", "-- --cluster=none.csv", "--jobs=few -- --cluster=none.csv"],
    "check-fluid": ["--jobs=few -- --k=4", "-- --k=4 --fidelity=fluid"],
}


@pytest.mark.parametrize("verb", MANY)
def test_verbs_of_many_runs_refuse_before_they_build(clone, verb):
    for options in MANY[verb]:
        run = call(clone, verb, *options.split())
        assert run.returncode == 1 and run.stdout == ""
        assert run.stderr.startswith(f"{verb}: ") and run.stderr.count("\n") == 1, run.stderr
    assert not (clone / "build").exists() and not (clone / "home").exists()


@pytest.mark.parametrize("kind", ["", "timeline"])
def test_a_plot_without_a_folder_is_refused_at_once(clone, kind):
    (clone / "tools/dpkg-query").write_text("#!/bin/sh\nexit 1\n")  # it installs nothing for that
    run = call(clone, "plot", *kind.split())
    assert (run.returncode, run.stdout) == (1, "") and not (clone / "calls").exists()
    assert run.stderr.startswith("fabric: plot: the folder of a run is needed") and run.stderr.count("\n") == 1


def test_letters_of_all_languages_are_shown(clone):
    for text, shown in (("José-日本", "José-日本"), ("\x1b[1m\x9b\u202e é", "?[1m?? é")):
        run = call(clone, "docs", text)
        assert run.stderr == f"fabric: docs takes no option, not {shown}\n"


def make_read_only_build(clone):
    """A build of a program that says hello, which nobody may write."""
    (clone / "CMakeLists.txt").write_text(PROJECT)
    (clone / "contrib").unlink()  # that of this clone need not be readable for others
    for folder in "model", "helper", "contrib/run", "contrib/cmake":
        (clone / folder).mkdir(parents=True)
    (clone / "contrib/cmake/some.cmake").touch()
    (clone / "model/source").write_text("#!/bin/sh\necho hello\n")
    (clone / "model/source").chmod(0o755)
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
        os.utime(clone / "model/source", (2**31, 2**31))
        lock(clone)
        run = call(clone, "run", cwd="/", **user)
        assert run.returncode == 1 and run.stdout == ""
        assert run.stderr == f"fabric: {clone}/build/release is older than model/source, and cannot be written\n"
    finally:
        unlock(clone)


@pytest.mark.skipif(not shutil.which("flock"), reason="no flock")
def test_a_clone_that_is_read_only_and_not_built_says_so(clone):
    user = {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}
    try:
        lock(clone)
        run = call(clone, "run", cwd="/", **user)
        assert (run.returncode, run.stdout) == (1, "")
        assert run.stderr == f"fabric: {clone}/build/release cannot be written\n"
    finally:
        unlock(clone)


def test_a_build_by_way_of_a_symbolic_link_is_kept(clone):
    """cmake notes the path by which it was called."""
    (clone / "tools/cmake").write_text(CMAKE.format(build=""))
    (clone / "tools/cmake").chmod(0o755)
    build = clone / "build/release"
    build.mkdir(parents=True)
    (build / "mine").touch()
    for name, kept in (("here", True), ("elsewhere", False)):
        (clone / name).symlink_to(clone if kept else clone / "tools")
        (build / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={clone / name}\n")
        assert call(clone, "run").stdout == "hello\n"
        assert (build / "mine").exists() == kept


def test_two_that_build_at_once_wait_for_each_other(clone):
    """Also for what prepares a build: it must not begin twice in one folder."""
    log = clone / "log"
    steps = [f"echo begin >>{log}; sleep 1; echo end >>{log}", 'mkdir -p "$4"; touch "$4/build.ninja"']
    (clone / "tools/cmake").write_text(CMAKE.replace("|| exit 0", "|| {{ {prepare}; exit 0; }}").format(build="", prepare="; ".join(steps)))
    (clone / "tools/cmake").chmod(0o755)
    with ThreadPoolExecutor(2) as pool:
        runs = [job.result() for job in [pool.submit(call, clone, "run") for _ in range(2)]]
    assert [(run.returncode, run.stdout) for run in runs] == [(0, "hello\n")] * 2
    assert log.read_text() == "begin\nend\n"
    assert sum(f"Waiting for another ./fabric to leave {clone}/build/release" in run.stderr for run in runs) == 1


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
    run = call(building(f"sleep 4; {STEPS}"), "run")
    assert run.stdout == "hello\n", run.stderr
    lines = re.sub(r"about \d+ s", "about N s", run.stderr).splitlines()
    what = "Building ai-fabric-run"
    assert lines == [what, *(f"{what}: {done} of 20, about N s left" for done in (4, 8, 12, 16, 20))]
    left = [int(seconds) for seconds in re.findall(r"about (\d+) s left", run.stderr)]
    assert left[0] >= 8 and left[-1] == 0


def test_a_fast_build_says_so_at_once(building):
    lines = call(building(STEPS), "run").stderr.splitlines()
    assert len(lines) == 6
    assert re.fullmatch(r"Building ai-fabric-run(: 1 of 20)?", lines[0])  # the latter unless it takes a second
    assert "0 s left" not in lines[1]


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
    run = call(building(f"sleep 4; {STEPS}"), "run", stderr=theirs)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert run.stdout == "hello\n"
    texts = [text.strip() for text in shown.replace("\033[K", "").split("\r") if text.strip()]
    assert texts[0] == "Building ai-fabric-run" and texts[1].startswith("Building ai-fabric-run: 1 of 20, about ")
    assert texts[-1] == "Building ai-fabric-run: 20 of 20, about 0 s left" and shown.count("\n") == 1


# --- Ctrl-C ---------------------------------------------------------------------------------------

# Stands in for ai-fabric-test-runner: names two suites, which do not end.
RUNNER = """#!/bin/sh
case "$*" in
*performance*) ;;
*list*) echo ai-fabric-one; echo ai-fabric-two ;;
*) echo $$ >>"$HOME/pids"; exec sleep 60 ;;
esac
"""


def interrupt(clone, *arguments):
    """What ./fabric says after Ctrl-C on its terminal, once the processes that it waits for have noted themselves."""
    log = clone / "pids"
    process = subprocess.Popen(
        [clone / "fabric", *arguments],
        cwd=clone,
        env={"PATH": f"{clone}/tools:{os.environ['PATH']}", "HOME": str(clone), "AI_FABRIC_JOBS": "4"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    count = 2 if arguments == ("test",) else 1
    while not log.exists() or len(log.read_text().split()) < count:
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, error = process.communicate(timeout=20)
    for number in log.read_text().split():
        assert not Path(f"/proc/{number}").exists(), f"{arguments}: {number} goes on"
    assert process.returncode == 130 and error.endswith("\nfabric: interrupted\n"), error
    return out + error


@pytest.mark.parametrize("verb", ["run", "test --quick"])
def test_ctrl_c_while_it_builds(building, verb):
    clone = building('echo $$ >>"$HOME/pids"; exec sleep 60')
    said = interrupt(clone, *verb.split())
    assert "failed" not in said and "passed" not in said


def test_ctrl_c_ends_the_suites(building):
    clone = building("exit")
    runner = clone / "build/release/bin/ai-fabric-test-runner"
    runner.parent.mkdir(parents=True)
    runner.write_text(RUNNER)
    runner.chmod(0o755)
    (clone / "build/release/build.ninja").touch()
    said = interrupt(clone, "test")
    assert "FAIL" not in said and "failed" not in said


# --- Other compilers ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["it's", "two blanks", "a\\b"])
def test_files_are_compiled_in_a_folder_of_any_name(tmp_path, name):
    clone = tmp_path / name
    files = [f"{path}.{kind}" for path in ("model/a/one", "model/a/b/two", "helper/three") for kind in ("h", "cc")]
    for file in [*files, *(f"{folder}/a.cc" for folder in ("contrib/run", "test", "test/core", "examples"))]:
        (clone / file).parent.mkdir(parents=True, exist_ok=True)
        (clone / file).write_text("#error\n" if "examples" in file else "")
    script = clone / "contrib/cmake/compile-all.py"
    script.parent.mkdir()
    shutil.copy(ROOT / "contrib/cmake/compile-all.py", script)
    run = subprocess.run([script, clone / "build", "1", "alone", "g++"], capture_output=True, text=True, check=False)
    assert run.returncode != 0 and run.stdout == f"{clone}/examples/a.cc does not compile\n", run.stderr


# --- The manual -----------------------------------------------------------------------------------


def test_tests_take_one_option(clone):
    run = call(clone, "test", "--quick", "--cheek")
    assert (run.returncode, run.stderr) == (1, "fabric: test takes one option at most, not --quick --cheek\n")
    assert not (clone / "build").exists()


@pytest.mark.slow
def test_docs_builds_the_manual(clone):
    """With the tables that a repository's pages link."""
    pytest.importorskip("sphinx")
    for name in "doc", "examples", "scenarios":
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
for name in "", ".axes", ".figure", ".pyplot", ".text", ".ticker":  # which take seconds
    sys.modules["matplotlib" + name] = MagicMock()
from ai_fabric.plot import style
print(os.environ["MPLCONFIGDIR"], os.stat(os.environ["MPLCONFIGDIR"]).st_mode & 0o777)
"""


def cache_of_plots(tmp_path, **variables):
    """The folder that plots give to matplotlib, and its permissions."""
    run = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=ROOT / "contrib",
        env={"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path), **variables},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    folder, mode = run.stdout.split()
    return Path(folder), int(mode)


def test_plots_name_the_folder_before_matplotlib_asks(tmp_path):
    pytest.importorskip("matplotlib")
    command = [sys.executable, "-c", "import ai_fabric.plot.charts, matplotlib; print(matplotlib.get_configdir())"]
    environment = {"PATH": os.environ["PATH"], "HOME": "/proc", "AI_FABRIC_CACHE": str(tmp_path)}
    run = subprocess.run(command, cwd=ROOT / "contrib", env=environment, capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == (f"{tmp_path / 'matplotlib'}\n", "")


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
