# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Studies of several fabrics, jobs and conditions: which cases there are, who is left out, what a fault costs, and their
figures."""

import csv
import math
import re

import pytest
from harness import PROGRAM, needs_program, script

pytest.importorskip("scipy.stats")
pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

from ai_fabric.common.metric import metric_of
from ai_fabric.study import study_file
from ai_fabric.study.answer import beside, changes, overview
from ai_fabric.study.paired import Paired
from ai_fabric.study.plot_faults import mean_ratio, ratio_of

STUDY = """
schemes = ["ecmp", "te", "ofan"]
seeds = 2
reference = "healthy"
figure = "matrix"

[fabric]
topology = "leaf-spine"
leaves = 2
spines = 2
hostsPerLeaf = 2

[fabrics.one]
rate = "400Gb/s"

[fabrics.two]
rate = "200Gb/s"
planes = 2
jobs = ["ring"]
cases = ["healthy", "slow"]

[jobs.ring]
workload = "all-reduce"
size = "64KiB"

[jobs.flows]
workload = "permutation"
size = "64KiB"
cases = ["healthy", "slow"]

[cases.healthy]

[cases.slow]
fail = "cables:1*0.1@0s"

[cases.late]
fail = "cables:1@1s"

[quick.fabrics.one]
rate = "100Gb/s"

