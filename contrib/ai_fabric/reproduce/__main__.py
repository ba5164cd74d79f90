#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Repeats published figures, and says which of their papers' claims come out."""

from __future__ import annotations

import argparse
import importlib
import sys
from typing import TYPE_CHECKING

from ai_fabric.common.program import Parser, ScriptError, catch_interrupts, describe, near, run_script  # first: Ctrl-C from here on

from ai_fabric.reproduce.catalog import PAPERS, all_figures, describe_seeds, figures_of
from ai_fabric.sweep.launch import folder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ai_fabric.reproduce.catalog import Figure

NAME = "reproduce"
MOST = 10000  # runs of a case, or at a time
CHOSEN = "quick", "full", "seeds", "jobs", "also", "only", "library", "dry_run"  # options of a study
TO_BE_RUN = 3  # the status with --check if a figure is to be run, which needs the program


def print_list() -> None:
    """Says which figures there are, paper by paper."""
    for folder, paper in PAPERS.items():
        print(f"{paper.title}:")
        for name, figure in figures_of(folder).items():
            print(f"  {name:<21} {figure.title}")


def count(text: str) -> int:
    try:
        if 1 <= int(text) <= MOST:
            return int(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to {MOST}")


def names(text: str) -> list[str]:
    found = [name for name in dict.fromkeys(text.split(",")) if name]
    if not found:
        raise argparse.ArgumentTypeError("names of balancers are needed, by commas")
    return found


def parse(arguments: list[str], known: Mapping[str, Figure]) -> argparse.Namespace:
    parser = Parser(NAME, prog="./fabric reproduce", description=__doc__, allow_abbrev=False)
    parser.add_argument("name", nargs="?", help="the figure; --list lists them")
    parser.add_argument("--list", action="store_true", help="list the figures")
    parser.add_argument("--quick", action="store_true", help="a small fabric, few runs: a minute")
    full = "all sizes of fig8 and of Ethereal's figures, all placements of meta-two-level, and others: hours"
    parser.add_argument("--full", action="store_true", help=full)
    usual = describe_seeds(known, "seeds", 10)
    seeds = f"runs of each case ({usual}; --quick: {describe_seeds(known, 'quick_seeds', 2)})"
    parser.add_argument("--seeds", type=count, help=seeds)
    parser.add_argument("--jobs", type=count, help="runs at a time (all cores)")
    parser.add_argument("--also", type=names, default=[], help="more balancers, by commas")
    parser.add_argument("--only", type=names, default=[], help="only these schemes, by commas")
    parser.add_argument("--library", help="the library of balancers that --also names")
    parser.add_argument("--dry-run", action="store_true", help="check the options of the runs, and run nothing")
    parser.add_argument("--program", help="the program ai-fabric-run")
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--out", type=folder, default="results/reproduce", help="(%(default)s)")
    options = parser.parse_args(arguments)
    if options.name is not None and options.name not in known:
        parser.error(f"{options.name}: there is no such figure{near(options.name, known)}; there are {', '.join(known)}")
    if options.quick and options.full:
        parser.error("--quick, --full: one of them")
    if options.name is None and not options.list and any(getattr(options, name) for name in CHOSEN):
        parser.error("the name of a figure is needed; --list lists them")
    return options


def main(arguments: list[str]) -> int:
    known = all_figures()
    options = parse(arguments, known)
    if options.list or options.name is None:
        print_list()
        return 0
    if options.check:
        return TO_BE_RUN
    if not options.program:
        raise ScriptError("no --program: the program ai-fabric-run is needed")
    from ai_fabric.reproduce.study import Planned  # needs pandas, which a list does not
    from ai_fabric.reproduce.resample import judge_again
    from ai_fabric.sweep.runner import exit_on_terminate

    exit_on_terminate()
    catch_interrupts()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[attr-defined]
    figure = importlib.import_module(known[options.name].module)
    paper = importlib.import_module(f"ai_fabric.reproduce.papers.{known[options.name].paper}")
    chosen = {name: getattr(options, name) for name in CHOSEN}
    study = getattr(figure, "STUDY", paper.STUDY)(
        options.name, known[options.name].title, options.program, options.out, **chosen
    )
    try:
        figure.reproduce(study)
        judge_again(figure, study)
        study.finish()
        study.note_made(arguments)
    except Planned:
        pass
    except OSError as error:
        raise ScriptError(describe(error) if error.filename else f"{options.out}: {describe(error)}") from error
    return 0


if __name__ == "__main__":
    run_script(NAME, lambda: main(sys.argv[1:]), "interrupted; the same command goes on from here")
