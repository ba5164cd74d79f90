# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Two faults and what telemetry shows of them: a switch with more latency, and a NIC that loses packets"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas

from ai_fabric.plot.charts import panels
from ai_fabric.reproduce.drawing import finish
from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.meta import LOSSLESS, control, fabric
from ai_fabric.plot.plot_dashboard import draw_hops, draw_round_trips, plot_dashboard
from ai_fabric.runs.run_data import Run
from ai_fabric.plot.style import color
from ai_fabric.reproduce.verdicts import is_as_expected

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ai_fabric.common.aliases import Values
    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.meta import MetaStudy

IDLE = 400_000  # ns until the messages start: probes find an idle fabric
LATENCY = 500  # ns of a healthy switch
MORE = 1000  # ns more of the slow one
SLOW = "leaf-1"
CNP_DSCP = 48  # its class precedes that of data
SICK = 2  # host of the sick NIC
TELEMETRY = {"linkSeries": "1us", "nicSeries": "1us", "nicCounters": "true", "hopLatency": "true",
             "queuePeaks": "true", "reachability": "40us", **attributes("ReachabilityProber", Dscp=CNP_DSCP)}
ERRORS = ["out_of_sequence", "packet_seq_err", "retransmissions"]
HEALTHY, REGRESSION, SICK_NIC = "healthy", "slow switch", "sick NIC"


def faults(nics: int, loss: str) -> dict[str, Values]:
    """The options of each case."""
    return {
        HEALTHY: {},
        REGRESSION: {"switchLatency": f"{SLOW}={LATENCY + MORE}ns"},
        SICK_NIC: {"fail": f"host-{SICK}:0--leaf-{SICK // nics}:{SICK % nics}/up%{loss}:data@0s"},
    }


def latencies(run: Run) -> pandas.DataFrame:
    """What the hop latencies and the round trips of a run say of each leaf, in ns."""
    probes = run.table("reachability")
    trips = probes[probes.from_rack != probes.to_rack]
    least = {rack: trips[(trips.from_rack == rack) | (trips.to_rack == rack)].rtt_min_ns.min()
             for rack in dict.fromkeys(probes.from_rack)}
    return pandas.DataFrame({"hop_ns": run.table("hop-latency").set_index("switch").min_ns[[*least]], "trip_ns": least})


def judge_latency(study: MetaStudy, case: str, run: Run) -> None:
    """The slow switch stands out, in a run that has one, and only there."""
    seen = latencies(run)
    for column, what, more in (("hop_ns", "time in the switch", MORE), ("trip_ns", "round trip to its rack", 2 * MORE)):
        excess = seen[column] - seen[column].min()
        claim = f"{case}: {SLOW}, least {what} over that of the best leaf (ns)"
        study.claim(claim, str(more if case == REGRESSION else 0), float(excess[SLOW]))
        study.claim(f"{case}: the other leaves, the same (ns)", "0", float(excess.drop(SLOW).max()))


def judge_nics(study: MetaStudy, case: str, run: Run) -> None:
    """The sick NIC stands out, in a run that has one, and only there. No probe is lost: it loses data packets only.
    Counts have no interval."""
    table = run.table("nic-counters").set_index("host")
    errors, strays = table.packet_seq_err, table.out_of_sequence
    if_sick = "above 0" if case == SICK_NIC else "0"
    for what, expected, count in (
        (f"packet_seq_err of host {SICK}", if_sick, errors[SICK]),
        ("packet_seq_err of all other NICs", "0", errors.sum() - errors[SICK]),
        ("out_of_sequence of its receivers", if_sick, strays.drop(SICK).sum()),
        (f"out_of_sequence of host {SICK}", "0", strays[SICK]),
        ("packets dropped by switches", "0", run.results["drops"]),
        ("probes lost", "0", run.table("reachability").lost.sum()),
    ):
        study.claim(f"{case}: {what}", expected, str(count), is_as_expected(expected, count))


def summarize(case: str, run: Run) -> Values:
    """A row of the table."""
    nics, seen, probes = run.table("nic-counters"), latencies(run), run.table("reachability")
    return {"case": case, "time_us": run.results["cct_ns"] / 1e3, **{name: nics[name].sum() for name in ERRORS},
            "drops": run.results["drops"], "hop_ns": seen.hop_ns[SLOW], "other_hop_ns": seen.hop_ns.drop(SLOW).max(),
            "trip_ns": seen.trip_ns[SLOW], "other_trip_ns": seen.trip_ns.drop(SLOW).max(),
            "probes": probes.probes.sum(), "probes_lost": probes.lost.sum()}


