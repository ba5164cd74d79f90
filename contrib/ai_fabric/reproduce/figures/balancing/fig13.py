# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MSwift congestion control in place of the fixed rate (Fig. 13)"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ai_fabric.plot.charts import draw_law, draw_pairs, draw_schemes, spaced
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.balancing import COMPARED, OVER_BOUND, reference
from ai_fabric.reproduce.study import bytes_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas

    from ai_fabric.reproduce.papers.balancing import BalancingStudy

SIZES = ["1MiB", "16MiB"]
CONTROLS = ["fixed", "m-swift"]
SCHEMES = COMPARED[3:]
STALLS = {"stallTime": "2ms"}

# What MSwift adds to a completion time, in points: little to short messages, about 10 to long ones
# of adaptive schemes, nothing to those of Ofan. How much that is, is our reading.
ADDED = {
    "1MiB": {scheme: (-2, 2) for scheme in SCHEMES},
    "16MiB": {"reps": (5, 15), "switch-ar": (5, 15), "ofan": (-1, 1)},
}

# MSwift's target delay is not published. The panel sweeps what each hop adds to it (ns); the first
# is what ai-fabric-run sets for this fabric.
TARGETS = [955, 700, 500, 400, 300]
QUICK_TARGETS = [955, 400]
JUDGED = 400  # the target whose effect is judged, in nanoseconds
TARGET_SCHEMES = ["reps", "reps-red", "switch-ar", "ofan"]
TARGET_CLAIMS = {"reps-red": (5, 15), "switch-ar": (5, 15), "ofan": (-1, 1)}
TARGET_SEEDS = 3
TICKS = [0, 5, 10, 20, 50, 100]  # points, of the axis


def reproduce(study: BalancingStudy) -> None:
    sizes = {size: {"size": size} for size in study.pick(full=SIZES, quick=SIZES[:1])}
    cases = study.sweep(STALLS, control={name: {"rateControl": name} for name in CONTROLS}, scheme=SCHEMES,
                        message=sizes)
    means = study.tabulate(cases, ["message", "scheme", "control"], ["increase_percent", "max_queue_data_packets"])
    radix = {CONTROLS[0]: study.k}  # the reference model has no congestion control
    means = reference.beside(means, lambda row: (radix.get(row.control, 0), "permutation", bytes_of(row.message)))
    means = with_claims(means)
    study.save(means)
    shown = [Panel(f"permutation, {spaced(size)} a message", OVER_BOUND, "",
                   (draw_pairs, rows, "increase_percent", "control", CONTROLS))
             for size, rows in means.groupby("message", sort=False)]
    study.draw(shown, study.network, height=0.5 * means.scheme.nunique() + 1)
    judge(study, means)
    sweep_targets(study, [*sizes][-1])


def sweep_targets(study: BalancingStudy, size: str) -> None:
    """What MSwift adds to messages of a size, by what each hop adds to its target delay."""
    schemes = {name: study.options_of(name) for name in TARGET_SCHEMES if not study.only or name in study.only}
    if not schemes:
        return
    options = {0: {"rateControl": CONTROLS[0]}}
    for target in study.pick(full=TARGETS, quick=QUICK_TARGETS):
        options[target] = {"rateControl": CONTROLS[1], **attributes("MSwiftControl", HopTarget=f"{target}ns")}
    seeds = min(study.seeds, TARGET_SEEDS)
    runs = study.run(study.sweep({**STALLS, "size": size}, scheme=schemes, target_ns=options), seeds)
    fixed = runs[runs.target_ns == 0].set_index(["scheme", "seed"]).increase_percent
    runs = runs[runs.target_ns > 0]
    runs = runs.assign(added_points=runs.increase_percent - [fixed[key] for key in zip(runs.scheme, runs.seed)])
    means = study.means(runs, ["scheme", "target_ns"], ["increase_percent", "added_points", "max_queue_data_packets"])
    study.save(means, "-targets")
    look = {"color": "black", "alpha": 0.06, "label": "adaptive schemes, as claimed"}
    panel = Panel(f"permutation, {spaced(size)} a message", "what each hop adds to the target delay (ns)",
                  "what MSwift adds (points)", (draw_schemes, means, "target_ns", "added_points"),
                  ("axhspan", *TARGET_CLAIMS["switch-ar"], look),
                  (draw_law, means.target_ns, 0 * means.target_ns, "fixed rate"),
                  ("set_yscale", "symlog", {"linthresh": 10}), ("set_ylim", -3), ("set_yticks", TICKS, TICKS),
                  "minorticks_off")
    study.draw([panel], study.network, suffix="-targets", seeds=seeds, width=5.6)
    if size == SIZES[-1]:
        judge_targets(study, means)


def with_claims(means: pandas.DataFrame) -> pandas.DataFrame:
    """Adds what MSwift adds, and from where to where its completion times are as claimed."""
    fixed = means[means.control == CONTROLS[0]].set_index(["message", "scheme"]).increase_percent
    rows = []
    for row in means.itertuples():
        low, high = ADDED[row.message].get(row.scheme, (math.nan, math.nan))
        before = fixed[row.message, row.scheme] if row.control != CONTROLS[0] else math.nan
        rows.append((row.increase_percent - before, before + low, before + high))
    added, least, most = zip(*rows)
    return means.assign(added_points=added, claim_least=least, claim_most=most)


def judge(study: BalancingStudy, means: pandas.DataFrame) -> None:
    for row in means[means.control != CONTROLS[0]].itertuples():
        claim = f"{row.scheme}, {row.message}: what MSwift adds to the completion time, points"
        claim_added(study, claim, row, ADDED[row.message])


def judge_targets(study: BalancingStudy, means: pandas.DataFrame) -> None:
    for row in means[means.target_ns == JUDGED].itertuples():
        claim = f"{row.scheme}, HopTarget {JUDGED} ns: what MSwift adds, points"
        claim_added(study, claim, row, TARGET_CLAIMS)


def claim_added(study: BalancingStudy, claim: str, row: Any, claimed: Mapping[str, tuple[float, float]]) -> None:
    if row.scheme in claimed:
        low, high = claimed[row.scheme]
        expected = f"about 10, {low} to {high}" if low > 0 else f"within {high}"
        study.claim(claim, expected, row.added_points, low <= row.added_points <= high)
