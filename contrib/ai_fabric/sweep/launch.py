# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the command lines of sweeps and of the demo have in common."""

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NoReturn

from ai_fabric.common import program

MOST_JOBS = 10000
QUESTIONS = "--help", "-h", "-help", "--version", "-version"


class Parser(program.Parser):
    """The parser of a sweep."""

    def __init__(self, name: str, description: str | None, folder: str) -> None:
        super().__init__(name, prog=f"./fabric {name}", description=description, allow_abbrev=False)
        self.usual = folder

    def add_common(self) -> None:
        """The options of all sweeps."""
        self.add_argument("--dry-run", action="store_true", help="say what would be run")
        self.add_argument("--jobs", type=jobs, help="runs at a time (all cores)")
        self.add_folder()

    def add_folder(self) -> None:
        """Where the results go, and what makes them."""
        self.add_argument("--out", type=folder, default=self.usual, metavar="FOLDER", help="where to (%(default)s)")
        self.add_argument("--program", required=True, help="the program ai-fabric-run")
        self.add_argument("--check-only", action="store_true", help=argparse.SUPPRESS)  # which needs no program


def jobs(text: str) -> int:
    if text.isdecimal() and 1 <= int(text) <= MOST_JOBS:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to {MOST_JOBS}")


def folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("the name of a folder is needed")
    path = Path(text)
    try:
        there = next((place for place in (path, *path.parents) if place.exists()), path)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text}: {error.strerror}") from None
    if there.exists() and not there.is_dir():
        raise argparse.ArgumentTypeError(f"{text}: a folder is needed, and {there} is none")
    return path


def split(arguments: list[str]) -> tuple[list[str], list[str]]:
    """The arguments before and after --."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:end], arguments[end + 1 :]


def questions(arguments: Iterable[str]) -> list[str]:
    """The arguments that ask the program for its help or for a list."""
    return [
        text
        for text in arguments
        if text in QUESTIONS or text.startswith("--Print") or text.endswith("=help")
    ]


def answer(own: argparse.Namespace, asked: Iterable[str], others: Iterable[str] = ()) -> int:
    """Has the program answer questions. Returns its status."""
    return 0 if own.check_only else subprocess.run([own.program, *asked, *others], check=False).returncode


def launch(name: str, main: Callable[[list[str]], int]) -> NoReturn:
    """Runs a script; what is wrong is said in one line."""
    program.run_script(name, lambda: main(sys.argv[1:]), "interrupted; the same command goes on from here")
