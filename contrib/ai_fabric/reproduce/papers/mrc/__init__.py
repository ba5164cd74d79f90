# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the figures of MRC have in common: planes of 100 Gb/s links, streams of messages between two leaves,
rates from the arrivals of the messages, and rows of expected values with ours."""

from __future__ import annotations

import math
from collections import namedtuple
from typing import TYPE_CHECKING

import numpy
import pandas

from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import leaf_spine
from ai_fabric.sweep.grid import Case
from ai_fabric.reproduce.study import Study
from ai_fabric.plot.style import color

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ai_fabric.common.aliases import Options, Values
    from ai_fabric.plot.style import Axes

KIB = 1024
LINK = 100  # Gb/s
PAYLOAD = 4096
WIRE = 4262  # bytes of a full packet with outer header, TSETH, preamble and gap
GOODPUT = LINK * PAYLOAD / WIRE  # Gb/s of a plane
RTT_US = 5.75  # cross-leaf, empty fabric: eight links of 0.5 us, 0.35 us for each of four times that a packet is sent
PLANE_BDP = int(LINK * RTT_US * 1000 / 8)
MOST = 2  # ours over the expected value, in a plot
WINDOW = 1.5 * PLANE_BDP / WIRE  # packets that NSCC lets be in flight on one plane
DETECTION_US = 1.75 * RTT_US  # a round trip, and ReorderSlack; half an interval of packets is added
Group = namedtuple("Group", "cases judge")  # some rows: what makes their cases, and what judges them

BASE = {"topology": "leaf-spine", "transport": "mrc", "admission": "trimming", "forwarding": "srv6",
        "convergence": "never", "rate": f"{LINK}Gb/s"}


def ev_interval(active: int, planes: int) -> float:
    """Time between two packets of an entropy value, if a NIC sends at its rate (us)."""
    return active * 8 * WIRE / (planes * LINK * 1000)


def fabric(radix: int, planes: int, hosts: int | None = None) -> Values:
    """Two leaves and radix / 2 spines in each plane; hosts at each leaf: radix / 2, which is full bisection."""
    return leaf_spine(2, radix // 2, hosts or radix // 2, **BASE, planes=planes)


def cut(places: str | Iterable[str], start: float, stop: float | None = None) -> str:
    """A fault of a link or node, or of a list of them; the times are in us."""
    when = f"@{start:g}us" + ("" if stop is None else f"-{stop:g}us")
    return ",".join(place + when for place in ([places] if isinstance(places, str) else places))


def lossy(hosts: int, share: float) -> Values:
    """Each packet is lost with this probability, on the link from its host."""
    return {"fail": ",".join(f"host-{host}/up%{share}@0ns" for host in range(hosts))} if share else {}


def uplink(plane: int, spine: int) -> str:
    """The link between leaf 0 and a spine."""
    return f"plane{plane}-leaf-0--plane{plane}-spine-{spine}"


class MrcStudy(Study):
    """A figure of rows: what a description of MRC or its production fabric says, and ours."""

    fixed = "compares no balancers"
    latencies: dict[str, float]  # of messages of 2 bytes, in ns

    def flows(self, name: str, pairs: Sequence[tuple[int, int]], messages: int, size: int = 64 * KIB) -> Values:
        """A file with as many messages of each pair, all posted at time 0. The name says what differs."""
        flows = [(0, *pair, size) for _ in range(messages) for pair in pairs]
        path = self.write_flows(f"{name}-{len(pairs)}x{messages}x{size}.csv", flows)
        return {"flows": path, "jitter": "0ns"}

    def stream(self, radix: int, planes: int, time_us: float, hosts: int | None = None, size: int = 64 * KIB) -> Values:
        """A fabric in which each host of leaf 0 sends to one of leaf 1, about so long at its full rate."""
        count = hosts or radix // 2
        messages = math.ceil(time_us * 1000 * GOODPUT * planes / 8 / size)
        pairs = [(host, host + count) for host in range(count)]
        return {**fabric(radix, planes, hosts), **self.flows("across", pairs, messages, size)}

    def crossing_ring(self, leaves: int, each: int, used: int) -> Values:
        """The placement of a ring whose ranks go round the leaves, so that each step crosses a spine. used: how
        many of a leaf's hosts are in it."""
        places = [rank % leaves * each + rank // leaves for rank in range(leaves * used)]
        return {"placement": self.write(f"ring-{leaves}x{used}of{each}.txt", places)}

    def ring(self, radix: int, planes: int, repeat: int, used: int = 4) -> Values:
        """A ring over both leaves with four hosts each, of which so many are in it."""
        ring = {"workload": "all-reduce", "size": "16MiB", "repeat": repeat}
        return {**fabric(radix, planes, 4), **ring, **self.crossing_ring(2, 4, used)}

    def draw_rows(self, title: str) -> None:
        """Writes the rows, and draws how far each is from what is expected."""
        self.save_rows()
        table = self.table_of_rows().query("expected > 0")
        panel = Panel("", "ours over the expected value", "", (draw_rows, table))
        self.draw([panel], title, width=7.2, height=0.2 * len(table) + 1.2)


STUDY = MrcStudy


def case(name: str, options: Options) -> Case:
    return Case({"case": name}, options)


def with_faults(name: str, options: Options, **faults: str) -> list[Case]:
    """A case without a fault, and one of each fault, whose word is behind the name."""
    return [case(name, options), *(case(f"{name} {word}", {**options, "fail": one}) for word, one in faults.items())]


def links_of(folder: Path) -> pandas.DataFrame:
    return pandas.read_csv(folder / "links.csv")


def rates(folder: Path, since_us: float, until_us: float) -> pandas.Series:
    """The goodput of each pair in Gb/s, by the messages that arrive within a time."""
    flows = pandas.read_csv(folder / "flows.csv")
    inside = flows[flows.received_ns.between(1000 * since_us, 1000 * until_us)].sort_values("received_ns")
    found = {}
    for pair, rows in inside.groupby(["source", "destination"]):
        times = rows.received_ns.to_numpy()
        found[pair] = 8 * rows.bytes.iloc[1:].sum() / (times[-1] - times[0]) if len(times) > 1 else math.nan
    silent = set(zip(flows.source, flows.destination)) - set(found)
    return pandas.Series(found | dict.fromkeys(silent, 0))


def all_rates(runs: pandas.DataFrame, since_us: float, until_us: float) -> list[float]:
    """The same of all hosts of some runs, as one list."""
    return [rate for folder in runs.folder for rate in rates(folder, since_us, until_us)]


def mean_rate(runs: pandas.DataFrame, since_us: float, until_us: float) -> float:
    """The bytes of all messages that arrive within a time, as Gb/s of all pairs together; the mean of runs."""
    total = 0
    for folder in runs.folder:
        flows = pandas.read_csv(folder / "flows.csv")
        total += 8 * flows.bytes[flows.received_ns.between(1000 * since_us, 1000 * until_us)].sum()
    return total / len(runs) / (1000 * (until_us - since_us))


def rate_over(runs: pandas.DataFrame, name: str, other: str, since_us: float, until_us: float) -> float:
    """The rate of all pairs together of a case over that of another one."""
    return mean_rate(runs.loc[[name]], since_us, until_us) / mean_rate(runs.loc[[other]], since_us, until_us)


def time_over(runs: pandas.DataFrame, name: str, other: str) -> numpy.ndarray:
    """The completion time of each run of a case over that of another one."""
    return runs.loc[[name]].cct_ns.to_numpy() / runs.loc[[other]].cct_ns.to_numpy()


def plane_spreads(folder: Path) -> list[float]:
    """For each NIC that sends much: by how much the bytes of its ports differ, in percent of the most."""
    links = links_of(folder)
    up = links[links.layer == "host-up"]
    ports = up.groupby(up["from"].str.split(":").str[0]).bytes_sent
    busy = ports.max() > 1e6
    return (100 * (1 - ports.min() / ports.max()))[busy].to_list()


def lost_forward(folder: Path) -> int:
    """Frames that links have lost on the way from leaf 0 to leaf 1: data and probes."""
    links = links_of(folder)
    ends = links["from"] + " " + links["to"]
    return int(links[ends.str.contains("leaf-0:.* .*spine|spine.* .*leaf-1:|host.* .*leaf-0:")].frames_lost.sum())


def uplink_share(folder: Path, spine: int) -> float:
    """The bytes that leaf 0 sends to a spine of plane 0 over its mean uplink there."""
    links = links_of(folder).set_index("link")
    sent = links.bytes_sent[(links.layer == "leaf-up") & links["from"].str.startswith("plane0-leaf-0")]
    return sent.filter(like=f"spine-{spine}:").sum() / sent.mean()


def draw_rows(axes: Axes, table: pandas.DataFrame) -> None:
    """A row each: the range of ours over what is expected, and the limits. Ours beyond the axis has a number."""
    places = numpy.arange(len(table))
    over = table[["low", "high", "ours", "least", "most"]].div(table.expected, axis=0)
    low, high = over.low.clip(0), over.high.clip(upper=MOST)
    axes.barh(places, high - low, left=low, height=0.7, color="#dddddd", label="expected")
    for holds, look, label in ((True, color(0), "ours"), (False, color(1), "ours, outside")):
        chosen = (table.holds == holds).to_numpy()
        rows, at = over[chosen], places[chosen]
        axes.hlines(at, rows.least.clip(upper=MOST), rows.most.clip(upper=MOST), color=look, alpha=0.5, linewidth=4)
        axes.plot(rows.ours.clip(upper=MOST), at, "o", color=look, label=label)
        for place, ratio in zip(at, rows.ours):
            if ratio > MOST:
                text = {"textcoords": "offset points", "ha": "right", "va": "center", "fontsize": 8}
                axes.annotate(f"{ratio:.3g}", (MOST, place), (-8, 0), **text)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_yticks(places, [f"{row.check}: {row.what}" for row in table.itertuples()], fontsize="small")
    axes.set_ylim(len(table) - 0.4, -0.6)
    axes.set_xlim(0, 1.03 * MOST)
