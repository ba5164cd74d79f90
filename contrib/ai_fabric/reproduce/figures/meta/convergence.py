# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""DCQCN: rates over time of 2 and of 10 flows that begin together at 40 Gb/s, beside the published fluid model"""

from __future__ import annotations

from math import exp, expm1, log1p
from typing import TYPE_CHECKING

import pandas

from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes, leaf_spine, red
from ai_fabric.plot.style import color

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.meta import MetaStudy
    from ai_fabric.sweep.grid import Case

FLOWS = [2, 10]
RATE = 40e9  # bit/s
PACKET = 1024 + 62 + 20  # bytes of a packet and its gap
KMIN, KMAX, PMAX = 5_000, 200_000, 0.01
GAIN, STEPS, COUNTER = 1 / 256, 5, 10e6 / 1024  # g, F, Bc in packets
CNP_GAP, TIMER, DELAY = 50e-6, 55e-6, 4e-6  # s; both timers have the same period
INCREASE = 40e6 / 8 / PACKET  # packets a second; Rmin is the same
STEP = 1e-6  # s
SHOWN = 40  # ms
DRAWS = 16  # runs of the begin of two flows


def probability(queue: float) -> float:
    """What RED marks at so many bytes."""
    return 0 if queue <= KMIN else 1 if queue > KMAX else PMAX * (queue - KMIN) / (KMAX - KMIN)


def derivatives(mark: float, past: float, rate: float, target: float, alpha: float) -> tuple[float, float, float]:
    """Of rate, target and alpha; mark and past are the probability and the rate of one delay ago."""
    if mark > 0:
        log = log1p(-min(mark, 1 - 1e-12))
        notified, marked = 1 - exp(log * CNP_GAP * past), 1 - exp(log * TIMER * past)
        bytes_, timer = mark / expm1(min(-log * COUNTER, 700)), mark / expm1(min(-log * TIMER * past, 700))
        more = bytes_ * exp(log * (STEPS - 1) * COUNTER) + timer * exp(log * (STEPS - 1) * TIMER * past)
    else:
        notified, marked = 0, 0
        bytes_, timer = 1 / COUNTER, 1 / (TIMER * past)
        more = bytes_ + timer
    grown = (target - rate) / 2 * past * (bytes_ + timer)
    return (grown - rate * alpha / (2 * CNP_GAP) * notified,
            INCREASE * past * more - (target - rate) / CNP_GAP * notified, GAIN / TIMER * (marked - alpha))