[quick.jobs.ring]
cases = ["healthy"]
"""
CASES = ["one, ring, healthy", "one, ring, slow", "one, ring, late", "one, flows, healthy", "one, flows, slow",
         "two, ring, healthy", "two, ring, slow"]  # fmt: skip


def write(folder, text=STUDY):
    (folder / "small.toml").write_text(text)
    return str(folder / "small.toml")


def table(folder, name):
    with open(folder / name, newline="") as file:
        return list(csv.DictReader(file))


def test_cases_are_fabrics_jobs_and_conditions_that_are_for_each_other(tmp_path):
    found = study_file.read_study(write(tmp_path))
    assert list(found.cases) == CASES
    assert found.cases["two, ring, slow"] == {
        "rate": "200Gb/s", "planes": 2, "workload": "all-reduce", "size": "64KiB", "fail": "cables:1*0.1@0s"}  # fmt: skip
    assert found.parts["one, flows, slow"] == ("one", "flows", "slow")
    assert found.references == {
        "one, ring, slow": "one, ring, healthy", "one, ring, late": "one, ring, healthy",
        "one, flows, slow": "one, flows, healthy", "two, ring, slow": "two, ring, healthy"}  # fmt: skip


def test_quick_replaces_fabrics_and_what_a_job_is_for(tmp_path):
    found = study_file.read_study(write(tmp_path), quick=True)
    assert list(found.cases) == [case for case in CASES if "ring, slow" not in case and "late" not in case]
    assert found.cases["one, ring, healthy"]["rate"] == "100Gb/s"


def test_a_scheme_is_left_out_of_cases_in_which_it_does_not_work(tmp_path):
    found = study_file.read_study(write(tmp_path))
    points = [(point.labels["case"], point.labels["scheme"]) for point in found.runs()]
    assert len(points) == 3 * 5 + 2 * 2 and ("two, ring, healthy", "te") not in points
    assert list(found.left_out) == [("two, ring, healthy", "te"), ("two, ring, slow", "te")]
    assert found.left_out["two, ring, slow", "te"].startswith("planes=2: scheme te needs 1 or auto")


REFUSED = {  # a change of the study, and what is said
    ("[fabrics.one]", '[fabrics."one, two"]'): "fabrics: 'one, two': a name in one line without commas is needed",
    ("[cases.late]", '[cases.""]'): "cases: '': a name in one line without commas is needed",
    ("[fabrics.one]", '[fabrics.one]\njobs = ["ring"]'): "jobs.flows: is for none of the others, as their lists say",
    ('jobs = ["ring"]', 'jobs = ["rings"]'): "fabrics.two.jobs: rings: no such job (did you mean ring?); there are ring, flows",
    ('jobs = ["ring"]', "jobs = 2"): "fabrics.two.jobs: a list of names is needed",
    ('jobs = ["ring"]', "jobs = []"): "fabrics.two.jobs: a list of names is needed",
    ("[jobs.flows]", "[jobs.flows.cases]"): "jobs.flows.cases: a list of names is needed",
    ('reference = "healthy"', 'reference = "helthy"'): "reference=helthy: it is one of healthy, slow, late (did you mean",
    ('figure = "matrix"', "figure = 1"): 'figure: true, false or "matrix" is needed',
    ("[quick.jobs.ring]", "[quick.jobs.rings]"): "quick.jobs.rings: no such job (did you mean ring?); there are ring, flows",
    ("[fabrics.one]", "[fabrics.one]\nleaves = 4"): "leaves: is in [fabric] and in [fabrics.one]; one of them",
    ("[cases.slow]", '[cases.slow]\nsize = "1KiB"'): "size: is in [jobs.flows] and in [cases.slow]; one of them",
    ("[fabrics.one]", '[fabrics.one]\njobs = ["ring"]\ncases = ["late"]', '[jobs.ring]', '[jobs.ring]\ncases = ["slow"]',
     '[fabrics.two]', '[fabrics.other]\njobs = ["flows"]\ncases = ["late"]\n[fabrics.two]',
     'jobs = ["ring"]\ncases = ["healthy", "slow"]', 'jobs = ["ring"]\ncases = ["late"]',
     '[quick.jobs.ring]\ncases = ["healthy"]', ""): "no fabric, job and case are for each other",
}  # fmt: skip


@pytest.mark.parametrize("change", REFUSED, ids=lambda change: change[1].split("\n")[-1])
def test_cases_that_cannot_be_are_refused_in_one_line(tmp_path, change):
    text = STUDY
    for before, after in zip(change[::2], change[1::2]):
        assert before in text
        text = text.replace(before, after, 1)
    run = script("study", "--program", "/", write(tmp_path, text), "--quick", "--check-only", cwd=tmp_path)
    assert run.returncode == 1 and run.stdout == "" and run.stderr.count("\n") == 1
    assert REFUSED[change] in run.stderr, run.stderr


# --- Sentences of many schemes and cases -----------------------------------------------------------


def many(*means):
    """Schemes a, b, ... of three seeds, whose values are close to their means."""
    return Paired({name: {seed: mean * (1 + seed / 1000) for seed in range(3)} for name, mean in zip("abcdefghij", means)})


def test_schemes_that_are_clearly_worse_share_a_sentence():
    text = beside(many(100, 100, 150, 200, 110, 130, 140, 120), "a", metric_of("cct_ns", 1e5))
    assert text == "b the same. e, h, f, g, c and d are clearly longer, by 10.0 to 100.0 %"
    few = beside(many(100, 150, 200), "a", metric_of("cct_ns", 1e5))
    assert few.count("longer") == 2 and "clearly" not in few


def test_the_table_of_an_answer_marks_what_is_not_worse():
    cases = {"x": many(100, 100, 150, 200, 110, 130, 140), "y": many(200, 150, 150, 200, 300, 150, 150)}
    cases["y"].values.pop("g")
    rows = overview(cases, "abcdefg")
    assert rows[0] == ["Difference to the best mean", *"abcdefg"]
    assert rows[1] == ["x", "0.0 % *", "0.0 % *", "50.0 %", "100.0 %", "10.0 %", "30.0 %", "40.0 %"]
    assert rows[2] == ["y", "33.3 %", "0.0 % *", "0.0 % *", "33.3 %", "100.0 %", "0.0 % *", "-"]
    cases["x"].incomplete = {"b"}
    assert overview(cases, "abcdefg")[1][:3] == ["x", "0.0 % *", "did not finish"]
    alone = {"x": Paired({name: {1: 1.0} for name in "abcdefg"})}
    assert overview(alone, "abcdefg")[1] == ["x", *7 * ["0.0 %"]]  # one seed tells nothing apart
    assert overview({"x": many(1, 2)}, "ab") == []


def test_many_changes_of_order_are_counted():
    up, down = range(100, 170, 10), range(160, 90, -10)
    assert changes({"x": many(*up), "y": many(*down)}) == (
        "The order changes: 21 pairs of schemes clearly change places between two cases; means.csv has all means.")
    assert changes({"x": many(1, 2), "y": many(2, 1)}) == "The order changes: a beats b in x, and b beats a in y."


def test_names_of_lists_may_be_numbers(tmp_path):
    text = STUDY.replace('jobs = ["ring"]', "jobs = [7]").replace("[jobs.flows]", '[jobs.7]\nworkload = "tornado"\n[jobs.flows]')
    assert "two, 7, slow" in study_file.read_study(write(tmp_path, text)).cases


def test_ratios_say_how_much_worse_a_scheme_is():
    values = {"a": {1: 10.0}, "b": {1: 20.0}, "c": {1: 0.0}, "d": {}}
    assert ratio_of(Paired(values), "b", 10.0) == 2 and ratio_of(Paired(values, "higher"), "a", 20.0) == 2
    assert all(math.isnan(ratio_of(Paired(values), scheme, 10.0)) for scheme in "cde")
    assert math.isnan(ratio_of(Paired(values), "a", 0.0)) and math.isnan(ratio_of(Paired(values, incomplete="a"), "a", 10.0))


@needs_program
def test_a_metric_that_is_0_has_no_figure_of_faults(tmp_path):
    text = STUDY.replace('figure = "matrix"', 'figure = "matrix"\nmetric = "drops"')
    run = script("study", "--program", str(PROGRAM), write(tmp_path, text), "--out=out", "--seeds=1", cwd=tmp_path)
    assert run.returncode == 0 and "gave the result" not in run.stdout, run.stderr
    assert (tmp_path / "out/small.png").is_file() and not (tmp_path / "out/small-faults.png").exists()


def test_means_of_ratios_are_geometric():
    assert mean_ratio([1, 4]) == pytest.approx(2) and mean_ratio([1.0, float("nan")]) != mean_ratio([1.0, float("nan")])


# --- The whole -------------------------------------------------------------------------------------


@needs_program
def test_a_study_of_several_fabrics_has_costs_and_two_figures(tmp_path):
    run = script("study", "--program", str(PROGRAM), write(tmp_path), "--out=out", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    out, text = tmp_path / "out", re.sub(r"\s+", " ", run.stdout)
    assert "te is left out of two, ring, healthy and two, ring, slow: planes=2: scheme te needs 1 or auto" in text
    assert "Each run of one, ring, late gave the result of one, ring, healthy" in text
    costs = {(row["case"], row["scheme"]): row for row in table(out, "costs.csv")}
    assert len(costs) == 3 * 3 + 2 and costs["one, ring, slow", "ecmp"]["reference"] == "one, ring, healthy"
    assert float(costs["one, ring, late", "ofan"]["cost"]) == 0 < float(costs["one, ring, slow", "ofan"]["cost"])
    means = {(row["case"], row["scheme"]): float(row["cct_ns"]) for row in table(out, "means.csv")}
    assert len(means) == 19
    svg = (out / "small.svg").read_text()
    ratio = means["one, ring, slow", "ofan"] / min(means["one, ring, healthy", scheme] for scheme in ("ecmp", "te", "ofan"))
    assert f"<!-- {ratio:.2f} -->" in svg and svg.count("<!-- · -->") == 2 and "<!-- slow -->" in svg
    faults = (out / "small-faults.svg").read_text()
    assert "<!-- worst fault -->" in faults and "<!-- left out -->" in faults and "<!-- two -->" in faults
    for name in ("small.png", "small.pdf", "small-faults.png", "small-faults.pdf"):
        assert (out / name).stat().st_size > 1000
