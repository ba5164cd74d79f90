# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""C9 of MRC's checks: an incast beside a victim"""

from papers.mrc import GOODPUT, Group, attributes, case, fabric, rates

SENDERS = range(8, 15)
VICTIM = (15, 1)
PATIENT = attributes("MrcRecovery", ReorderSlack="50us")  # longer than what the last hop holds
DEEP = {"buffer": "800kB"}  # 11 BDP of a plane: what seven windows need, so that nothing is trimmed


def cases(study):
    messages = study.pick(full=400, quick=100)
    pairs = [(host, 0) for host in SENDERS]
    options = fabric(16, 4)
    crowd = study.flows("incast", [*pairs, VICTIM], messages)
    alone = study.flows("victim", [VICTIM], messages)
    found = {"C9": crowd, "C9 alone": alone, "C9 deep": {**crowd, **DEEP}, "C9 patient": {**crowd, **PATIENT}}
    return [case(name, {**options, **more}) for name, more in found.items()]


def judge(study, runs):
    until = study.pick(full=2000, quick=700)
    fair = 4 * GOODPUT / len(SENDERS)
    for name, words in (("C9", ""), ("C9 deep", ", 11 BDP")):
        ours = [rate / fair for folder in runs.loc[[name]].folder for rate in rates(folder, 50, until).drop(VICTIM)]
        study.near("C9", f"seven to one{words}: share over 1/7", 1, ours, 10)
    victim = [rates(folder, 50, 200)[VICTIM] for folder in runs.loc[["C9"]].folder]
    alone = [rates(folder, 50, 200)[VICTIM] for folder in runs.loc[["C9 alone"]].folder]
    study.expect("C9", "rate of the victim over that alone", 1, sum(victim) / sum(alone), 0.99, 1.01)
    for name, words in (("C9", ""), ("C9 patient", ", slack 50 us")):
        rows = runs.loc[[name]]
        last = rows["policies.trimming_last_hop_frames"].sum() / rows.trims.sum()
        study.expect("C9", f"share of trims at the last hop{words}", 1, last, 1, 1)
        study.expect("C9", f"EVs retired{words}", 0, rows["policies.ev_retired"].sum(), 0, 0)
        ours = rows.retransmissions.sum() / rows.trims.sum()
        study.expect("C13", f"incast{words}: retransmitted over trimmed", 1, ours, 1, 1)


INCAST = Group(cases, judge)
