# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the manual shows is what the programs print, and its table of examples is complete.

A file of doc/output/ has commands, each after a "$ ", and below each what it prints. Pages include
these files. AI_FABRIC_WRITE_OUTPUT=1 writes them anew (make -C doc output)."""

import csv
import io
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from harness import part

ROOT = Path(__file__).resolve().parents[2]
DOC = ROOT / "doc"
BIN_DIR = os.environ.get("AI_FABRIC_BIN_DIR")
WRITE = os.environ.get("AI_FABRIC_WRITE_OUTPUT") == "1"
OUTPUTS = sorted(path.name for path in (DOC / "output").glob("*.txt"))
PAGES = {path.name: path.read_text() for path in DOC.glob("*.rst")}
FOLDER = re.compile(r"results/run-\d{8}-\d{6}(-\d+)?")  # of a run, by the time
SHOWN_FOLDER = "results/run-20260131-120000"
TIMES = re.compile(r"\d+(\.\d+)? s\b")  # what differs from run to run


def commands(text):
    """The commands of a file; a line that ends with a backslash goes on."""
    found = re.findall(r"^\$ ((?:.*\\\n)*.*)$", text, re.MULTILINE)
    return [(command, shlex.split(command.replace("\\\n", " "))) for command in found]


def arguments_of(words):
    """What is executed: a program of the build, or the script behind ./fabric."""
    if words[0] != "./fabric":
        return [Path(BIN_DIR) / words[0], *words[1:]]
    verb, *options = words[1:]
    program = str(Path(BIN_DIR) / "ai-fabric-run")
    if verb == "run":
        return [program, *options]
    return [*part(verb), "--program", program, *options]


def shown(folder, words):
    """What a command prints, but for its progress."""
    if not (Path(BIN_DIR or "") / "ai-fabric-run").exists():
        pytest.skip("AI_FABRIC_BIN_DIR does not hold ai-fabric-run")
    arguments = arguments_of(words)
    if not arguments[0] == sys.executable and not Path(arguments[0]).exists():
        pytest.skip(f"{words[0]} is not built: a module of ns-3 is missing")
    run = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    lines = [line for line in run.stderr.splitlines() if not line.startswith("[")]
    return FOLDER.sub(SHOWN_FOLDER, "\n".join([*run.stdout.strip("\n").splitlines(), *lines]))


@pytest.mark.parametrize("name", OUTPUTS)
def test_the_manual_shows_what_programs_print(tmp_path, name):
    path = DOC / "output" / name
    text = path.read_text()
    (tmp_path / "scenarios").symlink_to(ROOT / "scenarios")  # which commands name
    parts = [f"$ {line}\n{shown(tmp_path, words)}\n" for line, words in commands(text)]
    printed = "\n".join(parts)
    if WRITE:
        path.write_text(printed)
        return
    assert TIMES.sub("- s", printed) == TIMES.sub("- s", text)


# Part of a file that a page shows, in a comment, and below it the text. It can be read where no Sphinx includes it.
SHOWN = re.compile(r'^\.\. from (\S+?)(?:, "(.*)" to "(.*)")?\n\n(?:\.\. code-block:: \w+|::)\n\n((?:   .*\n|\n(?=\n*   ))+)', re.MULTILINE)


def part_of(name, first, last):
    """The part of a file from a line that begins so (without it, if it is a comment) up to another; all, or to the end."""
    lines = (DOC / name).read_text().splitlines()
    begin = next(number for number, line in enumerate(lines) if line.lstrip().startswith(first or ""))
    end = (number for number in range(begin + 1, len(lines)) if last and lines[number].lstrip().startswith(last))
    begin += bool(first) and first.startswith("//")
    return textwrap.dedent("\n".join(lines[begin : next(end, len(lines))])).strip("\n")


@pytest.mark.parametrize("name", sorted(PAGES))
def test_pages_show_what_files_have(name):
    def block(match):
        text = textwrap.indent(part_of(*match.groups()[:3]), "   ")
        return match[0].replace(match[4], f"{text}\n")

    page = SHOWN.sub(block, PAGES[name])
    assert page.count("\n.. from ") == len(SHOWN.findall(page))
    if WRITE:
        (DOC / name).write_text(page)
        return
    assert page == PAGES[name]


def test_pages_link_files_and_include_none():
    """A repository's page does not show what Sphinx includes; conf.py has the manual show what is linked."""
    for name, text in PAGES.items():
        assert not re.search(r"^ *\.\. (literal)?include::|^ *:file:", text, re.MULTILINE), name
        missing = [path for path in re.findall(r"<([\w./-]+)>`__", text) if not (DOC / path).exists()]
        assert not missing, f"{name}: {missing}"


def test_every_table_of_results_is_on_a_page():
    linked = re.findall(r"\n\n`(?:Table|Verdicts) <results/(\S+)>`__(?=\n\n|\n*\Z)", "\n".join(PAGES.values()))
    assert sorted(linked) == sorted(path.name for path in DOC.glob("results/*"))


def test_pages_are_short():
    """About 1,200 words each, but for those of papers, which have several figures."""
    counts = {name: len(text.split()) for name, text in PAGES.items()}
    assert not {name: count for name, count in counts.items() if count > 1250 and not name.startswith("reproduce-")}
    assert sum(counts.values()) <= 60_000


def test_links_between_pages_work_in_the_repository():
    """Only Sphinx knows its roles and substitutions."""
    for name, text in PAGES.items():
        assert not re.search(r":(doc|ref):`|\|ns3\|", text), name
        assert set(re.findall(r"<([^<>]+\.rst)>`__", text)) <= PAGES.keys(), name
    assert sum(text.count(".rst>`__") for text in PAGES.values()) > 200


