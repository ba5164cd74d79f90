# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""C10 and M9 of MRC: pairs of hosts that share uplinks, and move when they are marked"""

from papers.mrc import BASE, GOODPUT, PLANE_BDP, Group, all_rates, attributes, case

MARK_BYTES = PLANE_BDP // 5
PAIRS = {"two": 2, "four": 4, "six": 6}
SHARED = "stev:fields=29,3/0/7:explicit=0,1,2,3,4,5,6,7"  # the first one is in use at first


def cases(study):
    """Pairs with one EV each of eight uplinks; with the swap a backup follows each mark. Two pairs have the same one at
    first, as in the published test; the EVs of more pairs are random."""
    base = {**BASE, "leaves": 2, "spines": 8, "hostsPerLeaf": 8, "planes": 1}
    base |= {"marker": "step", **attributes("StepMarker", Threshold=MARK_BYTES)}
    found = []
    for name, count in PAIRS.items():
        options = {**base, **study.flows("shared", [(host, host + 8) for host in range(count)], 160)}
        for suffix, swap in (("kept", "false"), ("swapped", "true")):
            one = attributes("MrcBalancer", EvTotal=8, EvActive=1, SwapOnSkip=swap)
            one |= attributes("MrcBalancer", Profile=SHARED) if name == "two" else {}
            found.append(case(f"C10 {name} {suffix}", {**options, **one}))
    return found


def judge(study, runs):
    for name in PAIRS:
        kept, swapped = (runs.loc[[f"C10 {name} {suffix}"]] for suffix in ("kept", "swapped"))
        study.expect("C10, M9", f"{name} pairs, EVs kept: least share", 0.5, min(shares(kept)), 0, 0.55)
        study.near("C10, M9", f"{name} pairs, EVs swapped: share", 1, shares(swapped), 2)
        study.expect("C10, M9", f"{name} pairs: windows cut", 0, swapped["policies.nscc_decreases"].sum(), 0, 0)


def shares(rows):
    return [rate / GOODPUT for rate in all_rates(rows, 100, 600)]


SHARED_UPLINKS = Group(cases, judge)
