# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The files that a run reads and the folder that it writes: whole, or as it was."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from harness import DEBUG_NOTICE, HEADER, LONG, PROGRAM, SMALL, assert_refused, call, needs_program, refusal, rows
from harness import start, stderr_lines, succeed, write_flows

pytestmark = needs_program


BAD_PLANS = {
    "leaf-0,0\nleaf-1,1\nspine-0,1\n": "--ranks=2: ",
    "leaf-0,0\nleaf-1,2\nspine-0,1\n": "--plan: plan:3: column rank: '2' is not a rank (0..1)",
    "leaf-0,0\nspine-0,1\n": "--plan: plan: has no line for leaf-1 (each switch needs one)",
    "leaf-0,0\nleaf-1,0\nspine-0,0\n": "--plan: plan: rank 1 has no host and no switch",
    None: "--plan: plan: cannot be read",
}


def test_a_plan_is_checked_before_the_number_of_processes(tmp_path):
    """So that a build without MPI finds what is wrong with it."""
    fabric = "--topology=leaf-spine --leaves=2 --spines=1 --hostsPerLeaf=1 --size=4KiB".split()
    for lines, why in BAD_PLANS.items():
        (tmp_path / "plan").unlink(missing_ok=True)
        if lines:
            (tmp_path / "plan").write_text("node,rank\n" + lines)
        assert refusal(tmp_path, *fabric, "--ranks=2", "--plan=plan").startswith(why)


BAD_FLOWS = {
    "": "is empty",
    HEADER: "has no flow",
    "start_ns,source,target,bytes\n0,0,1,1\n": "line 1: there is no column 'target'",
    "start_ns,source,source,bytes\n0,0,1,1\n": "line 1: column source stands twice",
    "start_ns,source,destination\n0,0,1\n": "line 1: column bytes",
    HEADER + "0,0,1,1,1\n": "line 2: column 5",
    HEADER + "0,0,1,1\n0,0,16,1\n": "line 3: column destination",
    HEADER + "0,-1,1,1\n": "line 2: column source",
    HEADER + "0,1,1,1\n": "line 2: column destination",
    HEADER + "-1,0,1,1\n": "line 2: column start_ns",
    HEADER + "soon,0,1,1\n": "line 2: column start_ns",
    HEADER + "0 0 1 1\n": "line 2: column source",
    HEADER + "0,0,1,1099511627777\n": "line 2: column bytes",
    HEADER + "\x00\xff,0,1,1\n": "line 2: column start_ns",
}


def test_bad_flows(tmp_path):
    for text, why in BAD_FLOWS.items():
        option = write_flows(tmp_path, text)
        assert refusal(tmp_path, "--k=4", option).startswith(f"{option}: {why}")


