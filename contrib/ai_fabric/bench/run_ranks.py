#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Measure what a run gains on several ranks, and what it costs.

For each fabric and delay of its links, one rank and both engines run the same job one right after the
other. Speed-ups are taken within such a round and only then their median. One more run of each
engine, with mpi-time.cc before MPI, tells how long ranks wait for each other. The model of
doc/mpi.rst gets its times from some of the runs and is then asked for the others.

ranks.csv, in the folder of --out, has one row a run.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from ai_fabric.common.program import catch_interrupts, run_script  # first: Ctrl-C from here on

from ai_fabric.bench.arguments import Parser, at_least, positive
from ai_fabric.bench.programs import BenchError, make_folder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from ai_fabric.common.aliases import Values

FABRICS = {
    "fat-tree": (1024, ["--k=16"]),
    "leaf-spine": (4096, ["--topology=leaf-spine", "--leaves=64", "--spines=64", "--hostsPerLeaf=64"]),
}
SMALL = {"fat-tree": (128, ["--k=8"])}
DELAYS = [500, 50, 5]  # ns
JOB = ["--balancer=rsq", "--sample=0ns"]
ENGINES = ["granted", "null-message"]
ONE = "one rank"
SCATTERED = "granted, scattered"
PLANNED_SHARE = {"fat-tree": 2 / 6, "leaf-spine": 2 / 4}  # of hops, over links that a plan may cut
SCATTERED_SHARE = 4 / 6  # of hops in a fat-tree, over links between switches
COLUMNS = {
    "round": "",
    "topology": "",
    "hosts": "",
    "delay_ns": "",
    "engine": "",
    "ranks": "",
    "packet_hops": "",
    "cct_ns": "",
    "loop_wall_s": "",
    "packet_hops_per_s": "",
    "peak_rss_bytes": "",
    "wait_s": "of the rank that waited longest",
    "waits": "",
    "exchange_s": "",
    "sends": "",
}


