# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Tables that the page can sort."""

import math
import statistics
from dataclasses import dataclass
from collections.abc import Sequence
from typing import Any

from ai_fabric.common.quantity import numbers
from ai_fabric.report.markup import Content, Element, tag

MANY = 12  # rows, from which there is a field that filters them
LONG = 24  # rows, from which on a table scrolls by itself
SIGNIFICANT = 4  # digits of a number
WIDE = 1000  # largest over smallest number of a column, up to which all have as many decimals
WORD = 26  # characters of a text that stays in one line


@dataclass
class Cell:
    """A cell that shows something else than the value by which it is sorted."""

    content: Content
    value: Any = None
    kind: str | None = None


def short(value: Any) -> str:
    """A value as a cell shows it."""
    if value is None or value != value or value == "":
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        text = f"{value:,.2f}" if abs(value) >= 1000 else f"{value:.4g}"
        return text.removesuffix(".00") if abs(value) >= 1000 else text
    return f"{value:,}" if isinstance(value, int) else str(value)


def decimals_of(values: Sequence[Any]) -> int | None:
    """How many decimals the numbers of a column have, so that their points stand below each other; None if they are whole, or
    so different that each has its own."""
    sizes = [abs(value) for value in values if isinstance(value, float) and math.isfinite(value) and value]
    if not sizes or max(sizes) > WIDE * min(sizes):
        return None
    place = math.floor(math.log10(statistics.median(sizes)))
    return max(SIGNIFICANT - 1 - place, 1 - math.floor(math.log10(min(sizes))), 0)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def draw_cell(value: Any, is_numeric: bool, decimals: int | None) -> Element:
    """A cell; is_numeric: its column has numbers; decimals: of all of them."""
    kind = "num" if is_numeric else "word" if isinstance(value, str) and len(value) <= WORD else None
    if isinstance(value, Cell):
        return tag("td", value.content, class_=value.kind or kind, data_value=value.value)
    is_fraction = isinstance(value, float) and math.isfinite(value)
    shown = f"{value:,.{decimals}f}" if is_fraction and decimals is not None else short(value)
    differs = is_number(value) and value == value and shown != str(value)
    return tag("td", shown, class_=kind, data_value=repr(value) if differs else None)


def numeric_columns(rows: Sequence[Sequence[Any]], count: int) -> list[bool]:
    """Which columns have numbers only."""
    def values(column: int) -> list[Any]:
        return [row[column].value if isinstance(row[column], Cell) else row[column] for row in rows]

    return [
        any(map(is_number, values(column)))
        and all(value in (None, "") or is_number(value) for value in values(column))
        for column in range(count)
    ]


def with_quantities(rows: Sequence[Sequence[Any]], count: int) -> list[list[Any]]:
    """Rows in which texts of a column that are all numbers with units, such as 64KiB, are sorted as such."""
    found = [list(row) for row in rows]
    for column in range(count):
        texts = [row[column] for row in rows]
        values = numbers(texts) if all(isinstance(text, str) for text in texts) else None
        for row, value in zip(found, values or []):
            row[column] = Cell(row[column], value)
    return found


def draw_table(names: Sequence[str], rows: Sequence[Sequence[Any]], identity: str | None = None) -> list[Element]:
    """A table. identity: its name in the page, with which it has a field that filters rows, if these are many."""
    identity = f"rows-of-{identity}" if identity else None
    rows = with_quantities(rows, len(names))
    numeric = numeric_columns(rows, len(names))
    kinds = ["num" if is_numeric else "long" if len(name) > WORD else None for name, is_numeric in zip(names, numeric)]
    head = [tag("th", name, class_=kind, scope="col") for name, kind in zip(names, kinds)]
    decimals = [decimals_of([row[column] for row in rows]) for column in range(len(names))]
    body = [tag("tr", list(map(draw_cell, row, numeric, decimals))) for row in rows]
    table = tag("table", tag("thead", tag("tr", head)), tag("tbody", body), class_="sortable", id=identity)
    parts = [tag("div", table, class_="scroll long" if len(rows) > LONG else "scroll")]
    if identity and len(rows) > MANY:
        field = tag("input", type="search", placeholder="filter rows", aria_label="filter rows", data_table=identity)
        parts.insert(0, tag("div", field, tag("output", f"{len(rows)} rows"), class_="filter"))
    return parts
