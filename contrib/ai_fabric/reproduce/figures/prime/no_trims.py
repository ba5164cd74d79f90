# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME where no switch trims: 64 flows to one pod of three tiers, whose losses only timers show"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
import pandas

from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.prime import NEAR, FabricsStudy, acked, fabric, hashed, prime, slow_links
from ai_fabric.reproduce.study import beside
from ai_fabric.plot.style import scheme_color, scheme_marker

if TYPE_CHECKING:
    from ai_fabric.plot.style import Axes
    from ai_fabric.sweep.grid import Case

SIZE = 2000000  # bytes a flow
PACKETS_PER_ACK = 4
RATE, RTT_NS = 100, 14022.72
QUEUE = 215  # packets, five bandwidth-delay products, as the reference simulator has where no switch trims
SLOW = 8  # links from the cores to the pod of the receivers, of 16
# As many entropies as there are paths
SCHEMES = {name: hashed(16)[name] for name in ("ops-rrx", "reps-fifo")} | {"prime-1-4": prime(1), "prime": prime()}
LABELS = ["scheme", "slow_links", "trimming"]
PERCENTILES = [50, 95, 99]
COLUMNS = ["mean_us", *(f"p{percentile}_us" for percentile in PERCENTILES)]
REFERENCE_COLUMNS = [f"reference_{column}" for column in COLUMNS]

# Flows in us, mean, median, 95th and 99th percentile of 3 pooled runs, of a public reproduction of PRIME in the
# reference simulator, by slow links and scheme; its REPS is the one without a ring. ops-rrx: of a run, as ours.
REFERENCE = {
    (0, "ops-rrx"): [685.0, 667.0, 883.0, 939.0],  # means of 60 runs (the mean flow: 15) of uet-htsim at 40ccb05
    (0, "reps-fifo"): [706.6, 698.1, 970.3, 1021.6],
    (0, "prime-1-4"): [657.7, 660.5, 728.1, 746.7],
    (SLOW, "ops-rrx"): [2306.4, 2381.7, 2955.4, 3094.0],
    (SLOW, "reps-fifo"): [1695.5, 1711.3, 2175.9, 2272.2],
    (SLOW, "prime-1-4"): [2259.8, 2298.8, 2546.3, 2589.6],
}
SPREAD = 1.2  # at most so many times the median is the 99th percentile of a tight distribution


class PodStudy(FabricsStudy):
    """The figure is about all flows of all runs."""

    def caption(self, text: str, seeds: int | None = None) -> str:
        return super().caption(text, seeds).replace("mean of", "all flows of")


STUDY = PodStudy


def reproduce(study: PodStudy) -> None:
    runs = study.run(cases_of(study))
    flows = pandas.concat([pandas.read_csv(row.folder / "flows.csv", usecols=["duration_ns"]).assign(
        **{label: getattr(row, label) for label in [*LABELS, "seed"]}) for row in runs[runs.completed].itertuples()])
    flows["us"] = flows.duration_ns / 1000
    table = summarize(runs, flows, study.quick)
    study.save(table)
    shown = []
    for links, rows in flows.groupby("slow_links", sort=False):
        known = table[(table.slow_links == links) & table.reference_p50_us.notna()]
        title = "healthy" if links == 0 else f"{links} links to the pod at 25 %"
        parts = (draw_shares, rows), (draw_known, known), ("set_ylim", 0, 1.02)
        shown.append(Panel(title, "time of a flow (us)", "share of flows", *parts))
    hollow = "" if study.quick else "; hollow: 50, 95 and 99 % of the public reproduction"
    study.draw(shown, f"{study.hosts()} hosts in three tiers, flows of 2 MB into one pod{hollow}", width=5, outer=True)
    judge(study, table)


