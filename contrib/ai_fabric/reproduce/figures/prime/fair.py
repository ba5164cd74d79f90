# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PRIME against the best of its rivals: hashed, and on path labels as PRIME itself has them"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy
import pandas

from ai_fabric.plot.charts import spaced
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.prime import ACK_PACKETS, RIVALS
from ai_fabric.reproduce.papers.prime.fair import CASES, CELL, GROUPS, ON_LABELS, TITLES, FairStudy
from ai_fabric.plot.style import scheme_color

if TYPE_CHECKING:
    from ai_fabric.plot.style import Axes

SIZES = ["256KiB", "1MiB", "8MiB"]
LONG = "8MiB"  # has one run a case, as in the reference simulator's tables
HEADLINES = {"healthy": 15, "degraded": 27}  # percent: the largest gains that the paper's abstract claims
MORE_ENTROPIES = ["prime-64", "prime-256"]  # PRIME's round robin over so many entropies, which switches hash
# reps-each: REPS that is told of each packet that an acknowledgement covers
COMPARED = ["ecmp", *RIVALS, *ON_LABELS, "reps-each", "reps-each-direct", "prime", *MORE_ENTROPIES]
STUDY = FairStudy


def reproduce(study: FairStudy) -> None:
    sizes = study.pick(full=SIZES, quick=SIZES[:2])
    acks = study.pick(full=ACK_PACKETS, quick=[1, 4])
    cases_of = lambda size: [one for case in CASES for one in study.cases_of(case, COMPARED, [size], acks)]
    means = pandas.concat([study.measure(cases_of(size), seeds=1 if size == LONG else None) for size in sizes],
                          ignore_index=True)
    study.save(means)
    gains = gains_of(means)
    study.save(gains, "-gains")
    note = f" ({spaced(LONG)}: one)" if LONG in sizes and study.seeds > 1 else ""
    scenario = f"permutation, {study.hosts()} hosts, NSCC{note}"
    draw(study, means, scenario)
    draw_gains(study, gains, scenario)
    judge(study, means, gains)


def by_scheme(means: pandas.DataFrame, column: str = "longest_us") -> pandas.DataFrame:
    """The longest flow by cell, a column a scheme."""
    return means.pivot(index=CELL, columns="scheme", values=column)


def gains_of(means: pandas.DataFrame) -> pandas.DataFrame:
    """By how much PRIME's longest flow is shorter, in percent, than that of REPS and of the best rivals of
    each cell, and of its 99th percentile and goodput those of the best rivals."""
    table = by_scheme(means)
    gains = pandas.DataFrame(index=table.index)
    if "prime" not in table:
        return gains.reset_index()
    for name in ("ecmp", "reps", "reps-direct"):
        if name in table:
            gains[f"over_{name}"] = 100 * (1 - table.prime / table[name])
    for group, names in GROUPS.items():
        names = [name for name in names if name in table]
        if names:
            best = table[names].min(axis=1)
            gains[f"over_best_{group}"] = 100 * (1 - table.prime / best)
            gains[f"best_{group}"] = table[names].idxmin(axis=1)
            p99, goodput = by_scheme(means, "p99_us"), by_scheme(means, "goodput_gbps")
            gains[f"p99_over_best_{group}"] = 100 * (1 - p99.prime / p99[names].min(axis=1))
            gains[f"goodput_over_best_{group}"] = 100 * (goodput.prime / goodput[names].max(axis=1) - 1)
    cells = means[CELL].drop_duplicates()
    return cells.merge(gains.reset_index(), on=CELL)  # in the order of the runs


LINES = {
    "best hashed": ("black", "-"),
    "best on labels": ("black", "--"),
    "reps": (scheme_color("reps"), "-"),
    "reps-direct": (scheme_color("reps"), "--"),
    "prime": (scheme_color("prime"), "-"),
    "prime-64": (scheme_color("prime-1-4"), "-"),
    "prime-256": (scheme_color("prime-1-4"), "--"),
}


def draw(study: FairStudy, means: pandas.DataFrame, scenario: str) -> None:
    """A panel a case and size: REPS, the best rivals, and PRIME."""
    table = by_scheme(means, "over_bound_percent")
    for label, group in (("best hashed", "hashed"), ("best on labels", "direct")):
        names = [name for name in GROUPS[group] if name in table]
        if names:
            table[label] = table[names].min(axis=1)
    shown = []
    for case, size in itertools.product(TITLES, dict.fromkeys(means.message)):
        rows = table.xs((case, size), level=("case", "message")).sort_index()
        shown.append(Panel(f"{spaced(size)}, {TITLES[case]}", "packets per acknowledgement",
                           "longest flow\nover the bound (%)", (draw_lines, rows),
                           ("set_xticks", list(rows.index)), ("set_ylim", 0)))
    study.draw(shown, scenario, rows=len(TITLES), width=4, height=2.9, outer=True)


