# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the benchmarks' command lines have in common."""

import argparse
import sys
from pathlib import Path

import program


class Parser(program.Parser):
    """With --check a script says what is wrong, and does no more."""

    def __init__(self, description):
        super().__init__(Path(sys.argv[0]).stem, description=description)
        self.add_argument("--check", action="store_true", help=argparse.SUPPRESS)

    def parse_args(self):
        arguments = super().parse_args()
        if arguments.check:
            self.exit(0)
        return arguments


def at_least(least, what):
    """The type of an option: a whole number, not less than the least."""

    def read(text):
        if int(text) < least:
            raise ValueError
        return int(text)

    read.__name__ = what
    return read


positive = at_least(1, "positive number")


def parse_sizes(text):
    sizes = sorted({int(size) for size in text.split(",")})
    if sizes[0] <= 0:
        raise ValueError
    return sizes


parse_sizes.__name__ = "list of numbers of hosts"
