# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Lists of runs."""

import fnmatch
import os
import re
import shlex
import sys
from collections.abc import Container, Iterable, Sequence
from datetime import datetime
from pathlib import Path

from ai_fabric.common.program import ScriptError, describe, near, printable
from ai_fabric.runs.comparison import differing
from ai_fabric.runs.made_by import NAME as COMMAND
from ai_fabric.runs.made_by import read_command
from ai_fabric.runs.summary_file import NAME, SummaryFile
from ai_fabric.runs.text_table import Row, lines_of, shorten

HEADER = "ended", "run", "completion_us", "over_bound_%", "options", "folder"  # which may be long, as those of sweeps are
NS_PER_US = 1e3
CONDITION = re.compile(r"([\w.]+)(=|<|>)(.+)")


class Condition:
    """What has to hold of a run."""

    def __init__(self, text: str) -> None:
        match = CONDITION.fullmatch(text)
        if not match:
            raise ScriptError(f"--where={text}: KEY=VALUE, KEY<NUMBER or KEY>NUMBER, such as balancer=ecmp")
        self.text = text
        self.key, self.sign, self.value = match.groups()
        self.is_known = False  # any run has the key
        self.limit: float | None = None
        if self.sign != "=":
            try:
                self.limit = float(self.value)
            except ValueError:
                raise ScriptError(f"--where={text}: {self.value} is not a number") from None

    def holds(self, run: SummaryFile) -> bool:
        """Whether it holds of a run."""
        found = run.find(self.key)
        if found is None:
            return False
        self.is_known = True
        if self.limit is None:
            return fnmatch.fnmatchcase(str(found), self.value)
        if not isinstance(found, (int, float)):
            raise ScriptError(f"--where={self.text}: {self.key}={printable(found)} of {run.folder} is not a number")
        return found < self.limit if self.sign == "<" else found > self.limit


def find_runs(folder: Path, verb: str = "list") -> list[SummaryFile]:
    """The runs in a folder and below it. What is no run of this program, or of an earlier version, is named by a verb."""
    if not folder.is_dir():
        raise ScriptError(f"{folder}: there is no such folder")

    def unreadable(error: OSError) -> None:
        print(f"{verb}: {printable(describe(error))}", file=sys.stderr)

    places = os.walk(folder, onerror=unreadable)
    return read_runs((Path(place) for place, _, names in places if NAME in names), verb)


def read_runs(folders: Iterable[Path], verb: str) -> list[SummaryFile]:
    """The runs in folders. What is no run of this program is named by a verb."""
    runs = []
    for folder in folders:
        try:
            runs.append(SummaryFile(folder))
        except ScriptError as error:
            print(f"{verb}: {error}", file=sys.stderr)
    return runs


def runs_of_file(path: Path, verb: str = "list") -> list[SummaryFile]:
    """Prints the command that made a figure or a table, and returns its runs: those that the command notes, or all in
    the folder and below it. A file beside run.json is of this run."""
    folder = path.parent
    if (folder / NAME).is_file():
        return [SummaryFile(folder)]
    made = read_command(folder)
    if not made:
        why = f"{COMMAND} beside it is damaged" if (folder / COMMAND).exists() else f"neither {NAME} nor {COMMAND} is beside it"
        raise ScriptError(f"{path}: {why}, so that what made it is not known")
    print(f"{path} is of: {printable(shlex.join(made['command']))}")
    noted = made.get("runs")
    if not isinstance(noted, list):
        return find_runs(folder, verb)
    rows = [row for row in noted if isinstance(row, dict) and row.get("completed")]
    return read_runs((folder / row["folder"] for row in rows if isinstance(row.get("folder"), str)), verb)


def row_of(run: SummaryFile, ended: float, telling: Container[str]) -> Row:
    """A line of the list; telling: the options that tell runs apart, which stand first, as others may be cut."""
    options = [(key, value) for key, value in run.parts["options"].items() if key != "out"]
    given = " ".join(f"{key}={value}" for key, value in sorted(options, key=lambda option: option[0] not in telling))
    time, over = run.find("cct_ns"), run.find("increase_percent")
    return (
        f"{datetime.fromtimestamp(ended):%Y-%m-%d %H:%M}",
        str(run.seed),
        f"{time / NS_PER_US:.2f}" if time else "-",
        f"{over:.1f}" if over is not None else "-",
        shorten(given) or "-",
        str(run.folder),
    )


def keys_of(runs: Sequence[SummaryFile]) -> list[str]:
    """All keys that a condition may name."""
    return sorted({name for run in runs for part in ("results", "scenario", "options") for name in run.parts[part]})


def list_runs(runs: Sequence[SummaryFile], conditions: Sequence[Condition]) -> Iterable[str]:
    """The lines of a list of those runs of which all conditions hold."""
    ended = {id(run): run.path.stat().st_mtime for run in runs}
    chosen = [run for run in runs if all([condition.holds(run) for condition in conditions])]
    for condition in conditions:
        if runs and not condition.is_known:
            meant = near(condition.key, keys_of(runs))
            raise ScriptError(f"--where={condition.text}: no run has {condition.key}{meant}; run.json has the keys")
    if not chosen:
        return ["no runs"]
    chosen.sort(key=lambda run: (ended[id(run)], str(run.folder)))
    telling = differing([run.parts["options"] for run in chosen])
    return lines_of([HEADER, *(row_of(run, ended[id(run)], telling) for run in chosen)])
