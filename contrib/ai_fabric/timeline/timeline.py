# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The timeline of a run: its ranks as processes, what they do as threads, and the fabric."""

import math
from typing import Any

import pandas

from ai_fabric.plot.faults import faults_of
from ai_fabric.plot.messages import TIMES, Choice
from ai_fabric.runs.run_data import Run
from ai_fabric.timeline.trace import NS_PER_US, Trace

FABRIC = "fabric"
MOST_MESSAGES = 300_000  # that a browser can show
Span = tuple[str, float, float, dict[str, Any]]


def known(values: dict[str, Any]) -> dict[str, Any]:
    """Values that are there, as JSON has them."""
    found = {}
    for name, value in values.items():
        if isinstance(value, float):
            if not math.isfinite(value):
                continue
            value = int(value) if value.is_integer() else value
        if value is not None and value != "":
            found[name] = value
    return found


def records(table: pandas.DataFrame) -> list[dict[str, Any]]:
    return table.astype(object).where(table.notna(), None).to_dict("records")


def thread_of(row: dict[str, Any]) -> str:
    """The thread of a node: its stream."""
    kind, unit = str(row["kind"]), row["unit"]
    if row["stream"] is not None and unit != "processor":
        return f"stream {int(row['stream'])}"
    if kind == "collective":
        return f"collectives of {row['communicator']}" if row["communicator"] else "collectives"
    if kind == "compute":
        return {"processor": "processor", "memory": "copies"}.get(str(unit), "compute")
    return f"{kind}s"


