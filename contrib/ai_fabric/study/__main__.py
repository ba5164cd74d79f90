#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Answers a question: runs schemes in cases with paired seeds, and says which is better, by how much, and how sure that
is."""

import argparse
import sys
import textwrap
from pathlib import Path

from ai_fabric.common.program import catch_interrupts  # first: Ctrl-C from here on

from ai_fabric.plot.chosen_style import check_style
from ai_fabric.sweep.launch import Parser, jobs, launch
from ai_fabric.runs.made_by import note_command, read_command
from ai_fabric.study.known_rows import rows_by_seed
from ai_fabric.study.new_study import add_new, refuse_answers, write_new
from ai_fabric.sweep.runner import exit_on_terminate
from ai_fabric.study.scheme_file import StudyError
from ai_fabric.study.study_file import Study, read_study, seeds_of
from ai_fabric.study.study_list import print_list

NAME = "study"
USUAL = "results/study/NAME"
SOFTWARE = "ai-fabric study"
WIDTH = 100  # characters of a line that is printed
MOST_SEEDS = 30  # that --until runs, unless --most-seeds says otherwise
TO_BE_RUN = 3  # the status of --check-only if a study is to be run, which needs the program


def percent(text: str) -> float:
    """A width such as 2%."""
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        value = 0.0
    if not text.endswith("%") or not 0 < value <= 100:
        raise argparse.ArgumentTypeError(f"{text} is not a percentage, such as 2%")
    return value


def make_parser() -> Parser:
    parser = Parser(NAME, __doc__, USUAL)
    parser.add_argument("study", nargs="?", help="the name of a study that is shipped, or a file, NAME.toml")
    parser.add_argument("--list", action="store_true", help="list studies, questions that other verbs answer, and schemes")
    parser.add_argument("--seeds", help="runs of each case and scheme: 5, or 3-7 (the study says)")
    parser.add_argument("--quick", action="store_true", help="the small values that a study has in [quick]")
    parser.add_argument("--only", metavar="NAMES", help="names of fabrics, jobs and cases, by commas, instead of all of the study")
    parser.add_argument("--until", type=percent, metavar="2%%",
                        help="add seeds until each 95 %% interval is within +-2 %% of its difference")
    parser.add_argument("--most-seeds", type=jobs, default=MOST_SEEDS, help="that --until runs (%(default)s)")
    parser.add_argument("--known", metavar="FILES", help="results.csv of the study from other machines, whose seeds are not run")
    add_new(parser)
    parser.add_common()
    return parser


def read(own: argparse.Namespace) -> Study:
    """The study that is asked for."""
    refuse_answers(own)
    for name in ("seeds", "schemes", "only", "known"):
        if getattr(own, name) == "":
            raise StudyError(f"--{name}=: a value is needed")
    study = read_study(own.study, own.quick, own.schemes and own.schemes.split(","))
    if own.seeds:
        study.seeds = seeds_of(own.seeds, "--seeds")
    if own.only:
        study.keep(own.only.split(","))
    cases = study.runs()  # refuses what a scheme cannot do
    if own.known:
        study.known = rows_by_seed(own.known.split(","), cases, study.metric)
    return study


def wrapped(paragraph: str) -> str:
    """A paragraph in lines, which no number leaves without its %."""
    joined = paragraph.replace(" %", "\xa0%")
    return textwrap.fill(joined, WIDTH, break_long_words=False, break_on_hyphens=False).replace("\xa0", " ")


def refuse_other(out: Path, study: Study) -> None:
    """Refuses to replace the answer of another study of the same name."""
    other = Path(str(read_command(out).get("study", study.path)))
    if other.is_file() and other.resolve() != study.path.resolve():
        raise StudyError(f"{study.path}: {out} has the answer of {other}; --out=FOLDER names another folder")


def answer(own: argparse.Namespace, study: Study) -> int:
    """Runs a study, and prints and writes its answer."""
    from ai_fabric.study.study_runs import StudyRuns

    out = own.out
    if str(out) == USUAL:
        parts = [study.name, *(["quick"] if own.quick else []), *(["part"] if study.only else [])]
        out = out.with_name("-".join(parts))
        refuse_other(out, study)
    runs = StudyRuns(study, own.program, out, own.jobs)
    hops = runs.check()
    if own.dry_run:
        runs.print_plan(hops)
        return 0
    runs.run(own.until, own.most_seeds)
    runs.write()
    note_command(out, NAME, sys.argv[1:], study=study.path.resolve())
    from ai_fabric.study.plot_study import KINDS, names_of, plot_study

    plots: list[str] = []
    for name in names_of(study):
        for kind in KINDS:
            (out / f"{name}.{kind}").unlink(missing_ok=True)
    if study.figure and any(paired.order() for paired in runs.cases.values()):
        plots = plot_study(runs, out, SOFTWARE)
    overridden = [f"Scheme {name} sets {', '.join(texts)}." for name, texts in study.overridden().items()]
    for paragraph in [study.question, *runs.answer(), *overridden]:
        print("\n" + wrapped(paragraph))
    tables = ["table.csv", "results.csv", "means.csv", "differences.csv", "costs.csv"]
    files = ["answer.md", *(name for name in tables if (out / name).is_file()), *plots, "runs"]
    print(f"\nResults in {out}: {', '.join(files)}")
    return 1 if runs.problems else 0


def main(arguments: list[str]) -> int:
    parser = make_parser()
    own = parser.parse_args(arguments)
    if own.list:
        print_list()
        return 0
    if own.new:
        return write_new(own)
    if own.study is None:
        parser.error("which study? ./fabric study --list lists them")
    if own.until and own.most_seeds < 2:
        parser.error(f"--most-seeds={own.most_seeds}: an interval takes two at least")
    study = read(own)
    if own.check_only:
        return TO_BE_RUN
    exit_on_terminate()
    catch_interrupts()
    check_style()
    return answer(own, study)


if __name__ == "__main__":
    launch(NAME, main)
