#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs every load balancer on a fat-tree of 128 hosts, each host sending 1 MiB to another one, and
compares them: a table, demo.csv, a folder of results a balancer, and plots."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ai_fabric.common.program import ScriptError, catch_interrupts, run_script  # first: Ctrl-C from here on

from ai_fabric.plot.chosen_style import check_style
from ai_fabric.common.aliases import FilePath, Options, Values
from ai_fabric.sweep.grid import read_options
from ai_fabric.sweep.launch import Parser, answer, questions
from ai_fabric.runs.made_by import note_command
from ai_fabric.sweep.runner import RunError, Runner, ask, exit_on_terminate
from ai_fabric.common.safe_file import written_whole

if TYPE_CHECKING:
    import pandas

    from ai_fabric.runs.run_data import Run

NAME = "demo"

COLUMNS = {
    "scheme": "scheme",
    "cct_us": "completion (us)",
    "bound_us": "lower bound (us)",
    "increase_percent": "increase (%)",
    "max_queue_packets": "largest queue (pkts)",
    "mean_queue_packets": "mean queue (pkts)",
    "drops": "drops",
    "packet_hops_per_cpu_s": "pkt-hops per CPU s",
}

CHOSEN = {  # by the demo itself
    "balancer": "use --balancers for this",
    "RngRun": "use --runs for this",
    "check": "all options are checked before the first run",
}
MOST = 1000  # runs of a balancer
NEEDED = {"mrc": {"transport": "mrc"}}  # options without which a balancer does not run
LEAVES = "--topology=leaf-spine --stack=roce"
TO_TRY = {"mrc": "--stack=mrc", "conga": LEAVES, "conweave": LEAVES}  # deployed, where it is not roce in a fat-tree


def folder_of(out: Path, balancer: str, number: int) -> Path:
    return out / balancer if number == 1 else out / balancer / f"run-{number}"


def needs(balancer: str, given: Options) -> str:
    """The options of a balancer that others do not have, as text."""
    needed = NEEDED.get(balancer, {})
    return ", ".join(f"--{name}={value}" for name, value in needed.items() if given.get(name, value) == value)


def read_given(arguments: Sequence[str]) -> dict[str, str]:
    """The options that are the same for all runs."""
    for argument in arguments:
        name = argument.removeprefix("--").partition("=")[0]
        if name in CHOSEN:
            raise ScriptError(f"{argument}: {CHOSEN[name]}")
    return read_options(arguments)


def scheme(balancer: str, given: Options) -> Options:
    return {"balancer": balancer, **NEEDED.get(balancer, {}), **given}


def fitting(runner: Runner, names: Sequence[str], given: Options) -> list[str]:
    """The balancers that a fabric takes; says why it does not take the others. Raises the RunError of the first if it
    takes none."""
    refusals = {}
    for name in names:
        try:
            runner.check(scheme(name, given))
        except RunError as error:
            refusals[name] = error
    if len(refusals) == len(names):
        raise refusals[names[0]]
    for name, reason in refusals.items():
        print(f"{name} is left out: {reason}", file=sys.stderr)
    return [name for name in names if name not in refusals]


def simulate_all(runner: Runner, out: Path, names: Sequence[str], count: int, given: Options) -> None:
    """Runs every balancer with every permutation."""
    out.mkdir(parents=True, exist_ok=True)
    runner.run_all({
        folder_of(out, name, number): {"RngRun": number, **scheme(name, given)}
        for number in range(1, count + 1)
        for name in names
    })


def summarize(name: str, runs: Sequence[Run]) -> Values:
    """One row of the table: means over the runs with their 95 % intervals, and the largest of the largest queues."""
    import pandas
    from ai_fabric.common.interval import interval

    results = pandas.DataFrame([run.results for run in runs])
    cct = results.cct_ns / 1e3
    cct_ends, increase_ends = interval(cct), interval(results.increase_percent)
    return {
        "scheme": name,
        "runs": len(runs),
        "cct_us": cct.mean(),
        "cct_us_low95": max(cct_ends[0], 0.0),
        "cct_us_high95": cct_ends[1],
        "bound_us": results.bound_ns.mean() / 1e3,
        "increase_percent": results.increase_percent.mean(),
        "increase_percent_low95": increase_ends[0],
        "increase_percent_high95": increase_ends[1],
        "max_queue_packets": results.max_queue_packets.max(),
        "mean_queue_packets": results.mean_queue_packets.mean(),
        "drops": results.drops.mean(),
        "packet_hops_per_cpu_s": results.packet_hops.sum() / results.cpu_s.sum(),
    }


