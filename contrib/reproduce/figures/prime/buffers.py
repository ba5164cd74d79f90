# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME and its rivals: what waits in the buffers of the fabric over time"""

import numpy
import pandas

from charts import finish, legend, panels
from papers.prime import DEGRADED, FRAME
from papers.prime.fair import FairStudy
from style import scheme_color

STUDY = FairStudy
SCHEMES = ["ecmp", "ops-random", "bitmap", "bitmap-direct", "reps", "reps-direct", "prime"]
STYLES = {"reps-direct": "--", "bitmap-direct": "--"}
CASES = {"healthy": {}, "degraded": DEGRADED}
TITLES = {"healthy": "healthy", "degraded": "spine 0 at 25 %"}
ACKS = [1, 4, 15]
LAYERS = ["leaf-up", "spine-down"]  # whose queues the choice of paths fills
POINTS = 200  # of a curve
RTT_US = 8.3  # of the empty fabric
PARTS = (0.2, 0.5), (0.6, 0.9)  # of the time in which hosts send at full rate: early and late


def reproduce(study):
    size = study.pick(full="8MiB", quick="1MiB")
    acks = study.pick(full=ACKS, quick=ACKS[1:2])
    cases = [
        case
        for name, options in CASES.items()
        for case in study.matrix(SCHEMES, [size], acks, {"sample": "100ns", **options}, case=name)
    ]
    runs = study.run(cases)
    curves = pandas.concat([curve_of(row) for row in runs[runs.completed].itertuples()], ignore_index=True)
    labels = ["case", "packets_per_ack", "scheme"]
    curves = curves.groupby([*labels, "time_us"], sort=False).mean(numeric_only=True).reset_index()
    study.save(curves, "-curves")
    table = summarize(study, runs)
    study.save(table)
    draw(study, curves, size)
    judge(study, table)


def samples_of(folder):
    """The bytes that wait in the layers, by the time in us, and the fullest port's packets."""
    rows = pandas.read_csv(folder / "queues.csv")
    rows = rows[rows.layer.isin(LAYERS)]
    by_time = rows.groupby("time_ns")
    table = pandas.DataFrame(
        {"waiting_packets": by_time.waiting_bytes.sum() / FRAME, "fullest_port": by_time.max_queue_packets.max()}
    )
    table.index = table.index / 1000
    return table


def curve_of(row):
    """A run's waiting packets at evenly spaced times."""
    samples = samples_of(row.folder)
    times = numpy.linspace(0, row.max_fct_ns / 1000, POINTS)
    return pandas.DataFrame(
        {
            "case": row.case,
            "packets_per_ack": row.packets_per_ack,
            "scheme": row.scheme,
            "time_us": times.round(3) if row.seed == 1 else numpy.nan,
            "place": range(POINTS),
            "waiting_packets": numpy.interp(times, samples.index, samples.waiting_packets),
            "fullest_port": numpy.interp(times, samples.index, samples.fullest_port),
        }
    ).dropna(subset=["time_us"])


def waiting_between(samples, first, last):
    return samples[(samples.index >= first) & (samples.index < last)].waiting_packets.mean()


def summarize(study, runs):
    """Means by scheme: waiting packets in two parts of the time in which all hosts send, and the most."""
    rows = []
    for row in runs[runs.completed].itertuples():
        samples = samples_of(row.folder)
        end = row.completion_bound_ns / 1000 - RTT_US  # until when a host sends at full rate
        early, late = (waiting_between(samples, first * end, last * end) for first, last in PARTS)
        rows.append([early, late, samples.waiting_packets.max(), samples.fullest_port.max()])
    columns = ["early_packets", "late_packets", "most_packets", "fullest_port"]
    table = runs[runs.completed].copy()
    table[columns] = rows
    table["longest_us"] = table.max_fct_ns / 1000
    return study.means(table, ["case", "packets_per_ack", "scheme"], [*columns, "longest_us", "retransmissions"])


def draw(study, curves, size):
    """A panel a case and coalescing; ECMP, whose few long queues are another matter, is in the table."""
    acks = sorted(set(curves.packets_per_ack))
    figure, grid = panels(len(CASES), len(acks), width=4.2, height=3)
    for axes, (case, ack) in zip(grid, [(case, ack) for case in CASES for ack in acks]):
        rows = curves[(curves.case == case) & (curves.packets_per_ack == ack)]
        for scheme, line in rows.groupby("scheme", sort=False):
            if scheme != "ecmp" or len(set(rows.scheme)) == 1:
                axes.plot(line.time_us, line.waiting_packets, STYLES.get(scheme, "-"), linewidth=1.1,
                          color=scheme_color(scheme.removesuffix("-direct")), label=scheme)
        axes.set_title(f"{TITLES[case]}, an ACK per {ack}")
        axes.set_ylim(bottom=0)
    for axes in grid[-len(acks):]:
        axes.set_xlabel("time (us)")
    for axes in grid[:: len(acks)]:
        axes.set_ylabel("packets in all leaf-up\nand spine-down queues")
    legend(grid[len(acks) - 1], grid)
    finish(figure, study, f"permutation of {size}, {study.hosts()} hosts", seeds=1)


def judge(study, table):
    for case in CASES:
        for ack in sorted(set(table.packets_per_ack)):
            rows = table[(table.case == case) & (table.packets_per_ack == ack)].set_index("scheme")
            where = f"{case}, an ACK per {ack}"
            judge_growth(study, rows, where)
            judge_level(study, rows, where)


def judge_growth(study, rows, where):
    """The abstract: with the rivals buffers grow over time. With PRIME they should not."""
    growth = rows.late_packets / rows.early_packets
    for scheme, low in (("ops-random", True), ("reps", True), ("prime", False)):
        if scheme in growth:
            value = float(growth[scheme])
            study.claim(f"{where}: {scheme}'s queues {'grow' if low else 'do not grow'}, late over early",
                        "1.1 or more" if low else "less than 1.1", value, (value >= 1.1) == low)


def judge_level(study, rows, where):
    """PRIME has the least in its queues."""
    rivals = rows.drop(["prime", "ecmp"], errors="ignore")
    if "prime" in rows.index and not rivals.empty:
        best = rivals.late_packets.idxmin()
        study.claim(f"{where}: PRIME has the least in its queues late, packets", f"at most {best}'s",
                    f"{rows.late_packets['prime']:.3g}, {rivals.late_packets[best]:.3g}",
                    rows.late_packets["prime"] <= rivals.late_packets[best])
