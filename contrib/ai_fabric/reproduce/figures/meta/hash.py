# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Hashing over the uplinks of racks: the busiest link over the rate of a NIC, by queue pairs, beside a model"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas

from ai_fabric.plot.charts import draw_reference, panels, powers_of_two
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.meta import IDEAL, LOSSLESS, NICS, dead, fabric, queue_pairs
from ai_fabric.reproduce.study import MTU
from ai_fabric.plot.style import color, save

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import SimpleNamespace

    from ai_fabric.common.aliases import Values
    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.meta import MetaStudy
    from ai_fabric.sweep.grid import Case

MODEL = {"a": ("model_mean", "model_median", "model_p99"), "b": ("model_mean", "model_p99"), "c": ("model_mean",)}
LIMIT = 10  # percent between a mean and the model's
SAMPLES = 200
COUNTS = [1, 4, 16, 32]  # queue pairs of (b) and (c)
POINTS = 12  # between a share of the roofline and the published one
FEW, MANY = (4, 40), (32, 52)  # queue pairs, and the published share of the roofline in percent: of almost all jobs
REACH = 20  # percent; published share of jobs that reach it with many queue pairs

# The model: flows draw links at random, all NICs send at line rate; the load of the busiest link in rates of a NIC, at
# least 1. By uplinks and queue pairs; (a): mean, median, 99th percentile; (b): mean, 99th percentile; (c): mean.
RACK = {
    16: {1: (3.08, 3, 5), 4: (1.97, 2, 2.75), 8: (1.67, 1.63, 2.25),
         16: (1.47, 1.44, 1.88), 32: (1.32, 1.31, 1.59), 64: (1.23, 1.22, 1.41)},
    18: {1: (2.93, 3, 5), 4: (1.84, 1.75, 2.75), 8: (1.54, 1.5, 2.13),
         16: (1.34, 1.31, 1.69), 32: (1.21, 1.19, 1.47), 64: (1.11, 1.11, 1.28)},
    32: {1: (2.40, 2, 4), 4: (1.36, 1.25, 2), 8: (1.10, 1, 1.5), 16: (1.01, 1, 1.19), 32: (1, 1, 1), 64: (1, 1, 1)},
}
RING = {
    (8, 16): {1: (4.21, 6), 4: (2.44, 3.25), 16: (1.68, 2.0), 32: (1.47, 1.69)},
    (8, 18): {1: (3.97, 6), 4: (2.29, 3.0), 16: (1.55, 1.88), 32: (1.35, 1.56)},
    (8, 32): {1: (3.28, 5), 4: (1.71, 2.25), 16: (1.07, 1.31), 32: (1.00, 1.06)},
    (64, 16): {1: (5.23, 7), 4: (2.87, 3.5), 16: (1.86, 2.19), 32: (1.60, 1.88)},
    (64, 18): {1: (4.98, 7), 4: (2.70, 3.5), 16: (1.73, 2.06), 32: (1.46, 1.66)},
    (64, 32): {1: (4.12, 6), 4: (2.03, 2.5), 16: (1.20, 1.44), 32: (1.01, 1.09)},
}
PERMUTATION = {
    (16, 0): {1: (5.20,), 4: (2.84,), 16: (1.87,), 32: (1.58,)},
    (16, 2): {1: (5.48,), 4: (3.15,), 16: (2.05,), 32: (1.75,)},
    (18, 0): {1: (4.97,), 4: (2.68,), 16: (1.72,), 32: (1.47,)},
    (18, 2): {1: (5.15,), 4: (2.92,), 16: (1.86,), 32: (1.59,)},
    (32, 0): {1: (4.15,), 4: (2.03,), 16: (1.21,), 32: (1.01,)},
    (32, 2): {1: (4.22,), 4: (2.08,), 16: (1.26,), 32: (1.03,)},
}
RACKS = 32  # of the permutation
BULK = 1024  # packets of a message, where time counts


