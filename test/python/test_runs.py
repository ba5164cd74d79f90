# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""./fabric list and compare: which runs there are, and what differs between them."""

import json
import os
import subprocess

import pytest

from harness import needs_program, part
from harness import call as run_program



def call(folder, *arguments):
    command = [*part("runs"), *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def write(folder, name, time=0, **parts):
    """The summary of a run that nobody made."""
    content = {"program": "ai-fabric-run", "run": 1, "options": {}, "scenario": {}, "results": {"cct_ns": 2000.0}}
    path = folder / name / "run.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(content | parts))
    os.utime(path, (time, time))


def check_refusal(folder, arguments, words):
    run = call(folder, *arguments.split())
    assert run.returncode == 1 and not run.stdout, run
    assert len(run.stderr.splitlines()) == 1 and words in run.stderr, run.stderr


def test_runs_are_listed_by_their_end(tmp_path):
    write(tmp_path, "results/new", 2e9, options={"balancer": "ecmp"}, results={"cct_ns": 1500.0, "increase_percent": 7.25})
    write(tmp_path, "results/deep/old", 1e9, run=3)
    (tmp_path / "results/other").mkdir()
    (tmp_path / "results/other/run.json").write_text("[")
    run = call(tmp_path, "list")
    assert run.returncode == 0
    header, *rows = [line.split() for line in run.stdout.splitlines()]
    assert header == ["ended", "run", "completion_us", "over_bound_%", "options", "folder"]
    assert [row[-1] for row in rows] == ["results/deep/old", "results/new"]
    assert rows[0][2:-1] == ["3", "2.00", "-", "-"] and rows[1][2:-1] == ["1", "1.50", "7.2", "balancer=ecmp"]
    assert run.stderr == "list: results/other/run.json: is not what a run leaves\n"


def test_a_folder_that_cannot_be_read_is_named(tmp_path, monkeypatch, capsys):
    from ai_fabric.runs import run_list

    write(tmp_path, "results/run")
    (tmp_path / "results/secret").mkdir()
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: scan("/proc/nothing" if str(path).endswith("secret") else path))
    assert len(run_list.find_runs(tmp_path)) == 1
    assert capsys.readouterr().err == "list: /proc/nothing: No such file or directory\n"


def test_options_that_tell_runs_apart_are_not_cut(tmp_path):
    same = {"topology": "leaf-spine", "leaves": "4", "spines": "4", "hostsPerLeaf": "4", "stack": "uec", "out": "x"}
    for name, balancer in ("a", "reps"), ("b", "prime"):
        write(tmp_path, f"results/{name}", options=same | {"balancer": balancer, "out": name})
    first, second = call(tmp_path, "list").stdout.splitlines()[1:]
    assert "balancer=reps topology=leaf-spine" in first and "balancer=prime topology=leaf-spine" in second


@pytest.mark.parametrize(
    "conditions, names",
    [
        ("balancer=ecmp", "a"),
        ("fail=*spine*", "b"),
        ("drops>0", "b"),
        ("cct_ns<2001 balancer=r*", "b"),
        ("drops_by_reason.ttl=0", "a b"),
        ("balancer=jsq", ""),
    ],
)
def test_conditions_choose_runs(tmp_path, conditions, names):
    for name, balancer, fail, drops in ("a", "ecmp", "none", 0), ("b", "rsq", "leaf-0--spine-1", 3):
        results = {"cct_ns": 2000.0, "drops": drops, "drops_by_reason": {"ttl": 0}}
        write(tmp_path, name, scenario={"balancer": balancer, "fail": fail}, results=results)
    run = call(tmp_path, "list", ".", *(f"--where={condition}" for condition in conditions.split()))
    assert run.returncode == 0, run.stderr
    assert [line.split()[-1] for line in run.stdout.splitlines()[1:]] == names.split()


def test_what_cannot_be_listed_is_refused(tmp_path):
    write(tmp_path, "results/run", scenario={"balancer": "ecmp"})
    check_refusal(tmp_path, "list nowhere", "nowhere: there is no such folder")
    check_refusal(tmp_path, "list --where=balancer", "--where=balancer: KEY=VALUE")
    check_refusal(tmp_path, "list --where=balanser=ecmp", "no run has balanser (did you mean balancer?); run.json")
    check_refusal(tmp_path, "list --where=cct_ns<fast", "fast is not a number")
    check_refusal(tmp_path, "list --where=balancer<3", "balancer=ecmp of results/run is not a number")
    check_refusal(tmp_path, "compare results/run", "two folders of runs or more")
    check_refusal(tmp_path, "compare results/run results", "results: no results of a run there")


