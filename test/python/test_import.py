# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""./fabric import: fabrics and traffic from files of HPCC and htsim run as those that are built in."""

import random
import re
import shlex

import pytest
from harness import ROOT, call, needs_program, rows, script, scripts, succeed

pytestmark = needs_program

FAT_TREE = "--k=4 --rate=100Gb/s --delay=1us".split()
TOPO = (ROOT / "scenarios" / "leaf-spine.topo").read_text()
RELAY = (ROOT / "scenarios" / "relay.cm").read_text()
THREE_TIERS = """nodes 16
tiers 3
podsize 4
tier 0
downlink_speed_gbps 100
downlink_latency_ns 500
radix_down 2
radix_up 2
tier 1
downlink_speed_gbps 100
downlink_latency_ns 500
radix_down 2
radix_up 2
tier 2
downlink_speed_gbps 100
downlink_latency_ns 500
radix_down 4
"""
STAR = "4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 3 100Gbps 1us 0\n"
PAIR = "Nodes 4\nConnections 2\n0->1 id 1 start 0 size 9000\n2->3 id 2 start 0 size 9000\n"


def imported(folder, **files):
    """Writes files and imports them. Returns what is printed, and the options of each printed command."""
    for name, text in files.items():
        (folder / name).write_text(text)
    run = script("imports", *files, "--out=in", cwd=folder)
    assert run.returncode == 0, run.stderr
    commands = re.findall(r"^\./fabric run (.*)$", run.stdout, re.MULTILINE)
    return run.stdout, [shlex.split(command) for command in commands]


def line_of(run):
    """The line by which an import is refused."""
    assert run.returncode == 1 and run.stdout == "" and run.stderr.count("\n") == 1, run.stderr
    assert run.stderr.startswith("import: ")
    return run.stderr.removeprefix("import: ")


def refused(folder, **files):
    """The line by which an import is refused; it writes nothing."""
    for name, text in files.items():
        (folder / name).write_text(text)
    line = line_of(script("imports", *files, "--out=in", cwd=folder))
    assert not (folder / "in").exists()
    return line


def times(folder, *options):
    """What became of each message, in the order of the hosts."""
    succeed(folder, *options)
    return sorted(tuple(row.values())[1:] for row in rows(folder, "flows"))


def hpcc_fat_tree(folder):
    """The fat-tree of FAT_TREE in HPCC's format, with its links in the same order."""
    listed = call(folder, *FAT_TREE, "--fail=help").stdout
    links = re.findall(r"^(\S+):\d+--(\S+):\d+$", listed, re.MULTILINE)
    nodes = [f"host-{n}" for n in range(16)]
    nodes += dict.fromkeys(end for link in links for end in link if not end.startswith("host-"))
    switches = range(16, len(nodes))
    text = f"{len(nodes)} {len(switches)} {len(links)}\n{' '.join(map(str, switches))}\n"
    return text + "".join(f"{nodes.index(a)} {nodes.index(b)} 100Gbps 0.001ms 0.000000\n" for a, b in links)


@pytest.mark.parametrize("options", ["--balancer=ecmp", "--balancer=rsq", "--stack=roce", "--stack=uec"])
def test_a_fat_tree_of_hpcc_is_the_built_in_one(tmp_path, options):
    """Equal to the picosecond; the starts, in seconds, are counted from the first."""
    flows = [(n, (5 * n + 3) % 16, 100_000 + n, n * 1250) for n in range(16)]
    flows = [flow for flow in flows if flow[0] != flow[1]]
    text = f"{len(flows)}\n" + "".join(f"{a} {b} 3 100 {size} {2 + ps * 1e-12:.11f}\n" for a, b, size, ps in flows)
    said, [command] = imported(tmp_path, topology=hpcc_fat_tree(tmp_path), flow=text)
    assert "Note: starts are 2s earlier" in said
    table = "start_ns,source,destination,bytes\n" + "".join(f"{ps / 1000},{a},{b},{size}\n" for a, b, size, ps in flows)
    (tmp_path / "own.csv").write_text(table.replace(".25,", ".250,"))
    own = times(tmp_path, *FAT_TREE, "--flows=own.csv", *options.split())
    assert times(tmp_path, *command, *options.split()) == own


