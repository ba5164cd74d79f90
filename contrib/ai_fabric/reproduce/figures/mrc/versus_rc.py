# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC over four planes against RC over one, with and without DCQCN: collectives, losses, incasts (R1 to R7)"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy

from ai_fabric.plot.charts import spaced
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import leaf_spine
from ai_fabric.reproduce.papers.mrc import LINK, case, incasts, lossy
from ai_fabric.reproduce.papers.mrc.rivals import CONTROLS, PLANES, WORDS, mrc, rc
from ai_fabric.plot.style import color, scheme_color, scheme_marker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import pandas

    from ai_fabric.common.aliases import Values
    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.mrc import MrcStudy
    from ai_fabric.sweep.grid import Case

BANDWIDTH = "collectives.mean_bus_bandwidth_gbps"
QUEUE_PAIRS = [1, 2, 4, 8, 16]
LOSSES = [0, 0.001, 0.01]
SMALL, LARGE, QUICK_LARGE = "4MiB", "64MiB", "16MiB"  # of all-reduces
EACH = ["64KiB", "1MiB"]  # of all-to-alls, to each host
LOOKS = {
    "": ("RC, ECMP, PFC", {"color": scheme_color("ecmp"), "marker": scheme_marker("ecmp")}),
    " dcqcn": ("the same with DCQCN", {"color": color(1), "marker": "^", "linestyle": "--"}),
}


def wide(study: MrcStudy, share: float, **workload: object) -> Values:
    """A leaf-spine whose hosts lose a share of their packets."""
    count = study.pick(full=8, quick=4)  # leaves, and hosts and spines of each
    return {**leaf_spine(count, count, count), **lossy(count**2, share), "stallTime": "1s", **workload}


def rings(study: MrcStudy) -> list[Case]:
    """All-reduces, each step of which crosses a spine."""
    large, count = study.pick(full=(LARGE, 8), quick=(QUICK_LARGE, 4))
    found = []
    for share in LOSSES:
        ring = wide(study, share, workload="all-reduce", algorithm="ring") | study.crossing_ring(count, count, count)
        for size in (SMALL, large):
            for name, base in sides_of(QUEUE_PAIRS if size == large else [1, 16]).items():
                found.append(case(f"ring {name} {share} {size}", {**base, **ring, "size": size}))
    return found


def sides_of(queue_pairs: Iterable[int]) -> dict[str, Values]:
    """Options by name: MRC, and RC with some numbers of queue pairs, with and without DCQCN."""
    return {"mrc": mrc(), **{f"{one}{control}": rc(one, control) for one in queue_pairs for control in CONTROLS}}


def reproduce(study: MrcStudy) -> None:
    sizes = study.pick(full=EACH, quick=EACH[:1])
    exchanges = [
        case(f"exchange {name} {share} {size}", {**base, **wide(study, share, workload="all-to-all", size=size)})
        for share in LOSSES[:2] for size in sizes for name, base in sides_of([1, 16]).items()
    ]
    runs = study.run([*rings(study), *exchanges, *incasts.cases(study)]).set_index("case")
    # The mean completion time of a case; not a number if a run did not complete.
    time = lambda what, who, share, size: runs.loc[[f"{what} {who} {share} {size}"]].cct_ns.mean(skipna=False)
    large = study.pick(full=LARGE, quick=QUICK_LARGE)
    judge_rings(study, large, lambda who, share, size=large: time("ring", who, share, size))
    judge_exchanges(study, sizes, lambda who, share, size: time("exchange", who, share, size))
    incasts.judge(study, runs)
    study.draw_rows("MRC over RC, and shares of rates")
    draw_rings(study, runs, large)


def judge_rings(study: MrcStudy, large: str, time: Callable[..., float]) -> None:
    """RC's rows, which the paper has with DCQCN, and MRC's."""
    some, much = LOSSES[1:]
    for control, words in WORDS.items():
        judge_rings_of_rc(study, large, time, control, words)
    share = time("mrc", 0) / time("mrc", some)
    study.expect("R2", "MRC, 0.1 % lost: share of its rate, large", 1, share, 0.9, 1)
    small = time("mrc", 0, SMALL) / time("mrc", some, SMALL)
    study.expect("R2", "MRC, 0.1 % lost: share of its rate, small", 0.9, small, 0, share)
    study.near("R3", "MRC, 1 % lost: share of its rate", 1 / 3, time("mrc", 0) / time("mrc", much), 25)


