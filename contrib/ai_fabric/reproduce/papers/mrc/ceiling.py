# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""C1 to C3 of MRC's checks: goodput, sizes of fabrics, and latencies. Two published latencies give those of NIC
and switch; the bandwidth of messages of 32 KiB is then predicted."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pandas

from ai_fabric.reproduce.fabrics import attributes, leaf_spine
from ai_fabric.reproduce.papers.mrc import BASE, KIB, Group, case, fabric, rates
from ai_fabric.sweep.runner import RunError

if TYPE_CHECKING:
    from ai_fabric.common.aliases import Options
    from ai_fabric.reproduce.papers.mrc import MrcStudy
    from ai_fabric.sweep.grid import Case

CABLE_NS = 150  # 30 m; not published, and only the sum of a cable and a switch matters
SAME_LEAF_US = 5.09  # M1: 2 bytes to a host of the same leaf
OTHER_LEAF_US = 6.54  # M2: to a host of another leaf
BANDWIDTH = 770  # M3, Gb/s
CEILING = 769.6  # C1, Gb/s: without TSETH
PAIRS = {"same leaf": (0, 1), "other leaf": (0, 5)}
# C3: planes, radix and the most hosts of two tiers
SIZES = [(1, 64, 2048), (2, 128, 8192), (4, 256, 32768), (8, 512, 131072), (4, 512, 131072), (8, 1024, 524288)]


def one_ways(study: MrcStudy, options: Options) -> dict[str, float]:
    """From the post of a message of 2 bytes to its arrival, in ns, to a host of the same leaf and of another."""
    cases = [case(where, {**options, **study.flows(f"two-bytes-{where.split()[0]}", [pair], 1, 2)})
             for where, pair in PAIRS.items()]
    runs = study.run(cases, seeds=1).set_index("case")
    flows = {where: pandas.read_csv(runs.folder[where] / "flows.csv").iloc[0] for where in PAIRS}
    return {where: flow.received_ns - flow.start_ns for where, flow in flows.items()}


def cases(study: MrcStudy) -> list[Case]:
    """Runs without latencies of NIC and switch say which ones the published times call for; all others have these."""
    plain = {**fabric(8, 8), "delay": f"{CABLE_NS}ns"}
    first = one_ways(study, plain)
    switch = ((OTHER_LEAF_US - SAME_LEAF_US) * 1000 - (first["other leaf"] - first["same leaf"])) / 2
    nic = SAME_LEAF_US * 1000 - first["same leaf"] - switch
    options = plain | attributes("FabricSwitch", Latency=f"{switch:.0f}ns")
    options |= attributes("RoceNetDevice", Latency=f"{nic:.0f}ns")
    study.latencies = one_ways(study, options)
    found = [case(f"M3 {where}", {**options, **study.flows(f"write-bw-{where.split()[0]}", [pair], 3000, 32 * KIB)})
             for where, pair in PAIRS.items()]
    return [*found, case("C1", {**fabric(8, 8), **study.flows("ceiling", [(0, 4)], 64, 1024 * KIB)})]


def judge(study: MrcStudy, runs: pandas.DataFrame) -> None:
    ceiling = [rates(folder, 100, 600).iloc[0] for folder in runs.loc[["C1"]].folder]
    study.near("C1", "goodput of 8 x 100 Gb/s (Gb/s)", CEILING, ceiling, 0.5)
    same, other = (study.latencies[where] / 1000 for where in PAIRS)
    study.near("C2", "another leaf minus the same (us)", OTHER_LEAF_US - SAME_LEAF_US, other - same, 0.5)
    study.near("M1", "2 bytes, same leaf (us), calibrated", SAME_LEAF_US, same, 0.5)
    study.near("M2", "2 bytes, other leaf (us), calibrated", OTHER_LEAF_US, other, 0.5)
    for where in PAIRS:
        ours = [rates(folder, 100, 800).iloc[0] for folder in runs.loc[[f"M3 {where}"]].folder]
        study.near("M3", f"32 KiB, {where} (Gb/s), predicted", BANDWIDTH, ours, 2)
    for planes, radix, hosts in SIZES[: study.pick(full=None, quick=2)]:
        # The program counts the hosts of a fabric, which it does not build.
        options = leaf_spine(radix, radix // 2, radix // 2, **BASE, planes=planes)
        command = [study.program, *(f"--{name}={value}" for name, value in options.items()), "--check"]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        match = re.search(r"(\d+) hosts", answer.stdout + answer.stderr)
        if not match:
            raise RunError(f"{study.program} counts no hosts: {answer.stderr.strip()}")
        study.expect("C3", f"hosts of {planes} planes, radix {radix}", hosts, int(match[1]), hosts, hosts)


CEILINGS = Group(cases, judge)
