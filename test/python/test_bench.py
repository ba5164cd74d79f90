# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The benchmarks' scripts: what they do with wrong options, and how they read what programs say."""

import csv
import importlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
from harness import part, script

BIN_DIR = os.environ.get("AI_FABRIC_BIN_DIR")


def load(name):
    return importlib.import_module(f"ai_fabric.bench.{name}")


WRONG = {  # options of each script; the empty ones lack the folder of the programs
    "run_bench": ["--bin-dir=/nowhere", "--bin-dir=/nowhere --repeat=0", "--bin-dir=/nowhere --hosts=few", ""],
    "run_transports": ["--bin-dir=/nowhere", "--bin-dir=/nowhere --hosts=3,x", ""],
    "run_counts": ["--bin-dir=/nowhere", "--bin-dir=/nowhere --hosts=0", ""],
    "run_aggregation": ["--bin-dir=/nowhere", "--bin-dir=/nowhere --repeat=0", ""],
    "run_ranks": [f"--program=/nowhere --preload=/nowhere {more}" for more in ("--ranks=1", "--repeat=-1", "--quick")]
    + ["--nonsense"],
    "run_against": [f"--program=/nowhere {more}" for more in ("--against=/nowhere", "--against=/ --hosts=5", "")],
    "run_threads": [f"--program=/nowhere {more}" for more in ("--threads=1", "--repeat=0", "--quick")] + ["--nonsense"],
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_one_line(tmp_path, name):
    for options in WRONG[name]:
        run = script(f"bench.{name}", *options.split(), f"--out={tmp_path}")
        lines = [line for line in run.stderr.splitlines() if not line.startswith("[")]  # progress
        assert run.returncode == 1 and run.stdout == ""
        assert len(lines) == 1 and lines[0].startswith("bench: ")


@pytest.mark.parametrize("options, words", [
    ("--threads=65", "argument --threads: invalid number from 2 to 64 value: '65'"),
    ("--out=a-file", "--out=a-file: is there, and is no folder"),
])  # fmt: skip
def test_what_is_wrong_is_said_before_anything_is_built(tmp_path, options, words):
    (tmp_path / "a-file").touch()
    run = script("bench.run_threads", "--check", "--program=/", *options.split(), cwd=tmp_path)
    assert run.returncode == 1 and run.stderr == f"bench: {words}\n"


@pytest.mark.parametrize("name", ["run_bench", "run_transports"])
def test_ctrl_c_is_one_line(tmp_path, name):
    started = tmp_path / "started"
    for program in "bare-loop", "tuned-loop", "fabric-bench":
        (tmp_path / program).write_text(f"#!/bin/sh\ntouch '{started}'\nexec sleep 60\n")
        (tmp_path / program).chmod(0o755)
    command = [*part(f"bench.{name}"), f"--bin-dir={tmp_path}", f"--out={tmp_path}/out"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not started.exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    lines = [line for line in errors.splitlines() if line and not line.startswith("[")]  # progress
    assert process.returncode == 130 and not output and lines == ["bench: interrupted"], errors


def test_times_of_ranks_are_brought_together():
    parse = load("run_ranks").parse
    text = (
        "mpi-time rank=1 wait_s=0.5 waits=10 exchange_s=0.25 sends=7\n"
        "something else\n"
        "mpi-time rank=0 wait_s=0.125 waits=11 exchange_s=0.75 sends=8\n"
    )
    assert parse(text) == {"wait_s": 0.5, "exchange_s": 0.75, "waits": 11, "sends": 15}
    with pytest.raises(Exception, match="mpi-time"):
        parse("nothing of the kind")


class Recorded:
    """Stands in for Bench: fabrics and rounds, no programs."""

    ranks = 2
    fabrics = {"fat-tree": (1024, [])}


def test_the_model_finds_the_times_that_made_its_runs(capsys):
    ranks = load("run_ranks")
    t_1, t_x, t_s, hops = 300e-9, 900e-9, 20e-6, 3_000_000
    waits = {500: 90, 50: 640, 5: 6100}

    def run(crossing, count):
        return [{"loop_wall_s": (t_1 + crossing * t_x) * hops / 2 + count * t_s, "packet_hops": hops}]

    rounds, profiles = {}, {}
    for delay, count in waits.items():
        rounds["fat-tree", delay, ranks.ONE] = [{"loop_wall_s": t_1 * hops, "packet_hops": hops}]
        rounds["fat-tree", delay, "granted"] = run(1 / 6, count)
        profiles["fat-tree", delay, "granted"] = {"waits": count}
    rounds["fat-tree", 500, ranks.SCATTERED] = run(1 / 3, waits[500])
    ranks.check_model(Recorded, rounds, profiles)
    said = capsys.readouterr().out
    assert "t_x 900 ns" in said and "t_s 20.0 us" in said
    times = re.findall(r"(\S+) s by the model, (\S+) s measured", said)
    assert len(times) == len(waits) and all(model == measured for model, measured in times)


# --- Counts ----------------------------------------------------------------------------------------

CACHEGRIND = """desc: LL cache: 1048576 B, 64 B, 16-way associative
cmd: fabric-bench --hosts=2
events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw
fn=main
3 10 1 1 5 2 1 4 1 1
summary: {} 20 3 300 40 5 200 60 7
"""


def test_counts_are_sums_of_the_events_of_cachegrind():
    counts = load("run_counts")
    few = counts.read_counts(CACHEGRIND.format(1000)) | {"packet_hops": 10}
    assert few["instructions"] == 1000 and few["instruction_misses"] == 20
    assert few["data_misses"] == 100 and few["lines_from_beyond"] == 15
    many = counts.read_counts(CACHEGRIND.format(2000)) | {"packet_hops": 60}
    row = counts.per_hop(few, many)
    assert row["packet_hops"] == 50 and row["instructions"] == 20 and row["data_misses"] == 0
    for damaged in ("", CACHEGRIND.format("many"), CACHEGRIND.format(1).replace("Ir", "X")):
        with pytest.raises(counts.BenchError):
            counts.read_counts(damaged)


def test_counts_without_valgrind_say_so(tmp_path):
    command = [*part("bench.run_counts"), f"--bin-dir={tmp_path}", f"--out={tmp_path}"]
    run = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/nowhere"})
    assert run.returncode == 1 and run.stderr.count("\n") == 1
    assert run.stderr.startswith("bench: there is no valgrind")


@pytest.mark.slow
@pytest.mark.skipif(not BIN_DIR, reason="AI_FABRIC_BIN_DIR is not set")
@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
def test_counts_of_the_smallest_fabric(tmp_path):
    command = [*part("bench.run_counts"), f"--bin-dir={BIN_DIR}", "--hosts=2", f"--out={tmp_path}"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    table = (tmp_path / "counts.csv").read_text()
    rows = {row["program"]: row for row in csv.DictReader(table.splitlines())}
    counts = [float(rows[name]["instructions"]) for name in ("tuned-loop", "bare-loop", "fabric-bench")]
    tuned, bare, fabric = counts
    assert 100 < tuned < bare < 100000 and 100 < fabric < bare  # windows need fewer than events
    for name, row in rows.items():
        assert row["hosts"] == "2" and int(row["packet_hops"]) > 0 and name in run.stdout
        lines = float(row["lines_from_beyond"]) * int(row["packet_hops"])
        assert abs(lines) * 64 < 32 * 1024  # two hosts fit into the last cache: what was new is room for frames in flight


# --- Transports ------------------------------------------------------------------------------------


@pytest.mark.skipif(not BIN_DIR, reason="AI_FABRIC_BIN_DIR is not set")
def test_transports_of_a_small_fabric(tmp_path):
    options = [f"--bin-dir={BIN_DIR}", "--hosts=16", "--packets=64", "--repeat=2", f"--out={tmp_path}"]
    run = subprocess.run([*part("bench.run_transports"), *options], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    rows = list(csv.DictReader((tmp_path / "transports.csv").read_text().splitlines()))
    names = ["bare-loop", "rc", "spray", "spray-nscc", "mrc", "mrc-nscc"]
    assert [row["run"] for row in rows] == names + names[::-1]
    hops = {row["run"]: int(row["packet_hops"]) for row in rows}
    assert 0.8 < hops["bare-loop"] / hops["rc"] < 1.25  # other pairs of hosts, an acknowledgement a packet
    assert 0.5 * hops["rc"] < hops["spray"] < hops["rc"]  # fewer acknowledgements
    for name in names:
        assert re.search(rf"16  {name} .* \d+\.\d\d +\d+\.\d\d$", run.stdout, re.MULTILINE)
    assert run.stdout.count("spray beside") == run.stdout.count("spray-nscc beside") == 2


def test_a_ratio_is_taken_within_a_round():
    ratio = load("run_transports").ratio
    speeds = [(10, 5), (1000, 800), (1, 2)]
    rounds = [{"rc": {"packet_hops_per_cpu_s": a}, "spray": {"packet_hops_per_cpu_s": b}} for a, b in speeds]
    assert ratio(rounds, "spray", "rc") == 0.8


# --- Aggregation -----------------------------------------------------------------------------------


NAMES = ["all-to-all", "ring", "esa", "atp", "switchml"]


@pytest.mark.skipif(not BIN_DIR, reason="AI_FABRIC_BIN_DIR is not set")
def test_aggregation_with_few_bytes(tmp_path):
    command = [*part("bench.run_aggregation"), f"--bin-dir={BIN_DIR}", "--share=32", f"--out={tmp_path}"]
    run = subprocess.run([*command, "--repeat=2"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    rows = list(csv.DictReader((tmp_path / "aggregation.csv").read_text().splitlines()))
    assert [row["run"] for row in rows] == NAMES + NAMES[::-1]
    assert all(float(row["per_hop"]) > 0 for row in rows)
    assert run.stdout.count(" beside all-to-all: ") == 3


@pytest.mark.slow
@pytest.mark.skipif(not BIN_DIR, reason="AI_FABRIC_BIN_DIR is not set")
@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
def test_instructions_of_aggregation(tmp_path, monkeypatch, capsys):
    """Two of the five runs are made under valgrind, which takes seconds to start the program; they stand for the others."""
    aggregation = load("run_aggregation")
    counted, count = {}, aggregation.count

    def count_two(valgrind, program, name, share):
        known = name if name in ("all-to-all", "esa") else next(reversed(counted))
        if known not in counted:
            counted[known] = count(valgrind, program, known, share)
        return counted[known]

    monkeypatch.setattr(aggregation, "count", count_two)
    options = f"--bin-dir={BIN_DIR}", "--share=32", "--instructions", f"--out={tmp_path}"
    monkeypatch.setattr(sys, "argv", ["run_aggregation.py", *options])
    aggregation.bench(aggregation.get_arguments())
    rows = list(csv.DictReader((tmp_path / "aggregation.csv").read_text().splitlines()))
    assert [row["run"] for row in rows] == NAMES and len(counted) == 2
    costs = {row["run"]: float(row["per_hop"]) for row in rows}
    assert min(costs.values()) > 0
    assert 0.5 < costs["esa"] / costs["all-to-all"] < 4 and 1000 < costs["esa"] < 10000
    said = capsys.readouterr().out
    assert re.search(rf"^esa +{costs['esa']:,.0f} ", said, re.MULTILINE)
    assert said.count(" beside all-to-all: ") == 3


def test_model_of_threads_finds_its_constants():
    """Gains that the model makes are those that it finds again."""
    threads = load("run_threads")
    case = threads.Case("ring", 128, 500)
    gains = []
    for windows in 1000, 20000, 50000:
        gain = threads.Gain(case, 1.0, 0, 1 / (1.2 / 4 + 4e-6 * windows), windows)
        gains.append(gain)
    share, meeting = threads.fit(gains, 4)
    assert (share, meeting) == (pytest.approx(1.2), pytest.approx(4e-6))
    assert threads.predict(gains[0], 4, share, meeting / 2) == pytest.approx(gains[0].gain)
    assert threads.predict(gains[0], 16, share, meeting / 2) == pytest.approx(1 / (1.2 / 16 + 8e-6 * 1000))
