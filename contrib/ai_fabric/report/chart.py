# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Charts as HTML with SVG inside. Points have the coordinates of their data, and the box of the SVG chooses what is seen
of them: so the page can zoom, and a chart has the width that there is."""

import json
import math
from dataclasses import dataclass
from collections.abc import Callable, Sequence

from ai_fabric.report.markup import Attribute, Content, Element, tag

HEADROOM = 1.06  # of the axis above the largest value
TICKS = 5  # on an axis, about
BAR = 18  # pixels of a lane of bars
MOST_HEIGHT = 400  # pixels of a chart
MOST_SPANS = 6  # that the legend names
MOST_POINTS = 3000  # of a line; of more, each interval keeps its largest

Points = Sequence[tuple[float, float]]


@dataclass
class Line:
    """A line of a chart. is_stepped: a value holds until the next one; has_dots: its points are marked."""

    label: str
    points: Points
    color: str
    is_stepped: bool = True
    has_dots: bool = False
    ranges: Sequence[tuple[float, float, float]] = ()  # (x, low, high)


@dataclass
class Chart:
    """A chart of lines. is_time: the x axis is time in a unit, and the page can zoom; ticks: places and names of an x axis
    that has others than numbers; is_bars: lines are bars, without values; spans: (begin, end, what) that are tinted;
    explains: the legend names them; marks: (x, what) that have a vertical line; rule: (y, what) that has a horizontal
    one."""

    title: str
    x_label: str
    y_label: str
    lines: list[Line]
    note: str = ""
    is_time: bool = False
    unit: str = "us"
    ticks: Sequence[tuple[float, str]] = ()
    spans: Sequence[tuple[float, float, str]] = ()
    marks: Sequence[tuple[float, str]] = ()
    rule: tuple[float, str] | None = None
    begin: float | None = None
    end: float | None = None
    low: float | None = None
    top: float | None = None
    is_bars: bool = False
    explains: bool = True


def number(value: float) -> str:
    """A coordinate, short."""
    return f"{value:.6g}"


def nice_step(span: float, count: int = TICKS) -> float:
    """1, 2 or 5 times a power of ten, so that a span has about so many ticks."""
    rough = span / count
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)


def ticks_of(low: float, high: float) -> list[float]:
    """Round numbers from low to high."""
    step = nice_step(high - low)
    first = math.ceil(low / step - 1e-9)
    return [index * step for index in range(first, math.floor(high / step + 1e-9) + 1)]


def plain(value: float) -> str:
    """A number of an axis."""
    text = f"{value:.10g}"
    if abs(value) >= 1e6 or (value and abs(value) < 1e-3):
        text = f"{value:.3g}"
    return text.replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")


def thinned(points: Points) -> Points:
    """So many points as a screen can show: of each interval its largest."""
    size = -(-len(points) // MOST_POINTS)
    if size < 2:
        return points
    return [max(points[at : at + size], key=lambda point: point[1]) for at in range(0, len(points), size)]


def path_of(line: Line) -> str:
    """The path of a line; where a value is missing it is interrupted."""
    parts, begun = [], False
    for x, y in thinned(line.points):
        if not math.isfinite(y):
            begun = False
            continue
        if not begun:
            parts.append(f"M{number(x)} {number(-y)}")
        elif line.is_stepped:
            parts.append(f"H{number(x)}V{number(-y)}")
        else:
            parts.append(f"L{number(x)} {number(-y)}")
        begun = True
    return "".join(parts)


def dots_of(line: Line) -> str:
    return "".join(f"M{number(x)} {number(-y)}h0" for x, y in line.points if math.isfinite(y))


def ranges_of(line: Line) -> str:
    return "".join(f"M{number(x)} {number(-low)}V{number(-high)}" for x, low, high in line.ranges)


def limits(chart: Chart) -> tuple[float, float, float, float]:
    """x from and to, y from and to."""
    points = [point for line in chart.lines for point in line.points if math.isfinite(point[1])]
    xs, ys = [x for x, _ in points] or [0.0, 1.0], [y for _, y in points] or [1.0]
    ys = ys + [end for line in chart.lines for _, *ends in line.ranges for end in ends if math.isfinite(end)]
    ys += [chart.rule[0]] if chart.rule else []
    begin = min(xs) if chart.begin is None else chart.begin
    end = max(xs) if chart.end is None else chart.end
    margin = 0 if chart.is_time or chart.end is not None else 0.04 * (end - begin or 1)
    top = max(ys) * HEADROOM if chart.top is None else chart.top
    low = min(0.0, min(ys) * HEADROOM) if chart.low is None else chart.low
    top = top if top > low else low + 1
    return begin - margin, max(end, begin + 1e-9) + margin, low, top


def draw_marks(chart: Chart, x0: float, x1: float, low: float, top: float) -> list[Element]:
    """What lies behind the lines: spans, vertical lines, a horizontal line."""
    drawn = []
    for begin, end, what in chart.spans:
        last = min(end, x1)
        if last > begin:
            look = {"x": number(begin), "width": number(last - begin), "y": number(-top), "height": number(top - low)}
            drawn.append(tag("rect", tag("title", what), class_="span", **look))
    for x, what in chart.marks:
        drawn.append(tag("path", tag("title", what), class_="mark", d=f"M{number(x)} {number(-top)}V{number(-low)}"))
    if chart.rule:
        y, what = chart.rule
        drawn.append(tag("path", tag("title", what), class_="mark", d=f"M{number(x0)} {number(-y)}H{number(x1)}"))
    return drawn


def draw_lines(chart: Chart) -> list[Element]:
    drawn = []
    for index, line in enumerate(chart.lines):
        look: dict[str, Attribute] = {"stroke": line.color, "style": f"--c:{line.color}", "data_line": index}
        if line.ranges:
            drawn.append(tag("path", class_="range", d=ranges_of(line), **look))
        kind = "step" if line.is_stepped else "line"
        drawn.append(tag("path", class_=kind, d=path_of(line), **look))
        if line.has_dots:
            drawn.append(tag("path", class_="dots", d=dots_of(line), **look))
    return drawn


def draw_axis(ticks: Sequence[tuple[float, str]], place: Callable[[float], float], side: str) -> list[Element]:
    """The names of ticks; place: how far along the axis, from 0 to 1."""
    edge = "left" if side == "x" else "bottom"
    return [tag("span", name, style=f"{edge}:{100 * place(value):.2f}%") for value, name in ticks]


def draw_grid(ticks: Sequence[float], x0: float, x1: float) -> Element:
    return tag("path", class_="grid", d="".join(f"M{number(x0)} {number(-y)}H{number(x1)}" for y in ticks))


def legend(chart: Chart) -> Element:
    """A button a line, which hides it; and what marks and spans are."""
    entries: list[Content] = []
    if len(chart.lines) > 1:
        for index, line in enumerate(chart.lines):
            swatch = tag("i", class_="swatch", style=f"--c:{line.color}")
            entries.append(tag("button", swatch, line.label, type="button", data_line=index, aria_pressed="true"))
    faults = [what for _, _, what in chart.spans] if chart.explains else []
    entries += [tag("small", tag("i", class_="span"), what) for what in list(dict.fromkeys(faults))[:MOST_SPANS]]
    names = [what for _, what in chart.marks] + ([chart.rule[1]] if chart.rule else [])
    entries += [tag("small", tag("i", class_="mark"), what) for what in dict.fromkeys(names)]
    return tag("div", entries, class_="legend")


def bars_height(low: float) -> float:
    """The height of so many lanes of bars, in pixels."""
    return min(max(BAR * -low, 3 * BAR), MOST_HEIGHT)


def draw_chart(chart: Chart) -> Element:
    """A chart as a figure."""
    x0, x1, low, top = limits(chart)
    y_ticks = [] if chart.is_bars else ticks_of(low, top)
    x_ticks = list(chart.ticks) or [(value, plain(value)) for value in ticks_of(x0, x1)]
    area = tag(
        "svg", draw_grid(y_ticks, x0, x1), draw_marks(chart, x0, x1, low, top), draw_lines(chart),
        viewBox=f"{number(x0)} {number(-top)} {number(x1 - x0)} {number(top - low)}", preserveAspectRatio="none",
        role="img", aria_label=f"{chart.title}: {chart.y_label} over {chart.x_label}",
    )
    names = json.dumps([[value, name] for value, name in chart.ticks]) if chart.ticks else None
    height = f"grid-template-rows:{bars_height(low)}px 1.4rem" if chart.is_bars else None
    plot = tag(
        "div",
        tag("div", draw_axis([(y, plain(y)) for y in y_ticks], lambda y: (y - low) / (top - low), "y"), class_="y"),
        tag("div", area, class_="area"),
        tag("div", draw_axis(x_ticks, lambda x: (x - x0) / (x1 - x0), "x"), class_="x"),
        class_="plot", style=height, data_time=chart.unit if chart.is_time else None, data_ticks=names,
    )
    caption = tag("figcaption", tag("b", chart.title), tag("span", chart.y_label))
    under = tag("div", chart.x_label, class_="under")
    note = tag("p", chart.note, class_="note") if chart.note else None
    return tag("figure", caption, legend(chart), plot, under, note, class_="chart bars" if chart.is_bars else "chart")
