# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Fabrics of any shape, from files: their links, routes, bounds and failures, and what is refused with them."""

import json

import pytest
from harness import ROOT, SMALL, call, check_refusals, needs_program, refusal, rows, succeed

pytestmark = needs_program

HEADER = "kind,node,to,rate,delay,count\n"
PAIR = HEADER + "switch,a,,,,\nswitch,b,,,,\nhost,host-0,a,,,\nhost,host-1,b,,,\n"
CLOS = (
    HEADER
    + "switch,leaf-0..3,,,,\nswitch,spine-0..3,,,,\nhost,host-0..15,leaf-0..3,,,\nlink,leaf-0..3,spine-0..3,,,\n"
)
LEAF_SPINE = "--topology=leaf-spine --leaves=4 --spines=4 --hostsPerLeaf=4".split()
RING = f"--topology={ROOT / 'scenarios' / 'ring.csv'}"
TWO_SITES = f"--topology={ROOT / 'scenarios' / 'two-sites.toml'}"
SAME = [
    "--balancer=ecmp",
    "--balancer=jsq --workload=all-to-all",
    "--balancer=simple-rr",
    "--balancer=reps --recovery=sack",
    "--transport=spray --rateControl=nscc --admission=trimming",
    "--workload=all-reduce --size=1MiB",
    "--workload=incast --senders=7 --rho=0.8",
]


def write(folder, text, name="shape.csv"):
    (folder / name).write_text(text)
    return f"--topology={name}"


@pytest.mark.parametrize("options", SAME)
def test_a_clos_network_from_a_file_is_the_built_in_one(tmp_path, options):
    """The same routes and times to the picosecond; the bound of any shape leaves a proof out, so it is no higher."""
    results = succeed(tmp_path, *LEAF_SPINE, *options.split())["results"]
    flows = [row | {"flow": ""} for row in rows(tmp_path, "flows")]
    own = succeed(tmp_path, write(tmp_path, CLOS), *options.split())["results"]
    assert [row | {"flow": ""} for row in rows(tmp_path, "flows")] == flows
    for key in "cct_ns", "drops", "retransmissions", "packet_hops", "acks":
        assert own[key] == results[key], key
    assert 0.9 * results["completion_bound_ns"] < own["completion_bound_ns"] <= results["completion_bound_ns"]
    assert own["published_bound_ns"] is None and own["rho_max"] is None


def test_csv_and_toml_say_the_same(tmp_path):
    text = (ROOT / "scenarios" / "ring.csv").read_text()
    tables = []
    for line in text.splitlines():
        kind, *values = line.split(",")
        if kind in ("switch", "host", "link"):
            keys = zip(("node", "to", "rate", "delay", "count"), values)
            tables.append(f"[[{kind}]]\n" + "".join(f'{key} = "{value}"\n' for key, value in keys if value))
    found = []
    for topology in RING, write(tmp_path, "\n".join(tables), "ring.toml"):
        results = succeed(tmp_path, topology)["results"]
        found.append((results["cct_ns"], rows(tmp_path, "flows"), rows(tmp_path, "links")))
    assert found[0] == found[1]


def test_links_have_the_names_and_rates_of_the_file(tmp_path):
    summary = succeed(tmp_path, TWO_SITES, "--recovery=go-back-n")
    assert summary["scenario"]["hosts"] == 32 and summary["scenario"]["planes"] is None
    links = rows(tmp_path, "links")
    assert len(links) == 2 * (32 + 2 * 2 * 2 + 2 * 2 + 2)
    assert {row["layer"] for row in links} == {"host-up", "switch-up", "switch-down", "host-down"}
    assert "a-spine-0:4--b-spine-0:2" in {row["link"] for row in links}
    assert summary["results"]["completion_bound_ns"] > 1e6  # there and back
    assert {row["links"] for row in rows(tmp_path, "flows")} <= {"2", "4", "5"}


