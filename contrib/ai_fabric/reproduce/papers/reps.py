# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the figures of REPS have in common: the settings of its artifact, the schemes it compares, and how
switches mark. An acknowledgement a packet, queues of 100 packets, MPRDMA with a window of 151 packets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ai_fabric.plot.charts import ends_of, name_rows
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes, leaf_spine, red
from ai_fabric.reproduce.papers.prime import FRAME, PAYLOAD, hashing
from ai_fabric.reproduce.study import Study, beside
from ai_fabric.plot.style import scheme_color, scheme_marker

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import pandas

    from ai_fabric.common.aliases import Options, Values
    from ai_fabric.plot.style import Axes
    from ai_fabric.sweep.grid import Case

QUEUE = 100  # packets
RTT_NS = 8337.12  # of the network, in the reference simulator
DRAIN_NS = QUEUE * FRAME * 8 / 400
TIMEOUT = f"{RTT_NS + 4 * DRAIN_NS:.0f}ns"  # of a packet
ACK_EACH = 4000  # bytes, less than a packet
ALL = 16384  # entropies; the artifact has 65535

BASE = {"transport": "spray", "rateControl": "mprdma", "mtu": PAYLOAD, "rate": "400Gb/s", "delay": "1us",
        "buffer": QUEUE * FRAME, **attributes("EcnMarker", AtDequeue="true"),
        **attributes("BufferAdmission", Victim="Coin"), **attributes("MprdmaControl", InitialWindow=151),
        **attributes("UnorderedAckPolicy", Bytes=ACK_EACH),
        **attributes("SprayQueuePair", AckDscp=48, AckTimeout=TIMEOUT, RetryLimit=1000),
        **attributes("SelectiveRepeatRecovery", BackOff="false", Sleek="Never")}
TRIMMING = {"admission": "trimming"}
BLIND = {"convergence": "never", "detection": "never"}  # no switch learns of a fault

HOSTS_128 = leaf_spine(16, 8, 8)
HOSTS_32 = leaf_spine(8, 4, 4)
HOSTS_16 = leaf_spine(4, 4, 4)


# How switches mark: as the artifact does, by a hard step where it begins, and from 10 to 80 % of the queue.
ARTIFACT = "25-76"
MARKS = {
    ARTIFACT: red(25 * FRAME, 76 * FRAME, 1),
    "step at 25": {"marker": "step", **attributes("StepMarker", Threshold=25 * FRAME)},
    "10-80": red(10 * FRAME, 80 * FRAME, 1),
}


def reps(**options: Any) -> Values:
    """REPS; without trimming it freezes only while round trips are short."""
    return {"balancer": "reps", **attributes("RepsBalancer", **{"FreezingRtt": 1.65, "Exploration": QUEUE, **options})}


GAP = f"{RTT_NS / 2:.0f}ns"
PLB = {"Threshold": 0.0001, "Rounds": 2, "IdleRounds": 2, "RoundTime": f"{RTT_NS:.0f}ns", "RelabelOnTimeout": "true"}
SCHEMES = {
    "ecmp": {"balancer": "ecmp"},
    "plb": {"balancer": "plb", **attributes("PlbBalancer", **PLB)},
    "flowlet": {"balancer": "flowlet", **attributes("FlowletBalancer", Gap=GAP)},
    "host-flowlet": {"balancer": "host-flowlet", **attributes("HostFlowletBalancer", Gap=GAP, Hold=TIMEOUT)},
    "mp-8": hashing("subflow", "SubflowBalancer::Subflows", 8),
    "ops": hashing("host-random", "HostRandomBalancer::Entropies", ALL),
    "mprdma": {"balancer": "mprdma"},
    "bitmap": hashing("bitmap", "BitmapBalancer::LogEntropies", 8),
    "switch-adaptive": {"balancer": "jsq"},
    "reps": reps(),
    "reps-fifo": hashing("reps-fifo", "RepsFifoBalancer::Entropies", ALL),
    "reps-no-freezing": reps(Freezing="false"),
}
RIVALS = ["ecmp", "plb", "host-flowlet", "mp-8", "ops", "mprdma", "bitmap", "switch-adaptive", "reps"]
SIZE = "4MiB"
TRAFFIC = {
    "permutation": {"workload": "permutation"},
    "tornado": {"workload": "tornado"},
    "incast 8:1": {"workload": "incast", "senders": 8},
}
PAIR = ["ops", "reps"]  # of every figure, with all ways to mark


