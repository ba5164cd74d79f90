# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Links from the page to files near it."""

import os
from pathlib import Path
from urllib.parse import quote

from ai_fabric.report.page import NAME


def href(path: Path, target: Path) -> str:
    """The address of a file, as seen from the page: relative, so that a folder can be moved or packed."""
    relative = os.path.relpath(Path(path).resolve(), Path(target).resolve().parent)
    return quote(relative if relative.startswith(".") else f"./{relative}")


def link_of_run(folder: Path, target: Path) -> str:
    """The address of a run: its own report, or its results."""
    found = next((folder / name for name in (NAME, "run.json") if (folder / name).is_file()), folder)
    return href(found, target)
