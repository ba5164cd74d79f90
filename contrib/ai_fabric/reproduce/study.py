# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the figures of all papers have in common: schemes, runs, files, and the table of verdicts."""

from __future__ import annotations

import itertools
import json
import math
import os
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import pandas

from ai_fabric.reproduce.catalog import seeds_of
from ai_fabric.reproduce.drawing import draw_panels
from ai_fabric.sweep.grid import Case, runs_of
from ai_fabric.runs.made_by import note_command
from ai_fabric.sweep.merge import means, rows_of
from ai_fabric.sweep.runner import Runner, RunError, ask, duration, why_stalled
from ai_fabric.sweep.sweep import Sweep
from ai_fabric.reproduce.verdicts import Claims, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from ai_fabric.common.aliases import Options, Values
    from ai_fabric.sweep.grid import SweptRun

MTU = 4096
FLOW_COLUMNS = "start_ns,source,destination,bytes"  # the first line of a file of flows
WIRE = 4158  # bytes of a full data packet
US = {"time_us": "cct_ns", "cct_us": "cct_ns", "longest_us": "max_fct_ns", "p99_us": "p99_fct_ns",
      "mean_us": "mean_fct_ns"}
OVER = {"over_percent": "cct_ns", "over_ideal_percent": "max_fct_ns", "published_percent": "published_bound_ns"}
MOST_CHECKED = 50  # sets of options of a dry run

# The theorems are about equal packets, and the first paper charges each of them 62 bytes of headers. With
# the 16 bytes of its RETH, the first packet of a message would be longer than the others.
EQUAL_PACKETS = {"ns3::aifabric::RoceNetDevice::ChargeReth": "false"}


def size_of(size: int) -> str:
    """A number of bytes as people write it."""
    return f"{size // 1024**2} MiB" if size >= 1024**2 else f"{size // 1024} KiB"


def bytes_of(size: str) -> int:
    """The number of bytes of a size of the command line, such as 64KiB or 1MiB."""
    return int(size[:-3]) * {"KiB": 1024, "MiB": 1024**2}[size[-3:]]


def beside(means: pandas.DataFrame, by: Sequence[str], values: Mapping[Any, Any], *columns: str) -> pandas.DataFrame:
    """Adds to a table of means what others have measured, in a column or more. by: the columns that identify a row;
    values: by what a row has there, a number or a tuple of one a column; rows without one have NaN."""
    found = [values.get(key, ()) for key in zip(*(means[name] for name in by))]
    rows = [value if isinstance(value, tuple) else (value,) for value in found]
    return means.assign(**{
        name: [row[at] if at < len(row) else math.nan for row in rows] for at, name in enumerate(columns)
    })


class Planned(Exception):
    """With --dry-run: the options of runs were checked, and there are no results to go on with."""


