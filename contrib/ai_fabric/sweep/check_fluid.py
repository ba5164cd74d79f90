#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs a scenario by packets and by rates (--fidelity=fluid, or fluid-unchecked where fluid refuses it), and prints how
far the two are apart."""

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from ai_fabric.common.program import catch_interrupts  # first: Ctrl-C from here on

from ai_fabric.common.aliases import Values
from ai_fabric.sweep.grid import Case, GridError, Run, read_options
from ai_fabric.sweep.launch import Parser, answer, launch, questions, split
from ai_fabric.runs.made_by import note_command
from ai_fabric.sweep.runner import RunError, exit_on_terminate, why_stalled
from ai_fabric.common.safe_file import read_text, written_whole
from ai_fabric.sweep.sweep import Sweep

NAME = "check-fluid"
FIDELITIES = ["packets", "fluid-unchecked"]
TIMES = ["cct_ns", "mean_fct_ns", "p99_fct_ns", "max_fct_ns"]
COLUMNS = ["result", *FIDELITIES, "difference_percent"]


def read_cases(arguments: Iterable[str]) -> list[Case]:
    """The run of packets, and that of rates."""
    fixed = read_options(arguments)
    if "fidelity" in fixed:
        raise GridError(f"--fidelity={fixed['fidelity']}: both are run anyway")
    return [Case({"fidelity": fidelity}, {**fixed, "fidelity": fidelity}) for fidelity in FIDELITIES]


def results_of(run: Run) -> Values:
    """The results of a run."""
    if not (run.folder / "run.json").exists():
        raise RunError(f"{run.labels['fidelity']}: {why_stalled(run.folder)}")
    results: Values = json.loads(read_text(run.folder / "run.json"))["results"]
    return results


def compare(runs: Sequence[Run]) -> tuple[list[Values], int]:
    """A row a result, and the packets that were lost."""
    packets, fluid = (results_of(run) for run in runs)
    rows = [
        dict(zip(COLUMNS, [name, packets[name], fluid[name], round(100 * (fluid[name] / packets[name] - 1), 4)]))
        for name in TIMES
        if packets.get(name) and fluid.get(name)
    ]
    return rows, packets["drops"]


def report(rows: Sequence[Values], drops: int, out: Path) -> None:
    """Prints the rows, and writes them."""
    print(f"{'':<12} {'packets (ns)':>16} {'fluid (ns)':>16} {'difference':>11}")
    for row in rows:
        name, packets, fluid, percent = row.values()
        print(f"{name:<12} {packets:16.3f} {fluid:16.3f} {percent:+9.2f} %")
    if drops:
        print(f"Packets lose {drops} packets, which fluid does not know.")
    with written_whole(out / "check.csv", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    print(f"\nResults in {out}: check.csv, runs")


def make_parser() -> Parser:
    parser = Parser(NAME, __doc__, "results/check-fluid")
    parser.add_common()
    return parser


def main(arguments: list[str]) -> int:
    before, after = split(arguments)
    own = make_parser().parse_args(before)
    asked = questions(after)
    if asked:
        return answer(own, asked)
    cases = read_cases(after)
    if own.check_only:
        return 0
    runs = Sweep(own.program, own.out, cases, [1], own.jobs)
    exit_on_terminate()
    catch_interrupts()
    if own.dry_run:
        runs.print_plan()
        return 0
    runs.run()
    if runs.errors:
        return 1
    report(*compare(runs.runs), own.out)
    note_command(own.out, NAME, arguments)
    return 0


if __name__ == "__main__":
    launch(NAME, main)
