# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME where no switch trims: 64 flows to one pod of three tiers, whose losses only timers show"""

import numpy
import pandas

from charts import legend, panels
from grid import Case
from papers.prime import NEAR, SPACE, acked, fabric, hashing, prime, slow_links
from style import save, scheme_color, scheme_marker

SIZE = 2000000  # bytes a flow
PACKETS_PER_ACK = 4
RATE, RTT_NS = 100, 14022.72
QUEUE = 215  # packets, five bandwidth-delay products, as the reference simulator has where no switch trims
LOG_ENTROPIES = 4  # of the schemes that hash: as many entropies as there are paths
SLOW = 8  # links from the cores to the pod of the receivers, of 16
SCHEMES = {
    "ops-rrx": hashing("host-permuted", "HostPermutedBalancer::LogEntropies", LOG_ENTROPIES),
    "reps-fifo": hashing("reps-fifo", "RepsFifoBalancer::Entropies", 2**LOG_ENTROPIES),
    "prime-1-4": prime(1),
    "prime": prime(),
}
LABELS = ["scheme", "slow_links", "trimming"]
TRIMMING = ["off", "on"]
PERCENTILES = [50, 95, 99]
COLUMNS = ["mean_us", *(f"p{percentile}_us" for percentile in PERCENTILES)]

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


def reproduce(study):
    runs = study.run(cases_of(study))
    flows = pandas.concat([flows_of(row) for row in runs[runs.completed].itertuples()], ignore_index=True)
    table = summarize(runs, flows, study.quick)
    study.save(table)
    draw(study, flows, table)
    judge(study, table)


def cases_of(study):
    k = study.pick(full=8, quick=4)
    slow = study.pick(full=SLOW, quick=2)
    traffic = {"flows": write_flows(study, k), **acked(PACKETS_PER_ACK)}
    return [
        Case(
            {"scheme": scheme, "slow_links": links, "trimming": trimming},
            {**fabric_of(k, trimming), **SCHEMES[scheme], **slow_links(links, k // 2), **traffic},
        )
        for trimming in TRIMMING
        for links in (0, slow)
        for scheme in study.schemes(SCHEMES)
    ]


def fabric_of(k, trimming):
    """Three tiers of radix k. Where switches trim, a queue holds one bandwidth-delay product."""
    if trimming == "on":
        return fabric(RATE, RTT_NS, k=k)
    options = {**fabric(RATE, RTT_NS, queue=QUEUE, k=k), "admission": "port"}
    options[f"{SPACE}SelectiveRepeatRecovery::Sleek"] = "Never"
    return options


def write_flows(study, k):
    """The traffic: from each of the hosts next to the first pod a flow to a host of that pod, in turn."""
    hosts = k**2 // 4  # of a pod
    count = hosts * min(4, k - 1)
    flows = [(0, hosts + index, index % hosts, SIZE) for index in range(count)]
    return study.write_flows(f"{count}-to-{hosts}.csv", flows)


def flows_of(run):
    """The times of a run's flows in us."""
    table = pandas.read_csv(run.folder / "flows.csv")
    labels = {label: getattr(run, label) for label in [*LABELS, "seed"]}
    return pandas.DataFrame({**labels, "us": table.duration_ns / 1000})


def measures_of(group):
    """Mean and percentiles of flows: those of each run, mean over the runs. Pooled flows have longer tails, because
    runs differ."""
    runs = [one.to_numpy() for _, one in group.groupby("seed").us]
    return numpy.mean([[one.mean(), *numpy.percentile(one, PERCENTILES, method="inverted_cdf")] for one in runs], axis=0)


def summarize(runs, flows, is_quick):
    """Mean and percentiles of the flows of a run, with what was lost in it, beside the reproduction's. No value if a
    run did not complete."""
    times = {key: measures_of(group) for key, group in flows.groupby(LABELS, sort=False)}
    table = runs.groupby(LABELS, sort=False)[["completed", "drops", "trims", "timeouts"]].mean().reset_index()
    keys = list(zip(*(table[label] for label in LABELS)))
    nothing = [numpy.nan] * len(COLUMNS)
    for index, column in enumerate(COLUMNS):
        table[column] = [
            times[key][index] if completed == 1 else numpy.nan for key, completed in zip(keys, table.completed)
        ]
        known = [
            nothing if is_quick or trimming == "on" else REFERENCE.get((links, scheme), nothing)
            for scheme, links, trimming in keys
        ]
        table[f"reference_{column}"] = [values[index] for values in known]
    return table


def draw(study, flows, table):
    """A panel a number of slow links: which share of the flows has ended over time, with trimming dashed."""
    counts = list(dict.fromkeys(flows.slow_links))
    figure, grid = panels(1, len(counts), width=5)
    for axes, links in zip(grid, counts):
        for (scheme, trimming), rows in flows[flows.slow_links == links].groupby(["scheme", "trimming"], sort=False):
            line = "-" if trimming == "off" else (0, (2.5, 1))
            times = numpy.sort(rows.us)
            label = scheme if trimming == "off" else f"{scheme}, trimming"
            axes.plot(times, numpy.arange(1, len(times) + 1) / len(times), linestyle=line, linewidth=1.4,
                      color=scheme_color(scheme), label=label)
        for row in table[(table.slow_links == links) & table.reference_p50_us.notna()].itertuples():
            known = [getattr(row, f"reference_p{percentile}_us") for percentile in PERCENTILES]
            axes.plot(known, [percentile / 100 for percentile in PERCENTILES], linestyle="", markersize=6,
                      marker=scheme_marker(row.scheme), color=scheme_color(row.scheme), markerfacecolor="white")
        axes.set_title("healthy" if links == 0 else f"{links} links to the pod at 25 %")
        axes.set_xlabel("time of a flow (us)")
        axes.set_xlim(left=0)
        axes.set_ylim(0, 1.02)
    grid[0].set_ylabel("share of flows")
    legend(grid[-1], grid)
    hollow = "" if study.quick else "; hollow: 50, 95 and 99 % of the public reproduction"
    scenario = f"{study.hosts()} hosts in three tiers, flows of 2 MB into one pod{hollow}"
    save(figure, study.plot_path(), study.caption(scenario).replace("mean of", "all flows of"))


def judge(study, table):
    for row in table[table.reference_mean_us.notna()].itertuples():
        where = "healthy" if row.slow_links == 0 else f"{row.slow_links} slow links"
        ratios = [getattr(row, column) / getattr(row, f"reference_{column}") for column in COLUMNS]
        study.claim_ratio(f"{where}, {row.scheme}: mean and percentiles, ours over the reproduction's", ratios, *NEAR)
    values = table.set_index(["trimming", "slow_links", "scheme"])
    if not {"reps-fifo", "prime-1-4"} <= set(table.scheme):
        return
    spread = (values.p99_us / values.p50_us)["off", 0]
    study.claim("healthy: PRIME's 99th percentile over its median", f"{SPREAD} or less, and below that of REPS",
                f"{spread['prime-1-4']:.3g}, {spread['reps-fifo']:.3g}",
                spread["prime-1-4"] <= SPREAD and spread["prime-1-4"] <= spread["reps-fifo"])
    slow = max(table.slow_links)
    for column, name in (("mean_us", "mean"), ("p99_us", "99th percentile")):
        ratio = float(values[column]["off", slow, "prime-1-4"] / values[column]["off", slow, "reps-fifo"])
        study.claim(f"{slow} slow links: with weak penalties and no NACK, PRIME does not beat REPS, {name} over its",
                    "1 or more", ratio)
