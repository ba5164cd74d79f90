# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""C9, C10 and M9 of MRC: an incast beside a victim, and pairs of hosts that share uplinks and move when marked"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.fabrics import attributes, leaf_spine
from ai_fabric.reproduce.papers.mrc import BASE, GOODPUT, PLANE_BDP, Group, all_rates, case, fabric, rates

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.mrc import MrcStudy
    from ai_fabric.sweep.grid import Case

SENDERS = range(8, 15)
VICTIM = (15, 1)
PATIENT = attributes("MrcRecovery", ReorderSlack="50us")  # longer than what the last hop holds
DEEP = {"buffer": "800kB"}  # 11 BDP of a plane: what seven windows need, so that nothing is trimmed
PAIRS = {"two": 2, "four": 4, "six": 6}
SHARED = "stev:fields=29,3/0/7:explicit=0,1,2,3,4,5,6,7"  # the first one is in use at first


def incasts(study: MrcStudy) -> list[Case]:
    messages = study.pick(full=400, quick=100)
    crowd = study.flows("incast", [*((host, 0) for host in SENDERS), VICTIM], messages)
    alone = study.flows("victim", [VICTIM], messages)
    found = {"C9": crowd, "C9 alone": alone, "C9 deep": {**crowd, **DEEP}, "C9 patient": {**crowd, **PATIENT}}
    return [case(name, {**fabric(16, 4), **more}) for name, more in found.items()]


def judge_incasts(study: MrcStudy, runs: pandas.DataFrame) -> None:
    until = study.pick(full=2000, quick=700)
    fair = 4 * GOODPUT / len(SENDERS)
    for name, words in (("C9", ""), ("C9 deep", ", 11 BDP")):
        ours = [rate / fair for folder in runs.loc[[name]].folder for rate in rates(folder, 50, until).drop(VICTIM)]
        study.near("C9", f"seven to one{words}: share over 1/7", 1, ours, 10)
    victim, alone = (sum(rates(folder, 50, 200)[VICTIM] for folder in runs.loc[[name]].folder)
                     for name in ("C9", "C9 alone"))
    study.expect("C9", "rate of the victim over that alone", 1, victim / alone, 0.99, 1.01)
    for name, words in (("C9", ""), ("C9 patient", ", slack 50 us")):
        rows = runs.loc[[name]]
        last = rows["policies.trimming_last_hop_frames"].sum() / rows.trims.sum()
        study.expect("C9", f"share of trims at the last hop{words}", 1, last, 1, 1)
        study.expect("C9", f"EVs retired{words}", 0, rows["policies.ev_retired"].sum(), 0, 0)
        ours = rows.retransmissions.sum() / rows.trims.sum()
        study.expect("C13", f"incast{words}: retransmitted over trimmed", 1, ours, 1, 1)


def sharing(study: MrcStudy) -> list[Case]:
    """Pairs with one EV each of eight uplinks; with the swap a backup follows each mark. Two pairs have the same one at
    first, as in the published test; the EVs of more pairs are random."""
    base = leaf_spine(2, 8, 8, **BASE, planes=1, marker="step", **attributes("StepMarker", Threshold=PLANE_BDP // 5))
    found = []
    for name, count in PAIRS.items():
        options = {**base, **study.flows("shared", [(host, host + 8) for host in range(count)], 160)}
        for suffix, swap in (("kept", "false"), ("swapped", "true")):
            one = attributes("MrcBalancer", EvTotal=8, EvActive=1, SwapOnSkip=swap)
            one |= attributes("MrcBalancer", Profile=SHARED) if name == "two" else {}
            found.append(case(f"C10 {name} {suffix}", {**options, **one}))
    return found


def judge_sharing(study: MrcStudy, runs: pandas.DataFrame) -> None:
    for name in PAIRS:
        kept, swapped = (runs.loc[[f"C10 {name} {suffix}"]] for suffix in ("kept", "swapped"))
        least, shares = (min(all_rates(kept, 100, 600)) / GOODPUT, [x / GOODPUT for x in all_rates(swapped, 100, 600)])
        study.expect("C10, M9", f"{name} pairs, EVs kept: least share", 0.5, least, 0, 0.55)
        study.near("C10, M9", f"{name} pairs, EVs swapped: share", 1, shares, 2)
        study.expect("C10, M9", f"{name} pairs: windows cut", 0, swapped["policies.nscc_decreases"].sum(), 0, 0)


INCAST = Group(incasts, judge_incasts)
SHARED_UPLINKS = Group(sharing, judge_sharing)
