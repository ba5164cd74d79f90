# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""One link fails at 1 us, and routing learns of it after 100 ms (the failure figures)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas

from ai_fabric.sweep.grid import Case
from ai_fabric.reproduce.papers.ethereal import BALANCED, GAINS, draw_collectives, gain_over

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ai_fabric.common.aliases import Options, Values
    from ai_fabric.reproduce.papers.ethereal import EtherealStudy

RTO_MS = 1
E6_SIZES = [1, 4, 16]  # MB
TIMEOUTS: dict[str, dict[str, tuple[float, float]]] = {  # that a failure adds, by collective and scheme
    "all-to-all": {"ethereal": (0.5, 1.5), "spray": (6, 10)},
    "recursive doubling": {"ethereal": (3, 5), "spray": (16, 32)},
}
REROUTE_MS = 100
FAULT = {"detection": f"{REROUTE_MS}ms", "convergence": f"{REROUTE_MS}ms", "stallTime": "300ms"}
LINKS = {"leaf-spine": "leaf-0:{0}--spine-0:0", "fat-tree": "pod0-edge-0:{0}--pod0-agg-0:0"}
# Those of the authors' runs, and the ones that we add.
SCHEMES = ["ethereal", "spray", "ethereal-reps", "reps", "rr", "ecmp"]


def settings(study: EtherealStudy) -> dict[str, tuple[Values, Mapping[str, Sequence[int]]]]:
    """The options of each fabric and the sizes in MB by collective: the fat-tree in full only."""
    some = {"all-to-all": E6_SIZES, "recursive doubling": [*E6_SIZES, 64]}
    sizes = study.pick_sizes(some)
    fat_tree = study.pick(full=sizes, quick=None, usual={"recursive doubling": E6_SIZES})
    found: dict[str, tuple[Values, Mapping[str, Sequence[int]]]] = {"leaf-spine": (study.leaf_spine(), sizes)}
    return {**found, "fat-tree": (study.fat_tree(), fat_tree)} if fat_tree else found


def with_fault(case: Case, fabric: Options, name: str) -> Case:
    """The case with the first uplink of the first leaf cut."""
    link = LINKS[name].format(fabric["hostsPerLeaf"])
    return Case({**case.labels, "fault": "cut"}, {**case.options, **FAULT, "fail": f"{link}@1us"})


def reproduce(study: EtherealStudy) -> None:
    tables = []
    for name, (fabric, sizes) in settings(study).items():
        whole = study.collectives(SCHEMES, sizes, fabric)
        cases = [Case({**case.labels, "fault": "none"}, case.options) for case in whole]
        cases += [with_fault(case, fabric, name) for case in whole]
        tables.append(study.run(cases).assign(fabric=name))
    means = study.times(pandas.concat(tables), "fabric", "fault")
    study.save(means)
    for name, rows in means[means.fault == "cut"].groupby("fabric", sort=False):
        draw_collectives(study, rows, f"{name}, one uplink cut at 1 us", f"-{name}")
    for name, rows in means.groupby("fabric", sort=False):
        cut, whole = (study.pivot(rows[rows.fault == fault]) for fault in ("cut", "none"))
        judge_gains(study, name, cut)
        judge_e6(study, name, cut, whole)


def judge_gains(study: EtherealStudy, where: str, times: pandas.DataFrame) -> None:
    """P3: with the failure, Ethereal is faster by at least as much as without any."""
    for other, percent in GAINS.items():
        if {"ethereal", other} <= set(times):
            gain = gain_over(other, times)
            name, size = gain.idxmin()
            measured = f"{gain.min():.0f} ({name}, {size} MB) to {gain.max():.0f} %"
            claim, expected = f"{where}, link cut: Ethereal is faster than {other}", f"up to {percent} % or more"
            study.claim(claim, f"at each size, {expected}", measured, gain.min() > 0 and gain.max() >= percent)


def judge_e6(study: EtherealStudy, where: str, cut: pandas.DataFrame, whole: pandas.DataFrame) -> None:
    """E6: what the cut adds, and who waits for routing. cut, whole: times, a column a scheme."""
    added = (cut - whole) / 1000 / RTO_MS
    added = added[added.index.get_level_values("size").isin(E6_SIZES)]
    for name in BALANCED:
        if name in added.index:
            judge_timeouts(study, where, name, added.loc[[name]])
    judge_ends(study, where, cut / 1000)


def judge_timeouts(study: EtherealStudy, where: str, name: str, timeouts: pandas.DataFrame) -> None:
    """E6: what the failure adds, in retransmission timeouts. timeouts: a column a scheme."""
    for scheme, (least, most) in TIMEOUTS[name].items():
        if scheme in timeouts and not study.quick:
            found = timeouts[scheme]
            claim = f"{where}, {name}: timeouts of {RTO_MS} ms that the failure adds, {scheme}"
            holds = found.between(least, most).all() if found.notna().all() else None
            study.claim(claim, f"{least:g} to {most:g}", f"{found.min():.2g} to {found.max():.2g}", holds)


def judge_ends(study: EtherealStudy, where: str, times_ms: pandas.DataFrame) -> None:
    """E6: who goes on before routing has learned of the failure."""
    latest = times_ms.drop(columns="ecmp", errors="ignore").max()
    claim = f"{where}: all but ecmp end before switches know, after {REROUTE_MS} ms"
    measured = f"{latest.max():.1f} ms ({latest.idxmax()})"
    study.claim(claim, f"below {REROUTE_MS} ms", measured, latest.max() < REROUTE_MS)
    if "ecmp" in times_ms:
        least, claim = times_ms["ecmp"].min(), f"{where}: ecmp waits until switches know"
        study.claim(claim, f"above {REROUTE_MS} ms", f"{least:.1f} ms", least > REROUTE_MS)
