# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A sweep: what is to be run, what came out, and its tables and plots."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ai_fabric.common.aliases import FilePath, Values
from ai_fabric.sweep.grid import Case, GridError, Labels, SweptRun, runs_of
from ai_fabric.sweep.merge import means, numeric, rows_of, write_rows
from ai_fabric.common.metric import RESULTS, is_result
from ai_fabric.common.program import near, printable
from ai_fabric.sweep.plot_request import PlotRequest
from ai_fabric.sweep.stated import stated_error
from ai_fabric.sweep.runner import Runner, RunError, RunFailed, duration, read_results, why_stalled
from ai_fabric.common.safe_file import written_whole

if TYPE_CHECKING:
    import pandas

SHOWN = 40  # rows of the table that is printed
SOFTWARE = "ai-fabric sweep"  # which a plot names as its author
SPEED = 3e6  # packet-hops a second of one process, until a run tells more

TABLE: dict[str, tuple[str, Callable[[Any], str]]] = {  # what is printed of the means
    "completion (us)": ("cct_ns", lambda value: f"{value / 1e3:.2f}"),
    "95 %: from": ("cct_ns_low95", lambda value: f"{value / 1e3:.2f}"),
    "to": ("cct_ns_high95", lambda value: f"{value / 1e3:.2f}"),
    "increase (%)": ("increase_percent", "{:.2f}".format),
    "largest queue (pkts)": ("max_queue_packets_most", "{:.0f}".format),
    "drops": ("drops", "{:.6g}".format),
}


def called(labels: Labels) -> str:
    """What a run or a case is called in a line."""
    return printable(" ".join(f"{name}={value}" for name, value in labels.items() if value != ""))


def file_name(text: str) -> str:
    """A name of an option or a result as a part of a file's name."""
    return text.rpartition("::")[2].replace("/", "_")


def plot_name(plot: PlotRequest) -> str:
    """The name of a plot's file: RESULT-by-OPTION, then what else is asked for."""
    others = [file_name(plot.facet), plot.log and "log", math.isfinite(plot.line) and f"{plot.line:g}"]
    return "-".join([f"{file_name(plot.y)}-by-{file_name(plot.x)}", *(str(other) for other in others if other)])


PLOTS = ".png", ".svg", ".pdf"
MOST_BYTES = 1 << 20  # of a plot that are searched for what wrote it, which a PDF says near its end


def remove_plots(folder: Path) -> None:
    """Removes the plots of an earlier sweep, which no longer belong to the tables beside them."""
    for path in folder.glob("*-by-*.*"):
        if path.suffix in PLOTS and path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                is_ours = SOFTWARE.encode() in file.read(MOST_BYTES)
            if is_ours:
                path.unlink()


