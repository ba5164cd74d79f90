# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MSwift congestion control in place of the fixed rate (Fig. 13)"""

import math

import reference
from charts import draw_pairs, finish, legend, panels, spaced
from study import CONTENDERS, DR, bytes_of

SIZES = ["1MiB", "16MiB"]
CONTROLS = ["fixed", "m-swift"]
SCHEMES = [*CONTENDERS[3:], *DR]

# What MSwift adds to a completion time, in points: little to short messages, about 10 to long ones
# of adaptive schemes, nothing to those of Ofan. How much that is, is our reading.
ADDED = {
    "1MiB": {scheme: (-2, 2) for scheme in SCHEMES},
    "16MiB": {"reps": (5, 15), "switch-ar": (5, 15), "ofan": (-1, 1)},
}


def reproduce(study):
    sizes = study.pick(full=SIZES, quick=SIZES[:1])
    cases = []
    for control in CONTROLS:
        some = study.sweep(
            SCHEMES,
            "message",
            sizes,
            lambda size: {"size": size, "rateControl": control, "stallTime": "2ms"},
        )
        for case in some:
            case.labels["control"] = control
        cases += some
    columns = ["increase_percent", "max_queue_data_packets"]
    means = study.means(study.run(cases), ["message", "scheme", "control"], columns)
    means = with_claims(reference.beside(means, lambda row: scenario(study, row)))
    study.save(means)
    draw(study, means, sizes)
    judge(study, means)


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