@pytest.mark.parametrize("fast, slow", [("100Gb/s", "25Gb/s"), ("400Gb/s", "400Gb/s")])
def test_one_message_takes_its_lower_bound(tmp_path, fast, slow):
    """Into a slower host, over a long link: what its bytes, hops and delays take, and nothing else."""
    text = HEADER + f"switch,a,,,,\nswitch,b,,,,\nhost,host-0,a,{fast},1us,\nhost,host-1,b,{slow},2us,\n"
    topology = write(tmp_path, text + "link,a,b,200Gb/s,30us,\n")
    (tmp_path / "flows.csv").write_text("start_ns,source,destination,bytes\n0,0,1,98304\n")
    results = succeed(tmp_path, topology, "--flows=flows.csv")["results"]
    assert 0 <= results["increase_percent"] < 0.05  # the first packet has a longer header


def test_the_bound_knows_slow_hosts_and_thin_sites(tmp_path):
    """16 hosts of 400 Gb/s that send to 16 of 100 Gb/s over 2 x 25 Gb/s."""
    thin = (ROOT / "scenarios" / "two-sites.toml").read_text().replace('"800Gb/s"\ndelay', '"25Gb/s"\ndelay')
    flows = "start_ns,source,destination,bytes\n" + "".join(f"0,{h},{h + 16},1000000\n" for h in range(16))
    (tmp_path / "flows.csv").write_text(flows)
    options = ["--flows=flows.csv", "--balancer=jsq", "--jitter=0", "--buffer=20MB"]
    wide = succeed(tmp_path, TWO_SITES, *options)["results"]
    assert wide["completion_bound_ns"] > 1e6 + 8e6 / 100
    assert wide["increase_percent"] < 20
    results = succeed(tmp_path, write(tmp_path, thin, "thin.toml"), *options)["results"]
    assert results["completion_bound_ns"] > 1e6 + 16 * 8e6 / 50
    assert 0 < results["increase_percent"] < 60


def test_routes_go_round_a_cut_link(tmp_path):
    """Four links between two neighbors of a ring the other way round; nothing by the dead one."""
    flow = "start_ns,source,destination,bytes\n0,0,4,1000000\n"
    (tmp_path / "flows.csv").write_text(flow)
    options = [RING, "--flows=flows.csv", "--recovery=sack", "--convergence=1us"]
    usual = succeed(tmp_path, *options)["results"]
    cut = succeed(tmp_path, *options, "--fail=ring-0--ring-1@0s")["results"]
    assert cut["drops"] == 0 and cut["cct_ns"] > usual["cct_ns"]
    used = {row["link"]: int(row["frames_delivered"]) for row in rows(tmp_path, "links")}
    assert used["ring-0:4--ring-1:4"] == 0 < used["ring-2:5--ring-3:4"]
    late = succeed(tmp_path, *options, "--fail=ring-0--ring-1@20us-60us")["results"]
    assert late["link_losses"] > 0 and late["retransmissions"] > 0


def test_hosts_may_stand_at_switches_in_any_order(tmp_path):
    """Hosts of a node at several switches, as in a rail-optimised fabric, and racks of unequal size."""
    text = HEADER + "switch,rail-0..1,,,,\nswitch,spine,,,,\nlink,rail-0..1,spine,,,2\nhost,host-8..10,rail-1,,,\n"
    text += "".join(f"host,host-{h},rail-{h % 2},,,\n" for h in range(8)) + "host,host-11,spine,,,\n"
    topology = write(tmp_path, text)
    for options in "--gpusPerNode=2 --size=1MiB", "--placement=fragmented --jobRanks=5", "--algorithm=ring":
        results = succeed(tmp_path, topology, "--workload=all-reduce", *options.split())["results"]
        assert results["failed_messages"] == 0
    assert refusal(tmp_path, topology, "--gpusPerNode=5").startswith("--gpusPerNode=5: a number that divides the 12 hosts")


