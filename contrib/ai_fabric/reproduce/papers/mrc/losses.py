# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""C7, C8 and C11 of MRC's checks: links that are dead from the start, lossy links, and one that flaps"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.mrc import (
    DETECTION_US, Group, case, cut, ev_interval, fabric, lossy, time_over, uplink, uplink_share, with_faults,
)

if TYPE_CHECKING:
    from pathlib import Path

    import pandas

    from ai_fabric.reproduce.papers.mrc import MrcStudy
    from ai_fabric.sweep.grid import Case

PLANES, RADIX = 8, 64
DEAD = [0.01, 0.02, 0.04]
LOSSES = [0.001, 0.01]
# C8 by size of messages and share of packets lost: what is left of the rate (R2, R3), and the limits
THIRD = (1 / 3, 1 / 4, 5 / 12)
RATES = {("large", 0.001): (1, 0.95, 1.01), ("small", 0.001): (0.95, 0, 0.95),
         ("large", 0.01): THIRD, ("small", 0.01): THIRD}
PERIOD_US = 10000  # 10 s over 1000


def senders(study: MrcStudy) -> int:
    return study.pick(full=16, quick=4)


def dead_links(study: MrcStudy) -> list[Case]:
    """C7, and its middle case with all 256 paths in use."""
    options = study.stream(RADIX, PLANES, 300, senders(study))
    found = [case(f"C7 {share}", {**options, "failRate": share}) for share in study.pick(full=DEAD, quick=DEAD[1:2])]
    return [*found, case("C7 all", {**options, "failRate": DEAD[1], **attributes("MrcBalancer", EvActive=256)})]


def lossy_links(study: MrcStudy) -> list[Case]:
    """C8: rings over all hosts, each step of which crosses a spine; all links of hosts lose packets."""
    small = study.pick(full=(4, 16, "16MiB"), quick=(2, 4, "1MiB"))
    large = 2, 4, study.pick(full="64MiB", quick="16MiB")
    found = []
    for name, (leaves, each, size) in {"small": small, "large": large}.items():
        ring = {**fabric(32, 4, each), "leaves": leaves, "workload": "all-reduce", "size": size}
        ring |= study.crossing_ring(leaves, each, each)
        for share in [0, *LOSSES]:
            found.append(case(f"C8 {name} {share}", {**ring, **lossy(leaves * each, share)}))
    return found


def flaps(study: MrcStudy) -> list[Case]:
    """C11: hosts that fill a quarter of the uplinks, one of which is down for half of each period."""
    period = study.pick(full=PERIOD_US, quick=1000)
    return with_faults("C11", study.stream(32, 2, period, hosts=4), flap=cut(uplink(0, 3), 0.1 * period, 0.6 * period))


def judge_lossy_links(study: MrcStudy, runs: pandas.DataFrame) -> None:
    for (name, share), (expected, low, high) in RATES.items():
        if f"C8 {name} 0" in runs.index:
            ours = time_over(runs, f"C8 {name} 0", f"C8 {name} {share}")
            study.expect("C8", f"ring, {name} messages, {100 * share:g} % lost: share", expected, ours, low, high)


def judge_dead_links(study: MrcStudy, runs: pandas.DataFrame) -> None:
    pairs = senders(study)
    for name, rows in runs[runs.index.str.startswith("C7")].groupby(level=0, sort=False):
        dead = [dead_share(folder) for folder in rows.folder]
        if name == "C7 all":
            active, words, expected = 256, "all 256 EVs in use", 256 * sum(dead)
        else:
            active, words = 128, f"{100 * float(name.split()[1]):g} % of links dead"
            expected = sum(128 * share / (1 - share) for share in dead)  # a backup may be dead, too
        retired = rows["policies.ev_retired"].sum() / pairs
        study.near("C7", f"{words}: EVs retired over expected", 1, retired / expected, 20)
        packets = DETECTION_US / ev_interval(active, PLANES) + 1 / 2  # of an EV, until its loss is detected
        lost = rows.retransmissions.sum() / pairs
        study.near("C7", f"{words}: packets lost over expected EVs", packets, lost / expected, 20)


def dead_share(folder: Path) -> float:
    """The share of the paths from leaf 0 to leaf 1 that have a dead link."""
    links = json.loads((folder / "run.json").read_text())["results"]["failed_links"]
    spines = {link.split("--")[1].split(":")[0] for link in links}
    return len(spines) / (PLANES * RADIX / 2)


def judge_flap(study: MrcStudy, runs: pandas.DataFrame) -> None:
    longer = 100 * (time_over(runs, "C11 flap", "C11") - 1)
    study.expect("C11", "longer by a flapping link (%)", 0.1, longer, -0.1, 0.1)
    shares = [uplink_share(folder, 3) for folder in runs.loc[["C11 flap"]].folder]
    study.expect("C11", "bytes of that link over the mean link", 0.5, shares, 0, 0.5)


DEAD_LINKS = Group(dead_links, judge_dead_links)
LOSSY_LINKS = Group(lossy_links, judge_lossy_links)
FLAPPING = Group(flaps, judge_flap)
