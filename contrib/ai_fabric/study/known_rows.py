# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Rows of results.csv of the same study, which another machine has run with other seeds."""

import csv
import math
from collections.abc import Iterable, Mapping, Sequence

from ai_fabric.common.aliases import FilePath, Values
from ai_fabric.common.program import printable
from ai_fabric.common.safe_file import check_regular
from ai_fabric.study.scheme_file import StudyError
from ai_fabric.sweep.grid import Case

NEEDED = ["case", "scheme", "seed", "completed"]  # columns
TEXTS = {"case", "scheme", "problem"}


def value_of(name: str, text: str) -> object:
    """What results.csv has written."""
    if name in TEXTS:
        return text
    if name == "completed":
        return {"True": True, "False": False}[text]
    number = int(text) if text.isdecimal() else float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def values_of(row: Mapping[str, str], metric: str) -> Values:
    """A row, without the folder of its run. Raises ValueError or KeyError if it is none of results.csv."""
    found = {name: value_of(name, text) for name, text in row.items() if text and name != "folder"}
    needed = [*NEEDED, metric] if found["completed"] else NEEDED
    if None in row or not found.keys() >= set(needed):
        raise ValueError(row)
    return {"problem": "", **found}


def read_rows(path: FilePath, metric: str) -> list[Values]:
    """The rows of a file."""
    rows: list[Values] = []
    try:
        check_regular(path)
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file, strict=True)
            missing = [name for name in [*NEEDED, metric] if name not in (reader.fieldnames or [])]
            if missing:
                raise StudyError(f"--known={path}: no column {missing[0]}: results.csv of this study is needed")
            for row in reader:
                rows.append(values_of(row, metric))
    except OSError as error:
        raise StudyError(f"--known={path}: {error.strerror}") from None
    except (ValueError, KeyError, AttributeError, csv.Error):  # UnicodeDecodeError is a ValueError
        raise StudyError(f"--known={path}: row {len(rows) + 2}: no row of results.csv") from None
    return rows


def rows_by_seed(paths: Iterable[FilePath], cases: Sequence[Case], metric: str) -> dict[int, list[Values]]:
    """The rows of files by seed, in the order of the cases. Each case and scheme has one, or the file is refused."""
    wanted = [(case.labels["case"], case.labels["scheme"]) for case in cases]
    found: dict[int, list[Values]] = {}
    for path in paths:
        rows: dict[int, dict[tuple[object, object], Values]] = {}
        for row in read_rows(path, metric):
            rows.setdefault(row["seed"], {})[row["case"], row["scheme"]] = row
        for seed, there in rows.items():
            if seed in found:
                raise StudyError(f"--known={path}: seed {seed} is in an earlier file, too")
            if lost := [pair for pair in wanted if pair not in there]:
                case, scheme = map(printable, lost[0])
                raise StudyError(f"--known={path}: seed {seed}: no row of case {case}, scheme {scheme}")
            found[seed] = [there[pair] for pair in wanted]
    return found
