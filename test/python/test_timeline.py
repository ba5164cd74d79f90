# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""./fabric timeline: the trace has the form that Perfetto reads, and says what the tables of the run say. nodes.csv: what
hosts did when."""

import csv
import json
import os
from collections import Counter, defaultdict

import pytest

from harness import HEADER, ROOT, call, needs_program, refusal, script, write_flows

pytestmark = needs_program

FABRIC = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=2"
JOB = """[[phase]]
steps = [
    {name = "forward", compute = "20us"},
    {name = "sums", collective = "all-reduce", bytes = "256KiB"},
    {name = "backward", compute = "30us", after = ["forward"]},
    {name = "hand over", from = 0, to = 3, bytes = "64KiB"},
]
"""
FAULT = "--fail=leaf-0--spine-0@25us-40us", "--recovery=sack", "--convergence=2us"
NEEDED = {"X": {"ts", "dur", "tid"}, "i": {"ts", "tid", "s"}, "C": {"ts", "args"}, "M": {"args"}}


def table(folder, name):
    with open(folder / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


def run_job(folder, *more):
    (folder / "job.toml").write_text(JOB)
    run = call(folder, *FABRIC, "--training=job.toml", *more, "--out=out")
    assert run.returncode == 0, run.stderr
    return folder / "out"


def draw(folder, *options):
    """The events of a trace, what was printed, and the names of processes and threads."""
    run = script("timeline", folder, *options, cwd=folder.parent)
    assert run.returncode == 0 and not run.stderr, run.stderr
    trace = json.loads((folder / "timeline.json").read_text())
    assert set(trace) == {"displayTimeUnit", "otherData", "traceEvents"} and trace["displayTimeUnit"] == "ns"
    events = trace["traceEvents"]
    names = {one["pid" if one["name"] == "process_name" else "tid"]: one["args"]["name"]
             for one in events if one["name"] in ("process_name", "thread_name")}
    return events, run.stdout, names


def check_form(events):
    """Each event has what its kind needs; times are in us and not negative; spans of a thread lie beside or inside each
    other, or they could not be shown."""
    spans = defaultdict(list)
    named = {(one["name"], one["pid"], one["tid"]) for one in events if one["ph"] == "M" and one["name"].endswith("_name")}
    for event in events:
        assert ("process_name", event["pid"], 0) in named and (event["ph"] not in "Xi" or ("thread_name", event["pid"], event["tid"]) in named)
        assert all(isinstance(event[key], int) for key in ("pid", "tid") if key in event) and isinstance(event.get("args", {}), dict)
        assert event["ph"] != "C" or all(isinstance(value, (int, float)) for value in event["args"].values())
        assert {"ph", "name", "pid", *NEEDED[event["ph"]]} <= set(event) and event["pid"] > 0, event
        assert event.get("ts", 0) >= 0 and event.get("dur", 0) >= 0
        if event["ph"] == "X":
            spans[event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    threads = [one["tid"] for one in events if one["name"] == "thread_name"]
    assert len(set(threads)) == len(threads) and set(spans) <= set(threads)
    for its in spans.values():
        its.sort(key=lambda span: (span[0], -span[1]))
        for (_, end), (begin, _) in zip(its, its[1:]):
            assert end <= begin + 1e-6


def of(events, kind, category):
    return [event for event in events if event["ph"] == kind and event.get("cat") == category]


def test_a_trace_says_what_the_tables_say(tmp_path):
    folder = run_job(tmp_path, "--nodeTimes", *FAULT)
    events, said, names = draw(folder)
    check_form(events)
    assert "Not in it" not in said and "ui.perfetto.dev" in said
    assert {f"rank on host {host}" for host in range(4)} | {"fabric"} <= set(names.values())
    assert {"compute", "collectives of all", "sends", "receives", "messages", "faults", "events"} <= set(names.values())
    flows = table(folder, "flows")
    drawn = of(events, "X", "message")
    assert len(drawn) == len(flows)
    assert sorted(event["ts"] for event in drawn) == [pytest.approx(float(row["start_ns"]) / 1e3) for row in
                                                      sorted(flows, key=lambda row: float(row["start_ns"]))]
    assert sum(event["args"]["bytes"] for event in drawn) == sum(int(row["bytes"]) for row in flows)
    nodes = of(events, "X", "node")
    assert Counter(event["name"] for event in nodes) == Counter(row["name"] for row in table(folder, "nodes"))
    assert {event["dur"] for event in nodes if event["name"] == "forward"} == {20.0}
    [fault] = of(events, "X", "fault")
    assert (fault["ts"], fault["dur"]) == (25.0, 15.0) and fault["name"].startswith("leaf-0")
    [collective] = [event for event in of(events, "X", "collective") if event["name"] == "0 sums"]
    assert collective["args"]["kind"] == "all-reduce"
    assert {"link_down", "link_up"} <= {event["name"] for event in of(events, "i", "event")}
    assert any(event["ph"] == "C" and event["name"] == "fullest port, leaf-up" for event in events)


def test_what_is_missing_is_said(tmp_path):
    folder = run_job(tmp_path)
    events, said, _ = draw(folder)
    check_form(events)
    assert "Not in it: compute, and what each rank waited for: a run with --nodeTimes writes nodes.csv\n" in said
    assert not of(events, "X", "node") and of(events, "X", "collective")


def test_a_part_is_chosen(tmp_path):
    folder = run_job(tmp_path, "--nodeTimes")
    events, _, names = draw(folder, "--ranks=1,3")
    assert {names[event["pid"]] for event in of(events, "X", "node") + of(events, "X", "message")} == {"rank on host 1", "rank on host 3"}
    events, _, _ = draw(folder, "--to=10us")
    assert {event["name"] for event in of(events, "X", "node")} == {"forward"} and not of(events, "X", "message")
    events, _, _ = draw(folder, "--collective=0")
    assert {event["args"]["collective"] for event in of(events, "X", "message")} == {0}


def test_flows_have_a_timeline(tmp_path):
    call(tmp_path, *FABRIC, write_flows(tmp_path, HEADER + "0,0,2,100000\n500,1,3,100000\n"), "--out=out")
    events, said, names = draw(tmp_path / "out")
    check_form(events)
    assert "Not in it" not in said and [event["name"] for event in of(events, "X", "message")] == ["to host 2", "to host 3"]
    assert set(names.values()) >= {"rank on host 0", "rank on host 1"}


@pytest.mark.parametrize(
    "options, words",
    [
        ("nowhere", "nowhere: no results of a run there"),
        ("out --out=trace.txt", "a name that ends in .json is needed"),
        ("out --ranks=9", "--ranks: 9 is none of the hosts 0 to 3"),
        ("out --from=2us --to=1us", "--to: the window ends before it begins"),
        ("out --from=soon", "soon is not a time"),
        ("out --from=1e400s", "1e400s is not a time"),
        ("out --out=out/run.json", "--out=out/run.json: that file is there, and is no timeline"),
        ("out --out=pipe.json", "pipe.json: is not a regular file"),
        ("out --out=/proc/x.json", "/proc/x.json: "),
        ("cut", "cut/flows.csv: the last line has no end"),
    ],
)
def test_what_cannot_be_drawn_is_refused(tmp_path, options, words):
    call(tmp_path, *FABRIC, "--size=4KiB", "--out=out")
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut/run.json").write_text((tmp_path / "out/run.json").read_text())
    (tmp_path / "cut/flows.csv").write_text("flow,source\n0,1")
    run = script("timeline", *options.split(), cwd=tmp_path)
    assert run.returncode == 1 and run.stdout == "" and words in run.stderr and len(run.stderr.splitlines()) == 1, run
    assert run.stderr.startswith("timeline: ") and not list(tmp_path.rglob("timeline.json"))
    assert "results" in json.loads((tmp_path / "out/run.json").read_text())


# --- nodes.csv ------------------------------------------------------------------------------------


def test_nodes_of_an_iteration(tmp_path):
    """Each host has all nodes; compute takes its time; what waits begins when the last that it waits for has ended."""
    folder = run_job(tmp_path, "--nodeTimes")
    nodes = table(folder, "nodes")
    results = json.loads((folder / "run.json").read_text())["results"]
    assert max(float(node["end_ns"]) for node in nodes) == results["cct_ns"]
    by_host = defaultdict(dict)
    for node in nodes:
        by_host[int(node["host"])][node["name"], node["kind"]] = (float(node["start_ns"]), float(node["end_ns"]))
    for host, its in by_host.items():
        assert its["forward", "compute"] == (0, 20e3) and its["backward", "compute"] == (20e3, 50e3)
        assert its["sums", "collective"][0] == 20e3
        kinds = {0: ("hand over", "send"), 3: ("hand over", "receive")}
        assert set(its) == {("forward", "compute"), ("backward", "compute"), ("sums", "collective"), *filter(None, [kinds.get(host)])}
    [row] = table(folder, "collectives")
    parts = [its["sums", "collective"] for its in by_host.values()]
    assert (min(begin for begin, _ in parts), max(end for _, end in parts)) == (float(row["start_ns"]), float(row["end_ns"]))
    messages = {(node["kind"], node["host"], node["peer"], node["bytes"]) for node in nodes if node["peer"]}
    assert messages == {("send", "0", "3", "65536"), ("receive", "3", "0", "65536")}


def test_nodes_change_nothing_else(tmp_path):
    with_nodes = run_job(tmp_path, "--nodeTimes", "--threads=2")
    tables = {path.name: path.read_bytes() for path in with_nodes.glob("*.csv")}
    nodes = tables.pop("nodes.csv")
    without = run_job(tmp_path, "--threads=1")
    assert tables == {path.name: path.read_bytes() for path in without.glob("*.csv")}
    assert (run_job(tmp_path, "--nodeTimes") / "nodes.csv").read_bytes() == nodes


def test_nodes_of_streams_and_of_iterations(tmp_path):
    chakra = ROOT / "scenarios/chakra"
    run = call(tmp_path, "--topology=leaf-spine", "--leaves=2", "--hostsPerLeaf=4", f"--chakra={chakra}/layers",
               f"--chakraGroups={chakra}/groups.json", "--nodeTimes", "--out=out")
    if "protobuf" in run.stderr:
        pytest.skip("built without protobuf")
    assert run.returncode == 0, run.stderr
    assert {node["stream"] for node in table(tmp_path / "out", "nodes")} >= {"7", "20"}
    twice = table(run_job(tmp_path, "--nodeTimes", "--iterations=2"), "nodes")
    assert Counter(node["name"] for node in twice)["forward"] == 8
    begins = sorted({float(node["start_ns"]) for node in twice if node["name"] == "forward"})
    assert len(begins) == 2 and begins[0] == 0 < 50e3 < begins[1]


def test_nodes_need_an_iteration(tmp_path):
    assert "only with collectives and training iterations" in refusal(tmp_path, *FABRIC, "--nodeTimes")