def cases_of(study: PodStudy) -> list[Case]:
    """Three tiers of radix k. Where switches trim, a queue holds one bandwidth-delay product. Each of the hosts next to
    the first pod sends a flow to a host of that pod, in turn."""
    k = study.pick(full=8, quick=4)
    hosts = k**2 // 4  # of a pod
    count = hosts * min(4, k - 1)
    flows = [(0, hosts + index, index % hosts, SIZE) for index in range(count)]
    never = {"admission": "port", **attributes("SelectiveRepeatRecovery", Sleek="Never")}
    return study.sweep({"flows": study.write_flows(f"{count}-to-{hosts}.csv", flows), **acked(PACKETS_PER_ACK)},
                       trimming={"off": {**fabric(RATE, RTT_NS, queue=QUEUE, k=k), **never},
                                 "on": fabric(RATE, RTT_NS, k=k)},
                       slow_links={links: slow_links(links, k // 2) for links in (0, study.pick(full=SLOW, quick=2))},
                       scheme={scheme: SCHEMES[scheme] for scheme in study.schemes([*SCHEMES])})


def measures_of(group: pandas.DataFrame) -> numpy.ndarray:
    """Mean and percentiles of flows: those of each run, mean over the runs. Pooled flows have longer tails, because
    runs differ."""
    runs = [one.to_numpy() for _, one in group.groupby("seed").us]
    shares = [numpy.percentile(one, PERCENTILES, method="inverted_cdf") for one in runs]
    return numpy.mean([[one.mean(), *some] for one, some in zip(runs, shares)], axis=0)


def summarize(runs: pandas.DataFrame, flows: pandas.DataFrame, is_quick: bool) -> pandas.DataFrame:
    """Mean and percentiles of the flows of a run, with what was lost in it, beside the reproduction's. No value if a
    run did not complete."""
    table = runs.groupby(LABELS, sort=False)[["completed", "drops", "trims", "timeouts"]].mean().reset_index()
    times = {key: tuple(measures_of(group)) for key, group in flows.groupby(LABELS, sort=False)}
    known = {(scheme, links, "off"): tuple(values) for (links, scheme), values in REFERENCE.items()}
    table = beside(table, LABELS, times, *COLUMNS)
    table = beside(table, LABELS, {} if is_quick else known, *REFERENCE_COLUMNS)
    table.loc[table.completed < 1, COLUMNS] = numpy.nan
    columns = [name for pair in zip(COLUMNS, REFERENCE_COLUMNS) for name in pair]
    return table[[*table.columns[: -len(columns)], *columns]]


def draw_shares(axes: Axes, flows: pandas.DataFrame) -> None:
    """Which share of the flows has ended over time, with trimming dashed."""
    for (scheme, trimming), rows in flows.groupby(["scheme", "trimming"], sort=False):
        line, label = ("-", scheme) if trimming == "off" else ((0, (2.5, 1)), f"{scheme}, trimming")
        shares = numpy.arange(1, len(rows) + 1) / len(rows)
        axes.plot(numpy.sort(rows.us), shares, linestyle=line, linewidth=1.4, color=scheme_color(scheme), label=label)


def draw_known(axes: Axes, table: pandas.DataFrame) -> None:
    """The reproduction's percentiles."""
    for row in table.itertuples():
        known = [getattr(row, f"reference_p{percentile}_us") for percentile in PERCENTILES]
        look = {"marker": scheme_marker(row.scheme), "color": scheme_color(row.scheme), "markerfacecolor": "white"}
        axes.plot(known, [percentile / 100 for percentile in PERCENTILES], linestyle="", markersize=6, **look)
    axes.set_xlim(left=0)


def judge(study: PodStudy, table: pandas.DataFrame) -> None:
    for row in table[table.reference_mean_us.notna()].itertuples():
        where = "healthy" if row.slow_links == 0 else f"{row.slow_links} slow links"
        ratios = [getattr(row, ours) / getattr(row, theirs) for ours, theirs in zip(COLUMNS, REFERENCE_COLUMNS)]
        study.claim_ratio(f"{where}, {row.scheme}: mean and percentiles, ours over the reproduction's", ratios, *NEAR)
    values = table[table.trimming == "off"].set_index(["slow_links", "scheme"])
    if not {"reps-fifo", "prime-1-4"} <= set(table.scheme):
        return
    prime_spread, reps_spread = ((values.p99_us / values.p50_us)[0, name] for name in ("prime-1-4", "reps-fifo"))
    study.claim("healthy: PRIME's 99th percentile over its median", f"{SPREAD} or less, and below that of REPS",
                [prime_spread, reps_spread], prime_spread <= SPREAD and prime_spread <= reps_spread)
    slow = max(table.slow_links)
    for column, name in (("mean_us", "mean"), ("p99_us", "99th percentile")):
        claim = f"{slow} slow links: with weak penalties and no NACK, PRIME does not beat REPS, {name} over its"
        study.claim(claim, "1 or more", values[column][slow, "prime-1-4"] / values[column][slow, "reps-fifo"])
