# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What REPS depends on that the study does not fix: panels beside figure 10. One is how switches
mark: RED in place of one threshold. The other is whose timer freezes its labels: that of the queue
pair, which never expires with the ideal recovery, or one of each packet."""

import pandas

from charts import decades, draw_schemes, finish, legend, panels, powers_of_two
from grid import Case
from study import size_of

KIB = 1024
LARGE = 16 * KIB**2
LARGE_SEEDS = 3  # runs of a case from LARGE on
MARKS = ["host-random", "reps", "reps-red"]
TIMERS = ["reps-timer-100us", "reps-timer-25us"]
SCHEMES = {"permutation": [*MARKS, *TIMERS], "all-to-all": MARKS}
FREEZES = "policies.reps_freezes"

# Messages at which RED is compared with the threshold.
MARKED = {"permutation": [4 * KIB**2, LARGE], "all-to-all": [64 * KIB]}


def reproduce(study, points, options_of, others):
    """Runs, draws and judges the panels. points: traffic matrix and size; others: the figure's own
    means."""
    if study.only and "reps" not in study.only:
        return
    groups = {True: [], False: []}
    for matrix, size in points:
        groups[size >= LARGE] += [case_of(study, scheme, matrix, size, options_of) for scheme in SCHEMES[matrix]]
    seeds = {True: min(study.seeds, LARGE_SEEDS), False: study.seeds}
    tables = [study.run(cases, seeds[large]) for large, cases in groups.items() if cases]
    columns = ["increase_percent", "max_queue_data_packets", "drops", FREEZES]
    means = study.means(pandas.concat(tables), ["matrix", "scheme", "size"], columns)
    study.save(means, "-reps")
    draw(study, means)
    judge(study, means, others)


def case_of(study, scheme, matrix, size, options_of):
    labels = {"scheme": scheme, "matrix": matrix, "size": size}
    return Case(labels, {"k": study.k, **study.options_of(scheme), **options_of((matrix, size))})


def draw(study, means):
    figure, grid = panels(2, 2, width=5.2)
    permutation = means[means.matrix == "permutation"]
    marks = [means[(means.matrix == matrix) & means.scheme.isin(MARKS)] for matrix in SCHEMES]
    timers = permutation[permutation.scheme.isin(["host-random", "reps", *TIMERS])]
    frozen = permutation[permutation.scheme.isin(["reps", *TIMERS])]
    shown = [
        (marks[0], "increase_percent", "permutation: marks"),
        (marks[1], "increase_percent", "all-to-all: marks"),
        (timers, "increase_percent", "permutation: timers of packets"),
        (frozen, FREEZES, "permutation: queue pairs that froze"),
    ]
    for axes, (rows, column, title) in zip(grid, shown):
        draw_schemes(axes, rows, "size", column)
        powers_of_two(axes, rows["size"], lambda size: size_of(size).replace(" ", "\n"))
        axes.set_title(title)
        axes.set_xlabel("message of each pair" if "all-to-all" in title else "message")
        axes.set_ylabel("completion time over the bound (%)")
        axes.set_ylim(bottom=0)
    decades(grid[2])
    grid[2].autoscale(axis="y")
    grid[3].set_ylabel(f"freezes a run, of {study.k**3 // 4} queue pairs")
    legend(grid[1], [grid[0]])
    legend(grid[3], [grid[2]])
    scenario = f"{study.k**3 // 4} hosts, at most {LARGE_SEEDS} runs from {size_of(LARGE)} on"
    finish(figure, study, scenario, "-reps")


def judge(study, means, others):
    for matrix in SCHEMES:
        rows = means[means.matrix == matrix]
        gain = rows.pivot(index="size", columns="scheme", values="increase_percent")
        judge_marks(study, matrix, gain, others[others.matrix == matrix])
        if matrix == "permutation":
            freezes = rows.pivot(index="size", columns="scheme", values=FREEZES)
            for scheme in TIMERS:
                judge_timer(study, scheme, gain, freezes[scheme])


def judge_marks(study, matrix, gain, others):
    """RED in place of the threshold, and the study's ranking with it."""
    for size in [size for size in MARKED[matrix] if size in gain.index]:
        step, red = gain.reps[size], gain["reps-red"][size]
        study.claim(
            f"{matrix}, {size_of(size)}: RED in place of the threshold speeds reps up",
            "below",
            f"{step:.3g} to {red:.3g} %",
            red < step,
        )
    best = others.pivot(index="size", columns="scheme", values="increase_percent")
    if {"ofan", "host-dr"} <= set(best):
        least = (gain["reps-red"] / best["host-dr"]).min()
        ranked = (best["ofan"] < best["host-dr"]).all() and least > 1
        study.claim(
            f"{matrix}: Ofan below Host DR below reps with RED",
            "reps-red / host-dr above 1 at each size",
            f"at least {least:.3g}",
            ranked,
        )


def judge_timer(study, scheme, gain, freezes):
    """Freezing by timers of packets: not with short messages, and costly with long ones."""
    short = [size for size in freezes.index if size <= KIB**2]
    long = [size for size in freezes.index if size >= LARGE]
    study.claim(f"{scheme}: no freezes up to 1 MiB", "0", f"{freezes[short].max():.3g}", (freezes[short] == 0).all())
    for size in long:
        study.claim(f"{scheme}: freezes at {size_of(size)}", "above 0", f"{freezes[size]:.3g} a run", freezes[size] > 0)
        measured = [gain[name][size] for name in (scheme, "host-random", "reps")]
        study.claim(
            f"{scheme}: freezing slows reps below random spraying at {size_of(size)}",
            "above host-random, and above reps",
            ", ".join(f"{value:.3g}" for value in measured),
            measured[0] > max(measured[1:]),
        )
