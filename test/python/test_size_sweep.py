# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""./fabric collectives: a collective at many sizes."""

import csv
import json
import subprocess

import pytest
from harness import PROGRAM, needs_program, script

from ai_fabric.collectives.table import COLUMNS, HEADER, KINDS, line, read_row, short, time_of

FABRIC = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=2", "--rate=400Gb/s"
CSV = "name,kind,algorithm,ranks,bytes,start_ns,end_ns,duration_ns,bus_bandwidth_gbps\n"


def call(folder, *arguments, program=PROGRAM):
    return script("collectives", "--program", program, *arguments, cwd=folder)


def refused(folder, *arguments, program=PROGRAM):
    """The one line that says why nothing is run."""
    before = sorted(folder.rglob("*"))
    run = call(folder, *arguments, program=program)
    [line] = run.stderr.splitlines()
    assert run.returncode == 1 and run.stdout == "" and sorted(folder.rglob("*")) == before
    return line


def table(folder):
    with open(folder / "collectives.csv", newline="") as file:
        return list(csv.DictReader(file))


# --- The numbers of nccl-tests ----------------------------------------------------------------------


def test_time_is_that_of_all_repetitions_and_the_mean_of_communicators():
    def row(name, start, end):
        return {"name": name, "start_ns": str(start), "end_ns": str(end)}

    assert time_of([row("a", 0, 10)]) == 10
    assert time_of([row("a", 0, 10), row("a", 8, 18)]) == 9  # they overlap
    assert time_of([row("a", 0, 10), row("b", 0, 20), row("a", 8, 18), row("b", 20, 50)]) == 17


@pytest.mark.parametrize(
    "kind, factor, count, operation, root",
    [
        *((kind, 0.875, 250, "none", -1) for kind in ("all-gather", "all-to-all")),
        *((kind, 0.875, 250, "none", 3) for kind in ("gather", "scatter")),
        *((kind, 1, 2000, "none", 3) for kind in ("broadcast", "send-receive")),
        ("all-reduce", 1.75, 2000, "sum", -1),
        ("reduce-scatter", 0.875, 250, "sum", -1),
        ("reduce", 1, 2000, "sum", 3),
        ("sendrecv", 1, 2000, "sum", -1),
    ],
)
def test_a_row(tmp_path, kind, factor, count, operation, root):
    """8 ranks, 8000 bytes in 4 us are 2 GB/s."""
    bandwidth = 8000 * 8 / 4000 * factor
    text = f"{CSV}x,{kind},direct,8,8000,0.000,4000.000,4000.000,{bandwidth}\n"
    (tmp_path / "collectives.csv").write_text(text)
    row = read_row(tmp_path, 3)
    assert list(row) == COLUMNS
    assert (row["size_bytes"], row["count"], row["type"]) == (8000, count, "float")
    assert (row["redop"], row["root"], row["ranks"]) == (operation, root, 8)
    assert row["time_us"] == 4 and row["algbw_gbytes_per_s"] == 2
    assert row["busbw_gbytes_per_s"] == pytest.approx(2 * factor)
    assert row["busbw_gbit_per_s"] == pytest.approx(16 * factor)


def test_a_line_stands_beneath_its_header():
    values = [8000, 250, "float", "none", -1, 8, "direct", 4.0, 2.0, 1.75, 14.0]
    text = line(dict(zip(COLUMNS, values)))
    names = HEADER.split("\n")[1].strip("# ").split()
    assert names == "size count type redop root time algbw busbw #wrong busbw".split()
    assert text.split() == "8000 250 float none -1 4.00 2.00 1.75 N/A 14.00".split()
    titles = HEADER.split("\n")[1]
    for name, value in (("size", "8000"), ("root", "-1"), ("time", "4.00"), ("#wrong", "N/A")):
        assert titles.index(name) + len(name) == text.index(value) + len(value)
    assert [short(x) for x in (0.004, 99.994, 314.16, 31415.9)] == ["0.00", "99.99", "314.2", "31416"]


# --- The command ------------------------------------------------------------------------------------


REFUSED = {
    "--sizes=1KiB": "no --workload after --",
    "--sizes=1KiB -- --workload=permutation": "--workload=permutation",
    "--sizes=1KiB -- --workload=all-reduce --size=2": "--sizes",
    "--sizes=2MiB..1KiB:x2 -- --workload=all-reduce": "--sizes=2MiB..1KiB:x2: a range",
    "--sizes=1..9999999 -- --workload=all-reduce": "more than",
    "--sizes=1,,2 -- --workload=all-reduce": "comma",
    "--sizes=1KiB --workload=all-reduce": "--workload=all-reduce",
    "--sizes=1KiB -- all-reduce": "--name=value",
    "--sizes=1KiB -- --workload=all-reduce --out=x": "--out",
    "--sizes=1KiB -- --workload=all-reduce --workload=broadcast": "twice",
    "--jobs=0 -- --workload=all-reduce": "--jobs",
    "--out= -- --workload=all-reduce": "--out",
    "--sizes=1, -- --workload=all-reduce": "--sizes=1,: there is nothing before or after",
}


def test_bad_input_is_one_line(tmp_path, fake):
    program, log = fake
    for arguments, words in REFUSED.items():
        line = refused(tmp_path, *arguments.split(), program=program)
        assert line.startswith("collectives: ") and words in line and not log.read_text(), arguments


