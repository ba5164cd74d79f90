# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""REPS and OPS by the bytes of an acknowledgement, healthy and with 8 % of the cables cut (its fig. 11)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_fabric.plot.charts import decades, powers_of_two, spaced
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.prime import PAYLOAD
from ai_fabric.reproduce.papers.reps import ARTIFACT, BLIND, HOSTS_16, HOSTS_128, PAIR, TRIMMING, draw_marks

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.reps import RepsStudy

SIZE = "8MiB"
OVERFLOWN = 63 * PAYLOAD  # after how many bytes the counter of the artifact, of 16 bits, reaches its 64 kB
THRESHOLDS = [4000, 8000, 16000, 32000, 64000, OVERFLOWN]  # bytes
FABRICS: dict[str, dict[str, Any]] = {
    "healthy": {},
    "8 % of cables cut": {**BLIND, "fail": "cables:0.08@0ns", "stallTime": "50ms"},
}

# Longest and mean flow in us, with switches that trim, in the artifact; one run
LONGEST = {
    "ops": [(194.4, 187.1), (194.3, 185.5), (201.1, 185.7), (209.5, 187.5), (255.0, 206.7)],
    "reps": [(184.8, 183.4), (189.9, 184.1), (199.6, 185.0), (205.9, 186.3), (254.8, 206.8)],
}
REFERENCE = {(size, scheme): value for scheme, values in LONGEST.items()
             for size, value in zip([*THRESHOLDS[:4], OVERFLOWN], values)}


def reproduce(study: RepsStudy) -> None:
    tables = {}
    thresholds = study.pick(full=THRESHOLDS, quick=[4000, 16000, 64000])
    acks = {size: attributes("UnorderedAckPolicy", Bytes=size) for size in thresholds}
    for where, faults in FABRICS.items():
        fabric = {**study.pick(full=HOSTS_128, quick=HOSTS_16), **TRIMMING, "size": SIZE, **faults}
        cases = study.cases(PAIR, fabric, ack_bytes=acks)
        _, tables[where] = study.longest(cases, "ack_bytes", {} if faults else REFERENCE)
        study.save(tables[where], "-cut" if faults else "")
    scenario = f"permutation of {spaced(SIZE)}, {study.hosts()} hosts, switches trim"
    note = "" if study.quick else "; hollow: the reference simulator"
    shown = []
    for where, means in tables.items():
        scale = [decades] if means.longest_us.max() > 5 * means.longest_us.min() else []
        shown.append(Panel(where, "received bytes an acknowledgement", "longest flow (us)",
                           (draw_marks, means, "ack_bytes", "longest_us", study.quick),
                           (powers_of_two, means.ack_bytes, lambda size: f"{size // 1000} kB"), *scale))
    study.draw(shown, scenario + note, width=4.8)
    study.claim_both_as_reference(tables["healthy"])
    for where, means in tables.items():
        judge(study, where, means)


def judge(study: RepsStudy, where: str, means: pandas.DataFrame) -> None:
    rows = means[means.marks == ARTIFACT]
    table = rows.pivot(index="ack_bytes", columns="scheme", values="longest_us")
    if not set(PAIR) <= set(table):
        return
    ratio = table.ops / table.reps
    first, last = ratio.index[0], ratio.index[-1]
    if where == "healthy":
        study.claim("an ACK a packet: OPS's longest flow over REPS's", "1.05 +- 0.05", ratio[first],
                    1 <= ratio[first] <= 1.1)
        claim = f"an ACK per {-(-last // PAYLOAD)} packets: REPS falls to OPS, OPS's longest flow over REPS's"
        study.claim(claim, "0.95 to 1.05", ratio[last])
    else:
        for size in (first, last):
            study.claim(f"{where}, an ACK per {size} bytes: OPS's longest flow over REPS's", "above 1", ratio[size])
