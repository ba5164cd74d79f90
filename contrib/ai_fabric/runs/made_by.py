# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Notes the command that has made a folder of results, for ./fabric report."""

import json
from pathlib import Path
from collections.abc import Sequence
from typing import Any

from ai_fabric.common.aliases import Values
from ai_fabric.common.safe_file import read_text, written_whole

NAME = "command.json"
PROGRAM = "--program"  # which ./fabric gives


def given(arguments: Sequence[str]) -> list[str]:
    """What the user gave."""
    kept, rest = [], iter(arguments)
    for argument in rest:
        if argument == PROGRAM:
            next(rest, None)
        elif not argument.startswith(f"{PROGRAM}="):
            kept.append(argument)
    return kept


def note_command(out: Path, verb: str, arguments: Sequence[str], **more: Any) -> None:
    """Writes the command beside its results. more: what else is known of them, for example their title."""
    with written_whole(Path(out) / NAME) as file:
        json.dump({"command": ["./fabric", verb, *given(arguments)], **more}, file, indent=2, default=str)
        file.write("\n")


def read_command(folder: Path) -> Values:
    """What is noted in a folder; empty if nothing is, or what is there is damaged."""
    try:
        found = json.loads(read_text(Path(folder) / NAME))
    except (OSError, ValueError, RecursionError):
        return {}
    command = found.get("command") if isinstance(found, dict) else None
    is_command = isinstance(command, list) and all(isinstance(word, str) for word in command)
    return found if is_command else {}
