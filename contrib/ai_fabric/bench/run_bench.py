#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Measure what a packet-hop costs in ai-fabric, beside a bare event loop.

In each round, and for each size, bare-loop and fabric-bench run the same job one right after the
other, in alternating order. Ratios are taken within such a pair and only then their median, so
that a machine that is slow for a while does not change the result. All times are CPU times.
tuned-loop, which says how fast a loop can be, has no target. All run with huge pages, where the
system lets programs ask for them.

bench.csv, in the folder of --out, has one row a run.
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
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ai_fabric.common.aliases import Values

BARE, TUNED, FABRIC = "bare-loop", "tuned-loop", "fabric-bench"
REFERENCE_BALANCER = "rsq"

LEAST_RATIO = 1
MOST_EVENTS = 1.15
MOST_GROWTH = 3.0
MOST_BYTES = 64 * 1024
LEAST_BALANCER_RATIO = 0.8
COLLECTIVES = ("ring", "direct")  # algorithms of all-reduces
LEAST_COLLECTIVE_RATIO = 0.8

COLUMNS = {  # of bench.csv, and what the programs print
    "round": None,
    "program": None,
    "balancer": None,
    "algorithm": None,
    "hosts": int,
    "packets": int,
    "packet_hops": int,
    "events": int,
    "cpu_s": float,
    "setup_cpu_s": float,
    "packet_hops_per_cpu_s": float,
    "events_per_packet_hop": float,
    "peak_rss_bytes": int,
    "bytes_per_host": int,
    "cct_ns": float,
}
KINDS = {name: kind for name, kind in COLUMNS.items() if kind}


class Programs:
    """The programs, and the rows of bench.csv that come from running them."""

    def __init__(self, folder: Path) -> None:
        self.paths = {name: find_program(folder, name) for name in (BARE, TUNED, FABRIC)}
        self.rows: list[Values] = []

    def output(self, name: str, *options: str) -> str:
        run = subprocess.run([self.paths[name], *options], capture_output=True, text=True)
        if run.returncode != 0:
            lines = run.stderr.strip().splitlines() or [f"exit status {run.returncode}"]
            raise BenchError(f"{name} {' '.join(options)}: {lines[-1]}")
        return run.stdout

    def run(self, round_number: int, name: str, *options: str) -> Values:
        """Run a program, and return its row."""
        row = read_values(self.output(name, *options), name, KINDS)
        row |= {"round": round_number, "program": name}
        self.rows.append(row)
        return row

    def balancers(self) -> list[str]:
        """The names in what fabric-bench --balancer=help lists; details are indented."""
        lines = self.output(FABRIC, "--balancer=help").splitlines()
        return [line.split()[0] for line in lines if line and not line[0].isspace()]

    def write(self, path: Path) -> None:
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, restval="", extrasaction="ignore")
            writer.writeheader()
            writer.writerows(self.rows)


def ns_per_hop(row: Values) -> float:
    return 1e9 / row["packet_hops_per_cpu_s"]


def run_pairs(
    programs: Programs, sizes: Sequence[int], arguments: argparse.Namespace
) -> dict[int, list[tuple[Values, Values, Values]]]:
    """For each size the list of (bare, fabric, tuned) rows, one a round."""
    pairs: dict[int, list[tuple[Values, Values, Values]]] = {hosts: [] for hosts in sizes}
    packets = {hosts: arguments.packets for hosts in sizes}
    progress = Progress(3 * len(sizes) * arguments.repeat)
    for number in range(1, arguments.repeat + 1):
        for hosts in sizes:
            rows = {}
            for name in (BARE, FABRIC, TUNED) if number % 2 else (FABRIC, BARE, TUNED):
                progress.step(f"round {number}, {hosts} hosts: {name}")
                options = [f"--hosts={hosts}", f"--packets={packets[hosts]}"]
                rows[name] = programs.run(number, name, *options)
                packets[hosts] = rows[name]["packets"]  # 0 let the program choose
            pairs[hosts].append((rows[BARE], rows[FABRIC], rows[TUNED]))
    return pairs


