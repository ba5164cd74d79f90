# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Ring all-reduces over four planes while one element fails: who loses how much, and for how long"""

import math

import numpy
import pandas

from charts import finish, legend, panels
from grid import Case
from papers.planes import CABLE, SCHEMES
from style import scheme_color, scheme_marker

FABRIC = {"topology": "leaf-spine", "leaves": 4, "spines": 4, "hostsPerLeaf": 4, "planes": 4, "rate": "100Gb/s"}
BEGIN, END = 300, 1300  # the incident, in us
WHEN = f"@{BEGIN}us-{END}us"
FLAPS = f"{WHEN}:period=100us:duty=0.5"
OPTICS = "optic-plane0-leaf-0:0+optic-plane2-leaf-0:0"  # each of the four hosts of the leaf

HEALTHY = "no fault"
FAULTS = {
    HEALTHY: "none",
    "a core cable is cut": CABLE + WHEN,
    "a core cable flaps": CABLE + FLAPS,
    "a core cable loses 1 %": f"{CABLE}%0.01{WHEN}",
    "a core cable loses 1 %, in bursts": f"{CABLE}%0.01:burst=20{WHEN}",
    "a core cable loses all, upward": f"{CABLE}/up%1{WHEN}",
    "a core cable at 25 %": f"{CABLE}~0.25{WHEN}",
    "a spine is down": "plane0-spine-0" + WHEN,
    "a port of a host is down": "host-0:0" + WHEN,
    "a leaf of a plane is down": "plane0-leaf-0" + WHEN,
    "a plane is down": "plane-0" + WHEN,
    "optics of two planes flap": OPTICS + FLAPS,
    "a plane loses 10 % of control": f"plane-0%0.1:control{WHEN}",
}
CORE = [fault for fault in FAULTS if "core cable" in fault or "spine" in fault]
QUICK = [HEALTHY, "a core cable is cut", "a port of a host is down"]
DISTURBED = 1.05  # an iteration is disturbed if it takes so many times as long as without a fault


def reproduce(study):
    faults = study.pick(full=list(FAULTS), quick=QUICK)
    cases = [
        Case({"scheme": scheme, "fault": fault}, {**options(study), **study.options_of(scheme), "fail": FAULTS[fault]})
        for scheme in study.schemes(list(SCHEMES))
        for fault in faults
    ]
    runs = study.run(cases)
    table = summarize(runs)
    study.save(table)
    draw(study, table)
    judge(study, table)


def options(study):
    """Of all runs: collectives of 64 KiB a step, until long after the incident."""
    traffic = {"workload": "all-reduce", "algorithm": "ring", "size": "1MiB", "repeat": study.pick(full=24, quick=18)}
    return {**FABRIC, **traffic, "stallTime": "20ms"}


def iterations_of(run):
    """How long each iteration of a run took, in us; none of one that did not complete."""
    return (pandas.read_csv(run.folder / "collectives.csv").duration_ns / 1000).to_numpy()


def end_of(run):
    """When the last iteration ended, in us. Iterations overlap: a rank begins the next one when it is done."""
    return pandas.read_csv(run.folder / "collectives.csv").end_ns.max() / 1000


def summarize(runs):
    """A row a scheme and fault: what its runs lost beside those of the same seeds without a fault."""
    unharmed = [run for run in runs[runs.fault == HEALTHY].itertuples() if run.completed]
    healthy = {(run.scheme, run.seed): iterations_of(run) for run in unharmed}
    ends = {(run.scheme, run.seed): end_of(run) for run in unharmed}
    rows = []
    for (scheme, fault), group in runs.groupby(["scheme", "fault"], sort=False):
        ended = [run for run in group.itertuples() if run.completed and (scheme, run.seed) in healthy]
        pairs = [(iterations_of(run), healthy[scheme, run.seed]) for run in ended]
        lost = [end_of(run) - ends[scheme, run.seed] for run in ended]
        slowed = [times[times > DISTURBED * numpy.median(usual)].sum() for times, usual in pairs]
        times = numpy.concatenate([times for times, _ in pairs]) if pairs else numpy.array([math.nan])
        usual = numpy.median(numpy.concatenate([usual for _, usual in pairs])) if pairs else math.nan
        lost = lost or [math.nan]
        rows.append(
            {
                "scheme": scheme,
                "fault": fault,
                "runs": len(group),
                "failed_runs": len(group) - group.completed.sum(),
                "median_iteration_us": numpy.median(times),
                "p99_iteration_us": numpy.percentile(times, 99),
                "p999_iteration_us": numpy.percentile(times, 99.9),
                "longest_iteration_us": times.max(),
                "usual_iteration_us": usual,
                "lost_us": numpy.mean(lost),
                "lost_us_least": min(lost),
                "lost_us_most": max(lost),
                "disturbed_us": numpy.mean(slowed) if slowed else math.nan,
                "timeouts": group.timeouts.mean(),
                "retransmissions": group.retransmissions.mean(),
            }
        )
    return pandas.DataFrame(rows)


