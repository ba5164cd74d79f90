#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs every combination of the given values of options of ai-fabric-run with every seed, and
merges the results into one table."""

import argparse
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / part) for part in ("plot", "sweep")]

from grid import GridError, cases_of, read_cases, read_options, read_seeds
from runner import RunError, exit_on_terminate

MOST_JOBS = 10000


def fail(message):
    sys.exit(f"sweep: {message}")


class Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong."""

    def error(self, message):
        fail(message)


def jobs(text):
    if text.isdecimal() and 1 <= int(text) <= MOST_JOBS:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to {MOST_JOBS}")


def folder(text):
    if not text:
        raise argparse.ArgumentTypeError("the name of a folder is needed")
    return Path(text)


def axes(text):
    x, comma, y = text.partition(",")
    if not (x and y) or "," in y:
        raise argparse.ArgumentTypeError(f"{text} is not OPTION,RESULT")
    return x, y


def make_parser():
    parser = Parser(prog="./fabric sweep", description=__doc__, allow_abbrev=False)
    parser.add_argument("--seeds", default="1", help="runs of each combination: 5, or 3-7 (1)")
    parser.add_argument("--cases", help="CSV file: names of options, then a combination a line")
    parser.add_argument(
        "--plot",
        type=axes,
        action="append",
        default=[],
        metavar="OPTION,RESULT",
        help="plot a result over an option, a line for each of the others",
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be run")
    parser.add_argument("--jobs", type=jobs, help="runs at a time (all cores)")
    parser.add_argument("--out", type=folder, default="results/sweep", help="folder (%(default)s)")
    parser.add_argument("--program", required=True, help="the program ai-fabric-run")
    return parser


def questions(arguments):
    """The arguments that ask the program for a list."""
    return [text for text in arguments if text.startswith("--Print") or text.endswith("=help")]


def main(arguments):
    end = arguments.index("--") if "--" in arguments else len(arguments)
    before, after = arguments[:end], arguments[end + 1 :]
    own, varied = make_parser().parse_known_args(before)
    if not (varied or after or own.cases or own.seeds != "1"):
        fail("what is to be swept? ./fabric sweep --help says how")
    asked = questions(varied + after)
    if asked:
        others = [text for text in after if text not in asked]
        return subprocess.run([own.program, *asked, *others], check=False).returncode
    rows = read_cases(own.cases) if own.cases else [{}]
    cases = cases_of(read_options(varied), read_options(after), rows)
    from sweep import Sweep  # needs pandas, which a list does not

    sweep = Sweep(own.program, own.out, cases, read_seeds(own.seeds), own.jobs)
    for x, y in own.plot:
        sweep.check_plot(x, y)
    exit_on_terminate()
    if own.dry_run:
        sweep.print_plan()
        return 0
    sweep.run()
    sweep.write_tables()
    sweep.print_table()
    plots = [sweep.plot(x, y) for x, y in own.plot]
    sweep.print_end(plots)
    return 1 if sweep.errors else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (GridError, RunError) as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else error)
    except KeyboardInterrupt:
        print("\nsweep: interrupted; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