class Sweep:
    """Cases, each run with every seed in a folder of its own below out/runs."""

    means: pandas.DataFrame  # once write_tables() has made it

    def __init__(
        self, program: FilePath, out: Path, cases: Sequence[Case], seeds: Sequence[int], jobs: int | None = None
    ) -> None:
        self.out = out
        self.cases = cases
        self.seeds = seeds
        self.options = list(cases[0].labels)
        self.runs = runs_of(cases, seeds, out / "runs")
        self.runner = Runner(program, jobs)
        self.errors: dict[Path, RunFailed] = {}
        self.rows: list[Values] = []

    def run(self, plots: Sequence[PlotRequest] = (), check: Callable[[SweptRun], object] | None = None) -> None:
        """Checks all cases, and then runs what is missing, with a line for each run that stalls or
        fails. plots: requests, whose results the first run must have; check: what else is
        asked of the first run when it has ended."""
        first = self.runs[0]
        check_first = check or (lambda run: self.check_results(run, plots))
        missing = self.runner.missing(self.runs)
        self.runner.hops_of(missing)
        if first not in missing:
            check_first(first)
        runs = {run.folder: run for run in self.runs}
        (self.out / "runs").mkdir(parents=True, exist_ok=True)
        self.errors = self.runner.run_each(
            {folder: run.options for folder, run in runs.items()},
            lambda folder, what: f"{called(runs[folder].labels)}: {what}",
            lambda folder: check_first(first) if folder == first.folder else None,
        )

    @staticmethod
    def check_results(run: SweptRun, plots: Sequence[PlotRequest]) -> None:
        """Refuses plots of what is none of the results of a run."""
        [row] = rows_of([run])
        if not plots or not row["completed"]:
            return  # only other runs say which results there are
        import pandas

        there = numeric(pandas.DataFrame([row]).fillna(0), run.labels)  # null may be a number in others
        for plot in plots:
            if plot.y not in there:
                where = f"the results in {run.folder / 'run.json'}"
                raise GridError(plot.refusal(f"{plot.y} is none of {where}: {', '.join(there)}"))

    def print_plan(self) -> None:
        """Says what would be run, and how long that takes, about."""
        missing = self.runner.missing(self.runs)
        hops = self.runner.hops_of(missing)
        ours = {run.folder for run in missing}
        for case in self.cases:
            runs = runs_of([case], self.seeds, self.out / "runs")
            left = sum(run.folder in ours for run in runs)
            there = f", {len(runs) - left} there" if left < len(runs) else ""
            print(f"{len(runs)} runs{there}: {called(case.labels) or 'all defaults'}")
        if missing:
            command = self.runner.command(missing[0].folder, missing[0].options)
            print(f"\nThe first: {shlex.join(command)}\n")
        done = [run for run in self.runs if run.folder not in ours]
        seconds = hops / self.speed(done) / min(self.runner.jobs, max(1, len(missing)))
        print(f"{len(self.runs)} runs, {len(done)} there; the others take about {duration(seconds)}"
              f" ({hops:.2g} packet-hops, {self.runner.jobs} runs at a time)")

    @staticmethod
    def speed(runs: Iterable[SweptRun]) -> float:
        """Packet-hops a second of one process, as runs had them."""
        results = [read_results(run.folder) for run in runs]
        results = [result for result in results if result["completed"]]
        seconds = sum(result["wall_s"] for result in results)
        return sum(result["packet_hops"] for result in results) / seconds if seconds else SPEED

    def write_tables(self) -> None:
        """Writes sweep.csv, a row a run, and means.csv, a row a case, and removes the plots of the
        tables that these replace."""
        import pandas

        remove_plots(self.out)
        self.rows = rows_of(self.runs, self.errors)
        for row, run in zip(self.rows, self.runs):
            failed = self.errors.get(run.folder)
            stalled = "" if row["completed"] else why_stalled(run.folder)
            row["problem"] = failed.reason if failed else stalled
            row["folder"] = run.folder.relative_to(self.out)
        write_rows(self.out / "sweep.csv", self.rows)
        table = pandas.DataFrame(self.rows)
        self.means = means(table, self.options, numeric(table, self.options))
        with written_whole(self.out / "means.csv", newline="") as file:
            self.means.to_csv(file, index=False, float_format="%.10g")

    def print_table(self) -> None:
        """Prints the main columns of the means."""
        shown = self.means[[*self.options, "runs", "completed"]].copy()
        for title, (column, form) in TABLE.items():
            if column in self.means and not (column.endswith("95") and len(self.seeds) == 1):
                values = self.means[column]
                shown[title] = [form(value) if value == value else "-" for value in values]
        if (shown.runs == shown.completed).all():
            shown = shown.drop(columns="completed")
        shown = shown.rename(columns=lambda name: name.removeprefix("ns3::aifabric::"))
        print("\n" + shown.head(SHOWN).to_string(index=False))
        if len(shown) > SHOWN:
            print(f"... and {len(shown) - SHOWN} more rows")

    def check_plot(self, plot: PlotRequest) -> None:
        """Refuses a plot over what is not swept, or of what is no result of any run."""
        for option in plot.options:
            if option not in self.options:
                there = ", ".join(self.options) or "there are none"
                raise GridError(plot.refusal(f"{option} is none of the options that are swept ({there})"))
        if not is_result(plot.y.removeprefix("results.")):
            raise GridError(plot.refusal(f"{plot.y}: no result of runs{near(plot.y, RESULTS)}; there are {', '.join(RESULTS)}"))

    def plot(self, plot: PlotRequest) -> str:
        """Draws a plot; returns the file's name."""
        from ai_fabric.sweep.plot_means import plot_means  # and matplotlib

        if f"{plot.y}_least" not in self.means:
            raise RunError(plot.refusal(f"{plot.y} is none of the results in {self.out / 'means.csv'}"))
        path = self.out / f"{plot_name(plot)}.png"
        only = {
            key: value
            for key, value in self.cases[0].options.items()
            if all(case.options.get(key) == value for case in self.cases)
        }
        count = len(self.seeds)
        runs = f"mean and 95 % interval, n = {count}" if count > 1 else "one run each"
        caption = "; ".join(filter(None, [called(only), runs]))
        return plot_means(self.means, self.options, plot, path, caption, SOFTWARE).name

    def print_end(self, plots: Sequence[str]) -> None:
        """Says where everything is, what is not there, and how far rates are from packets."""
        if stated := stated_error(run.folder for run, row in zip(self.runs, self.rows) if row["completed"]):
            print(f"\n{stated}")
        stalled = sum(not row["completed"] for row in self.rows) - len(self.errors)
        for count, what in ((stalled, "stalled"), (len(self.errors), "failed")):
            if count:
                total = len(self.rows)
                print(f"\n{count} of {total} runs {what}: column problem of sweep.csv says why")
        print(f"\nResults in {self.out}: {', '.join(['sweep.csv', 'means.csv', *plots, 'runs'])}")
