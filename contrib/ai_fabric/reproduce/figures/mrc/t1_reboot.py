# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: a T1 that reboots (O4 of mrc-incidents)"""

from ai_fabric.reproduce.papers.mrc import paths
from ai_fabric.reproduce.papers.mrc.groups import reproducer

reproduce = reproducer([paths.REBOOTS], once=[paths.LARGE_REBOOTS])