def test_only_differences_are_shown(tmp_path):
    results = {"cct_ns": 2000.0, "drops": 4, "acks": 5, "cpu_s": 1.0, "layers": {"leaf-up": {"drops": 1}}}
    write(tmp_path, "a", options={"k": "4", "out": "a"}, scenario={"k": 4, "buffer": 8}, results=results)
    more = results | {"cct_ns": 1500.0, "cpu_s": 9.0, "layers": {"leaf-up": {"drops": 2}}}
    write(tmp_path, "b", options={"k": "8", "out": "b"}, scenario={"k": 8, "buffer": 16}, results=more)
    run = call(tmp_path, "compare", "a", "b")
    assert run.stdout.split("\n\n") == [
        "1: a\n2: b",
        "Asked for  1  2\nk          4  8",
        "Settings  1  2\nbuffer    8  16",
        "Results  1     2\ncct_ns   2000  1500 (-25.0 %)",
        "1 more results differ, of layers, uplinks and policies: --all shows them\n",
    ]
    assert "layers.leaf-up.drops  1     2 (+100.0 %)" in call(tmp_path, "compare", "a", "b", "--all").stdout
    assert call(tmp_path, "compare", "a", "a").stdout.count("no difference") == 3


def test_a_file_that_has_changed_is_a_difference(tmp_path):
    for name, content in ("a", "1f"), ("b", "2e"):
        write(tmp_path, name, inputs={"flows": {"value": "f.csv", "sha256": {"f.csv": content}}})
    assert "files of flows  1f  2e" in call(tmp_path, "compare", "a", "b").stdout


@needs_program
def test_runs_of_the_program_are_listed_and_compared(tmp_path):
    for balancer in "ecmp", "rsq":
        run_program(tmp_path, "--k=4", "--size=64KiB", f"--balancer={balancer}", f"--out={balancer}").check_returncode()
    assert "k=4 size=64KiB balancer=rsq" in call(tmp_path, "list", ".", "--where=balancer=rsq").stdout
    text = call(tmp_path, "compare", "ecmp", "rsq").stdout
    assert "balancer   ecmp  rsq" in text and "Settings: no difference" in text and "cct_ns" in text


def test_a_figure_names_its_command_and_its_runs(tmp_path):
    write(tmp_path, "sweep/runs/one", options={"k": "4"})
    write(tmp_path, "other/runs/two", options={"k": "6"})
    write(tmp_path, "alone", options={"k": "8"})
    for path, runs in (("sweep", None), ("figure", [{"folder": "../other/runs/two", "completed": True}])):
        made = {"command": ["./fabric", path, "--out=a b"], **({"runs": runs} if runs else {})}
        (tmp_path / path).mkdir(exist_ok=True)
        (tmp_path / path / "command.json").write_text(json.dumps(made))
    for path in ("sweep/x.png", "figure/x.csv", "alone/links.png", "nowhere.png"):
        (tmp_path / path).touch()
    swept, figure, alone = (call(tmp_path, "list", path).stdout for path in ("sweep/x.png", "figure/x.csv", "alone/links.png"))
    assert swept.startswith("sweep/x.png is of: ./fabric sweep '--out=a b'\n") and "k=4" in swept and "k=6" not in swept
    assert "k=6" in figure and "k=4" not in figure
    assert "k=8" in alone and "is of" not in alone
    check_refusal(tmp_path, "list nowhere.png", "neither run.json nor command.json is beside it, so that what made it is not known")
    (tmp_path / "sweep/command.json").write_text("{")
    check_refusal(tmp_path, "list sweep/x.png", "command.json beside it is damaged, so that what made it is not known")


def test_runs_of_a_figure_that_are_gone_are_named(tmp_path):
    write(tmp_path, "there", options={"k": "4"})
    noted = [{"folder": folder, "completed": True} for folder in ("there", "gone", 3)] + [{"completed": True}]
    (tmp_path / "command.json").write_text(json.dumps({"command": ["./fabric"], "runs": noted}))
    (tmp_path / "x.png").touch()
    run = call(tmp_path, "list", "x.png")
    assert "k=4" in run.stdout and run.stderr == "list: gone: no results of a run there (No such file or directory)\n"
