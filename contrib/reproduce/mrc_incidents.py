# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: incidents of production fabrics (O1 to O8), and its tests of ports, paths and switches (M4 to M10)"""

import mrc_jobs
import mrc_paths
import mrc_ports
import mrc_reboot
import mrc_shared
import mrc_sizes
import mrc_switches
from mrc import MrcStudy

STUDY = MrcStudy


def reproduce(study):
    print(f"Times above 1 ms are divided by {mrc_paths.FACTOR}, the two minutes of O4 by {mrc_paths.SHORTER * mrc_paths.FACTOR}.")
    study.each(
        lambda study: study.run_groups([mrc_paths, mrc_ports, mrc_switches, mrc_jobs, mrc_shared, mrc_sizes]),
        lambda study: study.run_groups([mrc_reboot], seeds=1),
    )
    study.save_rows(f"links of 100 Gb/s, two leaves, times divided by {mrc_paths.FACTOR}")
