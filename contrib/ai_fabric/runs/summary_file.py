# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What run.json of a run says, in flat parts."""

from pathlib import Path
from typing import Any

from ai_fabric.common.aliases import Values
from ai_fabric.runs.run_json import NAME, flatten, of_a_run, read_summary

COST = set("cpu_s wall_s loop_wall_s peak_rss_bytes packet_hops_per_cpu_s simulator threads ranks events".split())
PARTS = "options", "scenario", "attributes", "results"


class SummaryFile:
    """run.json of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / NAME
        with of_a_run(folder):
            self.content = read_summary(folder)
            self.parts = {part: flatten(self.content.get(part) or {}) for part in PARTS}
            self.seed = self.content["run"]

    @property
    def results(self) -> Values:
        """All but what the run has cost."""
        return {key: value for key, value in self.parts["results"].items() if key not in COST}

    @property
    def versions(self) -> Values:
        """Of what the program was made."""
        return flatten(self.content.get("versions") or {})

    @property
    def inputs(self) -> dict[str, str]:
        """The sums of the files that were read, by option: a file may have changed and kept its name."""
        found = self.content.get("inputs") or {}
        return {f"files of {option}": " ".join(entry["sha256"].values()) for option, entry in found.items()}

    def find(self, key: str) -> Any:
        """A value by its key, as it was resolved before as it was given; None if there is none."""
        for part in "results", "scenario", "options":
            if self.parts[part].get(key) is not None:
                return self.parts[part][key]
        return None
