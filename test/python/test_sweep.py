# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""./fabric sweep: which runs a command line means, what becomes of them, and the tables."""

import ast
import csv
import io
import itertools
import json
import math
import os
import random
import re
import shlex
import signal
import statistics
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from harness import PROGRAM, ROOT, needs_program, part, script
from harness import call as run_program

pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

SWEEP = ROOT / "contrib/ai_fabric/sweep"

from ai_fabric.sweep import inputs
import pandas
from ai_fabric.sweep import runner
import test_inputs
from ai_fabric.sweep.grid import GridError, cases_of, expand_range, read_cases, read_seeds, runs_of, split_values
from ai_fabric.sweep.merge import means, numeric, rows_of, write_rows
from ai_fabric.report import sweep_page
from ai_fabric.sweep.plot_means import places_of
from ai_fabric.common.quantity import numbers, parse
from ai_fabric.sweep.runner import STALLED, ProgressBar, Runner, RunError, duration, name_of, read_results
from ai_fabric.common.safe_file import written_whole

# --- Values ---------------------------------------------------------------------------------------


VALUES = {
    "ofan,rsq": "ofan rsq",
    "8": "8",
    "1MiB,1MiB,2MiB": "1MiB 2MiB",
    r"none,a--b:1@10us\,c--d:2@5us-7us": "none a--b:1@10us,c--d:2@5us-7us",
    r"host-0\,core-0:1": "host-0,core-0:1",
    "2..8:2": "2 4 6 8",
    "1..3,7": "1 2 3 7",
    "64KiB..4MiB:x4": "64KiB 256KiB 1MiB 4MiB",
    "64..512KiB:x8": "64KiB 512KiB",
    "100ns..0.3us:100ns": "100ns 200ns 300ns",
    "0..0.05:0.01": "0 0.01 0.02 0.03 0.04 0.05",
    "100Gb/s..400Gb/s:x2": "100Gb/s 200Gb/s 400Gb/s",
    "1..10:x3": "1 3 9",
    "5..5": "5",
    "../flows.csv,a..b.csv": "../flows.csv a..b.csv",
    "1...3": "1...3",
}


def test_values():
    assert {text: " ".join(split_values(text)) for text in VALUES} == VALUES
    assert split_values("") == [""]


NO_VALUES = (
    "1, ,1 1,,2 8..2 1..9:0 1..9:x1 1..9:x0.5 0..9:x2 0.1..0.5 1KiB..1us:x2 1KiB..1MiB:1us 1KiB..1MiB:x2KiB "
    "1parsec..2parsec 0..1:0.000001"
)


def test_values_that_cannot_be():
    for text in NO_VALUES.split():
        with pytest.raises(GridError):
            split_values(text)


def test_any_values_survive_a_list():
    dice = random.Random(1)
    for _ in range(300):
        letters = "ab,.:@*%-=_/ 0"
        values = {"".join(dice.choices(letters, k=dice.randint(1, 9))) for _ in range(5)}
        values = sorted(value for value in values if expand_range(value) is None)
        text = ",".join(value.replace(",", "\\,") for value in values)
        assert split_values(text) == values


def test_a_range_is_what_arithmetic_says():
    dice = random.Random(2)
    units = ["B", "KiB", "MiB"]
    for _ in range(200):
        first, unit, other = dice.randint(1, 50), dice.choice(units), dice.choice(units)
        last, by = dice.randint(1, 5000), dice.randint(2, 9)
        low, high = parse(f"{first}{unit}")[0], parse(f"{last}{other}")[0]
        step = parse(f"{by}{unit}")[0]
        if low > high or (high - low) / step > 1000:
            continue
        sums = [parse(value)[0] for value in expand_range(f"{first}{unit}..{last}{other}:{by}")]
        assert sums == [low + i * step for i in range(int((high - low) / step) + 1)]
        products = [parse(value)[0] for value in expand_range(f"{first}{unit}..{last}{other}:x{by}")]
        assert products == [low * by**i for i in range(len(products))]
        assert products[-1] <= high < products[-1] * by


def test_quantities():
    assert parse("64KiB") == (65536, "bytes") and parse("0.5us") == (500, "ns")
    assert parse("800Gb/s") == parse("800Gbps") == (800 * 10**9, "b/s")
    assert parse("1500ps")[0] * 2 == 3 and parse("kB") is None and parse("5parsec") is None
    assert numbers(["1KiB", "2kB"]) == [1024, 2000]
    assert numbers(["0", "1us"]) == [0, 1000]
    assert numbers(["1us", "1KiB"]) is None and numbers(["auto", "1"]) is None


def test_seeds():
    seeds = {"1": [1], "3": [1, 2, 3], "3-5": [3, 4, 5], "0-0": [0]}
    assert {text: list(read_seeds(text)) for text in seeds} == seeds
    for text in "0", "", "-3", "5-3", "1,2", "many", "1e3", "99999999999999", "1-":
        with pytest.raises(GridError, match="--seeds="):
            read_seeds(text)


# --- Cases ----------------------------------------------------------------------------------------


def test_every_combination_once():
    dice = random.Random(3)
    for _ in range(50):
        lists = {name: [str(i) for i in range(dice.randint(1, 4))] for name in "abcd"[: dice.randint(1, 4)]}
        cases = cases_of({name: ",".join(values) for name, values in lists.items()}, {"k": "4"})
        assert [tuple(case.labels.values()) for case in cases] == list(itertools.product(*lists.values()))
        assert all(case.options == {"k": "4", **case.labels} for case in cases)


def test_cases_without_any_option():
    [case] = cases_of({}, {"k": "4"})
    assert case.labels == {} and case.options == {"k": "4"}


def write_cases(tmp_path, text):
    path = tmp_path / "cases.csv"
    path.write_bytes(text.encode())
    return path


