# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: what a model of it should show (C1 to C13), from goodput and latency to cuts, incasts and lossy links"""

import mrc_ceiling
import mrc_congestion
import mrc_cuts
import mrc_losses
import mrc_shared
from mrc import MrcStudy

STUDY = MrcStudy


def reproduce(study):
    study.run_groups([mrc_ceiling, mrc_cuts, mrc_losses, mrc_congestion, mrc_shared])
    study.save_rows("links of 100 Gb/s, two leaves")
