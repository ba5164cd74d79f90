# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: an optic whose four NIC links flap (O5 of mrc-incidents)"""

import mrc_paths
import mrc_ports
from mrc import Group, MrcStudy

STUDY = MrcStudy


def reproduce(study):
    study.run_groups([Group(mrc_ports.optics, mrc_ports.judge_optics)])
    study.save_rows(f"links of 100 Gb/s, two leaves, times divided by {mrc_paths.FACTOR}")
