# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MSwift congestion control in place of the fixed rate (Fig. 13)"""

import pandas

from charts import draw_pairs, finish, legend, panels, spaced
from study import CONTENDERS, DR

SIZES = ["1MiB", "16MiB"]
CONTROLS = ["fixed", "m-swift"]


def reproduce(study):
    sizes = study.pick(full=SIZES, quick=SIZES[:1])
    cases = []
    for control in CONTROLS:
        some = study.sweep(
            [*CONTENDERS[3:], *DR],
            "message",
            sizes,
            lambda size: {"size": size, "rateControl": control, "stallTime": "2ms"},
        )
        for case in some:
            case.labels["control"] = control
        cases += some
    columns = ["increase_percent", "max_queue_data_packets"]
    means = study.means(study.run(cases), ["message", "scheme", "control"], columns)
    study.save(means)
    draw(study, means, sizes)
    judge(study, means, sizes)


def draw(study, means, sizes):
    figure, grid = panels(1, len(sizes), height=0.5 * means.scheme.nunique() + 1)
    for axes, size in zip(grid, sizes):
        rows = means[means.message == size]
        draw_pairs(axes, rows, "increase_percent", "control", CONTROLS)
        axes.set_title(f"permutation, {spaced(size)} a message")
        axes.set_xlabel("completion time over the lower bound (%)")
    legend(grid[-1], grid)
    finish(figure, study, f"{study.k**3 // 4} hosts")


def judge(study, means, sizes):
    gain = pandas.pivot_table(
        means, index="scheme", columns=["message", "control"], values="increase_percent"
    )
    for size in sizes:
        more = gain[size]["m-swift"] - gain[size]["fixed"]
        for scheme in more.index:
            if size == "1MiB":
                expected, low, high = "within 2 points", -2, 2
            elif scheme in ("reps", "switch-ar"):
                expected, low, high = "about 10 points, 5 to 15", 5, 15
            elif scheme == "ofan":
                expected, low, high = "within 1 point", -1, 1
            else:
                continue
            study.claim(
                f"{scheme}, {size}: what MSwift adds to the completion time, points",
                expected,
                float(more[scheme]),
                low <= more[scheme] <= high,
            )
