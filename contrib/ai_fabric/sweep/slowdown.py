#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs the jobs of a file together, and each of them alone on the same hosts, without a background; or a run with and
without its background: how much they are slowed down."""

import csv
import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import ai_fabric.common.program  # first: Ctrl-C from here on

from ai_fabric.common.aliases import FilePath, Values
from ai_fabric.sweep.grid import Case, GridError, SweptRun, read_options
from ai_fabric.sweep.beside import run_beside
from ai_fabric.sweep.launch import Parser, launch
from ai_fabric.common.program import printable
from ai_fabric.sweep.runner import RunError, why_stalled
from ai_fabric.common.safe_file import check_regular, read_text, written_whole

NAME = "slowdown"
TOGETHER = ""  # the job of the run of all jobs
ALONE = "alone"  # that of a run that is no cluster, without its background
COLUMNS = ["name", "ranks", "jct_ns", "alone_jct_ns", "slowdown"]
NS_PER_US = 1e3


def read_names(path: FilePath) -> list[str]:
    """The names of the jobs of a file; the program checks all the rest of it."""
    try:
        check_regular(path)
        with open(path, newline="", encoding="utf-8") as file:
            rows = [[cell.strip() for cell in row] for row in csv.reader(file)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise GridError(f"--cluster={path}: {printable(getattr(error, 'strerror', None) or error)}") from None
    head, *jobs = [row for row in rows if any(row) and not row[0].startswith("#")] or [[]]
    place = head.index("name") if "name" in head else 0
    return [row[place] for row in jobs if len(row) > place]


def read_cases(arguments: Iterable[str]) -> list[Case]:
    """The run of all jobs, and that of each job alone."""
    fixed = read_options(arguments)
    if "onlyJob" in fixed:
        raise GridError(f"--onlyJob={fixed['onlyJob']}: each job is run alone anyway")
    if "cluster" not in fixed and fixed.get("background", "none") == "none":
        raise GridError("neither --cluster=FILE nor --background=KIND after --; jobs or flows that slow down are needed")
    alone = {name: value for name, value in fixed.items() if not name.startswith("background")}
    if "cluster" not in fixed:
        return [Case({"job": TOGETHER}, fixed), Case({"job": ALONE}, alone)]
    names = read_names(fixed["cluster"])
    return [Case({"job": TOGETHER}, fixed), *(Case({"job": name}, {**alone, "onlyJob": name}) for name in names)]


def jobs_of(run: SweptRun) -> dict[str, Values]:
    """The jobs of a run, by name."""
    if not (run.folder / "run.json").exists():
        raise RunError(f"{run.labels['job'] or 'all jobs'}: {why_stalled(run.folder)}")
    summary = json.loads(read_text(run.folder / "run.json"))
    results = summary["results"]
    if results.get("job", {}).get("aborted"):
        raise RunError(f"{run.labels['job'] or 'all jobs'}: aborted, as a queue pair failed; there is no completion time")
    whole = {"name": summary["scenario"]["workload"], "jct_ns": results["cct_ns"]}
    jobs = {job["name"]: job for job in results.get("jobs", [whole])}
    for name, job in jobs.items():
        if job["jct_ns"] is None:
            raise RunError(f"{run.labels['job'] or 'all jobs'}: {name} has not ended; there is no completion time")
    return jobs


def slowdown(together: float, alone: float) -> float:
    """A job that takes no time alone and with others is as fast."""
    return 1 if together == alone else round(together / alone, 6) if alone else math.inf


def compare(runs: Sequence[SweptRun]) -> list[Values]:
    """A row a job: its completion time with the others and alone."""
    together = jobs_of(runs[0])
    rows = []
    for run in runs[1:]:
        ((name, alone),) = jobs_of(run).items()
        job = together[name]
        rows.append(
            dict(zip(COLUMNS, [name, len(job.get("hosts", [])) or "", job["jct_ns"], alone["jct_ns"],
                               slowdown(job["jct_ns"], alone["jct_ns"])]))
        )  # fmt: skip
    return rows


def report(rows: Sequence[Values], out: Path) -> None:
    """Prints the rows, and writes them."""
    print(f"{'job':<16} {'ranks':>6} {'together (us)':>14} {'alone (us)':>12} {'slowdown':>9}")
    for row in rows:
        times = f"{row['jct_ns'] / NS_PER_US:14.3f} {row['alone_jct_ns'] / NS_PER_US:12.3f}"
        print(f"{row['name']:<16} {row['ranks']:>6} {times} {row['slowdown']:9.4f}")
    with written_whole(out / "slowdown.csv", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    print(f"\nResults in {out}: slowdown.csv, runs")


def make_parser() -> Parser:
    parser = Parser(NAME, __doc__, "results/slowdown")
    parser.add_common()
    return parser


def main(arguments: list[str]) -> int:
    return run_beside(make_parser(), arguments, read_cases, lambda runs, out: report(compare(runs), out))


if __name__ == "__main__":
    launch(NAME, main)
