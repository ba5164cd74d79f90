# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC beside RC: what a training job loses by an incident, if a queue pair that fails aborts or restarts it"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy
import pandas

from ai_fabric.plot.charts import name_rows
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes, leaf_spine
from ai_fabric.reproduce.papers.mrc import BASE, LINK, case, cut
from ai_fabric.reproduce.papers.mrc.paths import FACTOR
from ai_fabric.reproduce.papers.planes import CABLE
from ai_fabric.plot.style import scheme_color

if TYPE_CHECKING:
    from pathlib import Path

    from ai_fabric.common.aliases import Values
    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.mrc import MrcStudy

BEGIN_US, OUTAGE_US = 1000, 6e6 / FACTOR  # a tenth of a minute
RESTART_MS = 60e6 / FACTOR / 1000  # a minute from the failure until the job goes on
CONVERGENCE_MS = 1e6 / FACTOR / 1000  # a second until switches know of a dead link
FABRIC = leaf_spine(4, 4, 4, planes=4, rate=f"{LINK}Gb/s")
JOB = {"workload": "all-reduce", "algorithm": "ring", "size": "1MiB", "stallTime": "400ms"}


def rc(exponent: int) -> Values:
    """RC over four planes, with the ACK timeout of InfiniBand by its exponent, divided as all times above 1 ms."""
    return {
        "balancer": "ecmp", "recovery": "go-back-n", "steering": "split", "convergence": f"{CONVERGENCE_MS:g}ms",
        **attributes("RcQueuePair", AckTimeout=f"{4096 * 2**exponent / FACTOR:.0f}ns", RetryLimit=7, RetryTime="0s"),
    }


MRC = {**BASE, **attributes("MrcQueuePair", RetryTime="0s")}
RESTARTS = {"onFailure": "restart", "restartCost": f"{RESTART_MS:g}ms"}
# By name: the options, its words, and the color of its bars
SIDES = {
    "rc": ({**rc(14), **RESTARTS}, "RC, ACK timeout 67 us, restarts", scheme_color("ecmp")),
    "rc abort": ({**rc(14), "onFailure": "abort"}, "RC, ACK timeout 67 us, aborts", "#CCCCCC"),
    "rc 18": ({**rc(18), **RESTARTS}, "RC, ACK timeout 1.07 ms, restarts", scheme_color("host-dr")),
    "mrc": ({**MRC, **RESTARTS}, "MRC", scheme_color("mrc")),
}
WHILE = (BEGIN_US, BEGIN_US + OUTAGE_US)
FLAPS = ":period=2ms:duty=0.5"
EVERY_PORT = cut([f"host-0:{port}" for port in range(4)], *WHILE)
HEALTHY = "no incident"
# By name: the fault, and the least goodput of MRC that is expected
INCIDENTS = {
    HEALTHY: ("none", 1),
    "a core cable flaps": (cut(CABLE, *WHILE) + FLAPS, 0.98),
    "a spine reboots": (cut("plane0-spine-0", *WHILE), 0.98),
    "a port of a NIC is down": (cut("host-0:0", *WHILE), 0.85),
    "optics of four NICs flap": (cut("optic-plane0-leaf-0:0", *WHILE) + FLAPS, 0.85),
    "a leaf of a plane is down": (cut("plane0-leaf-0", *WHILE), 0.85),
    "all ports of a NIC are down": (EVERY_PORT, 0.6),
}


