# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""An iteration of a model of 405 billion parameters over GPUs, ECMP and spraying, dead links; rates beside packets"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pandas

from ai_fabric.plot.charts import ends_of, powers_of_two
from ai_fabric.plot.style import color
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.sweep.merge import means
from ai_fabric.reproduce.papers.fluid import FORWARD_US, SCALE, STAGES, FluidStudy, fabric, job

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ai_fabric.plot.style import Axes
    from ai_fabric.sweep.grid import Case

SEEDS = 5, 2  # by rates; packets have the first seed
FEW = {8192: 3, 16384: 1, 98304: 1}  # seeds of sizes that take longer
SEQUENCES = 4  # of each replica
SHARES = [0, 1, 2, 4]  # percent of the links between switches
SCHEMES = ["ECMP", "spraying"]
HASHED = 16384  # the most GPUs over ECMP or with dead links, whose rates take longer
BY = ["gpus", "scheme", "dead_percent", "fidelity"]
COLUMNS = ["time_ms", "network_ms", "over_percent", "cpu_s", "peak_rss_bytes"]
CLOSE = 3  # percent
MOST_NAMED = 7  # sizes that have room on an axis
STYLES = {"ECMP": "--", "spraying": "-"}
MARKERS = {"ECMP": "s", "spraying": "o"}
QUICK_PART = 2  # by which messages and compute are smaller with --quick


def reproduce(study: FluidStudy) -> None:
    sizes = study.pick(full=[256, 512, 1024, 2048, 4096, *FEW], usual=[256, 512, 1024, 2048, 4096], quick=[256, 512])
    shares = study.pick(full=SHARES, quick=[0, 4])
    packets = study.pick(full=1024, usual=512, quick=256)
    both = [case for gpus in sizes if gpus <= packets for case in cases_of(study, gpus, shares, ["packets", "fluid"])]
    rates: dict[int, list[Case]] = {}  # by seeds
    for gpus in sizes:
        rates.setdefault(min(FEW.get(gpus, study.seeds), study.seeds), []).extend(cases_of(study, gpus, shares, ["fluid"]))
    parts = [(1, both), *rates.items()]
    pairs, *runs = study.each(*(partial(FluidStudy.run, cases=cases, seeds=seeds) for seeds, cases in parts))
    table = summarize(pairs, pandas.concat(runs), study.pick(full=1, quick=QUICK_PART))
    study.save(table.dropna(axis=1, how="all"))
    draw(study, table)
    judge(study, table)


def cases_of(study: FluidStudy, gpus: int, shares: list[int], fidelities: Iterable[str]) -> list[Case]:
    """The cases of a number of GPUs. With --quick messages are shorter."""
    file = study.write(f"job-{gpus}.toml", job(gpus, SEQUENCES, study.pick(full=1, quick=QUICK_PART)))
    schemes = SCHEMES
    if gpus > HASHED:
        shares, schemes = shares[:1], SCHEMES[1:]
    dead = {share: {"failRate": share / 100} if share else {} for share in shares}
    return study.sweep({**fabric(gpus), "training": file}, gpus=[gpus], scheme=schemes, dead_percent=dead,
                       fidelity={name: {"fidelity": name} for name in fidelities})


def summarize(pairs: pandas.DataFrame, fluid: pandas.DataFrame, part: int) -> pandas.DataFrame:
    """A row a case: its time; what is left of it beside the compute of the pipeline; by how much it is longer than
    healthy spraying with as many GPUs, by rates; and by how much rates differ from packets. pairs: runs of both
    fidelities with one seed; fluid: runs by rates with all seeds."""
    compute = 3 * FORWARD_US * (SEQUENCES + STAGES - 1) / 1000 / part
    timed = lambda runs: runs.assign(time_ms=runs.cct_ns / 1e6, network_ms=runs.cct_ns / 1e6 - compute)
    packets, rates = (timed(pairs[pairs.fidelity == name]).set_index(BY[:-1]) for name in ("packets", "fluid"))
    runs = pandas.concat([packets.reset_index(), timed(fluid)])
    healthy = fluid[(fluid.scheme == "spraying") & (fluid.dead_percent == 0)].groupby("gpus").cct_ns.mean()
    runs = runs.assign(over_percent=100 * (runs.cct_ns / runs.gpus.map(healthy) - 1))
    table = means(runs, BY, COLUMNS).sort_values(BY[:-1], kind="stable")
    index, is_fluid = table.set_index(BY[:-1]).index, table.fidelity == "fluid"
    for name in "time", "network":
        error = 100 * (rates[f"{name}_ms"] / packets[f"{name}_ms"] - 1)
        table[f"{name}_error_percent"] = error.reindex(index).where(is_fluid.to_numpy()).to_numpy()
    return table


