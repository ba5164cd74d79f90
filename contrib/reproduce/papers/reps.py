# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the figures of REPS have in common: the settings of its artifact, the schemes it compares, and how
switches mark. An acknowledgement a packet, queues of 100 packets, MPRDMA with a window of 151 packets."""

from dataclasses import dataclass

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from charts import finish, legend, panels
from grid import Case
from papers.prime import FRAME, PAYLOAD, SPACE, hashing
from study import Study
from style import scheme_color, scheme_marker

QUEUE = 100  # packets
RTT_NS = 8337.12  # of the network, in the reference simulator
DRAIN_NS = QUEUE * FRAME * 8 / 400
TIMEOUT = f"{RTT_NS + 4 * DRAIN_NS:.0f}ns"  # of a packet
ACK_EACH = 4000  # bytes, less than a packet
ALL = 16384  # entropies; the artifact has 65535

BASE = {
    "transport": "spray",
    "rateControl": "mprdma",
    "mtu": PAYLOAD,
    "rate": "400Gb/s",
    "delay": "1us",
    "buffer": QUEUE * FRAME,
    f"{SPACE}EcnMarker::AtDequeue": "true",
    f"{SPACE}BufferAdmission::Victim": "Coin",
    f"{SPACE}MprdmaControl::InitialWindow": 151,
    f"{SPACE}UnorderedAckPolicy::Bytes": ACK_EACH,
    f"{SPACE}SprayQueuePair::AckDscp": 48,
    f"{SPACE}SprayQueuePair::AckTimeout": TIMEOUT,
    f"{SPACE}SprayQueuePair::RetryLimit": 1000,
    f"{SPACE}SelectiveRepeatRecovery::BackOff": "false",
    f"{SPACE}SelectiveRepeatRecovery::Sleek": "Never",
}
TRIMMING = {"admission": "trimming"}
BLIND = {"convergence": "never", "detection": "never"}  # no switch learns of a fault


def leaf_spine(leaves, spines, hosts):
    return {"topology": "leaf-spine", "leaves": leaves, "spines": spines, "hostsPerLeaf": hosts}


HOSTS_128 = leaf_spine(16, 8, 8)
HOSTS_32 = leaf_spine(8, 4, 4)
HOSTS_16 = leaf_spine(4, 4, 4)


def red(low, high):
    """Marks from low packets on, each packet from high on."""
    limits = {"KMin": low * FRAME, "KMax": high * FRAME, "PMax": 1}
    return {"marker": "red", **{f"{SPACE}RedMarker::{name}": value for name, value in limits.items()}}


# How switches mark: as the artifact does, by a hard step where it begins, and from 10 to 80 % of the queue.
ARTIFACT = "25-76"
MARKS = {
    ARTIFACT: red(25, 76),
    "step at 25": {"marker": "step", f"{SPACE}StepMarker::Threshold": 25 * FRAME},
    "10-80": red(10, 80),
}


def reps(**options):
    """REPS; without trimming it freezes only while round trips are short."""
    options = {"FreezingRtt": 1.65, "Exploration": QUEUE, **options}
    return {"balancer": "reps", **{f"{SPACE}RepsBalancer::{name}": value for name, value in options.items()}}


FLOWLET = {"Gap": f"{RTT_NS / 2:.0f}ns", "Hold": TIMEOUT}
PLB = {"Threshold": 0.0001, "Rounds": 2, "IdleRounds": 2, "RoundTime": f"{RTT_NS:.0f}ns", "RelabelOnTimeout": "true"}
SCHEMES = {
    "ecmp": {"balancer": "ecmp"},
    "plb": {"balancer": "plb", **{f"{SPACE}PlbBalancer::{name}": value for name, value in PLB.items()}},
    "flowlet": {"balancer": "flowlet", f"{SPACE}FlowletBalancer::Gap": f"{RTT_NS / 2:.0f}ns"},
    "host-flowlet": {
        "balancer": "host-flowlet",
        **{f"{SPACE}HostFlowletBalancer::{name}": value for name, value in FLOWLET.items()},
    },
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


@dataclass
class RepsStudy(Study):
    """A figure of the longest flow of schemes under some conditions."""

    variants = SCHEMES

    def cases(self, schemes, condition, values, options):
        """Cases of each scheme under each condition with the marks of the artifact, and of OPS and REPS with
        the other marks. options(value): those of a condition, with the fabric and the size."""
        chosen = self.schemes(schemes)
        return [
            Case(
                {"scheme": scheme, condition: value, "marks": name},
                {**BASE, **marker, **self.options_of(scheme), **options(value)},
            )
            for name, marker in MARKS.items()
            for scheme in (chosen if name == ARTIFACT else [one for one in PAIR if one in chosen])
            for value in values
        ]

    def longest(self, cases, condition, reference):
        """Runs cases. Returns the runs, and means with the values of the reference simulator: reference
        has longest flow, or longest and mean flow, in us by (condition, scheme)."""
        runs = self.run(cases)
        runs["longest_us"] = runs.max_fct_ns / 1000
        runs["mean_us"] = runs.mean_fct_ns / 1000
        columns = ["longest_us", "mean_us", "timeouts", "drops", "max_queue_data_packets"]
        if "policies.reps_freezes" in runs:
            columns.append("policies.reps_freezes")
        means = self.means(runs, ["scheme", condition, "marks"], columns)
        known = [
            reference.get(key) if marks == ARTIFACT else None
            for *key, marks in zip(means[condition], means.scheme, means.marks)
            for key in [tuple(key)]
        ]
        pairs = [value if isinstance(value, tuple) else (value, None) for value in known]
        means["reference_us"], means["reference_mean_us"] = zip(*pairs)
        return runs, means

    def claim_both_as_reference(self, means):
        """Our longest and mean flows are as long as the reference simulator's, scheme by scheme."""
        self.claim_as_reference(means)
        self.claim_as_reference(means, "mean flow", "mean_us", "reference_mean_us")

    def claim_marks(self, means, condition):
        """What REPS gains over OPS by each way to mark; only said."""
        for marks, rows in means.groupby("marks", sort=False):
            table = rows.pivot(index=condition, columns="scheme", values="longest_us")
            if not set(PAIR) <= set(table):
                continue
            ratio = table.ops / table.reps
            least, most = ratio.idxmin(), ratio.idxmax()
            self.claim(
                f"marks {marks}: OPS's longest flow over REPS's, least and most",
                "1 or more",
                f"{ratio[least]:.3g} ({least}) and {ratio[most]:.3g} ({most})",
                ratio[least] >= 1,
            )

    def draw_conditions(self, means, condition, titles, scenario, suffix=""):
        """A panel a condition: the longest flow of each scheme, and below them OPS and REPS with the other
        marks. titles: by condition."""
        rows = means.assign(
            name=[
                scheme if marks == ARTIFACT else f"{scheme}, marks {marks}"
                for scheme, marks in zip(means.scheme, means.marks)
            ]
        )
        names = list(dict.fromkeys(rows.name))
        figure, grid = panels(1, len(titles), width=3.4, height=0.3 * len(names) + 1.2, sharey=True)
        for axes, (value, title) in zip(grid, titles.items()):
            draw_dots(axes, rows[rows[condition] == value].set_index("name").reindex(names), self.quick)
            axes.set_title(title)
            axes.set_xlabel("longest flow (us)")
        grid[0].set_yticks(range(len(names)), names, fontsize=8)
        grid[0].invert_yaxis()
        legend(grid[-1], grid)
        finish(figure, self, scenario, suffix)


