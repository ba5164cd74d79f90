# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the benchmarks' command lines have in common."""

import argparse


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong."""

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
