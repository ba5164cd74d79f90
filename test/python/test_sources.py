# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The lists of source files, the headers' names and what each folder may include."""

import functools
import os
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]

# A room of model/ includes itself and rooms above it in this table.
ROOMS = re.findall(r"^\| `([\w/]+)` \|", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
MOST_CLASSES = 25

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


def files(*patterns):
    """The repository's files that match, as paths from its root."""
    return sorted(path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern))


@functools.cache
def text_of(path):
    return (ROOT / path).read_text()


SOURCES = files("model/**/*.cc", "helper/*.cc")
HEADERS = files("model/**/*.h", "helper/*.h")
SUITES = [name for name in files("test/*.cc") if name != "test/test-runner.cc"]
CORES = files("test/core/*.cc")
EXAMPLES = files("examples/*.cc", "contrib/run/*.cc")  # and the program, built with them
# Which are tested as the module's own code.
EXAMPLES_OF_TESTS = [f"examples/{name}.cc" for name in ("aimd-control", "datagram-endpoint", "mirror-stage")]
BENCHMARKS = files("contrib/bench/*.cc")


def cmake_text(path):
    return re.sub(r"#.*", "", (ROOT / path).read_text())


def cmake_files(name):
    """What find_files() puts into a list."""
    (patterns,) = re.findall(rf"find_files\({name} ([^)]+)\)", cmake_text("CMakeLists.txt"))
    return files(*patterns.split())


def cmake_loop():
    """The examples of one file."""
    text = cmake_text("examples/CMakeLists.txt")
    return re.search(r"foreach\(\s*example\s+([^)]*)\)", text).group(1).split()


def cmake_examples():
    """The sources of all examples by their names."""
    text = cmake_text("examples/CMakeLists.txt")
    examples = {name: [f"{name}.cc"] for name in cmake_loop()}
    for name, sources in re.findall(r"NAME\s+([\w-]+)\s+SOURCE_FILES\s+([^)]*?)\s+LIBRARIES_TO_LINK", text):
        examples[name] = sources.split()
    (pattern,) = re.findall(r"file\(GLOB program RELATIVE \S+ CONFIGURE_DEPENDS \.\./(\S+)\)", text)
    assert examples["ai-fabric-run"] == ["${program}"]
    examples["ai-fabric-run"] = [f"../{path}" for path in files(pattern)]
    return examples


class FakeFolder:
    """A folder of the repository as waf's nodes have it."""

    def __init__(self, path):
        self.folder = path

    @property
    def parent(self):
        return FakeFolder(self.folder.parent)

    def ant_glob(self, patterns):
        patterns = [patterns] if isinstance(patterns, str) else patterns
        return [FakeFolder(path) for pattern in patterns for path in self.folder.glob(pattern)]

    def path_from(self, other):
        return os.path.relpath(self.folder, other.folder)


class FakeWaf:
    """Records what a wscript asks waf to build."""

    def __init__(self, mpi):
        self.env = {"ENABLE_MPI": mpi, "ENABLE_EXAMPLES": True}
        self.path = FakeFolder(ROOT)
        self.module = self.headers = self.tests = None
        self.programs = {}

    def create_ns3_module(self, _name, _dependencies):
        self.module = SimpleNamespace(source=[], use=[])
        return self.module

    def create_ns3_module_test_library(self, _name):
        self.tests = SimpleNamespace(source=[])
        return self.tests

    def create_ns3_program(self, name, _dependencies):
        self.programs[name] = SimpleNamespace(source=None)
        return self.programs[name]

    def sources(self, name):
        source = self.programs[name].source
        return source if isinstance(source, list) else [source]

    def __call__(self, features):
        assert features == "ns3header"
        self.headers = SimpleNamespace(source=[])
        return self.headers

    def recurse(self, folder):
        self.run(Path(folder) / "wscript")

    def run(self, path):
        self.path = FakeFolder((ROOT / path).parent)
        scope = {}
        exec(compile((ROOT / path).read_text(), str(path), "exec"), scope)
        scope["build"](self)
        return self


@pytest.fixture
def waf():
    return FakeWaf(mpi=True).run("wscript")


