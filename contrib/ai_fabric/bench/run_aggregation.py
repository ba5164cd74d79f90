#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Compare the speed of in-network aggregation, whose packets carry their values, with that of plain packets.

16 workers and a server are below one switch. In each round an all-to-all and a ring of queue pairs, ESA,
ATP and SwitchML run one right after the other, in alternating order. Ratios of the CPU times of a
packet-hop are computed within a round, and the result is their median. With --instructions each run is
made twice instead, under Valgrind's cachegrind, with a sixteenth and with a quarter of the bytes: the
difference of the instructions, divided by that of the packet-hops, leaves set-up out.

aggregation.csv, in the folder of --out, has one row a run.
"""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from ai_fabric.common.program import catch_interrupts, run_script  # first: Ctrl-C from here on

from ai_fabric.bench.arguments import Parser, positive
from ai_fabric.bench.programs import BenchError, Progress, find_program, make_folder
from ai_fabric.bench.speed_targets import Target

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping, Sequence

    from ai_fabric.common.aliases import Values

FABRIC = ["--topology=leaf-spine", "--leaves=1", "--spines=1", "--hostsPerLeaf=17", "--rate=100Gb/s"]
PLAIN = "all-to-all"
RUNS = {  # workload, algorithm, and KiB that make about as many packet-hops
    PLAIN: ("all-to-all", "direct", 32768 // 17),  # from each of 17 hosts to each other
    "ring": ("all-reduce", "ring", 16384),
    "esa": ("all-reduce", "esa", 4096),
    "atp": ("all-reduce", "atp", 4096),
    "switchml": ("all-reduce", "switchml", 4096),
}
AGGREGATED = "esa", "atp", "switchml"
MOST_OF_PLAIN = 1.5
SHARES = 16, 4  # of the bytes, for instructions


def run(program: Path, name: str, share: int, before: Sequence[str] = ()) -> Values:
    """Run the program, and return its packet-hops and CPU time."""
    workload, algorithm, size = RUNS[name]
    with tempfile.TemporaryDirectory() as folder:
        options = [f"--workload={workload}", f"--algorithm={algorithm}", f"--size={size // share}KiB"]
        command: list[str | Path] = [*before, program, *FABRIC, *options, f"--out={folder}/out"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
            raise BenchError(f"{name}: {lines[-1]}")
        results = json.loads(Path(folder, "out", "run.json").read_text())["results"]
        return {"packet_hops": results["packet_hops"], "cpu_s": results["cpu_s"]}


def measure(program: Path, name: str, share: int) -> Values:
    """The CPU time of a packet-hop in ns."""
    found = run(program, name, share)
    return {**found, "per_hop": found["cpu_s"] * 1e9 / found["packet_hops"]}


def count(valgrind: str, program: Path, name: str, share: int) -> Values:
    """The instructions of a packet-hop, without set-up."""
    hops, instructions = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "counts")
        for part in SHARES:
            before = [valgrind, "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={path}"]
            hops.append(run(program, name, share * part, before)["packet_hops"])
            lines = dict(line.split(":", 1) for line in path.read_text().splitlines() if ":" in line)
            instructions.append(int(lines["summary"].split()[0]))
    if hops[1] <= hops[0]:
        raise BenchError("more bytes did not make more packet-hops")
    return {"packet_hops": hops[1] - hops[0], "per_hop": (instructions[1] - instructions[0]) / (hops[1] - hops[0])}


def ratio(rounds: Sequence[Mapping[str, Values]], name: str, reference: str) -> float:
    """What a packet-hop of a run takes relative to one of another run, the median of the rounds."""
    return median(rows[name]["per_hop"] / rows[reference]["per_hop"] for rows in rounds)


def print_table(rounds: Sequence[Mapping[str, Values]], unit: str) -> None:
    print(f"run         {unit:>20} a packet-hop  {PLAIN} = 1  ring = 1")
    for name in RUNS:
        value = median(rows[name]["per_hop"] for rows in rounds)
        print(f"{name:<12}{value:33,.0f} {ratio(rounds, name, PLAIN):15.2f} {ratio(rounds, name, 'ring'):9.2f}")


def get_arguments() -> argparse.Namespace:
    parser = Parser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("--aggregation", action="store_true", help="compare in-network aggregation instead of fabric and loop")
    add("--bin-dir", type=Path, required=True, metavar="DIR", help="where the programs are")
    add("--repeat", type=positive, default=7, help="rounds (default: %(default)s)")
    add("--instructions", action="store_true", help="count them in one round, under valgrind")
    add("--share", type=positive, default=1, help="divide the bytes of all runs by this (default: %(default)s)")
    add("--out", type=Path, default=Path("results/aggregation"), metavar="DIR", help="for aggregation.csv")
    add("--strict", action="store_true", help="exit status 2 if a target is missed")
    return parser.parse_args()


def bench(arguments: argparse.Namespace) -> bool:
    """Run everything; return whether all targets hold."""
    valgrind = shutil.which("valgrind") or ""
    if arguments.instructions and not valgrind:
        raise BenchError("there is no valgrind; it is the Debian package valgrind")
    program = find_program(arguments.bin_dir, "ai-fabric-run")
    make_folder(arguments.out)
    repeat = 1 if arguments.instructions else arguments.repeat
    progress = Progress(len(RUNS) * repeat)
    take: Callable[[Path, str, int], Values] = measure
    if arguments.instructions:
        take = lambda *run: count(valgrind, *run)
    rounds = []
    for number in range(1, repeat + 1):
        rows = {}
        for name in RUNS if number % 2 else reversed(RUNS):
            progress.step(f"round {number}: {name}")
            rows[name] = {"round": number, "run": name, **take(program, name, arguments.share)}
        rounds.append(rows)
    with (arguments.out / "aggregation.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ["round", "run", "packet_hops", "cpu_s", "per_hop"])
        writer.writeheader()
        writer.writerows(row for rows in rounds for row in rows.values())
    print_table(rounds, "instructions" if arguments.instructions else "CPU time in ns")
    targets = [Target(f"{name} beside {PLAIN}", ratio(rounds, name, PLAIN), MOST_OF_PLAIN, False) for name in AGGREGATED]
    print("\n" + "\n".join(map(str, targets)))
    print(f"\nEach run: {arguments.out / 'aggregation.csv'}")
    return all(target.holds for target in targets)


def main() -> int:
    arguments = get_arguments()
    catch_interrupts()
    return 0 if bench(arguments) or not arguments.strict else 2


if __name__ == "__main__":
    run_script("bench", main)