class Bench:
    """Runs the program, and keeps a row of each run."""

    fabrics: dict[str, tuple[int, list[str]]]

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.program = arguments.program
        self.preload = arguments.preload
        self.ranks = arguments.ranks
        self.out = arguments.out
        self.rows: list[Values] = []
        self.total = 0

    def run(self, number: int, topology: str, delay: int, engine: str, profile: bool = False) -> Values:
        """Run once, and return the row."""
        hosts, options = self.fabrics[topology]
        folder = self.out / "run"
        options = [*options, *JOB, f"--delay={delay}ns", f"--out={folder}"]
        command = [self.program]
        if engine != ONE:
            kind = engine.split(",")[0]
            options += [f"--ranks={self.ranks}", f"--engine={kind}"]
            options += [f"--plan={self.scatter()}"] if engine == SCATTERED else []
            preload = ["-x", f"LD_PRELOAD={self.preload}"] if profile else []
            command = ["mpiexec", "--quiet", "-n", str(self.ranks), *preload, self.program]
        print(f"[{len(self.rows) + 1}/{self.total}] {topology}, {delay} ns: {engine}", file=sys.stderr)
        run = subprocess.run([*command, *options], capture_output=True, text=True)
        if run.returncode != 0:
            lines = run.stderr.strip().splitlines() or [f"exit status {run.returncode}"]
            raise BenchError(f"{' '.join(map(str, command))}: {lines[0]}")
        results = json.loads((folder / "run.json").read_text())["results"]
        row = {name: results[name] for name in COLUMNS if name in results}
        row |= {"round": number, "topology": topology, "hosts": hosts, "delay_ns": delay}
        row |= {"engine": engine, "ranks": 1 if engine == ONE else self.ranks}
        row["packet_hops_per_s"] = row["packet_hops"] / row["loop_wall_s"]
        row |= parse(run.stderr) if profile else {}
        self.rows.append(row)
        return row

    def scatter(self) -> Path:
        """A plan that deals switches to the ranks in turn: more frames cross than have to."""
        path = self.out / "scattered.csv"
        if not path.exists():
            with (self.out / "run" / "links.csv").open() as file:
                names = {row["from"].split(":")[0] for row in csv.DictReader(file)}
            switches = sorted(name for name in names if not name.startswith("host-"))
            lines = [f"{name},{index % self.ranks}" for index, name in enumerate(switches)]
            path.write_text("node,rank\n" + "\n".join(lines) + "\n")
        return path

    def write(self) -> None:
        with (self.out / "ranks.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, restval="")
            writer.writeheader()
            writer.writerows(self.rows)


def parse(text: str) -> Values:
    """What mpi-time printed: sums of calls, and the longest times, over the ranks."""
    lines = [line for line in text.splitlines() if line.startswith("mpi-time ")]
    ranks = [dict(pair.split("=") for pair in line.split()[1:]) for line in lines]
    if not ranks:
        raise BenchError("mpi-time printed nothing: is it built for this MPI?")
    values = {name: max(float(rank[name]) for rank in ranks) for name in ("wait_s", "exchange_s")}
    values["waits"] = max(int(rank["waits"]) for rank in ranks)
    return values | {"sends": sum(int(rank["sends"]) for rank in ranks)}


def measure(
    bench: Bench, arguments: argparse.Namespace
) -> tuple[dict[tuple[str, int, str], list[Values]], dict[tuple[str, int, str], Values]]:
    """For each topology, delay and engine its rounds, and the run that was profiled."""
    rounds: dict[tuple[str, int, str], list[Values]] = {}
    profiles: dict[tuple[str, int, str], Values] = {}
    bench.fabrics = SMALL if arguments.quick else FABRICS
    per_round = (1 + len(ENGINES)) * len(DELAYS)
    bench.total = len(bench.fabrics) * (arguments.repeat * per_round + len(ENGINES) * len(DELAYS))
    bench.total += arguments.repeat  # with SCATTERED
    for topology in bench.fabrics:
        (bench.out / "scattered.csv").unlink(missing_ok=True)
        for number in range(1, arguments.repeat + 1):
            for delay in DELAYS:
                is_scattered = topology == "fat-tree" and delay == DELAYS[0]
                engines = [ONE, *ENGINES] + ([SCATTERED] if is_scattered else [])
                for engine in engines if number % 2 else [ONE, *engines[:0:-1]]:
                    row = bench.run(number, topology, delay, engine)
                    rounds.setdefault((topology, delay, engine), []).append(row)
        for delay in DELAYS:
            for engine in ENGINES:
                row = bench.run(0, topology, delay, engine, profile=True)
                profiles[topology, delay, engine] = row
    return rounds, profiles


def speed_up(rounds: Mapping[tuple[str, int, str], Sequence[Values]], topology: str, delay: int, engine: str) -> float:
    """The median over rounds of the time on one rank over that on several."""
    pairs = zip(rounds[topology, delay, ONE], rounds[topology, delay, engine])
    return median(one["loop_wall_s"] / many["loop_wall_s"] for one, many in pairs)


def middle(rows: Sequence[Values], name: str) -> float:
    return median(row[name] for row in rows)


def print_table(
    bench: Bench, rounds: Mapping[tuple[str, int, str], Sequence[Values]], profiles: Mapping[tuple[str, int, str], Values]
) -> None:
    print(
        "                              packet-hops  speed-  MiB a   waiting  exchanging      waits  frames'\n"
        "fabric       delay  engine       a second      up   rank    (share of the loop)          messages"
    )
    for (topology, delay, engine), rows in rounds.items():
        hosts = bench.fabrics[topology][0]
        speed = middle(rows, "packet_hops_per_s") / 1e6
        memory = middle(rows, "peak_rss_bytes") / 2**20
        line = f"{topology:10} {hosts:5} {delay:4} ns  {engine:18} {speed:5.2f} M  "
        line += f"{speed_up(rounds, topology, delay, engine):5.2f} {memory:6.0f}"
        if profile := profiles.get((topology, delay, engine)):
            wait, exchange = (profile[name] / profile["loop_wall_s"] for name in ("wait_s", "exchange_s"))
            line += f" {wait:8.1%} {exchange:10.1%} {profile['waits']:10} {profile['sends']:8}"
        print(line)


def check_model(
    bench: Bench, rounds: Mapping[tuple[str, int, str], Sequence[Values]], profiles: Mapping[tuple[str, int, str], Values]
) -> None:
    """Take the model's times from some runs of the first fabric, and ask it for others."""
    ranks = bench.ranks
    first, *_, last = DELAYS
    one = next(iter(bench.fabrics))

    def time(topology: str, delay: int, engine: str) -> float:
        return min(row["loop_wall_s"] for row in rounds[topology, delay, engine])

    def hops(topology: str) -> int:
        return rounds[topology, first, ONE][0]["packet_hops"]

    def waits(topology: str, delay: int) -> int:
        return profiles[topology, delay, ENGINES[0]]["waits"]

    cut = (ranks - 1) / ranks
    # More frames cross, or the ranks meet more often; nothing else is different.
    more = time(one, first, SCATTERED) - time(one, first, ENGINES[0])
    t_x = more * ranks / hops(one) / (cut * (SCATTERED_SHARE - PLANNED_SHARE[one]))
    meet = time(one, last, ENGINES[0]) - time(one, first, ENGINES[0])
    t_s = max(meet, 0) / (waits(one, last) - waits(one, first))
    print("\nThe model of doc/mpi.rst, from the fastest run of each kind, granted time")
    print(f"  t_x {t_x * 1e9:.0f} ns a crossing frame, t_s {t_s * 1e6:.1f} us a synchronization")
    for topology, share in PLANNED_SHARE.items():
        for delay in DELAYS if topology in bench.fabrics else []:
            t_1 = time(topology, delay, ONE) / hops(topology)
            model = (t_1 + cut * share * t_x) * hops(topology) / ranks + waits(topology, delay) * t_s
            measured = time(topology, delay, ENGINES[0])
            print(
                f"  {topology:10} {delay:4} ns: t_1 {t_1 * 1e9:.0f} ns; on {ranks} ranks"
                f" {model:.2f} s by the model, {measured:.2f} s measured"
            )


def get_arguments() -> argparse.Namespace:
    parser = Parser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("--program", type=Path, required=True, help="ai-fabric-run, built with MPI")
    add("--preload", type=Path, required=True, help="the library of mpi-time.cc")
    add("--ranks", type=at_least(2, "number of 2 or more"), default=2, help="processes (default: %(default)s)")
    add("--repeat", type=positive, default=3, help="rounds (default: %(default)s)")
    add("--quick", action="store_true", help="128 hosts alone")
    add("--out", type=Path, default=Path("results/ranks"), metavar="DIR", help="for ranks.csv")
    return parser.parse_args()


def main() -> None:
    arguments = get_arguments()
    os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
    bench = Bench(arguments)
    catch_interrupts()
    make_folder(arguments.out)
    rounds, profiles = measure(bench, arguments)
    bench.write()
    print_table(bench, rounds, profiles)
    check_model(bench, rounds, profiles)
    print(f"\nEach run: {arguments.out / 'ranks.csv'}")


if __name__ == "__main__":
    run_script("bench", main)
