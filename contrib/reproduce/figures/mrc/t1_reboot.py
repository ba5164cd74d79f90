# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: a T1 that reboots (O4 of mrc-incidents)"""

from papers.mrc import Group, paths, reboot


def reproduce(study):
    study.each(
        lambda study: study.run_groups([Group(paths.reboots, paths.judge_reboots)]),
        lambda study: study.run_groups([reboot], seeds=1),
    )
    study.save_rows(f"links of 100 Gb/s, two leaves, times divided by {paths.FACTOR}")