NO_TIERS = "not in a fabric that has no tiers: "
REFUSED = {
    **{f"--balancer={name}": NO_TIERS for name in "ofan te path-pinning host-dr prime mrc".split()},
    "--transport=mrc": "--transport=mrc: not in a fabric that has no tiers: its entropy values",
    "--ns3::aifabric::EntropyBalancer::Forwarding=Direct --balancer=reps": NO_TIERS,
    "--upgrade=ofan": "--upgrade=ofan: " + NO_TIERS,
    "--steering=ethereal": NO_TIERS,
    "--forwarding=srv6": "--forwarding=srv6: another one for a fabric with switches that have no tiers",
    "--forwarding=stev": "--forwarding=stev: another one for a fabric with switches that have no tiers",
    "--acks=bypass": NO_TIERS,
    "--rho=max": NO_TIERS,
    "--ranks=2": "1 in a fabric that has no tiers",
    "--workload=all-reduce --algorithm=esa": NO_TIERS,
    "--gpusPerNode=2 --nodeMapping=rail": "rack in a fabric that has no tiers",
    "--planes=2": "--planes=2: only with --topology=fat-tree, leaf-spine or three-tier",
    "--k=4": "--k=4: only with --topology=fat-tree",
    "--hostsPerLeaf=2": "--hostsPerLeaf=2: only with --topology=leaf-spine, three-tier, torus or dragonfly",
}


def test_what_needs_tiers_is_refused(tmp_path):
    check_refusals(tmp_path, REFUSED, write(tmp_path, CLOS))


RATES = "a rate with its unit, of at least 1 Mb/s, at which a byte takes a whole number of picoseconds"
BAD = {
    "hub,x,,,,": "shape.csv:6: column kind: 'hub' is not switch, host or link",
    "link,a,c,,,": "shape.csv:6: column to: 'c' is not a switch that the file names before",
    "link,a,a..3,,,": "is not a range of at most 65536 names, such as leaf-0..3",
    "link,a,a,,,": "column to: 'a' is not another switch than the link begins at",
    "link,a,b,,,\nlink,b,a,,,": "shape.csv:7: column to: 'a' is not joined with it for the first time: parallel links",
    "link,a,b,7Gb/s,,": "column rate: '7Gb/s' is not " + RATES,
    "link,a,b,100,,": "column rate: '100' is not " + RATES,
    "link,a,b,,2s,": "column delay: '2s' is not a time with its unit (ps, ns, us, ms, s) of at most 1s",
    "link,a,b,,,0": "column count: '0' is not a whole number from 1 to 256",
    "link,host-0,b,,,": "column node: 'host-0' is not a switch that the file names before",
    "": "shape.csv: host-1 has no path to host-0",
    "host,host-1,a,,,": "column node: 'host-1' is not a host without a link: host-1 has one, and one port",
    "host,host-3,a,,,": "shape.csv: host-2 has no link; hosts are host-0 to host-3",
    "host,gpu,a,,,": "column node: 'gpu' is not a host, from host-0 to host-65535, or a range such as host-0..7",
    "host,host-2,a,,,2": "column count: '2' is not 1, or empty: a host has one port",
    "switch,a,,,,": "column node: 'a' is not a new name: a is taken",
    "switch,host-7,,,,": "column node: 'host-7' is not a name of letters",
    "switch,a--b,,,,": "column node: 'a--b' is not a name of letters",
    "switch,c,,1Gb/s,,": "column rate: '1Gb/s' is not allowed for a switch: leave it empty",
    "switch,c,,,,": "shape.csv: switch c has no link and no host, so no path crosses it",
    "switch,c,,,,\nlink,a,c,,,": "shape.csv: switch c has a single link and no host, so no path crosses it",
    "switch,c-0..62,,,,\nhost,host-2,c-62,,,\nlink,a,c-0,,,\nlink,a,b,,,\n"
    + "\n".join(f"link,c-{i},c-{i + 1},,," for i in range(62)): "links, from host-",
}


@pytest.mark.parametrize("text", BAD)
def test_bad_files_are_refused_in_one_line(tmp_path, text):
    said = refusal(tmp_path, write(tmp_path, PAIR + text + "\n"))
    assert said.startswith("--topology: shape.csv") and BAD[text] in said


