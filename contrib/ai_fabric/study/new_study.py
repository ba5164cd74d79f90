# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A study file from a few answers, given as options or, on a terminal, as lines."""

import json
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path

from ai_fabric.study.scheme_file import SUFFIX, Settings, StudyError, Value, find_scheme, read_options
from ai_fabric.study.study_file import USUAL_SEEDS, read_study, seeds_of

ANSWERS = {  # options, what is asked on a terminal, and what is taken without an answer
    "question": ("The question", "Which scheme is the fastest?"),
    "schemes": ("Schemes, by commas (./fabric study --list names them)", "ecmp,reps,prime"),
    "fabric": ("Options of the fabric", "topology=leaf-spine rate=400Gb/s"),
    "traffic": ("Options of the traffic", "workload=permutation"),
}
CASE = "A case, NAME: OPTIONS; an empty line ends"
USUAL_CASES = ["healthy:", "failed: fail=cables:1@0s convergence=0s"]
HEAD = """# {question}
# Run it by: ./fabric study {path}

question = {question_text}
schemes = {schemes}
seeds = {seeds}
"""


def add_new(parser: ArgumentParser) -> None:
    """The options that make a file."""
    parser.add_argument("--new", metavar="FILE", type=Path, help="write a study file from the answers that follow, or ask for them")
    parser.add_argument("--question", help="with --new: what is asked")
    parser.add_argument("--schemes", help="names of schemes, by commas, instead of those of the study, or with --new")
    parser.add_argument("--fabric", help="with --new: options, such as 'topology=leaf-spine rate=400Gb/s'")
    parser.add_argument("--traffic", help="with --new: options, such as 'workload=permutation size=1MiB'")
    parser.add_argument("--case", action="append", metavar="NAME:OPTIONS",
                        help="with --new: a case, such as 'failed: fail=cables:1@0s'; can be given more than once")


def refuse_answers(own: Namespace) -> None:
    """Refuses answers without the file that they are for."""
    for name in ("question", "fabric", "traffic", "case"):
        if getattr(own, name):
            raise StudyError(f"--{name}: only with --new=FILE{SUFFIX}")


def ask(name: str, own: Namespace) -> str:
    """An answer: the option, or a line of the terminal, or the usual one."""
    given = getattr(own, name)
    question, usual = ANSWERS[name]
    if given or not sys.stdin.isatty():
        return given or usual
    return input(f"{question} [{usual}]: ").strip() or usual


def ask_cases(own: Namespace) -> list[str]:
    """The cases: those of the option, or lines of the terminal, or the usual ones."""
    if own.case or not sys.stdin.isatty():
        return own.case or USUAL_CASES
    lines = []
    while line := input(f"{CASE}: ").strip():
        lines.append(line)
    return lines or USUAL_CASES


def options_from(text: str, where: str) -> Settings:
    """Options that are written name=value, with blanks between them."""
    options: dict[str, str] = {}
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise StudyError(f"{where}: {error}") from None
    for word in words:
        name, equal, value = word.removeprefix("--").partition("=")
        if not equal:
            raise StudyError(f"{where}: {word}: an option is written name=value")
        options[name] = value
    return read_options(options, where)


def lines_of(title: str, options: Mapping[str, Value]) -> list[str]:
    """A table of a file."""
    quoted = {name if name.isidentifier() else json.dumps(name): value if str(value).isdecimal() else json.dumps(value)
              for name, value in options.items()}
    return [f"\n[{title}]", *(f"{name} = {value}" for name, value in quoted.items())]


def write_new(own: Namespace) -> int:
    """Writes the file; one that is there stays."""
    path = own.new
    if path.suffix != SUFFIX:
        raise StudyError(f"--new={path}: the name of a study file ends with {SUFFIX}")
    answers, cases = {name: ask(name, own) for name in ANSWERS}, ask_cases(own)
    if not answers["question"].isprintable():
        raise StudyError("--question: a text in one line is needed")
    schemes = [name.strip() for name in answers["schemes"].split(",")]
    for name in schemes:
        find_scheme(name, path.parent, "--schemes")
    lines = [HEAD.format(question=answers["question"], question_text=json.dumps(answers["question"], ensure_ascii=False),
                         schemes=json.dumps(schemes), seeds=json.dumps(own.seeds or int(USUAL_SEEDS)), path=path).rstrip()]
    seeds_of(own.seeds or USUAL_SEEDS, "--seeds")
    for name in ("fabric", "traffic"):
        lines += lines_of(name, options_from(answers[name], f"--{name}"))
    for text in cases:
        case, colon, options = text.partition(":")
        if not colon or not case.strip():
            raise StudyError(f"--case={text}: a case is written NAME: OPTIONS")
        name = case.strip() if case.strip().replace("-", "_").isidentifier() else json.dumps(case.strip())
        lines += lines_of(f"cases.{name}", options_from(options, "--case"))
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    except FileExistsError:
        raise StudyError(f"--new={path}: there is such a file already") from None
    try:
        read_study(str(path)).runs()
    except StudyError:
        path.unlink()  # so that the mended command can write it
        raise
    print(f"{path} is written. Run it by: ./fabric study {path}")
    return 0