def draw(study: FluidStudy, table: pandas.DataFrame) -> None:
    both = sorted(set(table[table.fidelity == "packets"].gpus))
    sizes = sorted(set(table.gpus))
    named = sizes[:: -(1 + len(sizes) // MOST_NAMED)]
    ticks, few = ((powers_of_two, shown, lambda gpus: f"{gpus:,}") for shown in (named, both))
    shown = [
        Panel("Messages that compute does not hide", "GPUs", f"ms, at 1/{SCALE} of the model's bytes",
              (draw_lines, table, "network_ms"), ticks, ("set_ylim", 0)),
        Panel("Iteration beside healthy spraying", "GPUs", "percent longer",
              (draw_lines, table, "over_percent"), ticks),
        Panel("Rates beside packets", "GPUs", "error of their time in percent",
              (draw_errors, table), few, ("axhline", 0, {"color": "black", "linewidth": 0.8})),
    ]
    study.draw(shown, f"TP 8, PP {STAGES}, the rest data parallel; {SEQUENCES} sequences; 400 Gb/s, three tiers, no loss",
               legends=1, width=4.2)


def draw_lines(axes: Axes, table: pandas.DataFrame, y: str) -> None:
    """A line a scheme and share: rates, with their 95 % interval; hollow markers: packets."""
    shares = sorted(set(table.dead_percent))
    low, high = ends_of(y)
    for (scheme, share), rows in table.groupby(["scheme", "dead_percent"], sort=False):
        look = {"color": color(shares.index(share)), "marker": MARKERS[scheme]}
        fluid, packets = (rows[rows.fidelity == name] for name in ("fluid", "packets"))
        axes.plot(fluid.gpus, fluid[y], STYLES[scheme], markersize=3, label=f"{scheme}, {share} % dead", **look)
        known = fluid.dropna(subset=[low])
        axes.vlines(known.gpus, known[low], known[high], color=look["color"], alpha=0.4, linewidth=2)
        axes.plot(packets.gpus, packets[y], linestyle="", markersize=9, markerfacecolor="none", **look)
    axes.plot([], [], "ko", markersize=9, markerfacecolor="none", label="packets (hollow), one run")


def draw_errors(axes: Axes, table: pandas.DataFrame) -> None:
    """The errors of rates where there are packets."""
    shares = sorted(set(table.dead_percent))
    for (scheme, share), rows in table.dropna(subset="network_error_percent").groupby(["scheme", "dead_percent"]):
        look = {"color": color(shares.index(share)), "marker": MARKERS[scheme]}
        axes.plot(rows.gpus, rows.network_error_percent, STYLES[scheme], **look)


def judge(study: FluidStudy, table: pandas.DataFrame) -> None:
    errors = table.dropna(subset="time_error_percent")
    for scheme, rows in errors.groupby("scheme"):
        for name, what in ("time", "iteration"), ("network", "messages that compute does not hide"):
            error = rows[f"{name}_error_percent"].abs().max()
            study.claim(f"{scheme}: {what}, rates beside packets", f"within {CLOSE} %", f"{error:.2g} %", error <= CLOSE)
    most = table[table.scheme == "ECMP"].gpus.max()
    rows = table[(table.fidelity == "fluid") & (table.gpus == most)].set_index(["scheme", "dead_percent"])
    shares = sorted(set(table.dead_percent))
    for share in shares:
        slower = rows.time_ms["ECMP", share] / rows.time_ms["spraying", share]
        study.claim(f"{most} GPUs, {share} % dead: ECMP over spraying, iteration", "above 1", float(slower))
    lost = 100 * (rows.time_ms["spraying", shares[-1]] / rows.time_ms["spraying", 0] - 1)
    gap = 100 * (rows.time_ms["ECMP", 0] / rows.time_ms["spraying", 0] - 1)
    study.claim(f"{most} GPUs: {shares[-1]} % of dead links cost spraying less than ECMP without any",
                f"below {gap:.2g} %", f"{lost:.2g} %", lost < gap)
