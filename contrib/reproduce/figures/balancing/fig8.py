# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Fabrics of 16 to 1024 hosts, permutation and all-to-all (Fig. 8)"""

from charts import decades, draw_law, draw_reference, draw_schemes, finish, legend, panels, powers_of_two, spaced
from papers.balancing import CONTENDERS, DR, reference
from study import WIRE, bytes_of

SIZES = {"permutation": "1MiB", "all-to-all": "16KiB"}  # a message; in an all-to-all of each pair
RADICES = {"permutation": [4, 6, 8, 10, 12, 16], "all-to-all": [4, 6, 8, 10, 12]}
ALL_TO_ALL_FULL = [4, 6, 8, 10, 12, 16]  # with --full: a million messages, and 5 GB of memory
BUFFER = 800000  # bytes a port


def reproduce(study):
    cases = []
    for matrix, size in SIZES.items():
        options = {"workload": matrix} if matrix != "permutation" else {}
        options_of = lambda k, more={**options, "size": size}: {"k": k, **more}
        cases += study.sweep([*CONTENDERS, *DR], "k", radices_of(study, matrix), options_of, matrix=matrix)
    table = study.run(cases)
    table["hosts"] = table.k**3 // 4
    columns = ["increase_percent", "max_queue_data_packets", "drops"]
    means = study.means(table, ["matrix", "k", "hosts", "scheme"], columns)
    means = reference.beside(means, lambda row: (row.k, row.matrix, bytes_of(SIZES[row.matrix])))
    study.save(means)
    draw(study, means)
    for (matrix, hosts), rows in means.groupby(["matrix", "hosts"], sort=False):
        judge(study, f"{matrix}, {hosts} hosts", matrix, rows.set_index("scheme").increase_percent)


def radices_of(study, matrix):
    """Ports of a switch."""
    usual = RADICES[matrix]
    full = ALL_TO_ALL_FULL if matrix == "all-to-all" else usual
    return study.pick(full=full, quick=[4, 6], usual=usual)


def judge(study, where, matrix, gain):
    """The ranking, which of an all-to-all is that Ofan is the best."""
    if matrix == "permutation":
        study.claim_best(where, gain)
    else:
        study.claim_ofan_best(where, gain)


def draw(study, means):
    figure, grid = panels(2, 2)
    for row, matrix in enumerate(SIZES):
        draw_matrix(grid[2 * row : 2 * row + 2], means[means.matrix == matrix], matrix)
    legend(grid[1], [grid[0]])
    sizes = "; ".join(f"{matrix}, {spaced(size)} a message" for matrix, size in SIZES.items())
    finish(figure, study, sizes)


def draw_matrix(pair, means, matrix):
    """A row of panels: completion time and largest queue of a traffic matrix."""
    increase, queue = pair
    for axes, column in ((increase, "increase_percent"), (queue, "max_queue_data_packets")):
        draw_schemes(axes, means, "hosts", column)
        powers_of_two(axes, means.hosts)
        axes.set_xlabel("hosts")
    decades(queue)
    if matrix == "permutation":
        decades(increase)
    else:
        increase.set_ylim(bottom=0)
    draw_reference(increase, means.hosts, means.reference_percent)
    hosts = sorted(set(means.hosts))
    draw_law(queue, hosts, [BUFFER / WIRE] * len(hosts), "a port's buffer")
    increase.set_title(f"{matrix}: completion time over the bound")
    increase.set_ylabel("percent")
    queue.set_title(f"{matrix}: largest queue")
    queue.set_ylabel("data packets waiting")
