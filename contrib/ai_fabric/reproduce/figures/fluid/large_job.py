# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""An iteration of a model of 405 billion parameters over GPUs, ECMP and spraying, dead links; rates beside packets"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.plot.charts import powers_of_two
from ai_fabric.plot.style import color
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.fluid import FORWARD_US, SCALE, STAGES, fabric, job

if TYPE_CHECKING:
    import pandas

    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.fluid import FluidStudy
    from ai_fabric.sweep.grid import Case

SEEDS = 1, 1
SEQUENCES = 4  # of each replica
SHARES = [0, 1, 2, 4]  # percent of the links between switches
SCHEMES = ["ECMP", "spraying"]
HASHED = 16384  # the most GPUs over ECMP, whose rates take longer
BY = ["gpus", "scheme", "dead_percent", "fidelity"]
CLOSE = 3  # percent
STYLES = {"ECMP": "--", "spraying": "-"}
MARKERS = {"ECMP": "s", "spraying": "o"}
QUICK_PART = 2  # by which messages and compute are smaller with --quick


def reproduce(study: FluidStudy) -> None:
    sizes = study.pick(full=[256, 512, 1024, 2048, 4096, 8192, HASHED, 100352], usual=[256, 512, 1024, 2048, 4096],
                       quick=[256, 512])
    shares = study.pick(full=SHARES, quick=[0, 4])
    packets = study.pick(full=1024, usual=512, quick=256)
    cases = [case for gpus in sizes for case in cases_of(study, gpus, shares, gpus <= packets)]
    table = study.tabulate(cases, BY, {"time_ms": lambda runs: runs.cct_ns / 1e6, "cpu_s": "cpu_s",
                                       "peak_rss_bytes": "peak_rss_bytes"})
    table = compare(table, study.pick(full=1, quick=QUICK_PART))
    study.save(table.dropna(axis=1, how="all"))
    draw(study, table)
    judge(study, table)


def cases_of(study: FluidStudy, gpus: int, shares: list[int], has_packets: bool) -> list[Case]:
    """All runs of a number of GPUs. With --quick messages are shorter."""
    file = study.write(f"job-{gpus}.toml", job(gpus, SEQUENCES, study.pick(full=1, quick=QUICK_PART)))
    dead = {share: {"failRate": share / 100} if share else {} for share in shares}
    fidelities = ["fluid", *(["packets"] if has_packets else [])]
    schemes = SCHEMES if gpus <= HASHED else SCHEMES[1:]
    return study.sweep({**fabric(gpus), "training": file}, gpus=[gpus], scheme=schemes, dead_percent=dead,
                       fidelity={name: {"fidelity": name} for name in fidelities})


def compare(table: pandas.DataFrame, part: int) -> pandas.DataFrame:
    """Adds what is left beside the compute of the pipeline, and by how much rates differ from packets in both."""
    compute = 3 * FORWARD_US * (SEQUENCES + STAGES - 1) / 1000 / part
    table = table.assign(network_ms=table.time_ms - compute)
    keys = BY[:-1]
    packets = table[table.fidelity == "packets"].set_index(keys)
    index = table.set_index(keys).index
    for name in "time_ms", "network_ms":
        beside = packets[name].reindex(index).to_numpy()
        error = 100 * (table[name] / beside - 1)
        table[f"{name.split('_')[0]}_error_percent"] = error.where(table.fidelity == "fluid")
    return table


def draw(study: FluidStudy, table: pandas.DataFrame) -> None:
    healthy = table[(table.scheme == "spraying") & (table.dead_percent == 0) & (table.fidelity == "fluid")]
    fastest = healthy.set_index("gpus").time_ms
    table = table.assign(over_percent=100 * (table.time_ms / table.gpus.map(fastest) - 1))
    both = sorted(set(table[table.fidelity == "packets"].gpus))
    ticks, few = ((powers_of_two, sizes, lambda gpus: f"{gpus:,}") for sizes in (sorted(set(table.gpus)), both))
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
    """A line a scheme and share: rates; hollow markers: packets."""
    shares = sorted(set(table.dead_percent))
    for (scheme, share), rows in table.groupby(["scheme", "dead_percent"], sort=False):
        look = {"color": color(shares.index(share)), "marker": MARKERS[scheme]}
        fluid, packets = (rows[rows.fidelity == name] for name in ("fluid", "packets"))
        axes.plot(fluid.gpus, fluid[y], STYLES[scheme], markersize=3, label=f"{scheme}, {share} % dead", **look)
        axes.plot(packets.gpus, packets[y], linestyle="", markersize=9, markerfacecolor="none", **look)
    axes.plot([], [], "ko", markersize=9, markerfacecolor="none", label="packets (hollow)")


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
        study.claim(f"{most} GPUs, {share} % dead: ECMP over spraying, iteration", "above 1",
                    f"{slower:.3f}", slower > 1)
    lost = 100 * (rows.time_ms["spraying", shares[-1]] / rows.time_ms["spraying", 0] - 1)
    gap = 100 * (rows.time_ms["ECMP", 0] / rows.time_ms["spraying", 0] - 1)
    study.claim(f"{most} GPUs: {shares[-1]} % of dead links cost spraying less than ECMP without any",
                f"below {gap:.2g} %", f"{lost:.2g} %", lost < gap)
