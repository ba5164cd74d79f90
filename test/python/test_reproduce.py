# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Sweeps that resume, verdicts, the list of figures, and the laws that figures draw."""

import io
import math
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path

import pytest
from harness import part

pandas = pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

ROOT = Path(__file__).resolve().parents[2]
BIN_DIR = os.environ.get("AI_FABRIC_BIN_DIR")
PROGRAM = Path(BIN_DIR or "") / "ai-fabric-run"
REPRODUCE = ROOT / "contrib/ai_fabric/reproduce"
PREFIXES = {"balancing": "", "fluid": "", "hardware": "", "planes": ""}  # of the names of figures; those of others are their folders
FIGURES = sorted(
    PREFIXES.get(path.parent.name, f"{path.parent.name}-") + path.stem.replace("_", "-")
    for path in REPRODUCE.glob("figures/*/*.py")
)

from ai_fabric.reproduce.figures.balancing import (
    fig1, fig2, fig3, fig4, fig5, fig6, fig7, fig8, fig9, fig10, fig11,
    fig12, fig13, fig14, fig16, fig17, fig18, partial, table3, targets,
)
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.sweep.grid import Case
from ai_fabric.reproduce.papers.balancing import BalancingStudy, reference, reps_panels
from ai_fabric.runs.run_json import flatten
from ai_fabric.sweep.runner import STALLED, Runner, RunError, name_of, read_results, remove_leftovers
from ai_fabric.reproduce.study import EQUAL_PACKETS, Planned, beside, bytes_of
from ai_fabric.reproduce.verdicts import ratio_of


def calls(log):
    return sorted(log.read_text().split())


def runs_in(folder, **more):
    return {folder / str(size): {"size": size, **more} for size in (1, 2, 3)}


# --- Sweeps ---------------------------------------------------------------------------------------


def test_a_sweep_runs_all_once_and_then_nothing(tmp_path, fake):
    program, log = fake
    screen = io.StringIO()
    Runner(program, 2, screen).run_all(runs_in(tmp_path / "out"))
    assert calls(log) == ["1", "2", "3"]
    assert "3 of 3 runs" in screen.getvalue()
    again = io.StringIO()
    Runner(program, 2, again).run_all(runs_in(tmp_path / "out"))
    assert calls(log) == ["1", "2", "3"]
    assert "3 of 3 runs, 3 were there" in again.getvalue()


def test_an_interrupted_sweep_goes_on_where_it_was(tmp_path, fake):
    program, log = fake
    out = tmp_path / "out"
    Runner(program, 1, io.StringIO()).run_all(runs_in(out))
    (out / "2" / "run.json").unlink()
    (out / "2" / f".partial-{dead_process()}").mkdir()  # what a run that was killed leaves
    Runner(program, 1, io.StringIO()).run_all(runs_in(out))
    assert calls(log) == ["1", "2", "2", "3"]
    assert sorted(path.name for path in out.iterdir()) == ["1", "2", "3"]
    assert [path.name for path in (out / "2").iterdir()] == ["run.json"]