@pytest.mark.parametrize("text", [TOPO.replace("Bundle 2", "Bundle 1").replace("Radix_Up 4", "Radix_Up 2")
                                  .replace("Radix_Down 8", "Radix_Down 4").replace("Oversubscribed 1", "Oversubscribed 2")
                                  .replace("_ns 500", "_ns 1000"), THREE_TIERS], ids=["leaf-spine", "three-tier"])  # fmt: skip
def test_a_topology_of_htsim_is_the_built_in_one(tmp_path, text):
    """The second command that is printed makes the same fabric by options."""
    connections = "".join(f"{n}->{(5 * n + 3) % 16} start {1000 * n} size 200000\n" for n in range(16) if n not in (3, 7, 11, 15))
    _, commands = imported(tmp_path, topo=text, cm=f"Nodes 16\nConnections 12\n{connections}")
    assert commands[1][0] in ("--topology=leaf-spine", "--topology=three-tier")
    for options in "--balancer=ecmp", "--stack=uec":
        found, own = (times(tmp_path, *command, *options.split()) for command in commands)
        assert found == own


@pytest.mark.parametrize("step", [1, -1], ids=["in order", "backward"])
def test_triggers_are_dependencies(tmp_path, step):
    """A message starts when its host has received, or knows to have sent, those that it waits for."""
    lines = RELAY.splitlines()
    _, [command] = imported(tmp_path, topo=TOPO, cm="\n".join(lines[:5] + lines[5:][::step]))
    assert "--ns3::aifabric::FabricSwitch::Latency=300ns" in command
    succeed(tmp_path, *command)
    found = {(row["source"], row["destination"]): row for row in rows(tmp_path, "flows")}
    assert found["4", "8"]["start_ns"] == found["0", "4"]["received_ns"]
    assert found["1", "9"]["start_ns"] == "2000.000"
    ends = [float(found["1", host]["completed_ns"]) for host in "59"]
    assert float(found["1", "12"]["start_ns"]) == max(ends)


def test_error_rates_are_lossy_links(tmp_path):
    said, [command] = imported(tmp_path, topology=STAR.replace("0 3 100Gbps 1us 0", "3 0 100Gbps 1us 0.05"), cm=PAIR.replace("2->3", "2->1")
                               .replace("Nodes 4", "Nodes 3").replace("9000", "900000"))  # fmt: skip
    assert "--fail=host-0--switch-3%0.05@0s" in command and "Note" not in said
    assert succeed(tmp_path, *command, "--recovery=sack")["results"]["link_losses"] > 0
    assert {row["link"] for row in rows(tmp_path, "links") if int(row["frames_lost"])} == {"host-0:0--switch-3:0"}


def test_nodes_are_numbered_anew_where_switches_stand_among_them(tmp_path):
    text = "4 1 3\n1\n0 1 100Gbps 1us 0\n2 1 100Gbps 1us 0\n3 1 100Gbps 1us 0\n"
    said, [command] = imported(tmp_path, topology=text, flow="1\n3 2 3 100 5000 0\nand more\n\nsrc dst\n")
    assert "nodes 0 to 3 that are no switches are host-0 to host-2, in their order" in said
    assert "flow: 2 lines after the 1 flows that its first line counts are not read" in said
    assert [row[:2] for row in times(tmp_path, *command)] == [("2", "1")]


def test_priority_groups_are_classes(tmp_path):
    _, [command] = imported(tmp_path, topology=STAR, flow="2\n0 2 3 100 500000 0\n1 2 6 100 500000 0\n")
    assert [row[:2] for row in sorted(times(tmp_path, *command), key=lambda row: float(row[5]))] == [("1", "2"), ("0", "2")]
    assert {row["class"] for row in rows(tmp_path, "flows")} == {"3", "6"}


def test_parallel_links_are_a_count(tmp_path):
    text = "4 2 4\n2 3\n0 2 100Gbps 1us 0\n3 1 100Gbps 1us 0\n2 3 50Gbps 1us 0\n3 2 50Gbps 1us 0\n"
    _, [command] = imported(tmp_path, topology=text)
    assert "link,switch-2,switch-3,50Gb/s,1us,2" in (tmp_path / "in" / "topology.csv").read_text()
    assert succeed(tmp_path, *command)["results"]["messages"] == 2


