# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The connection matrix (.cm) of htsim: connections, the triggers that start some of them, and links that have failed.

A trigger starts connections when others are done: when their source has all acknowledgements (send_done_trigger), or
their destination has all bytes (recv_done_trigger). Hosts of ai-fabric-run wait for messages that they have sent or
received themselves, and for nothing else."""

from ai_fabric.common.aliases import FilePath
from ai_fabric.common.program import ScriptError
from ai_fabric.imports.network import MOST_BYTES, MOST_HOSTS, MOST_START, Message, Network, Traffic
from ai_fabric.imports.words import Line, Lines, Word

COUNTS = {"Connections": 10**7, "Triggers": 10**7, "Failures": 10**6}
KINDS = "oneshot", "multishot", "barrier"
MOST_ID = 1 << 32
LINKS = "AGG"  # the type of the switches whose links upward can fail
TAKES = {"id": 1, "start": 1, "trigger": 1, "size": 1, "send_done_trigger": 1, "recv_done_trigger": 1, "prio": 1}


class Matrix:
    """Reads a connection matrix, line by line."""

    def __init__(self, path: FilePath, network: Network | None) -> None:
        self.path, self.network = path, network
        self.counts: dict[str, Word] = {}
        self.nodes: int | None = None
        self.traffic = Traffic(hosts=0)
        self.triggers: dict[int, tuple[Word, int]] = {}  # id: word and number of activations, 0 where it has to be the only one
        self.causes: dict[int, list[tuple[int, int]]] = {}  # trigger: messages that activate it, with the host that knows
        self.started: dict[int, Word] = {}  # message: word of the trigger that starts it
        self.failures = 0
        self.priorities: set[str] = set()

    def read(self, lines: Lines) -> Traffic:
        for line in lines:
            self.read_line(line)
        if self.nodes is None:
            raise ScriptError(f"{self.path}: has no line Nodes")
        self.traffic.hosts = self.nodes
        found = {"Connections": len(self.traffic.messages), "Triggers": len(self.triggers), "Failures": self.failures}
        for name, word in self.counts.items():
            word.require(word.whole(name, 0, COUNTS[name]) == found[name], name, f"the number of those that follow, {found[name]}")
        if not self.traffic.messages:
            raise ScriptError(f"{self.path}: has no connection")
        self.resolve()
        if len(self.priorities) > 1:
            self.traffic.notes.append(f"{self.path}: prio has no counterpart: all messages are alike")
        return self.traffic

    def read_line(self, line: Line) -> None:
        first = line[0]
        if first.text == "Nodes" and len(line) == 2:
            self.nodes = line[1].whole("Nodes", 2, MOST_HOSTS)
        elif first.text in COUNTS and len(line) == 2:
            self.counts[first.text] = line[1]
        elif "->" in first.text:
            self.read_connection(line)
        elif first.text == "trigger":
            self.read_trigger(line)
        elif first.text == "failure":
            self.read_failure(line)
        else:
            first.fail(f"'{first.text}' is not Nodes, {', '.join(COUNTS)}, SOURCE->DESTINATION, trigger or failure")

    def read_connection(self, line: Line) -> None:
        if self.nodes is None:
            line[0].fail("a connection stands behind the line Nodes")
        hosts = line[0].text.split("->")
        ok = len(hosts) == 2 and all(host.isdecimal() and host.isascii() and len(host) < 9 and int(host) < self.nodes for host in hosts)
        line[0].require(ok and int(hosts[0]) != int(hosts[1]), "connection", f"two different nodes (0..{self.nodes - 1}), such as 0->1")
        values = self.values_of(line)
        if "size" not in values or ("start" in values) == ("trigger" in values):
            line[0].fail("a connection has a size, and either a start or a trigger")
        source, destination = map(int, hosts)
        message = Message(source, destination, values["size"].whole("size", 0, MOST_BYTES))
        values["size"].require(message.bytes, "size", "at least 1 byte: one of 0 sends without end")
        number = len(self.traffic.messages)
        if "start" in values:
            message.start = round(values["start"].number("start"))
            values["start"].require(message.start <= MOST_START, "start", "a time in ps of at most 1000 s")
        else:
            values["trigger"].whole("trigger", 1, MOST_ID)
            self.started[number] = values["trigger"]
        for key, host in (("send_done_trigger", message.source), ("recv_done_trigger", message.destination)):
            if key in values:
                self.causes.setdefault(values[key].whole(key, 1, MOST_ID), []).append((number, host))
        self.traffic.messages.append(message)

    def values_of(self, line: Line) -> dict[str, Word]:
        """The values of a connection, by name."""
        values: dict[str, Word] = {}
        words = iter(line[1:])
        for word in words:
            if word.text == "msg":
                self.traffic.shares = True
            elif word.text in TAKES:
                value = next(words, None)
                if value is None or word.text in values:
                    word.fail(f"{word.text}: stands once, before its value")
                values[word.text] = value
            elif not (word.text.isdecimal() and self.traffic.shares):  # the number of a message of a flow
                word.fail(f"'{word.text}' is not one of {', '.join(TAKES)}, msg")
        if "prio" in values:
            self.priorities.add(values["prio"].text)
        return values

    def read_trigger(self, line: Line) -> None:
        values = [word.text for word in line[1:]]
        kind = next((word for word in line[1:] if word.text in KINDS), None)
        if "id" not in values[:-1] or kind is None:
            line[0].fail(f"a trigger has an id and a kind: {', '.join(KINDS)}")
        word = line[values.index("id") + 2]
        number = word.whole("id", 1, MOST_ID)
        word.require(number not in self.triggers, "id", "a new one")
        count = 0
        if kind.text == "barrier":
            if "count" in values[:-1]:
                count = line[values.index("count") + 2].whole("count", 1, COUNTS["Connections"])
            elif values[-1] != kind.text:
                count = line[-1].whole("count", 1, COUNTS["Connections"])
            else:
                kind.fail("a barrier has a count")
        self.triggers[number] = kind, count

    def read_failure(self, line: Line) -> None:
        self.failures += 1
        values = dict(zip([word.text for word in line[1::2]], line[2::2]))
        if set(values) != {"switch_type", "switch_id", "link_id"}:
            line[0].fail("a failure has switch_type, switch_id and link_id")
        if not self.network or not self.network.up_ports:
            line[0].fail("a failure needs a .topo file of 3 tiers beside this one")
        values["switch_type"].require(values["switch_type"].text == LINKS, "switch_type", f"{LINKS}, the only one whose links fail")
        switch = values["switch_id"].whole("switch_id", 0, MOST_HOSTS)
        first, bundle = self.network.up_ports
        port = first + bundle * values["link_id"].whole("link_id", 0, MOST_HOSTS)
        self.traffic.faults.append(f"agg-{switch}:{port}@0s")

    def resolve(self) -> None:
        """Finds the messages that each message waits for."""
        for number, word in self.started.items():
            identifier = int(word.text)
            if identifier not in self.triggers:
                word.fail(f"trigger {identifier} has no line of its own")
            kind, count = self.triggers[identifier]
            causes = self.causes.get(identifier, [])
            if len(causes) != (count or 1):
                kind.fail(f"trigger {identifier}: {kind.text} that {len(causes)} connections activate: it has to be {count or 1}")
            message = self.traffic.messages[number]
            for cause, host in causes:
                if host != message.source:
                    word.fail(f"trigger {identifier}: node {message.source} sends when node {host} is done; a host knows of its own messages only")
                message.after.append(cause)
        self.traffic.in_order()  # refuses circles


def read_traffic(path: FilePath, lines: Lines, network: Network | None) -> Traffic:
    return Matrix(path, network).read(lines)
