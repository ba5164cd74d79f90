# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the figures of ESA have in common: the options of the event model, jobs, and what switches have added up."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pandas

from ai_fabric.reproduce.fabrics import SPACE, attributes, options_of
from ai_fabric.reproduce.study import Study

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ai_fabric.common.aliases import Values
    from ai_fabric.plot.style import Axes

WINDOW, REACH = 200, 800  # fragments; the event model limits what is outstanding, wherever the first gap is
DRIVER = f"{SPACE}AggregationDriver::PriorityPolicy"
EARLY = attributes("SlotStage", FreePolicy="completion")
MODEL = {  # what the event model has not: re-hashing, congestion control, packets that are taken for lost
    **attributes("ParameterServer", RehashOnCollision="false"),
    **attributes("AtpWorker", ReactToMarks="false", ReorderThreshold="0"),
}
LIMITED = {**MODEL, "aggregationWindow": WINDOW, "aggregationReach": REACH}
ATP, ESA = ({**options_of(name), **LIMITED} for name in ("atp", "esa"))
SYSTEMS: dict[str, dict] = {
    "switchml": options_of("switchml"),
    "atp": ATP,
    "atp-free": {**ATP, **EARLY},
    "esa": ESA,
    "esa-layer": {**ESA, DRIVER: "layer"},
    "esa-job": {**ESA, DRIVER: "job"},
}
LOOKS = dict(zip(SYSTEMS, [("C0", "s"), ("C1", "o"), ("C1", "^"), ("C2", "o"), ("C2", "v"), ("C2", "x")]))
JOBS, WORKERS = 8, 4
WINDOWS = JOBS * WINDOW  # slots that all jobs ask for
HOSTS = JOBS * (WORKERS + 1)
JOB_COLUMNS = "bytes,layers,iterations,compute_ns,jitter,start_ns"
KINDS = (3000, 37500), (1000, 150000)  # fragments and ns of computation of an iteration: much communication, and little
ITERATIONS = (2, 4, 6)


class EsaStudy(Study):
    """Systems of in-network aggregation; balancers have no choice below one switch."""

    fixed = "compares no balancers"
    base = {"rate": "100Gb/s", "delay": "1us", "workload": "all-reduce"}

    def write_jobs(self, name: str, jobs: Iterable[str | Iterable[object]]) -> Path:
        """A file of jobs, each a line or the columns of one."""
        lines = [job if isinstance(job, str) else ",".join(map(str, job)) for job in jobs]
        return self.write(f"{name}.csv", [JOB_COLUMNS, *lines])

    def mixed_jobs(self, name: str = "jobs", count: int = JOBS) -> Path:
        """Communication-heavy and compute-heavy jobs take turns; 2, 4 or 6 iterations of ten layers."""
        jobs = [(KINDS[job % 2], ITERATIONS[job % 3]) for job in range(count)]
        return self.write_jobs(name, [layers_of(*job) for job in jobs])

    def claim_sums(self, table: pandas.DataFrame) -> None:
        wrong = table.wrong_sums.sum()
        self.claim("all sums are right", "0 wrong", f"{wrong:.0f} wrong", wrong == 0)


STUDY = EsaStudy


def layers_of(kind: tuple[int, int], iterations: int) -> tuple[float, ...]:
    """A job of a kind whose iterations have ten layers, as columns of a file."""
    return kind[0] * 248, 10, iterations, kind[1], 0.1, 0


def slots_of(counts: Iterable[int]) -> dict[int, Values]:
    """Options by numbers of slots of a switch."""
    return {count: {"slots": count} for count in counts}


def results_of(run: Any) -> Values:
    """What switches have added up in a run, or what its jobs took without them."""
    results = json.loads((run.folder / "run.json").read_text())["results"]
    return results.get("aggregation", {"jobs": results.get("jobs")})


def summarize(runs: pandas.DataFrame, by: list[str], columns: Sequence[str]) -> pandas.DataFrame:
    """A row a case, which has labels of two kinds: means over the runs that completed, and all wrong sums."""
    rows = []
    for labels, group in runs[runs.completed].groupby(by, sort=False):
        found = pandas.DataFrame([results_of(run) for run in group.itertuples()])
        means = {column: found[column].mean() for column in columns}
        rows.append({**dict(zip(by, labels)), "runs": len(found), "jct_us": found.jct_ns.mean() / 1000, **means,
                     "wrong_sums": found.wrong_sums.sum()})
    return pandas.DataFrame(rows)


def draw_systems(axes: Axes, table: pandas.DataFrame, x: str, y: str, style: str = "-") -> None:
    """A line a system; dotted ones have no markers and no names."""
    for system, rows in table.groupby("system", sort=False):
        color, marker = LOOKS[system]
        look = {"marker": marker, "markersize": 5, "label": system} if style == "-" else {}
        axes.plot(rows[x], rows[y], color=color, linewidth=1, linestyle=style, **look)
