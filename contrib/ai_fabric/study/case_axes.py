# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The cases of a study: each of its fabrics with each of its jobs in each of its conditions."""

import itertools
from collections.abc import Iterable, Mapping
from pathlib import Path

from ai_fabric.common.aliases import Options
from ai_fabric.common.program import near, printable
from ai_fabric.study.scheme_file import Settings, StudyError, Table, Where, options_in, table_in

CASES = "cases"  # the table of conditions
AXES = ["fabrics", "jobs", CASES]  # tables of which each run has one, if there are some
ONE_CASE = "all"  # what the case of a study without [cases] is called
JOIN = ", "  # between the names of fabric, job and condition


def refuse_twice(groups: Iterable[tuple[str, Options]], where: Where) -> None:
    """Refuses an option that two tables of a study set."""
    seen: dict[str, str] = {}
    for name, options in groups:
        for option in options:
            if option in seen:
                raise StudyError(f"{where}: {option}: is in [{seen[option]}] and in [{name}]; one of them")
            seen[option] = name


class CaseAxes:
    """What [fabrics.X], [jobs.X] and [cases.X] of a study set. A case of the study has one of each, and the names of all. A
    fabric may list the jobs and cases that it is for, a job the cases; else it is for all."""

    def __init__(self, table: Table, where: Where, folder: Path) -> None:
        self.named: dict[str, dict[str, Settings]] = {}
        self.only: dict[tuple[str, str, str], list[str]] = {}
        self.parts: dict[str, tuple[str, ...]] = {}
        for axis in [axis for axis in AXES if axis in table or axis == CASES]:
            self.named[axis] = self.read(table, axis, where, folder)
        self.cases = self.named[CASES] = self.named[CASES] or {ONE_CASE: {}}
        self.check_only(where)

    def read(self, table: Table, axis: str, where: Where, folder: Path) -> dict[str, Settings]:
        """The options of each table of an axis; keeps what it is for."""
        tables = table_in(table, axis, where)
        bare = {}
        for name, options in tables.items():
            if not name or JOIN.strip() in name or printable(name) != name:
                raise StudyError(f"{where}: {axis}: {printable(name)!r}: a name in one line without commas is needed")
            if not isinstance(options, dict):
                raise StudyError(f"{where}: {axis}: {name}={options}: the options of a {axis.removesuffix('s')} stand in a table, "
                                 f"such as [{axis}.X]")
            bare[name] = dict(options)
            for other in AXES[AXES.index(axis) + 1 :]:
                if other in options:
                    only = bare[name].pop(other)
                    self.only[axis, name, other] = [str(one) for one in only] if isinstance(only, list) else only
        return {name: options_in(bare, name, f"{where}: {axis}", folder) for name in tables}

    def check_only(self, where: Where) -> None:
        for (axis, name, other), only in self.only.items():
            known = self.named.get(other, {})
            if not isinstance(only, list) or not only:
                raise StudyError(f"{where}: {axis}.{name}.{other}: a list of names is needed")
            for one in only:
                if one not in known:
                    raise StudyError(f"{where}: {axis}.{name}.{other}: {one}: no such {other.removesuffix('s')}"
                                     f"{near(one, known)}; there are {', '.join(known) or 'none'}")

    def meet(self, places: Mapping[str, str]) -> bool:
        """Whether a fabric, a job and a condition are for each other. places: their names by axis."""
        pairs = itertools.combinations(places.items(), 2)
        return all(two in self.only.get((axis, one, other), [two]) for (axis, one), (other, two) in pairs)

    def replace(self, small: Table, where: Where, folder: Path) -> None:
        """Sets what --quick has otherwise."""
        for axis in [axis for axis in AXES if axis in small]:
            known = self.named.get(axis, {})
            for name, options in self.read(small, axis, where, folder).items():
                if name not in known:
                    there = f"; there are {', '.join(known)}" if known else ""
                    raise StudyError(f"{where}.{axis}.{name}: no such {axis.removesuffix('s')}{near(name, known)}{there}")
                known[name] |= options
        self.check_only(where)

    def product(self, common: dict[str, Settings], where: Where) -> dict[str, Settings]:
        """The options of each case of the study, by its name. common: options of all, by table."""
        found: dict[str, Settings] = {}
        for names in itertools.product(*self.named.values()):
            places = dict(zip(self.named, names))
            if self.meet(places):
                tables = [(f"{axis}.{name}", self.named[axis][name]) for axis, name in places.items()]
                refuse_twice([*common.items(), *tables], where)
                self.parts[JOIN.join(names)] = names
                found[JOIN.join(names)] = {key: value for _, options in tables for key, value in options.items()}
        if not found:
            raise StudyError(f"{where}: no fabric, job and case are for each other")
        self.refuse_alone(where)
        return found

    def refuse_alone(self, where: Where) -> None:
        """Refuses a fabric or job that no case of the study has."""
        for place, axis in enumerate(self.named):
            met = {parts[place] for parts in self.parts.values()}
            for name in self.named[axis] if axis != CASES else ():
                if name not in met:
                    raise StudyError(f"{where}: {axis}.{name}: is for none of the others, as their lists say")

    def references(self, reference: str) -> dict[str, str]:
        """By case of the study, the one of the same fabric and job in which the condition is the reference."""
        pairs = {name: JOIN.join([*parts[:-1], reference]) for name, parts in self.parts.items() if parts[-1] != reference}
        return {name: other for name, other in pairs.items() if other in self.parts}
