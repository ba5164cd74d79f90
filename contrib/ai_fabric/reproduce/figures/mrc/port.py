# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: ports of NICs that fail, flap, or fail all together (O6, O7, M4 and M5 of mrc-incidents)"""

from ai_fabric.reproduce.papers.mrc.groups import NIC_PORTS, reproducer

reproduce = reproducer(NIC_PORTS)
