# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Schemes: a name, and all options that belong to it. Each is a file of the folder schemes. Figures of papers read
those files too, so that a setting stands once."""

import os
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ai_fabric.common.aliases import Options, Values
from ai_fabric.sweep.grid import GridError, split_option
from ai_fabric.sweep.inputs import FILES, LISTS, PREFIXES
from ai_fabric.common.program import ScriptError, near, printable
from ai_fabric.common.safe_file import read_text

Value = str | int | float  # of an option
Settings = dict[str, Value]  # options with their values
Table = Mapping[str, Any]  # of a TOML file
Where = str | Path  # what a message begins with: a file, and the place in it
SHIPPED = Path(__file__).resolve().parent / "schemes"
SPACE = "ns3::aifabric::"
SUFFIX = ".toml"
AUTO = "auto"  # the value of an option that is not given
RESERVED = {  # options that a study has its own words for
    "RngRun": 'seeds says which, such as 5 or "3-7"',
    "out": "each run has a folder of its own; ./fabric study --out=FOLDER says where all are",
    "check": "a study checks all options before it runs; ./fabric study --dry-run does no more",
    "writeConfig": "all runs would write this file; ./fabric study --dry-run prints the command of each run",
    "quiet": "runs of a study print nothing",
    "json": "runs of a study print nothing; their results are in results.csv",
}
MOST_LIKE = 8  # schemes that are each like the next one
KEYS = ["name", "description", "source", "like", "options", "needs"]


class StudyError(ScriptError):
    """What is wrong with a study or a scheme, in one line."""


@dataclass
class Scheme:
    """What a scheme is called, and what it sets. needs: values that options may have, without which it does not work;
    why: what happens with others."""

    name: str
    description: str = ""
    source: str = ""
    options: Settings = field(default_factory=dict)
    needs: dict[str, list[str]] = field(default_factory=dict)
    why: str = ""

    def refusal(self, options: Options) -> str:
        """Why the scheme does not work with a fabric or traffic; nothing if it does."""
        for name, allowed in self.needs.items():
            value = str(options.get(name, AUTO))
            if value not in allowed:
                return f"{name}={value}: scheme {self.name} needs {' or '.join(allowed)}; {self.why}"
        return ""


def read_toml(path: Path) -> Values:
    """The tables of a file; the line of what is wrong is in the message."""
    try:
        return tomllib.loads(read_text(path))
    except OSError as error:
        raise StudyError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise StudyError(f"{path}: is no TOML file: a text in UTF-8 is needed") from None
    except RecursionError:
        raise StudyError(f"{path}: is no TOML file: its lists or tables are too deep") from None
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"{path}: {error}") from None


def check_keys(table: Table, known: Collection[str], where: Where) -> None:
    """Refuses a key that is not known."""
    for key in table:
        if key not in known:
            raise StudyError(f"{where}: {key}: no such key{near(key, known)}; there are {', '.join(known)}")


def text_in(table: Table, key: str, where: Where, usual: str = "") -> str:
    """A text of a table, in one line."""
    value = table.get(key, usual)
    if not isinstance(value, str) or printable(value) != value:
        raise StudyError(f"{where}: {key}: a text in one line is needed")
    return value


def table_in(table: Table, key: str, where: Where) -> Values:
    """A table of a table; an empty one if there is none."""
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise StudyError(f"{where}: {key}: a table is needed, such as [{key}]")
    return value


def value_of(value: object, where: Where) -> Value:
    """The value of an option. A list is written with commas."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, str) and value.isprintable():
        return value
    if isinstance(value, list) and value and not any(isinstance(one, (list, dict)) for one in value):
        return ",".join(str(value_of(one, where)) for one in value)
    raise StudyError(f"{where}: a text, a number, true, false or a list of them is needed")


