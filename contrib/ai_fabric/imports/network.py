# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A fabric and its traffic between the file that they come from and the files that ai-fabric-run reads."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ai_fabric.common.program import ScriptError
from ai_fabric.common.safe_file import written_whole
from ai_fabric.imports.words import show_rate, show_time

MOST_HOSTS = 65536  # of ai-fabric-run
MOST_SWITCHES = 4096
MOST_BYTES = 1 << 40  # of a message
USUAL_CLASS = 3  # of ai-fabric-run
MOST_START = 1000 * 10**12  # picoseconds: 1000 s
COLUMNS = "kind", "node", "to", "rate", "delay", "count"


@dataclass(frozen=True)
class Cable:
    """What a link is like."""

    rate: int  # bit/s
    delay: int  # picoseconds
    loss: str = ""  # share of the frames that it loses; empty: none


def numbered(name: str, first: int, count: int) -> str:
    """The names of consecutive nodes, as a topology file writes them."""
    return f"{name}-{first}" if count == 1 else f"{name}-{first}..{first + count - 1}"


@dataclass
class Network:
    """A fabric: rows of a topology file, and what stands beside it."""

    hosts: int = 0
    rows: list[tuple[object, ...]] = field(default_factory=list)
    options: list[str] = field(default_factory=list)  # of ai-fabric-run
    faults: list[str] = field(default_factory=list)  # of --fail
    notes: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)  # options that make the same fabric without a file
    host_of: dict[int, int] | None = None  # the hosts by their numbers in the file, if these differ
    up_ports: tuple[int, int] | None = None  # of tier 1: the first upward, and the links of a bundle; none at the top

    def add_switches(self, name: str, first: int, count: int) -> None:
        self.rows.append(("switch", numbered(name, first, count), "", "", "", ""))

    def add_hosts(self, first: int, count: int, to: str, cable: Cable) -> None:
        self.add("host", numbered("host", first, count), to, cable)
        self.hosts += count

    def add_links(self, node: str, to: str, cable: Cable, count: int = 1) -> None:
        self.add("link", node, to, cable, "" if count == 1 else count)

    def add(self, kind: str, node: str, to: str, cable: Cable, count: int | str = "") -> None:
        self.rows.append((kind, node, to, show_rate(cable.rate), show_time(cable.delay), count))
        if cable.loss:
            self.faults.append(f"{node}--{to}%{cable.loss}@0s")

    def write(self, path: Path) -> None:
        write_table(path, COLUMNS, self.rows)


@dataclass
class Message:
    """A message from a host to another."""

    source: int
    destination: int
    bytes: int
    start: int = 0  # picoseconds, unless it comes after others
    group: int = USUAL_CLASS  # its traffic class
    after: list[int] = field(default_factory=list)  # the messages that it waits for, by their place


@dataclass
class Traffic:
    """Messages, and what stands beside them."""

    hosts: int  # that the file speaks of
    messages: list[Message] = field(default_factory=list)
    shares: bool = False  # whether several messages between two hosts are those of one flow
    faults: list[str] = field(default_factory=list)  # of --fail
    notes: list[str] = field(default_factory=list)

    def depends(self) -> bool:
        """Whether messages wait for others."""
        return any(message.after for message in self.messages)

    def start_at_zero(self) -> None:
        """Moves all messages so that the first one starts at 0."""
        first = min(message.start for message in self.messages if not message.after)
        for message in self.messages:
            message.start -= 0 if message.after else first
        if first:
            self.notes.append(f"starts are {show_time(first)} earlier: the first message starts at 0")

    def several_between_two(self) -> bool:
        """Whether two hosts have several messages."""
        pairs = [frozenset((message.source, message.destination)) for message in self.messages]
        return len(set(pairs)) < len(pairs)

    def write_flows(self, path: Path) -> None:
        """A table of --flows."""
        rows = [[f"{m.start // 1000}.{m.start % 1000:03}", m.source, m.destination, m.bytes, m.group] for m in self.messages]
        columns = ["start_ns", "source", "destination", "bytes", "class"]
        if {message.group for message in self.messages} == {USUAL_CLASS}:
            rows, columns = [row[:-1] for row in rows], columns[:-1]
        write_table(path, columns, rows)

    def write_training(self, path: Path) -> None:
        """A file of --training, which knows of messages that wait for others."""
        late = [n for n, message in enumerate(self.messages) if message.start]
        hosts = sorted({self.messages[n].source for n in late})
        steps = [f'{{ name = "start {n}", compute = "{self.messages[n].start}ps", on = "host {self.messages[n].source}", after = [] }}' for n in late]
        for n in self.in_order():
            message = self.messages[n]
            after = [f"start {n}"] if message.start else map(str, message.after)
            after = ", ".join(f'"{name}"' for name in after)
            steps.append(
                f'{{ name = "{n}", from = {message.source}, to = {message.destination}, bytes = {message.bytes}, after = [{after}] }}'
            )
        with written_whole(path) as file:
            for host in hosts:
                file.write(f'[[communicator]]\nname = "host {host}"\nhosts = [{host}]\n\n')
            file.write("[[phase]]\nsteps = [\n" + "".join(f"    {step},\n" for step in steps) + "]\n")

    def in_order(self) -> list[int]:
        """The messages so that each comes behind those that it waits for."""
        waiting = {n: len(message.after) for n, message in enumerate(self.messages)}
        next_of: dict[int, list[int]] = {}
        for n, message in enumerate(self.messages):
            for before in message.after:
                next_of.setdefault(before, []).append(n)
        order = [n for n, count in waiting.items() if not count]
        for n in order:  # which grows
            for later in next_of.get(n, []):
                waiting[later] -= 1
                if not waiting[later]:
                    order.append(later)
        if len(order) < len(waiting):
            n = min(set(waiting) - set(order))
            raise ScriptError(f"message {n} waits for itself, by way of triggers")
        return order


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with written_whole(path, newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
