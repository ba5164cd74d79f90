# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: links between switches that fail and flap (O1 and O3 of mrc-incidents)"""

import mrc_paths
from mrc import Group, MrcStudy

STUDY = MrcStudy


def reproduce(study):
    study.run_groups([Group(mrc_paths.bypasses, mrc_paths.judge_bypasses), Group(mrc_paths.flaps, mrc_paths.judge_flaps)])
    study.save_rows(f"links of 100 Gb/s, two leaves, times divided by {mrc_paths.FACTOR}")
