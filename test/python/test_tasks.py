# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What researchers come for, from the question to the answer that can be shown, by commands of ./fabric alone: at most eight
of them, and no file of one's own but a study, a job and a policy."""

import csv
import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from harness import COST, ROOT

BIN_DIR = Path(os.environ.get("AI_FABRIC_BIN_DIR") or "none").resolve()
MOST = 8  # commands of a task
SLOWEST = 600  # seconds, on a busy machine

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BIN_DIR != ROOT / "build/release/bin", reason="AI_FABRIC_BIN_DIR is not the folder of the build of ./fabric"),
]


class Shell:
    """A shell in a folder, which counts its commands."""

    def __init__(self, folder):
        self.folder = folder
        self.count = 0

    def type(self, command):
        """What a command prints. It must succeed."""
        self.count += 1
        assert self.count <= MOST
        words = shlex.split(command)
        words[0] = str(ROOT / "fabric") if words[0] == "./fabric" else words[0]
        run = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=SLOWEST, check=False,
                             stdin=subprocess.DEVNULL)
        assert run.returncode == 0, f"{command}\n{run.stdout[-2000:]}\n{run.stderr[-2000:]}"
        return run.stdout

    def read(self, path):
        return (self.folder / path).read_text()


def one_line(text):
    return " ".join(text.split())


# --- Does PRIME beat REPS and adaptive switches for a mixture of experts with a failed uplink? -----

MOE = [
    "healthy: baseline is prime, with a completion time of 85.65 us, n = 3 paired seeds. Beside it: switch-ar 0.19 % shorter "
    "(95 % interval 0.16 to 0.22 %). reps 0.2 % longer (95 % interval -0.3 to 0.7 %); the interval has 0 in it: about 6 seeds "
    "would tell them apart. The best mean is that of switch-ar.",
    "More seeds are needed to tell all of them apart: about 77; 4 of 6 comparisons are open.",
]


def test_a_question_about_schemes_is_answered(tmp_path):
    shell = Shell(tmp_path)
    assert "moe-failed-uplink" in shell.type("./fabric study --list")
    said = one_line(shell.type("./fabric study moe-failed-uplink --quick"))
    folder = "results/study/moe-failed-uplink-quick"
    assert shell.type(f"./fabric report {folder}").strip() == f"{folder}/report.html"
    page = shell.read(f"{folder}/report.html").replace("\xa0", " ")
    for sentence in MOE:
        assert sentence in said and sentence in one_line(shell.read(f"{folder}/answer.md"))
        case, colon, rest = sentence.partition(": ")
        assert (f"<b>{case}</b>: {rest}" if case == "healthy" else sentence) in page
    assert "<h1>Does PRIME beat REPS" in page and page.count("<svg") > 10 and "moe-failed-uplink" in page


# --- ECMP, E-ECMP or MRC for a job on two planes of which a link flaps? And who can repeat it? -----

STUDY = """question = "Which one for our job, healthy and with a link that flaps?"
schemes = ["ecmp", "e-ecmp-16", "mrc"]
baseline = "ecmp"
seeds = 3

[fabric]
topology = "leaf-spine"
leaves = 2
spines = 2
hostsPerLeaf = 4
planes = 2
rate = "200Gb/s"  # of each link: a NIC has 400 Gb/s

[traffic]
training = "job.toml"

[cases.healthy]
[cases.flapping]
fail = "cables:1@20us-400us:period=50us:duty=0.3"
convergence = "10us"
"""
JOB = """[[phase]]
steps = [
    {name = "attention", compute = "20us"},
    {name = "dispatch", collective = "all-to-all", bytes = "4MiB"},
    {name = "experts", compute = "30us"},
    {name = "gradients", collective = "all-reduce", bytes = "4MiB"},
]
"""
OURS = (
    "flapping: baseline is ecmp, with a completion time of 2018 us, n = 3 paired seeds. Beside it: mrc 80.3 % shorter (95 % "
    "interval 78.2 to 82.3 %). e-ecmp-16 13.6 % shorter (95 % interval 6.7 to 20.4 %). The best mean is that of mrc. The order "
    "of the means is the same in all cases: mrc, e-ecmp-16, ecmp. More seeds are not needed to tell these apart."
)