def summarize(
    pairs: Mapping[int, Sequence[tuple[Values, Values, Values]]], sizes: Sequence[int]
) -> dict[int, dict[str, float]]:
    """For each size the medians that the table shows."""

    def growth(hosts: int, which: int) -> float:
        firsts, rows = pairs[sizes[0]], pairs[hosts]
        return median(ns_per_hop(b[which]) / ns_per_hop(a[which]) for a, b in zip(firsts, rows))

    def fabric(hosts: int, value: Callable[[Values], float]) -> float:
        return median(value(row) for _, row, _ in pairs[hosts])

    return {
        hosts: {
            "bare": median(row["packet_hops_per_cpu_s"] for row, _, _ in pairs[hosts]),
            "fabric": fabric(hosts, lambda row: row["packet_hops_per_cpu_s"]),
            "ratio": median(ns_per_hop(a) / ns_per_hop(b) for a, b, _ in pairs[hosts]),
            "events": fabric(hosts, lambda row: row["events_per_packet_hop"]),
            "bare_ns": median(ns_per_hop(row) for row, _, _ in pairs[hosts]),
            "tuned_ns": median(ns_per_hop(row) for _, _, row in pairs[hosts]),
            "fabric_ns": fabric(hosts, ns_per_hop),
            "bytes": fabric(hosts, lambda row: row["bytes_per_host"]),
            "bare_growth": growth(hosts, 0),
            "fabric_growth": growth(hosts, 1),
        }
        for hosts in sizes
    }


def print_table(summary: Mapping[int, Mapping[str, float]]) -> None:
    print(
        "       packet-hops a CPU second      events       ns a packet-hop      bytes   cost growth\n"
        " hosts       bare    fabric  ratio  per hop   tuned    bare  fabric   a host   bare  fabric"
    )
    for hosts, s in summary.items():
        print(
            f"{hosts:6} {s['bare']:10,.0f} {s['fabric']:9,.0f} {s['ratio']:6.2f} {s['events']:8.3f}"
            f" {s['tuned_ns']:7.1f} {s['bare_ns']:7.1f} {s['fabric_ns']:7.1f} {s['bytes']:8,.0f}"
            f" {s['bare_growth']:6.2f} {s['fabric_growth']:7.2f}"
        )


def find_targets(summary: Mapping[int, Mapping[str, float]]) -> Iterator[Target]:
    for hosts, s in summary.items():
        yield Target(f"speed beside the bare loop, {hosts} hosts", s["ratio"], LEAST_RATIO, True)
    for hosts, s in summary.items():
        yield Target(f"events a packet-hop, {hosts} hosts", s["events"], MOST_EVENTS, False)
    for hosts, s in summary.items():
        yield Target(f"bytes of memory a host, {hosts} hosts", s["bytes"], MOST_BYTES, False)
    if min(summary) == 16 and 1024 in summary:
        growth = summary[1024]["fabric_growth"]
        yield Target("cost of a packet-hop, 1024 beside 16 hosts", growth, MOST_GROWTH, False)


def run_variants(
    programs: Programs,
    hosts: int,
    packets: int,
    arguments: argparse.Namespace,
    reference: tuple[str, list[str]],
    variants: Mapping[str, list[str]],
) -> dict[str, float]:
    """For each variant its speed relative to the reference's, the median of the rounds.

    Variants are the options of fabric-bench, by name; so is the reference.
    """
    ratios: dict[str, list[float]] = {name: [] for name in variants}
    progress = Progress(2 * len(variants) * arguments.repeat)
    for number in range(1, arguments.repeat + 1):
        for name, options in variants.items():
            speed = {}
            pair = [(reference[0], reference[1]), (name, options)]
            for which, extra in pair if number % 2 else pair[::-1]:
                progress.step(f"round {number}, {hosts} hosts: {which} for {name}")
                sizes = [f"--hosts={hosts}", f"--packets={packets}"]
                row = programs.run(number, FABRIC, *sizes, *extra)
                speed[which] = row["packet_hops_per_cpu_s"]
            ratios[name].append(speed[name] / speed[reference[0]])
    return {name: median(values) for name, values in ratios.items()}


def run_balancers(programs: Programs, hosts: int, arguments: argparse.Namespace) -> dict[str, float]:
    """For each balancer its speed relative to the reference's, the median of the rounds."""
    names = programs.balancers()
    if REFERENCE_BALANCER not in names:
        raise BenchError(f"{FABRIC} --balancer=help does not list {REFERENCE_BALANCER}")
    names.remove(REFERENCE_BALANCER)
    variants = {name: [f"--balancer={name}"] for name in names}
    reference = (REFERENCE_BALANCER, [f"--balancer={REFERENCE_BALANCER}"])
    return run_variants(programs, hosts, arguments.packets, arguments, reference, variants)