class RepsStudy(Study):
    """A figure of the longest flow of schemes under some conditions."""

    variants = SCHEMES
    base = BASE

    def cases(self, schemes: list[str], options: Options | Callable[[Any], Any], **condition: Any) -> list[Case]:
        """Cases of each scheme under each condition with the marks of the artifact, and of OPS and REPS with the
        other marks. options: those of all, or a function of a case's labels, as sweep has them."""
        chosen = self.schemes(schemes)
        pair = [name for name in PAIR if name in chosen]
        cases = []
        for marks, marker in MARKS.items():
            compared = {name: self.options_of(name) for name in (chosen if marks == ARTIFACT else pair)}
            cases += self.sweep(options, marks={marks: marker}, scheme=compared, **condition)
        return cases

    def longest(
        self, cases: Iterable[Case], condition: str, reference: Mapping[Any, Any]
    ) -> tuple[pandas.DataFrame, pandas.DataFrame]:
        """Runs cases. Returns the runs, and means with the values of the reference simulator: reference
        has longest flow, or longest and mean flow, in us by (condition, scheme)."""
        runs = self.run(cases)
        columns = ["longest_us", "mean_us", "timeouts", "drops", "max_queue_data_packets", "policies.reps_freezes"]
        means = self.means(runs, ["scheme", condition, "marks"], [name for name in columns if name in runs])
        values = {(*key, ARTIFACT): value for key, value in reference.items()}
        return runs, beside(means, [condition, "scheme", "marks"], values, "reference_us", "reference_mean_us")

    def claim_both_as_reference(self, means: pandas.DataFrame) -> None:
        """Our longest and mean flows are as long as the reference simulator's, scheme by scheme."""
        self.claim_as_reference(means)
        self.claim_as_reference(means, "mean flow", "mean_us", "reference_mean_us")

    def claim_marks(self, means: pandas.DataFrame, condition: str) -> None:
        """What REPS gains over OPS by each way to mark; only said."""
        for marks, rows in means.groupby("marks", sort=False):
            table = rows.pivot(index=condition, columns="scheme", values="longest_us")
            if set(PAIR) <= set(table):
                claim = f"marks {marks}: OPS's longest flow over REPS's, least and most"
                self.claim_least(claim, "1 or more", table.ops / table.reps, with_most=True)

    def draw_conditions(self, means: pandas.DataFrame, condition: str, values: Iterable[str], scenario: str) -> None:
        """A panel a condition: the longest flow of each scheme, and below them OPS and REPS with the other marks."""
        rows = means.assign(name=[named(*pair) for pair in zip(means.scheme, means.marks)])
        names = list(dict.fromkeys(rows.name))
        shown = [Panel(value, "longest flow (us)", "",
                       (draw_dots, rows[rows[condition] == value].set_index("name").reindex(names), self.quick))
                 for value in values]
        shown[0].parts += ((name_rows, names, 8),)
        self.draw(shown, scenario, width=3.4, height=0.3 * len(names) + 1.2, sharey=True)


def named(scheme: str, marks: str) -> str:
    return scheme if marks == ARTIFACT else f"{scheme}, marks {marks}"


STUDY = RepsStudy


def by_scheme(table: Mapping[str, Sequence[Any]]) -> dict[tuple[str, str], Any]:
    """{condition: values in the order of the rivals} as {(condition, scheme): value}."""
    return {(name, scheme): value for name, values in table.items() for scheme, value in zip(RIVALS, values)}


def draw_dots(axes: Axes, rows: pandas.DataFrame, quick: bool) -> None:
    """A row a name: its mean, the 95 % interval, and the value of the reference simulator."""
    for place, row in enumerate(rows.itertuples()):
        look = {"color": scheme_color(row.scheme), "marker": scheme_marker(row.scheme)}
        axes.hlines(place, row.longest_us_low95, row.longest_us_high95, color=look["color"], alpha=0.4, linewidth=4)
        axes.plot(row.longest_us, place, linestyle="", markersize=6, **look)
        at = numpy.nanmax([row.longest_us, row.longest_us_high95, *([] if quick else [row.reference_us])])
        axes.annotate(f"{row.longest_us:.0f}", (at, place), (6, 0), textcoords="offset points", va="center", fontsize="x-small")
    if not quick and rows.reference_us.notna().any():
        places = numpy.arange(len(rows))[rows.reference_us.notna()]
        axes.plot(rows.reference_us.dropna(), places, "kD", markersize=6, fillstyle="none", label="reference simulator")
    axes.plot([], "o", color="#606060", label="mean of the runs")
    axes.hlines([], 0, 0, color="#606060", alpha=0.4, linewidth=4, label="95 % interval")
    axes.set_xscale("log")
    axes.margins(x=0.14)
    axes.autoscale_view()
    plain_ticks(axes)


def plain_ticks(axes: Axes) -> None:
    """Plain numbers on a logarithmic axis: few if it is long, more if it is short."""
    low, high = axes.get_xlim()
    steps = (1, 2, 5) if high > 10 * low else (1, 1.5, 2, 3, 4, 6, 8) if high > 1.3 * low else range(10, 100, 2)
    ticks = [step * 10**power for power in range(-3, 6) for step in steps]
    axes.xaxis.set_major_locator(FixedLocator([tick for tick in ticks if low <= tick <= high]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(NullLocator())


def draw_marks(axes: Axes, rows: pandas.DataFrame, x: str, y: str, quick: bool) -> None:
    """A line a scheme and a way to mark; hollow: the reference simulator."""
    styles = dict(zip(MARKS, ("-", (0, (2.5, 1)), ":")))
    for (scheme, marks), points in rows.groupby(["scheme", "marks"], sort=False):
        points = points.sort_values(x)
        look: dict[str, Any] = {"color": scheme_color(scheme), "marker": scheme_marker(scheme)}
        look["markersize"] = 9 if scheme == "reps-fifo" else 5  # which reps may cover
        axes.plot(points[x], points[y], linestyle=styles[marks], label=named(scheme, marks), **look)
        if marks == ARTIFACT:
            low, high = ends_of(y)
            axes.fill_between(points[x], points[low], points[high], color=look["color"], alpha=0.12, linewidth=0)
    for scheme, points in [] if quick else rows.dropna(subset=["reference_us"]).groupby("scheme", sort=False):
        look = {"color": scheme_color(scheme), "marker": scheme_marker(scheme), "markersize": 7}
        axes.plot(points[x], points.reference_us, linestyle="", fillstyle="none", **look)
