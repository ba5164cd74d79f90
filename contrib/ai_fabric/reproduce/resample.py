# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The sampling error of verdicts: a figure is judged again without each of its seeds (jackknife)."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import io
import math
from typing import TYPE_CHECKING, Any

import numpy
import pandas

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from ai_fabric.reproduce.study import Study

KEPT = "also", "only"  # lists of a study that say what is compared


def without_seed(table: pandas.DataFrame, seed: int) -> pandas.DataFrame:
    """The runs of a table without those of one seed; the later seeds move up. One seed alone stays."""
    if table.seed.nunique() < 2:
        return table.copy()
    left = table[table.seed != seed]
    return left.assign(seed=left.seed - (left.seed > seed))


def again(study: Study, seed: int) -> Study:
    """A study that has run, to be judged without one seed: it runs, writes and draws nothing."""
    twin: Any = copy.copy(study)
    for field in dataclasses.fields(study):
        if field.default_factory is list and field.name not in KEPT:
            setattr(twin, field.name, [])
    tables = iter(study.tables)
    twin.runs = None

    def run(*_cases: object, **_seeds: object) -> pandas.DataFrame:
        table = without_seed(next(tables), seed)
        twin.runs = pandas.concat([twin.runs, table])
        return table

    twin.run = run
    twin.save = lambda table, suffix="": None
    twin.plot_path = lambda suffix="": None
    return twin


def half_width(values: Sequence[float]) -> float:
    """Half of the confidence interval of what the values are, each without another of n samples."""
    from ai_fabric.common.interval import quantile  # needs scipy

    count = len(values)
    return float(quantile(count) * math.sqrt((count - 1) * numpy.var(values)))


def judge_again(figure: ModuleType, study: Study) -> None:
    """Gives each verdict of a study its interval, and says whether one seed alone decides it."""
    seeds = max((table.seed.nunique() for table in study.tables), default=0)
    if seeds < 2:
        return
    twins = []
    for seed in range(1, seeds + 1):
        twin = again(study, seed)
        with contextlib.redirect_stdout(io.StringIO()):
            figure.reproduce(twin)
        twins.append(twin.verdicts)
    if any(len(verdicts) != len(study.verdicts) for verdicts in twins):
        return  # what is claimed depends on the runs
    for verdict, *others in zip(study.verdicts, *twins):
        verdict.flips = any(other.holds != verdict.holds for other in others)
        values = [other.value for other in others]
        if not any(map(math.isnan, [verdict.value, *values])) and len(set(values)) > 1:
            verdict.half = half_width(values)
