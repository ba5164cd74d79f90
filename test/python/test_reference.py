# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The reference of attributes is what the program prints, that of trace sources what the model registers.

AI_FABRIC_WRITE_OUTPUT=1 writes them anew (make -C doc output)."""

import csv
import io
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness import ROOT, call, needs_program
from test_pages import DOC, WRITE

MODULE = "ns3::aifabric::"
ADDED = re.compile(r'AddTraceSource\(\s*"(\w+)",\s*((?:"[^"]*"\s*)+),(.*?)"([\w:]+)"\)', re.DOTALL)
OWNER = re.compile(rf'TypeId\(\s*"{MODULE}(\w+)"')
SIGNATURE = re.compile(r"typedef void \(\*(\w+TracedCallback)\)\((.*?)\);", re.DOTALL)
TIMES = (1e15, "s"), (1e12, "ms"), (1e9, "us"), (1e6, "ns"), (1e3, "ps")


def compare(name, header, rows):
    """A table of doc/reference/ is this, or becomes it."""
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows([header, *rows])
    path = DOC / "reference" / name
    if WRITE:
        path.write_text(table.getvalue())
        return
    assert path.read_text() == table.getvalue()


# --- Trace sources --------------------------------------------------------------------------------


def signatures():
    """The parameters of each signature, by the class of its file and its name."""
    found = {}
    for path in ROOT.glob("model/**/*.h"):
        text = path.read_text()
        for one in SIGNATURE.finditer(text):
            owner = re.findall(r"^class (?:alignas\(\d+\) )?(\w+)[^;{]*{", text[: one.start()], re.MULTILINE)[-1]
            found[f"{MODULE}{owner}::{one[1]}"] = " ".join(one[2].split())
    return found


def trace_sources():
    """Owner, name, signature and meaning. Files without a type add to that of queue pairs (ControlTraces)."""
    for path in sorted(ROOT.glob("model/**/*.cc")):
        text = path.read_text()
        for found in ADDED.finditer(text):
            owners = OWNER.findall(text[: found.start()]) or OWNER.findall(text)
            meaning = "".join(re.findall(r'"([^"]*)"', found[2]))
            yield owners[-1] if owners else "QueuePair", found[1], found[4], meaning


def parameters_of(signature, known):
    if signature.startswith("ns3::TracedValueCallback::"):
        return f"old and new {signature.rpartition('::')[2]}"
    parameters = "Ptr<const Packet> packet" if signature == "ns3::Packet::TracedCallback" else known[signature]
    return f"``{parameters}``" if parameters else "none"


def test_trace_sources_of_the_manual_are_those_of_the_model():
    known = signatures()
    rows = [(f"``{owner}::{name}``", parameters_of(signature, known), meaning) for owner, name, signature, meaning in trace_sources()]
    registered = sum(path.read_text().count("AddTraceSource(") for path in ROOT.glob("model/**/*.cc"))
    assert len(rows) == registered > 50
    compare("traces.csv", ("Trace source", "Parameters", "Meaning"), sorted(rows))


# --- Attributes -----------------------------------------------------------------------------------


def printed(value):
    """A default as a person writes it: ns-3 prints times in femtoseconds."""
    time = re.fullmatch(r"\+([\d.e+]+)fs", value)
    if not time:
        return value.removeprefix(MODULE)
    femtoseconds = float(time[1])
    scale, unit = next((one for one in TIMES if femtoseconds >= one[0]), TIMES[-1])
    return f"{femtoseconds / scale:.9g} {unit}" if femtoseconds else "0 s"


def attributes_of(name):
    """Those that a type has of its own: name, default, meaning."""
    text = call(".", f"--PrintAttributes={MODULE}{name}").stdout.partition("Attributes defined in parent")[0]
    return re.findall(r"^ +--ns3::\w+::\w+::(\w+)=\[(.*)\]\n +(.*)$", text, re.MULTILINE)


@needs_program
@pytest.mark.slow
def test_attributes_of_the_manual_are_those_of_the_program():
    types = re.findall(rf"^ +{MODULE}(\w+)$", call(".", "--PrintGroup=AiFabric").stdout, re.MULTILINE)
    with ThreadPoolExecutor(2) as pool:
        found = zip(types, pool.map(attributes_of, types))
    rows = [(f"``{owner}::{name}``", value and f"``{printed(value)}``", meaning) for owner, all_ in found for name, value, meaning in all_]
    assert len(rows) > 300
    compare("attributes.csv", ("Attribute", "Default", "Meaning"), sorted(rows))
