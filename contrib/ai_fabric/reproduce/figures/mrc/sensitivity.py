# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""MRC: which verdicts on checks and incidents change if a value that is not published is another one"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas

from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.sweep.grid import Case
from ai_fabric.reproduce.papers.mrc import RTT_US
from ai_fabric.reproduce.papers.mrc.groups import SENSITIVE
from ai_fabric.plot.style import color, plt

if TYPE_CHECKING:
    from ai_fabric.common.aliases import Values
    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.papers.mrc import MrcStudy

SEEDS = 1  # what matters are the rows, of which each setting has as many
FACTORS = [0.25, 0.5, 2, 4]
DEFAULTS = "defaults"
# By attribute: class, and the value by factor. EVs in use are no more than all, and answers are whole numbers.
PARAMETERS: dict[str, tuple[str, dict[float, object]]] = {
    "ReorderSlack": ("MrcRecovery", {factor: f"{750 * RTT_US * factor:.0f}ns" for factor in FACTORS}),
    "VariationFactor": ("MrcRecovery", {factor: 4 * factor for factor in FACTORS}),
    "SackGenThreshold": ("MrcAckPolicy", {factor: int(16384 * factor) for factor in FACTORS}),
    "AckTimeout": ("MrcQueuePair", {factor: f"{65536 * factor:.0f}ns" for factor in FACTORS}),
    "ProbeInterval": ("MrcBalancer", {factor: f"{1000 * factor:.0f}us" for factor in FACTORS}),
    "ProbeAnswers": ("MrcBalancer", {0.25: 1, 0.5: 2, 2: 6, 4: 12}),
    "EvActive": ("MrcBalancer", {0.25: 32, 0.5: 64, 2: 256}),
    "EvTotal": ("MrcBalancer", {0.5: 128, 2: 512, 4: 1024}),
    "EvMinActive": ("MrcBalancer", {0.25: 16, 0.5: 32, 2: 128}),
}
# Cases that are left out: variants whose names say what they change, and what takes long
LEFT_OUT = (", 11 BDP", "C6 64", "C7 0.01", "C7 0.04", "C8 small")


def settings() -> dict[str, Values]:
    """Options by the name of a setting."""
    found = {f"{name} x {factor:g}": attributes(owner, **{name: value}) for name, (owner, values) in PARAMETERS.items()
             for factor, value in values.items()}
    return {DEFAULTS: {}, **found}


def cases(study: MrcStudy) -> list[Case]:
    """All cases with each setting. What a case sets itself stays."""
    return [Case({**one.labels, "setting": setting}, {**options, **one.options})
            for setting, options in settings().items() for group in SENSITIVE for one in group.cases(study)
            if not any(part in one.labels["case"] for part in LEFT_OUT)]


def reproduce(study: MrcStudy) -> None:
    runs = study.run(cases(study)).set_index("case")
    table = with_changes(pandas.concat([rows_of(study, runs, setting) for setting in settings()]))
    study.save(table)
    rows, columns = table.row.nunique(), table.setting.nunique()
    scenario = "values that are not published, times a factor"
    study.draw([Panel("", "", "", (draw_rows, table))], scenario, width=0.26 * columns + 4.4, height=0.22 * rows + 2)
    judge(study, table)


def rows_of(study: MrcStudy, runs: pandas.DataFrame, setting: str) -> pandas.DataFrame:
    """The rows of one setting, as a table."""
    study.rows = []
    for group in SENSITIVE:
        group.judge(study, runs[runs.setting == setting])
    study.verdicts = []  # those of the other figures
    return study.table_of_rows().assign(setting=setting)


def with_changes(table: pandas.DataFrame) -> pandas.DataFrame:
    """Adds whether a row holds with this setting, and does not with the defaults, or the reverse."""
    table = table.assign(row=table.check + ": " + table.what)
    usual = table[table.setting == DEFAULTS].set_index("row").holds
    return table.assign(changes=table.holds.to_numpy() != usual[table.row].to_numpy())


def draw_rows(axes: Axes, table: pandas.DataFrame) -> None:
    """A row each, a column for each setting: whether it holds, and a cross if that is not so with the defaults."""
    rows, columns = list(dict.fromkeys(table.row)), list(dict.fromkeys(table.setting))
    looks = {True: color(0), False: color(1), None: "#999999"}
    for one in table.itertuples():
        place = (columns.index(one.setting) - 0.5, rows.index(one.row) - 0.5)
        look = {"facecolor": looks[one.holds], "edgecolor": "white", "alpha": 0.75}
        axes.add_patch(plt.Rectangle(place, 1, 1, **look))
        if one.changes:
            axes.plot(place[0] + 0.5, place[1] + 0.5, "kx", markersize=7)
    for holds, word in ((True, "holds"), (False, "does not hold")):
        axes.plot([], [], "s", color=looks[holds], alpha=0.75, markersize=9, label=word)
    axes.plot([], [], "kx", label="other than with the defaults")
    axes.set_xticks(range(len(columns)), columns, rotation=90, fontsize="small")
    axes.set_yticks(range(len(rows)), rows, fontsize="small")
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(visible=False)


def judge(study: MrcStudy, table: pandas.DataFrame) -> None:
    """A verdict for each setting: no row changes."""
    for setting, rows in table.groupby("setting", sort=False):
        if setting == DEFAULTS:
            held = f"{(rows.holds == True).sum()} of {len(rows)}"  # noqa: E712, may be None
            print(f"With the defaults {held} rows hold.")
            continue
        changed = rows[rows.changes]
        names = "".join(f"; {row.row} ({row.ours:.3g})" for row in changed.itertuples())
        study.claim(f"{setting}: no verdict changes", f"0 of {len(rows)}", f"{len(changed)}{names}", changed.empty)