def dead_process():
    """The number of a process that was."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_leftovers_of_killed_runs_go_and_others_stay(tmp_path):
    dead, alive = dead_process(), os.getpid()
    for process in (dead, alive):
        (tmp_path / f".partial-{process}").mkdir()
    remove_leftovers(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [f".partial-{alive}"]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"results": 3}', "\xff"])
def test_a_damaged_result_is_none(tmp_path, fake, text):
    program, log = fake
    out = tmp_path / "out"
    Runner(program, 1, io.StringIO()).run_all(runs_in(out))
    (out / "2" / "run.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(RunError, match="is damaged"):
        read_results(out / "2")
    Runner(program, 1, io.StringIO()).run_all(runs_in(out))
    assert calls(log) == ["1", "2", "2", "3"]
    assert read_results(out / "2")["completed"]


def test_results_that_are_gone_are_not_those_of_a_stalled_run(tmp_path):
    with pytest.raises(RunError, match="gone has no results"):
        read_results(tmp_path / "gone")


def test_two_sweeps_at_a_time_wait_for_each_other(tmp_path, fake):
    program, log = fake
    runs = runs_in(tmp_path / "out", do="slow")
    sweeps = [Runner(program, 2, io.StringIO()) for _ in range(2)]
    threads = [threading.Thread(target=sweep.run_all, args=[runs]) for sweep in sweeps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls(log) == ["1", "2", "3"]
    assert all(read_results(folder)["completed"] for folder in runs)


def test_a_sweep_that_is_terminated_ends_its_runs(tmp_path, fake):
    program, log = fake
    script = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1])\n"
        "from ai_fabric.sweep.runner import Runner, exit_on_terminate\n"
        "exit_on_terminate()\n"
        "runs = {Path(sys.argv[3]) / name: {'do': 'sleep', 'size': name} for name in 'ab'}\n"
        "Runner(sys.argv[2], 1).run_all(runs)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, ROOT / "contrib", program, tmp_path / "out"])
    while not calls(log) and process.poll() is None:
        time.sleep(0.01)
    run = int((tmp_path / "process").read_text())
    process.terminate()
    assert process.wait(timeout=10) == 128 + signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        os.kill(run, 0)
    assert calls(log) == ["a"]


def test_results_of_an_older_build_are_not_taken(tmp_path, fake):
    program, log = fake
    Runner(program, 1, io.StringIO()).run_all(runs_in(tmp_path / "out"))
    newer = max(path.stat().st_mtime for path in (tmp_path / "out").rglob("run.json")) + 1
    os.utime(program, (newer, newer))
    Runner(program, 1, io.StringIO()).run_all(runs_in(tmp_path / "out"))
    assert calls(log) == ["1", "1", "2", "2", "3", "3"]


def test_a_run_that_fails_does_not_stop_the_others(tmp_path, fake):
    program, log = fake
    runs = runs_in(tmp_path / "out")
    first = next(iter(runs))
    runs[first] = {**runs[first], "do": "fail"}
    with pytest.raises(RunError) as failed:
        Runner(program, 1, io.StringIO()).run_all(runs)
    message = str(failed.value)
    assert message.startswith("1 of 3 runs failed; the first: --do=fail: no; for more: ")
    assert len(message.splitlines()) == 1
    command = shlex.split(message.partition("for more: ")[2])
    assert command == [str(program), "--threads=1", "--size=1", "--do=fail", f"--out={first}"]
    assert calls(log) == ["1", "2", "3"]
    assert not first.exists()


def test_a_run_that_says_nothing_and_fails(tmp_path, fake):
    run = Runner(fake[0], 1, io.StringIO())
    with pytest.raises(RunError, match=r"the first: status -9, and nothing said; for more: "):
        run.run_all({tmp_path / "out": {"do": "die"}})


def test_a_run_that_stalls_is_a_result_and_not_repeated(tmp_path, fake):
    program, log = fake
    runs = runs_in(tmp_path / "out", do="stall")
    Runner(program, 1, io.StringIO()).run_all(runs)
    Runner(program, 1, io.StringIO()).run_all(runs)
    assert calls(log) == ["1", "2", "3"]
    for folder in runs:
        assert (folder / STALLED).read_text().startswith("stalled after")
        assert read_results(folder) == {"completed": False}


def test_a_folder_is_named_by_its_options():
    assert name_of({"b": 1, "a": "x"}) == name_of({"a": "x", "b": 1}) == "a=x,b=1"
    assert name_of({"ns3::aifabric::HostDrBalancer::Order": "Random"}) == "HostDrBalancer.Order=Random"
    assert "/" not in name_of({"flows": "a/b.csv"})
    names = {name_of({f"ns3::x::{'A' * 200}": value}) for value in range(50)}
    assert len(names) == 50 and max(map(len, names)) < 200


def test_flatten():
    assert flatten({"a": 1, "b": {"c": 2, "d": {"e": 3}}}) == {"a": 1, "b.c": 2, "b.d.e": 3}


# --- Studies --------------------------------------------------------------------------------------


def make_study(tmp_path, program, **options):
    return BalancingStudy("figX", "A figure", str(program), tmp_path / "out", seeds=2, jobs=1, **options)


def test_a_study_runs_cases_with_all_seeds(tmp_path, fake):
    program, log = fake
    study = make_study(tmp_path, program)
    table = study.run(study.sweep(scheme=["rsq", "jsq"], size={size: {"size": size} for size in (1, 2)}))
    assert calls(log) == ["1", "1", "2", "2"]  # jsq is not in this program
    assert list(table.scheme.unique()) == ["rsq"] and list(table.seed) == [1, 2, 1, 2]
    assert table.max_queue_data_packets.tolist() == [2.0] * 4
    means = study.means(table, ["scheme", "size"], ["cct_ns"])
    assert means.cct_ns.tolist() == [15, 15] and means.completed.tolist() == [2, 2]


def test_a_sweep_is_the_product_of_its_axes(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    sizes = {1: {"size": "1KiB"}, 2: {"size": "2KiB", "mtu": 9000}}
    cases = study.sweep({"mtu": 1024, "acks": "bypass"}, scheme=["rsq", "ofan"], size=sizes, setting=["here"])
    assert [case.labels for case in cases] == [
        {"scheme": scheme, "size": size, "setting": "here"} for scheme in ("rsq", "ofan") for size in (1, 2)
    ]
    common = {"k": 8, "acks": "bypass", "balancer": "rsq"}
    assert [case.options for case in cases[:2]] == [
        {**common, "mtu": 1024, "size": "1KiB"}, {**common, "mtu": 9000, "size": "2KiB"}
    ]
    (case,) = study.sweep(lambda case: {"size": 2 * case.m}, scheme={"mine": {"balancer": "jsq"}}, m={3: {"size": 3}})
    assert case.options == {"k": 8, "balancer": "jsq", "size": 6}


def test_columns_of_a_table_are_results_or_functions_of_the_runs(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    cases = study.sweep(scheme=["rsq"], size={size: {"size": size} for size in (1, 2)})
    columns = {"time_us": "cct_us", "twice": lambda runs: 2 * runs.cct_ns, "none": "policies.of_others"}
    means = study.tabulate(cases, ["size"], columns, seeds=1)
    assert means["size"].tolist() == [1, 2] and means.completed.tolist() == [1, 1]
    assert means.time_us.tolist() == [0.01, 0.01] and means.twice.tolist() == [20, 20] and means.none.isna().all()
    assert study.tabulate(cases, ["scheme"], ["cct_ns"]).cct_ns.tolist() == [15]


def test_what_others_have_measured_stands_beside(tmp_path):
    means = pandas.DataFrame({"scheme": ["a", "b", "c"], "m": [1, 1, 2]})
    found = beside(means, ["scheme", "m"], {("a", 1): (5, 6), ("b", 1): 7}, "longest", "mean")
    assert found.longest.fillna(0).tolist() == [5, 7, 0] and found["mean"].fillna(0).tolist() == [6, 0, 0]


def test_schemes_of_the_user(tmp_path, fake):
    program, _ = fake
    assert make_study(tmp_path, program, also=["ofan"]).schemes(["rsq"]) == ["rsq", "ofan"]
    assert make_study(tmp_path, program, only=["ofan"]).schemes(["rsq", "ofan"]) == ["ofan"]
    for option in ("also", "only"):
        with pytest.raises(RunError, match=f"--{option}: mine is none of rsq, ofan, host-dr-random"):
            make_study(tmp_path, program, **{option: ["mine"]})
    with pytest.raises(RunError, match="nothing to run: figX compares rsq"):
        make_study(tmp_path, program, only=["ofan"]).schemes(["rsq"])
    assert not (tmp_path / "out").exists()


def test_a_study_of_which_no_run_completes(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    cases = study.sweep(scheme=["rsq"], do={"stall": {"do": "stall"}})
    with pytest.raises(RunError, match="none of 2 runs completed; stalled after 1 ns"):
        study.run(cases)


def test_there_is_no_mean_where_a_run_did_not_complete(tmp_path, fake):
    program, _ = fake
    study = make_study(tmp_path, program)
    table = study.run(study.sweep(scheme=["rsq"], do={what: {"do": what} for what in ("go", "stall")}))
    means = study.means(table, ["do"], ["cct_ns"]).set_index("do")
    assert means.loc["go", "cct_ns"] == 15 and means.loc["go", "completed"] == 2
    assert math.isnan(means.loc["stall", "cct_ns"]) and means.loc["stall", "completed"] == 0


def test_verdicts(tmp_path, fake, capsys):
    program, _ = fake
    study = make_study(tmp_path, program)
    study.run(study.sweep(scheme=["rsq"], size={1: {"size": 1}}))
    study.claim("one is one", "1", 1.0, True)
    study.claim("one is two", "2", 1.0, False)
    study.claim("nothing is one", "1", float("nan"), False)
    study.claim_near("near", 100, 114, percent=15)
    study.claim_near("far", 1.0, 1.6, points=0.5)
    assert [verdict.holds for verdict in study.verdicts] == [True, False, None, True, False]
    study.finish()
    lines = capsys.readouterr().out.splitlines()
    assert [cell.strip() for cell in lines[0].split("|")] == [
        "claim", "expected", "measured", "interval", "n", "holds?",
    ]
    words = [line.split("|")[5].strip() for line in lines[1:7]]
    assert words == ["yes", "NO", "not measured", "yes", "NO", "yes"]
    assert (study.folder / "figX-verdicts.csv").read_text().startswith("claim,expected,measured")


def test_quick_verdicts_are_those_of_a_smaller_fabric(tmp_path, fake, capsys):
    full, quick = make_study(tmp_path, fake[0]), make_study(tmp_path, fake[0], quick=True)
    for study in full, quick:
        study.run(study.sweep(scheme=["rsq"], size={1: {"size": 1}}))
        study.claim("one is two", "2", 1.0, False)
        study.finish()
        path = study.folder / "figX-verdicts.csv"
        assert pandas.read_csv(path).quick.tolist() == ["yes" if study.quick else "no"] * 2
    usual, small = capsys.readouterr().out.split("claim  ")[1:]
    assert full.folder == tmp_path / "out" / "figX" and "--quick" not in usual
    assert quick.folder == tmp_path / "out" / "figX-quick"
    assert "holds at the size of --quick?" in small and "without --quick before you" in small
    assert "A figure; this was --quick, with 16 hosts\n" in small
    assert quick.caption("k = 4").endswith("--quick (16 hosts): not the figure's size")
    assert "--quick" not in full.caption("k = 8")


def test_a_run_below_the_bound_is_noticed(tmp_path, fake):
    program, _ = fake
    study = make_study(tmp_path, program)
    table = study.run(study.sweep(scheme=["rsq"], size={1: {"size": 1}}))
    study.runs = table.assign(completion_bound_ns=11.0)
    study.finish()
    assert study.verdicts[-1].holds is False


def test_the_ranking_of_the_study(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    study.claim_ranking("here", pandas.Series({"ofan": 1.0, "host-dr": 2.0, "rsq": 3.0}))
    study.claim_ranking("here", pandas.Series({"ofan": 2.5, "host-dr": 2.0, "rsq": 3.0}))
    study.claim_ranking("here", pandas.Series({"ofan": 1.0, "host-dr": 4.0, "rsq": 3.0}))
    study.claim_ranking("here", pandas.Series({"ofan": 1.0, "rsq": 3.0}))  # nothing to be said
    study.claim_ranking("here", pandas.Series({"ofan": 1.0, "host-dr": 2.0}))
    assert [verdict.holds for verdict in study.verdicts] == [True, False, False]


def test_nothing_is_said_of_what_was_not_run(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    study.claim_ofan_best("here", pandas.Series({"ecmp": 1.0, "rsq": 2.0}))
    study.claim_ofan_best("here", pandas.Series({"ofan": 1.0}))
    assert study.verdicts == []
    study.claim_ofan_best("here", pandas.Series({"ofan": 1.0, "rsq": 2.0}))
    study.claim_ofan_best("here", pandas.Series({"ofan": 3.0, "rsq": 2.0}))
    assert [verdict.holds for verdict in study.verdicts] == [True, False]


def test_figure_1_of_one_scheme_counts_no_packet_schemes(tmp_path, fake):
    study = make_study(tmp_path, fake[0], quick=True)
    means = pandas.DataFrame({"matrix": fig1.MATRICES, "scheme": "ecmp", "increase_percent": 1.0})
    means["reference_percent"] = math.nan
    fig1.judge(study, means)
    assert study.verdicts == []


def test_figure_1_compares_with_the_reference_model(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    rows = [("all-to-all", "rsq", 0.3), ("permutation", "rsq", 11.0), ("permutation", "ofan", 2.9)]
    means = pandas.DataFrame(rows, columns=["matrix", "scheme", "increase_percent"])
    means = study.with_reference(means)
    assert means.reference_percent.fillna(0).tolist() == [0, 11.5, 1.8]
    fig1.judge(study, means)
    judged = {v.claim: v.holds for v in study.verdicts if "reference model" in v.claim}
    assert list(judged.values()) == [True, False]


def test_the_reference_model_is_of_one_fabric():
    assert reference.completion(8, "permutation", bytes_of("4MiB"), "rsq") == 8.1
    assert reference.completion(8, "all-to-all", bytes_of("64KiB"), "ofan") == 0.85
    for case in ((4, "permutation", 1024**2, "rsq"), (8, "permutation", 1, "rsq")):
        assert math.isnan(reference.completion(*case))
    assert math.isnan(reference.completion(8, "permutation", 1024**2, "mine"))


def verdicts_of(study, words):
    """What the verdicts say whose claim has some words."""
    return [verdict.holds for verdict in study.verdicts if words in verdict.claim]


def gains(columns, **schemes):
    """A table of completion times over a bound, a row a scheme."""
    return pandas.DataFrame.from_dict(schemes, orient="index", columns=columns, dtype=float)


def test_an_order_is_a_text(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    values = pandas.Series({"a": 1.0, "b": 2.0, "c": 3.0, "d": math.nan})
    study.claim_order("two", "b < a", values)
    study.claim_order("equal", "a <= twin", {"a": 1.0, "twin": 1.0})
    study.claim_order("the rest", "a < others", values)
    study.claim_order("the rest above", "c > others", values)
    study.claim_order("one is missing", "a < e", values)
    study.claim_order("nobody is left", "a < others", values[["a", "d"]])
    assert [(verdict.measured, verdict.holds) for verdict in study.verdicts] == [
        ("2, 1", False), ("1, 1", True), ("1, 2 (b)", True), ("3, 2 (b)", True)
    ]


def test_claims_of_several_values(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    values = pandas.Series({"here": 0.9, "there": 1.25})
    study.claim("both", "near 1", [0.9, 1.25], True)
    study.claim_best("best", "here", values, "{:.3g} us")
    study.claim_best("best", "there", values)
    study.claim_best("alone", "here", values[["here"]])
    study.claim_least("least", "1 or more", values)
    study.claim_least("both ends", "above 0.5", values, with_most=True)
    study.claim_trend("trend", "falling", values)
    study.claim_trend("trend", "growing", values)
    study.claim_trend("alone", "growing", values[["here"]])
    study.claim("not run", "above 0", ratio_of(values, "here", "nowhere"))
    study.claim_near("not run", 1, ratio_of(values, "nowhere", "here"), percent=5)
    study.claim_near("run", 0.72, ratio_of(values, "here", "there"), percent=5)
    assert [(verdict.measured, verdict.holds) for verdict in study.verdicts] == [
        ("0.9, 1.25", True), ("here (0.9 us)", True), ("here", False), ("0.9 (here)", False),
        ("0.9 (here) and 1.25 (there)", True), ("0.9, 1.25", False), ("0.9, 1.25", True), ("0.9", None), ("0.72", True),
    ]


def test_a_picture_is_panels_of_parts(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    seen = []
    parts = ("set_ylim", 0, 4), (lambda axes, *more: seen.append((axes.get_ylim(), *more)), "a", "b")
    study.caption = lambda scenario, seeds: f"{scenario}, {seeds}"
    study.folder.mkdir(parents=True)
    right = Panel("right", "x", "", lambda axes: axes.invert_yaxis())
    study.draw([Panel("left", "x", "y", *parts), right], "here", suffix="-more", seeds=3)
    assert seen == [((0, 4), "a", "b")] and study.files == [study.folder / "figX-more.png"]
    assert study.files[0].exists()


def test_panels_name_their_outer_axes_and_options_of_axes(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    study.caption = lambda scenario, seeds: scenario
    study.folder.mkdir(parents=True)
    names, lines = [], []
    look = lambda axes: (names.append(axes), lines.append(axes.lines[0].get_color()))
    shown = [Panel("", "x", "y", ("axvline", 2, {"color": "red", "label": "two"}), look) for _ in range(4)]
    study.draw(shown, "here", rows=2, outer=True)
    assert lines == ["red"] * 4
    assert [axes.get_xlabel() + axes.get_ylabel() for axes in names] == ["y", "", "xy", "x"]


@pytest.mark.parametrize("others, holds", [(50, [True, True]), (30, [False, True]), (70, [True, False])])
def test_figure_3_says_no(tmp_path, fake, others, holds):
    study = make_study(tmp_path, fake[0])
    fig3.judge(study, "here", pandas.Series({"reps": 40.0, "rr": others, "switch-ar": 60.0}))
    assert [verdict.holds for verdict in study.verdicts] == holds


@pytest.mark.parametrize(
    "reps, adaptive, holds",
    [
        ((5, 20, 60), (4, 9, 400), [True, True, True]),
        ((5, 20, 500), (4, 4, 400), [True, False, False]),
        ((12, 20, 60), (4, 9, math.nan), [False, True, True]),  # a run stalled
    ],
)
def test_figure_4_says_no(tmp_path, fake, reps, adaptive, holds):
    study = make_study(tmp_path, fake[0])
    table = gains(["0ns", fig4.ROUND_TRIP, "never"], **{"reps": reps, "switch-ar": adaptive})
    fig4.judge(study, "permutation", table)
    assert [verdict.holds for verdict in study.verdicts] == holds


@pytest.mark.parametrize("random, robin, holds", [((4, 9), (5, 8), [True, True]), ((4, 3), (5, 30), [False, False])])
def test_figure_5_says_no(tmp_path, fake, random, robin, holds):
    study = make_study(tmp_path, fake[0])
    rows = [("host-random", 0, random[0]), ("host-random", 0.01, random[1])]
    rows += [("rr", 0, robin[0]), ("rr", 0.01, robin[1])]
    fig5.judge(study, "here", pandas.DataFrame(rows, columns=["scheme", "f", "over_percent"]))
    assert [verdict.holds for verdict in study.verdicts] == holds


@pytest.mark.parametrize(
    "robin, ofan, holds",
    [
        ((1, 1, 3, 3.5), (1, 1, 1, 1), [True, True]),
        ((1, 1.2, 3, 3.5), (1, 1, 1.3, 1), [False, False]),
        ((1, 1, 1, 1.2), (1, 1, 1, 1), [False, True]),
    ],
)
def test_figure_7_says_no(tmp_path, fake, robin, ofan, holds):
    study = make_study(tmp_path, fake[0], quick=True)
    fig7.judge(study, gains(fig7.STAGES, **{"simple-rr": robin, "ofan": ofan}), 256, "1 MB")
    assert [verdict.holds for verdict in study.verdicts] == holds


@pytest.mark.parametrize("adaptive, ofan, holds", [((1, 9), 1, [True, True]), ((8, 9), 7, [False, False])])
def test_figure_9_says_no(tmp_path, fake, adaptive, ofan, holds):
    study = make_study(tmp_path, fake[0])
    values = {"ofan": (ofan, ofan), "reps": (5, 5), "switch-ar": adaptive}
    rows = [("permutation", name, seed, values[name][seed]) for name in values for seed in (0, 1)]
    table = pandas.DataFrame(rows, columns=["matrix", "scheme", "seed", "increase_percent"])
    means = table.groupby(["matrix", "scheme"], as_index=False).mean()
    fig9.judge(study, means, table)
    assert [verdict.holds for verdict in study.verdicts] == holds


@pytest.mark.parametrize("percent, holds", [(4.9, True), (5.1, False)])
def test_figure_9_judges_levels_that_are_remembered(tmp_path, fake, percent, holds):
    study = make_study(tmp_path, fake[0])
    rows = [("permutation", "reps", 1, 5.0), ("permutation", fig9.CACHED, 1, percent)]
    table = pandas.DataFrame(rows, columns=["matrix", "scheme", "seed", "increase_percent"])
    fig9.judge(study, table, table)
    assert verdicts_of(study, "levels of up to 0.1 us ago") == [holds]
    assert study.options_of(fig9.CACHED)["balancer"] == "switch-ar"


@pytest.mark.parametrize("more, holds", [(0, True), (1, False)])
def test_figure_2_counts_switches(tmp_path, fake, more, holds):
    study = make_study(tmp_path, fake[0])
    rows = [(link, k, count(k) + more) for link, (_, count) in fig2.LINKS.items() for k in (4, 8)]
    means = pandas.DataFrame(rows, columns=["link", "k", "updated_switches"])
    means["counted"] = [fig2.LINKS[row.link][1](row.k) for row in means.itertuples()]
    fig2.judge(study, means)
    assert verdicts_of(study, "as counted") == [holds] * 2
    assert verdicts_of(study, "in other pods") == [True] * 2
    assert means.updated_switches.tolist()[:2] == [9 + more, 33 + more]


def leave_run(folder, m, paths):
    """Leaves what a run of two edges with two hosts each leaves, of which both flows of another edge
    end at edge 0. paths: by which link to that edge each of their packets goes."""
    folder.mkdir(parents=True)
    flows = ["source,destination", "2,0", "3,1", "0,2", "1,3"]
    (folder / "flows.csv").write_text("\n".join(flows) + "\n")
    rows = ["link,to,layer,frames_delivered"]
    for port in (0, 1):
        count = sum(path[:m].count(port) for path in paths)
        rows.append(f"a{port},pod0-edge-0:{2 + port},agg-down,{count}")
        rows.append(f"b{port},pod0-edge-1:{2 + port},agg-down,{m}")
        rows.append(f"c{port},pod0-agg-0:{port},core-down,7")
    (folder / "links.csv").write_text("\n".join(rows) + "\n")


@pytest.mark.parametrize(
    "paths, pairs, free",
    [
        ([[0, 0, 0, 0], [0, 0, 0, 0]], [1, 1, 1], [0.5, 0.5, 0.5]),
        ([[0, 0, 0, 0], [1, 1, 1, 1]], [0, 0, 0], [1, 1, 1]),
        ([[0, 0, 0, 1], [0, 1, 0, 1]], [1, 0, 0], [0.5, 1, 1]),
    ],
)
def test_figure_16_counts_pairs_in_windows(tmp_path, paths, pairs, free):
    rows = []
    for m in (1, 2, 4):
        folder = tmp_path / str(m)
        leave_run(folder, m, paths)
        rows.append(("jsq", 1, m, folder))
    table = pandas.DataFrame(rows, columns=["scheme", "seed", "m", "folder"])
    windows = fig16.windows_of(table, 2)
    assert windows.pairs.tolist() == pairs and windows.free.tolist() == free
    assert windows.full_edges.tolist() == [2, 2, 2]


def test_figure_16_says_no(tmp_path, fake):
    assert fig16.expected_pairs(8) == pytest.approx(48 * 124 / 127 * 120 / 126)
    assert fig16.no_collision(4) == pytest.approx(0.09375)
    for first, last, free, holds in ((46, 45, 0.1, True), (49, 39, 0.2, False)):
        study = make_study(tmp_path, fake[0])
        rows = [(name, m, pairs, free, 300) for name in ("jsq", "rsq") for m, pairs in ((1, first), (8, last))]
        means = pandas.DataFrame(rows, columns=["scheme", "m", "pairs", "free", "full_edges"])
        means.loc[3, "pairs"] = 4.7 if holds else 4.9
        fig16.judge(study, means)
        assert [verdict.holds for verdict in study.verdicts] == [holds] * 4


def test_standard_errors_stand_beside_the_targets(tmp_path, fake):
    table = pandas.DataFrame({"size": [1, 1, 2, 2], "percent": [1.0, 3.0, 5.0, 5.0]})
    assert targets.standard_errors(table, ["size"], "percent") == [1, 0]
    study = make_study(tmp_path, fake[0])
    size = 4 * 1024**2
    gain, errors = (pandas.DataFrame({"jsq": [value]}, index=[size]) for value in (31.0, 2.9))
    study.claim_reference(gain, {"jsq": {size: 31.6}}, errors)
    assert study.verdicts[0].measured == "31 +- 2.9 (furthest: 4 MiB)" and study.verdicts[0].holds


def test_the_theory_has_equal_packets(tmp_path, fake):
    for figure in (fig6, fig7, fig16, targets):
        study = make_study(tmp_path, fake[0])
        seen = []
        study.run = lambda cases, *_: seen.extend(cases) or (_ for _ in ()).throw(RunError("enough"))
        with pytest.raises(RunError, match="enough"):
            study.known = list(BalancingStudy.variants) + [*fig16.SCHEMES, *targets.SCHEMES, "reps"]
            figure.reproduce(study)
        assert seen and all(EQUAL_PACKETS.items() <= case.options.items() for case in seen)


def test_figure_10_says_no(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    sizes = [32 * 1024, 1024**2, 4 * 1024**2, 64 * 1024**2]
    ours = {"rsq": [5.7, 11.5, 8.1, 9], "reps": [6, 11, 9, 8], "ofan": [3.9, 1.8, 0.61, 0.1]}
    gain = pandas.DataFrame({"host-random": [6, 11, 8, 7], **ours}, index=sizes)
    fig10.judge_large(study, gain)
    assert verdicts_of(study, "rsq: the gap") == [False]
    assert verdicts_of(study, "ofan: the gap") == [True]
    assert verdicts_of(study, "reps loses") == [True]
    fig10.judge_large(study, gain.assign(reps=6.9))
    assert verdicts_of(study, "reps loses") == [True, False]
    references = {name: dict(zip(sizes[:2], [3.3, 1.8])) for name in ("ofan", "rsq")}
    study.claim_reference(gain, references)
    assert verdicts_of(study, "as the reference model") == [False, False]


def test_a_run_of_figure_10_that_stalled_is_no_claim_unmeasured(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    times = reference.COMPLETION["permutation"]["ofan"]
    gain = pandas.DataFrame({"ofan": times, "rsq": 2 * pandas.Series(times)})
    fig10.judge(study, "permutation", gain)
    fig10.judge(study, "permutation", gain.assign(ofan=gain.ofan.where(gain.index < 1024**2)))
    assert verdicts_of(study, "ofan: as the reference model") == [True, False]
    assert verdicts_of(study, "ofan: the gap") == [True, False]  # with two that stalled, one after the other


def judged_marks(study, red):
    """Whether RED speeds REPS up, and whether the ranking holds with it: reps and Host DR take 13.3
    and 0.87 at 4 MiB."""
    sizes = [1024**2, 4 * 1024**2]
    gain = pandas.DataFrame({"reps": [11.5, 13.3], "reps-red": [11.5, red]}, index=sizes)
    rows = [(size, *pair) for size in sizes for pair in (("ofan", 0.62), ("host-dr", 0.87))]
    others = pandas.DataFrame(rows, columns=["size", "scheme", "increase_percent"])
    reps_panels.judge_marks(study, "permutation", gain, others)
    return [verdict.holds for verdict in study.verdicts]


@pytest.mark.parametrize("red, holds", [(5.5, [True, True]), (13.4, [False, True]), (0.8, [True, False])])
def test_marks_of_reps_are_judged(tmp_path, fake, red, holds):
    assert judged_marks(make_study(tmp_path, fake[0]), red) == holds


@pytest.mark.parametrize(
    "short, long, increase, holds",
    [
        (0, 9, 5.3, [True, True, True]), (1, 9, 5.3, [False, True, True]), (0, 0, 5.3, [True, False, True]),
        (0, 9, 5.0, [True, True, False]), (0, 9, 4.5, [True, True, False]),
    ],
)
def test_timers_of_reps_are_judged(tmp_path, fake, short, long, increase, holds):
    study = make_study(tmp_path, fake[0])
    sizes = [1024**2, 16 * 1024**2]
    schemes = {"host-random": [11, 4.6], "reps": [11, 5], "reps-timer-100us": [11, increase]}
    freezes = pandas.Series([short, long], index=sizes)
    gain = pandas.DataFrame(schemes, index=sizes)
    reps_panels.judge_timer(study, "reps-timer-100us", gain, freezes)
    assert [verdict.holds for verdict in study.verdicts] == holds


def test_figure_11_says_no(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    payloads = [1024, 2048, 4096, 8192, 16384, 32768]
    for scheme, least in (("ofan", 2), ("rsq", 5)):
        for message, at in ((512 * 1024, 1), (16 * 1024**2, least)):
            times = [abs(place - at) ** 2 for place in range(len(payloads))]
            rows = pandas.DataFrame({"payload": payloads, "cct_us": times})
            rows = rows.assign(message=message, scheme=scheme)
            study.runs = pandas.concat([study.runs, rows])
    fig11.judge(study, study.runs)
    assert verdicts_of(study, "ofan: best payload for 0.5 MiB") == [True]
    assert verdicts_of(study, "ofan: best payload for 16 MiB") == [False]
    assert verdicts_of(study, "ofan: best payload grows") == [False]
    assert verdicts_of(study, "rsq: best payload grows") == [False]


def test_figure_12_says_no_of_schemes_that_are_not_close(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    fig12.judge(study, "here", pandas.Series({"rr": 5.0, "reps": 15.0, "ofan": 1.0}))
    fig12.judge(study, "here", pandas.Series({"rr": 5.0, "reps": 16.0, "ofan": 6.0}))
    assert verdicts_of(study, "close") == [True, False]
    assert verdicts_of(study, "ofan is the best") == [True, False]
    rows = [("here", "rr", 5.0), ("here", "reps", 16.0), ("here", "ecmp", 0.0)]
    means = pandas.DataFrame(rows, columns=["matrix", "scheme", "increase_percent"])
    assert fig12.with_close(means).close_percent.tolist() == pytest.approx([15.5] * 3)


def swift(scheme, message, fixed, swift):
    """Rows of figure 13's table."""
    rows = [(message, scheme, "fixed", fixed), (message, scheme, "m-swift", swift)]
    return pandas.DataFrame(rows, columns=["message", "scheme", "control", "increase_percent"])


