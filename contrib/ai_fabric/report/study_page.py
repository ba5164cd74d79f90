# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The page of a study."""

import math
from pathlib import Path

from ai_fabric.report.forest import Estimate, draw_forest
from ai_fabric.report.html_table import Cell, draw_table
from ai_fabric.runs.made_by import read_command
from ai_fabric.report.markup import Content, Element, prose, tag
from ai_fabric.common.metric import Metric, metric_of
from ai_fabric.report.page import Page
from ai_fabric.report.rows import need, numbers_of, read_rows
from ai_fabric.report.runs_page import add_common, draw_rows, known_runs, scheme_look, warn_of_changes
from ai_fabric.common.program import ScriptError
from ai_fabric.common.safe_file import read_text

ANSWER = "answer.md"
SETTINGS = "## Settings"


def read_answer(path: Path) -> tuple[str, list[str], list[str]]:
    """The question, the sentences, and the settings."""
    text, _, settings = read_text(path).partition(SETTINGS)
    paragraphs = [part.strip() for part in text.split("\n\n") if part.strip()]
    if not paragraphs:
        raise ScriptError(f"{path}: is empty; a question and its answer are needed")
    question = paragraphs[0].removeprefix("# ")
    lines = [line.removeprefix("- ").strip().strip("`") for line in settings.splitlines() if line.startswith("- ")]
    return question, paragraphs[1:], lines


def draw_sentence(sentence: str, cases: list[str]) -> Element:
    """A sentence of the answer, in which the name of its case stands out."""
    case = next((case for case in cases if sentence.startswith(f"{case}:")), "")
    return tag("p", tag("b", case) if case else None, prose(sentence[len(case) :]))


def interval(low: float, high: float, digits: str) -> str:
    return f" [{low:{digits}}, {high:{digits}}]" if math.isfinite(low) and math.isfinite(high) else ""


def draw_means(folder: Path) -> tuple[Element, Metric, list[str], list[str]]:
    """The means with their intervals, what they are of, the schemes, and the cases."""
    path = folder / "means.csv"
    names, rows = read_rows(path)
    need(path, names, "case", "scheme", "completed")
    at = names.index("completed") + 1
    need(path, names, *(names[at : at + 1] or ["of a metric"]))
    column = names[at]
    sizes = sorted(abs(value) for row in rows for value in numbers_of(row, column) if math.isfinite(value))
    metric = metric_of(column, sizes[len(sizes) // 2] if sizes else 0)
    schemes = list(dict.fromkeys(str(row["scheme"]) for row in rows))
    groups: dict[str, list[Estimate]] = {}
    for row in rows:
        scheme = str(row["scheme"])
        mean, low, high = (value / metric.scale for value in numbers_of(row, column, f"{column}_low95", f"{column}_high95"))
        text = f"{mean:.4g} {metric.unit}" if math.isfinite(mean) else "no run finished"
        look = scheme_look(scheme, schemes.index(scheme))
        groups.setdefault(str(row["case"]), []).append(Estimate(scheme, mean, low, high, look, text))
    counts = sorted({int(value) for row in rows for value in numbers_of(row, "completed") if math.isfinite(value)})
    seeds = " to ".join(map(str, dict.fromkeys([counts[0], counts[-1]]))) if counts else "0"
    note = f"n = {seeds} seeds; lines: 95 % intervals." if seeds != "1" else "n = 1 seed: no intervals."
    what = f"{metric.name} ({metric.unit})" if metric.unit else metric.name
    return draw_forest("Means", what, groups, note), metric, schemes, list(groups)


def draw_differences(folder: Path, metric: Metric, schemes: list[str]) -> Content:
    """The differences, seed by seed."""
    path = folder / "differences.csv"
    names, rows = read_rows(path)
    need(path, names, "case")
    if not rows:
        return None
    need(path, names, "case", "scheme", "beside", "unit", "difference", "low95", "high95")
    percent = rows[0]["unit"] == "percent"
    unit, scale = ("%", 1.0) if percent else (metric.unit, metric.scale)
    groups: dict[str, list[Estimate]] = {}
    for row in rows:
        scheme = str(row["scheme"])
        mean, low, high = (value / scale for value in numbers_of(row, "difference", "low95", "high95"))
        text = f"{mean:+.2f}{interval(low, high, '+.2f')} {unit}" if math.isfinite(mean) else "-"
        look = scheme_look(scheme, schemes.index(scheme) if scheme in schemes else 0)
        groups.setdefault(f"{row['case']}, beside {row['beside']}", []).append(Estimate(scheme, mean, low, high, look, text))
    note = "Paired: the difference of each seed; an interval that has 0 in it leaves the order open."
    return draw_forest("Differences, seed by seed", f"{metric.name} ({unit})", groups, note, zero=0.0)


def draw_settings(lines: list[str]) -> list[Element]:
    """What the study, its cases and its schemes set, and below it what schemes set against the study."""
    rows = [line.partition(": ")[::2] for line in lines if ": " in line]
    table = draw_table(["what", "options"], [[name, Cell(prose(value))] for name, value in rows])
    return table + [tag("p", f"{line}.") for line in lines if ": " not in line]


def study_page(folder: Path, target: Path) -> Page:
    """The page of the study in a folder."""
    question, sentences, settings = read_answer(folder / ANSWER)
    page = Page(question, [str(folder)])
    means, metric, schemes, cases = draw_means(folder)
    page.answer = [draw_sentence(sentence, cases) for sentence in sentences]
    page.add("Figures", tag("div", means, draw_differences(folder, metric, schemes), class_="charts"))
    _, rows = read_rows(folder / "results.csv")
    folders = [folder / str(row.get("folder", "")) for row in rows]
    runs = known_runs(folders)
    add_common(page, runs)
    warn_of_changes(page, rows, folders, runs)
    page.add("Runs", draw_rows(["case", "scheme", "seed"], rows, folders, target, [metric.column]))
    page.add("Settings", draw_settings(settings))
    command = read_command(folder).get("command")
    if command:
        page.commands.append(("Repeat the study. What is there is not run again.", command))
    if folders:
        page.commands.append(("Repeat its first run.", ["./fabric", "run", f"--config={folders[0]}/run.json"]))
    return page
