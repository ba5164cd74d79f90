# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Ring all-reduces over four planes while one element fails: who loses how much, and for how long"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy
import pandas

from ai_fabric.common.interval import interval
from ai_fabric.plot.charts import by_scheme, draw_rows, ends_of
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import leaf_spine
from ai_fabric.reproduce.papers.planes import CABLE, SCHEMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.planes import PlanesStudy

FABRIC = leaf_spine(4, 4, 4, planes=4, rate="100Gb/s")
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
LOST = [*(-(10**power) for power in range(4, 0, -1)), 0, *(10**power for power in range(1, 5))]  # ticks, in us
DISTURBED = 1.05  # an iteration is disturbed if it takes so many times as long as without a fault


def reproduce(study: PlanesStudy) -> None:
    faults = {fault: {"fail": FAULTS[fault]} for fault in study.pick(full=list(FAULTS), quick=QUICK)}
    # Of all runs: collectives of 64 KiB a step, until long after the incident
    traffic = {"workload": "all-reduce", "algorithm": "ring", "size": "1MiB", "repeat": study.pick(full=24, quick=18)}
    runs = study.run(study.sweep({**FABRIC, **traffic, "stallTime": "20ms"}, scheme=list(SCHEMES), fault=faults))
    table = summarize(runs)
    study.save(table)
    draw(study, table[table.fault != HEALTHY])
    judge(study, table)


def iterations_of(run: Any) -> tuple[numpy.ndarray, float]:
    """How long each iteration of a run took, and when the last one ended, in us. Iterations overlap: a rank begins the
    next one when it is done."""
    table = pandas.read_csv(run.folder / "collectives.csv")
    return (table.duration_ns / 1000).to_numpy(), table.end_ns.max() / 1000


def summarize(runs: pandas.DataFrame) -> pandas.DataFrame:
    """A row a scheme and fault: what its runs lost beside those of the same seeds without a fault."""
    unharmed = [run for run in runs[runs.fault == HEALTHY].itertuples() if run.completed]
    healthy = {(run.scheme, run.seed): iterations_of(run) for run in unharmed}
    rows = []
    for (scheme, fault), group in runs.groupby(["scheme", "fault"], sort=False):
        both = [(*iterations_of(run), *healthy[scheme, run.seed]) for run in group.itertuples()
                if run.completed and (scheme, run.seed) in healthy]
        pairs = [(times, usual) for times, _, usual, _ in both]
        lost = [end - usual_end for _, end, _, usual_end in both]
        slowed = [times[times > DISTURBED * numpy.median(usual)].sum() for times, usual in pairs]
        times = numpy.concatenate([times for times, _ in pairs]) if pairs else numpy.array([math.nan])
        usual = numpy.median(numpy.concatenate([usual for _, usual in pairs])) if pairs else math.nan
        lost = lost or [math.nan]
        rows.append(
            {"scheme": scheme, "fault": fault, "runs": len(group), "failed_runs": len(group) - group.completed.sum(),
             "median_iteration_us": numpy.median(times), "p99_iteration_us": numpy.percentile(times, 99),
             "p999_iteration_us": numpy.percentile(times, 99.9), "longest_iteration_us": times.max(),
             "usual_iteration_us": usual, "lost_us": numpy.mean(lost), **dict(zip(ends_of("lost_us"), interval(lost))),
             "disturbed_us": numpy.mean(slowed) if slowed else math.nan,
             "timeouts": group.timeouts.mean(), "retransmissions": group.retransmissions.mean()}
        )
    return pandas.DataFrame(rows)


def draw(study: PlanesStudy, table: pandas.DataFrame) -> None:
    table = table.assign(**{name: table[f"{name}_iteration_us"] / table.usual_iteration_us for name in ("p99", "p999")})
    faults, schemes = list(dict.fromkeys(table.fault)), by_scheme(table)
    shown = [
        Panel("", "time lost to the fault (us)", "",
              (draw_rows, schemes, faults, "fault", "lost_us", [*ends_of("lost_us")]),
              ("set_xscale", "symlog", {"linthresh": 10}),
              ("axvline", END - BEGIN, {"color": "black", "linewidth": 1, "linestyle": ":"}),
              (plain, LOST, [table.lost_us, *(table[end] for end in ends_of("lost_us"))]), (draw_lines, faults)),
        Panel("", "iteration over the usual one: 99th percentile (hollow), 99.9th", "",
              (draw_rows, schemes, faults, "fault", "p999", ["p99", "p999"], 0.6, "p99"), ("set_xscale", "log"),
              (plain, [1, 2, 5, 10, 20, 50], [1, table.p999.max()]), (draw_lines, faults)),
    ]
    scenario = f"ring all-reduces of 1 MiB, {study.hosts()} hosts, 4 planes of 100 Gb/s"
    height = 0.52 * len(faults) + 1.6
    study.draw(shown, f"{scenario}; the fault lasts {END - BEGIN} us (dotted)", height=height, sharey=True)


def draw_lines(axes: Axes, names: Sequence[str]) -> None:
    """Names of rows, and lines between them."""
    axes.grid(axis="y", visible=False)
    for place in range(1, len(names)):
        axes.axhline(place - 0.5, color="#E0E0E0", linewidth=0.7)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)


def plain(axes: Axes, ticks: Sequence[float], values: Any) -> None:
    """Ticks with plain numbers, as far as there are values."""
    least, most = numpy.nanmin(values), numpy.nanmax(values)
    shown = [tick for tick in ticks if least <= tick <= most]
    axes.set_xticks(shown, [f"{tick:g}" for tick in shown])
    axes.minorticks_off()


def judge(study: PlanesStudy, table: pandas.DataFrame) -> None:
    lost = table.pivot(index="fault", columns="scheme", values="lost_us")
    failed = table.groupby("scheme").failed_runs.sum()
    for scheme in lost:
        claim = f"{scheme}: all runs end, whatever fails"
        study.claim(claim, "0 runs fail", f"{failed[scheme]} runs", failed[scheme] == 0)
    faults = [fault for fault in lost.index if fault != HEALTHY]
    if "mrc" not in lost:
        return
    for fault, others in lost.loc[faults].drop(columns="mrc").iterrows():
        if len(others):
            least, ours = f"least, of {others.min():.3g} us ({others.idxmin()})", lost.mrc[fault]
            study.claim(f"{fault}: MRC loses the least time", least, f"{ours:.3g} us", ours <= others.min())
    for words, name in (("99th", "p99_iteration_us"), ("99.9th", "p999_iteration_us")):
        tails = table.pivot(index="fault", columns="scheme", values=name).loc[faults].dropna()
        rivals = tails.drop(columns="mrc").min(axis=1)
        if rivals.notna().any():
            behind = tails.index[tails.mrc > rivals]
            claim, every = f"MRC has the least {words} percentile of the iterations", len(tails)
            measured = f"in {every - len(behind)}" + "".join(f"; not: {fault}" for fault in behind)
            study.claim(claim, f"in {every} of {every} cases", measured, behind.empty)
    extra = table.set_index(["scheme", "fault"]).eval("longest_iteration_us - usual_iteration_us").mrc
    for fault in [fault for fault in faults if fault in CORE]:
        claim = f"{fault}: MRC bypasses it, longest iteration beside the usual one"
        study.claim(claim, "at most 100 us more", f"{extra[fault]:.3g} us more", extra[fault] <= 100)
