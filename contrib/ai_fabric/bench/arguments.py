# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the benchmarks' command lines have in common."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ai_fabric.common import program

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_THREADS = 64  # of ai-fabric-run


class Parser(program.Parser):
    """With --check a script says what is wrong, and does no more."""

    def __init__(self, description: str | None) -> None:
        super().__init__("bench", prog="./fabric bench", description=description)
        self.add_argument("--check", action="store_true", help=argparse.SUPPRESS)

    def parse_args(self) -> argparse.Namespace:  # type: ignore[override]  # always those of the command line
        arguments = super().parse_args()
        out = getattr(arguments, "out", None)
        if out and out.exists() and not out.is_dir():
            self.error(f"--out={out}: is there, and is no folder")
        if arguments.check:
            self.exit(0)
        return arguments


def at_least(least: int, what: str, most: int | None = None) -> Callable[[str], int]:
    """The type of an option: a whole number, not less than the least, and not more than the most, if there is one."""

    def read(text: str) -> int:
        if int(text) < least or (most and int(text) > most):
            raise ValueError
        return int(text)

    read.__name__ = what
    return read


positive = at_least(1, "positive number")


def parse_sizes(text: str) -> list[int]:
    sizes = sorted({int(size) for size in text.split(",")})
    if sizes[0] <= 0:
        raise ValueError
    return sizes


parse_sizes.__name__ = "list of numbers of hosts"