def read_options(table: Table, where: Where) -> Settings:
    """Options of ai-fabric-run. A table in the table is a class, whose attributes have the values."""
    options: Settings = {}
    for name, value in table.items():
        if isinstance(value, dict):
            owner = name if "::" in name else SPACE + name
            options |= {f"{owner}::{key}": value_of(one, f"{where}.{name}.{key}") for key, one in value.items()}
        else:
            options[name] = value_of(value, f"{where}.{name}")
    for name in options:
        if name in RESERVED:
            raise StudyError(f"{where}.{name}: not in a study: {RESERVED[name]}")
        try:
            if name != name.strip("-").strip() or not name.isprintable() or "=" in name:
                raise GridError(f"{printable(name)}: the name of an option is needed, without dashes")
            split_option(f"--{name}=")
        except GridError as error:
            raise StudyError(f"{where}: {error}") from None
    return options


def beside(options: Mapping[str, Value], folder: Path) -> Settings:
    """Options whose files are looked for in a folder, and else where the program is started."""

    def find(name: str, text: str) -> str:
        path = Path(os.path.normpath(folder / text))
        return str(path) if path.is_file() or name in PREFIXES and list(path.parent.glob(path.name + ".*.et")) else text

    found = dict(options)
    for name in {"config", *FILES, *LISTS, *PREFIXES} & options.keys():
        parts = str(options[name]).split(",") if name in LISTS else [str(options[name])]
        found[name] = ",".join(find(name, part) for part in parts)
    return found


def options_in(table: Table, key: str, where: Where, folder: Path) -> Settings:
    """A table of options, with the files that they name."""
    return beside(read_options(table_in(table, key, where), f"{where}: {key}"), folder)


def read_needs(table: Table, where: Where) -> tuple[dict[str, list[str]], str]:
    """Values that options may have, by option, and why."""
    needs = {}
    for name, values in table.items():
        if name != "why":
            if not isinstance(values, list) or not values:
                raise StudyError(f"{where}.{name}: a list of values is needed")
            needs[name] = [str(value_of(one, f"{where}.{name}")) for one in values]
    return needs, text_in(table, "why", where)


def scheme_from(table: Table, name: str, where: Where, folder: Path, depth: int = 0) -> Scheme:
    """A scheme from the table that describes it. folder: where files that it names are."""
    check_keys(table, KEYS, where)
    name = text_in(table, "name", where, name)
    base = Scheme(name)
    if like := text_in(table, "like", where):
        if depth == MOST_LIKE:
            raise StudyError(f"{where}: like: more than {MOST_LIKE} schemes, each like the next one")
        base = find_scheme(like, folder, f"{where}: like", depth + 1)
    own, own_why = read_needs(table_in(table, "needs", where), f"{where}: needs")
    return Scheme(
        name,
        text_in(table, "description", where),
        text_in(table, "source", where),
        {**base.options, **options_in(table, "options", where, folder)},
        {**base.needs, **own},
        own_why or base.why,
    )


def names() -> list[str]:
    """The schemes that are shipped."""
    return sorted(path.stem for path in SHIPPED.glob("*" + SUFFIX))


def find_scheme(text: str, folder: Path = Path(), where: Where = "scheme", depth: int = 0) -> Scheme:
    """The scheme of a name, or of a file whose name ends with .toml."""
    if text.endswith(SUFFIX):
        path = folder / text
        return scheme_from(read_toml(path), path.stem, path, path.parent, depth)
    path = SHIPPED / (text + SUFFIX)
    if text not in names() and not (text.startswith("base/") and path.is_file() and ".." not in text):
        there = ", ".join(names())
        raise StudyError(f"{where}: {printable(text)}: no such scheme{near(text, names())}; "
                         f"there are {there}, and files, whose names end with {SUFFIX}")
    return scheme_from(read_toml(path), path.stem, path, SHIPPED, depth)


def options_of(name: str) -> Settings:
    """The options of a scheme that is shipped, for figures."""
    return find_scheme(name).options
