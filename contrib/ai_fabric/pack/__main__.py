#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Packs a run into one archive with all that a colleague needs to look at it and to repeat it: run.json, its tables,
the files that it has read, and a README."""

import gzip
import io
import json
import os
import shlex
import sys
import tarfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, TypeVar, cast

from ai_fabric.common.program import Parser, ScriptError, printable, run_script  # first: Ctrl-C from here on

from ai_fabric.common.aliases import Values
from ai_fabric.sweep.inputs import digest
from ai_fabric.common.safe_file import named_errors, read_text

Kind = TypeVar("Kind")
NAME = "pack"
END = ".tar.gz"
SUMMARY = "run.json"
INPUTS = "inputs"  # folder of the archive
README = """{name}: a run of ai-fabric-run

{versions} ({profile} build) has made it. {commit}

To repeat it, in a clone of ai-fabric, where this folder is unpacked:

    {repeat}

The results go to a new folder in results, unless --out=FOLDER is given. They are equal to those here, byte for byte, but for what
the run has cost (cpu_s, wall_s, loop_wall_s, peak_rss_bytes, packet_hops_per_cpu_s, simulator, threads) and where files
are (out, inputs). Another version of the program says so, and may give other results.

run.json        options, files that were read, the scenario, versions, and results
{tables}
doc/outputs.rst of ai-fabric explains the tables and keys.
"""


def part(run: object, key: str, kind: type[Kind], path: Path) -> Kind:
    """A part of run.json, of the kind that it must have."""
    found = run.get(key) if isinstance(run, dict) else None
    if not isinstance(found, kind):
        raise ScriptError(f"{path}: {key} is missing or malformed; a run.json of this version of ai-fabric-run is needed")
    return found


def read_run(folder: Path) -> tuple[str, Values]:
    """run.json of a folder: its text, and what it says."""
    path = folder / SUMMARY
    if not path.is_file():
        inside = next((found.parent for found in sorted(folder.glob("runs/*/run.json"))), None)
        hint = f", such as {shlex.quote(printable(inside))}" if inside else ""
        raise ScriptError(f"{folder}: has no run.json; the folder of a finished run is needed{hint}")
    try:
        text = read_text(path)
        run = json.loads(text)
    except (ValueError, RecursionError):
        raise ScriptError(f"{path}: is no run.json of a finished run") from None
    if part(run, "program", str, path) != "ai-fabric-run":
        raise ScriptError(f"{path}: is not of ai-fabric-run, whose runs alone can be repeated")
    for key in "options", "inputs", "versions":
        part(run, key, dict, path)
    return text, run


def check_input(path: Path, noted: object, where: str) -> None:
    """Refuses a file that is not what the run has read."""
    if not path.exists():
        raise ScriptError(f"{where}: {path} is gone")
    if digest(path) != noted:
        raise ScriptError(f"{where}: {path} has changed since the run (sha256)")


def moved(path: str, option: str) -> str:
    """Where a file of an option stands in the archive."""
    return f"{INPUTS}/{option}/{Path(path).name}"


def moved_value(value: str, digests: Collection[str], option: str) -> str:
    """A value of an option whose files have moved: a path, paths with commas between them, or the begin of paths."""
    parts = value.split(",")
    if value not in digests and all(part in digests for part in parts):
        return ",".join(moved(part, option) for part in parts)
    return moved(value, option)


def pack_inputs(run: Values, folder: Path) -> tuple[dict[str, Path], Values]:
    """The files that the run has read, by their place in the archive, and the entry "inputs" that names these places."""
    files: dict[str, Path] = {}
    inputs: Values = {}
    for option, entry in run["inputs"].items():
        where = f"{folder / SUMMARY}: inputs.{option}"
        digests, value = (entry.get(key) if isinstance(entry, dict) else None for key in ("sha256", "value"))
        if not option.isalnum() or not isinstance(digests, dict) or not isinstance(value, str):
            raise ScriptError(f"{where}: value and sha256 of the files of an option are needed")
        for path, noted in digests.items():
            check_input(folder / path, noted, where)
            if moved(path, option) in files:
                raise ScriptError(f"{where}: two files are called {Path(path).name}")
            files[moved(path, option)] = folder / path
        places = {moved(path, option): noted for path, noted in digests.items()}
        inputs[option] = {"value": moved_value(value, digests, option), "sha256": places}
    return files, inputs


def with_inputs(text: str, inputs: Values, path: Path) -> str:
    """The text of run.json with another entry "inputs", and else as it is."""
    begin, end = text.find(f'\n  "{INPUTS}": '), text.find('\n  "attributes": ')
    if not 0 <= begin < end:
        raise ScriptError(f"{path}: is no longer as the run has written it")
    entry = json.dumps(inputs, indent=2, ensure_ascii=False).replace("\n", "\n  ")
    return f'{text[:begin]}\n  "{INPUTS}": {entry},{text[end:]}'


def pack_tables(run: Values, folder: Path) -> dict[str, Path]:
    """The result files, by their name."""
    names = part(run, "files", list, folder / SUMMARY)
    for name in names:
        if not isinstance(name, str) or Path(name).name != name or name in (SUMMARY, "README"):
            raise ScriptError(f"{folder / SUMMARY}: files: {name} is no name of a table")
        if not (folder / name).is_file():
            raise ScriptError(f"{folder / name} is gone")
    return {name: folder / name for name in sorted(names)}


def describe(run: Values, name: str, tables: Iterable[str]) -> str:
    """The README."""
    versions = run["versions"]
    commit = versions.get("commit", "unknown")
    return README.format(
        name=name,
        repeat=shlex.join(["./fabric", "run", f"--config={name}/{SUMMARY}"]),
        versions=", ".join(f"{part} {version}" for part, version in versions.items() if part != "commit"),
        profile=run.get("buildProfile", "unknown"),
        commit="The commit is unknown." if commit == "unknown" else f"The commit is {commit} (git checkout {commit}).",
        tables="\n".join(tables),
    )


def add_files(archive: IO[bytes], name: str, files: Mapping[str, Path | str]) -> None:
    """Writes files, given by their paths or texts, into the folder of a name."""
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for place, content in files.items():
            entry = tarfile.TarInfo(f"{name}/{place}")
            entry.mode = 0o644
            data = content.encode() if isinstance(content, str) else None
            entry.size = len(data) if data is not None else os.stat(content).st_size
            with io.BytesIO(data) if data is not None else open(content, "rb") as file:
                tar.addfile(entry, file)


def write_archive(target: Path, name: str, files: Mapping[str, Path | str]) -> None:
    """Writes an archive: the same bytes for the same files, whoever packs them, and when.

    files: by their place in the archive, their paths or texts
    """
    partial = target.with_name(f".{target.name}.partial-{os.getpid()}")
    try:
        with named_errors(partial), open(partial, "xb") as raw:
            with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
                add_files(cast(IO[bytes], packed), name, files)
        os.replace(partial, target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def make_parser() -> Parser:
    parser = Parser(NAME, prog=f"./fabric {NAME}", description=__doc__, allow_abbrev=False)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="folder of a finished run, with its run.json")
    parser.add_argument("-o", "--out", type=Path, metavar="FILE", help="archive, NAME.tar.gz (FOLDER's name.tar.gz)")
    return parser


def main(arguments: Sequence[str]) -> None:
    own = make_parser().parse_args(arguments)
    folder = own.folder
    target = own.out or Path(folder.resolve().name + END)
    if not target.name.endswith(END) or target.name == END:
        raise ScriptError(f"{target}: a name that ends in {END} is needed")
    if not target.parent.is_dir():
        raise ScriptError(f"{target}: {target.parent} is no folder")
    if target.exists():
        raise ScriptError(f"{target}: is there already; -o FILE names another one")
    text, run = read_run(folder)
    name = target.name.removesuffix(END)
    tables = pack_tables(run, folder)
    files, inputs = pack_inputs(run, folder)
    texts = {"README": describe(run, name, tables), SUMMARY: with_inputs(text, inputs, folder / SUMMARY)}
    write_archive(target, name, {**texts, **files, **tables})
    print(f"{target}: run.json, {len(tables)} tables, {len(files)} file{'s' * (len(files) != 1)} that the run has read")
    unpack, repeat = ["tar", "xf", target.name], ["./fabric", "run", f"--config={name}/{SUMMARY}"]
    print(f"To repeat it: {shlex.join(unpack)}, {shlex.join(repeat)}")


if __name__ == "__main__":
    run_script(NAME, lambda: main(sys.argv[1:]))