def draw(study, table):
    table = table[table.fault != HEALTHY]
    faults, schemes = list(dict.fromkeys(table.fault)), list(dict.fromkeys(table.scheme))
    figure, grid = panels(1, 2, width=4.6, height=0.52 * len(faults) + 1.6, sharey=True)
    for scheme in schemes:
        rows = table[table.scheme == scheme]
        offset = 0.6 * (schemes.index(scheme) / max(len(schemes) - 1, 1) - 0.5)
        ys = [faults.index(fault) + offset for fault in rows.fault]
        look = {"color": scheme_color(scheme), "marker": scheme_marker(scheme), "markersize": 6, "linestyle": ""}
        grid[0].hlines(ys, rows.lost_us_least, rows.lost_us_most, color=scheme_color(scheme), alpha=0.4, linewidth=3)
        grid[0].plot(rows.lost_us, ys, label=scheme, **look)
        p99, p999 = (rows[name] / rows.usual_iteration_us for name in ("p99_iteration_us", "p999_iteration_us"))
        grid[1].hlines(ys, p99, p999, color=scheme_color(scheme), alpha=0.4, linewidth=3)
        grid[1].plot(p99, ys, **look, markerfacecolor="white")
        grid[1].plot(p999, ys, label=scheme, **look)
    grid[0].set_xscale("symlog", linthresh=10)
    plain(grid[0], [0, 10, 100, 1000, 10000], table.lost_us_most.max())
    grid[0].set_xlabel("time lost beside the run without a fault (us)")
    grid[0].axvline(END - BEGIN, color="black", linewidth=1, linestyle=":")
    grid[1].set_xscale("log")
    plain(grid[1], [1, 2, 5, 10, 20, 50], (table.p999_iteration_us / table.usual_iteration_us).max())
    grid[1].set_xlabel("iteration over the usual one: 99th percentile (hollow), 99.9th")
    for axes in grid:
        axes.grid(axis="y", visible=False)
        for place in range(1, len(faults)):
            axes.axhline(place - 0.5, color="#E0E0E0", linewidth=0.7)
    grid[0].set_yticks(range(len(faults)), faults)
    grid[0].set_ylim(-0.5, len(faults) - 0.5)
    grid[0].invert_yaxis()
    legend(grid[1])
    finish(figure, study, f"ring all-reduces of 1 MiB, {study.hosts()} hosts, 4 planes of 100 Gb/s; "
                          f"the fault lasts {END - BEGIN} us (dotted)")


def plain(axes, ticks, most):
    """Ticks with plain numbers, as far as there are values."""
    shown = [tick for tick in ticks if tick <= most]
    axes.set_xticks(shown, [f"{tick:g}" for tick in shown])
    axes.minorticks_off()


def judge(study, table):
    lost = table.pivot(index="fault", columns="scheme", values="lost_us")
    failed = table.pivot(index="fault", columns="scheme", values="failed_runs")
    for scheme in lost:
        study.claim(f"{scheme}: all runs end, whatever fails", "0 runs fail", f"{failed[scheme].sum()} runs",
                    failed[scheme].sum() == 0)
    faults = [fault for fault in lost.index if fault != HEALTHY]
    if "mrc" not in lost:
        return
    longest = table.set_index(["scheme", "fault"])
    for fault in faults:
        others = lost.loc[fault].drop("mrc")
        if others.empty:
            continue
        study.claim(f"{fault}: MRC loses the least time", f"least, of {others.min():.3g} us ({others.idxmin()})",
                    f"{lost.mrc[fault]:.3g} us", lost.mrc[fault] <= others.min())
    for words, name in (("99th", "p99_iteration_us"), ("99.9th", "p999_iteration_us")):
        tails = table.pivot(index="fault", columns="scheme", values=name).loc[faults].dropna()
        rivals = tails.drop(columns="mrc")
        if rivals.empty:
            continue
        behind = tails.index[tails.mrc > rivals.min(axis=1)]
        study.claim(f"MRC has the least {words} percentile of the iterations", f"in {len(tails)} of {len(tails)} cases",
                    f"in {len(tails) - len(behind)}" + "".join(f"; not: {fault}" for fault in behind), behind.empty)
    for fault in [fault for fault in faults if fault in CORE]:
        row = longest.loc[("mrc", fault)]
        extra = row.longest_iteration_us - row.usual_iteration_us
        study.claim(f"{fault}: MRC bypasses it, longest iteration beside the usual one", "at most 100 us more",
                    f"{extra:.3g} us more", extra <= 100)
