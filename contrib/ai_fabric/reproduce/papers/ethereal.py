# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the figures of Ethereal have in common: the fabrics, the schemes, the collectives, and the
paper's claims. The settings are those of the authors' public simulator, as far as there are such."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

import pandas

from ai_fabric.common.clone import of_clone
from ai_fabric.plot.charts import decades, draw_hollow, draw_schemes, powers_of_two
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes, leaf_spine, options_of
from ai_fabric.reproduce.study import Study

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ai_fabric.common.aliases import Options, Values
    from ai_fabric.sweep.grid import Case

GPT_2 = of_clone("scenarios/gpt-2-data-parallel.toml")

# One queue pair for each message or piece, from line rate on; PFC; marks above 800 kB.
TRANSPORT = {"rate": "400Gb/s", "delay": "500ns", "mtu": 9000, "buffer": "2MiB", **options_of("ethereal")}
del TRANSPORT["steering"], TRANSPORT["recovery"], TRANSPORT["sendOrder"]  # which are those of scheme and collective

SPRAYING = {"recovery": "packet-timer"}
SINGLE_PATH = {"recovery": "go-back-n"}


SCHEMES = {
    "ethereal": {"steering": "ethereal", **SINGLE_PATH},
    "end-to-end": {"steering": "end-to-end", **SINGLE_PATH},
    "ethereal-v1": {"steering": "ethereal-v1", **SINGLE_PATH},
    "ecmp": SINGLE_PATH,
    **{f"mp-rdma-{count}": {"steering": "split", **attributes("SplitSteering", QueuePairs=count), **SINGLE_PATH}
       for count in (2, 4, 8)},  # messages split in so many queue pairs, each where a hash sends it
    "spray": {"balancer": "host-counter", **SPRAYING},
}

MP_RDMA = ["mp-rdma-2", "mp-rdma-4", "mp-rdma-8"]
PAPER = ["ethereal", "spray", "ethereal-reps", *MP_RDMA, "ecmp"]
OURS = ["reps", "rr", "ofan"]  # not among the schemes of the paper
COMPARED = [*PAPER, *OURS]

COLLECTIVES = {
    "all-to-all": {"algorithm": "direct"},
    "recursive doubling": {"algorithm": "halving-doubling"},
    "ring": {"algorithm": "ring", "sendOrder": "oldest-first"},  # as in the authors' simulator
    "double binary tree": {
        "algorithm": "double-binary-tree",
        **attributes("DoubleBinaryTreeAlgorithm", Trees=1),
        "chunks": 1,  # a rank waits for all of the data, as in the authors' code
    },
}
BALANCED = ["all-to-all", "recursive doubling"]  # where the paper sees a difference
ALIKE = ["ring", "double binary tree"]
SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]  # MB
SHOWN = 4  # from this size on in the paper's plots

TIES = 1.01  # Ethereal is the best if each other scheme takes more than this times as long
CLEAR = 1.05  # its gain is clear if each other scheme takes at least this times as long
NEAR = 10  # points around what the paper calls "up to"
GAINS = {"spray": 30, "ethereal-reps": 40}  # by how many percent Ethereal is faster: up to


# All-reduces of a figure. sizes: in MB, by collective; seeds: None is the user's number.
Part = namedtuple("Part", "schemes sizes seeds", defaults=[None])


