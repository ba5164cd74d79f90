# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The page of several runs, and what all pages of many runs have in common."""

import os
import re
from collections import Counter
from pathlib import Path
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ai_fabric.runs.comparison import differing, sections_of
from ai_fabric.report.forest import Estimate, draw_forest
from ai_fabric.report.html_table import Cell, draw_table, short
from ai_fabric.report.markup import Content, Element, tag
from ai_fabric.report.page import Page
from ai_fabric.plot.palette import SCHEMES, color
from ai_fabric.report.run_page import NS_PER_US, versions_of, warnings_of
from ai_fabric.runs.summary_file import SummaryFile
from ai_fabric.report.target import link_of_run

MOST_COMPARED = 6  # runs beside each other
MOST_COLUMNS = 8  # of options that differ
MOST_NAMED = 3  # options that are the name of a run
MOST_DRAWN = 40  # runs in a figure
MOST_WARNINGS = 8
NUMBER = re.compile(r"\d+(?:\.\d+)?")
RESULTS = {  # columns of a table of runs: results, and what they are called
    "cct_ns": "completion (us)",
    "increase_percent": "over bound (%)",
    "max_queue_packets": "fullest queue",
    "drops": "drops",
    "trims": "trims",
    "link_losses": "lost on links",
    "retransmissions": "retransmissions",
    "timeouts": "timeouts",
    "failed_messages": "failed messages",
}
ALWAYS = "cct_ns", "increase_percent", "max_queue_packets", "drops"


def scheme_look(name: str, index: int) -> str:
    """The color of a scheme."""
    return SCHEMES[name][0] if name in SCHEMES else color(index)


def result_columns(rows: Sequence[dict[str, Any]], more: Sequence[str] = ()) -> dict[str, str]:
    """The results that a table shows: those that count, and counters that are not 0 everywhere."""
    wanted = {**{name: name for name in more}, **RESULTS}
    return {
        name: RESULTS.get(name, name)
        for name in wanted
        if any(row.get(name) not in (None, "", 0) for row in rows) or (name in ALWAYS and any(name in row for row in rows))
    }


def result_cell(name: str, value: Any) -> Any:
    if name in ("cct_ns",) and isinstance(value, (int, float)):
        return Cell(f"{value / NS_PER_US:,.2f}", value)
    return None if isinstance(value, (list, dict)) else value


def run_link(folder: Path, target: Path, text: str) -> Cell:
    """A link to a run, or to its folder if it left no results."""
    return Cell(tag("a", text, href=link_of_run(folder, target)), text)


def draw_rows(labels: Sequence[str], rows: Sequence[dict[str, Any]], folders: Sequence[Path], target: Path,
              more: Sequence[str] = ()) -> list[Element]:
    """A table of runs: a link, labels, results, and what went wrong. rows: as sweep.csv has them."""
    results = result_columns(rows, more)
    problems = any(row.get("problem") for row in rows)
    names = ["run", *labels, *results.values(), *(["problem"] if problems else [])]
    drawn = []
    for number, (row, folder) in enumerate(zip(rows, folders), 1):
        cells = [row.get(name, "") for name in labels] + [result_cell(name, row.get(name)) for name in results]
        drawn.append([Cell(tag("a", f"{number}", href=link_of_run(folder, target), title=folder.name), number),
                      *cells, *([row.get("problem")] if problems else [])])
    return draw_table(names, drawn, "runs")


def known_runs(folders: Iterable[Path]) -> list[SummaryFile]:
    """The runs in some folders; those that left no results, or damaged ones, are left out."""
    from ai_fabric.common.program import ScriptError

    found = []
    for folder in folders:
        try:
            found.append(SummaryFile(folder))
        except ScriptError:
            pass
    return found


def warn_of_changes(page: Page, rows: Sequence[dict[str, Any]], folders: Sequence[Path], runs: Sequence[SummaryFile]) -> None:
    """Says of how many rows of a table the runs do not have the results any more."""
    times = {run.folder: run.results.get("cct_ns") for run in runs}
    asked = [(row["cct_ns"], folder) for row, folder in zip(rows, folders) if row.get("cct_ns") not in (None, "")]
    changed = sum(folder not in times or times[folder] != time for time, folder in asked)
    if changed:
        page.warnings.append(f"{changed} of {len(rows)} runs are gone, or were run again with other results than those of the table.")


def united(texts: Sequence[str]) -> str:
    """A text for several that differ in numbers: a number that is not the same in all becomes the least to the most."""
    ranges = [sorted(set(found), key=float) for found in zip(*(NUMBER.findall(text) for text in texts))]
    words = (found[0] if len(found) == 1 else f"{found[0]} to {found[-1]}" for found in ranges)
    return NUMBER.sub(lambda _: next(words), texts[0])


def add_common(page: Page, runs: Sequence[SummaryFile]) -> None:
    """Versions, and the warnings of all runs, each once."""
    versions = Counter(versions_of(run) for run in runs)
    if not runs:
        return
    if page.title != f"{len(runs)} runs":
        page.facts.append(f"{len(runs)} runs" if len(runs) > 1 else "1 run")
    page.facts += [ next(iter(versions))] if len(versions) == 1 else []
    if len(versions) > 1:
        page.warnings.append(f"The runs are of {len(versions)} versions: {', '.join(versions)}.")
    texts: dict[str, list[str]] = {}
    for run in runs:
        for text in warnings_of(run):
            texts.setdefault(NUMBER.sub("#", text), []).append(text)
    for same in sorted(texts.values(), key=len, reverse=True)[:MOST_WARNINGS]:
        page.warnings.append(f"{len(same)} of {len(runs)} runs: {united(same)}" if len(runs) > 1 else same[0])


