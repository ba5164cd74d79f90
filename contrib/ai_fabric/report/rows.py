# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Tables that ./fabric has written beside runs."""

import csv
import math
from pathlib import Path
from typing import Any

from ai_fabric.common.program import ScriptError
from ai_fabric.common.safe_file import check_regular, is_cut

Row = dict[str, Any]
WORDS = {"True": True, "False": False}


def value_of(text: str) -> Any:
    """A cell: a number if it is one, "" if it is empty."""
    if text in WORDS:
        return WORDS[text]
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
        return number if math.isfinite(number) else ""
    except ValueError:
        return text


def read_rows(path: Path, as_text: bool = False) -> tuple[list[str], list[Row]]:
    """The columns of a table, and its rows. as_text: cells stay as they are written."""
    try:
        check_regular(path)
        with open(path, newline="", encoding="utf-8") as file:
            names, *lines = [*csv.reader(file)] or [[]]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ScriptError(f"{path}: is no table ({error})") from None
    if not names or len(set(names)) < len(names):
        raise ScriptError(f"{path}:1: names of columns are needed, each once")
    if is_cut(path):
        raise ScriptError(f"{path}: the last line has no end; the file was cut")
    lines = [cells for cells in lines if cells]
    if any(len(cells) != len(names) for cells in lines):
        raise ScriptError(f"{path}: a row has not as many cells as there are columns")
    return names, [dict(zip(names, cells if as_text else map(value_of, cells))) for cells in lines]


def need(path: Path, names: list[str], *columns: str) -> None:
    """Refuses a table without some columns."""
    for column in columns:
        if column not in names:
            raise ScriptError(f"{path}: there is no column {column}")


def numbers_of(row: Row, *columns: str) -> list[float]:
    """Values of a row; NaN where there is no number."""
    found = [row.get(column) for column in columns]
    return [float(value) if isinstance(value, (int, float)) else math.nan for value in found]
