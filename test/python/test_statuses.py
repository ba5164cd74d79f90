# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Exit statuses of ./fabric and ai-fabric-run: each that doc/usage.rst lists, and how it comes about."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from harness import PROGRAM, ROOT, SMALL, call, needs_program, part

from ai_fabric.bench import run_bench

DEAD = "--balancer=ecmp --recovery=sack --convergence=never --fail=pod0-edge-0:2--pod0-agg-0:0@1us".split()
GIVES_UP = *SMALL, *DEAD, "--ns3::aifabric::RcQueuePair::RetryTime=100us"
LONG = "--k=8", "--size=1GB", "--out=out"
SIGNALS = {129: signal.SIGHUP, 130: signal.SIGINT, 143: signal.SIGTERM}

pytestmark = needs_program


def statuses_here():
    """The statuses that tests of this file bring about."""
    text = open(__file__, encoding="utf-8").read()
    return {int(status) for status in re.findall(r"== (\d+)(?!\d)", text)} | SIGNALS.keys()


def test_the_page_lists_all_of_them():
    listed = re.findall(r"^``(\d+)`` ", (ROOT / "doc/usage.rst").read_text(), re.MULTILINE)
    assert {int(status) for status in listed} == statuses_here()


def fabric(folder, *arguments):
    return subprocess.run([ROOT / "fabric", *arguments], cwd=folder, capture_output=True, timeout=60, check=False).returncode


def sweep(folder, *arguments):
    command = [*part("sweep"), f"--program={PROGRAM}", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False).returncode


def test_success(tmp_path):
    assert call(tmp_path, *SMALL).returncode == 0
    assert call(tmp_path, "--check").returncode == 0
    assert fabric(tmp_path) == fabric(tmp_path, "--help") == fabric(tmp_path, "run", "--help") == 0
    assert call(tmp_path, *GIVES_UP, "--onFailure=abort", "--out=aborted").returncode == 0
    assert sweep(tmp_path, "--balancer=rsq,ecmp", "--", *[option for option in GIVES_UP if "balancer" not in option]) == 0


@pytest.mark.parametrize("words, meant", [
    ("study moe-failed-uplink --untill=2%", "--untill=2%: no such option (did you mean --until?)"),
    ("list --were=k=4", "--were=k=4: no such option (did you mean --where?)"),
    ("list --progam=x", "--progam=x: no such option"),
    ("report --ech .", "--ech: no such option (did you mean --each?)"),
    ("reproduce fig6 --quik", "--quik: no such option (did you mean --quick?)"),
    ("bench --repaet=3", "--repaet=3: no such option (did you mean --repeat?)"),
    ("pack one two", "two: one too many"),
])
def test_an_option_that_was_meant_is_named(tmp_path, words, meant):
    command = [ROOT / "fabric", *words.split()]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 1 and meant in run.stderr and run.stderr.count("\n") == 1 and not list(tmp_path.iterdir())
    assert "did you mean" in meant or "did you mean" not in run.stderr


def test_errors(tmp_path):
    assert call(tmp_path, "--k=3").returncode == 1
    assert call(tmp_path, *GIVES_UP, "--onFailure=stop").returncode == 1
    for words in ("nonsense", "docs more", "list nowhere", "compare nowhere", "plot", "completion fish", "reproduce none"):
        assert fabric(tmp_path, *words.split()) == 1, words
    assert sweep(tmp_path, "--k=3") == 1
    assert not list(tmp_path.rglob("run.json"))


def test_a_missed_target(monkeypatch):
    monkeypatch.setattr(run_bench, "bench", lambda arguments: False)
    monkeypatch.setattr(run_bench, "catch_interrupts", lambda: None)
    monkeypatch.setattr(sys, "argv", ["run_bench", f"--bin-dir={PROGRAM.parent}"])
    assert run_bench.main() == 0
    sys.argv.append("--strict")
    assert run_bench.main() == 2


def test_failed_messages(tmp_path):
    assert call(tmp_path, *GIVES_UP, "--out=out").returncode == 3
    assert (tmp_path / "out/run.json").exists()


def interrupted(folder, number, command, begun):
    """The status of a command that gets a signal once a run has begun, as a shell names it."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    for _ in range(1000):
        if list(folder.rglob(begun)):
            break
        time.sleep(0.02)
    time.sleep(0.2)
    os.killpg(process.pid, number)
    process.communicate(timeout=30)
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


@pytest.mark.parametrize("status", SIGNALS)
def test_signals(tmp_path, status):
    (tmp_path / "run").mkdir()
    (tmp_path / "sweep").mkdir()
    assert interrupted(tmp_path / "run", SIGNALS[status], [PROGRAM, *LONG], ".partial-*") == status
    command = [*part("sweep"), f"--program={PROGRAM}", "--seeds=2", "--", *LONG[:2]]
    assert interrupted(tmp_path / "sweep", SIGNALS[status], command, ".partial-*") == status


def test_a_reader_that_leaves(tmp_path):
    for command in ([PROGRAM, "--PrintHelp"], [ROOT / "fabric", "reproduce", "--list"]):
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=unblock)
        process.stdout.close()
        _, error = process.communicate(timeout=30)
        status = process.returncode if process.returncode >= 0 else 128 - process.returncode
        assert status == 141 and not error, command


def unblock():
    """Python ignores SIGPIPE, and a program inherits that."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
