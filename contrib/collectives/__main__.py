#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs a collective at many sizes, and prints and draws its time and bandwidths as nccl-tests do."""

import argparse
import sys
from pathlib import Path

PARTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(PARTS / part) for part in ("plot", "sweep", "collectives")]

from grid import GridError, cases_of, read_options
from runner import RunError, exit_on_terminate
from table import KINDS

MOST_JOBS = 10000


def fail(message):
    sys.exit(f"collectives: {message}")


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


def make_parser():
    parser = Parser(prog="./fabric collectives", description=__doc__, allow_abbrev=False)
    parser.add_argument("--sizes", default="1KiB..64MiB:x4", help="the sizes (%(default)s)")
    parser.add_argument("--dry-run", action="store_true", help="say what would be run")
    parser.add_argument("--jobs", type=jobs, help="runs at a time (all cores)")
    parser.add_argument(
        "--out", type=folder, default="results/collectives", help="folder (%(default)s)"
    )
    parser.add_argument("--program", required=True, help="the program ai-fabric-run")
    return parser


def read_cases(sizes, arguments):
    """A case a size, all of the collective that the arguments describe."""
    fixed = read_options(arguments)
    if "size" in fixed:
        raise GridError("--size: use --sizes before -- for this")
    workload = fixed.get("workload")
    if workload not in KINDS:
        given = f"--workload={workload}" if workload is not None else "no --workload"
        raise GridError(f"{given} after --; a collective is needed: {', '.join(KINDS)}")
    if workload == "all-to-all":
        fixed.setdefault("repeat", "1")  # the collective, not flows
    try:
        return cases_of({"size": sizes}, fixed)
    except GridError as error:
        raise GridError(str(error).replace("--size=", "--sizes=", 1)) from None


def main(arguments):
    end = arguments.index("--") if "--" in arguments else len(arguments)
    own = make_parser().parse_args(arguments[:end])
    cases = read_cases(own.sizes, arguments[end + 1 :])
    from sizes import SizeSweep  # needs pandas

    sweep = SizeSweep(own.program, own.out, cases, own.jobs)
    exit_on_terminate()
    if own.dry_run:
        sweep.print_plan()
        return 0
    sweep.run()
    sweep.report()
    return 1 if sweep.problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (GridError, RunError) as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else error)
    except KeyboardInterrupt:
        print("\ncollectives: interrupted; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
