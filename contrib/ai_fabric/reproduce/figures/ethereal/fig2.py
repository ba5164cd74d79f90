# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What spraying and REPS do to queues and rates, symmetric and not (our reading of Fig. 2)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas

from ai_fabric.reproduce.drawing import Panel
from ai_fabric.plot.style import scheme_color

if TYPE_CHECKING:
    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.ethereal import EtherealStudy

SCHEMES = ["ethereal", "spray", "ethereal-reps", "reps", "ofan"]
SYMMETRIC, SLOW = "symmetric", "one uplink at half rate"
MB = 1000000
COLUMNS = {"cct_us": "cct_us", "increase_percent": "increase_percent", "cuts": "policies.dctcp_cuts",
           "marks": "policies.dctcp_marks", "removed": "policies.reps_removed",
           "imbalance": "layers.leaf-up.link_imbalance"}


def shift_of(hosts: int, distance: int, size: int) -> list[tuple[int, int, int, int]]:
    """Flows: each host sends to the one below the next leaf that has its place."""
    return [(0, host, (host + distance) % hosts, size) for host in range(hosts)]


def reproduce(study: EtherealStudy) -> None:
    size, fabric = study.pick(full=16, quick=4), study.leaf_spine()
    ports = fabric["hostsPerLeaf"]
    flows = study.write_flows("shift.csv", shift_of(fabric["leaves"] * ports, ports, size * MB))
    paths = {SYMMETRIC: {}, SLOW: {"fail": f"leaf-0:{ports}--spine-0:0*0.5@0us"}}
    options = {**fabric, "workload": "flows", "flows": flows, "sample": "1us"}
    means = study.tabulate(study.sweep(options, paths=paths, scheme=SCHEMES), ["paths", "scheme"], COLUMNS)
    study.save(means)
    assert study.runs is not None
    shown = [Panel(name, "time (us)", "longest queue to a spine (packets)", (draw_queues, rows))
             for name, rows in study.runs[study.runs.seed == 1].groupby("paths", sort=False)]
    study.draw(shown, f"{size} MB from each host to the next leaf; the first run")
    judge(study, means)


def draw_queues(axes: Axes, runs: pandas.DataFrame) -> None:
    for row in runs.itertuples():
        queues = pandas.read_csv(row.folder / "queues.csv")
        queues = queues[queues.layer == "leaf-up"]
        times = queues.time_ns / 1000
        axes.plot(times, queues.max_queue_packets, color=scheme_color(row.scheme), linewidth=1, label=row.scheme)
    axes.axhline(800000 / 9000, color="black", linestyle=":", linewidth=1, label="marks above")
    axes.set_yscale("symlog", linthresh=10)
    axes.set_ylim(bottom=0)


def judge(study: EtherealStudy, means: pandas.DataFrame) -> None:
    cuts, times, removed = (means.pivot(index="paths", columns="scheme", values=name)
                            for name in ("cuts", "cct_us", "removed"))
    if {"ethereal", "spray"} <= set(cuts):
        for paths in (SYMMETRIC, SLOW):
            ours, other = cuts.ethereal[paths], cuts.spray[paths]
            claim = f"{paths}: spray is cut more often than Ethereal"
            study.claim(claim, f"more than {ours:.0f} cuts", other, other > ours)
    for paths, scheme in ((SLOW, "spray"), (SYMMETRIC, "ethereal-reps"), (SYMMETRIC, "reps")):
        if {"ethereal", scheme} <= set(times):
            longer = 100 * (times[scheme] / times.ethereal - 1)[paths]
            study.claim(f"{paths}: {scheme} takes longer than Ethereal by, percent", "above 1", longer)
    if "ethereal-reps" in removed:
        left = removed["ethereal-reps"][SYMMETRIC]
        study.claim(f"{SYMMETRIC}: paths that ethereal-reps leaves for another", "some", left, left > 0)
