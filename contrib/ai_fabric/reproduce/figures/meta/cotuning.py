# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Tuning of the collective library and the racks together: each knob alone, all of them, and all but one"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pandas

from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.meta import LOSSLESS, draw_groups, fabric, queue_pairs

if TYPE_CHECKING:
    from collections.abc import Collection

    from ai_fabric.common.aliases import Values
    from ai_fabric.reproduce.papers.meta import MetaStudy
    from ai_fabric.sweep.grid import Case

# By knob: what is untuned, and what is tuned.
KNOBS: dict[str, tuple[Values, ...]] = {
    "slice": tuple(attributes("ReceiverAdmission", SlotBytes=size) for size in (65536, 524288)),
    "topology": ({"algorithm": "ring"}, {"algorithm": "halving-doubling"}),
    "channels": ({"channels": 2}, {"channels": 16}),
    "CTS class": tuple(attributes("ReceiverAdmission", CtsDscp=dscp) for dscp in (26, 56)),
    "queue pairs": ({}, queue_pairs(16, "round-robin")),
    "slots": ({"receiverAdmission": 1}, {"receiverAdmission": 8}),
    "PCIe rate": (attributes("PcieReader", Rate="280Gb/s"), {}),  # 0.7 of the line
    # Of 512 bytes in 1 us: 0.7 of the line, and 5 times it.
    "read credits": tuple(attributes("PcieReader", ReadCredits=credits) for credits in (68, 512)),
}
TREE = "tree"
REFERENCE = "reference"
# Adaptive routing of each packet, as InfiniBand has it: receivers take packets in any order
ADAPTIVE = {"balancer": "switch-ar", "recovery": "oracle", "ackPolicy": "per-packet"}
BY = ["size", "placement", "what", "knob"]
ALONE, LOST = "alone", "lost if all but this one are tuned"  # of the names of bars


def options(tuned: Collection[str]) -> Values:
    """The options with these knobs tuned and the others not."""
    return {key: value for knob, values in KNOBS.items() for key, value in values[knob in tuned].items()}


def settings() -> dict[tuple[str, str], Values]:
    """The options by label. A tree is another topology than the tuned one, alone and with all others tuned."""
    every = set(KNOBS)
    found = {("untuned", ""): options(set()), ("tuned", ""): options(every)}
    found |= {("alone", knob): options({knob}) for knob in KNOBS}
    found |= {("all but", knob): options(every - {knob}) for knob in KNOBS}
    found[REFERENCE, ""] = {**options(every - {"queue pairs"}), **ADAPTIVE}
    found["alone", TREE] = {**options(set()), "algorithm": "double-binary-tree"}
    found["all but", TREE] = {**options(every), "algorithm": "double-binary-tree"}
    return found


def make_cases(study: MetaStudy) -> list[Case]:
    racks, nics = study.pick(full=(4, 8), quick=(4, 2))
    order = list(range(racks * nics))
    random.Random(1).shuffle(order)
    places = {"scattered": {"placement": study.write(f"scattered-{racks}x{nics}.txt", order)}, "packed": {}}
    common = {**fabric(racks, nics, nics), **LOSSLESS, **attributes("PcieReader", Latency="1us"), "balancer": "e-ecmp",
              "workload": "all-reduce"}
    sizes = {size: {"size": size} for size in study.pick(full=["1MiB", "8MiB"], quick=["256KiB", "1MiB"])}
    cases = study.sweep(common, size=sizes, placement=places, setting=settings())
    for case in cases:
        labels: dict[str, Any] = {**case.labels}
        labels["what"], labels["knob"] = labels.pop("setting")
        case.labels = labels
    return cases


def judge(study: MetaStudy, table: pandas.DataFrame) -> None:
    for (size, place), rows in table.groupby(["size", "placement"], sort=False):
        times = rows.set_index(["what", "knob"]).time_us
        where, untuned = f"{size}, {place}", times["untuned", ""]
        study.note("R7", f"{where}: gain of all knobs", "above 2", untuned / times["tuned", ""])
        what = f"{where}: untuned, bandwidth below that of adaptive routing with a tuned library (%)"
        study.note("R12", what, "above 50", 100 * (1 - times[REFERENCE, ""] / untuned))
        alone = (untuned / times["alone"]).sort_values(ascending=False)
        large = [f"{knob} {ratio:.3g}" for knob, ratio in alone.items() if ratio > 2]
        study.claim(f"R7: {where}: knobs that alone gain more than 2 times", "at least one",
                    ", ".join(large) or f"none ({alone.index[0]} {alone.iloc[0]:.3g})", bool(large))


def gains_of(study: MetaStudy, runs: pandas.DataFrame) -> pandas.DataFrame:
    """Means over the seeds of the gain of a knob, alone, and of what is lost if all but this one are tuned."""
    times = runs.pivot(index=["size", "placement", "seed"], columns=["what", "knob"], values="time_us")
    found = []
    for knob in [*KNOBS, TREE]:
        ratios = {ALONE: times["untuned", ""] / times["alone", knob], LOST: times["all but", knob] / times["tuned", ""]}
        found += [ratio.rename("gain").reset_index().assign(knob=knob.replace(" ", "\n"), what=what, completed=True)
                  for what, ratio in ratios.items()]
    return study.means(pandas.concat(found), BY, ["gain"])


def panel(where: tuple[str, str], gains: pandas.DataFrame, times: pandas.Series) -> Panel:
    tuned = times[(*where, "untuned", "")] / times[(*where, "tuned", "")]
    rows = gains[(gains["size"] == where[0]) & (gains.placement == where[1])]
    return Panel(f"{', '.join(where)}: all together {tuned:.3g} times", "", "gain (times)",
                 (draw_groups, rows, "knob", "what", "gain", 7), ("axhline", 1, {"color": "k", "linewidth": 0.8}), "legend")


def reproduce(study: MetaStudy) -> None:
    runs = study.run(make_cases(study))
    table, gains = study.means(runs, BY, ["time_us"]), gains_of(study, runs)
    judge(study, table)
    study.save(table, "-cases")
    study.save_rows()
    times = table.set_index(BY).time_us
    shown = [panel(where, gains, times) for where in dict.fromkeys(zip(table["size"], table.placement))]
    study.draw(shown, "all-reduce over 4 racks at 400 Gb/s, lossless", rows=2, width=5.2)