def judge_rings_of_rc(study: MrcStudy, large: str, time: Callable[..., float], control: str, words: str) -> None:
    rival = lambda number: f"{number}{control}"
    some, much = LOSSES[1:]
    best, one, eight, many = (time(who, 0) for who in ("mrc", rival(1), rival(8), rival(16)))
    study.expect("R1", f"{words} with 1 QP: share of MRC's rate", 0.5, best / one, 0.375, 0.625)
    study.expect("R1", f"{words} with 16 QPs: rate over 8 QPs", 1, eight / many, 0, 1.1)
    for size in (SMALL, large):
        ours = time(rival(16), 0, size) / time("mrc", 0, size)
        study.expect("R1", f"MRC: rate over {words} with 16 QPs, {size}", 1, ours, 1, math.inf)
    kept = [time(rival(number), 0) / time(rival(number), some) for number in QUEUE_PAIRS]
    study.expect("R2", f"{words}, 0.1 % lost: share of its rate", 0.5, kept, 0, 0.5)
    shares = [best / time(rival(number), much) for number in QUEUE_PAIRS]
    study.expect("R3", f"{words}, 1 % lost: share of MRC's rate without loss", 0.1, numpy.nan_to_num(shares), 0, 0.1)


def judge_exchanges(study: MrcStudy, sizes: Sequence[str], time: Callable[[str, float, str], float]) -> None:
    for (control, words), size in itertools.product(WORDS.items(), sizes):
        one, many = f"1{control}", f"16{control}"
        ours = time(one, 0, size) / time(many, 0, size)
        study.expect("R4", f"all-to-all, {words} with 16 QPs: rate over 1 QP, {size}", 0.9, ours, 0.7, 1)
        ours = min(time(one, 0, size), time(many, 0, size)) / time("mrc", 0, size)
        study.expect("R4", f"all-to-all, MRC: rate over the best {words}, {size}", 1, ours, 1, math.inf)
        low, high = (0, 0.5) if size == EACH[0] else (0.75, 1)
        ours = time(one, 0, size) / time(one, LOSSES[1], size)
        name = f"all-to-all, 0.1 % lost, {words} with 1 QP: share of its rate, {size}"
        study.expect("R5", name, high, ours, low, high)
    for size in sizes:
        ours = time("mrc", 0, size) / time("mrc", LOSSES[1], size)
        study.expect("R5", f"all-to-all, 0.1 % lost, MRC: share of its rate, {size}", 1, ours, 0.8, 1)


def draw_rings(study: MrcStudy, runs: pandas.DataFrame, large: str) -> None:
    """The bus bandwidth of rings by queue pairs, a panel for each loss."""
    shown = []
    for share in LOSSES:
        bandwidth = lambda who, share=share: runs.loc[[f"ring {who} {share} {large}"]][BANDWIDTH].mean()
        title = f"{100 * share:g} % of packets lost" if share else "no loss"
        shown.append(Panel(title, "queue pairs of RC", "bus bandwidth of the ring (Gb/s)",
                           (draw_bandwidths, bandwidth), ("set_ylim", 0, PLANES * LINK)))
    scenario = f"all-reduce of {spaced(large)}, {study.hosts()} hosts, 400 Gb/s a host"
    study.draw(shown, scenario, "-rings", width=3.4, sharey=True, outer=True)


def draw_bandwidths(axes: Axes, bandwidth: Callable[[str], float]) -> None:
    for control, (label, look) in LOOKS.items():
        axes.plot(QUEUE_PAIRS, [bandwidth(f"{number}{control}") for number in QUEUE_PAIRS], label=label, **look)
    axes.axhline(bandwidth("mrc"), color=scheme_color("mrc"), label="MRC, one queue pair")
    axes.set_xscale("log", base=2)
    axes.set_xticks(QUEUE_PAIRS, map(str, QUEUE_PAIRS))
