# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The topology and the flow file of HPCC's simulator, whose words may stand on any lines.

Topology: nodes, switches, links; the numbers of the switches; of each link its two nodes, rate, delay and error rate.
Flows: their number; of each its source, destination, priority group, port, bytes and start in seconds."""

from collections.abc import Mapping

from ai_fabric.common.aliases import FilePath
from ai_fabric.imports.network import (
    MOST_BYTES,
    MOST_HOSTS,
    MOST_START,
    MOST_SWITCHES,
    Cable,
    Message,
    Network,
    Traffic,
)
from ai_fabric.imports.words import PS_PER_S, Lines, Word, Words

MOST_LINKS = 1 << 20
MOST_GROUP = 7


class TopologyReader:
    """Reads the nodes and links of a topology file."""

    def __init__(self, path: FilePath, lines: Lines) -> None:
        self.words = Words(path, lines)
        count = self.words.next("the number of nodes")
        self.nodes = count.whole("nodes", 2, MOST_HOSTS + MOST_SWITCHES)
        switches = self.words.next("the number of switches").whole("switches", 1, MOST_SWITCHES)
        self.links = self.words.next("the number of links").whole("links", 1, MOST_LINKS)
        self.switches = {self.node("a switch"): None for _ in range(switches)}
        hosts = [node for node in range(self.nodes) if node not in self.switches]
        self.count = count
        count.require(2 <= len(hosts) <= MOST_HOSTS, "nodes", f"2 to {MOST_HOSTS} hosts beside {len(self.switches)} switches")
        self.host_of = {node: host for host, node in enumerate(hosts)}
        self.attached: dict[int, tuple[int, Cable]] = {}  # host: switch and cable
        self.joined: dict[tuple[int, int], tuple[Cable, int]] = {}  # two switches: cable and number of links

    def node(self, what: str) -> int:
        return self.words.next(what).whole("node", 0, self.nodes - 1)

    def read(self) -> Network:
        for number in range(self.links):
            self.read_link(f"link {number + 1} of {self.links}")
        for node, host in self.host_of.items():
            if host not in self.attached:
                self.count.fail(f"node {node} has no link, and a host needs one")
        network = Network(host_of=self.host_of)
        for switch in self.switches:
            network.add_switches("switch", switch, 1)
        for host, (switch, cable) in sorted(self.attached.items()):
            network.add_hosts(host, 1, f"switch-{switch}", cable)
        for (a, b), (cable, count) in self.joined.items():
            network.add_links(f"switch-{a}", f"switch-{b}", cable, count)
        if list(self.host_of) != list(range(len(self.host_of))):
            first, last = min(self.host_of), max(self.host_of)
            network.notes.append(f"nodes {first} to {last} that are no switches are host-0 to host-{len(self.host_of) - 1}, in their order")
        return network

    def read_link(self, what: str) -> None:
        first = self.words.next(what)
        a, b = first.whole("node", 0, self.nodes - 1), self.node(what)
        rate, delay = self.words.next(what).rate(), self.words.next(what).time()
        error = self.words.next(what)
        share = error.number("error rate")
        error.require(share <= 1, "error rate", "a share from 0 to 1")
        cable = Cable(rate, delay, f"{float(share):g}" if share else "")
        if a in self.host_of:
            a, b = b, a
        if a in self.host_of:
            first.fail(f"{what}: joins two hosts; one end has to be a switch")
        if b in self.host_of:
            if self.host_of[b] in self.attached:
                first.fail(f"{what}: node {b} has a second link; a host has one")
            self.attached[self.host_of[b]] = a, cable
            return
        pair = (a, b) if (b, a) not in self.joined else (b, a)
        there, count = self.joined.get(pair, (cable, 0))
        if there != cable or a == b:
            first.fail(f"{what}: parallel links are alike, and a link joins two nodes")
        self.joined[pair] = cable, count + 1


def read_network(path: FilePath, lines: Lines) -> Network:
    return TopologyReader(path, lines).read()


def read_traffic(path: FilePath, lines: Lines, network: Network | None) -> Traffic:
    words = Words(path, lines)
    count = words.next("the number of flows").whole("flows", 1, 10**7)
    hosts = network.host_of if network else None
    traffic = Traffic(hosts=0)
    for number in range(count):
        traffic.messages.append(read_flow(words, f"flow {number + 1} of {count}", hosts))
    traffic.hosts = 1 + max(max(message.source, message.destination) for message in traffic.messages)
    left = words.lines_left()
    if left:
        traffic.notes.append(f"{path}: {left} lines after the {count} flows that its first line counts are not read")
    return traffic


def read_flow(words: Words, what: str, hosts: Mapping[int, int] | None) -> Message:
    """A flow.  hosts: the hosts by node; none: node n is host n."""

    def host(name: str) -> tuple[Word, int]:
        word = words.next(what)
        node = word.whole(name, 0, MOST_HOSTS + MOST_SWITCHES)
        number = node if hosts is None else hosts.get(node, MOST_HOSTS)
        word.require(number < MOST_HOSTS, name, "a host of the fabric")
        return word, number

    _, source = host("source")
    word, destination = host("destination")
    word.require(source != destination, "destination", "another host than the source")
    group = words.next(what).whole("priority group", 0, MOST_GROUP)
    words.next(what).whole("port", 0, 65535)
    size = words.next(what).whole("size", 0, MOST_BYTES)
    start = words.next(what)
    time = round(start.number("start") * PS_PER_S)
    start.require(time <= MOST_START, "start", "a time of at most 1000 s")
    return Message(source, destination, size, time, group)
