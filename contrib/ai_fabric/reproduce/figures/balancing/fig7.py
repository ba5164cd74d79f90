# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The busiest link of each stage, messages of 1 MB and 32 KB (Fig. 7)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.plot.charts import draw_law, draw_reference, draw_stages
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.balancing import UNLIMITED
from ai_fabric.reproduce.study import EQUAL_PACKETS, MTU

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.balancing import BalancingStudy

STAGES = ["edge-up", "agg-up", "core-down", "agg-down"]
SCHEMES = ["simple-rr", "jsq", "rsq", "host-dr-random", "host-dr", "ofan"]

# The reference model at k = 8: the most data packets on a link, over m, by stage.
REFERENCE = {
    256: {
        "simple-rr": [1.00, 1.00, 2.94, 3.52],
        "jsq": [1.00, 1.00, 1.34, 1.84],
        "rsq": [1.13, 1.11, 1.12, 1.14],
        "host-dr-random": [1.00, 0.99, 0.99, 1.00],
        "host-dr": [1.00, 0.99, 0.99, 1.00],
        "ofan": [1.00, 0.99, 0.99, 1.00],
    },
    8: {
        "simple-rr": [1.00, 1.00, 2.99, 3.52],
        "jsq": [1.12, 1.14, 1.75, 1.69],
        "rsq": [1.88, 1.84, 1.94, 1.82],
        "host-dr-random": [1.59, 1.51, 1.51, 1.51],
        "host-dr": [1.00, 1.54, 1.50, 1.00],
        "ofan": [1.00, 1.19, 1.16, 1.00],
    },
}
NORTH, SOUTH = STAGES[:2], STAGES[2:]
NAMES = {256: "1 MB", 8: "32 KB"}
OPTIONS = {"acks": "bypass", "buffer": UNLIMITED, **EQUAL_PACKETS}


def reproduce(study: BalancingStudy) -> None:
    messages = {m: {"size": m * MTU} for m in REFERENCE}
    overloads = {stage: f"layers.{stage}.link_overload" for stage in STAGES}
    means = study.tabulate(study.sweep(OPTIONS, scheme=SCHEMES, m=messages), ["m", "scheme"], overloads)
    study.save(means)
    places, shown = range(len(STAGES)), []
    for m, known in REFERENCE.items():
        models = [] if study.quick else [(draw_reference, places, values, "_") for values in known.values()]
        shown.append(Panel(f"{NAMES[m]}: {m} packets", "", "packets on the busiest link / m",
                           (draw_stages, means[means.m == m], STAGES),
                           (draw_law, places, [1] * len(STAGES), "even load"), *models))
    study.draw(shown, f"permutation, {study.network}, data packets only", sharey=True)
    for m, name in NAMES.items():
        judge(study, means[means.m == m].set_index("scheme"), m, name)


def judge(study: BalancingStudy, rows: pandas.DataFrame, m: int, name: str) -> None:
    for scheme in ("simple-rr", "jsq"):
        if scheme in rows.index and m == 256:
            north, south = (rows.loc[scheme, some].max() for some in (NORTH, SOUTH))
            claim = f"{name}: {scheme} even northbound, overloaded southbound"
            study.claim(claim, "below 1.1, above 1.3", [north, south], north < 1.1 and south > 1.3)
    most = rows[STAGES].max(axis=1)
    word, expected = ("even", "below 1.05") if m == 256 else ("poor", "above 1.2")
    study.claim(f"{name}: host-dr {word}", expected, most.get("host-dr"))
    study.claim(f"{name}: ofan even", "below 1.25", most.get("ofan"))
    for scheme, values in REFERENCE[m].items():
        if scheme in rows.index and not study.quick:
            claim = f"{name}: {scheme} as a multiple of the reference model's, worst stage"
            study.claim_ratio(claim, rows.loc[scheme, STAGES] / values)