@dataclass
class Study(Claims):
    """The reproduction of one figure. The figures of another paper may have a class of their own."""

    variants: ClassVar[dict] = {}  # options by scheme, of those that are no balancer's name
    base: ClassVar[dict] = {}  # options of all runs
    fixed: ClassVar[str | None] = None  # why --also and --only are refused, if they are

    name: str
    title: str
    program: str
    out: Path
    quick: bool = False
    full: bool = False
    seeds: int = 0  # runs of each case; 0: as many as the figure has
    jobs: int | None = None
    also: list[str] = field(default_factory=list)
    only: list[str] = field(default_factory=list)
    library: str | None = None  # with balancers that "also" names
    dry_run: bool = False
    verdicts: list[Verdict] = field(default_factory=list)
    rows: list[SimpleNamespace] = field(default_factory=list)  # of the table of expected values, if the figure has one
    files: list[Path] = field(default_factory=list)
    runs: pandas.DataFrame = None  # None before the first
    labels: list[list[str]] = field(default_factory=list)  # of the runs, by their names
    tables: list[pandas.DataFrame] = field(default_factory=list)  # of the runs, in the order in which they ran

    means = staticmethod(means)
    draw = draw_panels  # writes a picture

    def __post_init__(self) -> None:
        self.folder = self.out / (f"{self.name}-quick" if self.quick else self.name)
        if self.fixed and (self.also or self.only):
            raise RunError(f"--also, --only: {self.name} {self.fixed}")
        self.seeds = self.seeds or seeds_of(self.name, self.quick)
        self.known = ask(self.program, "--balancer=help", self.library)
        for option, names in (("also", self.also), ("only", self.only)):
            for name in names:
                if not self.has(name):
                    there = ", ".join(dict.fromkeys([*self.known, *self.variants]))
                    raise RunError(f"--{option}: {name} is none of {there}")

    def options_of(self, scheme: str) -> Values:
        """The options that choose a scheme."""
        loaded = {"library": self.library} if self.library and scheme in self.also else {}
        return {**self.variants.get(scheme, {"balancer": scheme}), **loaded}

    def has(self, scheme: str) -> bool:
        """Whether the program has what a scheme needs."""
        balancer = self.options_of(scheme).get("balancer")
        return balancer is None or balancer in self.known

    def pick(self, full: Any, quick: Any, usual: Any = None) -> Any:
        """One of the values; usual is for a figure that takes hours in full."""
        if self.quick:
            return quick
        return full if self.full or usual is None else usual

    def schemes(self, names: Collection[str]) -> list[str]:
        """The schemes to be compared: those of the figure and the user's own."""
        wanted = [*names, *(name for name in self.also if name not in names)]
        wanted = [name for name in wanted if not self.only or name in self.only]
        missing = [name for name in wanted if not self.has(name)]
        if missing:
            print(f"Left out, because {self.program} does not have them: {', '.join(missing)}")
        chosen = [name for name in wanted if name not in missing]
        if not chosen:
            raise RunError(f"nothing to run: {self.name} compares {', '.join(names)}")
        return chosen

    def sweep(self, options: Options | Callable[[Any], Any] | None = None, **axes: Any) -> list[Case]:
        """A case for each combination of the values of axes, of which the first is the slowest. An axis is called as
        its label, and has its values, or the options of each value; scheme has names of schemes. options: those of all
        cases, or a function of a case's labels. The later is stronger: base, options, axes, the function."""
        if isinstance(axes.get("scheme"), list):
            axes["scheme"] = {name: self.options_of(name) for name in self.schemes(axes["scheme"])}
        cases = []
        for values in itertools.product(*axes.values()):
            labels, found = dict(zip(axes, values)), {**self.base, **({} if callable(options) else options or {})}
            for axis, value in zip(axes.values(), values):
                found |= axis[value] if isinstance(axis, dict) else {}
            cases.append(Case(labels, found | options(SimpleNamespace(**labels)) if callable(options) else found))
        return cases

    def run(self, cases: Iterable[Case], seeds: int | None = None) -> pandas.DataFrame:
        """Runs all cases with all seeds. One row a run: the labels, seed, the results, and folder."""
        self.folder.mkdir(parents=True, exist_ok=True)
        cases = [Case(case.labels, {"sample": "0ns", **case.options}) for case in cases]
        runs = runs_of(cases, range(1, (seeds or self.seeds) + 1), self.out / "runs")
        runner = Runner(self.program, self.jobs)
        if self.dry_run:
            self.plan(runner, runs)
        runner.run_all({run.folder: run.options for run in runs})
        self.labels.append([name for case in cases for name in case.labels])
        table = pandas.DataFrame(rows_of(runs)).assign(folder=[run.folder for run in runs])
        if not table.completed.any():
            raise RunError(f"none of {len(table)} runs completed; {why_stalled(runs[0].folder)}")
        self.runs = pandas.concat([self.runs, table])
        self.tables.append(self.with_usual(table).copy())
        return table

    def tabulate(
        self, cases: Iterable[Case], by: list[str], columns: Sequence[str] | Mapping[str, Any], seeds: int | None = None
    ) -> pandas.DataFrame:
        """Runs cases. Returns means of results over the seeds, a row for each value of the labels by. columns: names of
        results, or by the name of a column that of a result, which is NaN if no run has it, or a function of runs."""
        runs = self.run(cases, seeds)
        if isinstance(columns, dict):
            found = {name: what(runs) if callable(what) else runs.get(what, math.nan) for name, what in columns.items()}
            runs = runs.assign(**found)
        return self.means(runs, by, [*columns])

    @staticmethod
    def plan(runner: Runner, runs: Sequence[SweptRun]) -> NoReturn:
        """Has the program check the options of runs that are not there, and says how long they take, about. Of very
        many runs it checks some."""
        missing = runner.missing(runs)
        sets = list({run.options_but_seed(): run for run in missing}.values())
        checked = sets[:: len(sets) // MOST_CHECKED + 1]
        hops = runner.hops_of(checked) * len(missing) / max(1, len(checked))
        seconds = hops / Sweep.speed([]) / min(runner.jobs, max(1, len(missing)))
        there = len(runs) - len(missing)
        print(f"{len(runs)} runs, {there} there; the others take about {duration(seconds)} ({runner.jobs} at a time)")
        raise Planned

    def each(self, *parts: Callable[[Any], Any]) -> list[Any]:
        """What the parts of a figure return, which are functions of the study. None needs the results of others, so
        that --dry-run checks the runs of all."""
        results = []
        for part in parts:
            try:
                results.append(part(self))
            except Planned:
                pass
        if self.dry_run:
            raise Planned
        return results

    @staticmethod
    def with_usual(table: pandas.DataFrame) -> pandas.DataFrame:
        """Adds times in us; by how much a run, its longest flow, and the published form of the bound exceed the strict
        bound, in percent (the form is no law where it is above a run); and the queue in data packets, which is its
        bytes: acknowledgements hardly have any."""
        for name, column in US.items():
            if column in table:
                table[name] = table[column] / 1000
        for name, column in OVER.items():
            if {column, "completion_bound_ns"} <= {*table}:
                table[name] = 100 * (table[column] / table.completion_bound_ns - 1)
        switches = [name for name in table if name.endswith("max_waiting_bytes") and "host-up" not in name]
        if switches:
            table["max_queue_data_packets"] = table[switches].max(axis=1) / WIRE
        return table

    def write(self, name: str, lines: Iterable[object]) -> Path:
        """A file that runs read. A run that is older than its file is run again, so the same text is not written."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path, text = self.folder / name, "".join(f"{line}\n" for line in lines)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        return path

    def write_flows(self, name: str, flows: Iterable[Iterable[object]]) -> Path:
        """A file of flows: tuples of start in ns, source, destination and bytes."""
        return self.write(name, [FLOW_COLUMNS, *(",".join(map(str, flow)) for flow in flows)])

    def save(self, table: pandas.DataFrame, suffix: str = "") -> None:
        """Writes a table beside the plots."""
        path = self.folder / f"{self.name}{suffix}.csv"
        table.to_csv(path, index=False, float_format="%.6g")
        self.files.append(path)

    def save_rows(self) -> None:
        """Writes the rows of expected values as a table."""
        self.save(self.table_of_rows())

    def plot_path(self, suffix: str = "") -> Path:
        """Where a plot goes."""
        return self.folder / f"{self.name}{suffix}.png"

    def add_plot(self, path: Path | None) -> None:
        """Lists a plot among the files, if it was drawn."""
        if path:
            self.files.append(path)

    def caption(self, text: str, seeds: int | None = None) -> str:
        """A plot's caption: the scenario, and how often it was run."""
        seeds = seeds or self.seeds
        runs = f"mean, n = {seeds}; shades and whiskers: 95 % interval" if seeds > 1 else "n = 1"
        if not self.quick:
            return f"{text}; {runs}"
        return f"{text}; {runs}; --quick ({self.hosts()} hosts): not the figure's size"

    def hosts(self) -> str:
        """How many hosts the fabrics had, as text."""
        folders = self.runs[self.runs.completed].folder
        scenarios = [json.loads((folder / "run.json").read_text())["scenario"] for folder in folders]
        return " and ".join(map(str, sorted({scenario["hosts"] for scenario in scenarios})))

    def samples(self) -> str:
        """How many seeds the cases had, as text."""
        counts = sorted({table.seed.nunique() for table in self.tables})
        return " to ".join(map(str, dict.fromkeys([counts[0], counts[-1]]))) if counts else "0"

    def note_made(self, arguments: list[str]) -> None:
        """Notes the command, and which runs are those of the figure: figures share runs."""
        labels = ["folder", *dict.fromkeys(name for names in self.labels for name in names), "seed", "completed"]
        table = self.runs.drop_duplicates("folder").reindex(columns=labels).astype(object)
        rows = table.where(table.notna(), None).to_dict("records")
        for row in rows:
            row["folder"] = os.path.relpath(row["folder"], self.folder)
        note_command(self.folder, "reproduce", arguments, title=self.title, runs=rows)

    def finish(self) -> None:
        """Prints and writes the verdicts, and that of a law for every run."""
        beaten = (self.runs.cct_ns < self.runs.completion_bound_ns).sum()
        self.claim("no run beats the strict lower bound", "0 runs", f"{beaten} runs", not beaten)
        table = pandas.DataFrame(
            [[v.claim, v.expected, v.measured, v.interval(), self.samples(), v.word()] for v in self.verdicts],
            columns=["claim", "expected", "measured", "interval", "n", "holds"],
        )
        self.save(table.assign(quick="yes" if self.quick else "no"), "-verdicts")
        rows = [list(table.columns), *table.values.tolist()]
        rows[0][-1] = "holds at the size of --quick?" if self.quick else "holds?"
        last = len(rows[0]) - 1
        widths = [max(len(row[column]) for row in rows) for column in range(last)]
        for row in rows:
            cells = [row[column].ljust(widths[column]) for column in range(last)]
            print(" | ".join([*cells, row[last]]))
        print("\ninterval: of 95 %, from n seeds; open: it has the limit inside, or one seed decides.")
        names = ", ".join(path.name for path in self.files)
        title = self.title
        if self.quick:
            title += f"; this was --quick, with {self.hosts()} hosts"
            print("\nThe claims are about the full size. Run the figure without --quick before you "
                  "conclude anything from a NO.")
        print(f"\n{title}\nResults in {self.folder}: {names}")