def test_flows_come_from_a_file_of_lines(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    refusal(tmp_path, "--k=4", "--flows=fifo")
    option = write_flows(tmp_path, HEADER + "0" * 5000 + ",0,1,1\n")
    assert refusal(tmp_path, "--k=4", option).startswith(f"{option}: line 2: is longer than 4096")


@pytest.mark.parametrize("out", ["", "file", "file/below", "/proc/none", "/dev/null"])
def test_unwritable_out(tmp_path, out):
    (tmp_path / "file").touch()
    run = call(tmp_path, *SMALL, f"--out={out}")
    assert_refused(run, tmp_path, [tmp_path / "file"])
    assert run.stderr.startswith(f"ai-fabric-run: --out={out}: ")
    if not out.startswith("/proc"):  # --check makes no folder, so it cannot see that none can be made there
        assert call(tmp_path, *SMALL, f"--out={out}", "--check").stderr == run.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_write_protected_out(tmp_path):
    (tmp_path / "out").mkdir(mode=0o555)
    refusal(tmp_path, *SMALL)


def test_output_is_all_or_nothing(tmp_path):
    succeed(tmp_path, *SMALL)
    shutil.rmtree(tmp_path / "out")
    deep = call(tmp_path, *SMALL, "--out=a/b/c/")
    assert deep.returncode == 0
    assert (tmp_path / "a/b/c/run.json").exists()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    stalled = ["--k=2", "--size=64KiB", "--fail=host-0:0--pod0-edge-0:0@1us", "--onFailure=stop"]
    for out in ("a/b/c", "d/e"):
        run = call(tmp_path, *stalled, f"--out={out}")
        assert run.returncode == 1
        assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("exists", [False, True])
def test_interrupted_run_leaves_nothing(tmp_path, number, exists):
    if exists:
        (tmp_path / "new/out").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    process = start(tmp_path, *LONG)
    assert sorted(tmp_path.rglob("*")) != before
    process.send_signal(number)
    _, errors = process.communicate(timeout=10)
    assert process.returncode == 128 + number
    assert all(line.startswith(DEBUG_NOTICE) for line in errors.splitlines())
    assert sorted(tmp_path.rglob("*")) == before


def test_ignored_signal_stays_ignored(tmp_path):
    process = start(tmp_path, *LONG, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    process.send_signal(signal.SIGHUP)
    time.sleep(0.1)
    assert process.poll() is None
    process.terminate()
    process.communicate(timeout=10)
    assert process.returncode == 128 + signal.SIGTERM


def test_a_folder_is_of_one_run(tmp_path):
    process = start(tmp_path, *LONG)
    during = sorted(tmp_path.rglob("*"))
    run = call(tmp_path, *SMALL, "--out=new/out")
    assert_refused(run, tmp_path, during)
    assert "another run" in run.stderr
    process.terminate()
    process.communicate(timeout=10)
    assert call(tmp_path, *SMALL, "--out=new/out").returncode == 0


def test_results_replace_those_of_an_earlier_run(tmp_path):
    succeed(tmp_path, *SMALL, "--pcap=host-0,core-0:1")
    (tmp_path / "out/mine.txt").touch()
    (tmp_path / "out/mine.pcap").touch()
    summary = succeed(tmp_path, *SMALL, "--pcap=host-1")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {*summary["files"], "run.json", "mine.txt", "mine.pcap"}


def test_a_run_without_a_folder_makes_a_new_one(tmp_path):
    def run(*options):
        [folder] = re.findall(r"^results +(.*)$", call(tmp_path, *SMALL, *options, check=True).stdout, re.MULTILINE)
        return folder

    results = tmp_path / "results"
    for seed in 1, 2, 3:  # some of them in one second
        path, link = re.fullmatch(r"(results/run-\d{8}-\d{6}(?:-\d)?) \((results/latest)\)", run(f"--RngRun={seed}")).groups()
        assert (tmp_path / link).is_symlink() and (tmp_path / link).resolve() == (tmp_path / path).resolve()
        summary = json.loads((tmp_path / link / "run.json").read_text())
        assert summary["run"] == seed and summary["scenario"]["out"] == path
    assert len(list(results.glob("run-*"))) == 3
    assert run("--out=results/mine") == "results/mine" and (results / "latest").resolve() != results / "mine"
    (results / "latest").unlink()
    (results / "latest").mkdir()  # not a link: it is left alone, and the run succeeds
    assert re.fullmatch(r"results/run-[\d-]+", run())
    assert sorted(path.name for path in results.iterdir() if path.name[:4] != "run-") == ["latest", "mine"]


def test_a_run_that_fails_makes_no_folder(tmp_path):
    assert_refused(call(tmp_path, *SMALL, "--pcap=nowhere"), tmp_path, [])
    assert call(tmp_path, *SMALL, "--check", check=True).stdout and not list(tmp_path.iterdir())


def test_runs_that_begin_at_once_have_folders_of_their_own(tmp_path):
    runs = [subprocess.Popen([PROGRAM, *SMALL], cwd=tmp_path, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    said = [run.communicate()[0] for run in runs]
    assert not any(run.returncode for run in runs)
    folders = {re.search(r"^results +(\S+)", text, re.MULTILINE)[1] for text in said}
    assert len(folders) == 4 and (tmp_path / "results/latest").readlink().name in {Path(name).name for name in folders}


def test_too_many_captures(tmp_path):
    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60))

    cores = ",".join(f"core-{core}" for core in range(4))
    run = call(tmp_path, *SMALL, f"--pcap={cores},host-0,host-1,pod0-edge-0,pod0-edge-1,pod0-agg-0", preexec_fn=limit)
    assert_refused(run, tmp_path, [])
    assert run.stderr.startswith("ai-fabric-run: --pcap=core-0") and "ulimit -n" in run.stderr


def test_captures_raise_the_limit_of_open_files(tmp_path):
    def limit():
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, hard))

    run = call(tmp_path, *SMALL, "--pcap=core-0,core-1,core-2,core-3", "--out=out", preexec_fn=limit)
    assert run.returncode == 0
    assert len(list((tmp_path / "out").glob("*.pcap"))) == 16


def test_full_stdout(tmp_path):
    for arguments in ([*SMALL, "--out=out"], ["--balancer=help"], ["--PrintHelp"], ["--help=json"]):
        with open("/dev/full", "w") as full:
            run = call(tmp_path, *arguments, stdout=full)
        assert run.returncode == 1
        assert stderr_lines(run) == ["ai-fabric-run: stdout cannot be written"]


def test_odd_folder_names(tmp_path):
    for name in (b"a b", b'quo"te', b"back\\slash", b"\xc3\xa9", b"latin-\xe9", b"new\nline"):
        run = call(tmp_path, *SMALL, b"--out=" + name)
        assert run.returncode == 0
        folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
        out = json.loads((folder / "run.json").read_text())["scenario"]["out"]
        assert out == name.decode(errors="replace")


def test_pcap(tmp_path):
    summary = succeed(tmp_path, *SMALL, "--pcap=host-3,pod1-edge-0:2,core-0")
    captures = sorted(path.name for path in (tmp_path / "out").glob("*.pcap"))
    assert captures == sorted(["host-3.pcap", "pod1-edge-0-2.pcap", *(f"core-0-{port}.pcap" for port in range(4))])
    assert set(captures) < set(summary["files"])
    sent = {row["from"]: int(row["frames_sent"]) for row in rows(tmp_path, "links")}
    got = {row["to"]: int(row["frames_delivered"]) for row in rows(tmp_path, "links")}
    data = (tmp_path / "out/host-3.pcap").read_bytes()
    assert data[:4] == bytes.fromhex("4d3cb2a1")  # little endian, nanoseconds
    frames, offset = 0, 24
    while offset < len(data):
        offset += 16 + int.from_bytes(data[offset + 8 : offset + 12], "little")
        frames += 1
    assert offset == len(data)
    assert frames == sent["host-3:0"] + got["host-3:0"]


def test_folder_of_a_killed_run(tmp_path):
    """It may have had the number of the process that runs now: in a container it has."""
    script = 'mkdir -p out/.partial-$$/x && exec "$@"'
    command = ["sh", "-c", script, "sh", PROGRAM, *SMALL, "--out=out"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
    assert not list((tmp_path / "out").glob(".partial-*"))
