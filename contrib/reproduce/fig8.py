# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Fabrics of 16 to 1024 hosts (Fig. 8)"""

import reference
from charts import draw_law, draw_reference, draw_schemes, finish, legend, panels, powers_of_two
from study import CONTENDERS, DR, WIRE, bytes_of

SIZE = "1MiB"
BUFFER = 800000  # bytes a port


def reproduce(study):
    radices = study.pick(full=[4, 6, 8, 10, 12, 16], quick=[4, 6])
    cases = study.sweep([*CONTENDERS, *DR], "k", radices, lambda k: {"k": k, "size": SIZE})
    table = study.run(cases)
    table["hosts"] = table.k**3 // 4
    columns = ["increase_percent", "max_queue_data_packets"]
    means = study.means(table, ["k", "hosts", "scheme"], columns)
    means = reference.beside(means, lambda row: (row.k, "permutation", bytes_of(SIZE)))
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
    draw_reference(increase, means.hosts, means.reference_percent)
    hosts = sorted(set(means.hosts))
    draw_law(queue, hosts, [BUFFER / WIRE] * len(hosts), "a port's buffer")
    increase.set_title("Completion time over the bound")
    increase.set_ylabel("percent")
    queue.set_title("Largest queue")
    queue.set_ylabel("data packets waiting")
    legend(queue, [increase])
    finish(figure, study, "permutation, 1 MiB a message")
