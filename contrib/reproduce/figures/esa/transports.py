# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""One mix of jobs over ATP, ESA and SwitchML, and over rings and trees with several balancers and transports"""

import json

import pandas

from charts import finish, panels
from grid import Case

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
SEEDS = 1, 1


def jobs_file(study):
    """Communication-heavy and compute-heavy jobs take turns."""
    kinds = [(HEAVY, LIGHT)[job % 2] for job in range(JOBS)]
    jobs = [(size // study.pick(full=1, quick=10), LAYERS, ITERATIONS, compute, 0.1, 0) for size, compute in kinds]
    return study.write_jobs("mix", jobs)


def hosts_file(study, count):
    """A host of each rack in turn, so that each job has two workers in each rack. The last hosts are servers."""
    hosts = [rack * HOSTS + place for place in range(HOSTS) for rack in range(RACKS)]
    return study.write(f"hosts-{count}.txt", hosts[:count])


def cases_of(study):
    common = {
        "topology": "leaf-spine", "leaves": RACKS, "spines": HOSTS, "hostsPerLeaf": HOSTS, "rate": "100Gb/s",
        "delay": "1us", "workload": "all-reduce", "jobs": jobs_file(study),
    }
    workers = hosts_file(study, JOBS * WORKERS)
    both = hosts_file(study, JOBS * (WORKERS + 1))
    cases = []
    for system in IN_NETWORK:
        hosts = workers if system == "switchml" else both
        for slots in SLOTS:
            for balancer in SWITCHES:
                cases.append(Case({"system": system, "path": balancer, "slots": slots},
                                  {**common, "algorithm": system, "balancer": balancer, "slots": slots,
                                   "placement": hosts}))
    for system in MESSAGES:
        for path, options in PATHS.items():
            cases.append(Case({"system": system, "path": path, "slots": 0},
                              {**common, **options, "algorithm": system, "placement": workers}))
    return cases


def reproduce(study):
    runs = study.run(cases_of(study))
    table = pandas.DataFrame([row_of(run) for run in runs.itertuples() if run.completed])
    study.save(table)
    means = table.groupby(["system", "path", "slots"], sort=False).mean().reset_index()
    draw(study, means)
    judge(study, means)


def row_of(run):
    results = json.loads((run.folder / "run.json").read_text())["results"]
    found = results.get("aggregation", {"jobs": results.get("jobs")})
    times = [job["jct_ns"] / 1000 for job in found["jobs"]]
    return {
        "system": run.system, "path": run.path, "slots": run.slots,
        "jct_us": sum(times) / len(times), "heavy_us": sum(times[::2]) / len(times[::2]),
        "light_us": sum(times[1::2]) / len(times[1::2]), "wrong_sums": found.get("wrong_sums", 0),
    }


def draw(study, means):
    figure, grid = panels(1, 1, width=8, height=3.6)
    names = [f"{row.system}, {row.path}" + (f", {row.slots} slots" if row.slots else "") for row in means.itertuples()]
    colours = ["C2" if system in IN_NETWORK else "C0" for system in means.system]
    grid[0].barh(range(len(means)), means.jct_us, color=colours)
    grid[0].set_yticks(range(len(means)), names, fontsize=7)
    grid[0].invert_yaxis()
    grid[0].set_xlabel("mean completion time of a job (us)")
    finish(figure, study, f"{JOBS} jobs of {WORKERS} workers in {RACKS} racks, 100 Gb/s")


def judge(study, means):
    def time_of(system, path, slots=0):
        found = means[(means.system == system) & (means.path == path) & (means.slots == slots)]
        return float(found.jct_us.iloc[0])

    few, ample = SLOTS
    messages = means[means.system.isin(MESSAGES)]
    best = messages.loc[messages.jct_us.idxmin()]
    for system in IN_NETWORK:
        ratio = best.jct_us / time_of(system, "switch-ar", ample)
        study.claim(f"{system}, ample memory: time of the best of rings and trees over its own",
                    "above 1 (the abstract: in-network aggregation is faster)",
                    f"{ratio:.2f} ({best.system}, {best.path})", ratio > 1)
    ratios = [time_of("atp", path, few) / time_of("esa", path, few) for path in SWITCHES]
    study.claim(f"{few} slots: ESA before ATP, by balancer", "above 1", ", ".join(f"{r:.2f}" for r in ratios),
                min(ratios) > 1)
    study.claim("ring: spreading packets is faster than ecmp", "prime and mrc before rc, ecmp",
                f"{time_of('ring', 'spray, prime'):.0f}, {time_of('ring', 'mrc'):.0f}, "
                f"{time_of('ring', 'rc, ecmp'):.0f} us",
                max(time_of("ring", "spray, prime"), time_of("ring", "mrc")) < time_of("ring", "rc, ecmp"))
    wrong = means.wrong_sums.sum()
    study.claim("all sums are right", "0 wrong", f"{wrong:.0f} wrong", wrong == 0)
