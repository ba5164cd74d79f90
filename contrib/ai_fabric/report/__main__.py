#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Writes one HTML file on a run, several runs, a sweep, a study, a figure of a paper, or the demo: the answer, warnings,
figures, tables, and the commands that repeat it. It needs no network and no other file."""

import os
import sys
from pathlib import Path

from ai_fabric.common.program import Parser, ScriptError, run_script  # first: Ctrl-C from here on

from ai_fabric.report.page import NAME, Page, render
from ai_fabric.runs.run_json import undamaged
from ai_fabric.common.safe_file import written_whole

VERB = "report"


def make_parser() -> Parser:
    parser = Parser(VERB, prog=f"./fabric {VERB}", description=__doc__, allow_abbrev=False)
    several = "folder of results; of several, all runs below them"
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help=several)
    where = f"file ({NAME} in the folder, or in the one around all of them)"
    parser.add_argument("--out", type=Path, metavar="FILE", help=where)
    each = "write a report of each run, too, in its folder; rows link to it"
    parser.add_argument("--each", action="store_true", help=each)
    return parser


def target_of(folders: list[Path], out: Path) -> Path:
    """The file that is written."""
    if out is not None:
        if out.is_dir() or out.suffix != ".html":
            raise ScriptError(f"--out={out}: a name that ends in .html is needed")
        return out
    if len(folders) == 1:
        return folders[0] / NAME
    return Path(os.path.commonpath([folder.resolve() for folder in folders])) / NAME


def lasting(folder: Path) -> Path:
    """Where a folder is that a link such as results/latest names: the next run takes the link away."""
    return folder.parent / folder.readlink() if folder.is_symlink() else folder


def write(page: Page, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    text = render(page)
    with written_whole(target) as file:
        file.write(text)


def main(arguments: list[str]) -> int:
    own = make_parser().parse_args(arguments)
    for folder in own.folders:
        if not folder.is_dir():
            raise ScriptError(f"{folder}: there is no such folder")
    own.folders = [lasting(folder) for folder in own.folders]
    target = target_of(own.folders, own.out)
    from ai_fabric.report.kinds import find_page, runs_below  # and pandas
    from ai_fabric.report.run_page import run_page

    for folder in runs_below(own.folders) if own.each else ():
        if folder / NAME != target:
            with undamaged(folder):
                write(run_page(folder, folder / NAME), folder / NAME)
    with undamaged(own.folders[0]):
        write(find_page(own.folders, target), target)
    print(target)
    return 0


if __name__ == "__main__":
    run_script(VERB, lambda: main(sys.argv[1:]))