def fluid(flows: int, milliseconds: int, whole: bool = False) -> list[float]:
    """The rate of a flow by millisecond, in Gb/s: the model of doc/dcqcn.rst, all flows alike. whole: as if each flow
    got its first CNP when all packets begin to be marked, which cuts its rate at once and not over time constants."""
    line = RATE / 8 / PACKET
    rate, target, alpha, queue, notified = line, line, 1.0, 0.0, False
    history: list[tuple[float, float]] = [(0, line)] * (round(DELAY / STEP) + 1)
    means = [0.0] * milliseconds
    a_millisecond = round(1e-3 / STEP)
    quiet = 0  # the step at which the gap after the first CNP ends
    for step in range(milliseconds * a_millisecond):
        history[step % len(history)] = probability(queue), rate
        mark, past = history[(step + 1) % len(history)]
        if whole and not notified and mark >= 1:
            rate, quiet = rate * (1 - alpha / 2), step + round(CNP_GAP / STEP)
        notified = notified or (mark >= 1 if whole else mark > 0)
        if notified and step >= quiet:
            changes = derivatives(mark, past, rate, target, alpha)
            rate = min(line, max(INCREASE, rate + STEP * changes[0]))
            target = max(INCREASE, target + STEP * changes[1])
            alpha += STEP * changes[2]
        means[step // a_millisecond] += rate * 8 * PACKET / a_millisecond / 1e9
        queue = max(0, queue + STEP * (flows * rate - line) * PACKET)
    return means


def make_cases(study: MetaStudy, counts: Sequence[int], length: float) -> list[Case]:
    """Flows that take so many seconds at their fair rates, by how many there are."""
    options = {"rate": "40Gb/s", "mtu": 1024, "buffer": "8MB", "linkSeries": "1ms", "stack": "ideal", "rateControl": "dcqcn",
               **attributes("DcqcnControl", Preset="dcqcn-paper"), **red(KMIN, KMAX, PMAX)}
    traffic = {}
    for flows in counts:
        messages = [(0, flow, flows, round(RATE / 8 * length / flows)) for flow in range(flows)]
        file = study.write_flows(f"flows-{flows}-{round(1e3 * length)}.csv", messages)
        traffic[flows] = leaf_spine(1, 1, flows + 1, flows=file)
    return study.sweep(options, flows=traffic)


def rates(folder: Path, flows: int) -> pandas.DataFrame:
    """Rates of the hosts by millisecond, in Gb/s, gaps included."""
    table = pandas.read_csv(folder / "link-series.csv")
    table = table[table.layer == "host-up"]
    table = table.assign(host=table["from"].str.extract(r"host-(\d+)", expand=False).astype(int),
                         ms=(table.time_ns / 1e6).round().astype(int), gbps=table.utilization * RATE / 1e9)
    return table[table.host < flows].pivot_table(index="ms", columns="host", values="gbps").fillna(0)


def recovery(means: Iterable[tuple[int, float]], fair: float) -> int:
    """The millisecond after which the mean rate stays above 90 % of the fair one."""
    return max((ms for ms, mean in means if mean < 0.9 * fair), default=0)


def judge(study: MetaStudy, flows: int, table: pandas.DataFrame, model: Sequence[float]) -> None:
    fair = RATE / 1e9 / flows
    means = [(ms, mean) for ms, mean in table.mean(axis=1).items() if ms <= SHOWN]
    expected, ours = recovery(enumerate(model, 1), fair), recovery(means, fair)
    study.claim(f"{flows} flows: ms until the mean rate stays above 90 % of the fair rate",
                f"{expected} +- 2 (fluid model)", float(ours), abs(ours - expected) <= 2)
    first, last = study.pick(full=(100, 200), quick=(10, 50))
    worst = 100 * (table.loc[first + 1 : last].mean() / fair - 1).abs().max()
    claim = f"{flows} flows: furthest mean of a flow from the fair rate, {first} to {last} ms (%)"
    study.claim(claim, "at most 10", worst)


def judge_start(study: MetaStudy, starts: Sequence[pandas.DataFrame], whole: Sequence[float]) -> None:
    """Why two flows fall less than in the model: their first CNP cuts the rate at once, before the queue has grown."""
    fair = RATE / 1e9 / 2
    expected = recovery(enumerate(whole, 1), fair)
    ours = pandas.Series([recovery(table.mean(axis=1).items(), fair) for table in starts])
    text = ", ".join(f"{ms} ms {count} times" for ms, count in ours.value_counts().sort_index().items())
    study.claim("2 flows: the same, if in the model the first CNP cuts the rate at once; draws",
                f"{expected} +- 2 ms, most", text, ((ours - expected).abs() <= 2).mean() > 0.5)


def draw_rates(axes: Axes, table: pandas.DataFrame, model: Sequence[float], whole: Sequence[float]) -> None:
    shown, times = table.loc[:SHOWN], range(1, SHOWN + 1)
    for flow in table:
        axes.plot(shown.index, shown[flow], color="#B0B0B0", linewidth=0.8, label=None if flow else "flows")
    axes.plot(shown.index, shown.mean(axis=1), color=color(0), linewidth=2, label="their mean")
    axes.plot(times, model, "k--", linewidth=1.2, label="fluid model")
    axes.plot(times, whole, "k:", linewidth=1.6, label="the same, first cut at once")


def reproduce(study: MetaStudy) -> None:
    runs = study.run(make_cases(study, FLOWS, study.pick(full=0.22, quick=0.06)), 1)
    found = {row.flows: (rates(row.folder, row.flows), fluid(row.flows, SHOWN), fluid(row.flows, SHOWN, whole=True))
             for row in runs.itertuples()}
    for flows, (table, model, _) in found.items():
        judge(study, flows, table, model)
    starts = study.run(make_cases(study, [2], 0.012), study.pick(full=DRAWS, quick=4))
    judge_start(study, [rates(folder, 2).loc[:10] for folder in starts.folder], found[2][2])
    study.save(pandas.concat({flows: one[0] for flows, one in found.items()}, names=["flows"]).reset_index(), "-rates")
    shown = [Panel(f"{flows} flows", "time (ms)", "rate (Gb/s)", (draw_rates, *lines), ("set_ylim", 0), "legend")
             for flows, lines in found.items()]
    study.draw(shown, "dcqcn-paper, one link of 40 Gb/s, RED 5 to 200 kB, 1 %", seeds=1, width=5.2)
