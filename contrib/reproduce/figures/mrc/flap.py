# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: links between switches that fail and flap (O1 and O3 of mrc-incidents)"""

from papers.mrc import Group, paths


def reproduce(study):
    study.run_groups([Group(paths.bypasses, paths.judge_bypasses), Group(paths.flaps, paths.judge_flaps)])
    study.save_rows(f"links of 100 Gb/s, two leaves, times divided by {paths.FACTOR}")