def common_settings(runs: Sequence[SummaryFile]) -> Content:
    """The options that all runs have in common."""
    if not runs:
        return None
    first = {key: value for key, value in runs[0].parts["options"].items() if key != "out"}
    same = [(key, value) for key, value in first.items() if all(run.parts["options"].get(key) == value for run in runs)]
    if not same:
        return None
    rows = [[key, Cell(str(value))] for key, value in same]
    return [tag("p", "All runs have these options."), draw_table(["option", "value"], rows)]


def draw_difference(value: Any, first: Any) -> Any:
    """A result beside that of the first run."""
    is_number = all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in (value, first))
    if not (is_number and first):
        return Cell(short(value))
    return Cell([short(value), tag("small", f" ({(value / first - 1) * 100:+.1f} %)") if value != first else None])


def short_folders(runs: Sequence[SummaryFile]) -> list[str]:
    """The folders of runs, each without what all have in common."""
    folders = [run.folder.resolve() for run in runs]
    around = os.path.commonpath([folder.parent for folder in folders])
    return [str(folder.relative_to(around)) for folder in folders]


def draw_differences(runs: Sequence[SummaryFile]) -> list[Content]:
    """What differs between a few runs, a column each."""
    parts: list[Content] = []
    sections, left_out = sections_of(runs, with_details=False)
    names = short_folders(runs)
    for title, rows in sections.items():
        if not rows:
            parts.append(tag("p", f"{title}: no difference."))
            continue
        is_result = title == "Results"
        drawn = [[key, *(draw_difference(value, values[0]) if is_result and at else Cell(short(value))
                         for at, value in enumerate(values))] for key, values in rows.items()]
        parts += [tag("h3", title), draw_table(["", *names], drawn)]
    if left_out:
        what = f"{left_out} more results differ, of layers, uplinks and policies: ./fabric compare --all shows them."
        parts.append(tag("p", what, class_="note"))
    return parts


def label_of(run: SummaryFile, keys: Sequence[str]) -> str:
    """What a run is called: what was asked for that others do not have, if that is short."""
    if len(keys) > MOST_NAMED:
        return str(run.folder)
    found = [str(run.find(key) if run.find(key) is not None else run.seed if key == "RngRun" else "-") for key in keys]
    return ", ".join(found) or run.folder.name


def draw_times(runs: Sequence[SummaryFile], labels: Sequence[str], look: Callable[[int], str]) -> Element | None:
    """The completion times of some runs."""
    times = [time for run in runs if isinstance(time := run.results.get("cct_ns"), (int, float))]
    if not 1 < len(runs) <= MOST_DRAWN or len(times) < len(runs):
        return None
    rows = [Estimate(label, time / NS_PER_US, color=look(at), text=f"{time / NS_PER_US:,.2f} us")
            for at, (label, time) in enumerate(zip(labels, times))]
    return draw_forest("Completion times", "us", {"": rows})


def asked_of(runs: Sequence[SummaryFile]) -> dict[str, list[Any]]:
    """What was asked for that runs do not have in common."""
    return differing([run.parts["options"] | {"RngRun": run.seed} | run.inputs for run in runs])


def draw_asked(runs: Sequence[SummaryFile], asked: dict[str, list[Any]], more: Sequence[str], target: Path) -> list[Element]:
    """A table of runs with what was asked for that they do not have in common."""
    rows = [{**run.results, **{key: values[at] for key, values in asked.items()}, "folder": str(run.folder)}
            for at, run in enumerate(runs)]
    return draw_rows([*list(asked)[:MOST_COLUMNS], *more], rows, [run.folder for run in runs], target)


def runs_page(runs: Sequence[SummaryFile], folders: Sequence[Path], target: Path) -> Page:
    """The page of several runs that belong to nothing."""
    page = Page(f"{len(runs)} runs", [", ".join(str(folder) for folder in folders[:MOST_COMPARED])])
    add_common(page, runs)
    asked = asked_of(runs)
    keys = list(asked)[:MOST_COLUMNS]
    times = [(run.results["cct_ns"], run) for run in runs if isinstance(run.results.get("cct_ns"), (int, float))]
    if len(times) > 1:
        (least, best), (most, worst) = min(times, key=lambda one: one[0]), max(times, key=lambda one: one[0])
        page.answer = [tag("p", f"Completion times are from {least / NS_PER_US:,.2f} us ({label_of(best, keys)}) to "
                                f"{most / NS_PER_US:,.2f} us ({label_of(worst, keys)})"
                                + (f", {(most / least - 1) * 100:.1f} % more." if least else "."))]
    labels = [label_of(run, keys) for run in runs]
    schemes = [str(run.find("balancer")) for run in runs]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(schemes))}
    page.add("Figures", draw_times(runs, labels, lambda at: scheme_look(schemes[at], numbers[schemes[at]])))
    if 1 < len(runs) <= MOST_COMPARED:
        page.add("Differences", draw_differences(runs))
    page.add("Runs", draw_asked(runs, asked, ["folder"], target))
    page.add("Settings", common_settings(runs))
    names = [str(run.folder) for run in runs[:MOST_COMPARED]]
    page.commands = [("Repeat one of the runs.", ["./fabric", "run", f"--config={names[0]}/run.json"])]
    if len(names) > 1:
        page.commands.append(("See what differs between them.", ["./fabric", "compare", *names]))
    return page