BAD_TOML = {
    '[[link]]\nfrom = "a"': "shape.toml:6: 'from' is not a key of a link; keys are node, to, rate, delay, count",
    '[[link]]\nnode = "a"': "shape.toml:5: to is missing: the name of a node, or a range such as leaf-0..3",
    '[[link]]\nnode = "a"\nto = "x"': "shape.toml:7: to: 'x' is not a switch that the file names before",
    '[[link]]\nnode = "a"\nto = "b"\ncount = 0': "shape.toml:8: count: 0 is not a whole number of 1..256",
    '[[link]]\nnode = "a"\nto = "b"\nrate = 5': "shape.toml:8: rate: 5 is not a text in quotes",
    "[[cable]]": "'cable' is not a key of a topology; keys are title, switch, host, link",
}


@pytest.mark.parametrize("text", BAD_TOML)
def test_bad_tables_are_refused_in_one_line(tmp_path, text):
    begin = '[[switch]]\nnode = "a"\n[[switch]]\nnode = "b"\n'
    assert BAD_TOML[text] in refusal(tmp_path, write(tmp_path, begin + text + "\n", "shape.toml"))


def test_files_that_are_none_are_refused(tmp_path):
    (tmp_path / "folder.csv").mkdir()
    check_refusals(
        tmp_path,
        {
            "--topology=none.csv": "--topology: none.csv: cannot be read",
            "--topology=folder.csv": "--topology: folder.csv: cannot be read",
            "--topology=ring": "--topology=ring: one of fat-tree, leaf-spine, three-tier, torus, dragonfly, or a file .toml or .csv",
        },
    )


FAST = HEADER + "switch,a,,,,\nswitch,b,,,,\nhost,host-0..1,a,{host},{delay},\nhost,host-2..3,b,{host},{delay},\nlink,a,b,{link},{delay},\n"
UNUSED = {  # rates and delay that a file says of all links, and options that no link takes
    ("100Gb/s", "400Gb/s", "1us"): ["--nicRate=200Gb/s", "--rate=200Gb/s", "--fabricRate=200Gb/s", "--delay=1us"],
    ("100Gb/s", "", ""): ["--nicRate=200Gb/s", "--rate=200Gb/s --fabricRate=50Gb/s"],
    ("", "400Gb/s", ""): ["--fabricRate=200Gb/s"],
}


@pytest.mark.parametrize("said", UNUSED)
def test_what_no_link_of_a_file_takes_is_refused(tmp_path, said):
    host, link, delay = said
    file = write(tmp_path, FAST.format(host=host, link=link, delay=delay))
    for options in UNUSED[said]:
        name, equal, value = options.split()[0].partition("=")
        words = refusal(tmp_path, file, *options.split())
        assert words == f"{name}{equal}{value}: left out, as {file.partition('=')[2]} says it of each such link"
    for name in ({"nicRate", "rate"} if not host else set()) | ({"fabricRate", "rate"} if not link else set()) | ({"delay"} if not delay else set()):
        options = [file, f"--{name}={'1us' if name == 'delay' else '200Gb/s'}"]
        assert call(tmp_path, *options, "--check").returncode == 0


def test_links_of_a_file_are_listed(tmp_path):
    lines = call(tmp_path, RING, "--fail=help").stdout.splitlines()
    assert lines[0] == "# 20 links, with the numbers 0 to 19:" and lines[20] == "ring-3:5--ring-0:5"
    assert "# Switches: 4 of tier 0, ring-0 to ring-3, ports 0 to 5" in lines


NAMED = {  # shape: hosts, links of both directions, links of the longest path
    "--topology=torus": (16, 2 * (16 + 32), 6),
    "--topology=torus --lengths=4,3,2 --hostsPerLeaf=2": (48, 2 * (48 + 24 + 24 + 12), 6),
    "--topology=dragonfly": (72, 2 * (72 + 9 * 6 + 36), 5),
    "--topology=dragonfly --routers=2 --globalLinks=1 --hostsPerLeaf=3": (18, 2 * (18 + 3 + 3), 5),
}


