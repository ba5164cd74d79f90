# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Reads tables of a run, which may be damaged: what is wrong is said with the file, the line and the column."""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn, TypeVar

import pandas

from ai_fabric.common.program import ScriptError
from ai_fabric.common.safe_file import check_regular, is_cut

Found = TypeVar("Found")
MOST_BYTES = 1 << 14  # of the line with the names of columns
MOST_CHARACTERS = 256  # of a text
MOST_SHOWN = 30  # of the characters of what is wrong
MOST = 2.0**64  # no counter and no time is larger
PORT = r"[^,]+:\d{1,9}"
TEXTS = {  # columns that are no numbers, and what they look like
    **dict.fromkeys("buffer classes detail event layer subject switch from_rack to_rack".split(), ".*"),
    **dict.fromkeys("algorithm communicator kind name protocol state unit".split(), ".*"),
    **dict.fromkeys(["from", "to"], PORT),
    "link": f"{PORT}--{PORT}",
    "operation": "read|write",
}
MAY_BE_EMPTY = {"collective", "communicator", "detail", "peer", "slice", "step", "stream", "subject", "unit"}
MAY_BE_EMPTY |= {"link_overload", "sending_queue_packets"}  # of runs without messages
MAY_BE_EMPTY |= {"received_ns", "completed_ns", "duration_ns", "ideal_ns", "slowdown"}  # of failed messages
JOB_TIMES = {"begin_ns", "end_ns", "jct_ns"}  # of jobs.csv: empty if a job has not begun or ended
HAVE_ROWS = {"hop-latency", "links", "nic-counters", "planes", "reachability"}  # tables of any run
MAY_BE_EMPTY |= {"max_queue_packets", "max_waiting_bytes", "mean_queue_packets"}  # of rates instead of packets
READING = {"skip_blank_lines": False, "keep_default_na": False, "na_values": [""], "low_memory": False}


class TableError(ScriptError):
    """A table that is no table of a run."""


def read_table(path: Path, needed: Sequence[str] = ()) -> pandas.DataFrame:
    """All of a table. needed: columns that it must have."""
    columns = check_file(path, needed)
    table = parse(path, lambda: pandas.read_csv(path, dtype=types(columns), **READING))
    check_rows(path, table)
    if table.empty and path.stem in HAVE_ROWS:
        raise TableError(f"{path}: has no rows")
    return table


def read_chunks(
    path: Path, needed: Sequence[str], others: Sequence[str] = (), rows: int = 1_000_000
) -> Iterator[pandas.DataFrame]:
    """A large table in pieces: the columns that are needed, and the others if it has them."""
    columns = check_file(path, needed)
    options = {"dtype": types(columns), "chunksize": rows, **READING}
    wanted = [column for column in columns if column in {*needed, *others}]
    with parse(path, lambda: pandas.read_csv(path, **options)) as pieces:
        while (piece := parse(path, lambda: next(pieces, None))) is not None:
            check_rows(path, piece)
            yield piece[wanted]


def types(columns: Sequence[str]) -> dict[str, type[str]]:
    """As what pandas shall read the columns."""
    return {column: str for column in columns if column in TEXTS}


def parse(path: Path, read: Callable[[], Found]) -> Found:
    """What read returns; what pandas does not understand is said with the file."""
    try:
        return read()
    except ValueError as error:
        raise TableError(f"{path}: {str(error).splitlines()[0]}") from None


def check_file(path: Path, needed: Sequence[str]) -> list[str]:
    """Refuses what is not a table with the columns that are needed, or was cut; returns the columns."""
    check_regular(path)
    with open(path, "rb") as file:
        line = file.readline(MOST_BYTES)
    if not line:
        raise TableError(f"{path}: is empty")
    if not line.endswith(b"\n"):
        raise TableError(f"{path}:1: no line with at most {MOST_BYTES} bytes")
    if is_cut(path):
        raise TableError(f"{path}: the last line has no end; the file was cut")
    columns = next(csv.reader([line.decode(errors="replace")]))
    for column in needed:
        if column not in columns:
            raise TableError(f"{path}: there is no column {column}")
    if len(set(columns)) < len(columns):
        raise TableError(f"{path}:1: two columns have one name")
    return columns


def check_rows(path: Path, table: pandas.DataFrame) -> None:
    """Refuses cells that no run writes, and makes columns of numbers such."""
    if len(table) and not isinstance(table.index, pandas.RangeIndex):
        raise TableError(f"{path}: rows have more cells than there are columns")
    for column, values in table.items():
        if column in TEXTS:
            wrong = is_no_text(values, TEXTS[column])
        else:
            numbers = pandas.to_numeric(values, errors="coerce")
            wrong = ~numbers.between(0, MOST) | (numbers.dtype == bool)
            table[column] = numbers if len(table) else numbers.astype(float)
        if column in MAY_BE_EMPTY or (column in JOB_TIMES and path.stem == "jobs"):
            wrong &= values.notna()
        if wrong.any():
            refuse(path, column, wrong.idxmax(), values[wrong.idxmax()])


def is_no_text(values: pandas.Series, look: str) -> pandas.Series:
    """Which values are no texts that look so, or are too long to be drawn."""
    known = {
        value
        for value in values.dropna().unique()
        if len(value) <= MOST_CHARACTERS and value.isprintable() and re.fullmatch(look, value)
    }
    return ~values.isin(known)


def refuse(path: Path, column: str, row: int, value: object) -> NoReturn:
    """Says what is wrong with a cell."""
    where = f"{path}:{row + 2}: {column}"  # after the line with the names
    if value != value:
        raise TableError(f"{where} is empty")
    text = str(value)
    shown = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
    what = "a name of a run" if column in TEXTS else "a number from 0 to 2^64"
    raise TableError(f"{where}={shown}: is not {what}")
