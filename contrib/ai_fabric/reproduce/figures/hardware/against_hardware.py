# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Collectives beside public measurements on GPU clusters, over sizes"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pandas

from ai_fabric.plot.style import color
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.hardware import CLUSTERS
from ai_fabric.sweep.grid import Case

if TYPE_CHECKING:
    from ai_fabric.common.aliases import Values
    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.hardware import Cluster, HardwareStudy

SEEDS = 1, 1
LARGE = 256 << 20  # bytes from which the bandwidth decides
SMALL = 64 << 10  # bytes up to which the latency does
QUICK = 64 << 20  # bytes on the network that take a second to compute


def reproduce(study: HardwareStudy) -> None:
    points = [(cluster, size) for cluster in CLUSTERS for size in sorted({**cluster.times, **cluster.bandwidths})]
    points = [point for point in points if study.pick(True, is_quick(*point))]
    cases = [Case({"cluster": cluster.name, "bytes": size}, cluster.options(size)) for cluster, size in points]
    runs = study.run(cases)
    clusters = {cluster.name: cluster for cluster in CLUSTERS}
    table = pandas.DataFrame([row_of(clusters[run.cluster], run) for run in runs.itertuples()])
    study.save(table)
    draw(study, table)
    judge(study, table)


def is_quick(cluster: Cluster, size: int) -> bool:
    """Whether a run is short: one in a node sends no packets."""
    return cluster.nodes == 1 or size <= QUICK and cluster.nodes < 16


def row_of(cluster: Cluster, run: Any) -> Values:
    """What was measured of a collective, what came out, and by how much the time is longer."""
    found = pandas.read_csv(run.folder / "collectives.csv").iloc[0]
    ours, factor = found.duration_ns / 1000, found.bus_bandwidth_gbps * found.duration_ns / found.bytes / 8
    size = run.bytes
    theirs = cluster.times.get(size) or size * factor / cluster.bandwidths[size] / 1000
    scenario = json.loads((run.folder / "run.json").read_text())["scenario"]
    return {"cluster": cluster.name, "source": cluster.source, "workload": scenario["workload"], "bytes": size,
            "algorithm": found.algorithm, "protocol": found.protocol, "measured_us": theirs, "ours_us": ours,
            "measured_gbytes_per_s": size * factor / theirs / 1000, "ours_gbytes_per_s": size * factor / ours / 1000,
            "error_percent": 100 * (ours / theirs - 1)}


def draw(study: HardwareStudy, table: pandas.DataFrame) -> None:
    shown = [Panel("", "measured (us)", "ours (us)", (draw_points, table),
                   ("set_xscale", "log"), ("set_yscale", "log"))]
    study.draw(shown, "collectives of nccl-tests; dashed: as measured", width=6.4, height=5)


def draw_points(axes: Axes, table: pandas.DataFrame) -> None:
    for place, (name, rows) in enumerate(table.groupby("cluster", sort=False)):
        axes.plot(rows.measured_us, rows.ours_us, "os^D"[place // 8 % 4], color=color(place % 8), markersize=5, label=name)
    ends = [table.measured_us.min(), table.measured_us.max()]
    axes.plot(ends, ends, "k--", linewidth=1)


def judge(study: HardwareStudy, table: pandas.DataFrame) -> None:
    """How far off we are: what is expected is what one would call usable, and was not chosen by the results."""
    for words, rows, limit in (
        (f"from {LARGE >> 20} MiB on", table[table.bytes >= LARGE], 10),
        ("between", table[(table.bytes < LARGE) & (table.bytes > SMALL)], 25),
        (f"up to {SMALL >> 10} KiB", table[table.bytes <= SMALL], 25),
    ):
        if len(rows):
            error = rows.error_percent.abs()
            study.claim(f"{words}, {len(rows)} sizes: median error of the time, in percent", f"at most {limit}",
                        float(error.median()))
            study.claim(f"{words}: largest error, in percent", f"at most {2 * limit}", float(error.max()))