def same_bytes(one, other):
    """All tables are equal, byte for byte, and run.json but for what the run has cost and where files are."""
    first, second = (json.loads((folder / "run.json").read_text()) for folder in (one, other))
    assert first["files"] == second["files"] and len(first["files"]) > 5
    for name in first["files"]:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name
    for run in first, second:
        for key in COST:
            run["results"].pop(key, None)
            run["scenario"].pop(key, None)
        for part in "scenario", "options":
            run[part] = {key: value for key, value in run[part].items() if key not in ("out", "training", "threads")}
        run.pop("inputs")
    assert first == second


def test_a_job_is_compared_shared_and_repeated(tmp_path):
    (tmp_path / "flap.toml").write_text(STUDY)
    (tmp_path / "job.toml").write_text(JOB)
    shell = Shell(tmp_path)
    said = one_line(shell.type("./fabric study flap.toml"))
    assert OURS in said, said
    shell.type("./fabric report results/study/flap")
    assert "Which one for our job" in shell.read("results/study/flap/report.html")
    listed = shell.type("./fabric list results/study/flap --where=transport=mrc")
    assert len(listed.splitlines()) == 1 + 2 * 3
    with open(tmp_path / "results/study/flap/results.csv", newline="") as file:
        [row, *_] = [row for row in csv.DictReader(file) if (row["case"], row["scheme"]) == ("flapping", "mrc")]
    folder = tmp_path / "results/study/flap" / row["folder"]
    shell.type(f"./fabric pack {shlex.quote(str(folder))} -o mrc.tar.gz")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "mrc.tar.gz").rename(elsewhere / "mrc.tar.gz")
    (tmp_path / "job.toml").unlink()
    shell.folder = elsewhere
    shell.type("tar xf mrc.tar.gz")
    shell.type("./fabric run --config=mrc/run.json --out=again")
    same_bytes(elsewhere / "mrc", elsewhere / "again")
    assert "Results: no difference" in shell.type("./fabric compare mrc again")
    assert "https://ui.perfetto.dev" in shell.type("./fabric timeline again") and shell.count == MOST


# --- Does a balancer of one's own beat REPS? -------------------------------------------------------

OWN_STUDY = """question = "Does our balancer beat REPS?"
schemes = [
    {name = "sticky", like = "base/sprayed", options = {balancer = "sticky"}},
    {name = "sticky-64", like = "base/sprayed", options = {balancer = "sticky", StickyBalancer = {Labels = 64}}},
    "reps",
]
baseline = "sticky"
seeds = 5

[fabric]
library = "libours.so"
k = 4
buffer = "200kB"

[traffic]
size = "256KiB"

[cases.healthy]
"""
STICKY = (
    "healthy: baseline is sticky, with a completion time of 16.33 us, n = 5 paired seeds. Beside it: reps 41.6 % shorter (95 % "
    "interval 36.4 to 46.7 %)."
)


def test_a_balancer_of_our_own_is_compared(tmp_path):
    """The policy is the one file that is written by hand, beside the study; it is an example of the page."""
    (tmp_path / "ours.cc").write_text((ROOT / "examples/library/sticky-balancer.cc").read_text())
    (tmp_path / "own.toml").write_text(OWN_STUDY)
    shell = Shell(tmp_path)
    assert shell.type("./fabric library ours.cc").strip() == "libours.so"
    assert "Labels [16384]: Labels to draw from." in shell.type("./fabric run --library=libours.so --balancer=help")
    shell.type("./fabric run --library=libours.so --stack=uec --balancer=sticky --k=4 --quiet")
    assert "sticky" in shell.type("./fabric list results")
    said = one_line(shell.type("./fabric study own.toml"))
    assert STICKY in said, said
    shell.type("./fabric sweep --balancer=sticky,reps --seeds=2 --library=libours.so -- --stack=uec --k=4")
    with open(tmp_path / "results/sweep/means.csv", newline="") as file:
        assert [row["balancer"] for row in csv.DictReader(file)] == ["sticky", "reps"]
    shell.type("./fabric report results/study/own")
    assert "Does our balancer beat REPS?" in shell.read("results/study/own/report.html") and shell.count <= MOST
