# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What tests of ai-fabric-run have in common: it is started in a folder, and its results are read."""

import contextlib
import csv
import functools
import importlib
import json
import os
import pickle
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN_DIR = os.environ.get("AI_FABRIC_BIN_DIR")
PROGRAM = Path(BIN_DIR or "") / "ai-fabric-run"
needs_program = pytest.mark.skipif(
    not (BIN_DIR and PROGRAM.exists()), reason="AI_FABRIC_BIN_DIR does not hold ai-fabric-run"
)
TABLES = {
    "flows.csv": "flow,source,destination,bytes,start_ns,received_ns,completed_ns,duration_ns,"
    "ideal_ns,slowdown,links",
    "links.csv": "link,from,to,layer,frames_sent,bytes_sent,frames_delivered,frames_lost,"
    "frames_refused,utilization,max_queue_packets,max_waiting_bytes,mean_queue_packets,"
    "sending_queue_packets",
    "layers.csv": "layer,ports,max_queue_packets,max_waiting_bytes,mean_queue_packets,"
    "sending_queue_packets,bytes,mean_utilization,max_utilization,link_overload,link_imbalance,"
    "refusals,link_losses",
    "queues.csv": "time_ns,layer,mean_queue_packets,max_queue_packets,waiting_bytes,paused_ports",
    "events.csv": "time_ns,event,subject,detail",
}
COST = {"simulator", "threads", "cpu_s", "wall_s", "loop_wall_s", "peak_rss_bytes", "packet_hops_per_cpu_s"}
SMALL = "--k=4", "--size=64KiB"
HEADER = "start_ns,source,destination,bytes\n"
DEBUG_NOTICE = "ai-fabric-run: this is a debug build"
LONG = "--k=4", "--size=100MB", "--workload=all-to-all", "--pcap=host-0"
LOSSY = "--fail=pod0-edge-0:2--pod0-agg-0:0%0.02@1us,pod1-agg-0:2--core-0:1@3us-9us"
LOSSY_LINK = "--fail=host-1:0--pod0-edge-0:1%0.02@0ns"


def call(folder, *arguments, timeout=120, **more):
    """Runs the program in a folder."""
    usual = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "errors": "replace", "check": False}
    return subprocess.run([PROGRAM, *arguments], cwd=folder, timeout=timeout, **{**usual, **more})


