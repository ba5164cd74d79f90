# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The messages of a run over time: which are wanted, which hosts send them, and how many are under
way at once."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
import pandas

from ai_fabric.common.program import ScriptError
from ai_fabric.runs.run_data import HOST_LAYER, Run

TIMES = ["start_ns", "received_ns", "completed_ns"]
NONE = -1  # the collective, slice or step of a message that has none


@dataclass
class Choice:
    """Which messages are wanted: of a collective, that these hosts send, between two times."""

    collective: int | None = None
    hosts: Sequence[int] | None = None
    begin_ns: float = -numpy.inf
    end_ns: float = numpy.inf

    def check(self, run: Run) -> None:
        """Refuses what the run does not have."""
        if self.collective is not None:
            known = run.collectives.index
            if not len(known):
                raise ScriptError(f"--collective={self.collective}: the run had no collectives")
            if self.collective not in known:
                there = f"{known.min()} to {known.max()}"
                raise ScriptError(f"--collective={self.collective}: one of {there}")
        last = run.scenario["hosts"] - 1
        if self.hosts is not None and self.hosts[-1] > last:
            raise ScriptError(f"--ranks: {self.hosts[-1]} is none of the hosts 0 to {last}")
        if self.begin_ns >= self.end_ns:
            raise ScriptError("--to: the window ends before it begins")

    def rows(self, table: pandas.DataFrame) -> pandas.DataFrame:
        """The rows that are wanted."""
        keep = (table.completed_ns >= self.begin_ns) & (table.start_ns <= self.end_ns)
        if self.hosts is not None:
            keep &= table.source.isin(self.hosts)
        if self.collective is not None:
            keep &= table.collective == self.collective
        return table[keep]


def read_messages(run: Run, choice: Choice, attribute: str | None = None) -> pandas.DataFrame:
    """The messages that are wanted: source, the times, and one of their other columns."""
    needed = ["source", *TIMES]
    needed += ["collective"] if choice.collective is not None else []
    needed += [attribute] if attribute else []
    pieces = [choice.rows(piece) for piece in run.chunks("flows", needed)]
    table = pandas.concat(pieces, ignore_index=True)
    if attribute:
        table[attribute] = table[attribute].fillna(NONE).astype(int)
    return table


def leaves_of(run: Run) -> pandas.Series:
    """The switch that each host is connected to (on the first plane), as a number in the order of
    the hosts."""
    links = run.table("links", "from", "to", "layer")
    links = links[links.layer == HOST_LAYER]
    hosts = links["from"].str.extract(r"(\d+):\d+$")[0].astype(int)
    first = pandas.Series(links.to.str.rpartition(":")[0].values, hosts).sort_index(kind="stable")
    first = first[~first.index.duplicated()]
    return pandas.Series(pandas.factorize(first)[0], first.index)


def places_of(messages: pandas.DataFrame, hosts: Sequence[int] | None) -> tuple[numpy.ndarray, numpy.ndarray]:
    """In which row each message is drawn, and the hosts of the rows: those that are wanted, or all
    that send."""
    rows = numpy.unique(messages.source) if hosts is None else numpy.array(hosts)
    return numpy.searchsorted(rows, messages.source.to_numpy()), rows


def lanes_of(places: numpy.ndarray, begins: numpy.ndarray, ends: numpy.ndarray) -> numpy.ndarray:
    """The lane of each message in its row, so that no two are in one lane at a time; as few lanes as
    can be."""
    lanes = numpy.zeros(len(places), int)
    order = numpy.lexsort((ends, begins, places))
    row = None
    busy: list[tuple[float, int]] = []
    free: list[int] = []
    opened = 0
    for index, place, begin, end in zip(
        order.tolist(), places[order].tolist(), begins[order].tolist(), ends[order].tolist()
    ):
        if place != row:
            row, busy, free, opened = place, [], [], 0
        while busy and busy[0][0] <= begin:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if not free:
            free, opened = [opened], opened + 1
        lane = heapq.heappop(free)
        heapq.heappush(busy, (end, lane))
        lanes[index] = lane
    return lanes


def under_way(
    places: numpy.ndarray, begins: numpy.ndarray, ends: numpy.ndarray, rows: int, edges: numpy.ndarray
) -> numpy.ndarray:
    """Messages that are under way, the mean over each interval between two edges (of equal
    distance); a row of the result for each row of the picture."""
    count = len(edges) - 1
    width = (edges[-1] - edges[0]) / count
    total = numpy.zeros((rows, count + 1))
    for times, sign in ((begins, 1), (ends, -1)):
        at = numpy.clip((numpy.asarray(times) - edges[0]) / width, 0, count)
        cell = numpy.minimum(at.astype(int), count - 1)
        part = cell + 1 - at  # of the cell, that comes after it
        index = places * (count + 1) + cell
        size = total.size
        total += sign * numpy.bincount(index, part, size).reshape(total.shape)
        total += sign * numpy.bincount(index + 1, 1 - part, size).reshape(total.shape)
    return numpy.maximum(total.cumsum(axis=1)[:, :count], 0)
