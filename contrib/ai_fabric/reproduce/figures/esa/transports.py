# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""One mix of jobs over ATP, ESA and SwitchML, and over rings and trees with several balancers and transports"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas

from ai_fabric.plot.charts import name_rows
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import leaf_spine
from ai_fabric.reproduce.papers.esa import results_of, slots_of

if TYPE_CHECKING:
    from pathlib import Path

    from ai_fabric.reproduce.papers.esa import EsaStudy
    from ai_fabric.sweep.grid import Case

JOBS, WORKERS = 4, 8
RACKS, HOSTS = 4, 9  # a rack has two workers of each job, and the parameter server of one
HEAVY, LIGHT = (2480000, 100000), (620000, 300000)  # bytes and ns of computation of an iteration
LAYERS, ITERATIONS = 5, 3
SLOTS = [100, 20000]
IN_NETWORK = "switchml", "atp", "esa"
PATHS = {
    "rc, ecmp": {"balancer": "ecmp"},
    "rc, host-dr": {"balancer": "host-dr"},
    "spray, prime": {"transport": "spray", "balancer": "prime"},
    "mrc": {"transport": "mrc"},
}
MESSAGES = ["ring", "double-binary-tree", "halving-doubling"]
SWITCHES = ["ecmp", "switch-ar"]  # balancers of hosts do not label packets of aggregation
BY = ["system", "path", "slots"]
SEEDS = 1, 1


def hosts_file(study: EsaStudy, count: int) -> Path:
    """A host of each rack in turn, so that each job has two workers in each rack. The last hosts are servers."""
    hosts = [rack * HOSTS + place for place in range(HOSTS) for rack in range(RACKS)]
    return study.write(f"hosts-{count}.txt", hosts[:count])


def cases_of(study: EsaStudy) -> list[Case]:
    """Communication-heavy and compute-heavy jobs take turns."""
    kinds = [(HEAVY, LIGHT)[job % 2] for job in range(JOBS)]
    jobs = [(size // study.pick(full=1, quick=10), LAYERS, ITERATIONS, compute, 0.1, 0) for size, compute in kinds]
    fabric = leaf_spine(RACKS, HOSTS, HOSTS, jobs=study.write_jobs("mix", jobs))
    workers, both = hosts_file(study, JOBS * WORKERS), hosts_file(study, JOBS * (WORKERS + 1))
    systems = {name: {"algorithm": name, "placement": workers if name == "switchml" else both} for name in IN_NETWORK}
    messages = {name: {"algorithm": name, "placement": workers} for name in MESSAGES}
    switches = {name: {"balancer": name} for name in SWITCHES}
    return (study.sweep(fabric, system=systems, slots=slots_of(SLOTS), path=switches)
            + study.sweep(fabric, system=messages, slots=[0], path=PATHS))


def reproduce(study: EsaStudy) -> None:
    runs, rows = study.run(cases_of(study)), []
    for run in runs[runs.completed].itertuples():
        found = results_of(run)
        times = pandas.Series([job["jct_ns"] / 1000 for job in found["jobs"]])
        rows.append({**{name: getattr(run, name) for name in BY}, "jct_us": times.mean(),
                     "heavy_us": times[::2].mean(), "light_us": times[1::2].mean(),
                     "wrong_sums": found.get("wrong_sums", 0)})
    table = pandas.DataFrame(rows)
    study.save(table)
    means = table.groupby(BY, sort=False).mean().reset_index()
    names = [f"{row.system}, {row.path}" + (f", {row.slots} slots" if row.slots else "") for row in means.itertuples()]
    colors = ["C2" if system in IN_NETWORK else "C0" for system in means.system]
    panel = Panel("", "mean completion time of a job (us)", "",
                  ("barh", range(len(means)), means.jct_us, {"color": colors}), (name_rows, names, 7))
    study.draw([panel], f"{JOBS} jobs of {WORKERS} workers in {RACKS} racks, 100 Gb/s", legends=0, width=8)
    judge(study, means)


def judge(study: EsaStudy, means: pandas.DataFrame) -> None:
    times = means.set_index(BY).jct_us
    few, ample = SLOTS
    messages = times.loc[MESSAGES]
    best = messages.idxmin()
    for system in IN_NETWORK:
        ratio = messages[best] / times[system, "switch-ar", ample]
        study.claim(f"{system}, ample memory: time of the best of rings and trees over its own",
                    "above 1 (the abstract: in-network aggregation is faster)",
                    f"{ratio:.2f} ({best[0]}, {best[1]})", ratio > 1)
    ratios = [times["atp", path, few] / times["esa", path, few] for path in SWITCHES]
    study.claim(f"{few} slots: ESA before ATP, by balancer", "above 1", ", ".join(f"{r:.2f}" for r in ratios),
                min(ratios) > 1)
    prime, mrc, ecmp = (times["ring", path, 0] for path in ("spray, prime", "mrc", "rc, ecmp"))
    study.claim("ring: spreading packets is faster than ecmp", "prime and mrc before rc, ecmp",
                f"{prime:.0f}, {mrc:.0f}, {ecmp:.0f} us", max(prime, mrc) < ecmp)
    study.claim_sums(means)
