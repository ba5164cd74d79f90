# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""1 % of the links dead, routing converges after G (Fig. 4)"""

import numpy

from charts import draw_categories, draw_published, finish, legend, panels, spaced

MATRICES = {"all-to-all": "64KiB", "permutation": "1MiB"}
TIMES = ["0ns", "1us", "3us", "6.25us", "12.5us", "25us", "50us", "100us", "1ms", "never"]
ROUND_TRIP = "6.25us"
HOST, SWITCH = "reps", "switch-ar"


def reproduce(study):
    times = study.pick(full=TIMES, quick=["0ns", ROUND_TRIP, "never"])
    dead = study.pick(0.01, 0.1)
    cases = study.matrix_sweep(MATRICES, "G", times, lambda time: {"failRate": dead, "convergence": time})
    table = study.run(cases)
    table["over_percent"] = study.over(table, "completion_bound_ns")
    table["published_percent"] = study.published(table)
    columns = ["over_percent", "published_percent"]
    means = study.means(table, ["matrix", "scheme", "G"], columns)
    study.save(means)
    draw(study, means, times)
    for matrix in MATRICES:
        rows = means[means.matrix == matrix]
        judge(study, matrix, rows.pivot(index="scheme", columns="G", values="over_percent"))


def draw(study, means, times):
    figure, grid = panels(1, 2)
    for axes, (matrix, size) in zip(grid, MATRICES.items()):
        rows = means[means.matrix == matrix]
        draw_categories(axes, rows, "G", times, "over_percent")
        axes.axhline(0, color="black", linewidth=1.5, label="strict bound at rho_max")
        draw_published(axes.axhline, rows.published_percent)
        axes.axvline(times.index(ROUND_TRIP), color="black", linestyle=":", linewidth=1, label="a round trip")
        axes.set_title(f"{matrix}, {spaced(size)} a message")
        axes.set_xlabel("G: until all switches know")
        axes.set_ylabel("over the strict bound at rho_max (%)")
        axes.set_yscale("symlog", linthresh=1, linscale=0.3)
        axes.set_ylim(bottom=-0.5)
    legend(grid[1], grid)
    dead = study.pick("1 %", "10 %")
    finish(figure, study, f"{study.k**3 // 4} hosts, each link dead with {dead}; no point where a run stalled")


def judge(study, matrix, gain):
    gain = gain.fillna(numpy.inf)
    if not {HOST, SWITCH} <= set(gain.index):
        return
    near = abs(gain.loc[HOST, "0ns"] - gain.loc[SWITCH, "0ns"])
    study.claim(f"{matrix}: {HOST} and {SWITCH} alike at G = 0", "within 5 points", float(near), near <= 5)
    study.claim(
        f"{matrix}: {HOST} better than {SWITCH} when G is never",
        "reps < switch-ar",
        f"{gain.loc[HOST, 'never']:.3g}, {gain.loc[SWITCH, 'never']:.3g}",
        gain.loc[HOST, "never"] < gain.loc[SWITCH, "never"],
    )
    if matrix == "permutation":
        converged, late = gain.loc[SWITCH, "0ns"], gain.loc[SWITCH, ROUND_TRIP]
        study.claim(
            f"permutation: {SWITCH} loses already if G is one round trip ({ROUND_TRIP})",
            "above G = 0",
            f"{late:.3g}, {converged:.3g}",
            late > converged,
        )
