# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The pages of sweeps: of any options, and of the sizes of a collective."""

import math
from pathlib import Path
from collections.abc import Sequence

from ai_fabric.report.chart import Chart, Line, draw_chart
from ai_fabric.report.forest import Estimate, draw_forest
from ai_fabric.report.html_table import draw_table, short
from ai_fabric.runs.made_by import read_command
from ai_fabric.report.markup import Content, Element, tag
from ai_fabric.common.metric import metric_of
from ai_fabric.report.page import Page
from ai_fabric.common.quantity import numbers
from ai_fabric.report.rows import Row, need, numbers_of, read_rows
from ai_fabric.report.runs_page import (
    add_common,
    asked_of,
    common_settings,
    draw_asked,
    draw_rows,
    known_runs,
    scheme_look,
    warn_of_changes,
)

USUAL = "cct_ns", "increase_percent", "max_queue_packets", "drops"  # results that are drawn
MOST_CHARTS = 6
MOST_LINES = 16
MOST_TICKS = 9
UNITS = "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"
NEEDED = {  # columns
    "collectives.csv": ("size_bytes", "busbw_gbit_per_s"),
    "slowdown.csv": ("name", "slowdown"),
    "check.csv": ("result", "difference_percent"),
}
PLOTS = ".png", ".pdf", ".svg"  # a style may leave out PNG
WIDE = 16  # times the least value, from which on an axis is logarithmic


def options_of(names: Sequence[str]) -> list[str]:
    """The options of a table of means: what stands before its counts."""
    return list(names[: names.index("runs")]) if "runs" in names else []


def plotted(folder: Path) -> list[tuple[str, str]]:
    """What the user has plotted: a result and an option each. Whatever the style is, there is a file in SVG."""
    parts = [path.stem.split("-by-", 1) for path in sorted(folder.glob("*-by-*.svg"))]
    return [(result, option.partition("-")[0]) for result, option in parts]


def axis_of(options: Sequence[str], rows: Sequence[Row], wanted: Sequence[str]) -> tuple[str, dict[str, float]] | None:
    """The option that is the x axis, and the number of each of its values: one that was plotted, or has most values."""
    found = []
    for option in options:
        texts = list(dict.fromkeys(str(row[option]) for row in rows))
        values = numbers(texts) if all(texts) else None
        if values and len(set(values)) > 1:
            found.append((option in wanted, len(texts), option, dict(zip(texts, values))))
    return max(found, key=lambda one: one[:2])[2:] if found else None


def places_of(values: dict[str, float]) -> dict[str, float]:
    """Where values stand on the axis, logarithmic if they are wide apart."""
    least, most = min(values.values()), max(values.values())
    is_wide = least > 0 and most / least >= WIDE
    return {text: math.log2(value) if is_wide else value for text, value in values.items()}