def test_cmake_finds_every_file():
    assert cmake_files("sources") == SOURCES
    assert cmake_files("headers") == HEADERS
    assert cmake_files("suites") == SUITES
    assert cmake_files("cores") == CORES
    sources = [os.path.normpath(f"examples/{name}") for names in cmake_examples().values() for name in names]
    assert sorted(sources) == EXAMPLES
    assert re.findall(r"examples/\S+\.cc", cmake_text("CMakeLists.txt")) == EXAMPLES_OF_TESTS
    benchmarks = re.findall(r"build_benchmark\(\s*(\S+)\s*\)", cmake_text("CMakeLists.txt"))
    assert sorted(f"contrib/bench/{name}.cc" for name in benchmarks) == BENCHMARKS


def test_wscript_finds_the_same_files(waf):
    assert sorted(waf.module.source) == SOURCES
    assert sorted(waf.headers.source) == HEADERS
    assert sorted(waf.tests.source) == sorted(SUITES + EXAMPLES_OF_TESTS)
    assert {name: waf.sources(name) for name in waf.programs} == cmake_examples()


def test_examples_to_run_exist():
    scope = {}
    exec((ROOT / "test/examples-to-run.py").read_text(), scope)
    for command, *_ in scope["cpp_examples"]:
        assert command.split()[0] in cmake_examples()


def test_folders_are_known():
    assert set(path.name for path in (ROOT / "model").iterdir() if path.is_dir()) <= set(ROOMS)


def test_header_names_are_free():
    """All modules' headers land in one folder ns3/."""
    names = [Path(header).name for header in HEADERS]
    assert len(set(names)) == len(names)
    installed = Path("/usr/include/ns3")
    if not installed.is_dir():
        pytest.skip("no installed ns-3 to compare with")
    assert not {path.name for path in installed.glob("*.h")} & set(names)


def test_header_guards():
    for path in HEADERS:
        guard = Path(path).name.replace("-", "_").replace(".", "_").upper()
        assert f"#ifndef {guard}\n#define {guard}\n" in text_of(path), path


def test_group_is_defined_once():
    """Doxygen's group of the module, which all classes name."""
    texts = {path: text_of(path) for path in HEADERS}
    assert sum(text.count("@defgroup ai-fabric ") for text in texts.values()) == 1
    groups = {group for text in texts.values() for group in re.findall(r"@ingroup (\S+)", text)}
    assert groups == {"ai-fabric"}


@pytest.mark.parametrize("name", ["EndpointNic", "QueuePair", "FabricSwitch"])
def test_log_components(name):
    """NS_LOG=EndpointNic and so on find something to print."""
    file = re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower() + ".cc"
    (path,) = [path for path in SOURCES if path.endswith("/" + file)]
    text = (ROOT / path).read_text()
    assert f'NS_LOG_COMPONENT_DEFINE("{name}");' in text
    assert "NS_LOG_FUNCTION(" in text and "NS_LOG_LOGIC(" in text


def test_types_have_names_of_their_own():
    """A build of ns-3 with asserts aborts at its start if two classes register one name."""
    owners = {}
    for path in files("model/**/*.cc", "helper/*.cc", "contrib/**/*.cc", "test/**/*.cc", "examples/*.cc"):
        for name in re.findall(r'TypeId\(\s*"(ns3::\w+::\w+)"\s*\)', (ROOT / path).read_text()):
            assert name not in owners, f"{name}: {owners[name]} and {path}"
            owners[name] = path
    assert len(owners) > 100


def test_prefetches_have_an_effect():
    """GCC removes calls of functions that do nothing but __builtin_prefetch()."""
    owners = [path for path in HEADERS + SOURCES if "__builtin_prefetch(" in text_of(path)]
    assert owners == ["model/event/prefetch-lines.h"]


def test_constants_of_files_have_names_of_their_own():
    """Files are compiled in groups, which are others in a clone and in an ns-3 tree."""
    found = {}
    for path in SOURCES:
        for name in re.findall(r"^constexpr [^=(\n]*?\b([A-Z][A-Z0-9_]+)(?:\[\w*\])? ?[={]", text_of(path), re.MULTILINE):
            assert name not in found, f"{name}: in {path} and {found[name]}"
            found[name] = path
    assert len(found) > 100


