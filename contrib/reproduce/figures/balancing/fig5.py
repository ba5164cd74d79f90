# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""More and more dead links, routing has converged (Fig. 5)"""

import numpy

from charts import draw_schemes, finish, legend, panels, spaced

MATRICES = {"all-to-all": "64KiB", "permutation": "1MiB"}
PERCENT = 100


def reproduce(study):
    rates = study.pick(full=[0, 0.005, 0.01, 0.02, 0.04], quick=[0, 0.1])
    cases = study.matrix_sweep(MATRICES, "f", rates, lambda rate: {"failRate": rate, "convergence": "0ns"})
    table = study.run(cases)
    # All are compared with one best case, the bound of most runs without failures: the published.
    table["best_ns"] = table.groupby("matrix").line_rate_bound_ns.transform("median")
    table["over_percent"] = study.over(table, "best_ns")
    table["bound_percent"] = PERCENT * (table.completion_bound_ns / table.best_ns - 1)
    means = study.means(table, ["matrix", "scheme", "f"], ["over_percent", "bound_percent"])
    study.save(means)
    draw(study, means)
    for matrix in MATRICES:
        judge(study, matrix, means[means.matrix == matrix])


def draw(study, means):
    figure, grid = panels(1, 2)
    for axes, (matrix, size) in zip(grid, MATRICES.items()):
        rows = means[means.matrix == matrix].assign(f=lambda table: PERCENT * table.f)
        draw_schemes(axes, rows, "f", "over_percent")
        bound = rows.groupby("f").bound_percent.mean()
        axes.plot(bound.index, bound, "k--", linewidth=1, label="bound at rho_max")
        axes.set_title(f"{matrix}, {spaced(size)} a message")
        axes.set_xlabel("dead links (%)")
        axes.set_ylabel("over the bound without failures (%)")
    legend(grid[1], grid)
    finish(figure, study, f"{study.k**3 // 4} hosts, G = 0")


def judge(study, matrix, means):
    gain = means.pivot(index="scheme", columns="f", values="over_percent").fillna(numpy.inf)
    worse = gain.iloc[:, -1] > gain.iloc[:, 0]
    study.claim(
        f"{matrix}: all schemes lose with failures", f"{len(gain)} schemes", f"{worse.sum()} schemes", worse.all()
    )
    for host, switch in (("host-random", "rr"), ("reps", "switch-ar")):
        if {host, switch} <= set(gain.index):
            ratio = (100 + gain.loc[host]) / (100 + gain.loc[switch])
            worst = float(ratio[(ratio - 1).abs().idxmax()])
            study.claim(
                f"{matrix}: {host} and {switch} stay close (ratio of completion times)",
                "0.9 to 1.1",
                worst,
                abs(worst - 1) <= 0.1,
            )
