# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Programs touch no files but their own, and leave nothing behind when they are ended."""

import functools
import json
import os
import re
import resource
import signal
import subprocess
import sys

import pytest
from harness import LONG, PROGRAM, ROOT, SMALL, assert_refused, call, needs_program, refusal, script, start
from harness import stderr_lines, succeed

pytestmark = needs_program

MARK = '{\n  "program": "ai-fabric-run",\n'


def contents(folder):
    """What is in a folder: the bytes of regular files, and the kinds of other things."""
    found = {}
    for path in sorted(folder.rglob("*")):
        is_file = path.is_file() and not path.is_symlink()
        found[path] = path.read_bytes() if is_file else oct(path.lstat().st_mode)
    return found


# --- Old output folders ---------------------------------------------------------------------------


def large(path):
    with open(path, "w") as file:
        file.write(MARK)
        file.truncate(1 << 40)


FOREIGN = {
    "pipe": os.mkfifo,
    "endless": lambda path: path.symlink_to("/dev/zero"),
    "link": lambda path: path.symlink_to("../elsewhere.json"),
    "folder": os.mkdir,
    "large": large,
    "empty": lambda path: path.write_text(""),
    "other": lambda path: path.write_text('{"files": ["precious.csv"]}'),
    "mark-inside": lambda path: path.write_text("[" + MARK + '"files": ["precious.csv"]}]'),
}


def test_a_folder_with_the_run_json_of_somebody_else_is_refused(tmp_path):
    for name, make in FOREIGN.items():
        folder = tmp_path / name
        (folder / "out").mkdir(parents=True)
        (folder / "out/precious.csv").write_text("mine\n")
        (folder / "elsewhere.json").write_text(MARK + "}")
        make(folder / "out/run.json")
        said = refusal(folder, *SMALL)
        assert said.startswith("--out=out: ") and "run.json" in said, name


def tables():
    """The tables that runs write, of which each run writes some."""
    writer = (ROOT / "contrib" / "run" / "run-results.h").read_text()
    names = set(re.findall(r'"([\w-]+\.csv)"', writer))
    assert len(names) > 12
    return sorted(names)


def test_only_names_that_runs_write_are_removed(tmp_path):
    (tmp_path / "outside.csv").write_text("mine\n")
    (tmp_path / "out").mkdir()
    kept = ["notes.csv", "host-1.pcap.bak", "thesis.pcap", "flows.csv.old", "my-core-1-2.pcap"]
    gone = [*tables(), "host-12.pcap", "plane1-pod0-edge-3-4.pcap", "leaf-0-1.pcap"]
    for name in kept + gone:
        (tmp_path / "out" / name).write_text("mine\n")
    names = json.dumps([*kept, *gone, "../outside.csv", "", ".", "/etc/none.csv"])
    (tmp_path / "out/run.json").write_text(f'{MARK}  "files": {names}\n}}\n')
    summary = succeed(tmp_path, *SMALL)
    assert (tmp_path / "outside.csv").exists()
    there = {path.name for path in (tmp_path / "out").iterdir()}
    assert there == {*kept, *summary["files"], "run.json"}


@pytest.mark.parametrize("name", ["flows.csv", "reachability.csv", "host-0.pcap"])
@pytest.mark.parametrize("make", ["text", "pipe", "link"])
@pytest.mark.parametrize("is_earlier", [False, True], ids=["new", "again"])
def test_a_file_of_the_user_with_a_name_of_results_is_not_replaced(tmp_path, name, make, is_earlier):
    if is_earlier:
        succeed(tmp_path, *SMALL, "--nicCounters")
        summary = tmp_path / "out/run.json"
        summary.write_text(summary.read_text().replace('"flows.csv"', '"layers.csv"'))
        (tmp_path / "out/flows.csv").unlink()
    else:
        (tmp_path / "out").mkdir()
    {"text": lambda path: path.write_text("mine\n"), "pipe": os.mkfifo, "link": lambda p: p.symlink_to("no")}[make](
        tmp_path / "out" / name
    )
    before = contents(tmp_path)
    run = call(tmp_path, *SMALL, "--out=out", timeout=10)
    assert run.returncode == 1 and contents(tmp_path) == before
    fault = f"a folder for results is needed, and out/{name} is not of an earlier run"
    assert stderr_lines(run) == [f"ai-fabric-run: --out=out: {fault}"]


def test_a_failed_commit_leaves_the_earlier_results(tmp_path):
    succeed(tmp_path, *SMALL, "--pcap=host-0")
    (tmp_path / "out/links.csv").unlink()
    (tmp_path / "out/links.csv/mine").mkdir(parents=True)
    before = contents(tmp_path)
    run = call(tmp_path, *SMALL, "--RngRun=2", "--out=out")
    assert run.returncode == 1 and len(stderr_lines(run)) == 1, run.stderr
    assert "out: cannot be written (Is a directory)" in run.stderr
    assert contents(tmp_path) == before


# --- The environment ------------------------------------------------------------------------------

