# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME's parameters: which verdicts change if penalties, their decay and their sharing are other ones"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas

from ai_fabric.plot.charts import powers_of_two
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.prime import RIVALS, prime
from ai_fabric.reproduce.papers.prime.fair import CASES, GROUPS, ON_LABELS, TITLES, FairStudy
from ai_fabric.plot.style import color

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ai_fabric.common.aliases import Values
    from ai_fabric.plot.style import Axes

SIZE = "1MiB"
ACKS = [1, 4]
MARK, LOSS = 8, 32  # PRIME's penalties on this fabric: one round and four, in packets
FACTORS = [0.25, 0.5, 1, 2, 4]
BASE = "prime"
PIECES = 4  # queue pairs from a host to another one, where they share penalties


def with_decay(factor: float) -> Values:
    """PRIME with another decay. One of less than 1 a packet has the options of both penalties times its inverse."""
    if factor >= 1:
        return prime(Decay=int(factor))
    return prime(PEcn=int(MARK / factor), PNack=int(LOSS / factor))


PARAMETERS = {  # options by factor
    "PEcn": lambda factor: prime(PEcn=int(MARK * factor)),
    "PNack": lambda factor: prime(PNack=int(LOSS * factor)),
    "both": lambda factor: prime(PEcn=int(MARK * factor), PNack=int(LOSS * factor)),
    "decay": with_decay,
}
SHARED = {"prime-shared": prime(SharePenaltiesAcrossQps="true")}
NAMES = {f"{parameter} x {factor:g}": options_of(factor) for parameter, options_of in PARAMETERS.items()
         for factor in FACTORS if factor != 1}

# The verdicts: case, packets per acknowledgement, rival, and the least gain that lets them hold, in percent
VERDICTS = {
    "healthy, ACK per 4: 9 % over REPS": ("healthy", 4, ["reps"], 9),
    "healthy, ACK per 4: best hashed rival": ("healthy", 4, GROUPS["hashed"], 0),
    "healthy, ACK per 4: best rival on labels": ("healthy", 4, GROUPS["direct"], 0),
    "degraded, ACK per 1: best hashed rival": ("degraded", 1, GROUPS["hashed"], 0),
    "degraded, ACK per 4: 18 % over REPS": ("degraded", 4, ["reps"], 18),
    "degraded, ACK per 4: best hashed rival": ("degraded", 4, GROUPS["hashed"], 0),
    "degraded, ACK per 4: best rival on labels": ("degraded", 4, GROUPS["direct"], 0),
    "ordered, ACK per 4: REPS": ("ordered", 4, ["reps"], 0),
    "ordered, ACK per 4: best rival on labels": ("ordered", 4, GROUPS["direct"], 0),
}

RIVAL_LINES = {
    "reps": (["reps"], ":"),
    "best hashed": (GROUPS["hashed"], "--"),
    "best on labels": (GROUPS["direct"], "-."),
}


class SensitivityStudy(FairStudy):
    """PRIME with each other value of one parameter."""

    variants = {**FairStudy.variants, **NAMES, **SHARED}


STUDY = SensitivityStudy


def reproduce(study: SensitivityStudy) -> None:
    settings = study.pick(full=list(NAMES), quick=[name for name in NAMES if "x 4" in name])
    schemes = [*RIVALS, *ON_LABELS, "reps-each", "reps-each-direct", BASE, *settings]
    means = study.measure([one for case in CASES for one in study.cases_of(case, schemes, [SIZE], ACKS)])
    study.save(means)
    table = means.pivot(index=["case", "packets_per_ack"], columns="scheme", values="longest_us")
    flips = verdicts_of(table, [BASE, *settings])
    study.save(flips, "-flips")
    scale = (powers_of_two, FACTORS, "{:g}".format)
    shown = [Panel(title, "times the default", "longest flow (us)", (draw_factors, table.loc[(case, 4)]), scale)
             for case, title in TITLES.items()]
    study.draw(shown, f"permutation of {SIZE}, {study.hosts()} hosts, an ACK per 4 packets", width=4.4, outer=True)
    for verdict, rows in flips.groupby("verdict", sort=False):
        others = rows[rows.setting != BASE]
        usual = rows[rows.setting == BASE]
        if others.empty or usual.empty:
            continue
        word = "holds" if usual.holds.iloc[0] else "does not hold"
        changed = others[others.flips]
        names = ", ".join(f"{row.setting} ({row.gain_percent:.3g} %)" for row in changed.itertuples())
        study.claim(f"{verdict} ({word}, {usual.gain_percent.iloc[0]:.3g} %): no other setting changes it",
                    f"0 of {len(others)}", f"{len(changed)} of {len(others)}" + (f": {names}" if names else ""),
                    changed.empty)
    share(study)


def verdicts_of(table: pandas.DataFrame, schemes: Sequence[str]) -> pandas.DataFrame:
    """A row a verdict and setting: the gain, and whether the verdict holds and is another one than PRIME's."""
    rows = []
    for verdict, (case, ack, rivals, least) in VERDICTS.items():
        rivals = [name for name in rivals if name in table]
        for scheme in schemes:
            if not rivals or scheme not in table or BASE not in table or (case, ack) not in table.index:
                continue
            best = table.loc[(case, ack), rivals].min()
            gain, usual = (100 * (1 - table.loc[(case, ack), name] / best) for name in (scheme, BASE))
            rows.append([verdict, scheme, gain, gain >= least, (gain >= least) != (usual >= least)])
    return pandas.DataFrame(rows, columns=["verdict", "setting", "gain_percent", "holds", "flips"])


def draw_factors(axes: Axes, longest: pandas.Series) -> None:
    """The longest flow by the factor of each parameter. longest: by scheme."""
    for index, (parameter, marker) in enumerate(zip(PARAMETERS, "osD^")):
        names = [BASE if factor == 1 else f"{parameter} x {factor:g}" for factor in FACTORS]
        axes.plot(FACTORS, longest.reindex(names), f"{marker}-", color=color(index), alpha=0.8, label=parameter)
    for label, (names, line) in RIVAL_LINES.items():
        least = longest.reindex(names).min()
        if not math.isnan(least):
            axes.axhline(least, color="black", linestyle=line, linewidth=1, label=label)


def share(study: SensitivityStudy) -> None:
    """Each message is split over several queue pairs, which share their penalties or do not."""
    schemes = study.schemes(["reps", "reps-direct", BASE, *SHARED])
    sizes = [study.pick(full="4MiB", quick="2MiB")]  # so that each queue pair has more than it explores with
    split = {"steering": "split", **attributes("SplitSteering", QueuePairs=PIECES)}
    cases = [one for case in ("healthy", "degraded") for one in study.cases_of(case, schemes, sizes, ACKS, **split)]
    means = study.measure(cases)
    study.save(means, "-sharing")
    table = means.pivot(index=["case", "packets_per_ack"], columns="scheme", values="longest_us")
    if {BASE, "prime-shared"} <= set(table):
        for (case, ack), change in (100 * (table["prime-shared"] / table[BASE] - 1)).items():
            claim = f"{case}, {PIECES} queue pairs a pair of hosts, an ACK per {ack}: sharing penalties changes"
            study.claim(f"{claim} PRIME's longest flow, percent", "-5 to 5", change)
