# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: what a model of it should show (C1 to C13), from goodput and latency to cuts, incasts and lossy links"""

from ai_fabric.reproduce.papers.mrc.groups import CHECKS, reproducer

reproduce = reproducer(CHECKS, scale="")