@pytest.mark.parametrize("shape", NAMED)
def test_a_permutation_completes_in_a_named_shape(tmp_path, shape):
    hosts, links, longest = NAMED[shape]
    summary = succeed(tmp_path, *shape.split(), "--recovery=sack", "--size=64KiB")
    results = summary["results"]
    assert summary["scenario"]["hosts"] == hosts == results["messages"]
    assert results["failed_messages"] == 0 < results["completion_bound_ns"] <= results["cct_ns"]
    table = rows(tmp_path, "links")
    assert len(table) == links
    assert max(int(row["links"]) for row in rows(tmp_path, "flows")) <= longest
    delivered = sum(int(row["frames_delivered"]) for row in table)
    assert delivered == results["packet_hops"]


def rate_to_a_group(folder, *options):
    """Each host of a dragonfly (a = 4, h = 2, p = 2) sends to the second group after its own, to which no group has two
    links one behind the other. The rate of a host, of 1."""
    size, hosts = 2_000_000, 72
    flows = "".join(f"0,{host},{(host + 16) % hosts},{size}\n" for host in range(hosts))
    (folder / "flows.csv").write_text("start_ns,source,destination,bytes\n" + flows)
    results = succeed(folder, "--topology=dragonfly", "--flows=flows.csv", "--rate=100Gb/s", "--buffer=20MB", *options)["results"]
    assert results["failed_messages"] == 0 and results["drops"] == 0
    return size * 8 / 100 / results["cct_ns"]


def test_valiant_routes_share_the_links_of_all_groups(tmp_path):
    """Kim et al., ISCA 2008: 1 / (a h) of the rate by shortest paths. By a third of 9 groups a packet takes two links, and
    a group has 7 of its 8 links for either part of the way: 7/16, which headers and random queues do not quite reach."""
    minimal = rate_to_a_group(tmp_path, "--balancer=ecmp")
    flows = rate_to_a_group(tmp_path, "--balancer=ecmp", "--forwarding=valiant")
    packets = rate_to_a_group(tmp_path, "--balancer=host-random", "--forwarding=valiant")
    assert minimal == pytest.approx(1 / 8, rel=0.05)
    assert 1.2 * minimal < flows < packets
    assert 0.8 * 7 / 16 < packets <= 7 / 16


def test_valiant_routes_go_by_one_third_group(tmp_path):
    """Each packet takes two links between groups, by all third groups; within a group none. To the next group there are
    shortest paths by way of another one, which are one link longer."""
    (tmp_path / "flows.csv").write_text("start_ns,source,destination,bytes\n0,0,32,409600\n0,16,23,409600\n")
    succeed(tmp_path, *"--topology=dragonfly --flows=flows.csv --balancer=host-random --forwarding=valiant".split())
    between = []
    for row in rows(tmp_path, "links"):
        groups = [row[end].split("-")[1] for end in ("from", "to") if row[end].startswith("group-")]
        if len(set(groups)) == 2:
            between.append((*groups, int(row["frames_delivered"])))
    out = {to: frames for source, to, frames in between if source == "0" and frames}
    assert set(out) == set("1235678")
    assert 1 <= sum(frames for _, _, frames in between) / (2 * 2 * 100) < 1.3  # packets and acknowledgements


def test_valiant_routes_survive_cut_links(tmp_path):
    options = "--topology=dragonfly --balancer=host-random --forwarding=valiant --recovery=sack --failRate=0.1".split()
    for seed in range(1, 6):
        results = succeed(tmp_path, *options, "--size=64KiB", f"--RngRun={seed}")["results"]
        assert results["failed_messages"] == 0 and results["drops_by_reason"].get("ttl", 0) == 0


def test_valiant_routes_need_groups(tmp_path):
    groups = "another one for a fabric with less than three groups; a dragonfly has groups"
    for shape in "--k=4", "--topology=torus", "--topology=dragonfly --routers=1 --globalLinks=1":
        assert groups in refusal(tmp_path, *shape.split(), "--forwarding=valiant")