class Timeline:
    """What is drawn of a run. choice: which messages and hosts, and when; missing: what is not in it, in sentences."""

    def __init__(self, run: Run, choice: Choice):
        choice.check(run)
        self.run = run
        self.choice = choice
        self.trace = Trace()
        self.missing: list[str] = []
        self.names: dict[int, str] = {}

    def make(self) -> Trace:
        """The trace."""
        self.trace.process(FABRIC)  # above the ranks
        messages = self.read_messages()
        hosts = set(messages.source if messages is not None else ())
        nodes = self.read_nodes()
        hosts |= set(nodes.host if nodes is not None else ())
        for host in sorted(map(int, hosts)):
            self.trace.process(f"rank on host {host}")
        self.add_collectives()
        self.add_iterations()
        self.add_events()
        self.add_queues()
        if nodes is not None:
            self.add_nodes(nodes)
        elif messages is not None and "collective" in messages:
            self.add_parts(messages)
        if messages is not None:
            self.add_messages(messages)
        return self.trace

    def process(self, host: int) -> int:
        return self.trace.process(f"rank on host {host}")

    def shows(self, begin: float, end: float) -> bool:
        """Whether something between two times is to be shown."""
        return end >= self.choice.begin_ns and begin <= self.choice.end_ns

    def read_messages(self) -> pandas.DataFrame | None:
        """The messages that are wanted, unless they are too many."""
        if not self.run.has("flows"):
            self.missing.append("messages: flows.csv is not there")
            return None
        others = ["bytes", "collective", "step", "slice"]
        pieces, count = [], 0
        needed = ["source", "destination", *TIMES, *(["collective"] if self.choice.collective is not None else [])]
        for piece in self.run.chunks("flows", needed, others):
            chosen = self.choice.rows(piece)
            count += len(chosen)
            pieces.append(chosen if count <= MOST_MESSAGES else chosen[:0])
        if count > MOST_MESSAGES:
            self.missing.append(f"{count} messages, as a browser shows {MOST_MESSAGES} at most: --ranks, --from and --to "
                                "choose some")
            return None
        return pandas.concat(pieces, ignore_index=True) if pieces else None

    def read_nodes(self) -> pandas.DataFrame | None:
        """What hosts did."""
        if not self.run.has("nodes"):
            if self.run.has("collectives"):
                self.missing.append("compute, and what each rank waited for: a run with --nodeTimes writes nodes.csv")
            return None
        columns = "host name kind unit stream communicator bytes peer start_ns end_ns".split()
        table = self.run.table("nodes", *columns)
        keep = (table.end_ns >= self.choice.begin_ns) & (table.start_ns <= self.choice.end_ns)
        if self.choice.hosts is not None:
            keep &= table.host.isin(self.choice.hosts)
        return table[keep]

    def add_nodes(self, nodes: pandas.DataFrame) -> None:
        """What hosts did, a thread a stream."""
        for host, rows in nodes.groupby("host"):
            threads: dict[str, list[Span]] = {}
            for row in records(rows):
                more = known({name: row[name] for name in ("kind", "communicator", "bytes", "peer")})
                threads.setdefault(thread_of(row), []).append((row["name"], row["start_ns"], row["end_ns"], more))
            for thread in sorted(threads, key=lambda name: (name.startswith("collectives"), name)):
                self.trace.spans(self.process(int(host)), thread, "node", threads[thread])

    def add_parts(self, messages: pandas.DataFrame) -> None:
        """The parts of ranks in collectives, as their messages show them."""
        table = messages.dropna(subset=["collective", "completed_ns"])
        names = self.run.collectives.name
        for host, rows in table.groupby("source"):
            spans: list[Span] = []
            for number, part in rows.groupby("collective"):
                name = str(names.get(number, "collective"))
                spans.append((name, part.start_ns.min(), part.completed_ns.max(), {"collective": int(number)}))
            if spans:
                self.trace.spans(self.process(int(host)), "sends of collectives", "collective", spans)

    def add_messages(self, messages: pandas.DataFrame) -> None:
        """The messages of hosts, from their start until they have come."""
        for host, rows in messages.groupby("source"):
            spans: list[Span] = []
            for row in records(rows):
                if row["received_ns"] is None:  # of a queue pair that failed
                    continue
                more = known({name: row.get(name) for name in ("bytes", "collective", "step", "slice")})
                acknowledged = row["completed_ns"]
                more["acknowledged_us"] = acknowledged / NS_PER_US if acknowledged is not None else None
                name = f"to host {int(row['destination'])}"
                spans.append((name, row["start_ns"], row["received_ns"], known(more)))
            if spans:
                self.trace.spans(self.process(int(host)), "messages", "message", spans)

    def add_collectives(self) -> None:
        """Collectives as a whole, from their first rank's begin to their last one's end."""
        spans: list[Span] = []
        for number, row in zip(self.run.collectives.index, records(self.run.collectives)):
            if self.shows(row["start_ns"], row["end_ns"]):
                more = {name: row.get(name) for name in ("kind", "algorithm", "ranks", "bytes", "bus_bandwidth_gbps")}
                spans.append((f"{number} {row['name']}", row["start_ns"], row["end_ns"], known(more)))
        if spans:
            self.trace.spans(self.trace.process(FABRIC), "collectives", "collective", spans)

    def add_iterations(self) -> None:
        if not self.run.has("iterations"):
            return
        spans: list[Span] = []
        for row in records(self.run.table("iterations", "iteration", "start_ns", "end_ns", "completed")):
            name = f"iteration {int(row['iteration'])}" + ("" if row["completed"] else ", aborted")
            spans.append((name, row["start_ns"], row["end_ns"], {}))
        if spans:
            self.trace.spans(self.trace.process(FABRIC), "iterations", "iteration", spans)

    def add_events(self) -> None:
        """Faults as spans, and all else that happened."""
        if not self.run.has("events"):
            return
        pid = self.trace.process(FABRIC)
        events = records(self.run.table("events", "time_ns", "event", "subject", "detail"))
        last = max([row["time_ns"] for row in events] + [float(self.run.results["cct_ns"] or 0)])
        faults: list[Span] = []
        for begin, end, what in faults_of(self.run):
            faults.append((str(what), begin * NS_PER_US, min(end * NS_PER_US, last), {"ended": bool(math.isfinite(end))}))
        if faults:
            self.trace.spans(pid, "faults", "fault", faults)
        for row in events:
            if not str(row["event"]).startswith("fault_") and self.shows(row["time_ns"], row["time_ns"]):
                more = known({"subject": row["subject"], "detail": row["detail"]})
                self.trace.instant(pid, "events", str(row["event"]), row["time_ns"], more)

    def add_queues(self) -> None:
        """The fullest port of each layer of switches over time."""
        if not self.run.has("queues"):
            return
        pid, layers = self.trace.process(FABRIC), set(self.run.switch_layers())
        for row in records(self.run.table("queues", "time_ns", "layer", "max_queue_packets")):
            if row["layer"] in layers and self.shows(row["time_ns"], row["time_ns"]):
                self.trace.counter(pid, f"fullest port, {row['layer']}", row["time_ns"], {"packets": row["max_queue_packets"]})