@needs_program
def test_what_the_program_refuses_is_one_line(tmp_path):
    for bad in "--algorithm=best", "--communicators=3", "--k=4":
        line = refused(tmp_path, "--sizes=1KiB,0", "--", *FABRIC, "--workload=all-reduce", bad)
        assert line.startswith(f"collectives: {bad}: ")
    line = refused(tmp_path, "--sizes=abc", "--", *FABRIC, "--workload=all-reduce")
    assert line.startswith("collectives: --sizes=abc: a number of bytes")


@needs_program
def test_questions_are_answered_by_the_program(tmp_path):
    for question in "--help", "--PrintHelp", "--algorithm=help":
        ours = call(tmp_path, "--", question)
        theirs = subprocess.run([PROGRAM, question], capture_output=True, text=True, check=True)
        assert ours.returncode == 0 and ours.stdout == theirs.stdout and theirs.stdout
    assert not list(tmp_path.iterdir())


@needs_program
def test_sizes(tmp_path):
    """Table, CSV and plot; and again, without a run."""
    arguments = "--sizes=64KiB..16MiB:x16", "--", *FABRIC, "--workload=all-reduce"
    run = call(tmp_path, *arguments)
    assert run.returncode == 0, run.stderr
    out = tmp_path / "results" / "collectives"
    rows = table(out)
    assert [int(row["size_bytes"]) for row in rows] == [2**16, 2**20, 2**24]
    lines = [text for text in run.stdout.splitlines() if text[:1] == " "]
    assert [text.split()[0] for text in lines] == [row["size_bytes"] for row in rows]
    for text, row in zip(lines, rows):
        assert text.split()[1] == str(int(row["size_bytes"]) // 4)
        bandwidth = float(row["size_bytes"]) / float(row["time_us"]) / 1e3  # GB/s
        assert float(row["algbw_gbytes_per_s"]) == pytest.approx(bandwidth)
        assert float(row["busbw_gbytes_per_s"]) == pytest.approx(1.5 * bandwidth)
    assert 350 < float(rows[-1]["busbw_gbit_per_s"]) < 400 > float(rows[0]["busbw_gbit_per_s"])
    assert "3 of 3 runs" in run.stderr and (out / "busbw.png").stat().st_size > 10000
    written = {path: path.stat().st_mtime_ns for path in out.rglob("run.json")}
    again = call(tmp_path, *arguments)
    assert again.stdout == run.stdout
    assert written == {path: path.stat().st_mtime_ns for path in out.rglob("run.json")}
    more = call(tmp_path, "--sizes=64KiB,32MiB", *arguments[1:])
    assert more.returncode == 0 and len(table(out)) == 2
    assert len(list(out.rglob("run.json"))) == 4


@pytest.mark.slow
@needs_program
def test_all_kinds(tmp_path):
    """All-to-all is the collective here, also without an option of collectives."""
    for kind in KINDS:
        run = call(tmp_path, "--sizes=1MiB", "--", *FABRIC, f"--workload={kind}")
        assert run.returncode == 0, run.stderr
        [row] = table(tmp_path / "results" / "collectives")
        assert row["root"] == ("0" if KINDS[kind][0] else "-1")


@needs_program
def test_a_size_that_stalls_has_no_row(tmp_path):
    options = "--fail=leaf-0:2--spine-0:0@0s-9s,leaf-0:3--spine-1:0@1us", "--convergence=never"
    workload = "--workload=all-reduce", "--stallTime=1ms", "--recovery=go-back-n"
    run = call(tmp_path, "--sizes=1MiB", "--", *FABRIC, *workload, *options)
    assert run.returncode == 1 and "size 1MiB: " in run.stdout
    assert table(tmp_path / "results" / "collectives") == []


def test_plan(tmp_path, fake):
    program, log = fake
    run = call(tmp_path, "--dry-run", "--sizes=1,2", "--", "--workload=broadcast", program=program)
    assert run.returncode == 0 and "2 runs, 0 there" in run.stdout
    assert not log.read_text()


@needs_program
@pytest.mark.parametrize("algorithm", ["atp", "esa", "switchml"])
def test_an_all_reduce_in_the_network(tmp_path, algorithm):
    """The row is that of the job in run.json."""
    options = [*FABRIC, "--workload=all-reduce", f"--algorithm={algorithm}"]
    run = call(tmp_path, "--sizes=10KiB,100KiB", "--out=out", "--", *options)
    assert run.returncode == 0, run.stderr
    rows = table(tmp_path / "out")
    assert [(row["size_bytes"], row["algorithm"]) for row in rows] == [("10240", algorithm), ("102400", algorithm)]
    assert rows[0]["ranks"] == ("4" if algorithm == "switchml" else "3")
    jobs = []
    for path in (tmp_path / "out" / "runs").rglob("run.json"):
        found = json.loads(path.read_text())
        jobs.append((found["scenario"]["size"], found["results"]["aggregation"]["jobs"][0]))
    for row, (size, job) in zip(rows, sorted(jobs, key=lambda entry: entry[0])):
        assert int(row["size_bytes"]) == size
        assert float(row["time_us"]) == pytest.approx(job["jct_ns"] / 1000)
        assert float(row["busbw_gbit_per_s"]) == pytest.approx(job["bus_gbps"])