def print_table(table: pandas.DataFrame) -> None:
    shown = table[list(COLUMNS)].rename(columns=COLUMNS)
    formats = {
        "completion (us)": "{:.2f}".format,
        "lower bound (us)": "{:.2f}".format,
        "increase (%)": "{:.1f}".format,
        "mean queue (pkts)": "{:.2f}".format,
        "drops": "{:.0f}".format,
        "pkt-hops per CPU s": "{:,.0f}".format,
    }
    print(shown.to_string(index=False, formatters=formats))


def count(text: str) -> int:
    if text.isdecimal() and 1 <= int(text) <= MOST:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to {MOST}")


def choose(text: str, known: list[str]) -> list[str]:
    """The balancers that are compared, each once."""
    names = list(dict.fromkeys(text.split(",")))
    for name in names:
        if name not in known:
            raise ScriptError(f"--balancers={text}: {name} is none of {', '.join(known)}")
    return names


def main() -> int:
    parser = Parser(NAME, __doc__, "results/demo")
    parser.add_argument("--runs", type=count, default=5, help="permutations a balancer (%(default)s)")
    parser.add_argument("--balancers", help="which, separated by commas (all that the fabric takes)")
    parser.add_folder()
    options, extra = parser.parse_known_args()
    if asked := questions(extra):
        return answer(options, asked, [text for text in extra if text not in asked])
    given = read_given(extra)
    if options.check_only:
        return 0
    check_style()
    known = ask(options.program, "--balancer=help", given.get("library"))
    runner = Runner(options.program, resume=False)
    if options.balancers is None:
        names = fitting(runner, known, given)
    else:
        names = choose(options.balancers, known)
        runner.check_all([scheme(name, given) for name in names])
    simulate_all(runner, options.out, names, options.runs, given)
    about = report(options, names, given)
    note_command(options.out, NAME, sys.argv[1:], about=about)
    return 0


def report(options: argparse.Namespace, names: Sequence[str], given: Options) -> str:
    """Writes the table and the plots of all runs. Returns what was run, in a line."""
    import pandas  # which takes a second, with matplotlib
    from ai_fabric.plot.plot_compare import choose_lines, plot_completion, plot_links, plot_queues
    from ai_fabric.runs.run_data import Run, describe

    runs = {
        name: [Run(folder_of(options.out, name, n)) for n in range(1, options.runs + 1)]
        for name in names
    }
    table = pandas.DataFrame([summarize(name, runs[name]) for name in names])
    table = table.sort_values("increase_percent", ignore_index=True)
    with written_whole(options.out / "demo.csv", newline="") as file:
        table.to_csv(file, index=False, float_format="%.6g")

    names = list(table.scheme)
    first = [runs[name][0] for name in choose_lines(names)]
    scenario = describe(first[0].scenario)
    others = [f"{name} with {needed}" for name in names if (needed := needs(name, given))]
    runs_of_each = f"mean and 95 % interval, n = {options.runs}" if options.runs > 1 else "one run each"
    means = "; ".join([scenario, runs_of_each, *others])
    about = "; ".join([scenario, *others])
    one = f"{scenario}; {len(first)} of {len(names)} schemes; run 1"
    plots = [
        plot_completion(table, options.out / "completion.png", means),
        plot_queues(first, options.out / "queues.png", one),
        plot_links(first, options.out / "links.png", one),
    ]
    print(f"\n{scenario}; mean of {options.runs} runs\n")
    print_table(table)
    print_next(options.out, plots, names[0], given)
    return about


def print_next(out: Path, plots: Sequence[Path], best: str, given: Options) -> None:
    """Where everything is, and what to try next."""
    options: Options = {**read_given(TO_TRY.get(best, "--stack=roce").split()), **given}
    deployed = shlex.join(f"--{name}={value}" for name, value in options.items())
    print(f"\nTable: {out / 'demo.csv'}; one folder a scheme beside it")
    print("Plots:", ", ".join(str(plot) for plot in plots))
    print(f"""\nNext:
  ./fabric plot {out / best}    # one run: messages over time, load of each link, queues
  ./fabric run --balancer={best} {deployed}    # with the transport of deployed NICs
  ./fabric reproduce --list    # the figures of the papers""")


if __name__ == "__main__":
    exit_on_terminate()
    catch_interrupts()
    run_script(NAME, main)