def thin(ticks: list[tuple[float, str]]) -> list[tuple[float, str]]:
    step = -(-len(ticks) // MOST_TICKS)
    return ticks[::step]


def lines_of(rows: Sequence[Row], option: str, others: Sequence[str], places: dict[str, float], column: str,
             scale: float) -> list[Line]:
    """A line for each set of values of the other options."""
    groups: dict[str, list[Row]] = {}
    varying = [name for name in others if len({str(row[name]) for row in rows}) > 1]
    for row in rows:
        groups.setdefault(", ".join(str(row[name]) for name in varying), []).append(row)
    lines = []
    for index, (name, chosen) in enumerate(list(groups.items())[:MOST_LINES]):
        points, ranges = [], []
        for row in sorted(chosen, key=lambda row: places[str(row[option])]):
            x = places[str(row[option])]
            value, low, high = (found / scale for found in numbers_of(row, column, f"{column}_low95", f"{column}_high95"))
            points.append((x, value))
            if math.isfinite(low) and math.isfinite(high) and high > low:
                ranges.append((x, low, high))
        lines.append(Line(name or column, points, scheme_look(name, index), is_stepped=False, has_dots=True, ranges=ranges))
    return lines


def typical(rows: Sequence[Row], column: str) -> float:
    values = sorted(abs(value) for row in rows for value in numbers_of(row, column) if math.isfinite(value))
    return values[len(values) // 2] if values else 0.0


def count_of(rows: Sequence[Row]) -> str:
    """n of the means."""
    counts = sorted({int(row["runs"]) for row in rows if row.get("runs") not in (None, "")})
    return f" of {' to '.join(map(str, dict.fromkeys([counts[0], counts[-1]])))} runs" if counts else ""


def draw_over(rows: Sequence[Row], option: str, others: Sequence[str], values: dict[str, float], column: str) -> Element:
    """A result over an option."""
    metric = metric_of(column, typical(rows, column))
    places = places_of(values)
    lines = lines_of(rows, option, others, places, column, metric.scale)
    ticks = thin(sorted((place, text) for text, place in places.items()))
    count = len({tuple(str(row[name]) for name in others) for row in rows})
    notes = [f"Means{count_of(rows)}; bars are 95 % intervals."] if any(line.ranges for line in lines) else []
    notes += [f"The first {MOST_LINES} of {count} lines."] if count > MOST_LINES else []
    title = f"{metric.name[:1].upper()}{metric.name[1:]}"
    return draw_chart(Chart(title, option, metric.unit, lines, " ".join(notes), ticks=ticks))


def draw_beside(rows: Sequence[Row], options: Sequence[str], column: str) -> Element:
    """A result of cases that are no numbers."""
    metric = metric_of(column, typical(rows, column))
    estimates = []
    for index, row in enumerate(rows):
        value, low, high = (found / metric.scale for found in numbers_of(row, column, f"{column}_low95", f"{column}_high95"))
        name = ", ".join(str(row[option]) for option in options) or "all"
        text = f"{value:.4g} {metric.unit}" if math.isfinite(value) else "not all runs finished"
        has_range = math.isfinite(low) and high > low
        estimates.append(Estimate(name, value, low if has_range else math.nan, high if has_range else math.nan,
                                  scheme_look(str(row[options[0]]) if options else "", index), text))
    title = f"{metric.name[:1].upper()}{metric.name[1:]}"
    note = f"Means{count_of(rows)}; lines are 95 % intervals." if rows and rows[0].get("runs") not in (1, "") else ""
    return draw_forest(title, metric.unit, {"": estimates}, note)


def draw_figures(folder: Path, names: Sequence[str], rows: Sequence[Row]) -> list[Element]:
    """Each result over the option that is a number, or beside those of other cases."""
    options, asked = options_of(names), plotted(folder)
    columns = [column for column in dict.fromkeys([*(y for y, _ in asked), *USUAL]) if column in names]
    columns = [column for column in columns if any(row[column] not in ("", 0) for row in rows)][:MOST_CHARTS]
    axis = axis_of(options, rows, [x for _, x in asked])
    if axis is None:
        return [draw_beside(rows, options, column) for column in columns]
    option, values = axis
    others = [name for name in options if name != option]
    return [draw_over(rows, option, others, values, column) for column in columns]


def best_of(rows: Sequence[Row], options: Sequence[str]) -> Content:
    """A sentence on the shortest and the longest completion time."""
    def name(row: Row) -> str:
        return ", ".join(f"{option}={row[option]}" for option in options if row[option] != "") or "all defaults"

    timed = [(row["cct_ns"], row) for row in rows if isinstance(row.get("cct_ns"), (int, float))]
    if len(timed) < 2:
        return None
    (least, best), (most, worst) = min(timed, key=lambda one: one[0]), max(timed, key=lambda one: one[0])
    metric = metric_of("cct_ns", least)
    return tag("p", f"The shortest mean completion time is {metric.text(least)} ({name(best)}), the longest "
                    f"{metric.text(most)} ({name(worst)}).")


def add_commands(page: Page, folder: Path, folders: Sequence[Path], what: str) -> None:
    command = read_command(folder).get("command")
    if command:
        page.commands.append((f"Repeat the {what}. What is there is not run again.", command))
    if folders:
        page.commands.append(("Repeat its first run.", ["./fabric", "run", f"--config={folders[0]}/run.json"]))


def sweep_page(folder: Path, target: Path) -> Page:
    """The page of the sweep in a folder."""
    names, means = read_rows(folder / "means.csv")
    columns, rows = read_rows(folder / "sweep.csv")
    need(folder / "sweep.csv", columns, "seed", "folder")
    options = options_of(names)
    title = f"Sweep of {' and '.join(options)}" if options else "Sweep of seeds"
    page = Page(title, [str(folder)])
    page.answer = [best_of(means, options)]
    folders = [folder / str(row["folder"]) for row in rows]
    runs = known_runs(folders)
    add_common(page, runs)
    warn_of_changes(page, rows, folders, runs)
    problems = sum(bool(row.get("problem")) for row in rows)
    if problems:
        page.warnings.insert(0, f"{problems} of {len(rows)} runs did not finish; the table says why.")
    page.add("Figures", tag("div", draw_figures(folder, names, means), class_="charts"))
    page.add("Runs", draw_rows([*options, "seed"], rows, folders, target))
    page.add("Settings", common_settings(runs))
    add_commands(page, folder, folders, "sweep")
    return page


def folders_below(folder: Path) -> list[Path]:
    return sorted(path.parent for path in folder.glob("runs/*/run.json"))


def table_page(folder: Path, target: Path, name: str, title: str) -> Page:
    """The page of a folder with one table, and runs: those of collectives, of slowdown and of check-fluid."""
    names, rows = read_rows(folder / name)
    need(folder / name, names, *NEEDED[name])
    page = Page(title, [str(folder)])
    folders = folders_below(folder)
    runs = known_runs(folders)
    add_common(page, runs)
    page.add("Figures", draw_figures_of(names, rows))
    page.add("Table", draw_table(names, [list(row.values()) for row in rows]))
    page.answer = [describe(rows)]
    page.add("Runs", draw_asked(runs, asked_of(runs), [], target))
    page.add("Settings", common_settings(runs))
    add_commands(page, folder, folders, "command")
    return page


def draw_figures_of(names: Sequence[str], rows: Sequence[Row]) -> Content:
    """The bandwidth over the size, the slowdown of jobs, or the differences of rates."""
    if "size_bytes" in names and "busbw_gbit_per_s" in names:
        pairs = [numbers_of(row, "size_bytes", "busbw_gbit_per_s") for row in rows]
        points = [(math.log2(size), speed) for size, speed in pairs if size > 0 and math.isfinite(speed)]
        if not points:
            return None
        line = Line("bus bandwidth", points, "#0072B2", is_stepped=False, has_dots=True)
        ticks = thin([(x, f"{2 ** (x % 10):.4g} {UNITS[int(x // 10)]}") for x, _ in points])
        return tag("div", draw_chart(Chart("Bus bandwidth", "size", "Gb/s", [line], ticks=ticks)), class_="charts")
    if "slowdown" in names and "name" in names:
        estimates = [Estimate(str(row["name"]), value, text=f"{value:.4g}") for index, row in enumerate(rows)
                     for value in numbers_of(row, "slowdown")]
        return draw_forest("Slowdown of jobs", "completion time with the others, over that alone", {"": estimates}, zero=1.0)
    if "difference_percent" in names and "result" in names:
        estimates = [Estimate(str(row["result"]), value, text=f"{value:+.2f} %") for row in rows
                     for value in numbers_of(row, "difference_percent")]
        return draw_forest("Rates beside packets", "difference of each result (%)", {"": estimates}, zero=0.0)
    return None


def describe(rows: Sequence[Row]) -> Content:
    """A sentence on the table."""
    speeds = [(row["busbw_gbit_per_s"], row) for row in rows if isinstance(row.get("busbw_gbit_per_s"), (int, float))]
    if speeds:
        most, row = max(speeds, key=lambda one: one[0])
        return tag("p", f"The bus bandwidth is at most {most:.4g} Gb/s, at {short(row.get('size_bytes'))} bytes.")
    slow = [(row["slowdown"], row) for row in rows if isinstance(row.get("slowdown"), (int, float))]
    if slow:
        most, row = max(slow, key=lambda one: one[0])
        return tag("p", f"The job {row.get('name')} is slowed down most: it takes {most:.4g} times as long as alone.")
    apart = [(row["difference_percent"], row) for row in rows if isinstance(row.get("difference_percent"), (int, float))]
    if apart:
        most, row = max(apart, key=lambda one: abs(one[0]))
        return tag("p", f"By rates, {row.get('result')} differs most from that of packets: by {most:+.2f} %.")
    return None
