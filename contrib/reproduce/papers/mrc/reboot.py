# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""O4 of MRC's incidents at the size of production: one of 256 spines of a plane is down"""

from statistics import mean

from papers.mrc import GOODPUT, KIB, Group, all_rates, attributes, case, cut

CUT_US = 200
PLANES = 2
PATHS = {"": {}, ", all paths in use": attributes("MrcBalancer", EvTotal=512, EvActive=512)}


def radix_of(study):
    return study.pick(full=512, quick=64)


def window_of(study):
    """What is measured, in us. The 10 ms in which a reboot may cost 0.5 % take a quarter of an hour: they need --full."""
    return study.pick(full=(300, 10200), usual=(300, 800), quick=(300, 800))


def cases(study):
    options = study.stream(radix_of(study), PLANES, window_of(study)[1] + 50, size=256 * KIB)
    dead = {**options, "fail": cut("plane0-spine-3", CUT_US)}
    found = []
    for words, more in PATHS.items():
        found += [case(f"O4{words}, whole", {**options, **more}), case(f"O4{words}, down", {**dead, **more})]
    return found


def judge(study, runs):
    radix = radix_of(study)
    least = 0.995 if radix == 512 else 0.98 * (1 - 2 / radix)
    for words in PATHS:
        whole, down = (mean(all_rates(runs.loc[[f"O4{words}, {state}"]], *window_of(study))) for state in ("whole", "down"))
        study.near("O4", f"radix {radix}{words}: rate over the ceiling", 1, whole / (PLANES * GOODPUT), 2)
        study.expect("O4", f"radix {radix}{words}: share without a spine", 1, down / whole, least, 1.01)


LARGE_REBOOT = Group(cases, judge)
