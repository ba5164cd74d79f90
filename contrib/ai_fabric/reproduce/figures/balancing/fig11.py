# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Packet sizes, messages of 0.5 MB and 16 MB: the best payload (Fig. 11, appendix G)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ai_fabric.plot.charts import draw_law, draw_schemes, powers_of_two
from ai_fabric.reproduce.drawing import Panel

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.balancing import BalancingStudy

SCHEMES = ["host-random", "rsq", "switch-ar", "host-dr", "ofan"]
CONSTANT = ["host-dr", "ofan"]
KIB = 1024
OVERHEAD = 82  # bytes of headers and gap of a data packet
ALPHA = 10  # packets that a packet meets in queues, as the study has it
BYTE_US = 1e-5  # time of a byte at 800 Gb/s
WAY_US = 6.0  # propagation there and back


def best_payload(message: float) -> float:
    """The optimum of the study's model with queues that do not grow: sqrt(H D / alpha)."""
    return numpy.sqrt(OVERHEAD * message / ALPHA)


def model_us(message: float, payload: numpy.ndarray) -> numpy.ndarray:
    """The study's model: sending and queueing, P (D / (P - H) + alpha) / C, and propagation."""
    return (payload + OVERHEAD) * (message / payload + ALPHA) * BYTE_US + WAY_US


def reproduce(study: BalancingStudy) -> None:
    payloads = {512 * KIB: study.pick([2**step for step in range(8, 15)], [1024, 4096, 16384])}
    if not study.quick:
        payloads[16 * KIB**2] = [2**step for step in range(10, 16)]
    cases = []
    for message, values in payloads.items():
        sizes = {mtu: {"mtu": mtu} for mtu in values}
        cases += study.sweep({"size": message}, scheme=SCHEMES, payload=sizes, message=[message])
    means = study.tabulate(cases, ["message", "scheme", "payload"], ["cct_us", "increase_percent"])
    study.save(means)
    look, shown = {"color": "black", "linestyle": ":", "linewidth": 1, "label": "its best payload"}, []
    for message, values in payloads.items():
        fine = numpy.geomspace(values[0], values[-1], 100)
        shown.append(Panel(
            f"messages of {message / KIB**2:g} MiB", "payload of a packet (bytes)", "completion time (us)",
            (draw_schemes, means[means.message == message], "payload", "cct_us"),
            (draw_law, fine, model_us(message, fine), "model, queues O(1)"),
            ("axvline", best_payload(message), look), (powers_of_two, values),
        ))
    study.draw(shown, f"permutation, {study.network}")
    judge(study, means)


def optimum(rows: pandas.DataFrame) -> float:
    """Where a parabola through the least value and its neighbors, over log(payload), is least."""
    rows = rows.sort_values("payload").reset_index()
    least = rows.cct_us.idxmin()
    if least in (0, len(rows) - 1):
        return float(rows.payload[least])
    near = rows.loc[least - 1 : least + 1]
    square, linear, _ = numpy.polyfit(numpy.log(near.payload), near.cct_us, 2)
    return float(numpy.exp(-linear / (2 * square)))


def judge(study: BalancingStudy, means: pandas.DataFrame) -> None:
    best = {key: optimum(rows) for key, rows in means.groupby(["message", "scheme"])}
    for (message, scheme), payload in best.items():
        if scheme in CONSTANT:
            model = best_payload(message)
            study.claim(f"{scheme}: best payload for {message / KIB**2:g} MiB, bytes",
                        f"{model:.0f}, within a factor of 1.5", f"{payload:.0f}", model / 1.5 <= payload <= model * 1.5)
    messages = sorted({message for message, _ in best})
    if len(messages) < 2:
        return
    growth = messages[1] / messages[0]
    for scheme in [name for name in SCHEMES if name in set(means.scheme)]:
        power = numpy.log(best[messages[1], scheme] / best[messages[0], scheme]) / numpy.log(growth)
        expected = 1 / 2 if scheme in CONSTANT else 1 / 3
        claim = f"{scheme}: best payload grows as message to the power of"
        study.claim(claim, f"{expected:.2f} +- 0.1", power, abs(power - expected) <= 0.1)