def test_cases_of_a_file(tmp_path):
    order = "ns3::aifabric::HostDrBalancer::Order"
    text = f'\ufeffbalancer, {order},fail\r\nhost-dr,Random,"a@1us,b@2us"\r\n\r\nofan,,none\r\n'
    rows = read_cases(write_cases(tmp_path, text))
    assert rows == [
        {"balancer": "host-dr", order: "Random", "fail": "a@1us,b@2us"},
        {"balancer": "ofan", order: "", "fail": "none"},
    ]
    cases = cases_of({"size": "1KiB,2KiB"}, {"k": "4"}, rows)
    assert len(cases) == 4
    assert cases[3].labels == {**rows[1], "size": "2KiB"}
    assert cases[3].options == {"k": "4", "balancer": "ofan", "fail": "none", "size": "2KiB"}


def test_a_number_is_the_name_of_no_file(tmp_path):
    """Though a number may be that of an open file."""
    with open(tmp_path / "flows", "w") as file:
        for name in "communicators", "cluster", "config", "library", "chakra":
            assert not list(inputs.files_of({name: file.fileno()})), name
    assert list(inputs.files_of({"communicators": file.name})) == [Path(file.name)]


NO_CASES = {
    "": "names of options",
    "balancer\n": "names of options",
    "balancer,balancer\nofan,rsq\n": "names of options",
    "balancer,\nofan,rsq\n": "names of options",
    "balancer,k\nofan\n": "row 2 has 1 cells",
    "RngRun\n3\n": "use --seeds",
    'balancer\n"ofan\n': "cases.csv",
}


def test_files_of_cases_that_cannot_be(tmp_path):
    for text, words in NO_CASES.items():
        with pytest.raises(GridError, match=words) as error:
            read_cases(write_cases(tmp_path, text))
        assert "\n" not in str(error.value)


def test_an_option_twice():
    for varied, fixed, rows in (
        ({"k": "4"}, {"k": "8"}, [{}]),
        ({"k": "4"}, {}, [{"k": "8"}]),
        ({}, {"k": "4"}, [{"k": "8"}]),
    ):
        with pytest.raises(GridError, match="--k: is given twice"):
            cases_of(varied, fixed, rows)


def test_too_many_cases():
    with pytest.raises(GridError, match="more than"):
        cases_of({"a": "1..1000", "b": "1..1000"}, {})


def test_each_run_has_a_folder_of_its_own():
    """Whatever the options: one folder would be two runs' results."""
    dice = random.Random(4)
    names = ["flows", "fail", "ns3::aifabric::A::B", "ns3::A::B", "ns3::C::A::B"]
    sets = {}
    for _ in range(5000):
        chosen = dice.sample(names, dice.randint(1, 2))
        options = {name: "".join(dice.choices("a/_.,=:", k=dice.randint(1, 3))) for name in chosen}
        if dice.random() < 0.1:
            options = {"flows": ",fail=".join(options.values())}
        sets[tuple(sorted(options.items()))] = name_of(options)
    assert len(set(sets.values())) == len(sets)
    assert all("/" not in name and name not in (".", "..") for name in sets.values())


# --- Merging --------------------------------------------------------------------------------------


def make_runs(tmp_path, labels, seeds, results):
    """Runs that are done; results(labels) makes their results, or None for one that stalled."""
    cases = cases_of({name: ",".join(values) for name, values in labels.items()}, {})
    runs = runs_of(cases, seeds, tmp_path / "runs")
    for run in runs:
        run.folder.mkdir(parents=True)
        made = results(run.labels)
        if made is None:
            (run.folder / STALLED).write_text("stalled\n")
        else:
            (run.folder / "run.json").write_text(json.dumps({"results": made}))
    return runs


def test_means_are_those_of_the_statistics_module(tmp_path):
    dice = random.Random(5)
    values = {}

    def results(labels):
        values.setdefault((labels["b"], labels["a"]), []).append(dice.uniform(-1, 1))
        return {"cct_ns": values[labels["b"], labels["a"]][-1], "name": "x", "none": None}

    runs = make_runs(tmp_path, {"b": ["z", "y"], "a": ["1", "2", "3"]}, range(1, 6), results)
    table = pandas.DataFrame(rows_of(runs))
    assert numeric(table, ["b", "a"]) == ["cct_ns"]
    merged = means(table, ["b", "a"], ["cct_ns"])
    assert list(zip(merged.b, merged.a)) == list(itertools.product("zy", "123"))
    for row in merged.itertuples():
        ours = values[row.b, row.a]
        assert row.cct_ns == pytest.approx(statistics.mean(ours))
        assert (row.cct_ns_least, row.cct_ns_most) == (min(ours), max(ours))
        half = 2.776445 * statistics.stdev(ours) / math.sqrt(5)  # Student's t of 4 degrees of freedom
        assert row.cct_ns_high95 - row.cct_ns == pytest.approx(half) == row.cct_ns - row.cct_ns_low95
        assert (row.runs, row.completed) == (5, 5)


def test_an_interval_of_times_is_not_below_0(tmp_path):
    """Two seeds have a wide one. A percentage may be below 0."""
    results = [{"cct_ns": 1.0, "increase_percent": 1.0}, {"cct_ns": 9.0, "increase_percent": 9.0}]
    runs = make_runs(tmp_path, {"a": ["1"]}, range(2), lambda _: results.pop())
    [row] = means(pandas.DataFrame(rows_of(runs)), ["a"], ["cct_ns", "increase_percent"]).to_dict("records")
    assert row["cct_ns_low95"] == 0 and row["cct_ns_high95"] > 50 and row["increase_percent_low95"] < -40


def test_means_without_an_option(tmp_path):
    runs = make_runs(tmp_path, {}, range(1, 4), lambda labels: {"cct_ns": labels["seed"]})
    merged = means(pandas.DataFrame(rows_of(runs)), [], ["cct_ns"])
    assert merged.columns.tolist() == ["runs", "completed", *(f"cct_ns{end}" for end in ("", "_low95", "_high95", "_least", "_most"))]
    half = 4.302653 / math.sqrt(3)  # Student's t of 2 degrees of freedom; the deviation is 1
    assert merged.values.tolist() == [[3, 3, 2, 0, pytest.approx(2 + half), 1, 3]]  # no time is below 0