@pytest.mark.parametrize(
    "rows, holds",
    [
        (swift("reps", "1MiB", 10, 11.9), [True]), (swift("reps", "1MiB", 10, 12.1), [False]),
        (swift("reps", "16MiB", 5, 4), [False]), (swift("reps", "16MiB", 5, 15), [True]),
        (swift("switch-ar", "16MiB", 5, 21), [False]), (swift("ofan", "16MiB", 0.2, 1.3), [False]),
        (swift("ofan", "16MiB", 0.2, math.nan), [None]), (swift("rr", "16MiB", 5, 50), []),
        (swift("mine", "1MiB", 5, 50), []),
    ],
)
def test_figure_13_judges_what_mswift_adds(tmp_path, fake, rows, holds):
    study = make_study(tmp_path, fake[0])
    means = fig13.with_claims(rows)
    fig13.judge(study, means)
    assert [verdict.holds for verdict in study.verdicts] == holds
    if True in holds:
        assert means.claim_least[1] <= means.increase_percent[1] <= means.claim_most[1]


def test_figure_8_judges_each_matrix_by_its_own_law(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    gain = pandas.Series({"ofan": 1.0, "host-dr": 3.0, "rsq": 2.0})
    fig8.judge(study, "permutation", "permutation", gain)
    fig8.judge(study, "all-to-all", "all-to-all", gain)
    assert [verdict.holds for verdict in study.verdicts] == [False, True]


def test_figure_14_has_the_bound_of_the_study():
    assert fig14.ideal_ns(256) == pytest.approx(17056.94, abs=0.005)  # which the study publishes
    assert fig14.ideal_ns(8) == pytest.approx(6545.98, abs=0.005)  # no packet waits for one of ACKs


def test_the_ring_of_figure_14(tmp_path, fake):
    """Each step is a permutation that is one circle, the same in each, and begins after the one
    before; runs differ by the placement."""
    study = fig14.PlacedStudy("fig14", "", str(fake[0]), tmp_path, seeds=2, quick=True)
    files = [fig14.ring_file(study, 16, "70B", placement) for placement in (1, 2)]
    assert files[0].read_text() != files[1].read_text()
    steps = tomllib.loads(files[0].read_text())["phase"][0]["steps"]
    assert len(steps) == 16 * fig14.STEPS and {step["bytes"] for step in steps} == {418 * 4096}
    following = [{step["from"]: step["to"] for step in steps[i : i + 16]} for i in (0, 16, 32)]
    assert following[0] == following[1] == following[2] and len(following[0]) == 16
    host, circle = 0, []
    while host not in circle:
        circle.append(host)
        host = following[0][host]
    assert len(circle) == 16 and circle != sorted(circle)
    waits = {host: [] for host in range(16)}
    for step in steps:
        for host in (step["from"], step["to"]):
            known = waits[host]
            assert step["after"] == [] if len(known) < 2 else set(step["after"]) <= set(known)
        number = int(step["name"].split()[1])
        assert step["after"] == ([f"even {number - 1}", f"odd {number - 1}"] if number else [])
        for host in (step["from"], step["to"]):
            waits[host].append(step["name"])
    assert all(len(set(names)) == 2 * fig14.STEPS for names in waits.values())


def test_the_ring_of_figure_14_is_not_written_again(tmp_path, fake):
    study = fig14.PlacedStudy("fig14", "", str(fake[0]), tmp_path, seeds=1, quick=True)
    path = fig14.ring_file(study, 16, "7B", 1)
    os.utime(path, (1, 1))
    assert fig14.ring_file(study, 16, "7B", 1).stat().st_mtime == 1
    path.write_text("damaged")
    assert fig14.ring_file(study, 16, "7B", 1).read_text() != "damaged"


@pytest.mark.parametrize("reps, holds", [([2, 20, 52], True), ([2, 20, 30], False), ([2, 1, 52], False)])
def test_figure_14_judges_the_gain_and_its_growth(tmp_path, fake, reps, holds):
    study = make_study(tmp_path, fake[0])
    rows = [
        (model, scheme, value, 90.0 if scheme == "ofan" else 80.0, 10.0 if scheme == "ofan" else 50.0)
        for model, value in zip(fig14.PACKETS, reps)
        for scheme, value in (("ofan", 1.0), ("reps", float(value)))
    ]
    means = pandas.DataFrame(rows, columns=["model", "scheme", *[*fig14.COLUMNS][:3]])
    fig14.judge(study, fig14.with_gain(means))
    gain, growth, used, queue = [verdict.holds for verdict in study.verdicts]
    assert (gain and growth) == holds and used and queue
    study.verdicts.clear()
    means.loc[means.scheme == "ofan", [*fig14.COLUMNS][1:3]] = 70.0, 60.0
    fig14.judge(study, fig14.with_gain(means))
    assert [verdict.holds for verdict in study.verdicts[2:]] == [False, False]


@pytest.mark.parametrize(
    "values, holds",
    [([20, 16, 12, 8, 4], False), ([20, 20, 19, 16, 4], True), ([20, 8, 6, 5, 4], True)],
)
def test_partial_deployment_is_linear_or_not(tmp_path, fake, values, holds):
    study = make_study(tmp_path, fake[0])
    rows = [("rr", share, float(value)) for share, value in zip(partial.SHARES, values)]
    means = pandas.DataFrame(rows, columns=["scheme", "upgraded_share", "increase_percent"])
    means = partial.with_benefit(means)
    assert means.benefit.iloc[0] == 0 and means.benefit.iloc[-1] == 1
    partial.judge(study, means)
    assert [verdict.holds for verdict in study.verdicts] == [holds]


@pytest.mark.parametrize(
    "scheme, added, target, holds",
    [
        ("reps-red", 11.7, 400, [True]), ("reps-red", 4.9, 400, [False]), ("switch-ar", 15.1, 400, [False]),
        ("ofan", 1.1, 400, [False]), ("ofan", math.nan, 400, [None]), ("switch-ar", 0.5, 955, []),
        ("reps", 72, 400, []),
    ],
)
def test_figure_13_judges_one_target(tmp_path, fake, scheme, added, target, holds):
    study = make_study(tmp_path, fake[0])
    rows = [(scheme, target, added)]
    means = pandas.DataFrame(rows, columns=["scheme", "target_ns", "added_points"])
    fig13.judge_targets(study, means)
    assert [verdict.holds for verdict in study.verdicts] == holds


def grown(scheme, powers, layers=(0,) * 5, setting="k = 8"):
    """A table of Table 3: queues that grow with powers of m."""
    columns = {"setting": setting, "scheme": scheme, "m": [64, 256, 1024]}
    means = pandas.DataFrame(columns)
    means["max_queue"] = 3.0 * means.m**powers
    for layer, power in zip(reference.LAYERS, layers):
        means[layer] = 1.0 * means.m**power
    return means


@pytest.mark.parametrize(
    "scheme, power, holds",
    [
        ("simple-rr", 1, True), ("simple-rr", 0.85, False), ("jsq", 1.3, True), ("jsq", 0.75, False),
        ("rsq", 0.5, True), ("rsq", 0.65, False), ("ofan", 0.05, True), ("ofan", 0.15, False),
    ],
)
def test_slopes_of_queues(tmp_path, fake, scheme, power, holds):
    study = make_study(tmp_path, fake[0])
    slopes = table3.slopes_of(grown(scheme, power))
    assert slopes.slope.tolist() == pytest.approx([power])
    fig6.claim_slope(study, "alone", scheme, slopes.slope)
    fig6.claim_slope(study, "with another", scheme, [*slopes.slope, 9 if power < 0.8 else 0.1])
    fig6.claim_slope(study, "not measured", scheme, [*slopes.slope, math.nan])
    assert [verdict.holds for verdict in study.verdicts] == [holds, False, None]


def test_table_3_has_a_verdict_for_all_sizes_and_one_for_acknowledgements(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    settings = {"k = 4": 0, "k = 8": 0.2, "k = 8, with acknowledgements": 0}
    tables = [grown("ofan", power, setting=setting) for setting, power in settings.items()]
    table3.judge_slopes(study, table3.slopes_of(pandas.concat(tables)))
    assert verdicts_of(study, "without acknowledgements, k = 4, k = 8") == [False]
    assert verdicts_of(study, "with them, k = 8") == [True]


def test_acknowledgements_are_not_counted_in_queues():
    table = pandas.DataFrame(
        {
            "setting": ["k = 8", "k = 8, with acknowledgements"],
            "max_queue_packets": [6, 11],
            "max_queue_data_packets": [5.0, 5.1],
        }
    )
    assert table3.largest_queue(table).tolist() == [6, 6.1]


@pytest.mark.parametrize(
    "layers, holds",
    [((0, 0, 1, 1, 0), True), ((0, 0.2, 1, 1, 0), False), ((0, 0, 0.5, 0.5, 0.5), False)],
)
def test_where_queues_grow(tmp_path, fake, layers, holds):
    study = make_study(tmp_path, fake[0], quick=True)
    table3.judge_layers(study, grown("simple-rr", 1, layers))
    table3.judge_layers(study, grown("rsq", 1, layers))  # no theorem says where
    assert [verdict.holds for verdict in study.verdicts] == [holds]


def test_layers_are_compared_with_the_reference_model(tmp_path, fake):
    for factor, holds in ((1.1, True), (0.8, False)):
        study = make_study(tmp_path, fake[0])
        means = grown("ofan", 0)
        for layer, value in zip(reference.LAYERS, reference.LAYER_QUEUE["ofan"]):
            means[layer] = value
        means.loc[means.m == 1024, "agg-down"] *= factor
        table3.judge_layers(study, means)
        assert [verdict.holds for verdict in study.verdicts] == [holds]


def test_figure_18_compares_queues_and_their_ratio(tmp_path, fake):
    for factor, holds in ((1, True), (1.2, False)):
        study = make_study(tmp_path, fake[0])
        most = pandas.DataFrame(reference.MAX_QUEUE_BY_RADIX)
        most.loc[16, "ofan"] *= factor
        most = fig18.with_ratios(most, ["host-dr"])
        most.insert(0, "hosts", most.index**3 // 4)
        fig18.judge(study, most, ["host-dr"])
        assert verdicts_of(study, "falls as hosts grow") == [True]
        assert verdicts_of(study, "ofan: at 16, 128, 1024 hosts") == [holds]
        assert verdicts_of(study, "host-dr: at 16, 128, 1024 hosts") == [True, holds]


def test_ratios(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    study.claim_ratio("near", [0.86, 1.14])
    study.claim_ratio("one is far", [1, 0.84])
    study.claim_ratio("one is missing", [1, math.nan])
    study.claim_ratio("near enough", [0.76], 3 / 4, 4 / 3)
    assert [verdict.holds for verdict in study.verdicts] == [True, False, None, True]


def test_figure_17_judges_only_what_it_has_a_model_of(tmp_path, fake):
    study = make_study(tmp_path, fake[0])
    rows = [[4, scheme, *[1.5] * 5] for scheme in ("flowlet", "host-dr", "host-dr-random", "ofan")]
    means = pandas.DataFrame(rows, columns=["k", "scheme", *fig17.LAYERS])
    models = {(4, scheme): fig17.model(scheme, 4) for scheme in ("host-dr", "host-dr-random", "ofan")}
    fig17.judge(study, means, models)
    judged = {verdict.claim.split(",")[0] for verdict in study.verdicts}
    assert judged == {"host-dr", "ofan"}


# --- The command ----------------------------------------------------------------------------------


def call(*arguments, cwd=ROOT):
    return subprocess.run(
        [*part("reproduce"), *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_list():
    run = call("--list")
    assert run.returncode == 0
    lines = run.stdout.splitlines()
    papers = [line for line in lines if not line.startswith(" ")]
    assert len(papers) == 14 and sum("arXiv" in line for line in papers) == 6
    figures = [line for line in lines if line.startswith(" ")]
    assert sorted(line.split()[0] for line in figures) == FIGURES
    kinds = ["(Fig", "(Table", "(targets", "Fig. 2)", "(the failure figures)", "(ours)", "(arXiv 2610", "405 billion"]
    kinds += ["PRIME", "REPS", "MRC", "planes", "public", "racks", "generations", "ESA", "DCQCN", "telemetry", "CONGA", "Swift"]
    kinds += ["ConWeave", "authors"]
    assert all(any(kind in line for kind in kinds) for line in figures)


@pytest.mark.parametrize("name", 
    ["fig99", "study", "__main__", "../fig6", "fig6.py", "FIG6", "figs", "table9", "ethereal", "ethereal_fig3"],
)
def test_a_figure_that_does_not_exist(tmp_path, name):
    run = call(name, "--out", str(tmp_path))
    assert run.returncode == 1 and run.stdout == ""
    assert len(run.stderr.splitlines()) == 1
    assert name in run.stderr and all(figure in run.stderr for figure in FIGURES)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["--quick", "--seeds=3", "--only=rsq", "--se=3"])
def test_a_figure_without_a_name(option):
    run = call(option)
    assert run.returncode == 1 and run.stdout == ""
    assert len(run.stderr.splitlines()) == 1


def test_the_shell_script_says_which_figures_there_are(tmp_path):
    run = subprocess.run([ROOT / "fabric", "reproduce", "fig99"], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 1
    assert len(run.stderr.splitlines()) == 1 and "fig6" in run.stderr


@pytest.mark.parametrize(("arguments", "near"), [(["plt"], "plot"), (["reproduce", "prime-degrade"], "prime-degraded")])
def test_the_shell_script_says_what_may_have_been_meant(tmp_path, arguments, near):
    run = subprocess.run([ROOT / "fabric", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert len(run.stderr.splitlines()) == 1 and f"(did you mean {near}?)" in run.stderr


def test_only_a_figure_needs_the_program():
    """./fabric builds the program if the status is 3."""
    assert call("--check", "fig6", "--quick").returncode == 3
    for arguments in (["--check"], ["--check", "--list"], ["--check", "fig6", "--help"]):
        run = call(*arguments)
        assert run.returncode == 0 and ("fig6" in run.stdout or "--quick" in run.stdout)
    assert call("--check", "fig99").returncode == call("fig6").returncode == 1


def test_a_dry_run_checks_and_runs_nothing(tmp_path, fake):
    program, log = fake
    study = BalancingStudy("x", "", program, tmp_path, seeds=3, dry_run=True)
    cases = [Case({"size": size}, {"size": size}) for size in (1, 2)]
    with pytest.raises(Planned):
        study.run(cases)
    assert calls(log) == []
    with pytest.raises(Planned):
        study.each(lambda study: study.run(cases), lambda study: study.run([Case({}, {"do": "slow"})]))
    with pytest.raises(RunError, match="--do=refuse"):
        study.run([*cases, Case({}, {"do": "refuse"})])
    assert calls(log) == []


def test_a_dry_run_of_a_figure(tmp_path, fake):
    run = call("fig6", "--quick", "--dry-run", f"--program={fake[0]}", f"--out={tmp_path / 'out'}", "--only=rsq")
    assert (run.returncode, run.stderr) == (0, "")
    assert re.fullmatch(r"\d+ runs, 0 there; the others take about .* \(\d+ at a time\)\n", run.stdout)
    assert calls(fake[1]) == []


def fails(*arguments, **options):
    """The one line that a call says that fails."""
    run = call(*arguments, **options)
    assert run.returncode == 1 and run.stdout == "", run.stderr
    assert run.stderr.startswith("reproduce: ") and len(run.stderr.splitlines()) == 1, run.stderr
    return run.stderr


@pytest.mark.parametrize(
    "option",
    [
        "--seeds=0", "--seeds=many", "--seeds=1e3", "--seeds=99999999999999999999", "--jobs=-1", "--jobs=0",
        "--nonsense", "--quick=yes", "--full=yes", "--out=", "fig7",
    ],
)
def test_bad_options(tmp_path, option):
    assert option.split("=")[0] in fails("fig6", option, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [["--list", "fig99"], ["fig99", "--list"]])
def test_a_list_of_a_figure_that_does_not_exist(arguments):
    assert "fig99" in fails(*arguments)


def test_a_program_that_does_not_run(tmp_path):
    out = tmp_path / "out"
    assert "does not run" in fails("fig6", f"--program={tmp_path / 'missing'}", f"--out={out}")
    assert "is not ai-fabric-run" in fails("fig6", "--program=/bin/true", f"--out={out}")
    assert not out.exists()


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["fig6", "--also=nonsense"], "--also: nonsense"),
        (["fig6", "--only=nonsense"], "--only: nonsense"),
        (["fig6", "--also="], "--also: names of balancers are needed"),
        (["fig6", "--only=,"], "--only: names of balancers are needed"),
        (["fig12", "--only=rsq"], "nothing to run"),
        (["fig18", "--only=ofan"], "nothing to run"),
        (["fig18", "--only=rsq"], "nothing to run"),
    ],
)
def test_schemes_that_cannot_be_compared(tmp_path, fake, arguments, words):
    out = tmp_path / "out"
    assert words in fails(*arguments, f"--program={fake[0]}", f"--out={out}")
    assert not out.exists()


@pytest.mark.slow
def test_a_folder_that_cannot_be(tmp_path, fake):
    file = tmp_path / "file"
    file.write_text("")
    for out in ("/dev/null/x", "/proc/x", str(file)):
        assert out in fails("fig6", "--only=rsq", f"--program={fake[0]}", f"--out={out}")


@pytest.mark.skipif(not (BIN_DIR and PROGRAM.exists()), reason="needs ai-fabric-run")
def test_a_disk_that_is_full(tmp_path):
    (tmp_path / "fig6-quick").mkdir()
    (tmp_path / "fig6-quick" / "fig6.csv").symlink_to("/dev/full")
    options = "--quick", "--seeds=1", "--only=rsq", f"--program={PROGRAM}", f"--out={tmp_path}"
    run = call("fig6", *options)
    assert run.returncode == 1
    last = run.stderr.splitlines()[-1]
    assert last == f"reproduce: {tmp_path}: No space left on device"


def test_a_scheme_twice_is_once():
    from ai_fabric.reproduce.__main__ import names

    assert names("flowlet,rsq,flowlet,") == ["flowlet", "rsq"]


@pytest.mark.slow
@pytest.mark.skipif(not (BIN_DIR and PROGRAM.exists()), reason="needs ai-fabric-run")
def test_a_figure_from_beginning_to_end(tmp_path):
    """Some of its claims may not hold in so small a fabric; the status is 0 all the same."""
    arguments = ("fig6", "--quick", "--seeds=1", "--program", str(PROGRAM), "--out", str(tmp_path))
    run = call(*arguments)
    assert run.returncode == 0, run.stderr
    folder = tmp_path / "fig6-quick"
    for name in ("fig6.csv", "fig6.png", "fig6-verdicts.csv"):
        assert (folder / name).stat().st_size > 100
    verdicts = [line for line in run.stdout.splitlines() if "|" in line]
    assert len(verdicts) > 3
    assert "were there" in call(*arguments).stderr


@pytest.mark.skipif(not (BIN_DIR and PROGRAM.exists()), reason="needs ai-fabric-run")
def test_a_balancer_of_the_user_in_the_same_table(tmp_path):
    """As the tutorial says: --also. Flowlet of the switch is in no figure."""
    options = ("--quick", "--seeds=1", "--only=rsq,flowlet", "--also=flowlet")
    run = call("fig1", *options, "--program", str(PROGRAM), "--out", str(tmp_path))
    assert run.returncode == 0, run.stderr
    table = pandas.read_csv(tmp_path / "fig1-quick" / "fig1.csv")
    assert sorted(table.scheme) == ["flowlet", "flowlet", "rsq", "rsq"]
    assert (table.completed == 1).all() and (table.increase_percent > 0).all()


# --- Laws that figures draw -----------------------------------------------------------------------


def test_mean_queue_of_periodic_streams():
    """Against a Monte Carlo simulation of N*D/D/1 at load 1 that was made apart from this."""
    simulated = {2: 1.25, 4: 1.61, 8: 2.12, 16: 2.85, 32: 3.88, 64: 5.35}
    for streams, mean in simulated.items():
        assert fig17.mean_queue(streams, streams) == pytest.approx(mean, abs=0.02)
    assert fig17.mean_queue(1, 1) == fig17.mean_over_ports(1, 1) == 1
    assert fig17.mean_over_ports(16, 1) == fig17.mean_queue(16, 16)
    assert fig17.mean_queue(1, 4) == 0.25  # nobody to wait for


@pytest.mark.parametrize("streams, period", [(2, 2), (3, 5), (6, 8), (16, 16)])
def test_mean_queue_is_that_of_a_simulation(streams, period):
    """Each stream has a packet a period, at a random phase: the mean time of a packet, times the
    rate."""
    generator = random.Random(1)
    times = []
    for _ in range(4000):
        phases = sorted(generator.uniform(0, period) for _ in range(streams))
        free = 0
        for arrival in [*phases, *(phase + period for phase in phases)]:
            free = max(free, arrival) + 1
            if arrival >= period:
                times.append(free - arrival)
    assert fig17.mean_queue(streams, period) == pytest.approx(streams / period * sum(times) / len(times), rel=0.03)


def test_best_payload():
    assert fig11.best_payload(512 * 1024) == pytest.approx(2073, abs=1)
    assert fig11.best_payload(16 * 1024**2) == pytest.approx(11729, abs=1)
    for message in (512 * 1024, 16 * 1024**2):
        best = fig11.best_payload(message)
        least = fig11.model_us(message, best)
        assert least < fig11.model_us(message, 0.9 * best)
        assert least < fig11.model_us(message, 1.1 * best)
