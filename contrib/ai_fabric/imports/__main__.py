#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Reads a fabric and its traffic from files of other simulators (HPCC, htsim), and writes those of ai-fabric-run."""

import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from ai_fabric.common.program import Parser, ScriptError, run_script  # first: Ctrl-C from here on

from ai_fabric.imports import hpcc
from ai_fabric.imports import htsim_topology
from ai_fabric.imports import htsim_traffic
from ai_fabric.common.aliases import FilePath
from ai_fabric.imports.network import Network, Traffic
from ai_fabric.imports.words import Lines, read_lines

NAME = "import"
NETWORKS = {"hpcc": hpcc.read_network, "htsim": htsim_topology.read_network}
TRAFFIC = {"hpcc": hpcc.read_traffic, "htsim": htsim_traffic.read_traffic}
KINDS = "HPCC's topology or flow file, or htsim's .topo or .cm"


def kind_of(path: FilePath, lines: Lines) -> tuple[str, bool]:
    """The simulator of a file, and whether the file is a fabric."""
    names = {line[0].text.lower() for line in lines}
    if "nodes" in names:
        return "htsim", "tiers" in names
    if lines and all(word.text.isdecimal() for word in lines[0]) and len(lines[0]) in (1, 3):
        return "hpcc", len(lines[0]) == 3
    raise ScriptError(f"{path}: is none of {KINDS}")


def read_parts(paths: Iterable[str]) -> tuple[Network | None, Traffic | None]:
    """The fabric and the traffic of some files; None for what none of them has."""
    files: dict[bool, list[tuple[str, str, Lines]]] = {True: [], False: []}  # whether they are fabrics
    for path in paths:
        lines = read_lines(path)
        simulator, is_network = kind_of(path, lines)
        if files[is_network]:
            raise ScriptError(f"{path}: is a second file of {'a fabric' if is_network else 'traffic'}")
        files[is_network].append((simulator, path, lines))
    network: Network | None = None
    traffic: Traffic | None = None
    for simulator, path, lines in files[True]:
        network = NETWORKS[simulator](path, lines)
    for simulator, path, lines in files[False]:
        traffic = TRAFFIC[simulator](path, lines, network)
    if network and traffic and traffic.hosts > network.hosts:
        raise ScriptError(f"the traffic has {traffic.hosts} nodes, and the fabric has {network.hosts}")
    return network, traffic


def write_network(network: Network, folder: Path) -> list[str]:
    """Writes the fabric. Returns its options."""
    path = folder / "topology.csv"
    network.write(path)
    print(f"{path}: {network.hosts} hosts")
    return [f"--topology={path}", *network.options]


def choose_network(traffic: Traffic) -> list[str]:
    """The options of a fabric for traffic that has none."""
    k = next(k for k in range(2, 1000, 2) if k**3 // 4 >= traffic.hosts)
    print(f"no fabric is given; a fat-tree of {k**3 // 4} hosts has the {traffic.hosts} of the traffic")
    return [f"--k={k}"]


def write_traffic(traffic: Traffic, folder: Path) -> list[str]:
    """Writes the traffic. Returns its options."""
    traffic.start_at_zero()
    several = traffic.several_between_two() and not traffic.shares
    depends = traffic.depends()
    path = folder / ("training.toml" if depends else "flows.csv")
    if depends:
        traffic.write_training(path)
        if several:
            traffic.notes.append("messages between two hosts share queue pairs, as some messages wait for others")
    else:
        traffic.write_flows(path)
    print(f"{path}: {len(traffic.messages)} messages")
    return [f"--{path.stem}={path}", *(["--queuePairPerFlow"] if several and not depends else [])]


def make_parser() -> Parser:
    parser = Parser(NAME, prog=f"./fabric {NAME}", description=__doc__, allow_abbrev=False)
    parser.add_argument("files", nargs="+", metavar="FILE", help=KINDS)
    parser.add_argument("--out", type=Path, default=Path("results/import"), help="folder (%(default)s)")
    return parser


def main(arguments: Sequence[str]) -> None:
    own = make_parser().parse_args(arguments)
    network, traffic = read_parts(own.files)
    own.out.mkdir(parents=True, exist_ok=True)
    fabric = write_network(network, own.out) if network else choose_network(traffic) if traffic else []
    messages = write_traffic(traffic, own.out) if traffic else []
    parts = [part for part in (network, traffic) if part]
    faults = [fault for part in parts for fault in part.faults]
    for note in (note for part in parts for note in part.notes):
        print(f"Note: {note}")
    more = [*messages, *(["--fail=" + ",".join(faults)] if faults else [])]
    print("\n./fabric run " + shlex.join([*fabric, *more]))
    if network and network.same and not faults:
        print("\nThe same with tiers, which some balancers need (ofan, te, prime, mrc):")
        print("./fabric run " + shlex.join([*network.same, *network.options, *more]))


if __name__ == "__main__":
    run_script(NAME, lambda: main(sys.argv[1:]))