TIMEOUT = "ns3::aifabric::RcQueuePair::AckTimeout"


def call_with(folder, variables, *options):
    return call(folder, *SMALL, *options, "--out=out", env={**os.environ, **variables})


def test_the_environment_counts_as_options(tmp_path):
    variables = {"NS_GLOBAL_VALUE": "RngRun=5;", "NS_ATTRIBUTE_DEFAULT": f"{TIMEOUT}=77us"}
    summaries = []
    as_options, others = ["--RngRun=5", f"--{TIMEOUT}=77us"], ["--RngRun=6", f"--{TIMEOUT}=88us"]
    for given, options in ((variables, []), ({}, as_options), (variables, others)):
        run = call_with(tmp_path, given, *options)
        assert run.returncode == 0, run.stderr
        summary = json.loads((tmp_path / "out/run.json").read_text())
        summaries.append((summary["run"], summary["scenario"], summary["results"]["cct_ns"]))
    assert summaries[0] == summaries[1]
    assert summaries[0][0] == 5 and summaries[2][0] == 6
    assert [summary[1]["ackTimeout"] for summary in summaries] == 2 * ["77000.000ns"] + ["88000.000ns"]
    assert summaries[0][1]["attributes"] == {TIMEOUT: "77us"}
    assert summaries[2][1]["attributes"] == {TIMEOUT: "88us"}


BAD_VARIABLES = {
    "NS_GLOBAL_VALUE": ["RngRun=abc", "RngRun", "Nothing=1", "SchedulerType=ns3::HeapScheduler", "RngRun=1;RngRun=2"],
    "NS_ATTRIBUTE_DEFAULT": [f"{TIMEOUT}=soon", f"{TIMEOUT}=1", "ns3::aifabric::RcQueuePair::Mtu=64", "ns3::Nothing::Mtu=64", "k=4"],
}


def test_a_bad_value_in_the_environment_is_refused(tmp_path):
    for variable, values in BAD_VARIABLES.items():
        for value in values:
            run = call_with(tmp_path, {variable: value})
            assert_refused(run, tmp_path, [])
            assert run.stderr.startswith(f"ai-fabric-run: environment variable {variable}: "), value


# --- What reaches the terminal --------------------------------------------------------------------


NAMES = """k flows training chakra goal placement communicators skew fail pcap out/x balancer RngRun PrintGroup
ns3::aifabric::RcQueuePair::Dscp ns3::aifabric::FlowletBalancer::Gap nothing""".split()


def test_control_characters_stay_inside(tmp_path):
    (tmp_path / "file").touch()
    for option in NAMES:
        name, _, more = option.partition("/")
        collective = ["--workload=all-to-all"] if name in ("placement", "communicators", "skew") else []
        for value in b"\x1b[31m\x7f", b"a\nb", b"\xc2\x9b31m\x9b\xff\xe2\x80\xae\xe2\x81\xa7\xe2\x82":
            run = call(tmp_path, *collective, f"--{name}=".encode() + (b"file/" if more else b"") + value)
            assert_refused(run, tmp_path, [tmp_path / "file"])
            assert run.stderr.removesuffix("\n").isprintable(), run.stderr
            assert "\ufffd" not in run.stderr  # what is not UTF-8


CONTROLS = b"\x1b[31m\x7f\xc2\x9b31m\x9b\xff\xe2\x80\xae"
PARTS = [  # of the package ai_fabric that are started
    ".".join(path.relative_to(ROOT / "contrib/ai_fabric").with_suffix("").parts).removesuffix(".__main__")
    for path in sorted(ROOT.glob("contrib/ai_fabric/*/*.py"))
    if "__main__" in path.read_text()
]
GIVEN = {  # what ./fabric gives to scripts
    "bench": ["--check", "--bin-dir=/"],
    "bench.run_ranks": ["--check", "--program=/", "--preload=/"],
    "completion": ["--script=/", "--program=/", "--cache=", "--verbs=run"],
    "plot": [],
    "imports": [],
    "runs": ["list"],
}


def shown_by(tmp_path, *command, **variables):
    """What a command shows on the terminal, and its status; a clone and its tools are not touched."""
    variables = {**os.environ, "LC_ALL": "C.UTF-8", **variables}
    run = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, timeout=60)
    shown = run.stdout.decode() + run.stderr.decode()
    assert shown.replace("\n", "").isprintable(), shown
    return run.returncode, run.stdout.decode(), run.stderr.decode()


@pytest.mark.parametrize("before", ["", "test ", "bench ", "bench --ranks=", "reproduce ", "plot ", "plot --"])
def test_control_characters_stay_inside_verbs(tmp_path, before):
    *verb, begin = before.encode().split(b" ")
    status, out, error = shown_by(tmp_path, ROOT / "fabric", *verb, begin + CONTROLS)
    assert status == 1 and not out and error.count("\n") == 1, error


@pytest.mark.parametrize("verb", ["", "run", "test"])
def test_help_has_no_control_characters(tmp_path, verb):
    command = [ROOT / "fabric", *verb.split(), "--help"]
    status, out, _ = shown_by(tmp_path, *command, AI_FABRIC_CACHE="/tmp/\x1b[31m")
    assert status == 0 and "/tmp/?[31m" in out


