# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Fabrics of 16 to 1024 hosts, permutation and all-to-all (Fig. 8)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.plot.charts import decades, draw_law, draw_reference, draw_schemes, powers_of_two, spaced
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.balancing import COMPARED, reference
from ai_fabric.reproduce.study import WIRE, bytes_of

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.balancing import BalancingStudy

SIZES = {"permutation": "1MiB", "all-to-all": "16KiB"}  # a message; in an all-to-all of each pair
RADICES = [4, 6, 8, 10, 12, 16]  # ports of a switch; of an all-to-all the last in full only: a million messages, 5 GB
BUFFER = 800000  # bytes a port
COLUMNS = ["increase_percent", "max_queue_data_packets", "drops"]


def reproduce(study: BalancingStudy) -> None:
    cases = []
    for matrix, size in SIZES.items():
        options = {"workload": matrix, "size": size} if matrix != "permutation" else {"size": size}
        radices = study.pick(RADICES, quick=[4, 6], usual=RADICES if matrix == "permutation" else RADICES[:-1])
        cases += study.sweep(options, matrix=[matrix], scheme=COMPARED, k={k: {"k": k} for k in radices})
    table = study.run(cases)
    table["hosts"] = table.k**3 // 4
    means = study.means(table, ["matrix", "k", "hosts", "scheme"], COLUMNS)
    means = reference.beside(means, lambda row: (row.k, row.matrix, bytes_of(SIZES[row.matrix])))
    study.save(means)
    shown = []
    for matrix in SIZES:
        rows = means[means.matrix == matrix]
        hosts = sorted(set(rows.hosts))
        shown += [
            Panel(f"{matrix}: completion time over the bound", "hosts", "percent",
                  (draw_schemes, rows, "hosts", "increase_percent"), (powers_of_two, hosts),
                  decades if matrix == "permutation" else ("set_ylim", 0),
                  (draw_reference, rows.hosts, rows.reference_percent)),
            Panel(f"{matrix}: largest queue", "hosts", "data packets waiting",
                  (draw_schemes, rows, "hosts", "max_queue_data_packets"), (powers_of_two, hosts), decades,
                  (draw_law, hosts, [BUFFER / WIRE] * len(hosts), "a port's buffer")),
        ]
    study.draw(shown, "; ".join(f"{matrix}, {spaced(size)} a message" for matrix, size in SIZES.items()), rows=2)
    for (matrix, hosts), rows in means.groupby(["matrix", "hosts"], sort=False):
        judge(study, f"{matrix}, {hosts} hosts", matrix, rows.set_index("scheme").increase_percent)


def judge(study: BalancingStudy, where: str, matrix: str, gain: pandas.Series) -> None:
    """The ranking, which of an all-to-all is that Ofan is the best."""
    claim = study.claim_ranking if matrix == "permutation" else study.claim_ofan_best
    claim(where, gain)
