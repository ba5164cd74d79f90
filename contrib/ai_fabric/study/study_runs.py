# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The runs of a study, by the engine of sweeps, and its tables."""

import csv
import math
import shlex
from collections.abc import Sequence
from pathlib import Path

from ai_fabric.common.aliases import FilePath, Options, Values
from ai_fabric.study.answer import changes, correction, idle, joined, more_seeds, overview, pairs_of, sentence
from ai_fabric.sweep.grid import Case
from ai_fabric.sweep.merge import rows_of
from ai_fabric.common.metric import Metric, metric_of
from ai_fabric.common.interval import least_of
from ai_fabric.study.paired import Estimate, Paired, corrected, difference
from ai_fabric.common.program import near, printable
from ai_fabric.sweep.runner import Runner, RunError, duration, why_stalled
from ai_fabric.common.safe_file import written_whole
from ai_fabric.study.scheme_file import StudyError
from ai_fabric.study.study_file import Study
from ai_fabric.sweep.stated import stated_error
from ai_fabric.sweep.sweep import Sweep

Comparison = tuple[str, str, str, Estimate]  # case, scheme, the one that it stands beside, difference
SHOWN = ["cct_ns", "max_fct_ns", "p99_fct_ns", "mean_fct_ns", "completion_bound_ns", "increase_percent",
         "max_queue_packets", "drops", "trims", "link_losses", "retransmissions", "timeouts", "data_packets",
         "packet_hops", "wall_s"]  # of the results of a run, in results.csv: units are in the names
TIME = "cct_ns"  # the metric that tells runs apart in which anything differs
GROWTH = 2  # times the seeds, at most, that are added at once