def test_control_characters_stay_inside_scripts(tmp_path):
    for part in PARTS:
        given = GIVEN.get(part, GIVEN.get(part.partition(".")[0], [f"--program={PROGRAM}"]))
        for options in ([b"--" + CONTROLS + b"=1"], [CONTROLS, b"--x"]):
            run = script(part, *given, *options, cwd=tmp_path)
            assert run.returncode == 1 and not run.stdout and run.stderr.count("\n") == 1, (part, run.stderr)
            assert run.stderr.strip().isprintable()
    assert not list(tmp_path.iterdir())


def test_what_scripts_print_has_no_control_characters(tmp_path):
    out = b"--out=\xc2\x9b\x1b[31m\xff"
    for more in (["--dry-run"], []):
        run = script("sweep", "--program", PROGRAM, "--k=2", out, "--plot=k,cct_ns", *more, cwd=tmp_path)
        assert run.returncode == 0 and "??[31m?" in run.stdout
        assert (run.stdout + run.stderr.replace("\r", "")).replace("\n", "").isprintable()
    [folder] = tmp_path.glob("*/runs/*")
    run = script("plot.plot_links", folder, out, cwd=tmp_path)
    assert run.returncode == 0 and run.stdout == "??[31m?/link-load.png\n" and not run.stderr


def test_a_script_shows_lines_and_progress(capsys):
    from ai_fabric.common.program import PlainStream

    stream = PlainStream(sys.stdout)
    print("\r[#] \x1b[1m\r", "a\tb\n\u202e", file=stream, end="\n")
    assert capsys.readouterr().out == "\r[#] ?[1m? a\tb\n?\n"


def test_the_summary_has_no_control_characters(tmp_path):
    run = call(tmp_path, *SMALL, "--out=\x1b[31m")
    assert run.returncode == 0 and (tmp_path / "\x1b[31m/run.json").exists()
    assert run.stdout.replace("\n", "").isprintable()


UNREAD = "RngRun=many RcQueuePair::Dscp=x FlowletBalancer::Gap=soon RoceNetDevice::ChargeReth=perhaps RedMarker::PMax=1e9999x"


def test_what_ns3_cannot_read_is_said_in_our_words(tmp_path):
    rows = {text: "not a value of this attribute" for text in UNREAD.split()}
    for text, allowed in {**rows, "FabricNetDevice::PortList=1": "an object cannot be given here"}.items():
        option = ("--ns3::aifabric::" if "::" in text else "--") + text
        assert refusal(tmp_path, *SMALL, option).startswith(f"{option}: {allowed}")


def test_keys_of_many_parts(tmp_path):
    for form in "%s = 1\n", "[%s]\n", "[[%s]]\n", "phase = [{ steps = [{%s = 1}] }]\n":
        (tmp_path / "deep.toml").write_text(form % ".".join(1_000_000 * "a"))
        assert "deep.toml:1: has more than 4096 dots" in refusal(tmp_path, "--training=deep.toml")


# --- Runs that are ended --------------------------------------------------------------------------


def test_a_run_removes_what_a_killed_run_left(tmp_path):
    process = start(tmp_path, *LONG)
    process.kill()
    process.communicate(timeout=10)
    out = tmp_path / "new/out"
    assert len(list(out.glob(".partial-*/host-0.pcap"))) == 1
    (out / ".partial-notes").mkdir()
    (out / ".partial-7").write_text("a file\n")
    (out / ".partial-8").symlink_to(tmp_path)
    assert call(tmp_path, *SMALL, "--out=new/out").returncode == 0
    assert {path.name for path in out.glob(".partial*")} == {".partial-notes", ".partial-7", ".partial-8"}


def test_a_run_that_nobody_reads_leaves_nothing(tmp_path):
    """--progress writes to stderr, which is closed here while the run goes on."""
    process = start(tmp_path, *LONG, "--progress")
    process.stderr.close()
    assert process.wait(timeout=30) == 128 + signal.SIGPIPE
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("more", [[], ["--pcap=host-0"], ["--fail=host-0:0--pod0-edge-0:0%0.5@0s"]])
def test_a_file_size_limit_is_an_error(tmp_path, more):
    most = {0: 1 << 10, 1: 1 << 15}[len(more)]
    limit = functools.partial(resource.setrlimit, resource.RLIMIT_FSIZE, (most, most))
    run = call(tmp_path, "--k=4", "--size=1MiB", "--sample=10ns", *more, "--out=out", preexec_fn=limit)
    assert_refused(run, tmp_path, [])
    assert "cannot be written" in run.stderr


def test_a_limit_of_cpu_time_leaves_nothing(tmp_path):
    process = start(tmp_path, *LONG, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 3)))
    process.communicate(timeout=30)
    assert process.returncode == 128 + signal.SIGXCPU
    assert not list(tmp_path.iterdir())
