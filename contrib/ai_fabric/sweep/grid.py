# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What a sweep runs: every combination of the values of options, with every seed."""

import csv
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from ai_fabric.common.aliases import FilePath, Options
from ai_fabric.common.program import ScriptError, printable
from ai_fabric.common.quantity import NUMBER, UNITS
from ai_fabric.sweep.runner import name_of
from ai_fabric.common.safe_file import check_regular

Labels = Mapping[str, object]  # what a run is called in tables, by column
MOST = 100000  # values of a range, and runs of a sweep
MOST_DIGITS = 18  # of a number in a range
COMMA = re.compile(r"(?<!\\),")
PART = rf"({NUMBER})([A-Za-z/]*)"
RANGE = re.compile(rf"{PART}\.\.{PART}(?::(x)?{PART})?")
RANGE_HELP = "a range goes up: FIRST..LAST, FIRST..LAST:STEP or FIRST..LAST:xFACTOR"
RESERVED = {
    "RngRun": "use --seeds for this",
    "out": "each run has a folder of its own, in that of the sweep: --out before --",
    "check": "a sweep checks all options before it runs",
    "writeConfig": "all runs would write this file",
    "quiet": "runs of a sweep print nothing",
    "json": "runs of a sweep print nothing; their results are in sweep.csv",
}


class GridError(ScriptError):
    """What cannot be swept."""


@dataclass
class Case:
    """One point of a sweep: what it is called in tables, and the options of its runs."""

    labels: Labels
    options: Options


@dataclass
class SweptRun:
    """One run of a case."""

    labels: Labels
    options: Options
    folder: Path

    def options_but_seed(self) -> tuple[tuple[str, object], ...]:
        """What tells it from runs of other cases."""
        return tuple((name, value) for name, value in self.options.items() if name != "RngRun")


def runs_of(cases: Iterable[Case], seeds: Sequence[int], folder: Path) -> list[SweptRun]:
    """All runs of cases, each in a folder of its own."""
    runs = []
    for case in cases:
        for seed in seeds:
            options: Options = {**case.options, "RngRun": seed}
            runs.append(SweptRun({**case.labels, "seed": seed}, options, folder / name_of(options)))
    return runs


def expand_range(text: str) -> list[str] | None:
    """The values of a range such as 2..8:2, 64KiB..4MiB:x2 or 0..0.1:0.02; None if the text is no
    range. They have the unit of the last where they are whole in it, else that of the first."""
    match = RANGE.fullmatch(text)
    if not match:
        return None
    first, unit, last, last_unit, factor, step, step_unit = match.groups()
    if any(len(number) > MOST_DIGITS for number in (first, last, step or "")):
        raise GridError(f"{RANGE_HELP}; numbers have at most {MOST_DIGITS} digits")
    unit, last_unit = unit or last_unit, last_unit or unit
    units = [UNITS[name] for name in (unit, last_unit, step_unit or unit) if name in UNITS]
    if len(units) < 3 or len({kind for kind, _ in units}) > 1 or (factor and step_unit):
        raise GridError(RANGE_HELP)
    value, end = Decimal(first) * units[0][1], Decimal(last) * units[1][1]
    if step is None and "." in first + last:
        raise GridError(f"{RANGE_HELP}; without a step, of whole numbers")
    by = Decimal(step or 1) * (1 if factor else units[2][1])
    if value > end or by <= (1 if factor else 0) or (factor and not value):
        raise GridError(RANGE_HELP)
    values: list[str] = []
    while value <= end and len(values) <= MOST:
        scale, name = (units[1][1], last_unit) if value % units[1][1] == 0 else (units[0][1], unit)
        values.append(f"{(value / scale).normalize():f}{name}")
        value = value * by if factor else value + by
    if len(values) > MOST:
        raise GridError(f"has more than {MOST} values")
    return values


def split_values(text: str) -> list[str]:
    """The values in a list; a comma that belongs to a value has a backslash before it."""
    items = COMMA.split(text)
    if len(items) > 1 and "" in items:
        raise GridError("there is nothing before or after a comma")
    values: list[str] = []
    for item in items:
        values += expand_range(item) or [item.replace("\\,", ",")]
    return list(dict.fromkeys(values))


def split_option(argument: str) -> tuple[str, str]:
    """Name and value of an option; one without a value is set."""
    name, equal, value = argument.removeprefix("--").partition("=")
    if not argument.startswith("--") or not name:
        raise GridError(f"{argument}: an option is written --name=value")
    if name in RESERVED:
        raise GridError(f"{argument}: {RESERVED[name]}")
    return name, value if equal else "true"


def read_options(arguments: Iterable[str]) -> dict[str, str]:
    """A dictionary of options, none of which may be given twice."""
    options: dict[str, str] = {}
    for argument in arguments:
        name, value = split_option(argument)
        if name in options:
            raise GridError(f"{argument}: is given twice; values are separated by commas")
        options[name] = value
    return options


def read_seeds(text: str) -> range:
    """The runs of 5 (1 to 5) or 3-7."""
    match = re.fullmatch(r"(?:(\d{1,9})-)?(\d{1,9})", text)
    first, last = (int(match[1] or 1), int(match[2])) if match else (1, 0)
    if not 0 < last - first + 1 <= MOST:
        raise GridError(f"--seeds={text}: a number of runs, such as 5, or the runs, such as 3-7")
    return range(first, last + 1)


def read_cases(path: FilePath) -> list[dict[str, str]]:
    """The rows of a CSV file whose first line has names of options; an empty cell gives none."""
    try:
        check_regular(path)
        with open(path, newline="", encoding="utf-8-sig") as file:
            header, *rows = [row for row in csv.reader(file, strict=True) if row] or [[]]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        what = printable(getattr(error, "strerror", None) or error)
        raise GridError(f"--cases={path}: {what}") from None
    if not all(cell.isprintable() for row in [header, *rows] for cell in row):
        raise GridError(f"--cases={path}: has control characters")
    names = [name.strip().removeprefix("--") for name in header]
    if not rows or not all(names) or len(set(names)) < len(names):
        raise GridError(f"--cases={path}: names of options, each once, then one line a case")
    for name in names:
        split_option(f"--{name}=")
    for number, row in enumerate(rows, 2):
        if len(row) != len(names):
            cells = f"row {number} has {len(row)} cells, and there are {len(names)} names"
            raise GridError(f"--cases={path}: {cells}")
    return [dict(zip(names, (cell.strip() for cell in row))) for row in rows]


def cases_of(varied: Mapping[str, str], fixed: Options, rows: Sequence[Mapping[str, str]] = ({},)) -> list[Case]:
    """Every row with every combination of values: the first option changes slowest. varied: lists
    of values as text, by option; fixed: options that are the same for all."""
    lists = {}
    for name, text in varied.items():
        try:
            lists[name] = split_values(text)
        except GridError as error:
            raise GridError(f"--{name}={text}: {error}") from None
    names = [set(rows[0]), set(lists), set(fixed)]
    for one, other in itertools.combinations(names, 2):
        for name in sorted(one & other):
            raise GridError(f"--{name}: is given twice")
    cases = []
    for row in rows:
        for values in itertools.product(*lists.values()):
            labels = {**row, **dict(zip(lists, values))}
            given = {name: value for name, value in labels.items() if value or name in lists}
            cases.append(Case(labels, {**fixed, **given}))
            if len(cases) > MOST:
                raise GridError(f"more than {MOST} sets of options")
    return cases
