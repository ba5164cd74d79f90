#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs every combination of the given values of options of ai-fabric-run with every seed, and
merges the results into one table."""

from ai_fabric.common.program import catch_interrupts  # first: Ctrl-C from here on

from ai_fabric.plot.chosen_style import check_style
from ai_fabric.sweep.grid import cases_of, read_cases, read_options, read_seeds
from ai_fabric.sweep.launch import Parser, answer, launch, questions, split
from ai_fabric.runs.made_by import note_command
from ai_fabric.sweep.plot_request import FORM, read_plot
from ai_fabric.sweep.runner import exit_on_terminate
from ai_fabric.sweep.sweep import Sweep

NAME = "sweep"


def make_parser() -> Parser:
    parser = Parser(NAME, __doc__, "results/sweep")
    parser.add_argument("--seeds", default="1", help="runs of each combination: 5, or 3-7 (1)")
    parser.add_argument("--cases", help="CSV file: names of options, then a combination a line")
    parser.add_argument(
        "--plot",
        type=read_plot,
        action="append",
        default=[],
        metavar=FORM,
        help="plot a result over an option, a line for each of the others; on a logarithmic axis, with a line at a value, "
        "a panel for each value of another option",
    )
    parser.add_common()
    return parser


def main(arguments: list[str]) -> int:
    before, after = split(arguments)
    parser = make_parser()
    own, varied = parser.parse_known_args(before)
    if not (varied or after or own.cases or own.seeds != "1"):
        parser.error("what is to be swept? ./fabric sweep --help says how")
    asked = questions(varied + after)
    if asked:
        others = [text for text in after if text not in asked]
        return answer(own, asked, others)
    rows = read_cases(own.cases) if own.cases else [{}]
    cases = cases_of(read_options(varied), read_options(after), rows)
    sweep = Sweep(own.program, own.out, cases, read_seeds(own.seeds), own.jobs)
    for plot in own.plot:
        sweep.check_plot(plot)
    if own.check_only:
        return 0
    exit_on_terminate()
    catch_interrupts()
    check_style()
    if own.dry_run:
        sweep.print_plan()
        return 0
    sweep.run(own.plot)
    sweep.write_tables()
    note_command(own.out, NAME, arguments)
    sweep.print_table()
    plots = [sweep.plot(plot) for plot in own.plot]
    sweep.print_end(plots)
    return 1 if sweep.errors else 0


if __name__ == "__main__":
    launch(NAME, main)
