# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The topology file (.topo) of htsim: a Clos network of two or three tiers. A line is a key and a value; the keys behind
"Tier N" are those of its switches, and of the links below them."""

from collections.abc import Sequence

from ai_fabric.common.aliases import FilePath
from ai_fabric.imports.network import MOST_HOSTS, MOST_SWITCHES, Cable, Network, numbered
from ai_fabric.common.program import ScriptError
from ai_fabric.imports.words import Line, Lines, Word, show_rate, show_time

NAMES = "tor", "agg", "core"  # of the switches, by tier
HEADER = "nodes", "tiers", "podsize"
SPEED, LATENCY, SWITCH_LATENCY = "downlink_speed_gbps", "downlink_latency_ns", "switch_latency_ns"
QUEUES = "queue_up", "queue_down"
NEEDED = SPEED, LATENCY, "radix_down"
KEYS: dict[str, tuple[int, int, int | None]] = {  # least and most of each, and what it is where it is not given
    SPEED: (1, 10000, None), LATENCY: (0, 10**9, None), "radix_down": (1, 4096, None), "radix_up": (1, 4096, None),
    "oversubscribed": (1, 4096, 1), "bundle": (1, 256, 1), SWITCH_LATENCY: (0, 10**9, 0), "queue_up": (1, 1 << 40, None),
    "queue_down": (1, 1 << 40, None),
}  # fmt: skip


class Section:
    """The keys of the header or of a tier."""

    def __init__(self, path: FilePath, name: str, keys: Sequence[str]) -> None:
        self.path, self.name, self.keys = path, name, keys
        self.words: dict[str, Word] = {}

    def add(self, line: Line) -> None:
        key = line[0].text.lower()
        if key not in self.keys:
            line[0].fail(f"'{line[0].text}' is not a key of {self.name}; keys are {', '.join(self.keys)}")
        if key in self.words or len(line) != 2:
            line[0].fail(f"{key}: stands once in {self.name}, with one value")
        self.words[key] = line[1]

    def get(self, key: str, least: int, most: int, usual: int | None = None) -> int:
        if key in self.words:
            return self.words[key].whole(key, least, most)
        if usual is None:
            raise ScriptError(f"{self.path}: {self.name} has no {key}")
        return usual

    def require(self, ok: bool, key: str, allowed: str) -> None:
        """Refuses the value of a key, unless it is allowed."""
        if not ok and key in self.words:
            self.words[key].require(False, key, allowed)
        if not ok:
            raise ScriptError(f"{self.path}: {self.name}: {key} is not given, and has to be {allowed}")


class Tier(Section):
    """The switches of a tier, and the links below them."""

    def __init__(self, path: FilePath, number: int) -> None:
        super().__init__(path, f"tier {number}", tuple(KEYS))
        self.number = number

    def value(self, key: str) -> int:
        return self.get(key, *KEYS[key])

    def cable(self) -> Cable:
        return Cable(self.value(SPEED) * 10**9, self.value(LATENCY) * 1000)


class Clos:
    """A Clos network, from its header and its tiers."""

    def __init__(self, header: Section, tiers: Sequence[Tier]) -> None:
        self.tiers = tiers
        self.hosts = header.get("nodes", 2, MOST_HOSTS)
        self.pod_hosts = header.get("podsize", 1, self.hosts)
        self.pods = self.hosts // self.pod_hosts
        header.require(self.hosts % self.pod_hosts == 0, "podsize", f"a divisor of the {self.hosts} nodes")
        header.require(len(tiers) == 3 or self.pods == 1, "podsize", f"{self.hosts}, as 2 tiers have one pod")
        self.leaf_hosts = tiers[0].value("radix_down")
        tiers[0].require(self.pod_hosts % self.leaf_hosts == 0, "radix_down", f"a divisor of the {self.pod_hosts} nodes of a pod")
        tiers[0].require(tiers[0].value("bundle") == 1, "bundle", "1: a node has one link")
        self.bundles = [tier.value("bundle") for tier in tiers]
        self.leaves = self.pod_hosts // self.leaf_hosts  # of a pod
        self.spines = self.upward(0)
        self.above = self.upward(1) if len(tiers) == 3 else 0  # cores above each switch of tier 1
        self.cores = self.spines * self.above
        self.check_top(1, self.leaves)
        if self.cores:
            self.check_top(2, self.pods)
        total = self.pods * (self.leaves + self.spines) + self.cores
        header.require(total <= MOST_SWITCHES, "nodes", f"that of a fabric of at most {MOST_SWITCHES} switches: it has {total}")

    def upward(self, number: int) -> int:
        """The switches above each one of a tier."""
        tier, bundle = self.tiers[number], self.bundles[number + 1]
        up = tier.value("radix_up")
        tier.require(up % bundle == 0, "radix_up", f"a multiple of the bundle of {bundle} above")
        down = tier.value("radix_down") * tier.value(SPEED)
        ratio = down / (up * self.tiers[number + 1].value(SPEED))
        tier.require(ratio == tier.value("oversubscribed"), "oversubscribed", f"{ratio:g}, the rate down over the rate up")
        return up // bundle

    def check_top(self, number: int, below: int) -> None:
        """Each switch of a tier has its links to so many switches or pods below."""
        links = below * self.bundles[number]
        self.tiers[number].require(self.tiers[number].value("radix_down") == links, "radix_down", f"{links}, the links to {below} below")

    def build(self) -> Network:
        network = Network()
        if self.cores:
            network.up_ports = self.leaves * self.bundles[1], self.bundles[2]
        for pod in range(self.pods):
            network.add_switches("tor", pod * self.leaves, self.leaves)
            network.add_switches("agg", pod * self.spines, self.spines)
        if self.cores:
            network.add_switches("core", 0, self.cores)
        self.join(network)
        network.options += self.latencies() + self.buffers(network.notes)
        network.same = self.as_options()
        return network

    def join(self, network: Network) -> None:
        """Adds hosts and links."""
        cables = [tier.cable() for tier in self.tiers]
        leaves = self.pods * self.leaves
        network.add_hosts(0, self.hosts, numbered("tor", 0, leaves), cables[0])
        for pod in range(self.pods):
            tors, aggs = (numbered(name, pod * count, count) for name, count in (("tor", self.leaves), ("agg", self.spines)))
            network.add_links(tors, aggs, cables[1], self.bundles[1])
        for agg in range(self.pods * self.spines if self.cores else 0):
            cores = numbered("core", agg % self.spines * self.above, self.above)
            network.add_links(f"agg-{agg}", cores, cables[2], self.bundles[2])

    def latencies(self) -> list[str]:
        """The options of the latencies of switches."""
        found = [tier.value(SWITCH_LATENCY) for tier in self.tiers]
        usual = found[0]
        counts = self.pods * self.leaves, self.pods * self.spines, self.cores
        others = [
            f"{name}-{switch}={latency}ns"
            for name, latency, count in zip(NAMES, found, counts)
            for switch in range(count)
            if latency != usual
        ]
        options = [f"--ns3::aifabric::FabricSwitch::Latency={usual}ns"] if usual else []
        return options + (["--switchLatency=" + ",".join(others)] if others else [])

    def buffers(self, notes: list[str]) -> list[str]:
        """The option of the buffers of ports."""
        found = {tier.value(key) for tier in self.tiers for key in QUEUES if key in tier.words}
        if len(found) > 1:
            notes.append("queues of different sizes are left out: --buffer and --spineBuffer set two")
        return [f"--buffer={found.pop()}B"] if len(found) == 1 else []

    def as_options(self) -> list[str]:
        """The options that make the same fabric, with tiers; none if they cannot."""
        cables = [tier.cable() for tier in self.tiers]
        alike = [
            {cable.delay for cable in cables},
            {cable.rate for cable in cables[1:]},
            {tier.value(SWITCH_LATENCY) for tier in self.tiers},
        ]
        if any(len(values) > 1 for values in alike) or set(self.bundles) != {1}:
            return []
        shape = f"--topology=leaf-spine --leaves={self.leaves} --spines={self.spines}"
        if self.cores:
            shape = f"--topology=three-tier --pods={self.pods} --leavesPerPod={self.leaves}"
            shape += f" --spinesPerPod={self.spines} --cores={self.cores}"
        rates = [f"--rate={show_rate(cables[0].rate)}", f"--fabricRate={show_rate(cables[1].rate)}"]
        return [*shape.split(), f"--hostsPerLeaf={self.leaf_hosts}", *rates, f"--delay={show_time(cables[0].delay)}"]


def read_network(path: FilePath, lines: Lines) -> Network:
    header = Section(path, "the header", HEADER)
    tiers: list[Tier] = []
    for line in lines:
        if line[0].text.lower() != "tier":
            (tiers[-1] if tiers else header).add(line)
            continue
        number = line[-1].whole("tier", 0, len(NAMES) - 1)
        line[-1].require(len(line) == 2 and number == len(tiers), "tier", f"{len(tiers)}, the next one")
        tiers.append(Tier(path, number))
    count = header.get("tiers", 2, len(NAMES))
    header.require(count == len(tiers), "tiers", f"{len(tiers)}, the number of tiers that follow")
    return Clos(header, tiers).build()
