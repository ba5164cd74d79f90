#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Compare the speed of transports: packet-hops per CPU second of sprayed packets and of RC.

In each round, and for each size, bare-loop, RC, and sprayed packets with a fixed window and with NSCC
run the same permutation one right after the other, in alternating order. Ratios are computed within a
round, and the result is their median, so that a machine that is slow for a while does not change it.
All times are CPU times.

transports.csv, in the folder of --out, has one row a run.
"""

from __future__ import annotations

import csv
import os
import subprocess
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from ai_fabric.common.program import catch_interrupts, run_script  # first: Ctrl-C from here on

from ai_fabric.bench.arguments import Parser, parse_sizes, positive
from ai_fabric.bench.programs import BenchError, Progress, find_program, make_folder, read_values
from ai_fabric.bench.speed_targets import Target

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

    from ai_fabric.common.aliases import Values

BARE, FABRIC = "bare-loop", "fabric-bench"
WINDOW = 2**19  # bytes; about 1.5 bandwidth-delay products, the first window of NSCC
RC = "rc"
RUNS: dict[str, tuple[str, list[str]]] = {  # program and options
    BARE: (BARE, []),
    RC: (FABRIC, ["--transport=rc", f"--window={WINDOW}"]),
    "spray": (FABRIC, ["--transport=spray", f"--window={WINDOW}"]),
    "spray-nscc": (FABRIC, ["--transport=spray", "--rateControl=nscc"]),
    "mrc": (FABRIC, ["--transport=mrc", "--balancer=mrc", f"--window={WINDOW}"]),
    "mrc-nscc": (FABRIC, ["--transport=mrc", "--balancer=mrc", "--rateControl=nscc"]),
}
SPRAYED = "spray", "spray-nscc"
LEAST_OF_RC = 0.75
LEAST_OF_BARE = 0.32
KINDS = {
    "hosts": int,
    "packets": int,
    "packet_hops": int,
    "cpu_s": float,
    "packet_hops_per_cpu_s": float,
    "peak_rss_bytes": int,
}


def run(paths: Mapping[str, Path], name: str, hosts: int, packets: int) -> Values:
    """Run a program, and return its row."""
    program, options = RUNS[name]
    command: list[str | Path] = [paths[program], f"--hosts={hosts}", f"--packets={packets}", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise BenchError(f"{name}: {lines[-1]}")
    return {"run": name} | read_values(done.stdout, name, KINDS)


def measure(paths: Mapping[str, Path], arguments: argparse.Namespace) -> dict[int, list[dict[str, Values]]]:
    """The rows of all rounds: for each size a list of dictionaries, a row for each run."""
    rounds: dict[int, list[dict[str, Values]]] = {hosts: [] for hosts in arguments.hosts}
    progress = Progress(len(RUNS) * len(arguments.hosts) * arguments.repeat)
    for number in range(1, arguments.repeat + 1):
        for hosts in arguments.hosts:
            packets = arguments.packets or max(256, 2**20 // hosts)
            rows = {}
            for name in RUNS if number % 2 else reversed(RUNS):
                progress.step(f"round {number}, {hosts} hosts: {name}")
                rows[name] = {"round": number} | run(paths, name, hosts, packets)
            rounds[hosts].append(rows)
    return rounds


def ratio(rounds: Sequence[Mapping[str, Values]], name: str, reference: str) -> float:
    """The speed of a run relative to another one, the median of the rounds."""
    key = "packet_hops_per_cpu_s"
    return median(rows[name][key] / rows[reference][key] for rows in rounds)


def print_table(rounds: Mapping[int, Sequence[Mapping[str, Values]]]) -> None:
    print(" hosts  run          packet-hops a CPU second  of bare-loop    of rc")
    for hosts, rows in rounds.items():
        for name in RUNS:
            speed = median(row[name]["packet_hops_per_cpu_s"] for row in rows)
            ratios = ratio(rows, name, BARE), ratio(rows, name, RC)
            print(f"{hosts:6}  {name:<12} {speed:24,.0f} {ratios[0]:13.2f} {ratios[1]:8.2f}")


def find_targets(rounds: Mapping[int, Sequence[Mapping[str, Values]]]) -> Iterator[Target]:
    for hosts, rows in rounds.items():
        for name in SPRAYED:
            value = ratio(rows, name, RC)
            yield Target(f"{name} beside {RC}, {hosts} hosts", value, LEAST_OF_RC, True)
        for name in SPRAYED:
            value = ratio(rows, name, BARE)
            yield Target(f"{name} beside {BARE}, {hosts} hosts", value, LEAST_OF_BARE, True)


def write(rounds: Mapping[int, Sequence[Mapping[str, Values]]], path: Path) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["round", "run", *KINDS], extrasaction="ignore")
        writer.writeheader()
        for rows in (rows for size in rounds.values() for rows in size):
            writer.writerows(rows.values())


def get_arguments() -> argparse.Namespace:
    parser = Parser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("--transports", action="store_true", help="compare transports instead of fabric and loop")
    add("--bin-dir", type=Path, required=True, metavar="DIR", help="where the programs are")
    add("--hosts", type=parse_sizes, default="128", help="sizes (default: %(default)s)")
    add("--repeat", type=positive, default=5, help="rounds (default: %(default)s)")
    add("--packets", type=positive, default=0, help="a message (default: 2^20 in all)")
    add("--out", type=Path, default=Path("results/transports"), metavar="DIR", help="for transports.csv")
    add("--strict", action="store_true", help="exit status 2 if a target is missed")
    return parser.parse_args()


def bench(arguments: argparse.Namespace) -> bool:
    """Run everything; return whether all targets hold."""
    paths = {name: find_program(arguments.bin_dir, name) for name in (BARE, FABRIC)}
    make_folder(arguments.out)
    rounds = measure(paths, arguments)
    write(rounds, arguments.out / "transports.csv")
    print_table(rounds)
    targets = list(find_targets(rounds))
    print("\n" + "\n".join(map(str, targets)))
    print(f"\nEach run: {arguments.out / 'transports.csv'}")
    return all(target.holds for target in targets)


def main() -> int:
    arguments = get_arguments()
    os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
    catch_interrupts()
    return 0 if bench(arguments) or not arguments.strict else 2


if __name__ == "__main__":
    run_script("bench", main)