def reproduce(study: MrcStudy) -> None:
    iterations = study.pick(full=100, quick=80)
    base = {**FABRIC, **JOB, "iterations": iterations}
    cases = [case(f"{side} {incident}", {**base, **options, "fail": fault}) for side, (options, *_) in SIDES.items()
             for incident, (fault, _) in INCIDENTS.items()]
    runs = study.run(cases).set_index("case")
    table = pandas.DataFrame([row_of(runs, side, incident) for side in SIDES for incident in INCIDENTS])
    study.save(table)
    judge(study, table.set_index(["side", "incident"]))
    outage = f"outage {OUTAGE_US / 1000:g} ms, restart {RESTART_MS:g} ms (times divided by {FACTOR})"
    scenario = f"{iterations} ring all-reduces of 1 MiB, {study.hosts()} hosts, 4 planes; {outage}"
    parts = (draw_bars, table), (name_rows, list(INCIDENTS))
    height = 0.6 * len(INCIDENTS) + 1
    study.draw([Panel("", "training goodput of the job", "", *parts)], scenario, width=7.2, height=height)


def job_of(folder: Path) -> Values:
    return json.loads((folder / "run.json").read_text())["results"]["job"]


def row_of(runs: pandas.DataFrame, side: str, incident: str) -> Values:
    """The means of the runs of a case."""
    rows = runs.loc[[f"{side} {incident}"]]
    jobs = [job_of(folder) for folder in rows.folder]
    usual = [job_of(folder)["mean_iteration_ns"] for folder in runs.loc[[f"{side} {HEALTHY}"]].folder]
    shares = [goodput_of(job, time) for job, time in zip(jobs, usual)]
    return {"side": side, "incident": incident,
            "completed_iterations": numpy.mean([job["completed_iterations"] for job in jobs]),
            "aborted": numpy.mean([job["aborted"] for job in jobs]),
            "restarts": numpy.mean([job["restarts"] for job in jobs]), "goodput": numpy.mean(shares),
            "least_goodput": min(shares), "job_ms": numpy.mean([job["job_ns"] / 1e6 for job in jobs]),
            "longest_iteration_us": numpy.mean([job["max_iteration_ns"] / 1000 for job in jobs]),
            "timeouts": rows.timeouts.mean()}


def goodput_of(job: Values, usual: float) -> float:
    """The time that the completed iterations of a job take without an incident, over the time of the job. A job that is
    aborted has the time of all its iterations, of which most are missing."""
    whole = job["iterations"] * usual if job["aborted"] else 0
    return job["completed_iterations"] * usual / max(job["job_ns"], whole)


def judge(study: MrcStudy, table: pandas.DataFrame) -> None:
    for incident, (_, least) in INCIDENTS.items():
        ours, rival, stopped = (table.loc[(side, incident)] for side in ("mrc", "rc", "rc abort"))
        study.claim(f"{incident}: MRC, restarts", "0", ours.restarts, ours.restarts == 0)
        study.claim(f"{incident}: MRC, goodput", f"at least {least:g}", ours.least_goodput)
        if incident == HEALTHY:
            continue
        lower = rival.goodput < ours.goodput
        study.claim(f"{incident}: RC restarts", "at least once", rival.restarts, rival.restarts >= 1)
        study.claim(f"{incident}: RC, goodput below MRC's", f"below {ours.goodput:.3g}", rival.goodput, lower)
        study.claim(f"{incident}: RC that aborts, share of runs", "1", stopped.aborted, stopped.aborted == 1)


def draw_bars(axes: Axes, table: pandas.DataFrame) -> None:
    """A group of bars for each incident."""
    incidents = list(INCIDENTS)
    height = 0.8 / len(SIDES)
    for place, (side, (_, words, look)) in enumerate(SIDES.items()):
        rows = table[table.side == side].set_index("incident").loc[incidents]
        ys = numpy.arange(len(incidents)) + (place - (len(SIDES) - 1) / 2) * height
        axes.barh(ys, rows.goodput, height=0.9 * height, color=look, label=words)
        for y, row in zip(ys, rows.itertuples()):
            text = f"{row.goodput:.3f}" + (f", {row.completed_iterations:.0f} iterations" if row.aborted else "")
            axes.annotate(text, (row.goodput, y), (3, 0), textcoords="offset points", va="center", fontsize="x-small")
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, 1.15)