BAD_SHAPES = {
    "--topology=torus --lengths=x": "--lengths=x: whole numbers with commas between them, or auto",
    "--topology=torus --lengths=0,2": "--lengths=0,2: is not in 1..4096 switches in a dimension",
    "--topology=torus --lengths=100,100": "--lengths=100,100: gives 10000 switches (at most 4096)",
    "--topology=torus --lengths=64,64": "--lengths=64,64: gives 66 links on a path (at most 60)",
    "--topology=torus --lengths=1": "makes a fabric of less than 2 hosts",
    "--topology=torus --routers=2": "--routers=2: only with --topology=dragonfly",
    "--topology=torus --balancer=te": "--balancer=te: not in a fabric that has no tiers: ",
    "--topology=dragonfly --lengths=4": "--lengths=4: only with --topology=torus",
    "--topology=dragonfly --routers=100": "--routers=100: gives 20100 routers (at most 4096)",
    "--topology=dragonfly --hostsPerLeaf=300": "--hostsPerLeaf=300: is not in 1..256 hosts at a router",
}


def test_bad_shapes_are_refused(tmp_path):
    check_refusals(tmp_path, BAD_SHAPES)


SLOW_AND_FAST = HEADER + """switch,s,,,,
host,host-0,s,25Gb/s,,
host,host-1..3,s,400Gb/s,,
"""
MARKS = "markingThreshold", "markingCeiling"
INCAST = "start_ns,source,destination,bytes\n" + "".join(f"0,{source},0,8000000\n" for source in (1, 2, 3))


@pytest.mark.parametrize(
    "control, source",
    [
        ("dcqcn", "4 to 16 kB per Gb/s of a port: 100000 to 400000 at a port of 25Gb/s"),
        ("dctcp", "1/7 of the bandwidth-delay product of a port, at least two packets: 8192 at a port of 25Gb/s"),
    ],
)
def test_marks_follow_the_rate_of_each_port(tmp_path, control, source):
    """A port of 25 Gb/s has a sixteenth of the thresholds of one of 400 Gb/s, or two packets."""
    shape = write(tmp_path, SLOW_AND_FAST)
    run = call(tmp_path, shape, "--stack=roce", f"--rateControl={control}", "--buffer=10MB", "--out=out")
    assert f"({source}, for --rateControl={control})" in run.stdout, run.stdout
    scenario = json.loads((tmp_path / "out" / "run.json").read_text())["scenario"]
    equal = write(tmp_path, SLOW_AND_FAST.replace("25Gb/s", "400Gb/s"))
    alike = succeed(tmp_path, equal, "--stack=roce", f"--rateControl={control}", "--buffer=10MB")["scenario"]
    if control == "dcqcn":  # that of DCTCP has the round trip of the slow port
        assert [scenario[key] for key in MARKS] == [alike[key] for key in MARKS] == [1_600_000, 6_400_000]
    assert ":" not in alike["markingSource"]


def overload(folder, *options):
    """What comes of an incast to the slow host."""
    (folder / "flows.csv").write_text(INCAST)
    return succeed(folder, *options, "--flows=flows.csv", "--buffer=10MB")["results"]


def test_a_slow_port_marks_early(tmp_path):
    """DCQCN slows down by the queue of the slow port; with the thresholds of 400 Gb/s, PFC stops senders instead."""
    own = overload(tmp_path, write(tmp_path, SLOW_AND_FAST), "--stack=roce")
    red = "--ns3::aifabric::RedMarker::"
    same = f"{red}KMin=1600000", f"{red}KMax=6400000", f"{red}PMax=0.2"
    other = overload(tmp_path, "--topology=shape.csv", "--stack=roce", *same)
    assert own["cnps"] > 2 * other["cnps"] and 2 * own["pauses"] < other["pauses"]


def test_a_threshold_in_time(tmp_path):
    """32 us are 100 kB at 25 Gb/s: the same run as with so many bytes, where all marks are of that port."""
    marks = "--topology=shape.csv", "--stack=roce", "--rateControl=dctcp", "--marker=step"
    write(tmp_path, SLOW_AND_FAST)
    step = "--ns3::aifabric::StepMarker::Threshold"
    found = []
    for threshold in f"{step}=100000", f"{step}Time=32us", f"{step}=400000":
        overload(tmp_path, *marks, threshold)
        found.append(rows(tmp_path, "flows"))
    assert found[0] == found[1] != found[2]
    red = "--ns3::aifabric::RedMarker::"
    why = "RedMarker::KMaxTime is +1us: it must be at least KMinTime, +2us"
    assert why in refusal(tmp_path, "--k=4", "--marker=red", f"{red}KMinTime=2us", f"{red}KMaxTime=1us")


