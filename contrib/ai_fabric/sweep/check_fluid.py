#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs a scenario by packets and by rates (--fidelity=fluid-unchecked, which takes also what fluid refuses), and prints how
far the two are apart."""

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import ai_fabric.common.program  # first: Ctrl-C from here on

from ai_fabric.common.aliases import Values
from ai_fabric.sweep.grid import Case, GridError, SweptRun, read_options
from ai_fabric.sweep.beside import run_beside
from ai_fabric.sweep.launch import Parser, launch
from ai_fabric.sweep.runner import RunError, why_stalled
from ai_fabric.common.safe_file import read_text, written_whole

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


def results_of(run: SweptRun) -> Values:
    """The results of a run."""
    if not (run.folder / "run.json").exists():
        raise RunError(f"{run.labels['fidelity']}: {why_stalled(run.folder)}")
    results: Values = json.loads(read_text(run.folder / "run.json"))["results"]
    return results


def compare(runs: Sequence[SweptRun]) -> tuple[list[Values], int]:
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
    return run_beside(make_parser(), arguments, read_cases, lambda runs, out: report(*compare(runs), out))


if __name__ == "__main__":
    launch(NAME, main)
