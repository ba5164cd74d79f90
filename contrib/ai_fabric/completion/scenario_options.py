# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The options of ai-fabric-run and their values, which the program lists itself."""

import functools
import json
import re
from pathlib import Path

from ai_fabric.common.aliases import Values
from ai_fabric.completion.output_cache import OutputCache

FILES = "file", "traces", "libraries", "config", "output"  # units
ONE_OF = re.compile(r"\bone of ([\w, -]+)")


class ScenarioOptions:
    """:param cache: an OutputCache  :param program: ai-fabric-run, which need not be there"""

    def __init__(self, cache: OutputCache, program: Path) -> None:
        self.cache = cache
        self.program = program

    @functools.cached_property
    def rows(self) -> dict[str, Values]:
        """Name, with --: what the program says of it."""
        text = self.cache.output([self.program, "--help=json"])
        return {f"--{row['name']}": row for row in json.loads(text or "[]")}

    def names(self) -> list[str]:
        """As they are typed: with = if a value follows."""
        return [name if row["unit"] == "flag" else f"{name}=" for name, row in self.rows.items()]

    def values(self, name: str) -> list[str]:
        """Names that an option takes; of sets, policies and workloads the program's own list."""
        row = self.rows.get(name)
        if not row:
            return []
        if row["unit"] in ("set", "policy", "workload"):
            return names_in(self.cache.output([self.program, f"{name}=help"], may_fail=True))
        return ["true", "false"] if row["range"] == "true or false" else names_of(row["range"])

    def is_file(self, name: str) -> bool:
        return name in self.rows and self.rows[name]["unit"] in FILES

    def is_folder(self, name: str) -> bool:
        return name in self.rows and self.rows[name]["unit"] == "folder"


def names_of(text: str) -> list[str]:
    """The names in a text such as: one of a, b, or c."""
    found = ONE_OF.search(text)
    return [name.removeprefix("or ") for name in found[1].split(", ")] if found else []


def names_in(text: str) -> list[str]:
    """The first words of lines that are not indented, or the names in a refusal."""
    return names_of(text) or re.findall(r"^([\w.-]+)(?=\s|$)", text, re.MULTILINE)
