#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Count what a packet-hop takes: instructions, and cache lines that are fetched.

Valgrind's cachegrind runs each program with 20 and with 100 data packets a host. The difference of the
two, divided by the difference of their packet-hops, leaves set-up out. The caches are 32 KiB for
instructions and 32 KiB for data, and 1 MiB behind them. Unlike times, the counts are the same on
a busy machine, but for the last digits: where memory lies differs from run to run.

counts.csv, in the folder of --out, has one row for each size and program; all but packet_hops, which is
the difference of the two runs, is per packet-hop.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ai_fabric.common.program import catch_interrupts, run_script  # first: Ctrl-C from here on

from ai_fabric.bench.arguments import Parser, parse_sizes
from ai_fabric.bench.programs import BenchError, Progress, find_program, make_folder, read_values

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from ai_fabric.common.aliases import Values

PROGRAMS = "tuned-loop", "bare-loop", "fabric-bench"
PACKETS = 20, 100  # a host
CACHEGRIND = [
    "--tool=cachegrind",
    "--cache-sim=yes",
    "--I1=32768,8,64",
    "--D1=32768,8,64",
    "--LL=1048576,16,64",
]
COUNTS = {  # and cachegrind's events that they are the sums of
    "instructions": ["Ir"],
    "instruction_misses": ["I1mr"],
    "data_misses": ["D1mr", "D1mw"],
    "lines_from_beyond": ["ILmr", "DLmr", "DLmw"],
}


class Count:
    """A run under cachegrind, which has begun."""

    def __init__(self, valgrind: str, program: Path, hosts: int, packets: int, folder: str) -> None:
        self.name = program.name
        self.path = Path(folder) / f"{packets}.out"
        command: list[str | Path] = [valgrind, *CACHEGRIND, f"--cachegrind-out-file={self.path}", program]
        command += [f"--hosts={hosts}", f"--packets={packets}"]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def finish(self) -> Values:
        """Wait for the end, and return the counts."""
        out, error = self.process.communicate()
        if self.process.returncode != 0:
            lines = [line for line in error.splitlines() if line and not line.startswith("==")]
            why = lines[-1] if lines else f"exit status {self.process.returncode}"
            raise BenchError(f"{self.name} under valgrind: {why}")
        return read_values(out, self.name, {"packet_hops": int}) | read_counts(self.path.read_text())

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def read_counts(text: str) -> dict[str, int]:
    """The sums that stand in a file of cachegrind."""
    lines = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    try:
        events = dict(zip(lines["events"].split(), map(int, lines["summary"].split())))
        return {name: sum(events[event] for event in parts) for name, parts in COUNTS.items()}
    except (KeyError, ValueError) as error:
        raise BenchError(f"cachegrind wrote what cannot be read: {error}") from error


def per_hop(few: Values, many: Values) -> Values:
    """What a packet-hop takes, by two runs of different length."""
    hops = many["packet_hops"] - few["packet_hops"]
    if hops <= 0:
        raise BenchError("more packets did not make more packet-hops")
    return {"packet_hops": hops} | {name: (many[name] - few[name]) / hops for name in COUNTS}


def count(valgrind: str, program: Path, hosts: int) -> Values:
    """A row of counts.csv; both runs are made at a time."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [Count(valgrind, program, hosts, packets, folder) for packets in PACKETS]
        try:
            few, many = [run.finish() for run in runs]
        finally:
            for run in runs:
                run.stop()
    return {"hosts": hosts} | per_hop(few, many)


def print_table(rows: Iterable[Values]) -> None:
    print(
        "                        per packet-hop  misses of the first level  lines from\n"
        " hosts  program           instructions  instructions         data  beyond 1 MiB"
    )
    for row in rows:
        print(
            f"{row['hosts']:6}  {row['program']:<14} {row['instructions']:15,.1f}"
            f" {row['instruction_misses']:13.2f} {row['data_misses']:12.2f}"
            f" {row['lines_from_beyond']:13.3f}"
        )


def get_arguments() -> argparse.Namespace:
    parser = Parser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("--counts", action="store_true", help="count instead of measuring times")
    add("--bin-dir", type=Path, required=True, metavar="DIR", help="where the programs are")
    add("--hosts", type=parse_sizes, default="1024", help="sizes (default: %(default)s)")
    add("--out", type=Path, default=Path("results/counts"), metavar="DIR", help="for counts.csv")
    return parser.parse_args()


def bench(arguments: argparse.Namespace) -> None:
    valgrind = shutil.which("valgrind")
    if not valgrind:
        raise BenchError("there is no valgrind; it is the Debian package valgrind")
    programs = {name: find_program(arguments.bin_dir, name) for name in PROGRAMS}
    make_folder(arguments.out)
    progress = Progress(len(arguments.hosts) * len(programs))
    rows = []
    with (arguments.out / "counts.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ["program", "hosts", "packet_hops", *COUNTS])
        writer.writeheader()
        for hosts in arguments.hosts:
            for name, program in programs.items():
                progress.step(f"{hosts} hosts: {name}")
                rows.append({"program": name} | count(valgrind, program, hosts))
                writer.writerow(rows[-1])
    print_table(rows)
    print(f"\nThe same, and more digits: {arguments.out / 'counts.csv'}")


def main() -> None:
    arguments = get_arguments()
    catch_interrupts()
    bench(arguments)


if __name__ == "__main__":
    run_script("bench", main)
