# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What a folder holds, and so which page it gets."""

import os
from pathlib import Path
from collections.abc import Sequence

from ai_fabric.report.figure_page import VERDICTS, demo_page, figure_page
from ai_fabric.report.page import Page
from ai_fabric.common.program import ScriptError
from ai_fabric.runs.run_list import find_runs
from ai_fabric.report.run_page import run_page
from ai_fabric.report.runs_page import runs_page
from ai_fabric.report.study_page import ANSWER, study_page
from ai_fabric.runs.summary_file import NAME, SummaryFile
from ai_fabric.report.sweep_page import sweep_page, table_page

TITLES = {
    "collectives.csv": "A collective at many sizes",
    "slowdown.csv": "Jobs that share a fabric, beside each of them alone",
    "check.csv": "A scenario by packets and by rates",
}


def all_runs(folders: Sequence[Path]) -> list[SummaryFile]:
    """The runs in some folders and below them, each once, in the order of these folders."""
    found: dict[Path, SummaryFile] = {}
    for folder in folders:
        for run in sorted(find_runs(folder, "report"), key=lambda run: str(run.folder)):
            found.setdefault(run.folder.resolve(), run)
    return list(found.values())


def runs_below(folders: Sequence[Path]) -> list[Path]:
    return [run.folder for run in all_runs(folders)]


def find_page(folders: Sequence[Path], target: Path) -> Page:
    """The page of some folders: of one, what made it decides; of several, it is that of all runs below them."""
    folder = folders[0]
    if len(folders) == 1:
        if os.path.lexists(folder / NAME):  # be it a link that leads nowhere
            return run_page(folder, target)
        if (folder / ANSWER).is_file() and (folder / "differences.csv").is_file():
            return study_page(folder, target)
        if any(folder.glob(f"*{VERDICTS}")):
            return figure_page(folder, target)
        if (folder / "demo.csv").is_file():
            return demo_page(folder, target)
        if (folder / "sweep.csv").is_file():
            return sweep_page(folder, target)
        for name, title in TITLES.items():
            if (folder / name).is_file():
                return table_page(folder, target, name, title)
    runs = all_runs(folders)
    if not runs:
        raise ScriptError(f"{folder}: no results of a run, a sweep, a study, a figure or the demo there, and none below")
    if len(runs) == 1:
        return run_page(runs[0].folder, target)
    return runs_page(runs, folders, target)