def test_failures_latencies_and_queues_of_htsim(tmp_path):
    text = THREE_TIERS.replace("tier 1\n", "switch_latency_ns 100\ntier 1\nqueue_up 50000\n")
    matrix = "Nodes 16\nConnections 1\nFailures 1\n0->15 start 0 size 9000\nfailure switch_type AGG switch_id 3 link_id 1\n"
    _, commands = imported(tmp_path, topo=text, cm=matrix)
    [command] = commands
    assert command[1] == "--ns3::aifabric::FabricSwitch::Latency=100ns" and "--buffer=50000B" in command
    assert "--fail=agg-3:3@0s" in command and "agg-7=0ns" in command[2] and "core-3=0ns" in command[2]
    succeed(tmp_path, *command)
    assert "agg-3:3--core-3:1" in (tmp_path / "out" / "events.csv").read_text()


def test_traffic_alone_gets_a_fat_tree(tmp_path):
    said, [command] = imported(tmp_path, flow="2\n0 40 3 1 5000 0\n40 0 3 2 9000 0.5e-6\n")
    assert command[0] == "--k=6" and "--queuePairPerFlow" in command and "a fat-tree of 54 hosts" in said
    assert [row[3] for row in times(tmp_path, *command)] == ["0.000", "500.000"]


def test_messages_of_a_flow_share_its_queue_pair(tmp_path):
    _, [command] = imported(tmp_path, cm=PAIR.replace("2->3 id 2", "0->1 id 1 msg 2"))
    assert "--queuePairPerFlow" not in command


