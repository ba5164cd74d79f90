# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The programs of the benchmarks: where they are, what they print, and that one runs now."""

from __future__ import annotations

import csv
import sys
from typing import TYPE_CHECKING, Any

from ai_fabric.common.program import ScriptError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from ai_fabric.common.aliases import Values


class BenchError(ScriptError):
    """A benchmark that cannot be run."""


class Progress:
    """A line on stderr that says what runs now."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self.is_terminal = sys.stderr.isatty()

    def step(self, text: str) -> None:
        self.done += 1
        line = f"[{self.done}/{self.total}] {text}"
        print(f"\r{line:<78}" if self.is_terminal else line, end="", file=sys.stderr, flush=True)
        if not self.is_terminal or self.done == self.total:
            print(file=sys.stderr)


def make_folder(path: Path) -> None:
    """Makes the folder for results, unless it is there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BenchError(f"--out {path}: {error.strerror}") from error


def write_rows(path: Path, rows: Sequence[Values]) -> None:
    """Writes rows, which have the same columns, as a table; of no rows, nothing."""
    if rows:
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)


def find_program(folder: Path, name: str) -> Path:
    """The path of the program in the folder, whatever prefix and suffix a build gives it."""
    paths = [folder / name, *sorted(folder.glob(f"*{name}*"))]
    found = [path for path in paths if path.is_file()]
    if not found:
        raise BenchError(f"{folder}: there is no {name}")
    return found[0].absolute()


def read_values(text: str, name: str, kinds: Mapping[str, Callable[[str], Any]]) -> Values:
    """The key=value lines of a program as a dictionary; kinds has the types of those that are needed."""
    values = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    missing = [key for key in kinds if key not in values]
    if missing:
        raise BenchError(f"{name} did not print {', '.join(missing)}")
    try:
        return values | {key: kind(values[key]) for key, kind in kinds.items()}
    except ValueError as error:
        raise BenchError(f"{name} printed what is not a number: {error}") from error
