# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Messages of 32 KiB to 64 MiB, and of 4 to 64 KiB a pair in an all-to-all (Fig. 10)"""

import numpy

from charts import draw_schemes, finish, legend, panels, powers_of_two
from study import CONTENDERS, DR, size_of

KIB = 1024
SIZES = {
    "permutation": [32 * KIB, 128 * KIB, 512 * KIB, *(4**step * KIB**2 for step in range(4))],
    "all-to-all": [4 * KIB, 16 * KIB, 64 * KIB],
}
QUICK_SIZES = {"permutation": [32 * KIB, 256 * KIB, KIB**2], "all-to-all": [4 * KIB, 16 * KIB]}
SCHEMES = [*CONTENDERS, "rsq", "jsq", "simple-rr", "host-dr-random", *DR]

# The reference model at k = 8, with acknowledgements, percent over the bound.
REFERENCE_SIZES = {
    "permutation": [32 * KIB, KIB**2, 4 * KIB**2, 16 * KIB**2],
    "all-to-all": [4 * KIB, 16 * KIB, 64 * KIB],
}
REFERENCE = {
    "permutation": {
        "simple-rr": [11.7, 43.6, 29.3, 27.2],
        "jsq": [5.1, 28.6, 31.6, 28.8],
        "rr": [9.0, 15.4, 10.2, 5.9],
        "rsq": [5.7, 11.5, 8.1, 4.2],
        "switch-ar": [5.7, 10.4, 7.2, 3.9],
        "host-random": [5.5, 11.1, 8.1, 4.5],
        "host-dr-random": [4.7, 2.5, 0.86, 0.24],
        "host-dr": [4.3, 2.5, 0.87, 0.24],
        "ofan": [3.3, 1.8, 0.61, 0.17],
    },
    "all-to-all": {
        "simple-rr": [17.6, 15.1, 10.1],
        "rr": [13.6, 10.2, 6.1],
        "jsq": [10.2, 9.2, 5.3],
        "rsq": [12.5, 8.6, 3.8],
        "host-random": [13.7, 8.2, 3.8],
        "switch-ar": [12.0, 7.8, 3.1],
        "host-dr-random": [13.1, 7.3, 2.6],
        "host-dr": [11.7, 6.4, 1.9],
        "ofan": [6.8, 2.9, 0.85],
    },
}


def reproduce(study):
    points = [
        (matrix, size)
        for matrix, sizes in study.pick(full=SIZES, quick=QUICK_SIZES).items()
        for size in sizes
    ]
    cases = study.sweep(SCHEMES, "point", points, options_of)
    for case in cases:
        case.labels["matrix"], case.labels["size"] = case.labels.pop("point")
    means = study.means(
        study.run(cases),
        ["matrix", "scheme", "size"],
        ["increase_percent", "max_queue_data_packets", "drops"],
    )
    study.save(means)
    draw(study, means)
    for matrix in SIZES:
        rows = means[means.matrix == matrix]
        judge(study, matrix, rows.pivot(index="size", columns="scheme", values="increase_percent"))


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
            axes.set_yscale("log")
            axes.set_xlabel("message" if matrix == "permutation" else "message of each pair")
        if not study.quick:
            for values in REFERENCE[matrix].values():
                increase.plot(
                    REFERENCE_SIZES[matrix], values, linestyle="", marker="_", color="black"
                )
            increase.plot([], linestyle="", marker="_", color="black", label="reference model")
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
        elif "ofan" in row and len(row) > 1:
            best = row.idxmin()
            study.claim(f"{where}: Ofan is the best", "ofan", f"{best} ({row[best]:.3g} %)", best == "ofan")
    if matrix == "permutation":
        judge_large(study, gain)
    if not study.quick:
        sizes = REFERENCE_SIZES[matrix]
        references = {name: dict(zip(sizes, row)) for name, row in REFERENCE[matrix].items()}
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
