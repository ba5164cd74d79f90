# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Why spraying loses in recursive doubling: steps that overlap, and what congestion control adds (ours)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy
import pandas

from ai_fabric.plot.charts import decades
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.ethereal import COLLECTIVES, COMPARED
from ai_fabric.plot.style import scheme_color, scheme_marker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ai_fabric.common.aliases import Values
    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.ethereal import EtherealStudy

MB = 1000000
APART, FIXED, ALL = "steps apart", "fixed rate", "as it is"
GAP_NS = 2000000  # from a step to the next, more than any takes


def steps_of(hosts: int, size: int) -> list[tuple[int, int]]:
    """Distance and bytes of a message in each step of recursive doubling, which halves first."""
    halving = [(1 << i, size >> (i + 1)) for i in range(hosts.bit_length() - 1)]
    return [*halving, *reversed(halving)]


def flows_of(hosts: int, size: int) -> list[tuple[int, int, int, int]]:
    """The messages of recursive doubling, each step when that before is over."""
    return [(number * GAP_NS, host, host ^ distance, some)
            for number, (distance, some) in enumerate(steps_of(hosts, size)) for host in range(hosts)]


def sum_of_steps(flows: pandas.DataFrame) -> float:
    """The times of all steps together, if none begins before all others have ended."""
    steps = flows.groupby("start_ns").received_ns.max()
    return (steps - steps.index).sum()


def spread_of(flows: pandas.DataFrame) -> pandas.Series:
    """By how much the hosts are apart at the begin of each step, in ns."""
    starts = flows.groupby("step").start_ns
    return starts.max() - starts.min()


def reproduce(study: EtherealStudy) -> None:
    size = study.pick(full=16, quick=4)
    fabric = study.leaf_spine()
    hosts = fabric["leaves"] * fabric["hostsPerLeaf"]
    steps = study.write_flows("steps.csv", flows_of(hosts, size * MB))
    doubling = {"workload": "all-reduce", "size": f"{size}MB", **cast("Values", COLLECTIVES["recursive doubling"])}
    settings = {FIXED: {**doubling, "rateControl": "fixed"}, ALL: doubling,
                APART: {"workload": "flows", "flows": steps}}
    table = study.run(study.sweep(fabric, setting=settings, scheme=COMPARED))
    bound = table[table.setting == ALL].completion_bound_ns.iloc[0]
    table["time_us"] = [time_of(row) / 1000 for row in table.itertuples()]
    table["over_percent"] = 100 * (1000 * table.time_us / bound - 1)
    means = study.means(table, ["setting", "scheme"], ["time_us", "over_percent"])
    study.save(means)
    # The mean spread of the runs, in us, a row a step and a column a scheme
    spreads = pandas.DataFrame({
        scheme: sum(spread_of(pandas.read_csv(folder / "flows.csv")) for folder in runs.folder) / len(runs) / 1000
        for scheme, runs in table[(table.setting == ALL) & table.completed].groupby("scheme", sort=False)
    })
    study.save(spreads.reset_index(), "-spread")
    shown = [
        Panel("", "step", "first to last host that begins it (us)", (draw_spreads, spreads), decades),
        Panel("", "time over the lower bound (%)", "", (draw_times, means, list(spreads))),
    ]
    study.draw(shown, f"recursive doubling of {size} MB, leaf-spine", width=5.0, height=4.0)
    judge(study, means, spreads)


def time_of(row: Any) -> float:
    """The time of a run in ns; of steps that are apart, without the time between them."""
    if not row.completed:
        return numpy.nan
    return row.cct_ns if row.setting != APART else sum_of_steps(pandas.read_csv(row.folder / "flows.csv"))


def draw_spreads(axes: Axes, spreads: pandas.DataFrame) -> None:
    for scheme in spreads:
        line = spreads[scheme].replace(0, numpy.nan)
        axes.plot(line, color=scheme_color(scheme), marker=scheme_marker(scheme), label=scheme)


def draw_times(axes: Axes, means: pandas.DataFrame, schemes: Sequence[str]) -> None:
    colors = [scheme_color(scheme) for scheme in schemes]
    for index, (setting, hatch) in enumerate({APART: None, FIXED: "////", ALL: ".."}.items()):
        rows = means[means.setting == setting].set_index("scheme").reindex(schemes)
        places = numpy.arange(len(schemes))[::-1] + 0.27 * (1 - index)
        axes.barh(places, rows.over_percent, height=0.25, color=colors, hatch=hatch, edgecolor="white")
        axes.barh([0], [0], color="#B0B0B0", hatch=hatch, edgecolor="white", label=setting)
    axes.set_yticks(numpy.arange(len(schemes))[::-1], schemes)


def judge(study: EtherealStudy, means: pandas.DataFrame, spreads: pandas.DataFrame) -> None:
    """What we say of it, which is not the paper's."""
    times = means.pivot(index="setting", columns="scheme", values="time_us")
    if {"ethereal", "spray"} <= set(times):
        longer = 100 * (times.spray / times.ethereal - 1)
        study.claim("steps apart: spray takes longer than Ethereal by, percent", "below 3", longer[APART])
        study.claim("fixed rate: spray takes longer than Ethereal by, percent", "above 10", longer[FIXED])
        longer = 100 * (times.spray[ALL] / times.spray[FIXED] - 1)
        study.claim("as it is: spray takes longer than with a fixed rate by, percent", "above 5", longer)
    if "spray" in spreads:
        last = spreads.spray.iloc[-4:]
        growth = (last.iloc[-1] / last.iloc[0]) ** (1 / 3)
        study.claim("spray: growth of the spread in each of the last steps", "1.5 to 2.5", growth)
    if "ecmp" in times:
        over = means[means.scheme == "ecmp"].set_index("setting").over_percent
        study.claim("steps apart: ecmp over the bound, percent (static estimate: 21)", "10 to 25", over[APART])
        study.claim("as it is: ecmp over the bound, percent", "above 25", over[ALL])
