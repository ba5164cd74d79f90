# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Verbs that run some cases once each, and set their results beside each other."""

from collections.abc import Callable
from pathlib import Path

from ai_fabric.common.program import catch_interrupts
from ai_fabric.runs.made_by import note_command
from ai_fabric.sweep.grid import Case, SweptRun
from ai_fabric.sweep.launch import Parser, answer, questions, split
from ai_fabric.sweep.runner import exit_on_terminate
from ai_fabric.sweep.sweep import Sweep


def run_beside(
    parser: Parser, arguments: list[str], read_cases: Callable[[list[str]], list[Case]], report: Callable[[list[SweptRun], Path], None]
) -> int:
    """Runs the cases that the options after -- name, and reports on their runs. Returns the status."""
    before, after = split(arguments)
    own = parser.parse_args(before)
    asked = questions(after)
    if asked:
        return answer(own, asked)
    cases = read_cases(after)
    if own.check_only:
        return 0
    runs = Sweep(own.program, own.out, cases, [1], own.jobs)
    exit_on_terminate()
    catch_interrupts()
    if own.dry_run:
        runs.print_plan()
        return 0
    runs.run()
    if runs.errors:
        return 1
    report(runs.runs, own.out)
    note_command(own.out, parser.name, arguments)
    return 0
