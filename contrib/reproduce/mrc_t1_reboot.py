# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: a T1 that reboots (O4 of mrc-incidents)"""

import mrc_paths
import mrc_reboot
from mrc import Group, MrcStudy

STUDY = MrcStudy


def reproduce(study):
    study.each(
        lambda study: study.run_groups([Group(mrc_paths.reboots, mrc_paths.judge_reboots)]),
        lambda study: study.run_groups([mrc_reboot], seeds=1),
    )
    study.save_rows(f"links of 100 Gb/s, two leaves, times divided by {mrc_paths.FACTOR}")
