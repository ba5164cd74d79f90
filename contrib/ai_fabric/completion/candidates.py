# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What a word of a command line of ./fabric can become."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from ai_fabric.completion.scenario_options import ScenarioOptions
from ai_fabric.completion.verb_help import VerbHelp

DIRECT = "run", "demo", "sweep"  # verbs that take options of ai-fabric-run
BEHIND = "sweep", "collectives", "slowdown", "check-fluid"  # and those that take them behind --
BALANCERS = "--balancers", "--also"  # options whose values are those of --balancer
FOLDERS = "FOLDER", "DIR"  # as helps call them
MANY = "--schemes", "--library", "--pcap", *BALANCERS  # their values are lists, as are all of a sweep


class Candidates:
    """:param helps: name of a verb: a function that gives its VerbHelp
    :param lists: name of a verb: a function that gives what its --list prints  :param scenario: ScenarioOptions"""

    def __init__(
        self,
        helps: Mapping[str, Callable[[], VerbHelp]],
        lists: Mapping[str, Callable[[], str]],
        scenario: ScenarioOptions,
    ) -> None:
        self.helps = helps
        self.lists = lists
        self.scenario = scenario

    def find(self, words: Sequence[str]) -> list[str]:
        """The candidates for the last of the words after ./fabric. A line /files or /folders, with the part of
        the word before the path behind a blank, has the shell propose paths."""
        *before, word = words or [""]
        if not before:
            return starting([*self.helps, "--help", "--version"], word)
        verb, *before = before
        if verb not in self.helps:
            return []
        if verb == "plot" and before and re.fullmatch(r"[a-z]+", before[0]):
            before = before[1:]
        return self.of_verb(verb, before, word)

    def of_verb(self, verb: str, before: list[str], word: str) -> list[str]:
        help_ = self.helps[verb]()
        behind = "--" in before
        own = {} if behind else help_.options
        takes_scenario = verb in (BEHIND if behind else DIRECT)
        name, equals, value = word.partition("=")
        if word.startswith("-") and equals:
            return self.values(own, takes_scenario, (verb, name), value, f"{name}=", verb == "sweep" and not behind)
        if before and not behind and own.get(before[-1]):
            return self.values(own, False, (verb, before[-1]), word, "", False)
        arguments = [] if behind or word.startswith("-") else self.arguments(verb, help_, before, word)
        if not arguments:
            names = [f"{name}=" if value else name for name, value in own.items()]
            scenario = self.scenario.names() if takes_scenario else []
            return starting(["--help", *names, *(name for name in scenario if name.rstrip("=") not in own)], word)
        return arguments

    def values(
        self,
        own: Mapping[str, str],
        takes_scenario: bool,
        verb_and_name: tuple[str, str],
        value: str,
        prefix: str,
        is_list: bool,
    ) -> list[str]:
        """Those of an option."""
        verb, name = verb_and_name
        if name in own:
            if own[name].startswith(("FILE", *FOLDERS)):
                return paths(own[name].startswith(FOLDERS), prefix)
            names = self.own_values(verb, name, own[name])
        elif takes_scenario:
            if self.scenario.is_folder(name):
                return paths(True, prefix)
            names = self.scenario.values(name)
            if self.scenario.is_file(name) and not any(text.startswith(value) for text in names):
                return paths(False, prefix)
        else:
            names = []
        begin = value[: value.rfind(",") + 1] if is_list or name in MANY else ""
        return [f"{prefix}{begin}{text}" for text in starting(names, value[len(begin) :])]

    def own_values(self, verb: str, name: str, shown: str) -> list[str]:
        """Those of an option of a verb itself."""
        if name in BALANCERS:
            return self.scenario.values("--balancer")
        if name == "--schemes":
            return listed(self.lists[verb](), "Schemes")
        return shown.strip("{}").split(",") if shown.startswith("{") else []

    def arguments(self, verb: str, help_: VerbHelp, before: Sequence[str], word: str) -> list[str]:
        """Words that are no options: names of studies and figures, then files."""
        if verb == "plot" and not before:
            kinds = re.findall(r"^ +./fabric plot ([a-z]+) ", self.helps[verb]().text, re.MULTILINE)
            return [*starting(kinds, word), *paths(True, "")]
        found = starting(listed(self.lists[verb]()), word) if verb in self.lists and "NAME" in help_.arguments else []
        shells = starting([name for name in help_.arguments if name.islower()], word)
        if any(name.startswith("FILE") for name in help_.arguments):
            return [*found, *shells, *paths(False, "")]
        return [*found, *shells, *(paths(True, "") if "FOLDER" in help_.arguments else [])]


def starting(names: Iterable[str], begin: str) -> list[str]:
    return [name for name in dict.fromkeys(names) if name.startswith(begin)]


def paths(only_folders: bool, prefix: str) -> list[str]:
    return [f"/{'folders' if only_folders else 'files'} {prefix}"]


def listed(text: str, title: str | None = None) -> list[str]:
    """The names in what --list prints: first words of lines two blanks in, below a title or all but schemes."""
    names, inside = [], title is None
    for line in text.splitlines():
        if line and not line.startswith(" "):
            inside = line.startswith(title) if title else not line.startswith(("Schemes", "Questions"))
        found = re.match(r"  ([a-z][\w-]*)(\s|$)", line)
        if inside and found:
            names.append(found[1])
    return names
