# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Fabrics of 16 to 1024 hosts (Fig. 8)"""

from charts import draw_schemes, finish, legend, panels, powers_of_two
from study import CONTENDERS, DR


def reproduce(study):
    radices = study.pick(full=[4, 6, 8, 10, 12, 16], quick=[4, 6])
    cases = study.sweep([*CONTENDERS, *DR], "k", radices, lambda k: {"k": k, "size": "1MiB"})
    table = study.run(cases)
    table["hosts"] = table.k**3 // 4
    columns = ["increase_percent", "max_queue_data_packets"]
    means = study.means(table, ["scheme", "hosts"], columns)
    study.save(means)
    draw(study, means)
    for hosts, rows in means.groupby("hosts"):
        study.claim_best(f"{hosts} hosts", rows.set_index("scheme").increase_percent)


def draw(study, means):
    figure, (increase, queue) = panels(1, 2)
    for axes, column in ((increase, "increase_percent"), (queue, "max_queue_data_packets")):
        draw_schemes(axes, means, "hosts", column)
        powers_of_two(axes, means.hosts)
        axes.set_yscale("log")
        axes.set_xlabel("hosts")
    increase.set_title("Completion time over the bound")
    increase.set_ylabel("percent")
    queue.set_title("Largest queue")
    queue.set_ylabel("data packets waiting")
    legend(queue)
    finish(figure, study, "permutation, 1 MiB a message")