def call_with_memory(folder, kibibytes, options):
    """Runs the program with a limit of `ulimit -v`."""
    command = ["bash", "-c", f"ulimit -v {kibibytes}; exec {PROGRAM} {options}"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def stderr_lines(run):
    return [line for line in run.stderr.splitlines() if not line.startswith(DEBUG_NOTICE)]


def succeed(folder, *arguments):
    """Runs the program, which must succeed, and reads run.json."""
    run = call(folder, *arguments, "--out=out")
    assert run.returncode == 0, run.stderr
    return json.loads((folder / "out" / "run.json").read_text())


def rows(folder, name):
    with open(folder / "out" / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


def write_flows(folder, text, name="flows.csv"):
    (folder / name).write_text(text)
    return f"--flows={name}"


def assert_refused(run, folder, before):
    """One line on stderr, status 1, and nothing written."""
    assert run.returncode == 1, run.stderr
    lines = stderr_lines(run)
    assert len(lines) == 1, run.stderr
    assert lines[0].startswith("ai-fabric-run: ")
    assert run.stdout == ""
    assert sorted(folder.rglob("*")) == before


def refusal(folder, *arguments):
    """Why the program refuses options, in words."""
    before = sorted(folder.rglob("*"))
    run = call(folder, *arguments, "--out=out")
    assert_refused(run, folder, before)
    return stderr_lines(run)[0].removeprefix("ai-fabric-run: ")


def check_refusals(folder, rows, *common):
    """Each row has options, and the words with which the program refuses them."""
    for options, words in rows.items():
        said = refusal(folder, *common, *options.split())
        assert words in said, f"{options}: {said}"


def check_blame(folder, rows, *common, also=()):
    """Each row has options, and the program blames one of them, or one that stands for a default."""
    for options in rows:
        said = refusal(folder, *common, *options.split())
        blamed = [*(option.split("=")[0] for option in options.split()), *also]
        assert any(said.startswith(name) for name in blamed), f"{options}: {said}"


def start(folder, *arguments, **more):
    """Starts the program and waits until it writes results."""
    process = subprocess.Popen(
        [PROGRAM, *arguments, "--out=new/out"], cwd=folder, stderr=subprocess.PIPE, text=True, **more
    )
    for _ in range(1000):
        if list(folder.rglob("host-0.pcap")):
            break
        time.sleep(0.01)
    return process


def snapshot(folder, *arguments, ignore=()):
    """All that a run leaves, without what may differ."""
    summary = succeed(folder, *arguments)
    for key in COST | set(ignore):
        summary["results"].pop(key, None)
        summary["scenario"].pop(key, None)
    for key in "files", "options", "attributes":  # what was given
        summary.pop(key)
    tables = {name: (folder / "out" / name).read_bytes() for name in TABLES}
    shutil.rmtree(folder / "out")
    return summary, tables


@functools.cache
def offered(option):
    """The policies that an option may name."""
    lines = call(".", f"--{option}=help").stdout.splitlines()
    return [line.split()[0] for line in lines if not line.startswith(" ")]


# --- Scripts --------------------------------------------------------------------------------------


def part(name):
    """The command that starts a part of the package ai_fabric."""
    return [sys.executable, ROOT / "contrib/start.py", name]


def end_of(name, arguments):
    """Runs a part of the package as Python does. Returns its status."""
    sys.argv[:] = [name, *map(os.fsdecode, arguments)]
    for known, module in list(sys.modules.items()):
        if str(ROOT) in (getattr(module, "__file__", None) or ""):
            del sys.modules[known]
    try:
        runpy.run_module(f"ai_fabric.{name}", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return 1 if isinstance(end.code, str) else end.code or 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def run_here(name, arguments, out, error):
    """Runs a part of the package in this process, which writes to files. Returns its status."""
    os.dup2(out.fileno(), 1)
    os.dup2(error.fileno(), 2)
    sys.stdout, sys.stderr = open(1, "w", encoding="utf-8", closefd=False), open(2, "w", encoding="utf-8", closefd=False)
    status = end_of(name, arguments)
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def texts_of(*files):
    """What is in files, from their begin."""
    for file in files:
        file.seek(0)
    return [file.read().decode(errors="replace") for file in files]


def in_a_copy(work, cwd, variables):
    """Does some work in a copy of this process, which has imported what takes a second to import. Returns its status."""
    for module in "pandas", "matplotlib.pyplot":
        with contextlib.suppress(ImportError):
            importlib.import_module(module)
    child = os.fork()
    if not child:
        status = 1
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.alarm(300)
            os.chdir(cwd)
            os.environ.update(variables)
            status = work()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def script(name, *arguments, cwd=ROOT, **variables):
    """Runs a part of the package ai_fabric."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
        status = in_a_copy(lambda: run_here(name, arguments, out, error), cwd, variables)
        return subprocess.CompletedProcess(arguments, status, *texts_of(out, error))


def scripts(name, *runs, cwd=ROOT):
    """Runs a part of the package ai_fabric with the arguments of each of several runs, in one process."""

    def run_all(results):
        done = []
        for arguments in runs:
            with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
                status = run_here(name, arguments, out, error)
                done.append((status, *texts_of(out, error)))
        pickle.dump(done, results)
        results.flush()
        return 0

    with tempfile.TemporaryFile() as results:
        assert in_a_copy(lambda: run_all(results), cwd, {}) == 0
        results.seek(0)
        return [subprocess.CompletedProcess(*run) for run in zip(runs, *zip(*pickle.load(results)))]
