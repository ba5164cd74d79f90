# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Messages of 32 KiB to 64 MiB, and of 4 to 64 KiB a pair in an all-to-all (Fig. 10)"""

import numpy

from charts import decades, draw_reference, draw_schemes, finish, legend, panels, powers_of_two
from papers.balancing import CONTENDERS, DR, reference, reps_panels
from study import size_of

KIB = 1024
SIZES = {
    "permutation": [32 * KIB, 128 * KIB, 512 * KIB, *(4**step * KIB**2 for step in range(4))],
    "all-to-all": [4 * KIB, 16 * KIB, 64 * KIB],
}
QUICK_SIZES = {"permutation": [32 * KIB, 256 * KIB, KIB**2], "all-to-all": [4 * KIB, 16 * KIB]}
SCHEMES = [*CONTENDERS, "rsq", "jsq", "simple-rr", "host-dr-random", *DR]


def reproduce(study):
    points = [(matrix, size) for matrix, sizes in study.pick(full=SIZES, quick=QUICK_SIZES).items() for size in sizes]
    cases = study.sweep(SCHEMES, "point", points, options_of)
    for case in cases:
        case.labels["matrix"], case.labels["size"] = case.labels.pop("point")
    columns = ["increase_percent", "max_queue_data_packets", "drops"]
    means = study.means(study.run(cases), ["matrix", "scheme", "size"], columns)
    means = reference.beside(means, lambda row: (study.k, row.matrix, row.size))
    study.save(means)
    draw(study, means)
    for matrix in SIZES:
        rows = means[means.matrix == matrix]
        judge(study, matrix, rows.pivot(index="size", columns="scheme", values="increase_percent"))
    reps_panels.reproduce(study, points, options_of, means)


def options_of(point):
    matrix, size = point
    return {"size": size} if matrix == "permutation" else {"workload": matrix, "size": size}


def draw(study, means):
    figure, grid = panels(2, 2, width=5.2)
    for row, matrix in enumerate(SIZES):
        rows = means[means.matrix == matrix]
        increase, queue = grid[2 * row : 2 * row + 2]
        for axes, column in ((increase, "increase_percent"), (queue, "max_queue_data_packets")):
            draw_schemes(axes, rows, "size", column)
            powers_of_two(axes, rows["size"], lambda size: size_of(size).replace(" ", "\n"))
            decades(axes)
            axes.set_xlabel("message" if matrix == "permutation" else "message of each pair")
        draw_reference(increase, rows["size"], rows.reference_percent, marker="_")
        increase.set_title(f"{matrix}: completion time over the bound")
        increase.set_ylabel("percent")
        queue.set_title(f"{matrix}: largest queue")
        queue.set_ylabel("data packets waiting")
    legend(grid[1], [grid[0]])
    finish(figure, study, f"{study.k**3 // 4} hosts")


def judge(study, matrix, gain):
    for size, row in gain.iterrows():
        where = f"{matrix}, {size_of(size)}"
        if matrix == "permutation":
            study.claim_best(where, row)
        else:
            study.claim_ofan_best(where, row)
    if matrix == "permutation":
        judge_large(study, gain)
    if not study.quick:
        sizes = reference.SIZES[matrix]
        models = reference.COMPLETION[matrix].items()
        references = {name: dict(zip(sizes, row)) for name, row in models}
        study.claim_reference(gain, references)


def judge_large(study, gain):
    for scheme in [name for name in gain if name in ("rsq", "host-random", "host-dr", "ofan")]:
        large = gain[scheme][gain.index >= KIB**2]
        study.claim(
            f"{scheme}: the gap to the bound shrinks from 1 MiB on",
            "falling",
            ", ".join(f"{value:.3g}" for value in large),
            bool((numpy.diff(large) < 0).all()) if len(large) > 1 else None,
        )
    if {"reps", "host-random"} <= set(gain) and gain.index.max() > 16 * KIB**2:
        ratio = (gain["reps"] / gain["host-random"]).iloc[[0, -1]]
        study.claim(
            "reps loses to random spraying at very large sizes",
            "ratio above 1 there",
            f"{ratio.iloc[0]:.3g} at 32 KiB, {ratio.iloc[1]:.3g} at {size_of(gain.index.max())}",
            ratio.iloc[1] > 1,
        )
