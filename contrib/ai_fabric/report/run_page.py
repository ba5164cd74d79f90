# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The page of one run."""

from datetime import datetime
from pathlib import Path
from collections.abc import Sequence
from typing import Any

from ai_fabric.report.chart import draw_chart
from ai_fabric.report.markup import Content, Element, prose, tag
from ai_fabric.common.metric import metric_of
from ai_fabric.plot.slowdowns import has_sizes, slowed, tabulate_slowdown
from ai_fabric.report.page import Page
from ai_fabric.report.run_charts import charts_of
from ai_fabric.runs.run_data import Run, describe
from ai_fabric.runs.run_json import flatten
from ai_fabric.runs.summary_file import SummaryFile
from ai_fabric.report.html_table import Cell, draw_table, short
from ai_fabric.report.target import href

NS_PER_US = 1e3
TILES = {  # results that stand first, what they are called, and their unit
    "increase_percent": ("over the lower bound", " %"),
    "max_queue_packets": ("packets in the fullest queue", ""),
    "drops": ("packets dropped", ""),
    "link_losses": ("frames lost on links", ""),
    "retransmissions": ("retransmissions", ""),
    "trims": ("packets trimmed", ""),
    "timeouts": ("timeouts", ""),
}
MILLION = 1_000_000
MOST_TILES = 6
MOST_EVENTS = 500
MOST_MESSAGES = 2_000_000  # whose slowdown is tabulated
WARNING = "warning"
DEBUG = "debug"
TABLES = {  # those that the page shows, and their sections
    "collectives": "Collectives",
    "iterations": "Iterations",
    "events": "Events",
    "layers": "Layers",
}


def versions_of(run: SummaryFile) -> str:
    """Of what the program was made, in short."""
    found = run.versions
    return f"ai-fabric {found.get('ai-fabric', '?')} ({found.get('commit', '?')}), ns-3 {found.get('ns-3', '?')}"


def summary_of(run: SummaryFile) -> list[tuple[str, str]]:
    """What the run has printed: pairs of a label and a text. Runs of earlier versions have noted none."""
    lines = run.content.get("summary")
    return [(str(line[0]), str(line[1])) for line in lines if len(line) == 2] if isinstance(lines, list) else []


def warnings_of(run: SummaryFile) -> list[str]:
    """What is to be known before the results are used."""
    found = [text for label, text in summary_of(run) if label == WARNING]
    if run.results.get("failed_messages"):
        found.append(f"{short(run.results['failed_messages'])} messages failed; times are of the others.")
    if DEBUG in str(run.content.get("buildProfile")):
        found.append("A debug build has made this.")
    return [text[:1].upper() + text[1:] for text in found]


def draw_tile(value: str, text: str) -> Element:
    return tag("div", tag("b", value), tag("span", text), class_="tile")


def compact(value: float) -> str:
    """A number of four digits or so."""
    if abs(value) >= MILLION:
        return f"{value / MILLION:,.4g} million"
    return short(float(f"{value:.4g}") if isinstance(value, float) else value)


def draw_tiles(run: SummaryFile) -> Content:
    """The results that matter most; counters only if they counted."""
    results = run.results
    time = results.get("cct_ns")
    tiles = [draw_tile(metric_of("cct_ns", time).text(time), "completion time")] if time else []
    for key, (text, unit) in TILES.items():
        value = results.get(key)
        is_known = key != "increase_percent" or results.get("bound_ns")
        if isinstance(value, (int, float)) and is_known and (value or key in ("increase_percent", "drops")):
            tiles.append(draw_tile(compact(value) + unit, text))
    return tag("div", tiles[:MOST_TILES], class_="tiles") if tiles else None


def draw_summary(run: SummaryFile) -> Content:
    """What the run has printed."""
    lines = [(label, text) for label, text in summary_of(run) if label != WARNING]
    return tag("dl", [(tag("dt", label), tag("dd", prose(text))) for label, text in lines]) if lines else None


def draw_pairs(pairs: Sequence[tuple[str, Any]]) -> list[Element]:
    """A table of names and values."""
    return draw_table(["name", "value"], [[name, Cell(str(short(value)))] for name, value in pairs])


