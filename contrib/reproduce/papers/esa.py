# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the figures of ESA have in common: the options of the event model, jobs, and what switches have added up."""

import json

from papers.prime import SPACE
from study import Study

DRIVER = f"{SPACE}AggregationDriver::PriorityPolicy"
MODEL = {  # what the event model has not: re-hashing, congestion control, packets that are taken for lost
    f"{SPACE}ParameterServer::RehashOnCollision": "false",
    f"{SPACE}AtpWorker::ReactToMarks": "false",
    f"{SPACE}AtpWorker::ReorderThreshold": "0",
}
SYSTEMS = {
    "switchml": {"algorithm": "switchml"},
    "atp": {"algorithm": "atp", **MODEL},
    "atp-free": {"algorithm": "atp", **MODEL, f"{SPACE}SlotStage::FreePolicy": "completion"},
    "esa": {"algorithm": "esa", **MODEL},
    "esa-layer": {"algorithm": "esa", **MODEL, DRIVER: "layer"},
    "esa-job": {"algorithm": "esa", **MODEL, DRIVER: "job"},
}
LOOKS = dict(zip(SYSTEMS, [("C0", "s"), ("C1", "o"), ("C1", "^"), ("C2", "o"), ("C2", "v"), ("C2", "x")]))
WINDOW, REACH = 200, 800  # fragments; the event model limits what is outstanding, wherever the first gap is
JOBS, WORKERS = 8, 4
WINDOWS = JOBS * WINDOW  # slots that all jobs ask for
HOSTS = JOBS * (WORKERS + 1)
JOB_COLUMNS = "bytes,layers,iterations,compute_ns,jitter,start_ns"
KINDS = (3000, 37500), (1000, 150000)  # fragments and ns of computation of an iteration: much communication, and little
ITERATIONS = (2, 4, 6)


class EsaStudy(Study):
    """Systems of in-network aggregation; balancers have no choice below one switch."""

    fixed = "compares no balancers"

    def write_jobs(self, name, jobs):
        """A file of jobs, each a line or the columns of one."""
        lines = [job if isinstance(job, str) else ",".join(map(str, job)) for job in jobs]
        return self.write(f"{name}.csv", [JOB_COLUMNS, *lines])

    def mixed_jobs(self, name="jobs", count=JOBS):
        """Communication-heavy and compute-heavy jobs take turns; 2, 4 or 6 iterations of ten layers."""
        jobs = [(KINDS[job % 2], ITERATIONS[job % 3]) for job in range(count)]
        return self.write_jobs(name, [layers_of(*job) for job in jobs])


STUDY = EsaStudy


def layers_of(kind, iterations):
    """A job of a kind whose iterations have ten layers, as columns of a file."""
    return kind[0] * 248, 10, iterations, kind[1], 0.1, 0


def one_switch(hosts):
    """Hosts of 100 Gb/s below one switch."""
    fabric = {"topology": "leaf-spine", "leaves": 1, "spines": 1, "hostsPerLeaf": hosts}
    return {**fabric, "rate": "100Gb/s", "delay": "1us"}


def reach_of(system):
    return {} if system == "switchml" else {"aggregationWindow": WINDOW, "aggregationReach": REACH}


def results_of(run):
    """What switches have added up in a run."""
    return json.loads((run.folder / "run.json").read_text())["results"]["aggregation"]