BAD = {  # file: text, and words of the line
    "topology": {
        STAR.replace("4 1 3", "4 1 4"): "topology: ends before link 4 of 4",
        STAR.replace("100Gbps", "100", 1): "topology:3: rate: '100' is not a rate with its unit, such as 100Gbps",
        STAR.replace("1us", "1", 1): "topology:3: delay: '1' is not a time in whole ps with its unit, such as 1us",
        STAR.replace("1us 0", "1us 2", 1): "topology:3: error rate: '2' is not a share from 0 to 1",
        STAR.replace("2 3 ", "1 3 "): "topology:5: link 3 of 3: node 1 has a second link; a host has one",
        STAR.replace("2 3 ", "2 1 "): "topology:5: link 3 of 3: joins two hosts; one end has to be a switch",
        STAR.replace("2 3 ", "3 3 "): "topology:5: link 3 of 3: parallel links are alike, and a link joins two nodes",
        STAR.replace("2 3 ", "2 4 "): "topology:5: node: '4' is not a whole number from 0 to 3",
        STAR.replace("4 1 3", "5 1 3"): "topology:1: node 4 has no link, and a host needs one",
        "2 1 1\n1\n0 1 1Gbps 1us 0\n": "topology:1: nodes: '2' is not 2 to 65536 hosts beside 1 switches",
        "hello": "topology: is none of HPCC's topology or flow file, or htsim's .topo or .cm",
        "": "topology: is none of HPCC's",
    },
    "flow": {
        "2\n0 1 3 1 5 0\n": "flow: ends before flow 2 of 2",
        "1\n0 0 3 1 5 0\n": "flow:2: destination: '0' is not another host than the source",
        "1\n0 1 9 1 5 0\n": "flow:2: priority group: '9' is not a whole number from 0 to 7",
        "1\n0 1 3 1 5 -1\n": "flow:2: start: '-1' is not a number of at least 0",
        "1\n0 1 3 1 5 2000\n": "flow:2: start: '2000' is not a time of at most 1000 s",
    },
    "topo": {
        TOPO.replace("Radix_Down 8", "Radix_Down 6"): "topo:16: radix_down: '6' is not 8, the links to 4 below",
        TOPO.replace("Oversubscribed 1", "Oversubscribed 4"): "topo:12: oversubscribed: '4' is not 1, the rate down over the rate up",
        TOPO.replace("Oversubscribed 1\n", "").replace("Radix_Up 4", "Radix_Up 2"): "topo: tier 0: oversubscribed is not given, and has to be 2",
        TOPO.replace("Bundle 2", "Bundle 3"): "topo:9: radix_up: '4' is not a multiple of the bundle of 3 above",
        TOPO.replace("Podsize 16", "Podsize 8"): "topo:4: podsize: '8' is not 16, as 2 tiers have one pod",
        TOPO.replace("Radix_Up 4", "Radix_up 4\nradix_up 4"): "topo:10: radix_up: stands once in tier 0, with one value",
        TOPO.replace("Radix_Up", "Uplinks"): "topo:9: 'Uplinks' is not a key of tier 0; keys are downlink_speed_gbps",
        TOPO.replace("Tier 1", "Tier 2"): "topo:14: tier: '2' is not 1, the next one",
        TOPO.replace("Tiers 2", "Tiers 3"): "topo:3: tiers: '3' is not 2, the number of tiers that follow",
        TOPO.replace("Downlink_Latency_ns 1000", ""): "topo: tier 1 has no downlink_latency_ns",
    },
    "cm": {
        PAIR.replace("2->3", "2->4"): "cm:4: connection: '2->4' is not two different nodes (0..3), such as 0->1",
        PAIR.replace("9000", "0", 1): "cm:3: size: '0' is not at least 1 byte: one of 0 sends without end",
        PAIR.replace(" 2\n", " 3\n", 1): "cm:2: Connections: '3' is not the number of those that follow, 2",
        PAIR.replace("start 0 ", "", 1): "cm:3: a connection has a size, and either a start or a trigger",
        PAIR.replace("start 0", "trigger 7", 1): "cm:3: trigger 7 has no line of its own",
        PAIR.replace("start 0", "addon", 1): "cm:3: 'addon' is not one of id, start, trigger",
        RELAY.replace("0->4 ", "3->5 "): "cm:7: trigger 1: node 4 sends when node 5 is done; a host knows of its own messages only",
        RELAY.replace("count 2", "count 3"): "cm:12: trigger 2: barrier that 2 connections activate: it has to be 3",
        RELAY.replace("1 oneshot", "1"): "cm:11: a trigger has an id and a kind: oneshot, multishot, barrier",
        RELAY.replace("id 2 barrier count 2", "id 2 barrier"): "cm:12: a barrier has a count",
        RELAY.replace("0->4 id 1 start 0", "4->8 id 1 trigger 1").replace("recv_done", "send_done"): "waits for itself, by way of triggers",
        PAIR + "failure switch_type AGG switch_id 0 link_id 0": "cm:5: a failure needs a .topo file of 3 tiers beside this one",
        PAIR + "hello": "cm:5: 'hello' is not Nodes, Connections, Triggers, Failures, SOURCE->DESTINATION, trigger or failure",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused_in_one_line(tmp_path, name):
    for number, text in enumerate(BAD[name]):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / name).write_text(text)
    runs = scripts("imports", *((f"{number}/{name}", "--out=in") for number in range(len(BAD[name]))), cwd=tmp_path)
    for run, words in zip(runs, BAD[name].values(), strict=True):
        assert words in line_of(run)
    assert not (tmp_path / "in").exists()


def test_files_that_do_not_fit_each_other_are_refused(tmp_path):
    assert "the traffic has 4 nodes, and the fabric has 3" in refused(tmp_path, topology=STAR, cm=PAIR)
    assert "flow:2: destination: '3' is not a host of the fabric" in refused(tmp_path, topology=STAR, flow="1\n0 3 3 1 5 0\n")
    assert "cm: is a second file of traffic" in refused(tmp_path, flow="1\n0 1 3 1 5 0\n", cm=PAIR)
    run = script("imports", "none.cm", cwd=tmp_path)
    assert run.returncode == 1 and run.stderr == "import: none.cm: No such file or directory\n"


def test_what_is_refused_is_said_in_one_line_whatever_a_file_has(tmp_path):
    """Words are changed at random; a file is read, or refused without a traceback."""
    draw = random.Random(1)
    words = ["0", "-1", "99999999999", "1e9", "->", "0->1", "tier", "trigger", "failure", "Nodes", "barrier", "id", "count", "\x1b[1m", "#"]
    texts = []
    for _ in range(150):
        parts = re.split(r"(\s+)", draw.choice([STAR, TOPO, THREE_TIERS, RELAY, PAIR, "2\n0 1 3 1 5 0\n1 0 3 1 5 0\n"]))
        parts[draw.randrange(len(parts) // 2) * 2] = draw.choice(words)
        texts.append("".join(parts))
    for number, text in enumerate(texts):
        (tmp_path / f"file{number}").write_text(text)
    runs = scripts("imports", *((f"file{number}", f"--out=in{number}") for number in range(150)), cwd=tmp_path)
    for run, text in zip(runs, texts, strict=True):
        assert run.returncode in (0, 1) and run.stderr.count("\n") == run.returncode, (run.stderr, text)
    assert 50 < sum(run.returncode for run in runs) < 150
