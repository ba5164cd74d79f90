# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""FSDP training of models with 7 to 405 billion parameters, 1024 hosts, MSwift and SACK (Fig. 14)"""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

from ai_fabric.plot.charts import decades, draw_bars, draw_categories
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.balancing import DR, THRESHOLDS, BalancingStudy, threshold
from ai_fabric.reproduce.study import MTU, WIRE

if TYPE_CHECKING:
    from pathlib import Path

    import pandas

    from ai_fabric.common.aliases import Values

PACKETS = {"7B": 104, "70B": 418, "405B": 1570}  # what a host sends in a step of the ring, by model
LARGEST = "405B"
STEPS = 3  # of the 1023 of a ring of 1024 hosts
PATIENT = 256  # packets: a threshold that no packet exceeds here without being lost
VARIANTS = {f"{name}-x{PATIENT}": {"balancer": name, **threshold(PATIENT)} for name in ("reps", "switch-ar")}
BASELINES = ["reps", "switch-ar", *VARIANTS]
SCHEMES = ["host-random", "rr", *BASELINES, *DR]
GAIN = 52  # the study's: increase of the baseline over that of Ofan, at 405B
FACTOR = 1.5  # our reading of "52 times": this factor less or more
BUFFER = 800000  # bytes a port
COLUMNS: dict = {
    "increase_percent": lambda runs: 100 * (runs.cct_ns / (STEPS * runs.model.map(PACKETS).map(ideal_ns)) - 1),
    "utilization_percent": lambda runs: 100 * runs["layers.host-up.mean_utilization"],
    **{name: name for name in ("max_queue_data_packets", "drops", "retransmissions", "max_reordering_packets")},
}
SEEDS = 1  # takes up to a minute


class PlacedStudy(BalancingStudy):
    """Each run has a placement of its own."""

    variants = {**BalancingStudy.variants, **VARIANTS}

    def options_of(self, scheme: str) -> Values:
        """With the study's best threshold of permutations, but for the variants."""
        return {**threshold(THRESHOLDS["permutation"]), **super().options_of(scheme)}


STUDY = PlacedStudy


def reproduce(study: PlacedStudy) -> None:
    radix = study.pick(full=16, quick=4)
    hosts, cases = radix**3 // 4, []
    for placement in range(1, study.seeds + 1):
        files = {model: {"training": ring_file(study, hosts, model, placement)} for model in PACKETS}
        cases += study.sweep({"k": radix, "rateControl": "m-swift", "recovery": "sack"}, placement=[placement],
                             scheme=SCHEMES, model=files)
    means = with_gain(study.tabulate(cases, ["model", "scheme"], COLUMNS, seeds=1))
    study.save(means)
    rows = means[means.model == LARGEST]
    look: dict[str, Any] = {"color": "black", "linestyle": "--", "linewidth": 1}
    shown = [
        Panel("Completion time over the bound", "parameters of the model", "percent",
              (draw_categories, means, "model", list(PACKETS), "increase_percent"), decades),
        Panel(f"{LARGEST}: utilization of hosts' ports", "percent of the completion time", "",
              (draw_bars, rows, "utilization_percent"), ("set_xscale", "linear"), ("set_xlim", 0, 100)),
        Panel(f"{LARGEST}: largest queue", "data packets waiting", "",
              (draw_bars, rows, "max_queue_data_packets"),
              ("axvline", BUFFER / WIRE, {**look, "label": "a port's buffer"})),
    ]
    study.draw(shown, f"ring of {hosts} hosts, {STEPS} steps, MSwift and SACK")
    judge(study, means)


def ring_file(study: PlacedStudy, hosts: int, model: str, placement: int) -> Path:
    """The file of a model's first steps, hosts standing at random places of the ring, with a line a message. A host has
    two a step, one to an even place of the ring and one to an odd place, and begins the next step when both have ended:
    what it sent is acknowledged, and what it receives has come."""
    ring, names = list(range(hosts)), ("even", "odd")
    random.Random(placement).shuffle(ring)
    lines = [f'title = "{model}"\n[[phase]]\nsteps = [']
    for step in range(STEPS):
        after = ", ".join(f'"{name} {step - 1}"' for name in names) if step else ""
        lines += [f'{{ name = "{names[place % 2]} {step}", from = {ring[place - 1]}, to = {host}, '
                  f'bytes = {PACKETS[model] * MTU}, after = [{after}] }},' for place, host in enumerate(ring)]
    return study.write(f"{model}-{hosts}-{placement}.toml", [*lines, "]"])


def ideal_ns(packets: int) -> float:
    """The bound of a permutation of the study's appendix B, at 800 Gb/s and 0.5 us a link."""
    rate, links, delay, gap = 100, 6, 500, 20  # bytes a ns, links of a path, ns, bytes
    data, ack = WIRE / rate, 64 / rate
    period = data + gap / rate
    first = math.ceil((links * delay + (links - 1) * data) / period) + 1
    alternating = max(0, packets - first) * (ack + gap / rate)
    way = 2 * links * delay + links * (data + ack) + gap / rate
    return (packets - 1) * period + alternating + way


def with_gain(means: pandas.DataFrame) -> pandas.DataFrame:
    """Adds by which factor the increase is above that of Ofan, with the same model."""
    ofan = means[means.scheme == "ofan"].set_index("model").increase_percent
    return means.assign(times_ofan=means.increase_percent / means.model.map(ofan))


def judge(study: PlacedStudy, means: pandas.DataFrame) -> None:
    gain = means.pivot(index="model", columns="scheme", values="times_ofan").reindex(list(PACKETS))
    for name in [name for name in BASELINES if name in gain and "ofan" in gain]:
        most, claim = gain.loc[LARGEST, name], f"{LARGEST}: increase of {name} over that of Ofan"
        study.claim(claim, f"{GAIN}, factor {FACTOR}", most, GAIN / FACTOR <= most <= GAIN * FACTOR)
        study.claim_trend(f"Ofan's gain over {name} grows with the model", "growing", gain[name])
    rows = means[means.model == LARGEST].set_index("scheme")
    others = rows[~rows.index.isin(DR)]
    if "ofan" in rows.index and len(others):
        best, ofan = others.utilization_percent.max(), rows.utilization_percent["ofan"]
        claim = f"{LARGEST}: utilization of Ofan above those of all but Host DR"
        study.claim(claim, f"above {best:.3g}", ofan, ofan > best)
        best, ofan = others.max_queue_data_packets.min(), rows.max_queue_data_packets["ofan"]
        claim = f"{LARGEST}: largest queue of Ofan below those of all but Host DR"
        study.claim(claim, f"below {best:.3g}", ofan, ofan < best)