class EtherealStudy(Study):
    """A figure of Ethereal. The authors run each case once; here it is a few times."""

    variants = SCHEMES

    def options_of(self, scheme: str) -> Values:
        """What is no scheme of the paper is a balancer that sprays."""
        return SCHEMES.get(scheme, {"balancer": scheme, **SPRAYING})

    def leaf_spine(self) -> Values:
        """The fabric of Figures 3 and 5: 256 hosts."""
        ports = self.pick(full=16, quick=4)
        return leaf_spine(ports, ports, ports, **TRANSPORT)

    def fat_tree(self) -> Values:
        """The fabric of Figure 4: 512 hosts in 8 pods, and four links of 400 Gb/s as one."""
        pods, leaves, spines, hosts = self.pick(full=(8, 4, 4, 16), quick=(2, 2, 2, 8))
        return {**TRANSPORT, "topology": "three-tier", "fabricRate": "1.6Tb/s", "pods": pods, "leavesPerPod": leaves,
                "spinesPerPod": spines, "cores": leaves * spines, "hostsPerLeaf": hosts}

    def pick_sizes(self, usual: Mapping[str, Any]) -> dict[str, list[int]]:
        """The sizes in MB by collective: the usual ones, all of them in full, or two."""
        return self.pick(full=dict.fromkeys(usual, SIZES), quick=dict.fromkeys(usual, [1, 4]), usual=usual)

    def pick_parts(self, schemes: list[str], usual: list[Part]) -> list[Part]:
        """The usual parts; with --full and --quick, one part that has the same sizes for all."""
        return [Part(schemes, self.pick_sizes(COLLECTIVES))] if self.full or self.quick else usual

    def run_parts(self, parts: Sequence[Part], options: Options) -> pandas.DataFrame:
        """Runs the parts of a figure that have a scheme that the user wants. One row a run."""
        wanted = [part for part in parts if not self.only or {*self.only} & {*part.schemes, *self.also}]
        return pandas.concat(
            self.run(self.collectives(part.schemes, part.sizes, options), part.seeds)
            for part in wanted or parts
        )

    def collectives(self, schemes: list[str], sizes: Mapping[str, Sequence[int]], options: Options) -> list[Case]:
        """An all-reduce of each size in MB, by each algorithm. sizes: by name of the algorithm."""
        cases = []
        for name, some in sizes.items():
            axes: dict[str, Any] = {"collective": {name: COLLECTIVES[name]}, "scheme": schemes}
            axes["size"] = {size: {"size": f"{size}MB"} for size in some}
            cases += self.sweep({**options, "workload": "all-reduce"}, **axes)
        return cases

    def training(self, schemes: list[str], names: Sequence[str]) -> list[Case]:
        """An iteration of GPT-2, all of its collectives by one algorithm."""
        options = {**self.leaf_spine(), "workload": "training", "training": GPT_2}
        algorithms = {name: COLLECTIVES[name] for name in names}
        return self.sweep(options, collective=algorithms, scheme=schemes, size=["GPT-2"])

    def compare(
        self, schemes: list[str], usual: list[Part], fabric: Options, caption: str
    ) -> tuple[pandas.DataFrame, list[pandas.DataFrame], pandas.DataFrame]:
        """The all-reduces of a figure, saved and drawn. Returns the times of the sizes that the paper shows, of means
        and by seed, and the queue pairs of a NIC."""
        table = self.run_parts(self.pick_parts(schemes, usual), fabric)
        means = self.times(table)
        self.save(means)
        draw_collectives(self, means, caption)
        times, *by_seed = (each[each.index.get_level_values("size") >= SHOWN]
                           for each in (self.pivot(means), *self.by_seed(table)))
        return times, by_seed, self.pivot(means, "max_active_queue_pairs")

    def times(self, table: pandas.DataFrame, *more: str) -> pandas.DataFrame:
        """The mean completion time, what it is over the bound, and the cuts and queue pairs."""
        columns = ["cct_us", "increase_percent", "max_active_queue_pairs", "policies.dctcp_cuts"]
        means = self.means(table, [*more, "collective", "size", "scheme"], columns)
        return means.rename(columns=lambda name: name.replace("policies.", ""))

    def pivot(self, means: pandas.DataFrame, column: str = "cct_us") -> pandas.DataFrame:
        """A table of a column, a row a case and a column a scheme."""
        return means.pivot(index=["collective", "size"], columns="scheme", values=column)

    def by_seed(self, table: pandas.DataFrame) -> list[pandas.DataFrame]:
        """Tables of times as pivot makes them, one of the runs of each seed."""
        return [self.pivot(runs) for _, runs in table.groupby("seed")]

    def claim_up_to(self, times: pandas.DataFrame, by_seed: Sequence[pandas.DataFrame]) -> None:
        """P1 and P2: by how much Ethereal is faster at most: by the means, and by each seed alone.
        times: of the means, a column a scheme; by_seed: such a table of each seed."""
        for other, percent in GAINS.items():
            if not {"ethereal", other} <= set(times):
                continue
            gain = gain_over(other, times)
            alone = [gain_over(other, runs).max() for runs in by_seed]
            found, measured, holds = pandas.Series([gain.max(), *alone]), "-", None
            if found.notna().all():
                measured = f"{gain.max():.1f} % ({called(gain.idxmax())}); {min(alone):.1f} to {max(alone):.1f} %"
                holds = abs(found - percent).max() <= NEAR
            claim = f"Ethereal is faster than {other}: at most by; by the runs of each seed alone"
            self.claim(claim, f"{percent} % +- {NEAR}", measured, holds)

    def claim_best_of_all(self, where: str, times: pandas.DataFrame, by_seed: Sequence[pandas.DataFrame]) -> None:
        """P4: Ethereal is the best at each size. The tables are those of claim_up_to."""
        self.claim_lead(where, times, by_seed, "min", f"above {TIES:g} at each size", lambda lead: lead > TIES)

    def claim_clear_gain(self, where: str, times: pandas.DataFrame, by_seed: Sequence[pandas.DataFrame]) -> None:
        """P5: Ethereal is clearly the best at one size or more. The tables are those of claim_up_to."""
        self.claim_lead(where, times, by_seed, "max", f"at least {CLEAR:g} at some size", lambda lead: lead >= CLEAR)

    def claim_lead(
        self,
        where: str,
        times: pandas.DataFrame,
        by_seed: Sequence[pandas.DataFrame],
        which: str,
        expected: str,
        suffices: Callable[[float], bool],
    ) -> None:
        """The time of the best other scheme over Ethereal's, the min or max of all cases: by the
        means and by each seed alone. A claim about all schemes of the paper needs all to hold."""
        others = [name for name in PAPER[1:] if name in times]
        if "ethereal" not in times or not others:
            return
        leads, *by_seed = (each.reindex(columns=PAPER[1:]).min(axis=1) / each["ethereal"] for each in (times, *by_seed))
        case, alone = leads.agg(f"idx{which}"), [each.agg(which) for each in by_seed]
        complete = times.reindex(columns=PAPER).notna().all(axis=None)
        holds = all(suffices(lead) for lead in (leads[case], *alone))
        measured = f"{leads[case]:.3f} ({times.loc[case, others].idxmin()}, {called(case)})"
        claim = f"{where}: time of the best other scheme of the paper over Ethereal's; by each seed alone"
        self.claim(claim, expected, f"{measured}; {min(alone):.3f} to {max(alone):.3f}",
                   None if holds and not complete else holds)

    def claim_alike(self, where: str, times: pandas.DataFrame, percent: float = 3) -> None:
        """P5 and P6: all schemes within some percent of each other."""
        spread = 100 * (times.max(axis=1) / times.min(axis=1) - 1)
        case = spread.idxmax()
        row = times.loc[case]
        measured = f"{spread.max():.1f} % ({row.idxmax()} over {row.idxmin()}, {called(case)})"
        self.claim(f"{where}: all schemes are alike", f"within {percent} %", measured,
                   None if times.isna().any(axis=None) else spread.max() <= percent)


