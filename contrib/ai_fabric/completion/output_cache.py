# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What programs print when they are asked for their options, kept until one of them changes."""

import hashlib
import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from ai_fabric.common.aliases import FilePath

SLOWEST = 20  # seconds


class OutputCache:
    """Runs commands, and keeps what they print in a folder.

    :param folder: where; empty: nothing is kept
    :param sources: files; what was printed before one of them was written counts no more
    """

    def __init__(self, folder: str, sources: Iterable[Path]) -> None:
        self.folder = Path(folder) / "completion" if folder else None
        self.newest = max((path.stat().st_mtime for path in sources if path.is_file()), default=0)

    def output(self, command: Sequence[FilePath], may_fail: bool = False) -> str:
        """What a command prints; empty if it fails, unless what it says then is of use, too."""
        words = [str(word) for word in command]
        if not self.folder:
            return run(words, may_fail)
        path = self.folder / hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]
        try:
            if path.stat().st_mtime > self.newest:
                return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            pass  # it was not asked before, or what was kept is damaged
        text = run(words, may_fail)
        if text:
            keep(path, text)
        return text


def run(command: Sequence[str], may_fail: bool) -> str:
    errors = subprocess.STDOUT if may_fail else subprocess.DEVNULL
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            timeout=SLOWEST,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "" if done.returncode and not may_fail else done.stdout


def keep(path: Path, text: str) -> None:
    """Writes a file as a whole: another shell may read it. A folder that cannot be written is no error."""
    part = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError:
        pass
