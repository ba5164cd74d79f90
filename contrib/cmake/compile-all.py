#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""compile-all.py FOLDER JOBS alone|groups COMPILER [OPTION...]: checks that every file of the module compiles without a
warning; nothing is linked. FOLDER gets ns3/*.h and what is parsed once.

alone: each file but tests by itself, so that one that lacks an include fails; so does each header that is not the first
one of a file of its own. Headers that many files include are parsed once. A file begins with the largest of them that it
includes itself, and so sees no declaration that it has not asked for.

groups: the files that a build without a compiler cache compiles as one (groups.cmake). The files of a group that fails
are compiled one by one, so that the right one is named.
"""

import concurrent.futures
import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = "model/*/*.cc", "model/*/*/*.cc", "helper/*.cc", "contrib/run/*.cc"
EXAMPLES = "examples/*.cc", "examples/library/*.cc"
TESTS = "test/*.cc", "test/core/*.cc"
PUBLIC = "model/*/*.h", "model/*/*/*.h", "helper/*.h"
PRIVATE = ("contrib/run/*.h",)
DEFINITIONS = [
    *("-Wall", "-Wextra", "-Werror", "-DHAVE_BOOST", "-D__LINUX__", "-DNS3_ASSERT_ENABLE", "-DNS3_LOG_ENABLE"),
    *("-DNS3_BUILD_PROFILE_DEBUG", "-DAI_FABRIC_TOMLPLUSPLUS", "-DAI_FABRIC_PROTOBUF"),
    *('-DAI_FABRIC_NS3_VERSION="3"', '-DAI_FABRIC_SOURCE_DIR="."'),
]
# Parsed once, those that save most first. The list decides the time alone: a header that is gone is passed over.
COMMON = [
    *("contrib/run/fabric-scenario.h", "ns3/roce-net-device.h", "ns3/fabric-queue.h"),
    *("ns3/host-balancer.h", "ns3/switch-balancer.h", "ns3/congestion-control.h", "ns3/fabric-frame.h"),
    *("ns3/nstime.h", "ns3/attribute-helper.h", "ns3/fabric-graph.h", "<functional>", "<string>", "<algorithm>", "<vector>"),
]
GROUP = 64  # files of the library, as compile_in_groups() has them


def find(*patterns: str) -> list[str]:
    """The files that match, as paths from the root of the module."""
    return sorted(path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern))


class Includes:
    """The headers that a file includes for certain, all headers of these included."""

    def __init__(self, options: list[str]):
        """options: of a compiler; -isystem names where headers of ns-3 are."""
        folders = [option.removeprefix("-isystem") for option in options if option.startswith("-isystem")]
        self._folders = [*folders, "/usr/include"]
        self._public = {f"ns3/{Path(header).name}": header for header in find(*PUBLIC)}

    def find(self, name: str, near: str = ".") -> str:
        """The file that an #include in a folder means, or <name> of one of the system."""
        if name in self._public:
            return self._public[name]
        for folder in [near, ".", *self._folders] if name.startswith("ns3/") or "<" not in name else []:
            if (path := os.path.normpath(os.path.join(folder, name))) and os.path.isfile(path):
                return path
        return f"<{name.strip('<>')}>"

    @functools.cache
    def direct(self, path: str) -> list[str]:
        """What a file includes before its first declaration, and under no condition but that of its include guard."""
        if path.startswith("<"):
            return []
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", Path(path).read_text(errors="replace"), flags=re.DOTALL)
        found, depth, guard = [], 0, 0
        for number, line in enumerate(filter(str.strip, text.splitlines())):
            directive = re.match(r'\s*#\s*(\w+)\s*(?:"([^"]+)"|(<[^>]+>))?', line)
            if not directive:
                break
            kind, quoted, angled = directive.groups()
            guard = guard or int(number == 0 and kind == "ifndef")
            depth += kind.startswith("if") - (kind == "endif")
            if kind == "include" and depth <= guard and (quoted or angled):
                found.append(self.find(quoted or angled, os.path.dirname(path)))
        return found

    @functools.cache
    def all_of(self, path: str) -> frozenset[str]:
        """What a file includes, however deep."""
        found: set[str] = set()
        left = list(self.direct(path))
        while left:
            if (header := left.pop()) not in found:
                found.add(header)
                left += self.direct(header)
        return frozenset(found)

    def seen_by_first(self, path: str) -> frozenset[str]:
        """What the header that a file includes first, and stands for, is or includes; else what the file includes."""
        header = path.removesuffix(".cc") + ".h"
        return self.all_of(header) | {header} if self.direct(path)[:1] == [header] else self.all_of(path)


class Compiler:
    """Compiles files; no code is made."""

    def __init__(self, folder: Path, jobs: int, command: list[str]):
        self._folder = folder
        self._jobs = jobs
        self._includes = Includes(command)
        self._command = [*command, *DEFINITIONS, f"-I{folder}", "-I."]
        if command[0] == "g++":
            self._command.append("-Wno-subobject-linkage")  # g++ takes what a group includes for headers
        else:
            self._command.append("-fpch-instantiate-templates")  # once, and not in each file
        self._parsed: dict[str, Path] = {}

    def parse_common(self) -> None:
        """Parses the common headers that there are. One that does not compile is left to the files that include it."""
        self._parsed = dict(found for found in self._map(self._parse, enumerate(COMMON)) if found)

    def _parse(self, numbered: tuple[int, str]) -> tuple[str, Path] | None:
        number, name = numbered
        path = self._includes.find(name)
        if path == f"<{name}>":
            return None
        header = self._folder / f"parsed-{number}.h"
        header.write_text(f"#include {path}\n" if path.startswith("<") else f'#include "{os.path.abspath(path)}"\n')
        run = self._run("-x", "c++-header", str(header), "-o", f"{header}.gch")
        return (path, header) if run.returncode == 0 else None

    def compile_alone(self, file: str) -> bool:
        """Compiles a file, and says so if that fails."""
        seen = self._includes.seen_by_first(file)
        first = next((["-include", str(header)] for path, header in self._parsed.items() if path in seen), [])
        kind = ["-x", "c++-header"] if file.endswith(".h") else []
        run = self._run(*first, "-fsyntax-only", *kind, str(ROOT / file))
        if run.returncode:
            print(f"{ROOT / file} does not compile", flush=True)
            print(run.stderr, file=sys.stderr, flush=True)
        return run.returncode == 0

    def compile_group(self, numbered: tuple[int, list[str]]) -> bool:
        """Compiles files as one. main() and the log component of each keep apart."""
        number, files = numbered
        if len(files) > 1:
            group = self._folder / f"group-{number}.cc"
            with open(group, "w", encoding="utf-8") as out:
                for index, file in enumerate(files):
                    for name in "main", "g_log":
                        print(f"#undef {name}\n#define {name} {name}_{index}", file=out)
                    print(f'#include "{ROOT / file}"', file=out)
            if self._run("-fsyntax-only", str(group)).returncode == 0:
                return True
        return all([self.compile_alone(file) for file in files])

    def compile_each_alone(self, files: list[str]) -> bool:
        """Whether all files compile by themselves."""
        self.parse_common()
        return all(self._map(self.compile_alone, largest_first(files, os.path.getsize)))

    def compile_groups(self, groups: list[list[str]]) -> bool:
        """Whether all groups compile."""
        ordered = largest_first(groups, lambda files: sum(map(os.path.getsize, files)))
        return all(self._map(self.compile_group, enumerate(ordered)))

    def _run(self, *options: str) -> subprocess.CompletedProcess:
        return subprocess.run([*self._command, *options], capture_output=True, text=True, errors="replace", check=False)

    def _map(self, function, items) -> list:
        with concurrent.futures.ThreadPoolExecutor(self._jobs) as pool:
            return list(pool.map(function, items))


def largest_first(items: list, size) -> list:
    """In this order no long one is left for the end."""
    return sorted(items, key=size, reverse=True)


def make_groups() -> list[list[str]]:
    """The files that are compiled as one: tests by their first letter, as compile_tests_in_groups() has them."""
    cmake = ROOT / "contrib/cmake/groups.cmake"
    alone = re.search(r"set\(compiled_alone\s([^)]*)\)", cmake.read_text() if cmake.exists() else "")
    separate = alone[1].split() if alone else []
    groups: dict[object, list[str]] = {}
    for number, file in enumerate(find(*LIBRARY)):
        groups.setdefault(number // GROUP, []).append(file)
    for file in find(*TESTS, *EXAMPLES):
        folder, _, name = file.rpartition("/")
        groups.setdefault(file if file in separate else (folder, name[0]), []).append(file)
    return list(groups.values())


def main() -> bool:
    """Whether all files compile."""
    folder = Path(sys.argv[1]).absolute()
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "ns3").mkdir(parents=True)
    os.chdir(ROOT)
    public = find(*PUBLIC)
    for header in public:
        (folder / "ns3" / Path(header).name).symlink_to(ROOT / header)
    (folder / "ns3/ai-fabric-module.h").write_text("".join(f'#include "ns3/{Path(header).name}"\n' for header in public))
    compiler = Compiler(folder, int(sys.argv[2]), sys.argv[4:])
    if sys.argv[3] == "groups":
        return compiler.compile_groups(make_groups())
    headers = [header for header in [*public, *find(*PRIVATE)] if not os.path.exists(header.removesuffix(".h") + ".cc")]
    return compiler.compile_each_alone([*find(*LIBRARY), *find(*EXAMPLES), *headers])


if __name__ == "__main__":
    sys.exit(not main())
