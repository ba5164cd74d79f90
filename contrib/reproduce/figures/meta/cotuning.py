# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Tuning of the collective library and the racks together: each knob alone, all of them, and all but one"""

import random

import pandas

from charts import finish, panels
from grid import Case
from papers.meta import LOSSLESS, SPACE, fabric, queue_pairs
from style import color

ADMISSION = f"{SPACE}ReceiverAdmission::"
PCIE = f"{SPACE}PcieReader::"
# By knob: what is untuned, and what is tuned.
KNOBS = {
    "slice": ({f"{ADMISSION}SlotBytes": 65536}, {f"{ADMISSION}SlotBytes": 524288}),
    "topology": ({"algorithm": "ring"}, {"algorithm": "halving-doubling"}),
    "channels": ({"channels": 2}, {"channels": 16}),
    "CTS class": ({f"{ADMISSION}CtsDscp": 26}, {f"{ADMISSION}CtsDscp": 56}),
    "queue pairs": ({}, queue_pairs(16, "round-robin")),
    "slots": ({"receiverAdmission": 1}, {"receiverAdmission": 8}),
    "PCIe rate": ({f"{PCIE}Rate": "280Gb/s"}, {}),  # 0.7 of the line
    "read credits": ({f"{PCIE}ReadCredits": 68}, {f"{PCIE}ReadCredits": 512}),  # of 512 bytes in 1 us: 0.7 of it, 5 times it
}
TREE = "tree"
REFERENCE = "reference"
ADAPTIVE = {"balancer": "switch-ar"}  # adaptive routing of each packet, as InfiniBand has it


def options(tuned):
    """The options with these knobs tuned and the others not."""
    return {key: value for knob, values in KNOBS.items() for key, value in values[knob in tuned].items()}


def settings():
    """The options by label. A tree is another topology than the tuned one, alone and with all others tuned."""
    every = set(KNOBS)
    found = {("untuned", ""): options(set()), ("tuned", ""): options(every)}
    found |= {("alone", knob): options({knob}) for knob in KNOBS}
    found |= {("all but", knob): options(every - {knob}) for knob in KNOBS}
    found[REFERENCE, ""] = {**options(every - {"queue pairs"}), **ADAPTIVE}
    found["alone", TREE] = {**options(set()), "algorithm": "double-binary-tree"}
    found["all but", TREE] = {**options(every), "algorithm": "double-binary-tree"}
    return found


def make_cases(study):
    racks, nics = study.pick(full=(4, 8), quick=(4, 2))
    order = list(range(racks * nics))
    random.Random(1).shuffle(order)
    scattered = study.write(f"scattered-{racks}x{nics}.txt", order)
    common = {**fabric(racks, nics, nics), **LOSSLESS, "balancer": "e-ecmp", "workload": "all-reduce"}
    common[f"{PCIE}Latency"] = "1us"
    places = {"scattered": {"placement": scattered}, "packed": {}}
    return [
        Case(
            {"size": size, "placement": place, "what": what, "knob": knob}, {**common, **where, "size": size, **chosen}
        )
        for size in study.pick(full=["1MiB", "8MiB"], quick=["256KiB", "1MiB"])
        for place, where in places.items()
        for (what, knob), chosen in settings().items()
    ]


def judge(study, table):
    for (size, place), rows in table.groupby(["size", "placement"], sort=False):
        times = rows.set_index(["what", "knob"]).time_us
        gain = times["untuned", ""] / times["tuned", ""]
        where = f"{size}, {place}"
        study.note("R7", f"{where}: gain of all knobs", "above 2", gain)
        lost = 100 * (1 - times[REFERENCE, ""] / times["untuned", ""])
        what = f"{where}: untuned, bandwidth below that of adaptive routing with a tuned library (%)"
        study.note("R12", what, "above 50", lost)
        alone = (times["untuned", ""] / times["alone"]).sort_values(ascending=False)
        large = [f"{knob} {ratio:.3g}" for knob, ratio in alone.items() if ratio > 2]
        study.claim(f"R7: {where}: knobs that alone gain more than 2 times", "at least one",
                    ", ".join(large) or f"none ({alone.index[0]} {alone.iloc[0]:.3g})", bool(large))  # fmt: skip


def draw(study, table):
    names = [*KNOBS, TREE]
    groups = list(table.groupby(["size", "placement"], sort=False))
    figure, axes = panels(2, 2, width=5.2)
    for panel, ((size, place), rows) in zip(axes, groups):
        times = rows.set_index(["what", "knob"]).time_us
        gains = {
            "alone": [times["untuned", ""] / times["alone", knob] for knob in names],
            "lost if all but this one are tuned": [times["all but", knob] / times["tuned", ""] for knob in names],
        }
        for index, (label, values) in enumerate(gains.items()):
            places = [at + (index - 0.5) * 0.38 for at in range(len(names))]
            panel.bar(places, values, 0.38, color=color(index), label=label)
        panel.axhline(1, color="k", linewidth=0.8)
        panel.set_xticks(range(len(names)), [name.replace(" ", "\n") for name in names], fontsize=7)
        gain = times["untuned", ""] / times["tuned", ""]
        panel.set_title(f"{size}, {place}: all together {gain:.3g} times", fontsize=9)
        panel.set_ylabel("gain (times)")
        panel.legend(fontsize=6)
    finish(figure, study, "all-reduce over 4 racks at 400 Gb/s, lossless")


def reproduce(study):
    runs = study.run(make_cases(study), study.pick(full=None, quick=1))
    runs["time_us"] = runs.cct_ns / 1000
    table = study.means(runs, ["size", "placement", "what", "knob"], ["time_us"])
    table = pandas.DataFrame(table)
    judge(study, table)
    study.save(table, "-cases")
    study.save_rows()
    draw(study, table)
