# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figures of MRC that are tables of rows: which groups of rows each has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.papers.mrc import ceiling, congestion, cuts, jobs, losses, paths, ports, sizes, switches

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ai_fabric.reproduce.papers.mrc import Group, MrcStudy

CUTS = [cuts.EQUAL_PLANES, cuts.NIC_PORTS, cuts.SWITCHES]
LOSSES = [losses.DEAD_LINKS, losses.LOSSY_LINKS, losses.FLAPPING]
PATHS = [paths.BYPASSES, paths.FLAPPING, paths.REBOOTS, paths.LOSSY]
NIC_PORTS = [ports.BOTH_WAYS, ports.FLAPPING, ports.OUTAGES]

CHECKS = [ceiling.CEILINGS, *CUTS, cuts.RETRANSMISSIONS, *LOSSES, congestion.INCAST, congestion.SHARED_UPLINKS]
INCIDENTS = [*PATHS, ports.OPTICAL, *NIC_PORTS, switches.ELEMENTS, jobs.JOBS, congestion.SHARED_UPLINKS, sizes.SCALINGS]
SCALED = f", times divided by {paths.FACTOR}"
# Those whose verdicts are taken again with other values of what is not published
SENSITIVE = [*CUTS, *LOSSES, congestion.INCAST, paths.BYPASSES, paths.LOSSY, ports.BOTH_WAYS, ports.FLAPPING]


def reproducer(groups: Sequence[Group], once: Sequence[Group] = (), scale: str = SCALED) -> Callable[[MrcStudy], None]:
    """What runs and judges some groups, and others with one run a case."""

    def run(study: MrcStudy, groups: Sequence[Group], seeds: int | None = None) -> None:
        runs = study.run([case for group in groups for case in group.cases(study)], seeds).set_index("case")
        for group in groups:
            group.judge(study, runs)

    def reproduce(study: MrcStudy) -> None:
        study.each(lambda study: run(study, groups), *([lambda study: run(study, once, 1)] if once else []))
        study.draw_rows(f"links of 100 Gb/s, two leaves{scale}")

    return reproduce
