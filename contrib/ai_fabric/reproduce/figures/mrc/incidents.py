# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: incidents of production fabrics (O1 to O8), and its tests of ports, paths and switches (M4 to M10)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.papers.mrc import paths
from ai_fabric.reproduce.papers.mrc.groups import INCIDENTS, reproducer

if TYPE_CHECKING:
    from ai_fabric.reproduce.papers.mrc import MrcStudy


def reproduce(study: MrcStudy) -> None:
    print(f"Times above 1 ms are divided by {paths.FACTOR}, the two minutes of O4 by {paths.SHORTER * paths.FACTOR}.")
    reproducer(INCIDENTS, once=[paths.LARGE_REBOOTS])(study)
