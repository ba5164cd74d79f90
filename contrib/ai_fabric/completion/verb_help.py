# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The options of a verb and the names of their values, from what ./fabric VERB --help prints."""

import re
from dataclasses import dataclass, field

VALUE = r"(?:=([^\s\]]+)| ([A-Z{][^\s\]]*))?"
NAMES = r"--[a-z][\w-]*(?:, --[a-z][\w-]*)*"
ITEM = re.compile(rf"^  (?:-\w(?: \w+)?, )?({NAMES}){VALUE}(?=\s|$)", re.MULTILINE)
MODE = re.compile(rf"^With (--\w+){VALUE} it ", re.MULTILINE)  # of ./fabric bench
IN_USAGE = re.compile(rf"(--[a-z][\w-]*){VALUE}")
SHORT = re.compile(r"-\w \S+")
WORD = re.compile(r"\w+(?:\.\w+)*")


@dataclass
class VerbHelp:
    """What a verb takes."""

    options: dict[str, str] = field(default_factory=dict)  # name, with --: what stands for its value; empty: it has none
    arguments: list[str] = field(default_factory=list)  # what stands for them, such as FOLDER
    text: str = ""


def read_help(text: str) -> VerbHelp:
    """The VerbHelp in a text; after -- in its first lines stand options of a run."""
    usage = [line.partition(" -- ")[0] for line in text.partition("\n\n")[0].splitlines()]
    verb = VerbHelp(text=text)
    for line in usage:
        for name, *values in IN_USAGE.findall(line):
            verb.options.setdefault(name, "".join(values))
        words = WORD.findall(IN_USAGE.sub("", SHORT.sub("", line.partition("./fabric ")[2])))
        verb.arguments += [word for word in words[1:] if word != "options"]
    for found in (ITEM, MODE):
        for names, *values in found.findall(text.partition("\n\n")[2]):
            for name in names.split(", "):
                verb.options[name] = "".join(values) or verb.options.get(name, "")
    verb.options.pop("--program", None)
    return verb
