#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Completion of ./fabric in a shell: prints the script that bash or zsh reads, and then, each time that the user presses
Tab, what the last of some words can become."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from ai_fabric.common.program import Parser, run_script  # first: Ctrl-C from here on

import shlex

from ai_fabric.completion.candidates import Candidates
from ai_fabric.completion.output_cache import OutputCache
from ai_fabric.completion.scenario_options import ScenarioOptions
from ai_fabric.completion.verb_help import read_help

SHELLS = "bash", "zsh"
LISTED = "study", "reproduce"  # verbs whose --list names what they take
COMPLETE = "--complete"  # what follows are the words of a command line, the last of which is to be completed


def parse(arguments: Sequence[str]) -> Namespace:
    parser = Parser(
        "completion",
        prog="./fabric completion",
        description="Prints a script with which a shell completes verbs, options and values.",
        allow_abbrev=False,
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell that is to read the script")
    parser.add_argument("--script", required=True, type=Path, help="the script ./fabric")
    parser.add_argument("--program", required=True, type=Path, help="the program ai-fabric-run")
    parser.add_argument("--cache", required=True, help="folder for what programs print; empty: none")
    parser.add_argument("--verbs", required=True, help="verbs, separated by blanks")
    return parser.parse_args(arguments)


def complete(options: Namespace, words: Sequence[str]) -> None:
    """Prints what the last word can become, a line each."""
    parts = options.script.parent / "contrib"
    sources = [options.script, options.program, *options.program.parent.parent.glob("lib*/*.so"), *parts.rglob("*.*")]
    cache = OutputCache(options.cache, sources)
    scenario = ScenarioOptions(cache, options.program)
    helps = {verb: lambda verb=verb: read_help(cache.output([options.script, verb, "--help"])) for verb in options.verbs.split()}
    lists = {verb: lambda verb=verb: cache.output([sys.executable, parts / "start.py", verb, "--list", "--program=/"]) for verb in LISTED}
    print(*Candidates(helps, lists, scenario).find(words), sep="\n")


def main() -> int:
    arguments = sys.argv[1:]
    if COMPLETE in arguments:
        split = arguments.index(COMPLETE)
        complete(parse([*arguments[:split], SHELLS[0]]), arguments[split + 1 :])
    else:
        options = parse(arguments)
        text = Path(__file__).with_name(f"completion.{options.shell}").read_text(encoding="utf-8")
        print(text.replace("@FABRIC@", shlex.quote(str(options.script))), end="")
    return 0


if __name__ == "__main__":
    run_script("completion", main)
