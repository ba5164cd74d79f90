# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What a run reads beside its options: files and environment variables. A run that has read others is
run again."""

import csv
import hashlib
import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from ai_fabric.common.aliases import FilePath, Options
from ai_fabric.common.safe_file import check_regular, read_text, written_whole

FILES = "topology flows training goal placement communicators plan chakraGroups jobs cluster cdf skew background backgroundCdf".split()  # may name a file
LISTS = ("library",)  # names of files, separated by commas
PREFIXES = ("chakra",)  # FILE stands for FILE.0.et, FILE.1.et, ...
VARIABLES = "NS_ATTRIBUTE_DEFAULT", "NS_GLOBAL_VALUE"  # of ns-3, which count like options
NAME = "inputs.json"


@lru_cache(maxsize=None)
def digest(path: FilePath, *_state: object) -> str:
    """The hash of a file; _state: what changes when the file does, as far as can be seen without reading."""
    check_regular(path)
    found = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    return found.hexdigest()


def files_of(options: Options) -> Iterator[Path]:
    """The files that a run with some options reads."""
    given = {name: str(value) for name, value in options.items()}
    named = [given.get(name, "") for name in FILES]
    named += [path for name in LISTS for path in given.get(name, "").split(",")]
    yield from (Path(path) for path in named if os.path.isfile(path))
    if os.path.isfile(given.get("cluster", "")):
        yield from programs_of(Path(given["cluster"]))
    if os.path.isfile(given.get("config", "")):
        yield from files_of_config(Path(given["config"]))
    for name in PREFIXES:
        yield from traces_of(Path(given.get(name) or "none"))


def traces_of(prefix: Path) -> Iterator[Path]:
    """The traces of all ranks."""
    yield from (path for path in sorted(prefix.parent.glob("*.et")) if is_trace(path.name, prefix.name))


def programs_of(path: Path) -> Iterator[Path]:
    """The programs of the jobs of a file, which stand in its folder; the program checks the file."""
    try:
        lines = [line for line in read_text(path).splitlines() if not line.lstrip().startswith("#")]
    except (OSError, ValueError):
        return
    for row in csv.DictReader(lines, skipinitialspace=True):
        program = path.parent / ((row.get("program") or "").strip() or "none")
        yield from [program] if program.is_file() else traces_of(program)


def files_of_config(path: Path) -> Iterator[Path]:
    """A file of --config, which is a run.json or a TOML scenario, and the files that it names, from its folder."""
    yield path
    try:
        text = read_text(path)
        is_run = text.lstrip().startswith("{")
        found = json.loads(text)["inputs"] if is_run else tomllib.loads(text)
        values = {name: found[name]["value"] if is_run else found[name] for name in found}
    except (OSError, ValueError, RecursionError, KeyError, TypeError, IndexError):
        return  # the program says what is wrong
    for name, value in values.items():
        parts = value if isinstance(value, list) else str(value).split(",") if name in LISTS else [value]
        if name != "config" and all(isinstance(part, str) for part in parts):
            yield from files_of({name: ",".join(str(path.parent / part) for part in parts)})


def is_trace(name: str, prefix: str) -> bool:
    """Whether a file is the trace of a rank: PREFIX.NUMBER.et."""
    number = name.removeprefix(prefix + ".").removesuffix(".et")
    return name == f"{prefix}.{number}.et" and number.isdecimal()


def inputs_of(options: Options) -> dict[str, str]:
    """The hashes of the files by path, and the variables; empty if a run reads nothing but options."""
    found = {}
    for path in files_of(options):
        state = path.stat()
        found[str(path)] = digest(path, state.st_mtime_ns, state.st_size, state.st_ino, state.st_ctime_ns)
    found.update((name, os.environ[name]) for name in VARIABLES if os.environ.get(name))
    return found


def read_inputs(folder: Path) -> object:
    """What the run in a folder has read."""
    try:
        found = json.loads(read_text(folder / NAME))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        return None
    return found


def write_inputs(folder: Path, inputs: Mapping[str, str]) -> None:
    """Notes what the next run in a folder reads."""
    if inputs:
        folder.mkdir(parents=True, exist_ok=True)
        with written_whole(folder / NAME) as file:
            json.dump(inputs, file, indent=2)
    else:
        (folder / NAME).unlink(missing_ok=True)
