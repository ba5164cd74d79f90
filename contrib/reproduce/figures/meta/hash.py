# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Hashing over the uplinks of racks: the busiest link over the rate of a NIC, by queue pairs, beside a model"""

import pandas

from charts import draw_reference, panels, powers_of_two
from grid import Case
from papers.meta import IDEAL, LOSSLESS, NICS, dead, fabric, queue_pairs
from study import MTU
from style import color, save

LIMIT = 10  # percent between a mean and the model's
SAMPLES = 200
COUNTS = [1, 4, 16, 32]  # queue pairs of (b) and (c)
POINTS = 12  # between a share of the roofline and the published one
FEW, MANY = (4, 40), (32, 52)  # queue pairs, and the published share of the roofline in percent: of almost all jobs
REACH = 20  # percent; published share of jobs that reach it with many queue pairs

# The model: flows draw links at random, all NICs send at line rate; the load of the busiest link in rates of a
# NIC, at least 1. By uplinks and queue pairs; (a): mean, median, 99th percentile; (b): mean, 99th percentile;
# (c): mean.
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
    (16, 0): {1: 5.20, 4: 2.84, 16: 1.87, 32: 1.58},
    (16, 2): {1: 5.48, 4: 3.15, 16: 2.05, 32: 1.75},
    (18, 0): {1: 4.97, 4: 2.68, 16: 1.72, 32: 1.47},
    (18, 2): {1: 5.15, 4: 2.92, 16: 1.86, 32: 1.59},
    (32, 0): {1: 4.15, 4: 2.03, 16: 1.21, 32: 1.01},
    (32, 2): {1: 4.22, 4: 2.08, 16: 1.26, 32: 1.03},
}
RACKS = 32  # of the permutation
BULK = 1024  # packets of a message, where time counts


def spread(count, balancer="e-ecmp"):
    """Each queue pair sends one packet, so that bytes are queue pairs."""
    return {**IDEAL, "balancer": balancer, **queue_pairs(count)}


def ring_case(study, racks, uplinks, count, balancer="e-ecmp"):
    labels = {"table": "ring", "racks": racks, "uplinks": uplinks, "dead": 0, "queue_pairs": count}
    options = {**fabric(racks, uplinks), **study.ring_flows(racks, count * MTU), **spread(count, balancer)}
    return Case({**labels, "balancer": balancer}, options)


def permutation_case(uplinks, spines, count, balancer="e-ecmp"):
    labels = {"table": "permutation", "racks": RACKS, "uplinks": uplinks, "dead": spines, "queue_pairs": count}
    traffic = {"workload": "permutation", "size": count * MTU, "jitter": "0ns"}
    options = {**fabric(RACKS, uplinks), **traffic, **spread(count, balancer), **dead(spines)}
    return Case({**labels, "balancer": balancer}, options)


def busiest(table):
    """The busiest link of a run in rates of a NIC, at least 1."""
    return table.worst_link_overload.clip(lower=1)


def rack_loads(folder, nic_bytes):
    """The busiest uplink of each rack."""
    links = pandas.read_csv(folder / "links.csv", usecols=["from", "layer", "bytes_sent"])
    links = links[links.layer == "leaf-up"]
    return (links.bytes_sent.groupby(links["from"].str.split(":").str[0]).max() / nic_bytes).clip(lower=1)


