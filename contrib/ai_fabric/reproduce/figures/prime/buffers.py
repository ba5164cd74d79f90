# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME and its rivals: what waits in the buffers of the fabric over time"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy
import pandas

from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.prime import FRAME, fair
from ai_fabric.plot.style import scheme_color

if TYPE_CHECKING:
    from pathlib import Path

    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.prime.fair import FairStudy

STUDY = fair.FairStudy
SCHEMES = ["ecmp", "ops-random", "bitmap", "bitmap-direct", "reps", "reps-direct", "prime"]
STYLES = {"reps-direct": "--", "bitmap-direct": "--"}
CASES = {name: fair.CASES[name] for name in ("healthy", "degraded")}
ACKS = [1, 4, 15]
LABELS = ["case", "packets_per_ack", "scheme"]
LAYERS = ["leaf-up", "spine-down"]  # whose queues the choice of paths fills
POINTS = 200  # of a curve
RTT_US = 8.3  # of the empty fabric
PARTS = {"early_packets": (0.2, 0.5), "late_packets": (0.6, 0.9)}  # of the time in which hosts send at full rate


def reproduce(study: FairStudy) -> None:
    size = study.pick(full="8MiB", quick="1MiB")
    acks = study.pick(full=ACKS, quick=ACKS[1:2])
    runs = study.run(study.matrix(SCHEMES, [size], acks, {"sample": "100ns"}, case=CASES))
    runs = runs[runs.completed]
    curves = pandas.concat([curve_of(row) for row in runs[runs.seed == 1].itertuples()], ignore_index=True)
    study.save(curves, "-curves")
    queues = pandas.DataFrame([queues_of(row) for row in runs.itertuples()], runs.index)
    columns = [*PARTS, "most_packets", "fullest_port", "longest_us", "retransmissions"]
    means = study.means(runs.join(queues), LABELS, columns)
    study.save(means)
    shown = []
    for case, ack in itertools.product(CASES, sorted(set(curves.packets_per_ack))):
        rows = curves[(curves.case == case) & (curves.packets_per_ack == ack)]
        shown.append(Panel(f"{fair.TITLES[case]}, an ACK per {ack}", "time (us)",
                           "packets in all leaf-up\nand spine-down queues", (draw_curves, rows), ("set_ylim", 0)))
    scenario = f"permutation of {size}, {study.hosts()} hosts"
    study.draw(shown, scenario, rows=len(CASES), seeds=1, width=4.2, height=3, outer=True)
    for (case, ack), rows in means.groupby(LABELS[:2], sort=False):
        judge_growth(study, rows.set_index("scheme"), f"{case}, an ACK per {ack}")
        judge_level(study, rows.set_index("scheme"), f"{case}, an ACK per {ack}")


def samples_of(folder: Path) -> pandas.DataFrame:
    """The bytes that wait in the layers, by the time in us, and the fullest port's packets."""
    rows = pandas.read_csv(folder / "queues.csv")
    by_time = rows[rows.layer.isin(LAYERS)].groupby(rows.time_ns / 1000)
    return pandas.DataFrame({"waiting_packets": by_time.waiting_bytes.sum() / FRAME,
                             "fullest_port": by_time.max_queue_packets.max()})


def curve_of(row: Any) -> pandas.DataFrame:
    """A run's waiting packets at evenly spaced times."""
    samples = samples_of(row.folder)
    times = numpy.linspace(0, row.longest_us, POINTS)
    labels = {name: getattr(row, name) for name in LABELS}
    curves = {name: numpy.interp(times, samples.index, samples[name]) for name in samples}
    return pandas.DataFrame({**labels, "time_us": times.round(3), "place": range(POINTS), **curves})


def queues_of(row: Any) -> dict[str, float]:
    """Waiting packets of a run in two parts of the time in which all hosts send, and the most."""
    samples = samples_of(row.folder)
    end = row.completion_bound_ns / 1000 - RTT_US  # until when a host sends at full rate
    part = lambda first, last: samples[(samples.index >= first * end) & (samples.index < last * end)]
    means = {name: part(*times).waiting_packets.mean() for name, times in PARTS.items()}
    return {**means, "most_packets": samples.waiting_packets.max(), "fullest_port": samples.fullest_port.max()}


def draw_curves(axes: Axes, rows: pandas.DataFrame) -> None:
    """A line a scheme; ECMP, whose few long queues are another matter, is in the table."""
    for scheme, line in rows.groupby("scheme", sort=False):
        if scheme != "ecmp" or len(set(rows.scheme)) == 1:
            look = {"color": scheme_color(scheme.removesuffix("-direct")), "linestyle": STYLES.get(scheme, "-")}
            axes.plot(line.time_us, line.waiting_packets, linewidth=1.1, label=scheme, **look)


def judge_growth(study: FairStudy, rows: pandas.DataFrame, where: str) -> None:
    """The abstract: with the rivals buffers grow over time. With PRIME they should not."""
    growth = rows.late_packets / rows.early_packets
    for scheme in ("ops-random", "reps", "prime"):
        if scheme in growth:
            words, expected = ("do not grow", "less than 1.1") if scheme == "prime" else ("grow", "1.1 or more")
            study.claim(f"{where}: {scheme}'s queues {words}, late over early", expected, growth[scheme])


def judge_level(study: FairStudy, rows: pandas.DataFrame, where: str) -> None:
    """PRIME has the least in its queues."""
    late = rows.late_packets
    rivals = late.drop(["prime", "ecmp"], errors="ignore")
    if "prime" in late and not rivals.empty:
        best, claim = rivals.idxmin(), f"{where}: PRIME has the least in its queues late, packets"
        study.claim(claim, f"at most {best}'s", [late["prime"], rivals[best]], late["prime"] <= rivals[best])
