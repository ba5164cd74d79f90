# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A trace as Chrome and Perfetto read it: "Trace Event Format", a JSON object with a list of events. Times are in
microseconds; a complete event (ph X) has its begin and its duration."""

import json
from typing import Any, TextIO

import numpy

from ai_fabric.plot.messages import lanes_of

NS_PER_US = 1e3
BEGIN = '{"displayTimeUnit": "ns"'  # of the file
THREADS = 10_000  # numbers of a process: threads of different ones have different numbers


def microseconds(ns: float) -> float:
    return round(float(ns) / NS_PER_US, 6)


class Trace:
    """Events, and the processes and threads that have them."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.processes: dict[str, int] = {}
        self.threads: dict[tuple[int, str], int] = {}

    def add(self, kind: str, name: str, pid: int, **more: Any) -> None:
        self.events.append({"ph": kind, "name": name, "pid": pid, **more})

    def process(self, name: str) -> int:
        """The number of a process; those that come first stand above."""
        if name not in self.processes:
            pid = self.processes[name] = len(self.processes) + 1
            self.add("M", "process_name", pid, tid=0, ts=0, args={"name": name})
            self.add("M", "process_sort_index", pid, tid=0, ts=0, args={"sort_index": pid})
        return self.processes[name]

    def thread(self, pid: int, name: str) -> int:
        """The number of a thread of a process; those that come first stand above."""
        if (pid, name) not in self.threads:
            place = sum(owner == pid for owner, _ in self.threads) + 1
            tid = self.threads[pid, name] = pid * THREADS + place
            self.add("M", "thread_name", pid, tid=tid, ts=0, args={"name": name})
            self.add("M", "thread_sort_index", pid, tid=tid, ts=0, args={"sort_index": place})
        return self.threads[pid, name]

    def spans(self, pid: int, thread: str, category: str, spans: list[tuple[str, float, float, dict[str, Any]]]) -> None:
        """Spans of a thread: name, begin and end in ns, and more. Those at the same time get threads of their own, as a
        thread can hold one beside another only if one lies inside the other."""
        begins, ends = (numpy.array([span[at] for span in spans], dtype=float) for at in (1, 2))
        lanes = lanes_of(numpy.zeros(len(spans), int), begins, ends)
        names = [thread if lane == 0 else f"{thread} ({lane + 1})" for lane in range(int(lanes.max(initial=-1)) + 1)]
        numbers = [self.thread(pid, name) for name in names]
        for (name, begin, end, more), lane in zip(spans, lanes):
            start = microseconds(begin)
            length = round(microseconds(end) - start, 6)
            self.add("X", name, pid, tid=numbers[lane], cat=category, ts=start, dur=length, args=more)

    def instant(self, pid: int, thread: str, name: str, ns: float, more: dict[str, Any]) -> None:
        self.add("i", name, pid, tid=self.thread(pid, thread), cat="event", ts=microseconds(ns), s="t", args=more)

    def counter(self, pid: int, name: str, ns: float, values: dict[str, float]) -> None:
        self.add("C", name, pid, ts=microseconds(ns), args=values)

    def write(self, file: TextIO, about: dict[str, str]) -> None:
        """Writes the trace, an event a line."""
        lines = ",\n".join(json.dumps(event, separators=(",", ":"), allow_nan=False) for event in self.events)
        file.write(f'{BEGIN}, "otherData": {json.dumps(about)}, "traceEvents": [\n{lines}\n]}}\n')
