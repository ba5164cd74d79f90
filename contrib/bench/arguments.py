# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the benchmarks' command lines have in common."""

import argparse


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong. With --check that is all it does."""

    def __init__(self, description):
        super().__init__(description=description)
        self.add_argument("--check", action="store_true", help=argparse.SUPPRESS)

    def parse_args(self):
        arguments = super().parse_args()
        if arguments.check:
            self.exit(0)
        return arguments

    def error(self, message):
        self.exit(1, f"{self.prog.removesuffix('.py')}: {message}\n")


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
