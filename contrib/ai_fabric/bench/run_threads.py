#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Measure what a run gains on several threads.

For each job and delay of the links, one thread and several run it one right after the other; a gain is
that of such a round, the result the median. A model with two constants, which are fitted to all medians,
says what more threads would gain: see doc/performance.rst.

threads.csv, in the folder of --out, has one row a run.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from ai_fabric.common.program import catch_interrupts, run_script  # first: Ctrl-C from here on

from ai_fabric.bench.arguments import MOST_THREADS, Parser, at_least, positive
from ai_fabric.bench.programs import BenchError, Progress, make_folder, write_rows

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from ai_fabric.common.aliases import Values

FABRICS = {
    128: ["--k=8"],
    1024: ["--k=16"],
    4096: ["--topology=leaf-spine", "--leaves=64", "--spines=64", "--hostsPerLeaf=64"],
}
TRAINING = """\
[[phase]]
name = "layers"
repeat = 4
steps = [
    { compute = "10us" },
    { name = "gradients", collective = "all-reduce", bytes = 1_048_576 },
]
"""
JOBS = {
    "permutation": ["--balancer=rsq", "--size=1MiB"],
    "ring": ["--workload=all-reduce", "--algorithm=ring", "--size=4MiB"],
    "all-to-all": ["--workload=all-to-all", "--algorithm=direct", "--channels=1", "--size=4KiB"],
    "training": ["--balancer=rsq", "--algorithm=halving-doubling"],
}
LARGEST = 1024  # hosts of collectives: more of them take minutes
DELAYS = [500, 100]  # ns
MORE = [16, 64]  # threads that the model is asked for


class Case(NamedTuple):
    """What one thread and several run."""

    job: str
    hosts: int
    delay: int  # of the links, in ns


class Bench:
    """Runs the program, and keeps a row of each run."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.program = arguments.program
        self.out = arguments.out
        self.rows: list[Values] = []
        self.training = self.out / "training.toml"
        self.training.write_text(TRAINING)

    def run(self, case: Case, threads: int, number: int) -> tuple[float, float]:
        """Run once, and return the row."""
        folder = self.out / "run"
        job = JOBS[case.job] + ([f"--training={self.training}"] if case.job == "training" else [])
        command = [self.program, *FABRICS[case.hosts], *job, f"--delay={case.delay}ns", "--sample=0ns"]
        run = subprocess.run(
            [*command, f"--threads={threads}", f"--out={folder}"], capture_output=True, text=True
        )
        if run.returncode != 0:
            lines = run.stderr.strip().splitlines() or [f"exit status {run.returncode}"]
            raise BenchError(f"{' '.join(map(str, command))}: {lines[0]}")
        results = json.loads((folder / "run.json").read_text())["results"]
        row = case._asdict() | {"round": number, "threads": threads}
        row |= {name: results[name] for name in ("packet_hops", "measured_ns", "loop_wall_s")}
        self.rows.append(row)
        return row["loop_wall_s"], results["measured_ns"] / case.delay


def find_cases(hosts: Iterable[int]) -> list[Case]:
    return [
        Case(job, size, delay)
        for size in hosts
        for job in JOBS
        if job == "permutation" or size <= LARGEST
        for delay in DELAYS
    ]


class Gain(NamedTuple):
    """What a case has gained."""

    case: Case
    one: float  # s on one thread
    many: float  # s on several
    gain: float  # median of rounds
    windows: float

    def __str__(self) -> str:
        work = 1e6 * self.one / self.windows
        return (
            f"{self.case.job:12} {self.case.hosts:5} {self.case.delay:4} ns {work:10.1f} {self.one:9.2f} s"
            f" {self.many:8.2f} s {self.gain:6.2f}"
        )


def measure(bench: Bench, cases: Sequence[Case], threads: int, repeat: int) -> list[Gain]:
    """The gain of each case."""
    progress = Progress(len(cases) * repeat)
    gains = []
    for case in cases:
        times = []
        for number in range(1, repeat + 1):
            progress.step(f"{case.job}, {case.hosts} hosts, links of {case.delay} ns")
            order = (1, threads) if number % 2 else (threads, 1)
            times.append({count: bench.run(case, count, number) for count in order})
        one, many = (median(round_[count][0] for round_ in times) for count in (1, threads))
        gain = median(round_[1][0] / round_[threads][0] for round_ in times)
        gains.append(Gain(case, one, many, gain, times[0][1][1]))
    return gains


def fit(gains: Sequence[Gain], threads: int) -> tuple[float, float]:
    """The two constants of many / one = share / threads + meeting * windows / one, by least squares."""
    xs = [gain.windows / gain.one for gain in gains]
    ys = [1 / gain.gain for gain in gains]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / spread if spread else 0
    meeting = max(slope, 0)
    return threads * (mean_y - meeting * mean_x), meeting


def predict(gain: Gain, threads: int, share: float, meeting: float) -> float:
    """What a case gains on more threads, whose meeting takes a step for each doubling."""
    return 1 / (share / threads + meeting * (threads - 1).bit_length() * gain.windows / gain.one)


def print_table(gains: Sequence[Gain], threads: int) -> None:
    share, meeting = fit(gains, threads)
    steps = (threads - 1).bit_length()
    print(
        "                             us of work                             by the model, threads:\n"
        f"job          hosts  delay  a window   one thread  {threads} threads   gain "
        + " ".join(f"{count:6}" for count in (threads, *MORE))
    )
    for gain in gains:
        more = [predict(gain, count, share, meeting / steps) for count in (threads, *MORE)]
        print(gain, *(f"{value:6.1f}" for value in more))
    print(f"\nThe model: {share:.2f} times the work, {1e6 * meeting / steps:.1f} us a window and doubling of threads")


def get_arguments() -> argparse.Namespace:
    parser = Parser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("--program", type=Path, required=True, help="ai-fabric-run")
    threads = at_least(2, f"number from 2 to {MOST_THREADS}", MOST_THREADS)
    add("--threads", type=threads, default=2, help="threads (default: %(default)s)")
    add("--repeat", type=positive, default=3, help="rounds (default: %(default)s)")
    add("--quick", action="store_true", help="128 hosts alone")
    add("--out", type=Path, default=Path("results/threads"), metavar="DIR", help="for threads.csv")
    return parser.parse_args()


def main() -> None:
    arguments = get_arguments()
    os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
    catch_interrupts()
    make_folder(arguments.out)
    bench = Bench(arguments)
    try:
        cases = find_cases([128] if arguments.quick else FABRICS)
        gains = measure(bench, cases, arguments.threads, arguments.repeat)
    finally:
        write_rows(arguments.out / "threads.csv", bench.rows)
    print_table(gains, arguments.threads)
    print(f"\nEach run: {arguments.out / 'threads.csv'}")


if __name__ == "__main__":
    run_script("bench", main)
