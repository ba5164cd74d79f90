# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What REPS depends on that the study does not fix: panels beside figure 10. One is how switches
mark: RED in place of one threshold. The other is whose timer freezes its labels: that of the queue
pair, which never expires with the ideal recovery, or one of each packet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas

from ai_fabric.plot.charts import decades, draw_schemes, powers_of_two
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.study import size_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ai_fabric.common.aliases import Values
    from ai_fabric.reproduce.drawing import Part
    from ai_fabric.reproduce.papers.balancing import BalancingStudy
    from ai_fabric.sweep.grid import Case

KIB = 1024
LARGE = 16 * KIB**2
LARGE_SEEDS = 3  # runs of a case from LARGE on
MARKS = ["host-random", "reps", "reps-red"]
TIMERS = ["reps-timer-100us", "reps-timer-25us"]
SCHEMES = {"permutation": [*MARKS, *TIMERS], "all-to-all": MARKS}
FREEZES = "policies.reps_freezes"

# Messages at which RED is compared with the threshold.
MARKED = {"permutation": [4 * KIB**2, LARGE], "all-to-all": [64 * KIB]}


def reproduce(
    study: BalancingStudy, points: Iterable[tuple[str, int]], options_of: Callable[[Any], Values], others: pandas.DataFrame
) -> None:
    """Runs, draws and judges the panels. points: traffic matrix and size; others: the figure's own means."""
    if study.only and "reps" not in study.only:
        return
    groups: dict[bool, list[Case]] = {True: [], False: []}
    for matrix, size in points:
        schemes = {name: study.options_of(name) for name in SCHEMES[matrix]}
        groups[size >= LARGE] += study.sweep(options_of, scheme=schemes, matrix=[matrix], size=[size])
    seeds = {True: min(study.seeds, LARGE_SEEDS), False: study.seeds}
    tables = [study.run(cases, seeds[large]) for large, cases in groups.items() if cases]
    columns = ["increase_percent", "max_queue_data_packets", "drops", FREEZES]
    means = study.means(pandas.concat(tables), ["matrix", "scheme", "size"], columns)
    study.save(means, "-reps")
    over, gain, zero = "completion time over the bound (%)", "increase_percent", ("set_ylim", 0)
    some = lambda matrix, schemes: means[(means.matrix == matrix) & means.scheme.isin(schemes)]
    shown = [
        panel(some("permutation", MARKS), "marks", over, gain, zero),
        panel(some("all-to-all", MARKS), "marks", over, gain, zero),
        panel(some("permutation", ["host-random", "reps", *TIMERS]), "timers of packets", over, gain, decades),
        panel(some("permutation", ["reps", *TIMERS]), "queue pairs that froze",
              f"freezes a run, of {study.k**3 // 4} queue pairs", FREEZES, zero),
    ]
    scenario = f"{study.network}, at most {LARGE_SEEDS} runs from {size_of(LARGE)} on"
    study.draw(shown, scenario, suffix="-reps", rows=2, legends=2, width=5.2)
    for matrix in SCHEMES:
        rows = means[means.matrix == matrix]
        gain = rows.pivot(index="size", columns="scheme", values="increase_percent")
        judge_marks(study, matrix, gain, others[others.matrix == matrix])
        if matrix == "permutation":
            freezes = rows.pivot(index="size", columns="scheme", values=FREEZES)
            for scheme in TIMERS:
                judge_timer(study, scheme, gain, freezes[scheme])


def panel(rows: pandas.DataFrame, title: str, y: str, column: str, *parts: Part) -> Panel:
    """A column of a traffic matrix by size of messages."""
    ticks = (powers_of_two, rows["size"], lambda size: size_of(size).replace(" ", "\n"))
    matrix = rows.matrix.iloc[0]
    x = "message" if matrix == "permutation" else "message of each pair"
    return Panel(f"{matrix}: {title}", x, y, (draw_schemes, rows, "size", column), ticks, *parts)


def judge_marks(study: BalancingStudy, matrix: str, gain: pandas.DataFrame, others: pandas.DataFrame) -> None:
    """RED in place of the threshold, and the study's ranking with it."""
    for size in [size for size in MARKED[matrix] if size in gain.index]:
        step, red = gain.reps[size], gain["reps-red"][size]
        claim = f"{matrix}, {size_of(size)}: RED in place of the threshold speeds reps up"
        study.claim(claim, "below", f"{step:.3g} to {red:.3g} %", red < step)
    best = others.pivot(index="size", columns="scheme", values="increase_percent")
    if {"ofan", "host-dr"} <= set(best):
        least = (gain["reps-red"] / best["host-dr"]).min()
        ranked = (best["ofan"] < best["host-dr"]).all() and least > 1
        claim = f"{matrix}: Ofan below Host DR below reps with RED"
        study.claim(claim, "reps-red / host-dr above 1 at each size", f"at least {least:.3g}", ranked)


def judge_timer(study: BalancingStudy, scheme: str, gain: pandas.DataFrame, freezes: pandas.Series) -> None:
    """Freezing by timers of packets: not with short messages, and costly with long ones."""
    most = freezes[freezes.index <= KIB**2].max()
    study.claim(f"{scheme}: no freezes up to 1 MiB", "0", f"{most:.3g}", most == 0)
    for size in [size for size in freezes.index if size >= LARGE]:
        study.claim(f"{scheme}: freezes at {size_of(size)}", "above 0", f"{freezes[size]:.3g} a run", freezes[size] > 0)
        measured = [gain[name][size] for name in (scheme, "host-random", "reps")]
        claim = f"{scheme}: freezing slows reps below random spraying at {size_of(size)}"
        study.claim(claim, "above host-random, and above reps", measured, measured[0] > max(measured[1:]))