def draw_settings(run: SummaryFile) -> list[Content]:
    """What was given, and below it all that follows."""
    given = [(key, value) for key, value in run.parts["options"].items() if key != "out"]
    parts: list[Content] = [draw_pairs(given) if given else tag("p", "All options have their defaults.")]
    for title, found in {
        "All options, resolved": {key: value for key, value in run.parts["scenario"].items() if value is not None},
        "Attributes that differ from the defaults of their classes": run.parts["attributes"],
        "All results": flatten(run.content.get("results") or {}),
        "Files that the run has read, with their SHA-256": run.inputs,
    }.items():
        if found:
            summary = tag("summary", title, " ", tag("small", f"({len(found)})"))
            parts.append(tag("details", summary, draw_pairs(list(found.items()))))
    return parts


def draw_tables(run: Run, page: Page) -> None:
    """Tables that are small enough to be read."""
    for name, title in TABLES.items():
        if not run.has(name):
            continue
        table = run.table(name)
        if table.empty:
            continue
        rows = table.head(MOST_EVENTS).astype(object).where(table.head(MOST_EVENTS).notna(), None).values.tolist()
        page.add(title, draw_table(list(table.columns), rows, name))
        if len(table) > MOST_EVENTS:
            page.add(title, tag("p", f"The first {MOST_EVENTS} of {len(table)} rows of {name}.csv.", class_="note"))


def draw_slowdown(run: Run, page: Page) -> None:
    """How much messages were slowed down, by size, as in slowdown.csv of ./fabric plot."""
    if not run.has("flows") or run.results["messages"] > MOST_MESSAGES:
        return
    if "slowdown" not in run.table("flows").columns or not has_sizes(run):
        return  # a run of an earlier version has none
    table = tabulate_slowdown(slowed(run)).round(4)
    title = "Slowdown by size"
    page.add(title, draw_table(list(table.columns), table.astype(object).values.tolist(), "slowdown"))
    page.add(title, tag("p", "Times of messages over those alone in the fabric.", class_="note"))


def repeat_commands(folder: Path, run: SummaryFile) -> list[tuple[str, Sequence[str]]]:
    """How the run is repeated, shared, and looked at."""
    where = str(folder)
    given = {key: value for key, value in run.parts["options"].items() if key != "out"}
    words = [f"--{key}={value}" for key, value in given.items()] + [f"--RngRun={run.seed}"]
    if run.content.get("seed") not in (None, 1):
        words.append(f"--RngSeed={run.content['seed']}")
    commands: list[tuple[str, Sequence[str]]] = [
        ("Repeat the run from its run.json: the results are the same, byte for byte, with the same version.",
         ["./fabric", "run", f"--config={where}/run.json"]),
        ("The same run, with its options written out.", ["./fabric", "run", *words]),
        ("Pack it, with the files that it has read, for someone else.", ["./fabric", "pack", where]),
    ]
    if (folder / "flows.csv").exists():
        commands.append(("Write a timeline of it for Perfetto.", ["./fabric", "timeline", where]))
    return commands


def run_page(folder: Path, target: Path) -> Page:
    """The page of the run in a folder."""
    summary = SummaryFile(folder)
    page = Page("Run " + (folder.name or folder.resolve().name))
    ended = datetime.fromtimestamp(summary.path.stat().st_mtime)
    run = Run(folder, label="") if summary.parts["scenario"].get("balancer") is None else Run(folder)
    page.title = f"{describe(run.scenario)}" + (f": {run.label}" if run.label else "")
    page.facts = [str(folder), f"run {summary.seed}", versions_of(summary), f"ended {ended:%Y-%m-%d %H:%M}"]
    page.answer = [draw_tiles(summary), draw_summary(summary)]
    page.warnings = warnings_of(summary)
    charts = [draw_chart(chart) for chart in charts_of(run)]
    if charts:
        hint = "Drag over a chart to zoom all charts over time; double-click shows all time. A name hides its line."
        page.add("Figures", tag("p", hint, class_="note"), tag("div", charts, class_="charts"))
    draw_tables(run, page)
    draw_slowdown(run, page)
    page.add("Settings", draw_settings(summary))
    files = ["run.json", *sorted(str(name) for name in summary.content.get("files") or [])]
    links = [(tag("a", name, href=href(folder / name, target)), " ") for name in files if (folder / name).is_file()]
    page.add("Files", tag("p", links))
    page.commands = repeat_commands(folder, summary)
    return page
