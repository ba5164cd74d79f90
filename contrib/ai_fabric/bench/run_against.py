#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Measure the speed beside uet-htsim (https://github.com/ultraethernet/uet-htsim), like with like.

Both run one permutation, with NSCC, switches that trim, the balancer mixed, and no samples, on fat-trees
with links of 100 Gb/s and 1 us. Two lengths of the messages give what a data packet costs, set-up left
out. Rounds alternate; a ratio is that of a round, the result the median. The numbers of packets and of
acknowledgements stand beside it: they say how much the two do.

against.csv, in the folder of --out, has one row a run.
"""

from __future__ import annotations

import json
import os
import random
import re
import resource
import subprocess
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from ai_fabric.common.program import catch_interrupts, run_script  # first: Ctrl-C from here on

from ai_fabric.bench.arguments import MOST_THREADS, Parser, at_least, positive
from ai_fabric.bench.programs import BenchError, Progress, make_folder, write_rows

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from ai_fabric.common.aliases import Values

ARITIES = {16: 4, 128: 8, 1024: 16}
KIB = 500, 4000  # of a message
COUNTS = re.compile(r"New: (\d+) Rtx: (\d+) .* ACKs: (\d+)")
PEER = "-sender_cc_only -sender_cc_algo nscc -load_balancing_algo mixed -end 1000000 -seed 1".split()
OURS = "--stack=uec --balancer=mixed --rate=100Gb/s --delay=1us --sample=0ns --queuePeaks=false".split()
TOPOLOGY = """\
Nodes {hosts}
Tiers 3
Podsize {pod}
Tier 0
Downlink_speed_Gbps 100
Radix_Down {half}
Radix_Up {half}
Downlink_Latency_ns 1000
Tier 1
Downlink_speed_Gbps 100
Radix_Down {half}
Radix_Up {half}
Downlink_Latency_ns 1000
Tier 2
Downlink_speed_Gbps 100
Radix_Down {k}
Downlink_Latency_ns 1000
"""


class Inputs:
    """The same fabric and messages, as each program reads them."""

    def __init__(self, folder: Path, hosts: int, kib: int) -> None:
        self.k = ARITIES[hosts]
        self.topology, self.matrix, self.flows = (folder / f"{hosts}-{kib}.{end}" for end in ("topo", "cm", "csv"))
        half = self.k // 2
        self.topology.write_text(TOPOLOGY.format(hosts=hosts, pod=half * half, half=half, k=self.k))
        pairs = list(enumerate(permute(hosts)))
        size = 1024 * kib
        lines = [f"{source}->{destination} start 0 size {size}" for source, destination in pairs]
        self.matrix.write_text(f"Nodes {hosts}\nConnections {hosts}\n" + "\n".join(lines) + "\n")
        rows = [f"{source},{destination},{size},0" for source, destination in pairs]
        self.flows.write_text("source,destination,bytes,start_ns\n" + "\n".join(rows) + "\n")


def permute(hosts: int) -> list[int]:
    """A random permutation in which nobody sends to himself."""
    order = list(range(hosts))
    random.Random(1).shuffle(order)
    to = {source: order[(place + 1) % hosts] for place, source in enumerate(order)}
    return [to[host] for host in range(hosts)]


def run(command: Sequence[str], folder: Path) -> tuple[str, float, float]:
    """Run a program in a folder; return what it printed, its CPU time and the time on the clock, in seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise BenchError(f"{command[0]}: {lines[0]}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def run_peer(arguments: argparse.Namespace, inputs: Inputs, _threads: int) -> Values:
    command = [arguments.against, "-topo", inputs.topology, "-tm", inputs.matrix, *PEER]
    text, cpu, wall = run(list(map(str, command)), arguments.out)  # where it writes files of its own
    found = COUNTS.search(text)
    if not found:
        raise BenchError(f"--against {arguments.against}: does not print its packets as uet-htsim does")
    new, again, acks = map(int, found.groups())
    return {"packets": new + again, "acks": acks, "cpu_s": cpu, "wall_s": wall}


def run_ours(arguments: argparse.Namespace, inputs: Inputs, threads: int) -> Values:
    folder = arguments.out / "run"
    command = [arguments.program, f"--k={inputs.k}", *OURS, f"--flows={inputs.flows}"]
    _, cpu, wall = run([*map(str, command), f"--threads={threads}", f"--out={folder}"], arguments.out)
    results = json.loads((folder / "run.json").read_text())["results"]
    return {"packets": results["data_packets"], "acks": results["acks"], "cpu_s": cpu, "wall_s": wall}


def measure(arguments: argparse.Namespace, rows: list[Values]) -> dict[tuple[int, str], list[dict[str, float]]]:
    """By hosts and program: of each round, both lengths."""
    programs = {"uet-htsim": (run_peer, 1), "ai-fabric": (run_ours, 1)}
    programs |= {f"{count} threads": (run_ours, count) for count in [arguments.threads] if count > 1}
    progress = Progress(len(arguments.hosts) * arguments.repeat * len(programs) * len(KIB))
    rounds: dict[tuple[int, str], list[dict[str, float]]] = {}
    for hosts in arguments.hosts:
        inputs = {kib: Inputs(arguments.out, hosts, kib) for kib in KIB}
        for number in range(1, arguments.repeat + 1):
            for name in programs if number % 2 else reversed(programs):
                runner, threads = programs[name]
                for kib in KIB:
                    progress.step(f"{name}, {hosts} hosts, {kib} KiB a message")
                    row = runner(arguments, inputs[kib], threads)
                    rows.append({"hosts": hosts, "program": name, "round": number, "message_kib": kib, **row})
                few, many = rows[-2:]
                rounds.setdefault((hosts, name), []).append(subtract(few, many))
    return rounds


def subtract(few: Values, many: Values) -> dict[str, float]:
    """What the longer messages take more, by data packet of the messages."""
    packets = few["hosts"] * 1024 * (KIB[1] - KIB[0]) / 4096
    names = "packets", "acks", "cpu_s", "wall_s"
    return {name: (many[name] - few[name]) / packets for name in names}


def print_table(arguments: argparse.Namespace, rounds: Mapping[tuple[int, str], Sequence[dict[str, float]]]) -> None:
    print("                      sent   ACKs       ns of CPU   ns by the clock   uet-htsim = 1")
    print(" hosts  program       (a packet of the messages each)                CPU      clock")
    for (hosts, name), found in rounds.items():
        peers = rounds[hosts, "uet-htsim"]
        ratios = [median(peer[key] / mine[key] for peer, mine in zip(peers, found)) for key in ("cpu_s", "wall_s")]
        middle = {key: median(row[key] for row in found) for key in found[0]}
        print(
            f"{hosts:6}  {name:<10} {middle['packets']:7.2f} {middle['acks']:6.2f} {1e9 * middle['cpu_s']:15.0f}"
            f" {1e9 * middle['wall_s']:17.0f} {ratios[0]:8.1f} {ratios[1]:10.1f}"
        )


def parse_hosts(text: str) -> list[int]:
    sizes = [int(size) for size in text.split(",")]
    if not set(sizes) <= set(ARITIES):
        raise ValueError
    return sizes


parse_hosts.__name__ = "list of 16, 128 and 1024"


def find_peer(text: str) -> Path:
    if not os.access(text, os.X_OK) or not Path(text).is_file():
        raise ValueError
    return Path(text).absolute()


find_peer.__name__ = "path of a program"


def get_arguments() -> argparse.Namespace:
    parser = Parser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("--program", type=Path, required=True, help="ai-fabric-run")
    add("--against", type=find_peer, required=True, metavar="PATH", help="the program htsim_uec of uet-htsim")
    add("--hosts", type=parse_hosts, default="128,1024", help="sizes: 16, 128, 1024 (default: %(default)s)")
    threads = at_least(1, f"number from 1 to {MOST_THREADS}", MOST_THREADS)
    add("--threads", type=threads, default=2, help="of a third run (default: %(default)s)")
    add("--repeat", type=positive, default=3, help="rounds (default: %(default)s)")
    add("--out", type=Path, default=Path("results/against"), metavar="DIR", help="for against.csv")
    return parser.parse_args()


def main() -> None:
    arguments = get_arguments()
    os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
    catch_interrupts()
    make_folder(arguments.out)
    arguments.out, arguments.program = arguments.out.absolute(), arguments.program.absolute()
    rows: list[Values] = []
    try:
        print_table(arguments, measure(arguments, rows))
    finally:
        write_rows(arguments.out / "against.csv", rows)
    print(f"\nEach run: {arguments.out / 'against.csv'}")


if __name__ == "__main__":
    run_script("bench", main)