def run_collectives(programs: Programs, arguments: argparse.Namespace) -> dict[int, dict[str, float]]:
    """For each size and algorithm the speed of an all-reduce relative to a permutation's."""
    variants = {name: [f"--algorithm={name}"] for name in COLLECTIVES}
    ratios = {}
    for hosts in arguments.hosts:
        # so many that a message of the all-to-all has eight packets
        packets = arguments.packets or max(16 * hosts, 2**20 // hosts)
        reference: tuple[str, list[str]] = ("permutation", [])
        ratios[hosts] = run_variants(programs, hosts, packets, arguments, reference, variants)
    return ratios


def print_collectives(ratios: Mapping[int, Mapping[str, float]]) -> None:
    print("\nPacket-hops a CPU second of an all-reduce relative to a permutation")
    print(" hosts " + " ".join(f"{name:>8}" for name in COLLECTIVES))
    for hosts, row in ratios.items():
        print(f"{hosts:6} " + " ".join(f"{row[name]:8.2f}" for name in COLLECTIVES))


def find_collective_targets(ratios: Mapping[int, Mapping[str, float]]) -> Iterator[Target]:
    for hosts, row in ratios.items():
        for name, ratio in row.items():
            what = f"{name} all-reduce beside a permutation, {hosts} hosts"
            yield Target(what, ratio, LEAST_COLLECTIVE_RATIO, True)


def print_balancers(ratios: Mapping[str, float], hosts: int) -> None:
    print(f"\nPacket-hops a CPU second relative to {REFERENCE_BALANCER}, {hosts} hosts")
    for name, ratio in sorted(ratios.items(), key=lambda item: -item[1]):
        print(f"  {name:<24} {ratio:5.2f}")


def find_balancer_targets(ratios: Mapping[str, float]) -> Iterator[Target]:
    for name, ratio in ratios.items():
        yield Target(f"{name} beside {REFERENCE_BALANCER}", ratio, LEAST_BALANCER_RATIO, True)


def get_arguments() -> argparse.Namespace:
    parser = Parser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("--bin-dir", type=Path, required=True, metavar="DIR", help="where the programs are")
    add("--hosts", type=parse_sizes, default="16,128,1024", help="sizes (default: %(default)s)")
    add("--repeat", type=positive, default=3, help="rounds (default: %(default)s)")
    add("--packets", type=positive, default=0, help="a message (default: the first program's)")
    add("--out", type=Path, default=Path("results/bench"), metavar="DIR", help="for bench.csv")
    add("--balancers", action="store_true", help="compare the load balancers' speed, too")
    add("--balancer-hosts", type=positive, default=128, help="for that (default: %(default)s)")
    add("--collectives", action="store_true", help="compare all-reduces with permutations, too")
    add("--strict", action="store_true", help="exit status 2 if a target is missed")
    return parser.parse_args()


def bench(arguments: argparse.Namespace) -> bool:
    """Run everything; return whether all targets hold."""
    programs = Programs(arguments.bin_dir)
    make_folder(arguments.out)
    try:
        summary = summarize(run_pairs(programs, arguments.hosts, arguments), arguments.hosts)
        print_table(summary)
        targets = list(find_targets(summary))
        if arguments.balancers:
            ratios = run_balancers(programs, arguments.balancer_hosts, arguments)
            print_balancers(ratios, arguments.balancer_hosts)
            targets += find_balancer_targets(ratios)
        if arguments.collectives:
            collectives = run_collectives(programs, arguments)
            print_collectives(collectives)
            targets += find_collective_targets(collectives)
    finally:
        programs.write(arguments.out / "bench.csv")
    print("\n" + "\n".join(map(str, targets)))
    print(f"\nEach run: {arguments.out / 'bench.csv'}")
    return all(target.holds for target in targets)


def main() -> int:
    arguments = get_arguments()
    os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
    catch_interrupts()
    return 0 if bench(arguments) or not arguments.strict else 2


if __name__ == "__main__":
    run_script("bench", main)
