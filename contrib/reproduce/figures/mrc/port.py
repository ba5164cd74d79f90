# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: ports of NICs that fail, flap, or fail all together (O6, O7, M4 and M5 of mrc-incidents)"""

from papers.mrc import Group, paths, ports


def reproduce(study):
    study.run_groups([Group(ports.both_ways, ports.judge_both_ways),
                      Group(ports.flaps, ports.judge_flaps),
                      Group(ports.all_ports, ports.judge_outages)])
    study.save_rows(f"links of 100 Gb/s, two leaves, times divided by {paths.FACTOR}")
