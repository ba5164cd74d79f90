#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs a collective at many sizes, and prints and draws its time and bandwidths as nccl-tests do."""

import sys
from argparse import Namespace
from collections.abc import Iterable

from ai_fabric.common.program import catch_interrupts  # first: Ctrl-C from here on

from ai_fabric.plot.chosen_style import check_style
from ai_fabric.sweep.grid import Case, GridError, cases_of, read_options
from ai_fabric.sweep.launch import Parser, answer, launch, questions, split
from ai_fabric.runs.made_by import note_command
from ai_fabric.sweep.runner import RunError, exit_on_terminate
from ai_fabric.collectives.sizes import SizeSweep
from ai_fabric.collectives.table import KINDS

NAME = "collectives"
TO_EACH = "all-to-all"  # its sizes are those from each rank to each other
USUAL_SIZES = "1KiB..64MiB:x4"
SIZES = {TO_EACH: "64B..4MiB:x4"}


def make_parser() -> Parser:
    parser = Parser(NAME, __doc__, "results/collectives")
    parser.add_argument("--sizes", help=f"the sizes ({USUAL_SIZES}; {TO_EACH}, from each rank to each other: {SIZES[TO_EACH]})")
    parser.add_common()
    return parser


def read_cases(sizes: str | None, arguments: Iterable[str]) -> list[Case]:
    """A case a size, all of the collective that the arguments describe."""
    fixed = read_options(arguments)
    if "size" in fixed:
        raise GridError("--size: use --sizes before -- for this")
    workload = fixed.get("workload", "")
    if workload not in KINDS:
        given = f"--workload={workload}" if "workload" in fixed else "no --workload"
        raise GridError(f"{given} after --; a collective is needed: {', '.join(KINDS)}")
    if workload == TO_EACH:
        fixed.setdefault("algorithm", "direct")  # the collective, not flows
    usual = SIZES.get(workload, USUAL_SIZES)
    return cases_of({"size": sizes or usual}, fixed)


def main(arguments: list[str]) -> int:
    before, after = split(arguments)
    own = make_parser().parse_args(before)
    asked = questions(after)
    if asked:
        return answer(own, asked)
    try:
        return run(own, after)
    except (GridError, RunError) as error:
        raise type(error)(str(error).replace("--size=", "--sizes=", 1)) from None


def run(own: Namespace, arguments: Iterable[str]) -> int:
    """Runs what the command line says."""
    cases = read_cases(own.sizes, arguments)
    if own.check_only:
        return 0
    sweep = SizeSweep(own.program, own.out, cases, own.jobs)
    exit_on_terminate()
    catch_interrupts()
    check_style()
    if own.dry_run:
        sweep.print_plan()
        return 0
    sweep.run()
    sweep.report()
    note_command(own.out, NAME, sys.argv[1:])
    return 1 if sweep.problems else 0


if __name__ == "__main__":
    launch(NAME, main)
