# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The faults of a run, from events.csv."""

from collections.abc import Iterable

import numpy
import pandas

from ai_fabric.runs.run_data import Run

Fault = tuple[float, float, str]  # begin and end in us, and what failed


def name_of(links: Iterable[str]) -> str:
    """What links have in common: the link, the switch or host that all are of, or their number."""
    links = sorted(set(links))
    if len(links) == 1:
        return links[0]
    nodes = [{end.rpartition(":")[0] for end in link.split("--")} for link in links]
    common = set.intersection(*nodes)
    return common.pop() if len(common) == 1 else f"{len(links)} links"


def faults_of(run: Run) -> list[Fault]:
    """The faults of a run: begin and end in us (infinite: it did not end), and what failed."""
    events = run.table("events", "time_ns", "event", "subject", "detail")
    spans = []
    for (subject, detail), rows in events.groupby(["subject", "detail"], dropna=False):
        begins = rows[rows.event == "fault_begin"].time_ns.tolist()
        ends = rows[rows.event == "fault_end"].time_ns.tolist()
        ends += [numpy.inf] * (len(begins) - len(ends))
        spans += [(begin / 1e3, end / 1e3, detail, subject) for begin, end in zip(begins, ends)]
    table = pandas.DataFrame(spans, columns=["begin", "end", "detail", "subject"])
    groups = table.groupby(["begin", "end", "detail"], dropna=False).subject
    return [(begin, end, f"{name_of(links)} {detail}") for (begin, end, detail), links in groups]
