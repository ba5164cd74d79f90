# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The largest queue of Ofan over that of Host DR, by the number of hosts (Fig. 18)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ai_fabric.plot.charts import draw_reference, powers_of_two
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.balancing.reference import MAX_QUEUE_BY_RADIX
from ai_fabric.sweep.runner import RunError
from ai_fabric.reproduce.papers.balancing import DR_SCHEMES, UNLIMITED
from ai_fabric.reproduce.study import MTU
from ai_fabric.plot.style import scheme_color, scheme_marker

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas

    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.balancing import BalancingStudy

M = 256
OPTIONS = {"size": M * MTU, "acks": "bypass", "buffer": UNLIMITED}
RIVALS = ["host-dr", "host-dr-random"]


def reproduce(study: BalancingStudy) -> None:
    radices = {k: {"k": k} for k in study.pick(full=[4, 6, 8, 10, 12, 16], quick=[4, 6])}
    schemes = study.schemes(DR_SCHEMES)
    rivals = [name for name in RIVALS if name in schemes]
    if "ofan" not in schemes or not rivals:
        raise RunError(f"nothing to run: fig18 compares ofan with {' or '.join(RIVALS)}")
    means = study.tabulate(study.sweep(OPTIONS, scheme=schemes, k=radices), ["scheme", "k"], ["max_queue_packets"])
    most = with_ratios(means.pivot(index="k", columns="scheme", values="max_queue_packets"), rivals)
    most.insert(0, "hosts", most.index**3 // 4)
    study.save(most.reset_index())
    shown = [
        Panel("Largest queue", "hosts", "data packets", (draw, most, ["ofan", *rivals])),
        Panel("Largest queue of Ofan over Host DR's", "hosts", "ratio", (draw, most, [*map(ratio_of, rivals)])),
    ]
    study.draw(shown, f"permutation, m = {M}, no acknowledgements in queues")
    judge(study, most, rivals)


def of_model(name: str) -> str:
    """The column with the reference model's numbers for those of another column."""
    return f"reference {name}"


def ratio_of(name: str) -> str:
    """The column with the ratio for a rival of Ofan."""
    return f"ofan / {name}"


def with_ratios(most: pandas.DataFrame, rivals: Sequence[str]) -> pandas.DataFrame:
    """Adds the reference model's queues, and Ofan's as shares of its rivals', ours and the model's."""
    known = {of_model(name): most.index.map(MAX_QUEUE_BY_RADIX[name]) for name in most if name in MAX_QUEUE_BY_RADIX}
    most = most.assign(**known)
    for name in rivals:
        most[ratio_of(name)] = most["ofan"] / most[name]
        most[of_model(ratio_of(name))] = most[of_model("ofan")] / most[of_model(name)]
    return most


def draw(axes: Axes, most: pandas.DataFrame, columns: Sequence[str]) -> None:
    for column in columns:
        scheme = column.rpartition(" ")[2]
        axes.plot(most.hosts, most[column], color=scheme_color(scheme), marker=scheme_marker(scheme), label=column)
    for column in columns:
        draw_reference(axes, most.hosts, most[of_model(column)], marker="s")
    powers_of_two(axes, most.hosts)
    axes.set_ylim(0, 1.05 * axes.get_ylim()[1])


def judge(study: BalancingStudy, most: pandas.DataFrame, rivals: Sequence[str]) -> None:
    for name in rivals:
        ratio = most[ratio_of(name)]
        slope = numpy.polyfit(numpy.log(most.hosts), ratio, 1)[0]
        (few, *_, many), (first, *_, last) = most.hosts, ratio
        measured = f"{first:.3g} at {few}, {last:.3g} at {many} hosts"
        study.claim(f"ofan / {name} falls as hosts grow", "falling", measured, slope < 0 and last < first)
    for column in ["ofan", *rivals, *map(ratio_of, rivals)]:
        known = most.dropna(subset=[of_model(column)])
        hosts = ", ".join(map(str, known.hosts))
        claim = f"{column}: at {hosts} hosts as a multiple of the reference model's"
        study.claim_ratio(claim, known[column] / known[of_model(column)])
