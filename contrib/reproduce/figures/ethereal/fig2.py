# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What spraying and REPS do to queues and rates, symmetric and not (our reading of Fig. 2)"""

import pandas

from charts import finish, legend, panels
from grid import Case
from style import scheme_color

SCHEMES = ["ethereal", "spray", "ethereal-reps", "reps", "ofan"]
SYMMETRIC, SLOW = "symmetric", "one uplink at half rate"
MB = 1000000
COUNTED = {
    "cuts": "policies.dctcp_cuts",
    "marks": "policies.dctcp_marks",
    "removed": "policies.reps_removed",
    "imbalance": "layers.leaf-up.link_imbalance",
}


def shift_of(hosts, distance, size):
    """Flows: each host sends to the one below the next leaf that has its place."""
    return [(0, host, (host + distance) % hosts, size) for host in range(hosts)]


def reproduce(study):
    size = study.pick(full=16, quick=4)
    fabric = study.leaf_spine()
    ports = fabric["hostsPerLeaf"]
    flows = study.write_flows("shift.csv", shift_of(fabric["leaves"] * ports, ports, size * MB))
    faults = {SYMMETRIC: {}, SLOW: {"fail": f"leaf-0:{ports}--spine-0:0*0.5@0us"}}
    cases = [
        Case(
            {"scheme": scheme, "paths": paths},
            {**fabric, **study.options_of(scheme), **fault, "workload": "flows", "flows": flows, "sample": "1us"},
        )
        for paths, fault in faults.items()
        for scheme in study.schemes(SCHEMES)
    ]
    table = study.run(cases)
    table["cct_us"] = table.cct_ns / 1000
    for name, column in COUNTED.items():
        table[name] = table[column] if column in table else float("nan")
    means = study.means(table, ["paths", "scheme"], ["cct_us", "increase_percent", *COUNTED])
    study.save(means)
    draw(study, table[table.seed == 1], size)
    judge(study, means)


def draw(study, runs, size):
    figure, grid = panels(1, 2)
    for axes, (paths, rows) in zip(grid, runs.groupby("paths", sort=False)):
        for row in rows.itertuples():
            queues = pandas.read_csv(row.folder / "queues.csv")
            queues = queues[queues.layer == "leaf-up"]
            times = queues.time_ns / 1000
            axes.plot(times, queues.max_queue_packets, color=scheme_color(row.scheme), linewidth=1, label=row.scheme)
        axes.axhline(800000 / 9000, color="black", linestyle=":", linewidth=1, label="marks above")
        axes.set_yscale("symlog", linthresh=10)
        axes.set_ylim(bottom=0)
        axes.set_title(paths)
        axes.set_xlabel("time (us)")
        axes.set_ylabel("longest queue to a spine (packets)")
    legend(grid[1], grid)
    finish(figure, study, f"{size} MB from each host to the next leaf; the first run")


def judge(study, means):
    rows = means.set_index(["paths", "scheme"])
    schemes = set(means.scheme)
    if {"ethereal", "spray"} <= schemes:
        for paths, what, expected in ((SYMMETRIC, "cuts", "more"), (SLOW, "cuts", "more")):
            ours, other = rows.loc[paths, what]["ethereal"], rows.loc[paths, what]["spray"]
            study.claim(
                f"{paths}: spray is cut more often than Ethereal",
                f"{expected} than {ours:.0f} cuts",
                float(other),
                other > ours,
            )
        times = rows.loc[SLOW, "cct_us"]
        study.claim(
            f"{SLOW}: spray takes longer than Ethereal by, percent",
            "above 1",
            float(100 * (times["spray"] / times["ethereal"] - 1)),
            times["spray"] > 1.01 * times["ethereal"],
        )
    for scheme in ("ethereal-reps", "reps"):
        if {"ethereal", scheme} <= schemes:
            times = rows.loc[SYMMETRIC, "cct_us"]
            study.claim(
                f"{SYMMETRIC}: {scheme} takes longer than Ethereal by, percent",
                "above 1",
                float(100 * (times[scheme] / times["ethereal"] - 1)),
                times[scheme] > 1.01 * times["ethereal"],
            )
    if "ethereal-reps" in schemes:
        removed = rows.loc[SYMMETRIC, "removed"]["ethereal-reps"]
        study.claim(f"{SYMMETRIC}: paths that ethereal-reps leaves for another", "some", float(removed), removed > 0)
