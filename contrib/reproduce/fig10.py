# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Messages of 32 KiB to 64 MiB (Fig. 10)"""

import numpy

from charts import draw_schemes, finish, legend, panels, powers_of_two
from study import CONTENDERS, DR, SPRAYING

KIB = 1024

# The reference model at k = 8, with acknowledgements, percent over the bound.
REFERENCE_SIZES = [32 * KIB, KIB**2, 4 * KIB**2, 16 * KIB**2]
REFERENCE = {
    "simple-rr": [11.7, 43.6, 29.3, 27.2],
    "jsq": [5.1, 28.6, 31.6, 28.8],
    "rr": [9.0, 15.4, 10.2, 5.9],
    "rsq": [5.7, 11.5, 8.1, 4.2],
    "switch-ar": [5.7, 10.4, 7.2, 3.9],
    "host-random": [5.5, 11.1, 8.1, 4.5],
    "host-dr-random": [4.7, 2.5, 0.86, 0.24],
    "host-dr": [4.3, 2.5, 0.87, 0.24],
    "ofan": [3.3, 1.8, 0.61, 0.17],
}
SCHEMES = [*CONTENDERS, "rsq", "jsq", "simple-rr", "host-dr-random", *DR]


def name_of(size):
    return f"{size // KIB**2} MiB" if size >= KIB**2 else f"{size // KIB} KiB"


def reproduce(study):
    sizes = [32 * KIB, 128 * KIB, 512 * KIB, *(4**step * KIB**2 for step in range(4))]
    sizes = study.pick(full=sizes, quick=[32 * KIB, 256 * KIB, KIB**2])
    means = study.means(
        study.run(study.sweep(SCHEMES, "size", sizes, lambda size: {"size": size})),
        ["scheme", "size"],
        ["increase_percent", "max_queue_data_packets", "drops"],
    )
    study.save(means)
    draw(study, means)
    judge(study, means)


def draw(study, means):
    figure, (increase, queue) = panels(1, 2, width=5.2)
    for axes, column in ((increase, "increase_percent"), (queue, "max_queue_data_packets")):
        draw_schemes(axes, means, "size", column)
        powers_of_two(axes, means["size"], lambda size: name_of(size).replace(" ", "\n"))
        axes.set_yscale("log")
        axes.set_xlabel("message")
    if not study.quick:
        for values in REFERENCE.values():
            increase.plot(REFERENCE_SIZES, values, linestyle="", marker="_", color="black")
        increase.plot([], linestyle="", marker="_", color="black", label="reference model")
    increase.set_title("Completion time over the bound")
    increase.set_ylabel("percent")
    queue.set_title("Largest queue")
    queue.set_ylabel("data packets waiting")
    legend(queue, [increase])
    finish(figure, study, f"permutation, {study.k**3 // 4} hosts")


def judge(study, means):
    gain = means.pivot(index="size", columns="scheme", values="increase_percent")
    for size, row in gain.iterrows():
        study.claim_best(name_of(size), row)
    for scheme in [name for name in gain if name in ("rsq", "host-random", "host-dr", "ofan")]:
        large = gain[scheme][gain.index >= KIB**2]
        study.claim(
            f"{scheme}: the gap to the bound shrinks from 1 MiB on",
            "falling",
            ", ".join(f"{value:.3g}" for value in large),
            bool((numpy.diff(large) < 0).all()) if len(large) > 1 else None,
        )
    if "reps" in gain and gain.index.max() > 16 * KIB**2:
        ratio = (gain["reps"] / gain["host-random"]).iloc[[0, -1]]
        study.claim(
            "reps loses to random spraying at very large sizes",
            "ratio above 1 there",
            f"{ratio.iloc[0]:.3g} at 32 KiB, {ratio.iloc[1]:.3g} at {name_of(gain.index.max())}",
            ratio.iloc[1] > 1,
        )
    if study.quick:
        return
    for scheme, values in REFERENCE.items():
        if scheme not in gain:
            continue
        ours = gain[scheme].reindex(REFERENCE_SIZES)
        room = [0.15 * value if scheme in SPRAYING else 0.5 for value in values]
        off = abs(ours - values) - room
        worst = off.idxmax()
        study.claim(
            f"{scheme}: as the reference model, {'15 %' if scheme in SPRAYING else '0.5 points'}",
            " ".join(f"{value:.3g}" for value in values),
            " ".join(f"{value:.3g}" for value in ours) + f" (furthest: {name_of(worst)})",
            off.max() <= 0,
        )
