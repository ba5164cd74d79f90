# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: ports of NICs that fail, flap, or fail all together (O6, O7, M4 and M5 of mrc-incidents)"""

import mrc_paths
import mrc_ports
from mrc import Group, MrcStudy

STUDY = MrcStudy


def reproduce(study):
    study.run_groups([Group(mrc_ports.both_ways, mrc_ports.judge_both_ways),
                      Group(mrc_ports.flaps, mrc_ports.judge_flaps),
                      Group(mrc_ports.all_ports, mrc_ports.judge_outages)])
    study.save_rows(f"links of 100 Gb/s, two leaves, times divided by {mrc_paths.FACTOR}")