STUDY = EtherealStudy


def gain_over(other: str, times: pandas.DataFrame) -> pandas.Series:
    """By how much Ethereal is faster than another scheme, in percent, by case."""
    return 100 * (1 - times["ethereal"] / times[other])


def called(case: tuple[str, str | int]) -> str:
    """A case of a table of times, for people."""
    name, size = case
    return f"{name}, {size}" if isinstance(size, str) else f"{name}, {size} MB"


def of(
    name: str, times: pandas.DataFrame, by_seed: Sequence[pandas.DataFrame]
) -> tuple[pandas.DataFrame, list[pandas.DataFrame]]:
    """Of tables of times, the rows of a collective."""
    return times.loc[[name]], [runs.loc[[name]] for runs in by_seed]


def draw_collectives(study: EtherealStudy, means: pandas.DataFrame, caption: str, suffix: str = "") -> None:
    """A panel an algorithm: the completion time over the bound, by size."""
    few = means[means.runs < study.seeds]
    if len(few):
        caption += f" (hollow: {few.runs.max()} run)"
    shown = []
    for name, rows in means.groupby("collective", sort=False):
        lines = (draw_schemes, rows), (draw_hollow, few[few.collective == name])
        parts: list[Any] = [(*line, "size", "increase_percent") for line in lines] + [(powers_of_two, rows["size"])]
        parts += [decades] if name in BALANCED else []
        shown.append(Panel(name, "all-reduce (MB)", "time over the lower bound (%)", *parts))
    study.draw(shown, caption, suffix, rows=-(-len(shown) // 2))


def judge_queue_pairs(study: EtherealStudy, counts: pandas.DataFrame) -> None:
    """P8 and P9."""
    if "mp-rdma-8" in counts and not study.quick:
        most = counts.loc["all-to-all", "mp-rdma-8"].max()
        study.claim("all-to-all: queue pairs of a NIC, mp-rdma-8", "above 4000", float(most))
    if "ethereal" in counts:
        most = counts.drop(index="all-to-all", level=0)["ethereal"].max()
        study.claim("recursive doubling, ring, tree: queue pairs of a NIC, Ethereal", "at most 64", float(most))
