# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Lists that pages repeat are those of the programs: names of policies, stacks, presets, traffic, schemes and verbs, and
the defaults of attributes and options."""

import functools
import itertools
import json
import re
import subprocess

import pytest

from harness import PROGRAM, ROOT, call, needs_program, offered
from test_pages import DOC, tables_of

pytestmark = needs_program

ROW = re.compile(r"^``([\w-]+)``", re.MULTILINE)  # names at the begin of a row
WORD = re.compile(r"``([\w-]+)``")
QUOTED = re.compile(r"`([\w-]+)`")
VERB = re.compile(r"^  ([\w-]+) +\S", re.MULTILINE)


@functools.cache
def options():
    """Those of the program, by name."""
    return {row["name"]: row for row in json.loads(call(".", "--help=json").stdout)}


def kinds(group):
    """The kinds of traffic in brackets behind some words of the help of --workload."""
    return re.search(rf"{group}[^(]*\(([^)]*)\)", options()["workload"]["help"])[1].split(", ")


def known_kinds():
    """The same as a refusal lists them."""
    return re.search(r"one of (.*), or auto", call(".", "--workload=gossip").stderr)[1].split(", ")


def all_kinds():
    return {kind for group in ("flows that", "a collective", "training iteration", "jobs") for kind in kinds(group)}


def rivals():
    """PRIME's, as schemes, and the balancers of those with another name."""
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    from ai_fabric.reproduce.papers import prime

    return {*prime.RIVALS, *(prime.SCHEMES[name]["balancer"] for name in prime.RIVALS)}


def verbs():
    return re.search(r"^verbs=\(([^)]*)\)$", (ROOT / "fabric").read_text(), re.MULTILINE)[1].split()


def help_of_fabric():
    return subprocess.run([ROOT / "fabric", "--help"], capture_output=True, text=True, check=True).stdout


def part(page, begin, end):
    """What stands between two texts of a page."""
    found = (ROOT / page).read_text().partition(begin)[2].partition(end)
    assert found[1], f"{page} has no {begin}, or no {end} below it"
    return found[0]


def on_page(page, begin, end, names):
    return lambda: names.findall(part(page, begin, end))


