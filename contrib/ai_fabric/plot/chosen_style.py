# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The style of plots that the user has chosen, as AI_FABRIC_STYLE."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

from ai_fabric.common.program import ScriptError

SHIPPED = Path(__file__).resolve().parent
VARIABLE = "AI_FABRIC_STYLE"


def chosen_style() -> list[Path]:
    """The style sheet of matplotlib that is named; none if there is no name."""
    name = os.environ.get(VARIABLE)
    if not name:
        return []
    for path in Path(name), SHIPPED / f"{name}.mplstyle":
        if path.is_file():
            return [path]
    raise ScriptError(f"{VARIABLE}={name}: paper, or a style sheet of matplotlib, is needed")


def check_style() -> None:
    """Refuses a style that is wrong before anything runs; without one, matplotlib is imported when it is needed."""
    if chosen_style():
        importlib.import_module("ai_fabric.plot.style")
