# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A study: a question, fabrics, jobs, cases, and the schemes that are compared in each case."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ai_fabric.common.aliases import Values
from ai_fabric.sweep.grid import Case, GridError, read_seeds
from ai_fabric.common.metric import RESULTS, is_result
from ai_fabric.common.program import near
from ai_fabric.study.case_axes import CaseAxes
from ai_fabric.study.scheme_file import (
    SUFFIX, Scheme, Settings, StudyError, Table, Where, check_keys, find_scheme, options_in, read_toml, scheme_from,
    table_in, text_in,
)

SHIPPED = Path(__file__).resolve().parent / "studies"
QUICK = ["seeds", "fabric", "traffic", "fabrics", "jobs", "cases"]
KEYS = ["question", "schemes", "baseline", "reference", "metric", "better", "figure", *QUICK, "quick"]
MATRIX = "matrix"  # a figure with a row a case
BETTER = ["lower", "higher"]
USUAL = {"sample": "0ns"}  # options of all runs: queues over time are no answer of a study
USUAL_SEEDS = "5"


@dataclass
class Study:
    """What a file says, checked. cases: options by name; common: those of all runs; parts: the fabric, job and condition of
    a case; references: the case of the same fabric and job that a case is compared with; left_out: why a scheme is not in a case;
    only: names of the fabrics, jobs and conditions that are run, if not all are; known: rows of other machines by seed."""

    name: str
    path: Path
    question: str
    schemes: list[Scheme]
    cases: dict[str, Settings]
    common: Settings = field(default_factory=dict)
    seeds: range = range(1, 6)
    metric: str = "cct_ns"
    better: str = "lower"
    baseline: str = ""
    figure: bool | str = True
    parts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    references: dict[str, str] = field(default_factory=dict)
    left_out: dict[tuple[str, str], str] = field(default_factory=dict)
    only: list[str] = field(default_factory=list)
    known: dict[int, list[Values]] = field(default_factory=dict)

    def runs(self) -> list[Case]:
        """A case of a sweep for each case and scheme. What a scheme sets wins: it belongs to the scheme. A scheme that works in
        some of the cases is left out of the others."""
        found, self.left_out = [], {}
        for scheme in self.schemes:
            why = {case: scheme.refusal({**USUAL, **self.common, **options}) for case, options in self.cases.items()}
            if all(why.values()):
                case = next(iter(why))
                raise StudyError(f"{self.path}: case {case}: {why[case]}")
            self.left_out |= {(case, scheme.name): text for case, text in why.items() if text}
        for name, options in self.cases.items():
            for scheme in self.schemes:
                if (name, scheme.name) not in self.left_out:
                    labels = {"case": name, "scheme": scheme.name}
                    found.append(Case(labels, {**USUAL, **self.common, **options, **scheme.options}))
        return found

    def keep(self, names: Sequence[str]) -> None:
        """Keeps the cases of some fabrics, jobs and conditions. names: those of one table or of several; of a table of which none
        is named, all stay. A scheme that is left out of all these cases goes, too."""
        self.runs()
        places = [set(column) for column in zip(*self.parts.values())]
        known = [name for parts in self.parts.values() for name in parts]
        for name in names:
            if name not in known:
                raise StudyError(f"--only={name}: no fabric, job or case of {self.path}{near(name, known)}; "
                                 f"there are {', '.join(dict.fromkeys(known))}")
        wanted = [place & set(names) or place for place in places]
        self.only = list(names)
        kept = [case for case, parts in self.parts.items() if all(part in some for part, some in zip(parts, wanted))]
        if not kept:
            raise StudyError(f"--only={','.join(names)}: {self.path} has no such case: these are not for each other")
        self.cases = {case: self.cases[case] for case in kept}
        self.schemes = [scheme for scheme in self.schemes if any((case, scheme.name) not in self.left_out for case in kept)]
        self.references = {case: other for case, other in self.references.items() if case in kept and other in kept}

    def overridden(self) -> dict[str, list[str]]:
        """What the study sets and a scheme sets otherwise, as texts by scheme."""
        found = {}
        for scheme in self.schemes:
            given = [*self.common.items(), *(item for options in self.cases.values() for item in options.items())]
            found[scheme.name] = [f"{name}={scheme.options[name]}, not {value}" for name, value in dict.fromkeys(given)
                                  if name in scheme.options and str(scheme.options[name]) != str(value)]
        return {name: texts for name, texts in found.items() if texts}


def names() -> list[str]:
    """The studies that are shipped."""
    return sorted(path.stem for path in SHIPPED.glob("*" + SUFFIX))