def messages(study: MetaStudy, hosts: int) -> Values:
    """A message of each host to each other one, after some time."""
    size = study.pick(full=2 << 20, quick=1 << 18)
    flows = [(IDLE, source, sink, size) for source in range(hosts) for sink in range(hosts) if source != sink]
    return {"workload": "flows", "flows": study.write_flows("messages.csv", flows)}


def reproduce(study: MetaStudy) -> None:
    racks, (nics, loss) = 4, study.pick(full=(4, "0.0001"), quick=(2, "0.001"))
    options = {**fabric(racks, nics, nics), **LOSSLESS, **messages(study, racks * nics), "balancer": "e-ecmp",
               "mtu": 1024, "recovery": "go-back-n", **control("default", 400),
               **attributes("FabricSwitch", Latency=f"{LATENCY}ns"), **TELEMETRY}
    table = study.run(study.sweep(options, case=faults(nics, loss)))
    found = {case: [Run(folder, case) for folder in rows.folder] for case, rows in table.groupby("case", sort=False)}
    runs = {case: several[0] for case, several in found.items()}
    study.save(pandas.DataFrame([summarize(case, run) for case, run in runs.items()]))
    for case, several in found.items():
        for run in several:
            judge_latency(study, case, run)
            judge_nics(study, case, run)
    draw(study, runs)
    for case, run in runs.items():
        study.add_plot(plot_dashboard(run, study.plot_path(f"-{case.replace(' ', '-').lower()}")))


def draw_errors(axes: Axes, run: Run, end: float) -> None:
    """Errors of NICs over time, a line for each NIC that counted any. end: of the axis, in us."""
    series = run.table("nic-series")
    for place, name in enumerate(["packet_seq_err", "out_of_sequence"]):
        for index, (host, rows) in enumerate(series[series[name] > 0].groupby("host")):
            label = f"{name}, host {host}" if place == 0 else f"{name}, each of its receivers"
            times = [*(rows.time_ns / 1e3), end]
            counts = rows[name].cumsum().tolist()
            axes.step(times, [*counts, counts[-1]], where="post", color=color(3 - 3 * place), marker=".",
                      linewidth=1.8 - place, label=label if place == 0 or index == 0 else None)  # fmt: skip
    axes.set_title("Errors of each NIC")
    axes.set_xlabel("simulated time (us)")
    axes.set_ylabel("errors so far")
    axes.set_xlim(IDLE / 1e3, end)
    axes.set_ylim(0, 1)
    if axes.lines:
        axes.set_yscale("symlog", linthresh=1)
        axes.set_ylim(0, 3 * max(max(line.get_ydata()) for line in axes.lines))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.legend(fontsize="x-small", loc="lower right")
    else:
        axes.text(0.5, 0.5, "no NIC counted any", ha="center", va="center", transform=axes.transAxes)


def draw(study: MetaStudy, runs: Mapping[str, Run]) -> None:
    """What telemetry shows, a column for each case, with the same axes."""
    figure, grid = panels(3, len(runs), width=4.0, height=3.2)
    trips = pandas.concat([run.table("reachability") for run in runs.values()])
    ends = trips.rtt_min_ns.min() / 1e3, trips.rtt_min_ns.max() / 1e3
    end = max(IDLE + run.results["cct_ns"] for run in runs.values()) / 1e3
    most = max(run.table("hop-latency").p99_ns.max() for run in runs.values()) / 1e3
    for column, (case, run) in enumerate(runs.items()):
        hops, probes, errors = grid[column], grid[len(runs) + column], grid[2 * len(runs) + column]
        draw_hops(hops, run, most)
        draw_round_trips(probes, run, ends)
        draw_errors(errors, run, end)
        hops.set_title(f"{case}\n{hops.get_title(loc='left')}", loc="left")
    finish(figure, study, f"{study.hosts()} hosts, idle for {IDLE / 1e3:g} us, then all-to-all; {LATENCY} ns a "
                          f"switch; slow switch {SLOW}: {MORE} ns more; sick NIC: host {SICK}")  # fmt: skip