def test_license_headers():
    kinds = [f"{folder}/**/*.{kind}" for folder in ("model", "helper", "test", "contrib") for kind in ("cc", "h", "py", "cmake")]
    code = files(*kinds, "examples/**/*", "CMakeLists.txt", "wscript", "fabric", ".ci/run")
    for path in filter(os.path.isfile, map(ROOT.joinpath, code)):
        head = "".join(path.read_text().splitlines(keepends=True)[:10])
        assert re.search(r"Copyright \(c\) 20\d\d ", head), path
        assert "SPDX-License-Identifier: GPL-2.0-only" in head, path


OWN = {Path(header).name: header for header in HEADERS}


def room_of(path):
    """The room of a file; of a helper, "helper"."""
    folder = Path(path).parent.as_posix()
    return folder.removeprefix("model/")


def check_includes(path):
    room = room_of(path)
    allowed = ROOMS[: ROOMS.index(room)]
    for bracket, name in INCLUDE.findall(text_of(path)):
        assert not name.endswith("-module.h"), f"{path}: {name} is for programs"
        if name.startswith("ns3/") and name[4:] in OWN:
            other = room_of(OWN[name[4:]])
            assert other in allowed, f"{path}: {room} may not include {name} of {other}"
        elif bracket == '"' and not name.startswith("ns3/"):
            assert OWN.get(name) == f"model/{room}/{name}", f"{path}: {name} is not in its folder"


def test_a_file_includes_only_what_stands_before_it():
    for path in files("model/**/*.cc", "model/**/*.h"):
        check_includes(path)


def test_a_room_holds_few_classes():
    counts = {room: sum(room_of(header) == room for header in HEADERS) for room in ROOMS}
    assert all(0 < count <= MOST_CLASSES for count in counts.values()), counts


def test_nics_know_no_transport():
    """Comments included: a NIC serves endpoints of any transport."""
    stems = {Path(path).stem for path in files("model/transport/**/*.h", "model/congestion/**/*.h", "model/recovery/*.h")}
    names = {"".join(part.capitalize() for part in stem.split("-")) for stem in stems} | {"queue pair"}
    for path in files("model/nic/*"):
        text = (ROOT / path).read_text()
        found = [name for name in names if re.search(rf"\b{name}\b", text, re.IGNORECASE)]
        assert not found, f"{path}: {found}"


COMMENT = re.compile(r"(?:^[ \t]*///[^\n]*\n)+|/\*\*.*?\*/", re.MULTILINE | re.DOTALL)
PARAMETER = re.compile(r"@param(?:\s*\[[a-z,]+\])?\s+(\w+)\s+(.*?)\s*(?=@|\n\s*\n|\Z)", re.DOTALL)
FILLERS = set("a all an are each is it its of one s some that the their this was which whose".split())


def comments(text):
    """Doxygen's comments of a C++ file, without what marks them as such."""
    for comment in COMMENT.findall(text):
        yield re.sub(r"^[ \t]*(?:/\*\*|\*/|\*|///<?)|\*/\Z", "", comment, flags=re.MULTILINE)


def repeats(name, description):
    """Whether the description of a parameter has only words of its name."""
    if re.search(r"[^\w\s.'-]|\d", description):
        return False
    known = {word.lower().rstrip("s") for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}
    words = set(re.findall(r"[a-z]+", description.lower())) - FILLERS
    return {word.rstrip("s") for word in words} <= known


def test_repetitions_are_found():
    assert repeats("queuePair", "the queue pair") and repeats("name", "its name")
    assert not repeats("name", "of the queue pair") and not repeats("bytes", "bytes, at least 1")


def test_parameters_say_more_than_their_names():
    """Unit, range or meaning; otherwise the line goes."""
    for path in SOURCES + HEADERS + files("contrib/run/*.cc", "contrib/run/*.h"):
        for comment in comments(text_of(path)):
            for name, description in PARAMETER.findall(comment):
                assert not repeats(name, description), f"{path}: @param {name} {description}"


RIDDLES = re.compile(r"\b(tell|tells|told|hear|hears|heard|news|nobody|somebody|affairs?|lest)\b", re.IGNORECASE)
REMARK = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def test_comments_name_actor_and_action():
    """Frames are received and losses reported; no class tells, and none hears."""
    for path in SOURCES + HEADERS:
        for comment in REMARK.findall(text_of(path)):
            assert not RIDDLES.search(comment), f"{path}: {comment}"
