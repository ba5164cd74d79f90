# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The pages of what is shipped: a figure of a paper, and the demo."""

import math
import os
from pathlib import Path
from collections.abc import Sequence
from typing import Any

from ai_fabric.report.forest import Estimate, draw_forest
from ai_fabric.report.html_table import Cell, draw_table
from ai_fabric.runs.made_by import read_command
from ai_fabric.report.markup import Content, Element, tag
from ai_fabric.report.page import KINDS, Page, image
from ai_fabric.report.rows import Row, need, numbers_of, read_rows
from ai_fabric.report.runs_page import add_common, draw_rows, known_runs, run_link, scheme_look

VERDICTS = "-verdicts.csv"
WORDS = {"yes": ("yes", "as expected"), "NO": ("no", "otherwise"), "no": ("no", "otherwise"), "open": ("open", "open")}
MOST_ROWS = 2000  # of a table that is shown


def pictures(folder: Path) -> list[Content]:
    """The pictures in a folder; of one in several formats the vector file."""
    found: dict[str, Path] = {}
    for kind in KINDS:  # the last one wins
        found.update({path.stem: path for path in sorted(folder.glob(f"*{kind}"))})
    return [image(path, path.stem) for path in found.values()]


def draw_verdicts(names: Sequence[str], rows: Sequence[Row]) -> list[Element]:
    shown = ["claim", "holds", *(name for name in names if name not in ("claim", "holds", "quick"))]
    drawn: list[list[Any]] = []
    for row in rows:
        kind, _ = WORDS.get(str(row["holds"]), ("open", ""))
        # Numbers of claims have no common unit: they stay as they are written.
        drawn.append([Cell(str(row[name]), kind=kind if name == "holds" else None) for name in shown])
    return draw_table(["holds?" if name == "holds" else name for name in shown], drawn)


def count_of(rows: Sequence[Row], word: str) -> int:
    return sum(WORDS.get(str(row["holds"]), ("open",))[0] == word for row in rows)


def draw_tables(folder: Path, verdicts: Path) -> list[Content]:
    """The other tables, which the pictures show."""
    parts: list[Content] = []
    for path in sorted(folder.glob("*.csv")):
        names, rows = read_rows(path)
        if path == verdicts or not rows or "start_ns" in names:  # not the flows that runs read
            continue
        table = draw_table(names, [list(row.values()) for row in rows[:MOST_ROWS]], path.stem)
        parts.append(tag("details", tag("summary", path.name, " ", tag("small", f"({len(rows)} rows)")), table))
    return parts


def figure_page(folder: Path, target: Path) -> Page:
    """The page of a figure of a paper."""
    verdicts = sorted(folder.glob(f"*{VERDICTS}"))[0]
    names, rows = read_rows(verdicts, as_text=True)
    need(verdicts, names, "claim", "expected", "measured", "holds")
    name, known = verdicts.name.removesuffix(VERDICTS), read_command(folder)
    title = known.get("title")
    page = Page(title if isinstance(title, str) else name, [f"./fabric reproduce {name}", str(folder)])
    yes, no, undecided = (count_of(rows, word) for word in ("yes", "no", "open"))
    page.answer = [tag("p", f"Of {len(rows)} claims, {yes} came out as expected and {no} did not"
                            + (f"; {undecided} {'is' if undecided == 1 else 'are'} open, as the runs are too few to say."
                               if undecided else "."))]
    if any(row.get("quick") == "yes" for row in rows):
        page.warnings.append("This was --quick, with a small fabric and few runs. The claims are about the full size: "
                             "conclude nothing from a NO.")
    page.add("Figures", pictures(folder))
    page.add("Claims", draw_verdicts(names, rows))
    page.add("Tables", draw_tables(folder, verdicts))
    noted = known.get("runs")
    labels = [dict(run) for run in noted if isinstance(run, dict)] if isinstance(noted, list) else []
    folders = [Path(os.path.normpath(folder / str(run.pop("folder", "")))) for run in labels]
    if all(run.get("completed") for run in labels):
        labels = [{key: value for key, value in run.items() if key != "completed"} for run in labels]
    runs = {run.folder: run for run in known_runs(folders)}
    add_common(page, list(runs.values()))
    if folders:
        shown = [{**(runs[path].results if path in runs else {}), **run} for path, run in zip(folders, labels)]
        page.add("Runs", draw_rows(list(dict.fromkeys(key for run in labels for key in run)), shown, folders, target))
    command = known.get("command") or ["./fabric", "reproduce", name]
    page.commands.append(("Repeat the figure. Runs that are there are not run again.", command))
    if folders:
        page.commands.append(("Repeat its first run.", ["./fabric", "run", f"--config={folders[0]}/run.json"]))
    return page


def demo_page(folder: Path, target: Path) -> Page:
    """The page of the demo."""
    path = folder / "demo.csv"
    names, rows = read_rows(path)
    need(path, names, "scheme", "runs", "cct_us", "increase_percent")
    page = Page("Load balancers on one fabric, each host sending to another one", [str(folder)])
    rows = sorted(rows, key=lambda row: numbers_of(row, "increase_percent")[0])
    best, worst = (f"{row['scheme']} ({numbers_of(row, 'increase_percent')[0]:.1f} %)" for row in (rows[0], rows[-1]))
    page.answer = [tag("p", f"The shortest completion time over the lower bound is that of {best}, the longest that of "
                            f"{worst}; means of {rows[0]['runs']} runs, each with another permutation.")]
    estimates = []
    for index, row in enumerate(rows):
        value, low, high = numbers_of(row, "increase_percent", "increase_percent_low95", "increase_percent_high95")
        name = str(row["scheme"])
        text = f"{value:.1f} %" if math.isfinite(value) else "-"
        estimates.append(Estimate(name, value, low, high, scheme_look(name, index), text))
    note = f"Means of {rows[0]['runs']} runs; lines are 95 % intervals." if rows[0]["runs"] != 1 else "One run each."
    known = read_command(folder)
    note += f" {known['about']}." if isinstance(known.get("about"), str) else ""
    page.add("Figures", draw_forest("Completion time over the lower bound", "%", {"": estimates}, note))
    others = [image(folder / f"{name}.png", name) for name in ("queues", "links") if (folder / f"{name}.png").is_file()]
    page.add("Figures", others)
    folders = [path.parent for path in sorted(folder.glob("*/run.json")) + sorted(folder.glob("*/run-*/run.json"))]
    add_common(page, known_runs(folders))
    drawn = [[run_link(folder / str(row["scheme"]), target, str(row["scheme"])), *list(row.values())[1:]] for row in rows]
    page.add("Schemes", draw_table(names, drawn, "schemes"))
    page.commands.append(("Repeat the demo.", known.get("command") or ["./fabric", "demo"]))
    return page
