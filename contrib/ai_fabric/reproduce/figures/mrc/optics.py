# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: an optic whose four NIC links flap (O5 of mrc-incidents)"""

from ai_fabric.reproduce.papers.mrc import ports
from ai_fabric.reproduce.papers.mrc.groups import reproducer

reproduce = reproducer([ports.OPTICAL])