def test_thresholds_that_are_given(tmp_path):
    """One time alone leaves the other one within the buffer, as one number of bytes does; what is given is named so."""
    red = "--ns3::aifabric::RedMarker::"
    shape = *SMALL, "--rate=400Gb/s", "--stack=roce"
    found = []
    for options in [f"{red}KMin=100000"], [f"{red}KMinTime=2us"], [f"{red}KMaxTime=0us"], []:
        scenario = succeed(tmp_path, *shape, *options)["scenario"]
        found.append([scenario[name] for name in ("markingThreshold", "markingCeiling", "markingSource")])
    assert found[0] == found[1] and found[0][2] == "as given, for --rateControl=dcqcn"
    assert found[2] == found[3] and found[3][1] == found[0][1] and "as given" not in found[3][2]
    refused = {
        f"{red}KMinTime=2us {red}KMax=1": "RedMarker::KMax=1: not beside a threshold in time",
        "--ns3::aifabric::EcnMarker::LeastBytes=7": "LeastBytes=7: only with thresholds in time",
    }
    check_refusals(tmp_path, refused, *shape)


def test_markers_that_are_given_say_when_they_mark(tmp_path):
    """A time longer than the buffer of a port is seen at once."""
    step = "--marker=step", "--ns3::aifabric::StepMarker::"
    for options, bytes_of in (
        ([*step[:1], f"{step[1]}Threshold=50000"], "50000"),
        ([*step[:1], f"{step[1]}ThresholdTime=1ms"], "50000000"),
        (["--marker=red", "--ns3::aifabric::RedMarker::KMinTime=1us", "--ns3::aifabric::RedMarker::KMaxTime=2us"], "50000 to 100000"),
    ):
        shown = call(tmp_path, *SMALL, "--rate=400Gb/s", "--stack=roce", *options, "--out=out").stdout
        kind = options[0].removeprefix("--")
        assert f"\nmarks            in queues of more than {bytes_of} bytes (of --{kind})\n" in shown
    slow = "--fabricRate=100Gb/s", *step, "--balancer=reps"
    port = "12500 at a port of 100Gb/s"
    for marker, where in (slow[1:2], f"{port}, of --marker=step"), ([], f"as given, {port}, for --balancer=reps"):
        source = succeed(tmp_path, *SMALL, "--rate=400Gb/s", slow[0], slow[-1], *marker, f"{step[1]}ThresholdTime=1us")
        assert source["scenario"]["markingSource"] == where


def test_the_fastest_ports_are_named_beside_the_slowest(tmp_path):
    step = "--marker=step", "--ns3::aifabric::StepMarker::"
    shape = *SMALL, "--rate=100Gb/s", "--fabricRate=400Gb/s"
    scenario = succeed(tmp_path, *shape, step[0], f"{step[1]}ThresholdTime=4us")["scenario"]
    assert (scenario["markingThreshold"], scenario["markingCeiling"]) == (200000, 200000)
    assert scenario["markingSource"] == "50000 at a port of 100Gb/s, of --marker=step"
    scenario = succeed(tmp_path, *shape, "--stack=roce", "--buffer=20MB")["scenario"]
    assert (scenario["markingThreshold"], scenario["markingCeiling"]) == (1600000, 6400000)
    assert ": 400000 to 1600000 at a port of 100Gb/s" in scenario["markingSource"]
    bound = "--ns3::aifabric::EcnMarker::MostBytes=5000"
    assert "only with thresholds in time" in refusal(tmp_path, *SMALL, step[0], bound)


def test_a_torus_that_is_too_large(tmp_path):
    """All lengths count."""
    found = refusal(tmp_path, "--topology=torus", "--lengths=100,100,100")
    assert found == "--lengths=100,100,100: gives 1000000 switches (at most 4096)"
