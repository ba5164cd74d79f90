# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What can be asked: the studies that are shipped, the questions of README.md that other verbs answer, and schemes."""

import re

from ai_fabric.common.clone import of_clone
from ai_fabric.study import scheme_file
from ai_fabric.study import study_file

ROW = re.compile(r"^\| (.*\?) \| (.*) \|$", re.MULTILINE)


def questions() -> list[tuple[str, list[str]]]:
    """The questions of the table of README.md, and their commands."""
    text = of_clone("README.md").read_text(encoding="utf-8")
    return [(question, re.findall(r"`(\./fabric [^`]*)`", answer)) for question, answer in ROW.findall(text)]


def print_list() -> None:
    print("Studies (./fabric study NAME):")
    for name in study_file.names():
        print(f"  {name:<22} {study_file.read_study(name).question}")
    print("\nQuestions that other commands answer:")
    for question, commands in questions():
        if commands and not any(command.startswith("./fabric study") for command in commands):
            print(f"  {question}")
            print("".join(f"    {command}\n" for command in commands), end="")
    print("\nSchemes:")
    for name in scheme_file.names():
        print(f"  {name:<14} {scheme_file.find_scheme(name).description}")
