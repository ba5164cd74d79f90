# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The results of many runs as one table, and their means over the seeds."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ai_fabric.common.aliases import Values
from ai_fabric.common.safe_file import written_whole
from ai_fabric.sweep.grid import SweptRun
from ai_fabric.sweep.runner import RunFailed, read_results

if TYPE_CHECKING:
    import pandas

NO_RESULTS = {"completed": False}


def rows_of(runs: Iterable[SweptRun], errors: Mapping[Path, RunFailed] | None = None) -> list[Values]:
    """One dictionary a run: what it is called, seed, completed, and the results. Those of failed
    runs, which errors has by folder, are of an earlier build, and not read. Where an option and a
    result have the same name, the result is called results.NAME."""
    rows = []
    for run in runs:
        results = NO_RESULTS if run.folder in (errors or {}) else read_results(run.folder)
        row = dict(run.labels)
        for name, value in results.items():
            row[f"results.{name}" if name in run.labels else name] = value
        rows.append(row)
    return rows


def numeric(table: pandas.DataFrame, labels: Iterable[str]) -> list[str]:
    """The columns that are results and numbers."""
    known = {*labels, "seed", "completed"}
    return [name for name in table.select_dtypes("number") if name not in known]


def means(table: pandas.DataFrame, by: list[str], values: list[str]) -> pandas.DataFrame:
    """Of some results over the seeds, in the order of the cases: mean, the ends of its 95 % interval, which one run
    has not, least and most. Where a run did not complete there is no mean."""
    import pandas  # takes most of a second
    from ai_fabric.common.interval import least_of, quantile

    groups = table.groupby(by, sort=False) if by else table.groupby(lambda row: 0)
    runs, parts = groups.size(), groups[values]
    mean = parts.mean().where(parts.count().eq(runs, axis=0))
    half = parts.std().mul(runs.map(quantile) / runs**0.5, axis=0)
    floors = [least_of(value, table[value].min()) for value in values]
    ends = (mean - half).clip(lower=floors, axis=1).add_suffix("_low95"), (mean + half).add_suffix("_high95")
    least, most = parts.min().add_suffix("_least"), parts.max().add_suffix("_most")
    columns = [f"{value}{end}" for value in values for end in ("", "_low95", "_high95", "_least", "_most")]
    counts = [runs.rename("runs"), groups.completed.sum().rename("completed")]
    merged = pandas.concat([mean, *ends, least, most], axis=1)[columns]
    return pandas.concat([*counts, merged], axis=1).reset_index(drop=not by)


def write_rows(path: Path, rows: Sequence[Values]) -> None:
    """Writes rows as CSV, each number with all its digits."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    last = [name for name in ("problem", "folder") if name in columns]
    with written_whole(path, newline="") as file:
        writer = csv.DictWriter(file, [name for name in columns if name not in last] + last)
        writer.writeheader()
        writer.writerows(rows)
