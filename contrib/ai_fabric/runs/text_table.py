# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Tables of text."""

from collections.abc import Iterator, Sequence

Row = Sequence[str]
MOST = 48  # characters of a cell


def shorten(value: object) -> str:
    """A value as a cell shows it."""
    if value is None:
        return "-"
    text = f"{value:.7g}" if isinstance(value, float) else str(value)
    return text if len(text) <= MOST else f"{text[: MOST - 3]}..."


def lines_of(rows: Sequence[Row]) -> Iterator[str]:
    """The lines of a table, whose columns are as wide as they have to be."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