def draw_lines(axes: Axes, rows: pandas.DataFrame) -> None:
    for name, (color, line) in LINES.items():
        if name in rows:
            axes.plot(rows.index, rows[name], line, color=color, marker=".", label=name)


BARS = {  # of columns: color, label, and name in claims
    "over_reps": (scheme_color("reps"), "over reps", "REPS"),
    "over_best_hashed": ("black", "over the best hashed", "the best hashed rival"),
    "over_best_direct": ("#A0A0A0", "over the best on labels", "the best rival on path labels"),
}


def draw_gains(study: FairStudy, gains: pandas.DataFrame, scenario: str) -> None:
    """A panel a case: PRIME's gain by size and coalescing."""
    if not {*BARS} & {*gains}:
        return
    shown = [Panel(title, "gain of PRIME's longest flow (%)", "flow, packets per ACK",
                   (draw_bars, gains[gains.case == case], HEADLINES.get(case))) for case, title in TITLES.items()]
    height = 0.4 * len(gains) / len(TITLES) + 1.2
    study.draw(shown, scenario, "-gains", width=4.2, height=height, sharey=True, outer=True)


def draw_bars(axes: Axes, rows: pandas.DataFrame, headline: float | None) -> None:
    places = numpy.arange(len(rows))
    for index, (name, (color, label, _)) in enumerate((one for one in BARS.items() if one[0] in rows)):
        axes.barh(places + 0.27 * (index - 1), rows[name], height=0.25, color=color, label=label)
    axes.axvline(0, color="black", linewidth=1)
    if headline:
        axes.axvline(headline, color="black", linestyle="--", linewidth=1, label="the paper's most")
    axes.set_yticks(places, [f"{spaced(row.message)}, {row.packets_per_ack}" for row in rows.itertuples()], fontsize="small")
    axes.set_ylim(sorted(axes.get_ylim(), reverse=True))
    axes.grid(axis="y", visible=False)


def judge(study: FairStudy, means: pandas.DataFrame, gains: pandas.DataFrame) -> None:
    for case, headline in HEADLINES.items():
        for column, (_, _, rival) in BARS.items():
            if column in gains:
                claim = f"{case}: PRIME's largest gain over {rival} reaches the paper's headline, percent"
                judge_headline(study, gains[gains.case == case], column, headline, claim)
    for case in CASES:
        for group, where in (("hashed", "hashed"), ("direct", "on path labels")):
            if (column := f"over_best_{group}") in gains:
                rows = gains[gains.case == case]
                least = rows.loc[rows[column].idxmin()]
                cells = f"in {(rows[column] >= 0).sum()} of {len(rows)}"
                measured = f"{least[column]:.3g} ({least[f'best_{group}']}, {cell_of(least)}); {cells}"
                claim = f"{case}: PRIME is no worse than the best rival {where} in each cell, least gain in percent"
                study.claim(claim, "0 or more", measured, least[column] >= 0)
    judge_entropies(study, means)


def judge_headline(study: FairStudy, gains: pandas.DataFrame, column: str, headline: float, claim: str) -> None:
    """The largest gain, and the number of cells whose gain is at least that of the paper."""
    most = gains.loc[gains[column].idxmax()]
    reached = (gains[column] >= headline).sum()
    where = f"; in {reached} of {len(gains)} cells" if reached else ""
    study.claim(claim, f"{headline} or more", f"{most[column]:.3g} ({cell_of(most)}){where}", reached > 0)


def cell_of(row: Any) -> str:
    return f"{row.message}, an ACK per {row.packets_per_ack}"


def judge_entropies(study: FairStudy, means: pandas.DataFrame) -> None:
    """With hashed entropies, PRIME's round robin is no better than REPS; more of them shorten its tail."""
    table = by_scheme(means)
    cell = ("healthy", "1MiB", 4)
    if cell not in table.index or not {"prime-64", "reps"} <= set(table):
        return
    row, where = table.loc[cell], "healthy, 1 MiB, an ACK per 4"
    study.claim(f"{where}: PRIME over 64 hashed entropies is no better than REPS, us", f"{row['reps']:.3g} or more",
                row["prime-64"], row["prime-64"] >= row["reps"])
    claim = "the same: 256 hashed entropies are better than 64, and the 8 parts than both, us"
    study.claim_order(claim, "prime < prime-256 < prime-64", row)
