#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Which runs there are, and what differs between them: list [FOLDER...], compare FOLDER FOLDER..."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from ai_fabric.common.program import Parser, ScriptError, run_script  # first: Ctrl-C from here on

from ai_fabric.runs.comparison import compare
from ai_fabric.runs.run_list import Condition, find_runs, list_runs, runs_of_file
from ai_fabric.runs.summary_file import SummaryFile

DEFAULT = "results"


def parse_list(arguments: Sequence[str]) -> Namespace:
    parser = Parser(
        "list",
        prog="./fabric list",
        description="Lists the runs in folders and all below them, the newest last.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "folders",
        nargs="*",
        default=[DEFAULT],
        metavar="FOLDER|FILE",
        help=f"where to look ({DEFAULT}); of a figure or table: the command that made it, and its runs",
    )
    parser.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="only runs of which this holds, such as balancer=ecmp, cct_ns<200000, drops>0 or fail=*spine*: an "
        "option, a key of scenario or results in run.json; several of these: all of them",
    )
    return parser.parse_args(arguments)


def do_list(arguments: Sequence[str]) -> int:
    options = parse_list(arguments)
    conditions = [Condition(text) for text in options.where]
    runs = [run for path in map(Path, options.folders) for run in (runs_of_file(path) if path.is_file() else find_runs(path))]
    print(*list_runs(runs, conditions), sep="\n")
    return 0


def parse_compare(arguments: Sequence[str]) -> Namespace:
    parser = Parser(
        "compare",
        prog="./fabric compare",
        description="Says what differs between runs: what was asked for, what came of it in settings, and the results, with "
        "their difference to the first run in percent. What a run has cost is left out.",
        allow_abbrev=False,
    )
    parser.add_argument("folders", nargs="+", metavar="FOLDER", help="folder of a run; two or more")
    parser.add_argument("--all", action="store_true", help="results of layers, uplinks and policies, too")
    return parser.parse_args(arguments)


def do_compare(arguments: Sequence[str]) -> int:
    options = parse_compare(arguments)
    if len(options.folders) < 2:
        raise ScriptError("two folders of runs or more are needed")
    print(*compare([SummaryFile(Path(folder)) for folder in options.folders], options.all), sep="\n")
    return 0


VERBS = {"list": do_list, "compare": do_compare}


def main() -> int:
    verb, *arguments = sys.argv[1:] or [""]
    if verb not in VERBS:
        raise ScriptError("list or compare is needed")
    return VERBS[verb](arguments)


if __name__ == "__main__":
    run_script(" ".join(sys.argv[1:2]) or "runs", main)
