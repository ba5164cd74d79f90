# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Schedules in GOAL that tests write: as text, and in the binary form that LogGOPSim's txt2bin writes."""

import struct
from dataclasses import dataclass, field

ORDER = "send", "recv", "calc"  # types from 1 on


@dataclass
class Operation:
    """An operation of a rank; what it waits for are indices in the rank."""

    kind: str
    size: int  # bytes, or nanoseconds of a calc
    peer: int = 0
    tag: int = 0
    cpu: int = 0
    nic: int = 0
    ends: list[int] = field(default_factory=list)
    begins: list[int] = field(default_factory=list)
    label: str = ""


def text_of(ranks):
    """The text form; operations without a label are named by their place."""
    lines = [f"num_ranks {len(ranks)}"]
    for rank, operations in enumerate(ranks):
        names = [own.label or f"l{number}" for number, own in enumerate(operations)]
        lines.append(f"rank {rank} {{")
        for name, own in zip(names, operations):
            way = {"send": f"b to {own.peer} tag {own.tag}", "recv": f"b from {own.peer} tag {own.tag}", "calc": ""}
            lines.append(f"{name}: {own.kind} {own.size}{way[own.kind]} cpu {own.cpu}")
            lines[-1] += f" nic {own.nic}" if own.nic else ""
        for name, own in zip(names, operations):
            lines += [f"{name} requires {names[other]}" for other in own.ends]
            lines += [f"{name} irequires {names[other]}" for other in own.begins]
        lines.append("}")
    return "\n".join([*lines, ""])


def binary_of(ranks):
    """The binary form, which has no labels."""
    place = 6 + 16 * len(ranks)
    schedules, table = [], b""
    for operations in ranks:
        schedules.append(schedule_of(operations))
        table += struct.pack("<QQ", place, place + len(schedules[-1]))
        place += len(schedules[-1])
    return struct.pack("<QIBB", 4223, len(ranks), 0, 0) + table + b"".join(schedules)


def schedule_of(operations):
    roots = [number for number, own in enumerate(operations) if not own.ends + own.begins]
    body, appendix = b"", []
    for number, own in enumerate(operations):
        kind = 1 + ORDER.index(own.kind)
        body += struct.pack("<IBIQIBB", len(own.ends + own.begins), kind, own.peer, own.size, own.tag, own.cpu, own.nic)
        for names in "ends", "begins":
            waiting = [i for i, other in enumerate(operations) for name in getattr(other, names) if name == number]
            body += struct.pack("<II", len(waiting), len(appendix))
            appendix += waiting
    head = struct.pack(f"<II{len(roots)}I", len(operations), len(roots), *roots)
    return head + body + struct.pack(f"<{len(appendix)}I", *appendix)
