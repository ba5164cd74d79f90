# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What a cut uplink adds to all-reduces (E6): its options and verdicts."""

from grid import Case
from papers.ethereal import BALANCED

RTO_MS = 1
E6_SIZES = [1, 4, 16]  # MB
REROUTE_MS = 100
FAULT = {"detection": f"{REROUTE_MS}ms", "convergence": f"{REROUTE_MS}ms", "stallTime": "300ms"}
LINKS = {"leaf-spine": "leaf-0:{0}--spine-0:0", "fat-tree": "pod0-edge-0:{0}--pod0-agg-0:0"}


def with_fault(case, fabric, name):
    """The case with the first uplink of the first leaf cut."""
    link = LINKS[name].format(fabric["hostsPerLeaf"])
    return Case({**case.labels, "fault": "cut"}, {**case.options, **FAULT, "fail": f"{link}@1us"})


def judge_e6(study, where, cut, whole):
    """E6: what the cut adds, and who waits for routing. cut, whole: times, a column a scheme."""
    added = (cut - whole) / 1000 / RTO_MS
    added = added[added.index.get_level_values("size").isin(E6_SIZES)]
    for name in BALANCED:
        if name in added.index:
            judge_timeouts(study, where, name, added.loc[[name]])
    judge_ends(study, where, cut / 1000)


def judge_timeouts(study, where, name, timeouts):
    """E6: what the failure adds, in retransmission timeouts. timeouts: a column a scheme."""
    expected = {
        "all-to-all": {"ethereal": (0.5, 1.5), "spray": (6, 10)},
        "recursive doubling": {"ethereal": (3, 5), "spray": (16, 32)},
    }[name]
    for scheme, (least, most) in expected.items():
        if scheme in timeouts and not study.quick:
            found = timeouts[scheme]
            claim = f"{where}, {name}: timeouts of {RTO_MS} ms that the failure adds, {scheme}"
            holds = found.between(least, most).all() if found.notna().all() else None
            study.claim(claim, f"{least:g} to {most:g}", f"{found.min():.2g} to {found.max():.2g}", holds)


def judge_ends(study, where, times_ms):
    """E6: who goes on before routing has learned of the failure."""
    latest = times_ms.drop(columns="ecmp", errors="ignore").max()
    claim = f"{where}: all but ecmp end before switches know, after {REROUTE_MS} ms"
    measured = f"{latest.max():.1f} ms ({latest.idxmax()})"
    study.claim(claim, f"below {REROUTE_MS} ms", measured, latest.max() < REROUTE_MS)
    if "ecmp" in times_ms:
        least = times_ms["ecmp"].min()
        claim = f"{where}: ecmp waits until switches know"
        study.claim(claim, f"above {REROUTE_MS} ms", f"{least:.1f} ms", least > REROUTE_MS)
