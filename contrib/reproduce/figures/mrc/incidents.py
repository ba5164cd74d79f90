# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: incidents of production fabrics (O1 to O8), and its tests of ports, paths and switches (M4 to M10)"""

from papers.mrc import jobs, paths, ports, reboot, shared, sizes, switches


def reproduce(study):
    print(f"Times above 1 ms are divided by {paths.FACTOR}, the two minutes of O4 by {paths.SHORTER * paths.FACTOR}.")
    study.each(
        lambda study: study.run_groups([paths, ports, switches, jobs, shared, sizes]),
        lambda study: study.run_groups([reboot], seeds=1),
    )
    study.save_rows(f"links of 100 Gb/s, two leaves, times divided by {paths.FACTOR}")