class StudyRuns:
    """Runs a study, and makes its answer."""

    def __init__(self, study: Study, program: FilePath, out: Path, jobs: int | None = None) -> None:
        self.study = study
        self.program = program
        self.out = out
        self.jobs = jobs
        self.points = study.runs()
        self.seeds = study.seeds
        self.rows: list[Values] = []
        self.problems: list[str] = []
        self.cases: dict[str, Paired] = {}
        self.metric = Metric(study.metric)
        self.percent = True
        self.floor = -math.inf  # of means
        self.until: float | None = None

    def own_seeds(self) -> list[int]:
        """The seeds that are run here."""
        return [seed for seed in self.seeds if seed not in self.study.known]

    def sweep(self) -> Sweep:
        return Sweep(self.program, self.out, self.points, self.own_seeds(), self.jobs)

    def check(self) -> int:
        """Has the program check each case and scheme; what it refuses is said with their names."""
        seeds = self.own_seeds()
        if not seeds:
            return 0
        runner = Runner(self.program, self.jobs)
        sets: list[Options] = [{**point.options, "RngRun": seeds[0]} for point in self.points]
        try:
            return sum(runner.check_all(sets)) * len(seeds)
        except RunError as first:
            for point, options in zip(self.points, sets):
                self.refuse(runner, point, options)
            raise StudyError(f"{self.study.path}: {first}") from None

    def refuse(self, runner: Runner, point: Case, options: Options) -> None:
        """Says of which case and scheme options are wrong, if they are."""
        try:
            runner.check(options)
        except RunError as error:
            where = f"{self.study.path}: case {point.labels['case']}, scheme {point.labels['scheme']}"
            raise StudyError(f"{where}: {error}") from None

    def print_plan(self, hops: int) -> None:
        """The command of each run, and how long they take, about."""
        sweep = self.sweep()
        runs = {run.folder: run for run in sweep.runs}  # cases may have some in common
        missing = {run.folder for run in sweep.runner.missing(runs.values())}
        for run in runs.values():
            print(shlex.join(sweep.runner.command(run.folder, run.options)))
        seconds = hops * len(missing) / max(1, len(sweep.runs)) / Sweep.speed([]) / sweep.runner.jobs
        print(f"\n{len(runs)} runs, {len(runs) - len(missing)} there; the others take about "
              f"{duration(seconds)}, {sweep.runner.jobs} at a time")

    def run(self, until: float | None = None, most: int = 0) -> None:
        """Runs what is missing. until: half of an interval, in percent, that no comparison exceeds, unless it takes more
        than most seeds."""
        self.until = until
        self.run_seeds()
        while until is not None and (count := self.seeds_until(until, most)) > len(self.seeds):
            seeds = f"{len(self.seeds)} seeds are" if len(self.seeds) > 1 else "1 seed is"
            print(f"{seeds} too few for an interval of +-{until:g} %: {count} now", flush=True)
            self.seeds = range(self.seeds[0], self.seeds[0] + count)
            self.run_seeds()

    def run_seeds(self) -> None:
        places = {(point.labels["case"], point.labels["scheme"]): place for place, point in enumerate(self.points)}
        rows = [row for seed in self.seeds for row in self.study.known.get(seed, [])] + self.run_own()
        self.rows = sorted(rows, key=lambda row: (places[row["case"], row["scheme"]], row["seed"]))
        self.problems = [f"{row['case']}, {row['scheme']}, seed {row['seed']}: {printable(row['problem'])}"
                         for row in self.rows if row["problem"]]
        self.pair()

    def run_own(self) -> list[Values]:
        """The rows of the seeds that are run here."""
        if not self.own_seeds():
            return []
        sweep, rows = self.sweep(), []
        sweep.run(check=lambda run: self.refuse_metric(rows_of([run]), (int, float, type(None))))
        for run, row in zip(sweep.runs, rows_of(sweep.runs, sweep.errors)):
            failed = sweep.errors.get(run.folder)
            problem = failed.reason if failed else "" if row["completed"] else why_stalled(run.folder)
            rows.append({**row, "problem": problem, "folder": run.folder.relative_to(self.out)})
        return rows

    def refuse_metric(self, rows: Sequence[Values], kinds: tuple[type, ...] = (int, float)) -> None:
        """Refuses a metric that is none of the results of the runs that completed."""
        done, column = [row for row in rows if row["completed"]], self.study.metric
        known = {name for row in done for name, value in row.items() if isinstance(value, kinds)}
        numbers = sorted(known - {*self.points[0].labels, "seed", "completed"})
        if done and column not in numbers:
            raise StudyError(f"{self.study.path}: metric={column}: no result of the runs{near(column, numbers)}; "
                             f"there are {', '.join(numbers)}")

    def pair(self) -> None:
        """The values of the metric, by case and scheme and seed."""
        self.refuse_metric(self.rows)
        done, column = [row for row in self.rows if row["completed"]], self.study.metric
        lacks = [row for row in done if not isinstance(row.get(column), (int, float))]
        self.problems += [f"{row['case']}, {row['scheme']}, seed {row['seed']}: no {column}" for row in lacks]
        sizes = sorted(abs(row[column]) for row in done if row not in lacks)
        self.floor = least_of(column, min((row[column] for row in done if row not in lacks), default=0))
        self.percent = all(row[column] > 0 for row in done if row not in lacks)  # else differences have the metric's unit
        for case in self.study.cases:
            schemes = [scheme.name for scheme in self.study.schemes if (case, scheme.name) not in self.study.left_out]
            rows = [row for row in self.rows if row["case"] == case]
            kept = [row for row in rows if row["completed"] and row not in lacks]
            values = {name: {row["seed"]: row[column] for row in kept if row["scheme"] == name} for name in schemes}
            missing = [name for name in schemes if len(values[name]) < len(self.seeds)]
            self.cases[case] = Paired(values, self.study.better, missing, self.percent, self.floor)
        self.metric = metric_of(column, sizes[len(sizes) // 2] if sizes else 0)

    def comparisons(self) -> list[Comparison]:
        """The estimates of the answer, with case, scheme and the one that it stands beside."""
        return [(case, *pair, paired.over(*pair)) for case, paired in self.cases.items()
                for pair in pairs_of(paired, self.study.baseline)]

    def wide(self, half: float) -> list[Estimate]:
        """The comparisons whose interval is wider than +-half, if they are in percent."""
        return [found for _, _, _, found in self.comparisons() if self.percent and not found.half <= half]

    def seeds_until(self, half: float, most: int) -> int:
        """How many seeds are to be run so that no interval is wider, at most about twice as many as now."""
        now = len(self.seeds)
        needs = [found.seeds_for(half) or most for found in self.wide(half)]
        return min(max(*needs, now + 1), GROWTH * now + 1, max(most, now)) if needs else now

    def answer(self) -> list[str]:
        """All sentences."""
        lines = [sentence(name, paired, self.metric, self.seeds, self.study.baseline)
                 for name, paired in self.cases.items()]
        if self.study.only:
            lines.append(f"This is a part of the study: --only={','.join(self.study.only)}.")
        lines += [f"{scheme} is left out of {joined(cases)}: {why}." for (scheme, why), cases in self.left_out().items()]
        lines += idle(self.cases) if self.study.metric == TIME else []
        if self.until is not None and not self.percent:
            lines.append(f"--until={self.until:g}% adds no seeds: {self.metric.name} is not above 0 in all runs, so that "
                         "differences are not in percent.")
        if self.until is not None and (wide := self.wide(self.until)):
            lines.append(f"{len(wide)} of {len(self.comparisons())} intervals are still wider than +-{self.until:g} % with "
                         f"{len(self.seeds)} seeds: --most-seeds allows no more, or runs did not finish.")
        texts = changes(self.cases), more_seeds(self.cases, self.study.baseline), correction(self.cases, self.study.baseline)
        lines += [text for text in texts if text]
        done = dict.fromkeys(self.out / row["folder"] for row in self.rows if row["completed"] and row.get("folder"))
        if stated := stated_error(done):
            lines.append(stated)
        if self.problems:
            lines.append(f"{len(self.problems)} of {len(self.rows)} runs did not finish, and count for nothing: "
                         f"{'; '.join(self.problems)}.")
        return lines

    def left_out(self) -> dict[tuple[str, str], list[str]]:
        """The cases that a scheme is left out of, by scheme and reason."""
        found: dict[tuple[str, str], list[str]] = {}
        for (case, scheme), why in self.study.left_out.items():
            found.setdefault((scheme, why), []).append(case)
        return found

    def settings(self) -> list[str]:
        """What each scheme sets, and what it sets against the study, in lines."""
        lines = ["The study: " + (" ".join(f"--{name}={value}" for name, value in self.study.common.items()) or "defaults")]
        lines += [f"Case {name}: " + (" ".join(f"--{key}={value}" for key, value in options.items()) or "nothing more")
                  for name, options in self.study.cases.items()]
        for scheme in self.study.schemes:
            options = " ".join(f"--{name}={value}" for name, value in scheme.options.items())
            lines.append(f"Scheme {scheme.name}: {options}")
        lines += [f"Scheme {name} sets {', '.join(texts)}" for name, texts in self.study.overridden().items()]
        return lines

    def write(self) -> None:
        """Writes answer.md and the tables."""
        self.out.mkdir(parents=True, exist_ok=True)
        rows = overview(self.cases, [scheme.name for scheme in self.study.schemes])
        table = [f"| {' | '.join(row)} |" for row in rows]
        table[1:1] = ["|" + "---|" * len(rows[0])] if rows else []
        text = [f"# {self.study.question}", "", *table, "", *(f"{line}\n" for line in self.answer()), "## Settings", "",
                *(f"- `{line}`" if "`" not in line else f"- {line}" for line in self.settings()), ""]
        with written_whole(self.out / "answer.md") as file:
            file.write("\n".join(text))
        for name in ("table.csv", "costs.csv"):
            (self.out / name).unlink(missing_ok=True)
        if rows:
            self.write_table("table.csv", [dict(zip(rows[0], row)) for row in rows[1:]])
        self.write_table("results.csv", self.result_rows())
        self.write_table("means.csv", self.mean_rows())
        self.write_table("differences.csv", self.difference_rows())
        if self.study.references:
            self.write_table("costs.csv", self.cost_rows())

    def write_table(self, name: str, rows: Sequence[Values]) -> None:
        with written_whole(self.out / name, newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]) if rows else ["case"])
            writer.writeheader()
            writer.writerows({key: "" if value != value else value for key, value in row.items()} for row in rows)

    def result_rows(self) -> list[Values]:
        """A row a run."""
        columns = dict.fromkeys([self.study.metric, *(name for name in SHOWN if any(name in row for row in self.rows))])
        first, last = ("case", "scheme", "seed", "completed"), ("problem", "folder")
        return [{name: row.get(name, "") for name in (*first, *columns, *last)} for row in self.rows]

    def mean_rows(self) -> list[Values]:
        """A row a case and scheme: the mean, and its interval."""
        column, rows = self.study.metric, []
        for case, paired in self.cases.items():
            for scheme, values in paired.values.items():
                found = paired.mean(scheme)
                ends = (min(values.values()), max(values.values())) if values else (math.nan, math.nan)
                rows.append({"case": case, "scheme": scheme, "runs": len(self.seeds), "completed": found.count,
                             column: found.mean, f"{column}_low95": found.low, f"{column}_high95": found.high,
                             f"{column}_least": ends[0], f"{column}_most": ends[1]})
        return rows

    def cost(self, case: str, scheme: str) -> Estimate | None:
        """By how much the metric of a case exceeds that of the case that it is compared with, seed by seed."""
        ours, other = self.cases[case], self.study.references.get(case, "")
        both = other and scheme in ours.values and scheme in self.cases[other].values
        return difference(ours.values[scheme], self.cases[other].values[scheme], self.percent) if both else None

    def cost_rows(self) -> list[Values]:
        """A row a case and scheme: what the condition costs."""
        rows = []
        for case, paired in self.cases.items():
            for scheme in paired.values:
                if found := self.cost(case, scheme):
                    rows.append({"case": case, "scheme": scheme, "reference": self.study.references[case],
                                 "paired_seeds": found.count, "unit": "percent" if self.percent else self.study.metric,
                                 "cost": found.mean, "low95": found.low, "high95": found.high, "clear": found.is_clear()})
        return rows

    def difference_rows(self) -> list[Values]:
        """A row a comparison of the answer."""
        rows, compared = [], self.comparisons()
        chances = [found.probability() for _, _, _, found in compared]
        for (case, scheme, other, found), chance, holm in zip(compared, chances, corrected(chances)):
            rows.append({"case": case, "scheme": scheme, "beside": other, "paired_seeds": found.count,
                         "unit": "percent" if self.percent else self.study.metric, "difference": found.mean,
                         "low95": found.low, "high95": found.high, "clear": found.is_clear(), "p": chance, "p_holm": holm,
                         "seeds_to_be_clear": found.seeds_to_be_clear() or ""})
        return rows
