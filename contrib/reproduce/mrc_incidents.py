# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: incidents of production fabrics (O1, O3 to O7), and its tests of ports and paths (M4, M5, M8, M9)"""

import mrc_paths
import mrc_ports
import mrc_reboot
import mrc_shared
from mrc import MrcStudy

STUDY = MrcStudy


def reproduce(study):
    print(f"Times above 1 ms are divided by {mrc_paths.FACTOR}, the two minutes of O4 by {mrc_paths.SHORTER * mrc_paths.FACTOR}.")
    study.run_groups([mrc_paths, mrc_ports, mrc_shared])
    study.run_groups([mrc_reboot], seeds=1)
    study.save_rows(f"links of 100 Gb/s, two leaves, times divided by {mrc_paths.FACTOR}")