LISTS = {  # the source, and the places that list the same together
    "switch and host balancers": (
        lambda: offered("balancer"),
        on_page("doc/host-balancers.rst", "``--balancer``    Label", "\n\n", ROW),
        on_page("doc/switch-balancers.rst", "the headers of", ". Attributes", WORD),
        on_page("doc/switch-balancers.rst", "Name          Chooses", "\n\n", ROW),
    ),
    "balancers of AI zones": (
        lambda: set(offered("balancer")) & {"ecmp", "one-port", "path-pinning", "e-ecmp", "te", "flowlet"},
        on_page("doc/meta-routing.rst", "``--balancer``     An uplink", "\n\n", ROW),
    ),
    "steerings": (
        lambda: offered("steering"),
        on_page("doc/steering.rst", "``--steering``     Division", "\n\n", ROW),
    ),
    "algorithms": (
        lambda: offered("algorithm"),
        on_page("doc/collectives.rst", "Algorithm              Kind", "\n\n", ROW),
        on_page("doc/collectives.rst", "- ``double-binary-tree``", "Where N is not", re.compile(r"``([\w-]*-[\w-]*|nvls)``")),
        on_page("doc/aggregation.rst", "``--algorithm``", ", with", WORD),
    ),
    "controls": (
        lambda: offered("rateControl"),
        on_page("doc/congestion-control.rst", "``--rateControl``", "\n\n", ROW),
    ),
    "recoveries": (
        lambda: set(offered("recovery")) - {"mrc"},  # which has a page of its own
        on_page("doc/transport.rst", "``--recovery``", "\n\n", ROW),
        on_page("doc/spray.rst", "The usual recovery is", ",", WORD),
    ),
    "stacks": (
        lambda: offered("stack"),
        on_page("doc/usage.rst", "Stack               Is", "\n\n", ROW),
    ),
    "presets": (
        lambda: offered("preset"),
        on_page("doc/meta-routing.rst", "Preset         Fabric", "\n\n", ROW),
    ),
    "rivals of PRIME": (
        rivals,
        on_page("doc/reproduce-prime.rst", "with its rivals", "Of\nPRIME's paper", WORD),
    ),
    "traffic": (known_kinds, all_kinds),
    "collectives": (
        lambda: kinds("a collective"),
        on_page("doc/collectives.rst", "Kind                A rank begins", "\n\n", ROW),
    ),
    "verbs of ./fabric": (verbs, lambda: VERB.findall(help_of_fabric())),
    "verbs of the release": (
        verbs,
        on_page("CHANGES.md", "`./fabric` with the verbs", ".", QUOTED),
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_lists_are_those_of_the_programs(name):
    source, *places = LISTS[name]
    listed = [one for place in places for one in place()]
    assert set(listed) == set(source()) and len(set(listed)) > 1


# --- Defaults -------------------------------------------------------------------------------------

AS_PRINTED = {"n": "4294967295", "4 n": "4294967295", "empty": ""}
SCALES = {"fs": 1e-15, "ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "bps": 1, "Gb/s": 1e9, "": 1}


@functools.cache
def attributes():
    """The default of each attribute of each type of the module, by type and name."""
    types = re.findall(r"ns3::aifabric::(\w+)", call(".", "--PrintGroup=AiFabric").stdout)
    found = {}
    for name in types:
        printed = call(".", f"--PrintAttributes=ns3::aifabric::{name}").stdout
        found[name] = dict(re.findall(r"^ +--ns3::\w+::\w+::(\w+)=\[(.*)\]$", printed, re.MULTILINE))
    return found


def value_of(text):
    """A default in its unit, so that one that a page writes equals one that the program prints."""
    text = AS_PRINTED.get(text, text).removeprefix("ns3::aifabric::")
    if re.fullmatch(r"0x[0-9a-f]+", text):
        return int(text, 16)
    number = re.fullmatch(r"([+-]?[\d.]+(?:e[+-]?\d+)?) ?(\D*)", text)
    return float(f"{float(number[1]) * SCALES[number[2]]:.9g}") if number and number[2] in SCALES else text


def rows_of(page):
    """The first two cells of each row of the tables of defaults; a comma at the end goes on in the next line."""
    for _, ((one, end), (two, until), *_), lines in tables_of(page):
        heads = lines[1][one:end].strip(), lines[1][two:until].strip()
        if heads[1] != "Default" or heads[0] == "Option":
            continue
        owner = re.match(r"``(\w+)::``$", heads[0])
        names, values = "", ""
        for line in lines[3:-1]:
            names, values = f"{names} {line[one:end]}".strip(), f"{values} {line[two:until]}".strip()
            if re.fullmatch(r"``\w+::``", names):
                owner, names = re.match(r"``(\w+)::``", names), ""
            elif names and values and not names.endswith(",") and not values.endswith(","):
                yield owner and owner[1], names, values
                names, values = "", ""


def known_defaults(owner, name):
    """What an attribute or option may have: its type's default, or that of any type if no type is named."""
    if name.startswith("--"):
        return [options()[name[2:]]["default"]]
    if owner:
        return [attributes()[owner][name]]
    return [type_[name] for type_ in attributes().values() if name in type_]


def wrong_defaults(page):
    count, wrong = 0, []
    for owner, names, values in rows_of(page):
        names = re.findall(r"(--\w+)|(?:(\w*)::)?\b([A-Z]\w+)", names)
        values = values.replace("``", "").split(", ")
        for (option, own, name), value in itertools.zip_longest(names, values[: len(names)], fillvalue=values[-1]):
            owner = own or owner
            count += 1
            if value_of(value) not in map(value_of, known_defaults(owner, option or name)):
                wrong.append(f"{owner}::{option or name}: {value}")
    return count, wrong


@pytest.mark.slow
def test_defaults_on_pages_are_those_of_the_program():
    counts = {page.name: wrong_defaults(page) for page in sorted(DOC.glob("*.rst"))}
    assert not {name: wrong for name, (_, wrong) in counts.items() if wrong}
    assert sum(count for count, _ in counts.values()) > 10