def cases_of(
    study: MetaStudy, table: str, racks: int, where: Sequence[tuple[int, int]], counts: Sequence[int],
    balancer: str = "e-ecmp"
) -> list[Case]:
    """Each queue pair sends one packet, so that bytes are queue pairs. where: pairs of uplinks and dead switches."""
    def options(case: SimpleNamespace) -> Values:
        size = case.queue_pairs * MTU
        traffic = {"workload": "permutation", "size": size, "jitter": "0ns"}
        if table == "ring":
            traffic = study.ring_flows(racks, size)
        return {**fabric(racks, case.uplinks), **traffic, **IDEAL, "balancer": balancer,
                **queue_pairs(case.queue_pairs), **dead(case.dead)}

    same = {"table": [table], "racks": [racks], "queue_pairs": counts, "balancer": [balancer]}
    return [case for uplinks, spines in where
            for case in study.sweep(options, uplinks=[uplinks], dead=[spines], **same)]


def busiest(table: pandas.DataFrame) -> pandas.Series:
    """The busiest link of a run in rates of a NIC, at least 1."""
    return table.worst_link_overload.clip(lower=1)


def busiest_of_racks(group: pandas.DataFrame) -> pandas.Series:
    """The busiest uplink of each rack of some runs."""
    loads = []
    for run in group.itertuples():
        links = pandas.read_csv(run.folder / "links.csv", usecols=["from", "layer", "bytes_sent"])
        links = links[links.layer == "leaf-up"]
        most = links.bytes_sent.groupby(links["from"].str.split(":").str[0]).max()
        loads.append((most / run.nic_bytes).clip(lower=1))
    return pandas.concat(loads)