def test_every_output_is_on_a_page():
    included = re.findall(r"(?:<|\.\. from )output/([\w-]+\.txt)", "".join(PAGES.values()))
    assert sorted(included) == OUTPUTS


def first_words():
    """Those of the lines that runs print, such as "completion time"."""
    shown = (DOC / "output" / name for name in ("incast.txt", "aggregation.txt"))
    return {line[:17].strip() for path in shown for line in path.read_text().splitlines() if line[:1].isalpha()}


def test_no_page_has_output_that_is_not_tested():
    lines = "|".join(sorted(first_words()))
    assert "completion time" in lines and "losses" in lines
    for name, text in PAGES.items():
        text = SHOWN.sub("", text)
        assert not re.search(r"\bprint(s|ed)?\b[^.:]*::$", text, re.MULTILINE), name
        found = re.search(rf"^ +(\$ .*|({lines})  +.*)$", text, re.MULTILINE)
        assert not found, f"{name}: {found[0]}"


def names_in(pattern, *files):
    return {name for path in files for name in re.findall(pattern, path.read_text())}


def test_files_of_the_model_that_pages_name_are_there():
    for page in DOC.glob("*.rst"):
        for name in re.findall(r"``(?:model/)?([a-z]+(?:/[a-z]+)*/[\w-]+\.(?:cc|h))``", page.read_text()):
            assert any((ROOT / folder / name).exists() for folder in ("", "model")), f"{page.name}: {name}"


def test_helpers_are_in_the_manual():
    classes = names_in(r"(?m)^class (\w+Helper)\b", *ROOT.glob("helper/*-helper.h"))
    assert len(classes) > 6
    assert not [name for name in classes if f"``{name}``" not in PAGES["scripts.rst"]]


def test_examples_are_in_the_manual():
    table = PAGES["ai-fabric.rst"].partition("Examples, in")[2].partition("**Tests**")[0]
    sources = [*ROOT.glob("examples/*.cc"), *ROOT.glob("contrib/run/*.cc")]
    programs = {path.stem for path in sources if "\nmain(" in path.read_text()}
    assert set(re.findall(r"^``([\w-]+)``", table, re.MULTILINE)) == programs


def test_counters_of_policies_are_in_the_manual():
    """Each key that a policy adds to the counters of run.json, on the page that explains it."""
    names = names_in(r'counters\["(\w+)"\]', *ROOT.glob("model/**/*.cc"), *ROOT.glob("contrib/run/*.cc"))
    assert len(names) > 50
    pages = "".join(PAGES.values())
    assert not [name for name in sorted(names) if f"``{name}``" not in pages]


def test_options_of_the_manual_are_those_of_the_program(tmp_path):
    options = json.loads(shown(tmp_path, ["ai-fabric-run", "--help=json"]))
    assert len(options) > 100
    table = io.StringIO()
    lines = [("Option", "Default", "Meaning")]
    for group, rows in itertools.groupby(options, lambda row: row["group"]):
        lines += [(f"**{group}**", "", ""), *((f"``--{row['name']}``", row["default"], row["help"]) for row in rows)]
    csv.writer(table, lineterminator="\n").writerows(lines)
    path = DOC / "reference" / "options.csv"
    if WRITE:
        path.write_text(table.getvalue())
        return
    assert path.read_text() == table.getvalue()


def test_contributors_read_what_is_in_each_room_of_the_model():
    rooms = re.findall(r"^\| `([\w/]+)` \| .*\. \|$", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    assert sorted(rooms) == sorted({path.parent.relative_to(ROOT / "model").as_posix() for path in ROOT.glob("model/**/*.h")})


def test_the_readme_is_short():
    readme = (ROOT / "README.md").read_text()
    assert len(readme.split()) <= 700
    assert len(re.findall(r"^\|.*`\./fabric ", readme, re.MULTILINE)) <= 20


def test_files_for_citation_name_the_version():
    version = re.search(r'AI_FABRIC_VERSION = "(.*)"', (ROOT / "helper/ai-fabric-version.h").read_text())[1]
    assert f"version: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert f'release = "{version}"' in (ROOT / "doc/conf.py").read_text()


def test_config_paths_are_those_of_the_suite():
    listed = re.findall(r"^``(/\S+)``", PAGES["write-a-scenario.rst"], re.MULTILINE)
    code = (ROOT / "test" / "config-path-test-suite.cc").read_text()
    for name, prefix in re.findall(r'const std::string (\w+) = "(/.*?)";', code):
        code = code.replace(f'{name} + "', f'"{prefix}')
    assert sorted(listed) == sorted(re.findall(r'\{"(/[^"]+)"', code))


BAR = re.compile(r"^=+( =+)+$")


def tables_of(page):
    """The simple tables of a page: the line of the first, the columns as pairs of positions, the lines."""
    lines = page.read_text().splitlines()
    number = 0
    while number < len(lines):
        if not BAR.match(lines[number]):
            number += 1
            continue
        end = number + 1
        while not (BAR.match(lines[end]) and (end + 1 == len(lines) or not lines[end + 1].strip())):
            end += 1
        columns = [match.span() for match in re.finditer("=+", lines[number])]
        yield number + 1, columns, lines[number : end + 1]
        number = end + 1


@pytest.mark.parametrize("page", sorted(DOC.glob("*.rst")), ids=lambda page: page.stem)
def test_tables_keep_to_their_columns(page):
    """Sphinx refuses a page with text between two columns."""
    for number, columns, lines in tables_of(page):
        for place, (line, following) in enumerate(zip(lines, lines[1:]), number):
            if any(re.fullmatch("[- ]+", one) for one in (line, following)):
                continue  # the text of several columns, and their line
            for (_, end), (begin, _) in zip(columns, columns[1:]):
                assert not line[end:begin].strip(), f"{page.name}:{place}: {line}"