def rack_table(study):
    """Table (a): 64 racks a run, and enough runs."""
    racks = study.pick(full=64, quick=16)
    seeds = study.pick(full=-(-SAMPLES // 64), quick=3)
    cases = [ring_case(study, racks, uplinks, count) for uplinks in RACK for count in RACK[uplinks]]
    runs = study.run(cases, seeds)
    rows = []
    for (uplinks, count), group in runs.groupby(["uplinks", "queue_pairs"], sort=False):
        loads = pandas.concat([rack_loads(run.folder, run.nic_bytes) for run in group.itertuples()])
        model = dict(zip(("model_mean", "model_median", "model_p99"), RACK[uplinks][count]))
        ours = {"mean": loads.mean(), "median": loads.median(), "p99": loads.quantile(0.99)}
        rows.append({"table": "a", "racks": 1, "uplinks": uplinks, "dead": 0, "queue_pairs": count,
                     "samples": len(loads), **model, **ours})  # fmt: skip
    return rows


def run_table(study, name, cases, model, seeds):
    """Tables (b) and (c): a sample a run. model: the model's mean and 99th percentile of a case, if it has one."""
    runs = study.run(cases, seeds)
    rows = []
    for (racks, uplinks, spines, count), group in runs.groupby(["racks", "uplinks", "dead", "queue_pairs"], sort=False):
        loads = busiest(group)
        ours = {"mean": loads.mean(), "median": loads.median(), "p99": loads.quantile(0.99)}
        expected = dict(zip(("model_mean", "model_p99"), model(racks, uplinks, spines, count)))
        rows.append({"table": name, "racks": racks, "uplinks": uplinks, "dead": spines, "queue_pairs": count,
                     "samples": len(loads), **expected, **ours})  # fmt: skip
    return rows


def ring_table(study, racks):
    """Table (b) for a number of racks."""
    seeds = study.pick(full=SAMPLES, quick=12, usual=SAMPLES if racks == 8 else 20)
    cases = [ring_case(study, racks, uplinks, count) for size, uplinks in RING if size == racks for count in COUNTS]
    return run_table(study, "b", cases, lambda racks, uplinks, _, count: RING[racks, uplinks][count], seeds)


def make_tables(study):
    sizes = study.pick(full=[8, 64], quick=[8])
    rows = rack_table(study)
    for racks in sizes:
        rows += ring_table(study, racks)
    uplinks = study.pick(full=list(PERMUTATION), quick=[(18, 0), (18, 2)])
    cases = [permutation_case(*where, count) for where in uplinks for count in COUNTS]
    seeds = study.pick(full=SAMPLES, quick=4, usual=20)
    rows += run_table(study, "c", cases, lambda _, *where: [PERMUTATION[where[:2]][where[2]]], seeds)
    return pandas.DataFrame(rows)


def judge_tables(study, table):
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
            near = abs(ours / expected - 1) <= LIMIT / 100
            study.note(f"({row.table})", what, f"{expected:g} +- {LIMIT} %", ours, near)


def judge_engineering(study):
    """Traffic engineering has no link above the rate of a NIC."""
    racks = study.pick(full=64, quick=8)
    cases = [ring_case(study, racks, uplinks, 1, "te") for uplinks in (16, 18)]
    cases += [permutation_case(uplinks, spines, 1, "te") for uplinks, spines in [(16, 0), (18, 0), (18, 1)]]
    runs = study.run(cases, study.pick(full=10, quick=2))
    for (kind, uplinks, spines), group in runs.groupby(["table", "uplinks", "dead"], sort=False):
        where = f"{kind}, U={uplinks}" + (f"-{spines}" if spines else "")
        study.note("te", where, "1", busiest(group).max(), busiest(group).max() < 1.001)


def time_cases(study, counts):
    """Completion times of long messages on a ring of 8 racks."""
    transports = {"ideal": {**IDEAL, "balancer": "e-ecmp"}, "PFC": {**LOSSLESS, "balancer": "e-ecmp"}}
    return [
        Case(
            {"transport": name, "uplinks": uplinks, "queue_pairs": count},
            {**fabric(8, uplinks), **study.ring_flows(8, BULK * MTU), **options, **queue_pairs(count)},
        )
        for name, options in transports.items()
        for uplinks in (16, 18)
        for count in counts
    ]


def completion(study):
    """Completion time over the lower bound, beside the busiest link of the same runs."""
    runs = study.run(time_cases(study, COUNTS), study.pick(full=10, quick=2))
    runs["slowdown"] = runs.cct_ns / runs.completion_bound_ns
    runs["busiest"] = busiest(runs)
    groups = runs.groupby(["transport", "uplinks", "queue_pairs"], sort=False)
    table = groups[["slowdown", "busiest"]].mean().reset_index()
    for row in table.itertuples():
        what = f"U={row.uplinks} Q={row.queue_pairs}: completion time over its bound"
        near = abs(row.slowdown / row.busiest - 1) <= LIMIT / 100
        study.note(row.transport, what, f"{row.busiest:.3g} +- {LIMIT} % (busiest link)", row.slowdown, near)
    return table


def shares_of_roofline(runs):
    """The rate of each job (a ring of the most racks, 16 uplinks) in percent of what its NICs allow, by routing."""
    rings = runs[(runs.table == "ring") & (runs.uplinks == 16)]
    rings = rings[rings.racks == rings.racks.max()]
    names = ["TE" if row.balancer == "te" else f"E-ECMP {row.queue_pairs}" for row in rings.itertuples()]
    return pandas.DataFrame({"racks": rings.racks, "routing": names, "percent": 100 / busiest(rings)})


def judge_roofline(study, shares):
    """The published numbers are remembered, not verified."""
    few, many = (shares[shares.routing == f"E-ECMP {count}"].percent for count, _ in (FEW, MANY))
    for (count, published), ours in ((FEW, few.mean()), (MANY, many.mean())):
        near = abs(ours - published) <= POINTS
        study.note("R10", f"share of the roofline, Q={count} (%)", f"{published} +- {POINTS} points", ours, near)
    near = 100 * ((few - FEW[1]).abs() <= POINTS).mean()
    study.note("R10", f"Q={FEW[0]}: jobs within {POINTS} points of {FEW[1]} % (%)", "above 90", near)
    reach = 100 * (many >= MANY[1]).mean()
    study.note("R10", f"Q={MANY[0]}: jobs that reach {MANY[1]} % of the roofline (%)", f"{REACH} +- {POINTS} points", reach,
               abs(reach - REACH) <= POINTS)  # fmt: skip
    whole = 100 * (shares[shares.routing == "TE"].percent > 99.9).mean()
    study.note("R10", "TE: jobs at the roofline (%)", "100", whole, whole == 100)


def draw_roofline(study, shares):
    """The distribution of the jobs' shares."""
    figure, (panel,) = panels(1, 1, width=6)
    order = sorted(shares.routing.unique(), key=lambda name: int(name.partition(" ")[2] or 1000))
    for index, name in enumerate(order):
        values = sorted(shares[shares.routing == name].percent)
        levels = [100 * at / len(values) for at in range(len(values) + 1)]
        panel.step([values[0], *values], levels, where="post", color=color(index), label=f"{name} ({len(values)} jobs)")
    for count, published in (FEW, MANY):
        panel.axvline(published, color="k", linestyle=":", linewidth=1)
        above = {"transform": panel.get_xaxis_transform(), "ha": "center", "fontsize": 7}
        panel.text(published, 1.01, f"published, {count}", **above)
    panel.set_xlim(0, 102)
    panel.set_xlabel("rate of a job (% of what its NICs allow)")
    panel.set_ylabel("jobs with at most this rate (%)")
    panel.legend(fontsize=7, loc="lower right", bbox_to_anchor=(0.965, 0))
    save(figure, study.plot_path("-roofline"), f"rings of {shares.racks.max():.0f} racks of {NICS} NICs, 16 uplinks, a job a run")


def draw(study, table, times):
    titles = {"a": "(a) uplinks of a rack", "b": "(b) ring of racks", "c": "(c) permutation, 32 racks"}
    figure, axes = panels(2, 2)
    for panel, (name, title) in zip(axes, titles.items()):
        rows = table[table.table == name]
        if name == "b":
            rows = rows[rows.racks == rows.racks.max()]
            title += f", {rows.racks.max()} racks"
        for index, ((uplinks, spines), line) in enumerate(rows.groupby(["uplinks", "dead"])):
            label = f"{uplinks} uplinks" + (f", {spines} dead" if spines else "")
            panel.plot(line.queue_pairs, line["mean"], color=color(index), marker="o", markersize=4, label=label)
            draw_reference(panel, line.queue_pairs, line.model_mean, label=None if index else "model")
        panel.set_title(title, fontsize=9)
        panel.set_ylabel("busiest link over the rate of a NIC")
    for index, ((transport, uplinks), line) in enumerate(times.groupby(["transport", "uplinks"])):
        label = f"{transport}, {uplinks} uplinks"
        axes[3].plot(line.queue_pairs, line.slowdown, color=color(index), marker="s", markersize=4, label=label)
        draw_reference(axes[3], line.queue_pairs, line.busiest, marker="x", label=None if index else "busiest link")
    axes[3].set_title("completion time, ring of 8 racks", fontsize=9)
    axes[3].set_ylabel("completion time over its bound")
    for panel in axes:
        powers_of_two(panel, [1, 4, 8, 16, 32, *([64] if panel is axes[0] else [])])
        panel.set_xlabel("queue pairs of a connection")
        panel.set_ylim(bottom=0.9)
        panel.legend(fontsize=7)
    samples = f"{table.samples.min()} to {table.samples.max()} samples"
    save(figure, study.plot_path(), f"E-ECMP; racks of {NICS} NICs at 400 Gb/s; {samples}")


def reproduce(study):
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
