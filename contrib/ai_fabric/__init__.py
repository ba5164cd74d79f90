# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs of ai-fabric, what is made of them, and the verbs of ./fabric."""

from __future__ import annotations

import os
import typing

if typing.TYPE_CHECKING:
    from ai_fabric.runs.run_data import Run


def load(folder: str | os.PathLike[str]) -> Run:
    """The results of a run: run.json, and its tables as data frames, whose attrs have the units of columns.

    Raises ScriptError, in one line, if there are no results of a run in the folder.
    """
    from ai_fabric.runs.run_data import Run  # needs pandas, which many verbs do not

    return Run(folder)