def test_one_run_has_no_interval(tmp_path):
    runs = make_runs(tmp_path, {}, [1], lambda labels: {"cct_ns": labels["seed"]})
    [row] = means(pandas.DataFrame(rows_of(runs)), [], ["cct_ns"]).itertuples()
    assert row.cct_ns == 1 and math.isnan(row.cct_ns_low95) and math.isnan(row.cct_ns_high95)


def test_no_mean_where_a_run_stalled(tmp_path):
    runs = make_runs(
        tmp_path, {"a": ["1", "2"]}, (1, 2), lambda run: None if run == {"a": "2", "seed": 2} else {"x": 4}
    )
    merged = means(pandas.DataFrame(rows_of(runs)), ["a"], ["x"]).set_index("a")
    assert merged.loc["1", "x"] == 4 and merged.loc["1", "completed"] == 2
    assert math.isnan(merged.loc["2", "x"]) and merged.loc["2", "completed"] == 1
    assert merged.loc["2", "x_least"] == 4


def test_an_option_and_a_result_of_one_name(tmp_path):
    runs = make_runs(tmp_path, {"rho": ["max"]}, [1], lambda labels: {"rho": 0.75})
    assert rows_of(runs) == [{"rho": "max", "seed": 1, "completed": True, "results.rho": 0.75}]


def test_places_on_an_axis():
    assert places_of(["64KiB", "1MiB"]) == ({"64KiB": 65536, "1MiB": 2**20}, True)
    assert places_of(["0", "0.1"]) == ({"0": 0, "0.1": 0.1}, False)
    assert places_of(["4", "8"]) == ({"4": 4, "8": 8}, False)
    assert places_of(["ofan", "8"]) == ({"ofan": 0, "8": 1}, False)


def test_durations():
    assert [duration(s) for s in (0.04, 9.9, 60, 150, 7300)] == ["0.0 s", "9.9 s", "60 s", "2.5 min", "2.0 h"]


class Terminal(io.StringIO):
    """A terminal of some width."""

    def isatty(self):
        return True