STUDY = RepsStudy


def by_scheme(table):
    """{condition: values in the order of the rivals} as {(condition, scheme): value}."""
    return {(name, scheme): value for name, values in table.items() for scheme, value in zip(RIVALS, values)}


def draw_dots(axes, rows, quick):
    """A row a name: its mean, the range of the runs, and the value of the reference simulator."""
    for place, row in enumerate(rows.itertuples()):
        look = {"color": scheme_color(row.scheme), "marker": scheme_marker(row.scheme)}
        axes.hlines(place, row.longest_us_least, row.longest_us_most, color=look["color"], alpha=0.4, linewidth=4)
        axes.plot(row.longest_us, place, linestyle="", markersize=6, **look)
        known = row.reference_us if not quick and row.reference_us == row.reference_us else 0
        at = max(row.longest_us_most, known or 0), place
        axes.annotate(f"{row.longest_us:.0f}", at, (6, 0), textcoords="offset points", va="center", fontsize=7)
    if not quick:
        known = [(value, place) for place, value in enumerate(rows.reference_us) if value and value == value]
        if known:
            axes.plot(*zip(*known), "kD", markersize=6, fillstyle="none", label="reference simulator")
    axes.plot([], "o", color="#606060", label="mean of the runs")
    axes.hlines([], 0, 0, color="#606060", alpha=0.4, linewidth=4, label="range of the runs")
    axes.set_xscale("log")
    axes.margins(x=0.14)
    axes.autoscale_view()
    plain_ticks(axes)


def plain_ticks(axes):
    """Plain numbers on a logarithmic axis: few if it is long, more if it is short."""
    low, high = axes.get_xlim()
    steps = (1, 2, 5) if high > 10 * low else (1, 1.5, 2, 3, 4, 6, 8) if high > 1.3 * low else range(10, 100, 2)
    ticks = [step * 10**power for power in range(-3, 6) for step in steps]
    axes.xaxis.set_major_locator(FixedLocator([tick for tick in ticks if low <= tick <= high]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(NullLocator())


def draw_marks(axes, rows, x, y, quick):
    """A line a scheme and a way to mark; hollow: the reference simulator."""
    styles = dict(zip(MARKS, ("-", (0, (2.5, 1)), ":")))
    for (scheme, marks), points in rows.groupby(["scheme", "marks"], sort=False):
        points = points.sort_values(x)
        look = {"color": scheme_color(scheme), "marker": scheme_marker(scheme)}
        look["markersize"] = 9 if scheme == "reps-fifo" else 5  # which reps may cover
        label = scheme if marks == ARTIFACT else f"{scheme}, marks {marks}"
        axes.plot(points[x], points[y], linestyle=styles[marks], label=label, **look)
        if marks == ARTIFACT:
            least, most = points[f"{y}_least"], points[f"{y}_most"]
            axes.fill_between(points[x], least, most, color=look["color"], alpha=0.12, linewidth=0)
    known = rows.dropna(subset=["reference_us"])
    if not quick and not known.empty:
        for scheme, points in known.groupby("scheme", sort=False):
            look = {"color": scheme_color(scheme), "marker": scheme_marker(scheme), "markersize": 7}
            axes.plot(points[x], points.reference_us, linestyle="", fillstyle="none", **look)
