# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: an optic whose four NIC links flap (O5 of mrc-incidents)"""

from papers.mrc import Group, paths, ports


def reproduce(study):
    study.run_groups([Group(ports.optics, ports.judge_optics)])
    study.save_rows(f"links of 100 Gb/s, two leaves, times divided by {paths.FACTOR}")