def test_lines_stay_above_the_bar(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    screen = Terminal()
    bar = ProgressBar(screen, 2, 0)
    bar.say("one stalled")
    bar.advance()
    bar.finish()
    lines = screen.getvalue().split("\n")
    assert len(lines) == 3 and lines[2] == ""
    assert lines[0].split("\r")[-1].rstrip() == "one stalled"
    assert all(len(part) < 60 for line in lines for part in line.split("\r"))


# --- The command ----------------------------------------------------------------------------------


def call(program, *arguments, cwd=ROOT):
    return script("sweep", "--program", program, *arguments, cwd=cwd)


def refused(program, *arguments, cwd=ROOT):
    """The one line that says why nothing is run."""
    run = call(program, *arguments, cwd=cwd)
    assert run.returncode == 1 and run.stdout == "" and run.stderr.count("\n") == 1, run.stderr
    assert run.stderr.startswith("sweep: ") and run.stderr.strip().isprintable()
    return run.stderr


def table(folder, name="sweep"):
    with open(folder / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


def calls(log):
    return log.read_text().split()


def test_a_sweep_of_the_fake(tmp_path, fake):
    program, log = fake
    arguments = ["--size=1,2", "--seeds=2", "--out", "out", "--jobs=1", "--", "--k=4"]
    run = call(program, *arguments, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert calls(log) == ["1", "1", "2", "2"]
    assert "4 of 4 runs" in run.stderr and "sweep.csv, means.csv, runs" in run.stdout
    out = tmp_path / "out"
    rows = table(out)
    found = [(row["size"], row["seed"], row["cct_ns"]) for row in rows]
    assert found == [("1", "1", "10.0"), ("1", "2", "20.0"), ("2", "1", "10.0"), ("2", "2", "20.0")]
    assert all(row["completed"] == "True" and row["problem"] == "" for row in rows)
    assert all((out / row["folder"] / "run.json").exists() for row in rows)
    assert len({row["folder"] for row in rows}) == 4
    merged = [(row["size"], row["runs"], row["cct_ns"], row["cct_ns_most"]) for row in table(out, "means")]
    assert merged == [("1", "2", "15", "20"), ("2", "2", "15", "20")]
    assert "k" not in rows[0]  # what stands after -- has no column
    again = call(program, *arguments, cwd=tmp_path)
    assert again.returncode == 0 and "4 of 4 runs, 4 were there" in again.stderr
    assert calls(log) == ["1", "1", "2", "2"] and table(out) == rows


def test_what_goes_wrong_is_one_line_and_the_sweep_goes_on(tmp_path, fake):
    program, log = fake
    out = tmp_path / "out"
    arguments = "--do=stall,fail,die,nothing,go", "--seeds=2", f"--out={out}", "--jobs=1"
    run = call(program, *arguments, "--plot=do,cct_ns")
    assert run.returncode == 1
    told = [line for line in run.stderr.splitlines() if "do=" in line]
    why = {
        "stall": "stalled after 1 ns simulated, 1 of 1 messages pending: nothing",
        "fail": "--do=fail: no",
        "die": "status -9, and nothing said",
        "nothing": "it left no run.json",
    }
    assert told == [f"do={what} seed={seed}: {why[what]}" for what in why for seed in (1, 2)]
    assert "Traceback" not in run.stderr
    rows = table(out)
    assert [row["completed"] for row in rows] == 8 * ["False"] + 2 * ["True"]
    assert [row["problem"] for row in rows] == [line.split(": ", 1)[1] for line in told] + ["", ""]
    assert "2 of 10 runs stalled" in run.stdout and "6 of 10 runs failed" in run.stdout
    assert (out / "cct_ns-by-do.png").exists()
    assert log.read_text().count("\n") == 10
    again = call(program, *arguments)  # a stall is a result, a failure is tried again
    assert again.returncode == 1 and log.read_text().count("\n") == 16


def test_plots_of_an_earlier_sweep_go_with_its_tables(tmp_path, fake):
    out = tmp_path / "out"
    mine = out / "mine-by-hand.png"
    arguments = ["--size=1,2", "--seeds=2", f"--out={out}"]
    assert call(fake[0], *arguments, "--plot=size,cct_ns").returncode == 0
    assert (out / "cct_ns-by-size.png").exists()
    mine.write_bytes(b"\x89PNG of the user")
    (out / "linked-by-hand.png").symlink_to(mine)
    assert call(fake[0], *arguments, "--plot=size,wall_s").returncode == 0
    names = sorted(path.name for path in out.glob("*-by-*"))
    plots = [f"wall_s-by-size.{kind}" for kind in ("pdf", "png", "svg")]
    assert names == ["linked-by-hand.png", "mine-by-hand.png", *plots]


def test_plots_of_one_result_have_names_of_their_own(tmp_path, fake):
    plots = ["size,cct_ns", "size,cct_ns,log", "size,cct_ns,line=5", "size,cct_ns,facet=k,log"]
    arguments = ["--size=1,2", "--k=4,6", f"--out={tmp_path}", *(f"--plot={plot}" for plot in plots)]
    assert call(fake[0], *arguments).returncode == 0
    names = sorted(path.stem for path in tmp_path.glob("*.svg"))
    assert names == [f"cct_ns-by-size{other}" for other in ("", "-5", "-k-log", "-log")]
    assert sweep_page.plotted(tmp_path) == 4 * [("cct_ns", "size")]


def test_a_sweep_of_which_all_runs_stall(tmp_path, fake):
    run = call(fake[0], "--do=stall", f"--out={tmp_path / 'out'}")
    assert run.returncode == 0 and "1 of 1 runs stalled" in run.stdout, run.stderr
    assert table(tmp_path / "out")[0]["problem"].startswith("stalled after 1 ns")


def test_results_of_an_older_build_are_not_those_of_a_failed_run(tmp_path, fake):
    program, _ = fake
    flows = tmp_path / "f.csv"
    flows.write_text("go")
    arguments = [f"--flows={flows}", f"--out={tmp_path / 'out'}"]
    assert call(program, *arguments).returncode == 0
    text = program.read_text()
    program.write_text(text.replace('options.get("do") == "fail"', 'True'))
    future = time.time() + 10
    os.utime(program, (future, future))
    run = call(program, *arguments)
    assert run.returncode == 1
    [row] = table(tmp_path / "out")
    assert row["completed"] == "False" and "cct_ns" not in row and row["problem"]


def test_all_options_that_may_name_a_file_are_known():
    """Those of the program: see test_inputs.py."""
    assert sorted(inputs.FILES) == sorted(test_inputs.INPUTS)


def test_each_library_of_a_list_counts(tmp_path):
    (tmp_path / "a.so").write_text("a")
    (tmp_path / "b.so").write_text("b")
    assert len(inputs.inputs_of({"library": f"{tmp_path}/a.so,{tmp_path}/b.so"})) == 2


def test_files_that_a_config_names_are_inputs(tmp_path):
    """From its folder; of what cannot be read, the file alone."""
    for name in "a.csv", "b.csv", "t.0.et":
        (tmp_path / name).write_text(name)
    config = tmp_path / "c.toml"
    config.write_text('flows = "a.csv"\nchakra = "t"\nlibrary = ["a.csv"]\nk = 4\n')
    found = {config, tmp_path / "a.csv", tmp_path / "t.0.et"}
    assert set(inputs.files_of({"config": str(config), "k": 4})) == found
    config.write_text(json.dumps({"inputs": {"library": {"value": "a.csv,b.csv"}}}))
    assert set(inputs.files_of({"config": str(config)})) == {config, tmp_path / "a.csv", tmp_path / "b.csv"}
    for text in "k = ", "{", "[1]", "{}", '{"inputs": [3]}', 'config = "c.toml"':
        config.write_text(text)
        assert list(inputs.files_of({"config": str(config)})) == [config], text


@pytest.mark.parametrize("option", [*test_inputs.INPUTS, *inputs.PREFIXES])
def test_a_file_with_other_contents_is_run_again(tmp_path, fake, option):
    """Whatever its date: a file from an archive is old."""
    program, log = fake
    path = tmp_path / ("f.1.et" if option == "chakra" else "f.csv")
    value = tmp_path / "f" if option == "chakra" else path
    runs = {tmp_path / "run": {option: str(value), "size": "1"}}

    def count():
        Runner(program).run_all(runs)
        return len(calls(log))

    path.write_text("one")
    assert count() == 1
    os.utime(path, (2**31, 2**31))
    assert count() == 1
    path.write_text("two")
    os.utime(path, (1, 1))
    assert count() == 2 and count() == 2
    if option == "chakra":
        (tmp_path / "f.2.et").write_text("of one more rank")
        (tmp_path / "g.1.et").write_text("of another trace")
        assert count() == 3 and count() == 3
        (tmp_path / "g.1.et").write_text("which is changed")
        assert count() == 3


def test_another_environment_is_run_again(tmp_path, fake, monkeypatch):
    program, log = fake
    for value, count in (("RngRun=3", 1), ("RngRun=3", 1), ("RngRun=4", 2), ("", 3), ("", 3)):
        monkeypatch.setenv("NS_GLOBAL_VALUE", value)
        Runner(program).run_all({tmp_path / "run": {"size": "1"}})
        assert len(calls(log)) == count, value


def test_results_of_other_files_do_not_outlive_a_killed_run(tmp_path, fake):
    program, log = fake
    path = tmp_path / "f.csv"
    runner, options = Runner(program), {"flows": str(path), "size": "1"}
    runs = {tmp_path / "run": options}
    path.write_text("one")
    runner.run_all(runs)
    path.write_text("two")
    runner.note_inputs(tmp_path / "run", options)  # and there it was killed
    assert not (tmp_path / "run/run.json").exists()
    path.write_text("one")
    runner.run_all(runs)
    assert calls(log) == ["1", "1"]


def test_tables_are_whole_or_as_they_were(tmp_path):
    path = tmp_path / "sweep.csv"
    path.write_text("before")
    (tmp_path / ".sweep.csv.partial-999999999").write_text("of a sweep that was killed")
    with pytest.raises(ZeroDivisionError):
        write_rows(path, (row for row in [{"a": 1}, 1 / 0]))
    with pytest.raises(KeyboardInterrupt), written_whole(path) as file:
        file.write("after")
        raise KeyboardInterrupt
    assert path.read_text() == "before" and [path] == list(tmp_path.iterdir())
    write_rows(path, [{"a": 1}])
    assert path.read_text().split() == ["a", "1"] and [path] == list(tmp_path.iterdir())


def test_cases_that_cannot_be_read(tmp_path, fake):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero"):
        assert "is not a regular file" in refused(fake[0], f"--cases={path}", f"--out={tmp_path / 'out'}")
    for text in ("size\n1\0\n", "size\n1\x1b[31m\n", "si\0ze\n1\n", 'size\n"1\n2"\n'):
        said = refused(fake[0], f"--cases={write_cases(tmp_path, text)}", f"--out={tmp_path / 'out'}")
        assert said.startswith("sweep: --cases="), text


def test_a_run_json_that_does_not_end_is_not_read(tmp_path, fake):
    program, log = fake
    arguments = [program, "--size=1", f"--out={tmp_path / 'out'}"]
    [folder] = [run.folder for run in runs_of(cases_of({"size": "1"}, {}), [1], tmp_path / "out/runs")]
    folder.mkdir(parents=True)
    os.mkfifo(folder / "run.json")
    with pytest.raises(RunError, match="is damaged"):
        read_results(folder)
    (folder / "run.json").unlink()
    assert call(*arguments).returncode == 0


def test_plots_of_names_with_dollars(tmp_path, fake):
    path = tmp_path / "$x_{$\x01é.csv"
    path.write_text("")
    plot = ["--plot=size,cct_ns", f"--out={tmp_path / 'out $a^$'}"]
    run = call(fake[0], "--size=1,2", *plot, "--", f"--flows={path}", "--fail=$\\frac{$")
    assert run.returncode == 0 and "Traceback" not in run.stderr, run.stderr
    assert (tmp_path / "out $a^$/cct_ns-by-size.png").exists()


SCRIPTS = {
    "sweep": ["--size=1", "--out=out"],
    "reproduce": ["fig6"],
    "demo": ["--out=out"],
    "plot.plot_run": ["run"],
    "plot.plot_timeline": ["run"],
    "plot.plot_links": ["run"],
    "plot.plot_planes": ["run"],
    "plot.plot_dashboard": ["run"],
    "plot.plot_compare": ["run", "another"],
}


@pytest.mark.parametrize("name, options", SCRIPTS.items(), ids=SCRIPTS)
def test_ctrl_c_while_modules_are_imported_is_quiet(tmp_path, fake, name, options):
    (tmp_path / "pandas.py").write_text("import os, signal; os.kill(os.getpid(), signal.SIGINT)\n")
    run = subprocess.run(
        [*part(name), f"--program={fake[0]}", *options],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "MPLCONFIGDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode in (-signal.SIGINT, 130) and run.stdout == ""
    lines = [line for line in run.stderr.splitlines() if line and not line.startswith("[")]  # progress
    assert "Traceback" not in run.stderr and len(lines) <= 2, run.stderr


@pytest.mark.parametrize("option", ["--list", "--help"])
def test_a_reader_that_has_enough_is_no_error(option):
    reader, writer = os.pipe()
    os.close(reader)
    command = [*part("reproduce"), option]
    run = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(writer)
    assert (run.returncode, run.stderr) == (128 + signal.SIGPIPE, "")


def test_a_closed_stream_is_no_traceback(tmp_path):
    """What cannot be printed is an error, as it is of the program."""
    verbs = {verb: shlex.join(map(str, part(verb))) for verb in ("reproduce", "study", "runs")}
    (tmp_path / "results").mkdir()
    for verb, closed, status in (
        ("reproduce", "--list >&-", 1), ("reproduce", "--list 2>&-", 0), ("reproduce", "none >&-", 1), ("reproduce", "none 2>&-", 1),
        ("study", "--program=/ --list >&-", 1), ("runs", "list >&-", 1), ("runs", "list", 0),
    ):  # fmt: skip
        command = ["sh", "-c", f"{verbs[verb]} {closed}"]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert run.returncode == status and "Traceback" not in run.stdout + run.stderr, closed
        assert run.stderr.endswith(": stdout: cannot be written\n") == (status == 1 and "none" not in closed), run.stderr


@pytest.mark.slow
def test_a_damaged_run_json_is_run_again(tmp_path, fake):
    program, log = fake
    arguments = ["--size=1,2", f"--out={tmp_path / 'out'}"]
    call(program, *arguments)
    rows = table(tmp_path / "out")
    for again, text in enumerate((b"", b"{", b"[]", b"{}", b'{"results": 3}', b"\xff"), 1):
        (tmp_path / "out" / rows[1]["folder"] / "run.json").write_bytes(text)
        assert call(program, *arguments).returncode == 0
        assert calls(log).count("1") == 1 and calls(log).count("2") == 1 + again, text
        assert table(tmp_path / "out") == rows


@needs_program
@pytest.mark.parametrize("size", [0, 500, 3000])
def test_a_run_json_that_is_cut_is_run_again(tmp_path, size):
    """The program refuses tables that no run.json names."""
    arguments = ["--k=4", f"--out={tmp_path / 'out'}", "--", "--size=4KiB"]
    assert call(PROGRAM, *arguments).returncode == 0
    [row] = table(tmp_path / "out")
    os.truncate(tmp_path / "out" / row["folder"] / "run.json", size)
    assert call(PROGRAM, *arguments).returncode == 0
    [again] = table(tmp_path / "out")
    assert (again["completed"], again["cct_ns"]) == ("True", row["cct_ns"])


def test_a_dry_run_runs_nothing_and_estimates(tmp_path, fake):
    program, log = fake
    out = tmp_path / "out"
    arguments = ["--size=1,2,3", "--seeds=4", f"--out={out}", "--jobs=2"]
    plan = call(program, *arguments, "--dry-run")
    assert plan.returncode == 0 and calls(log) == [] and not out.exists(), plan.stderr
    lines = plan.stdout.splitlines()
    assert lines[:3] == [f"4 runs: size={size}" for size in (1, 2, 3)]
    # 12 runs of 3e6 packet-hops at 3e6 a second, two at a time
    assert lines[-1].startswith("12 runs, 0 there; the others take about 6.0 s")
    first = next(line for line in lines if line.startswith("The first: "))
    assert f"{program} --threads=1 --size=1 --RngRun=1 --out=" in first.replace("'", "")
    call(program, "--size=1", "--seeds=4", f"--out={out}")
    plan = call(program, *arguments, "--dry-run")
    assert plan.stdout.splitlines()[0] == "4 runs, 4 there: size=1"
    # 8 runs of 3e6 packet-hops at the 5e5 a second that those four had, two at a time
    assert "12 runs, 4 there; the others take about 24 s" in plan.stdout
    assert len(calls(log)) == 4


REFUSED = {
    "--k=4,8 -- --quiet": "--quiet: runs of a sweep print nothing",
    "--k=4,8 --json=true": "--json=true: runs of a sweep print nothing; their results are in sweep.csv",
    "--do=go,refuse": "--do=refuse: one of fail, stall",
    "": "what is to be swept?",
    "8": "8: an option is written --name=value",
    "-k=8": "-k=8: an option is written --name=value",
    "--k=8 -- k": "k: an option is written",
    "--k=8 --k=4": "is given twice",
    "--k=8 -- --k=8": "--k: is given twice",
    "--RngRun=3": "use --seeds",
    "-- --RngRun=3": "use --seeds",
    "-- --out=x": "folder of its own",
    "--check": "checks all options",
    "--k=8,": "--k=8,: there is nothing before or after a comma",
    "--k=8..2": "--k=8..2: a range goes up",
    "--seeds=0": "--seeds=0",
    "--seeds": "--seeds",
    "--jobs=0": "--jobs",
    "--jobs=many": "--jobs",
    "--out=": "--out",
    "--plot=k": "--plot",
    "--plot=k,a,b": "k,a,b: b is none of log, line=NUMBER, facet=OPTION",
    "--plot=k,a,line=x": "line=x is none of log, line=NUMBER, facet=OPTION",
    "--plot=k,a,facet=k --k=4": "k is on the axis",
    "--plot=k,a,log,log": "k,a,log,log: log is given twice",
    "--plot=k,a,line=1,line=2": "k,a,line=1,line=2: line is given twice",
    "--plot=k,a,log,line=0": "k,a,log,line=0: on a logarithmic axis a line is above 0",
    "--plot=k,cct_ns,facet=size --k=4": "size is none of the options that are swept (k)",
    "--plot=size,cct_ns --k=4": "size is none of the options that are swept (k)",
    "--plot=k,cct --k=4": "cct: no result of runs (did you mean cct_ns?); there are acks, ",
    "--cases=missing.csv": "--cases=missing.csv: No such file",
    "--cases=.": "--cases=.: Is a directory",
    "--k=4 --out=/dev/null/x": "/dev/null/x",
    "--k=4 --out=/proc/x": "/proc/x",
    "--k=4 -- --writeConfig=x.toml": "--writeConfig=x.toml: all runs would write this file",
    **{f"--size={value}": "numbers have at most 18 digits"
       for value in ("1..10000:" + 38 * "9", "1.." + 38 * "9", 38 * "9" + ".." + 39 * "9" + ":x2")},
}  # fmt: skip


@needs_program
def test_the_check_needs_no_folder_beside_the_user(tmp_path):
    (tmp_path / "unused").touch()  # and is there a folder that is read-only, as for anyone but root
    run = subprocess.run([*part("sweep"), f"--program={PROGRAM}", "--k=4", "--dry-run", f"--out={tmp_path / 'out'}"], cwd=tmp_path,
                         capture_output=True, text=True, check=False)
    assert run.returncode == 0 and "0 there" in run.stdout, run.stderr


@pytest.mark.parametrize("verb", ["sweep", "study", "reproduce", "demo", "collectives", "sweep.slowdown"])
@pytest.mark.parametrize("out", ["there", "there/below"])
def test_a_file_is_no_folder_for_results(tmp_path, fake, verb, out):
    """Though nothing is run."""
    (tmp_path / "there").touch()
    what = {"sweep": ["--k=4"], "study": ["moe-failed-uplink"], "reproduce": ["fig6", "--quick"]}.get(verb, [])
    dry = [] if verb == "demo" else ["--dry-run"]
    run = script(verb, "--program", str(fake[0]), *dry, f"--out={out}", *what, cwd=tmp_path)
    assert run.returncode == 1 and run.stdout == "" and run.stderr.count("\n") == 1, run
    assert f"{out}: a folder is needed, and there is none" in run.stderr
    assert [path.name for path in tmp_path.glob("there*")] == ["there"]


def test_what_is_refused(tmp_path, fake):
    program, log = fake
    before = sorted(tmp_path.rglob("*"))
    for options, words in REFUSED.items():
        assert words in refused(program, *options.split(), cwd=tmp_path), options
    for other, words in ((tmp_path / "missing", "does not run"), ("/bin/true", "is not ai-fabric-run")):
        assert words in refused(other, "--k=4", "--out=out", cwd=tmp_path)
    assert calls(log) == [] and sorted(tmp_path.rglob("*")) == before


@pytest.mark.slow
def test_a_result_that_there_is_not(tmp_path, fake):
    program, log = fake
    arguments = ["--size=1,2,3,4", "--do=slow", "--seeds=2", "--jobs=1", f"--out={tmp_path / 'out'}"]
    results = "cct_ns, completion_bound_ns, wall_s, packet_hops, layers.edge-up.max_waiting_bytes"
    for plot in ("reads", "reads", "rho"):  # of other workloads; the second time the first run is there
        run = call(program, *arguments, "--plot=size,cct_ns", f"--plot=size,{plot}")
        assert run.returncode == 1 and len(calls(log)) <= 2  # the second run may have begun
        last = run.stderr.splitlines()[-1]
        assert last.startswith(f"sweep: --plot=size,{plot}: {plot} is none of the results in {tmp_path}/out/runs/")
        assert last.endswith(f"run.json: {results}") and "Traceback" not in run.stderr
        assert not (tmp_path / "out/sweep.csv").exists()
    run = call(program, *arguments, "--plot=size,cct_ns")
    assert run.returncode == 0 and len(table(tmp_path / "out")) == 8


def test_a_result_may_be_null_in_the_first_run(tmp_path, fake):
    program, log = fake
    program.write_text(program.read_text().replace('"wall_s": 2.0', '"wall_s": None if seed == 1 else 2.0'))
    run = call(program, "--size=1,2", "--seeds=2-2", "--plot=size,wall_s", f"--out={tmp_path / 'out'}")
    assert run.returncode == 0, run.stderr
    run = call(program, "--size=1,2", "--seeds=2", "--plot=size,wall_s", f"--out={tmp_path / 'out'}")
    assert run.returncode == 0, run.stderr


def test_an_interrupted_sweep_goes_on(tmp_path, fake):
    program, log = fake
    out = tmp_path / "out"
    arguments = [*part("sweep"), "--program", program, f"--out={out}", "--jobs=1"]
    arguments += ["--size=1,2", "--do=go,sleep"]
    process = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "process").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "the same command goes on from here" in errors and "Traceback" not in errors
    done = len(calls(log))
    assert 0 < done < 4 and not (out / "sweep.csv").exists()
    program.write_text(program.read_text().replace("time.sleep(60)", "pass"))
    os.utime(program, (0, 0))  # as if it had always been this one
    run = call(program, *arguments[5:])
    assert run.returncode == 0 and f"{done - 1} were there" in run.stderr, run.stderr
    assert len(table(out)) == 4


class Stubborn(Runner):
    """A runner of a program that does not end, and does not obey SIGTERM."""

    def __init__(self, folder):
        program = folder / "stubborn"
        program.write_text("#!/bin/sh\ntrap '' TERM\nexec sleep 60\n")
        program.chmod(0o755)
        super().__init__(program, 2, io.StringIO())


@pytest.mark.parametrize("place", ["submit", "result"])
@pytest.mark.parametrize("what", ["run_each", "check_all"])
def test_an_interruption_at_any_place_ends_all_runs(tmp_path, monkeypatch, place, what):
    """While runs are handed to the threads, too, which takes long on a machine that is busy."""
    monkeypatch.setattr(runner, "PATIENCE", 0.2)
    sweep = Stubborn(tmp_path)
    submit = ThreadPoolExecutor.submit
    submitted = []

    def interrupted(pool, job, *arguments):
        submitted.append(arguments)
        if len(submitted) == 3:
            while len(sweep.running) < 2:
                time.sleep(0.01)
            if place == "submit":
                raise KeyboardInterrupt
            threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT]).start()
        return submit(pool, job, *arguments)

    monkeypatch.setattr(ThreadPoolExecutor, "submit", interrupted)
    sets = [{"size": size} for size in range(5)]
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        if what == "run_each":
            sweep.run_each({tmp_path / str(options["size"]): options for options in sets})
        else:
            sweep.check_all(sets)
    assert time.monotonic() - start < 20 and not sweep.running


def test_a_second_sigterm_changes_nothing():
    code = (
        "import os, signal, sys; sys.path[:0] = sys.argv[1:]; from ai_fabric.sweep import runner; import time\n"
        "runner.exit_on_terminate()\n"
        "try: os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)\n"
        "finally: os.kill(os.getpid(), signal.SIGTERM); time.sleep(0.1); print('all')\n"
    )
    run = subprocess.run([sys.executable, "-c", code, ROOT / "contrib"], capture_output=True, text=True, check=False)
    assert run.returncode == 128 + signal.SIGTERM and run.stdout == "all\n"


# --- With ai-fabric-run ---------------------------------------------------------------------------


@needs_program
def test_a_sweep_from_beginning_to_end(tmp_path):
    out = tmp_path / "out"
    fail = "pod0-edge-0:2--pod0-agg-0:0@1us\\,pod0-edge-1:2--pod0-agg-0:1@2us-3us"
    arguments = ["--balancer=rsq,ofan", "--size=4KiB..64KiB:x16", f"--fail=none,{fail}", "--seeds=3-4"]
    arguments += [f"--out={out}", "--plot=size,increase_percent", "--plot=fail,drops"]
    run = call(PROGRAM, *arguments, "--", "--k=4", "--sample=0")
    assert run.returncode == 0, run.stderr
    rows = table(out)
    assert len(rows) == 2 * 2 * 2 * 2 and {row["seed"] for row in rows} == {"3", "4"}
    for row in rows:
        summary = json.loads((out / row["folder"] / "run.json").read_text())
        assert summary["run"] == int(row["seed"]) and summary["scenario"]["k"] == 4
        assert summary["scenario"]["balancer"] == row["balancer"]
        assert summary["scenario"]["fail"] == row["fail"]
        assert summary["scenario"]["size"] == parse(row["size"])[0]
        assert float(row["cct_ns"]) == summary["results"]["cct_ns"]
        layer = summary["results"]["layers"]["edge-up"]
        assert float(row["layers.edge-up.bytes"]) == layer["bytes"]
    assert {row["fail"] for row in rows} == {"none", fail.replace("\\,", ",")}
    merged = table(out, "means")
    assert len(merged) == 8
    for row in merged:
        ours = [
            float(one["increase_percent"])
            for one in rows
            if all(one[name] == row[name] for name in ("balancer", "size", "fail"))
        ]
        assert float(row["increase_percent"]) == pytest.approx(statistics.mean(ours))
    for name in ("increase_percent-by-size.png", "drops-by-fail.png"):
        assert (out / name).read_bytes()[:4] == b"\x89PNG"
    assert "16 were there" in call(PROGRAM, *arguments, "--", "--k=4", "--sample=0").stderr


REFUSED_BY_THE_PROGRAM = {
    "--balancer=rsq,nonsense": "--balancer=nonsense: one of ",
    "--k=4,5": "--k=5: an even number",
    "--nonsense=1,2": "--nonsense=1: no such option",
    "--seed=3": "--seed=3: no such option",
    "--k 8": "8: an option is written",
    "--fail=pod0-edge-0:2--pod0-agg-0:0@1us,x@2us -- --k=4": "--fail=x@2us",
    "--topology=fat-tree,leaf-spine -- --k=4": "--k=4: only with --topology=fat-tree",
}


@needs_program
def test_what_the_program_refuses(tmp_path):
    for options, words in REFUSED_BY_THE_PROGRAM.items():
        assert words in refused(PROGRAM, *options.split(), cwd=tmp_path), options
    assert list(tmp_path.iterdir()) == []


@needs_program
def test_a_run_that_really_stalls(tmp_path):
    cut = "host-0:0--pod0-edge-0:0@1us"
    run = call(PROGRAM, f"--fail=none,{cut}", "--size=64KiB", f"--out={tmp_path}", "--", "--k=4", "--sample=0")
    assert run.returncode == 0, run.stderr
    assert re.search(f"^fail={re.escape(cut)} size=64KiB seed=1: ended ", run.stderr, re.MULTILINE)
    rows = table(tmp_path)
    assert [row["completed"] for row in rows] == ["True", "False"]
    assert rows[1]["problem"].startswith("ended ") and rows[1]["cct_ns"] == ""
    assert "1 of 2 runs stalled" in run.stdout


def examples():
    """The sweeps that the documents and the help show."""
    texts = [(ROOT / name).read_text() for name in ("README.md", "doc/output/sweep.txt", "fabric")]
    text = "\n".join(texts).replace("\\\n", " ")
    return sorted(set(re.findall(r"^[ $]*\./fabric sweep (--\w+=.*--k=4)$", text, re.MULTILINE)))


@needs_program
def test_examples_are_sweeps(tmp_path):
    assert len(examples()) >= 2
    for example in examples():
        run = call(PROGRAM, f"--out={tmp_path}", "--dry-run", *shlex.split(example))
        assert run.returncode == 0 and " runs, 0 there" in run.stdout, run.stderr


@needs_program
def test_cases_with_attributes_and_lists(tmp_path):
    order = "ns3::aifabric::HostDrBalancer::Order"
    text = f'balancer,{order},fail\nhost-dr,Random,none\nofan,,"host-1:0--pod0-edge-0:1*0.5@0ns,'
    path = write_cases(tmp_path, text + 'host-2:0--pod0-edge-1:0*0.5@0ns"\n')
    out = tmp_path / "out"
    run = call(PROGRAM, f"--cases={path}", f"--out={out}", "--", "--k=4", "--pcap=host-0,core-0")
    assert run.returncode == 0, run.stderr
    rows = table(out)
    assert [(row["balancer"], row[order]) for row in rows] == [("host-dr", "Random"), ("ofan", "")]
    summaries = [json.loads((out / row["folder"] / "run.json").read_text()) for row in rows]
    assert summaries[0]["scenario"]["attributes"] == {order: "Random"}
    assert summaries[1]["scenario"]["attributes"] == {}
    assert summaries[1]["scenario"]["fail"] == rows[1]["fail"] and "," in rows[1]["fail"]
    assert all(sum(name.endswith(".pcap") for name in one["files"]) > 1 for one in summaries)


@needs_program
def test_the_recipe_of_sem_names_options_that_there_are():
    tree = ast.parse((SWEEP / "sem_recipe.py").read_text())
    [given] = [node for node in ast.walk(tree) if isinstance(node, ast.Dict)]
    usage = run_program(".", "--PrintHelp").stdout
    names = {key.value for key in given.keys}
    assert {"balancer", "out", "RngRun"} <= names
    assert all(f"    --{name}:" in usage for name in names - {"RngRun"})


@needs_program
def test_questions_are_answered_by_the_program(tmp_path):
    help_after = call(PROGRAM, "--", "--help", cwd=tmp_path)
    assert help_after.returncode == 0 and "--balancer:" in help_after.stdout
    for question in ("--PrintHelp", "--balancer=help", "--PrintAttributes=ns3::aifabric::RrBalancer"):
        ours = call(PROGRAM, question, cwd=tmp_path)
        assert ours.returncode == 0 and ours.stdout == run_program(tmp_path, question).stdout
    links = call(PROGRAM, "--fail=help", "--", "--k=2").stdout.splitlines()
    assert len([link for link in links if not link.startswith("#")]) == 6
    assert list(tmp_path.iterdir()) == []


@needs_program
def test_a_check_costs_nothing_where_all_is_there(tmp_path):
    runner = Runner(PROGRAM, 1, io.StringIO())
    assert runner.check({"k": "4", "size": "4KiB"}) == 16 * 2 * 6
    with pytest.raises(RunError, match="^--k=5: an even number"):
        runner.check_all([{"k": "4"}, {"k": "5"}, {"k": "7"}])


@needs_program
def test_a_run_whose_file_has_changed_is_run_again(tmp_path):
    flows, folder = tmp_path / "flows.csv", tmp_path / "run"
    runner = Runner(PROGRAM, 1, io.StringIO())
    options = {"k": "4", "flows": flows, "pcap": "host-0"}
    for size in (4096, 8192):
        flows.write_text(f"start_ns,source,destination,bytes\n0,0,1,{size}\n")
        assert not runner.is_finished(folder, options)
        runner.run_all({folder: options})
        assert f",{size}," in (folder / "flows.csv").read_text()
    flows.write_text("start_ns,source,destination,bytes\n0,0,1,4096\n")
    runner.note_inputs(folder, options)
    assert [path.name for path in folder.iterdir()] == [inputs.NAME]
