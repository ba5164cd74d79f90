# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Estimates with intervals, a row each, in groups: a table whose middle column is a drawing."""

import math
from dataclasses import dataclass
from collections.abc import Sequence

from ai_fabric.report.chart import plain, ticks_of
from ai_fabric.report.html_table import WORD
from ai_fabric.report.markup import Attribute, Element, tag

MARGIN = 0.03  # of the width, at both ends
HEIGHT = 22  # pixels of a row


@dataclass
class Estimate:
    """A value, its interval (NaN: none), its color, and what is said of it."""

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    color: str = "#0072B2"
    text: str = ""


class Scale:
    """Where values are, in percent of the width."""

    def __init__(self, values: Sequence[float], zero: float | None):
        known = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
        low, high = min(known), max(known)
        if zero is None and low > 0 >= low - (high - low):
            zero = 0.0
        if zero is not None:
            low, high = min(low, zero), max(high, zero)
        room = (high - low or abs(high) or 1.0) * MARGIN
        self.low, self.high = low - room, high + room

    def at(self, value: float) -> float:
        return 100 * (value - self.low) / (self.high - self.low)

    def place(self, value: float) -> str:
        return f"{self.at(value):.2f}%"

    def ticks(self) -> list[float]:
        return ticks_of(self.low, self.high)


def draw_row(estimate: Estimate, scale: Scale, zero: float | None) -> Element:
    """The drawing of a row."""
    middle, rules = HEIGHT / 2, [("axis", x) for x in scale.ticks()] + ([("zero", zero)] if zero is not None else [])
    parts = [tag("line", class_=kind, x1=scale.place(x), x2=scale.place(x), y1=-8, y2=HEIGHT + 8) for kind, x in rules]
    look: dict[str, Attribute] = {"data_c": True, "style": f"--c:{estimate.color}", "stroke": estimate.color}
    if math.isfinite(estimate.low) and math.isfinite(estimate.high):
        ends = scale.place(estimate.low), scale.place(estimate.high)
        parts.append(tag("line", x1=ends[0], x2=ends[1], y1=middle, y2=middle, stroke_width=2, **look))
        parts += [tag("line", x1=end, x2=end, y1=middle - 4, y2=middle + 4, stroke_width=2, **look) for end in ends]
    if math.isfinite(estimate.value):
        parts.append(tag("circle", cx=scale.place(estimate.value), cy=middle, r=4.5, fill=estimate.color, **look))
    return tag("svg", parts, role="img", aria_label=estimate.text)


def draw_head(scale: Scale) -> Element:
    """The axis above the drawings."""
    marks = [tag("text", plain(x), x=scale.place(x), y=14, text_anchor="middle", font_size="11", fill="currentColor")
             for x in scale.ticks()]
    return tag("svg", marks, aria_hidden="true")


def draw_forest(title: str, what: str, groups: dict[str, list[Estimate]], note: str = "",
                zero: float | None = None) -> Element:
    """A figure. what: what is drawn, with its unit; zero: where a line stands, for differences."""
    values = [value for rows in groups.values() for row in rows for value in (row.value, row.low, row.high)]
    scale = Scale(values, zero)
    body: list[Element] = []
    for group, rows in groups.items():
        if group:
            body.append(tag("tr", tag("th", group, colspan=3, scope="rowgroup"), class_="case"))
        for row in rows:
            name = tag("td", row.name, class_="word" if len(row.name) <= WORD else None)
            drawing = tag("td", draw_row(row, scale, zero), class_="plot-cell")
            body.append(tag("tr", name, drawing, tag("td", row.text, class_="num")))
    axis = tag("tr", tag("td"), tag("td", draw_head(scale), class_="plot-cell"), tag("td"))
    table = tag("table", tag("tbody", axis, body), class_="forest")
    caption = tag("figcaption", tag("b", title), tag("span", what))
    return tag("figure", caption, table, tag("p", note, class_="note") if note else None)
