# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: links between switches that fail and flap (O1 and O3 of mrc-incidents)"""

from ai_fabric.reproduce.papers.mrc import paths
from ai_fabric.reproduce.papers.mrc.groups import reproducer

reproduce = reproducer([paths.BYPASSES, paths.FLAPPING])
