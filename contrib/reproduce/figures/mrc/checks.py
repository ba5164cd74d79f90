# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: what a model of it should show (C1 to C13), from goodput and latency to cuts, incasts and lossy links"""

from papers.mrc import ceiling, congestion, cuts, losses, shared


def reproduce(study):
    study.run_groups([ceiling, cuts, losses, congestion, shared])
    study.save_rows("links of 100 Gb/s, two leaves")