def make_tables(study: MetaStudy) -> pandas.DataFrame:
    """What runs have loaded, beside the model. Table (a): 64 racks a run, and enough runs; (b), (c): a sample a run."""
    rows = []

    def add(
        name: str, table: str, racks: int, where: Sequence[tuple[int, int]], counts: Sequence[int], seeds: int,
        model: Callable[[int, int], Mapping[int, tuple[float, ...]]],
    ) -> None:
        runs = study.run(cases_of(study, table, racks, where, counts), seeds)
        for (uplinks, spines, count), group in runs.groupby(["uplinks", "dead", "queue_pairs"], sort=False):
            loads = busiest_of_racks(group) if name == "a" else busiest(group)
            rows.append({"table": name, "racks": 1 if name == "a" else racks, "uplinks": uplinks, "dead": spines,
                         "queue_pairs": count, "samples": len(loads),
                         **dict(zip(MODEL[name], model(uplinks, spines)[count])),
                         "mean": loads.mean(), "median": loads.median(), "p99": loads.quantile(0.99)})

    add("a", "ring", study.pick(full=64, quick=16), [(uplinks, 0) for uplinks in RACK], list(RACK[16]),
        study.pick(full=-(-SAMPLES // 64), quick=3), lambda uplinks, _: RACK[uplinks])
    for racks in study.pick(full=[8, 64], quick=[8]):
        seeds = study.pick(full=SAMPLES, quick=12, usual=SAMPLES if racks == 8 else 20)
        where = [(uplinks, 0) for size, uplinks in RING if size == racks]
        add("b", "ring", racks, where, COUNTS, seeds, lambda uplinks, _: RING[racks, uplinks])
    where = study.pick(full=list(PERMUTATION), quick=[(18, 0), (18, 2)])
    seeds = study.pick(full=SAMPLES, quick=4, usual=20)
    add("c", "permutation", RACKS, where, COUNTS, seeds, lambda uplinks, spines: PERMUTATION[uplinks, spines])
    return pandas.DataFrame(rows)


def judge_tables(study: MetaStudy, table: pandas.DataFrame) -> None:
    for row in table.itertuples():
        where = f"U={row.uplinks}" + (f"-{row.dead}" if row.dead else "") + f" Q={row.queue_pairs}"
        where += f" R={row.racks}" if row.table == "b" else ""
        judged = [("mean", row.model_mean, row.mean)]
        if row.table == "a":
            judged.append(("median", row.model_median, row.median))
        if row.samples >= SAMPLES and row.model_p99 == row.model_p99:
            judged.append(("p99", row.model_p99, row.p99))
        for name, expected, ours in judged:
            what = f"{where}: {name} of {row.samples} samples"
            study.note(f"({row.table})", what, f"{expected:g} +- {LIMIT} %", ours)


def judge_engineering(study: MetaStudy) -> None:
    """Traffic engineering has no link above the rate of a NIC."""
    cases = cases_of(study, "ring", study.pick(full=64, quick=8), [(16, 0), (18, 0)], [1], "te")
    cases += cases_of(study, "permutation", RACKS, [(16, 0), (18, 0), (18, 1)], [1], "te")
    runs = study.run(cases, study.pick(full=10, quick=2))
    for (kind, uplinks, spines), group in runs.groupby(["table", "uplinks", "dead"], sort=False):
        where = f"{kind}, U={uplinks}" + (f"-{spines}" if spines else "")
        study.note("te", where, "1", busiest(group).max(), busiest(group).max() < 1.001)


def completion(study: MetaStudy) -> pandas.DataFrame:
    """Completion time of long messages on a ring of 8 racks over the lower bound, beside the busiest link of the same
    runs."""
    flows = {**study.ring_flows(8, BULK * MTU), "balancer": "e-ecmp"}
    cases = study.sweep(flows, transport={"ideal": IDEAL, "PFC": LOSSLESS},
                        uplinks={count: fabric(8, count) for count in (16, 18)},
                        queue_pairs={count: queue_pairs(count) for count in COUNTS})
    runs = study.run(cases, study.pick(full=10, quick=2))
    runs = runs.assign(slowdown=runs.cct_ns / runs.completion_bound_ns, busiest=busiest(runs))
    groups = runs.groupby(["transport", "uplinks", "queue_pairs"], sort=False)
    table = groups[["slowdown", "busiest"]].mean().reset_index()
    for row in table.itertuples():
        what = f"U={row.uplinks} Q={row.queue_pairs}: completion time over its bound"
        near = abs(row.slowdown / row.busiest - 1) <= LIMIT / 100
        study.note(row.transport, what, f"{row.busiest:.3g} +- {LIMIT} % (busiest link)", row.slowdown, near)
    return table


def shares_of_roofline(runs: pandas.DataFrame) -> pandas.DataFrame:
    """The rate of each job (a ring of the most racks, 16 uplinks) in percent of what its NICs allow, by routing."""
    rings = runs[(runs.table == "ring") & (runs.uplinks == 16)]
    rings = rings[rings.racks == rings.racks.max()]
    names = ["TE" if row.balancer == "te" else f"E-ECMP {row.queue_pairs}" for row in rings.itertuples()]
    return pandas.DataFrame({"racks": rings.racks, "routing": names, "percent": 100 / busiest(rings)})


def judge_roofline(study: MetaStudy, shares: pandas.DataFrame) -> None:
    """The published numbers are remembered, not verified."""
    few, many = (shares[shares.routing == f"E-ECMP {count}"].percent for count, _ in (FEW, MANY))
    reach = 100 * (many >= MANY[1]).mean()
    for what, published, ours in (
        (f"share of the roofline, Q={FEW[0]} (%)", FEW[1], few.mean()),
        (f"share of the roofline, Q={MANY[0]} (%)", MANY[1], many.mean()),
        (f"Q={FEW[0]}: jobs within {POINTS} points of {FEW[1]} % (%)", None,
         100 * ((few - FEW[1]).abs() <= POINTS).mean()),
        (f"Q={MANY[0]}: jobs that reach {MANY[1]} % of the roofline (%)", REACH, reach),
    ):
        if published is None:
            study.note("R10", what, "above 90", ours)
        else:
            study.note("R10", what, f"{published} +- {POINTS} points", ours, abs(ours - published) <= POINTS)
    whole = 100 * (shares[shares.routing == "TE"].percent > 99.9).mean()
    study.note("R10", "TE: jobs at the roofline (%)", "100", whole)


def draw_roofline(study: MetaStudy, shares: pandas.DataFrame) -> None:
    """The distribution of the jobs' shares."""
    figure, (axes,) = panels(1, 1, width=6)
    order = sorted(shares.routing.unique(), key=lambda name: int(name.partition(" ")[2] or 1000))
    for index, name in enumerate(order):
        values = sorted(shares[shares.routing == name].percent)
        levels = [100 * at / len(values) for at in range(len(values) + 1)]
        axes.step([values[0], *values], levels, where="post", color=color(index), label=f"{name} ({len(values)} jobs)")
    for count, published in (FEW, MANY):
        axes.axvline(published, color="k", linestyle=":", linewidth=1)
        above = {"transform": axes.get_xaxis_transform(), "ha": "center", "fontsize": 7}
        axes.text(published, 1.01, f"published, {count}", **above)
    axes.set(xlim=(0, 102), xlabel="rate of a job (% of what its NICs allow)", ylabel="jobs with at most this rate (%)")
    axes.legend(fontsize="x-small", loc="lower right", bbox_to_anchor=(0.965, 0))
    caption = f"rings of {shares.racks.max():.0f} racks of {NICS} NICs, 16 uplinks, a job a run"
    study.add_plot(save(figure, study.plot_path("-roofline"), caption, vector=True))


def draw_beside(axes: Axes, rows: pandas.DataFrame, y: str, reference: str, label: str, markers: str) -> None:
    """Lines over queue pairs, and what each is beside."""
    for index, (name, line) in enumerate(rows.groupby("line")):
        axes.plot(line.queue_pairs, line[y], color=color(index), marker=markers[0], markersize=4, label=name)
        draw_reference(axes, line.queue_pairs, line[reference], markers[1], None if index else label)
    powers_of_two(axes, [1, 4, 8, 16, 32, *([64] if rows.queue_pairs.max() == 64 else [])])
    axes.set_ylim(bottom=0.9)
    axes.legend(fontsize="x-small")


def draw(study: MetaStudy, table: pandas.DataFrame, times: pandas.DataFrame) -> None:
    lines = [f"{row.uplinks} uplinks" + (f", {row.dead} dead" if row.dead else "") for row in table.itertuples()]
    loads = {name: rows for name, rows in table.assign(line=lines).groupby("table")}
    loads["b"] = loads["b"][loads["b"].racks == loads["b"].racks.max()]
    times = times.assign(line=[f"{row.transport}, {row.uplinks} uplinks" for row in times.itertuples()])
    titles = {"a": "(a) uplinks of a rack", "b": f"(b) ring of racks, {loads['b'].racks.max()} racks",
              "c": f"(c) permutation, {RACKS} racks"}
    axis, busy = "queue pairs of a connection", "busiest link over the rate of a NIC"
    shown = [Panel(title, axis, busy, (draw_beside, loads[name], "mean", "model_mean", "model", "oD"))
             for name, title in titles.items()]
    shown.append(Panel("completion time, ring of 8 racks", axis, "completion time over its bound",
                       (draw_beside, times, "slowdown", "busiest", "busiest link", "sx")))
    figure, grid = panels(2, 2)
    for axes, panel in zip(grid, shown):
        panel.draw(axes)
    samples = f"{table.samples.min()} to {table.samples.max()} samples"
    study.add_plot(save(figure, study.plot_path(), f"E-ECMP; racks of {NICS} NICs at 400 Gb/s; {samples}", vector=True))


def reproduce(study: MetaStudy) -> None:
    table = make_tables(study)
    study.save(table, "-tables")
    judge_tables(study, table)
    judge_engineering(study)
    times = completion(study)
    study.save(times, "-times")
    shares = shares_of_roofline(study.runs)
    judge_roofline(study, shares)
    study.save(shares, "-roofline")
    study.save_rows()
    draw(study, table, times)
    draw_roofline(study, shares)
