# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MSwift congestion control in place of the fixed rate (Fig. 13)"""

import math

from charts import draw_law, draw_pairs, draw_schemes, finish, legend, panels, spaced
from grid import Case
from papers.balancing import CONTENDERS, DR, reference
from study import bytes_of

SIZES = ["1MiB", "16MiB"]
CONTROLS = ["fixed", "m-swift"]
SCHEMES = [*CONTENDERS[3:], *DR]

# What MSwift adds to a completion time, in points: little to short messages, about 10 to long ones
# of adaptive schemes, nothing to those of Ofan. How much that is, is our reading.
ADDED = {
    "1MiB": {scheme: (-2, 2) for scheme in SCHEMES},
    "16MiB": {"reps": (5, 15), "switch-ar": (5, 15), "ofan": (-1, 1)},
}

# MSwift's target delay is not published. The panel sweeps what each hop adds to it (ns); the first
# is what ai-fabric-run sets for this fabric.
TARGETS = [955, 700, 500, 400, 300]
QUICK_TARGETS = [955, 400]
JUDGED = 400  # the target whose effect is judged, in nanoseconds
TARGET_SCHEMES = ["reps", "reps-red", "switch-ar", "ofan"]
TARGET_CLAIMS = {"reps-red": (5, 15), "switch-ar": (5, 15), "ofan": (-1, 1)}
TARGET_SEEDS = 3


def reproduce(study):
    sizes = study.pick(full=SIZES, quick=SIZES[:1])
    cases = []
    for control in CONTROLS:
        options = lambda size, name=control: {"size": size, "rateControl": name, "stallTime": "2ms"}
        cases += study.sweep(SCHEMES, "message", sizes, options, control=control)
    columns = ["increase_percent", "max_queue_data_packets"]
    means = study.means(study.run(cases), ["message", "scheme", "control"], columns)
    means = with_claims(reference.beside(means, lambda row: scenario(study, row)))
    study.save(means)
    draw(study, means, sizes)
    judge(study, means)
    sweep_targets(study, sizes[-1])


def sweep_targets(study, size):
    """What MSwift adds to messages of a size, by what each hop adds to its target delay."""
    schemes = [name for name in TARGET_SCHEMES if not study.only or name in study.only]
    if not schemes:
        return
    targets = study.pick(full=TARGETS, quick=QUICK_TARGETS)
    cases = [
        Case(
            {"scheme": scheme, "target_ns": target},
            {"k": study.k, **study.options_of(scheme), **options_of_target(size, target)},
        )
        for scheme in schemes
        for target in [0, *targets]
    ]
    runs = study.run(cases, min(study.seeds, TARGET_SEEDS))
    fixed = runs[runs.target_ns == 0].set_index(["scheme", "seed"]).increase_percent
    runs = runs[runs.target_ns > 0]
    before = [fixed[row.scheme, row.seed] for row in runs.itertuples()]
    runs = runs.assign(added_points=runs.increase_percent - before)
    columns = ["increase_percent", "added_points", "max_queue_data_packets"]
    means = study.means(runs, ["scheme", "target_ns"], columns)
    study.save(means, "-targets")
    draw_targets(study, means, size)
    if bytes_of(size) == bytes_of(SIZES[-1]):
        judge_targets(study, means)


def options_of_target(size, target):
    """Options of a run with what each hop adds to the target, in nanoseconds; 0: a fixed rate."""
    options = {"size": size, "stallTime": "2ms"}
    if target == 0:
        return {**options, "rateControl": CONTROLS[0]}
    hop = {"ns3::aifabric::MSwiftControl::HopTarget": f"{target}ns"}
    return {**options, "rateControl": CONTROLS[1], **hop}


def draw_targets(study, means, size):
    figure, (axes,) = panels(width=5.6)
    draw_schemes(axes, means, "target_ns", "added_points")
    low, high = TARGET_CLAIMS["switch-ar"]
    axes.axhspan(low, high, color="black", alpha=0.06, label="adaptive schemes, as claimed")
    draw_law(axes, means.target_ns, 0 * means.target_ns, "fixed rate")
    axes.set_xlabel("what each hop adds to the target delay (ns)")
    axes.set_ylabel("what MSwift adds (points)")
    axes.set_title(f"permutation, {spaced(size)} a message")
    legend(axes)
    axes.set_yscale("symlog", linthresh=10)
    axes.set_ylim(bottom=-3)
    ticks = [0, 5, 10, 20, 50, 100]
    axes.set_yticks(ticks, ticks)
    axes.minorticks_off()
    seeds = min(study.seeds, TARGET_SEEDS)
    finish(figure, study, f"{study.k**3 // 4} hosts", "-targets", seeds)


def judge_targets(study, means):
    for row in means[means.target_ns == JUDGED].itertuples():
        if row.scheme in TARGET_CLAIMS:
            low, high = TARGET_CLAIMS[row.scheme]
            study.claim(
                f"{row.scheme}, HopTarget {JUDGED} ns: what MSwift adds, points",
                f"about 10, {low} to {high}" if low > 0 else f"within {high}",
                float(row.added_points),
                low <= row.added_points <= high,
            )


def scenario(study, row):
    """What the reference model is asked for; it has no congestion control."""
    fixed = row.control == CONTROLS[0]
    return study.k if fixed else None, "permutation", bytes_of(row.message)


def with_claims(means):
    """Adds what MSwift adds, and from where to where its completion times are as claimed."""
    fixed = means[means.control == CONTROLS[0]].set_index(["message", "scheme"]).increase_percent
    rows = []
    for row in means.itertuples():
        low, high = ADDED[row.message].get(row.scheme, (math.nan, math.nan))
        before = fixed[row.message, row.scheme] if row.control != CONTROLS[0] else math.nan
        rows.append((row.increase_percent - before, before + low, before + high))
    added, least, most = zip(*rows)
    return means.assign(added_points=added, claim_least=least, claim_most=most)


def draw(study, means, sizes):
    figure, grid = panels(1, len(sizes), height=0.5 * means.scheme.nunique() + 1)
    for axes, size in zip(grid, sizes):
        rows = means[means.message == size]
        draw_pairs(axes, rows, "increase_percent", "control", CONTROLS)
        axes.set_title(f"permutation, {spaced(size)} a message")
        axes.set_xlabel("completion time over the lower bound (%)")
    legend(grid[-1], grid)
    finish(figure, study, f"{study.k**3 // 4} hosts")


def judge(study, means):
    for row in means[means.control != CONTROLS[0]].itertuples():
        if row.scheme in ADDED[row.message]:
            low, high = ADDED[row.message][row.scheme]
            study.claim(
                f"{row.scheme}, {row.message}: what MSwift adds to the completion time, points",
                f"about 10, {low} to {high}" if low > 0 else f"within {high}",
                float(row.added_points),
                low <= row.added_points <= high,
            )