def find_path(text: str) -> Path:
    """The file of a study: a path, or a name of one that is shipped."""
    if text in names():
        return SHIPPED / (text + SUFFIX)
    if os.sep in text or text.endswith(SUFFIX):
        return Path(text)
    raise StudyError(f"{text}: no such study{near(text, names())}; there are {', '.join(names())}, "
                     f"and files, whose names end with {SUFFIX}")


def described(entries: object, where: Where, folder: Path) -> dict[str, Scheme]:
    """The schemes that a study describes itself, by name: those of its tables."""
    tables = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    return {entry["name"]: scheme_from(entry, "", f"{where}: scheme {entry['name']}", folder)
            for entry in tables if entry.get("name")}


def read_schemes(entries: object, where: Where, folder: Path, known: Mapping[str, Scheme]) -> list[Scheme]:
    """The schemes of a list of names, of files, and of tables. known: those that the study describes itself."""
    if not isinstance(entries, list) or len(entries) < 2:
        raise StudyError(f"{where}: schemes: a list of at least two is needed")
    schemes = []
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, dict):
            if not entry.get("name"):
                raise StudyError(f"{where}: schemes: the table of place {number} has no name")
            schemes.append(known[entry["name"]])
        elif isinstance(entry, str):
            schemes.append(known[entry] if entry in known else find_scheme(entry, folder, f"{where}: schemes"))
        else:
            raise StudyError(f"{where}: schemes: place {number} is neither a name nor a table")
    called = [scheme.name for scheme in schemes]
    for name in called:
        if called.count(name) > 1:
            raise StudyError(f"{where}: schemes: {name} is there twice")
    return schemes


def chosen(table: Table, key: str, known: Sequence[str], where: Where, usual: str) -> str:
    """A text of a table that is one of some."""
    value = text_in(table, key, where, usual)
    if value not in known:
        there = ", ".join(filter(None, known))
        raise StudyError(f"{where}: {key}={value}: it is one of {there}{near(value, known)}")
    return value


def metric_in(table: Table, path: Path) -> str:
    """The result that is compared. Runs of other workloads may not have it, which the first one says."""
    metric = text_in(table, "metric", path, "cct_ns")
    if not is_result(metric):
        raise StudyError(f"{path}: metric={metric}: no result of runs{near(metric, RESULTS)}; there are {', '.join(RESULTS)}")
    return metric


def seeds_of(value: object, where: Where) -> range:
    try:
        return read_seeds(str(value))
    except GridError:
        name = where if where == "--seeds" else f"{where}: seeds"
        raise StudyError(f"{name}={value}: a number of runs, such as 5, or the runs, such as \"3-7\"") from None


def read_study(text: str, quick: bool = False, schemes: list[str] | None = None) -> Study:
    """Reads a study. quick: with the values of its table quick, which is small; schemes: names of its own
    schemes, or of others instead; a baseline that is none of them counts for nothing."""
    path = find_path(text)
    table, folder = read_toml(path), path.parent
    check_keys(table, KEYS, path)
    parts = {key: options_in(table, key, path, folder) for key in ("fabric", "traffic")}
    axes = CaseAxes(table, path, folder)
    seeds = table.get("seeds", USUAL_SEEDS)
    small = table_in(table, "quick", path)
    check_keys(small, QUICK, f"{path}: quick")
    if quick:
        seeds = small.get("seeds", seeds)
        parts = {key: parts[key] | options_in(small, key, f"{path}: quick", folder) for key in parts}
        axes.replace(small, f"{path}: quick", folder)
    cases = axes.product(parts, path)
    reference = chosen(table, "reference", ["", *axes.cases], path, "")
    where: Where = "--schemes" if schemes else path
    own = described(table.get("schemes"), path, folder)
    compared = read_schemes(schemes or table.get("schemes"), where, Path() if schemes else folder, own)
    known = [scheme.name for scheme in compared]
    baseline = chosen(table, "baseline", ["", *known], path, "") if where == path or table.get("baseline") in known else ""
    figure = table.get("figure", True)
    if not isinstance(figure, bool) and figure != MATRIX:
        raise StudyError(f"{path}: figure: true, false or \"{MATRIX}\" is needed")
    return Study(
        path.stem,
        path,
        text_in(table, "question", path) or path.stem,
        compared,
        cases,
        {**parts["fabric"], **parts["traffic"]},
        seeds_of(seeds, path),
        metric_in(table, path),
        chosen(table, "better", BETTER, path, BETTER[0]),
        baseline,
        figure,
        axes.parts,
        axes.references(reference),
    )
