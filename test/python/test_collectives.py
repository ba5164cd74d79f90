# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Collectives and training iterations of ai-fabric-run: options, files, and numbers."""

import json
import math
import os
import re
import signal

import pytest
from chakra_traces import ALL_REDUCE, ALL_TO_ALL, COLLECTIVE, COMPUTE, MEMORY, RECEIVE, SEND, field, trace
from chakra_traces import node as chakra_node
from harness import HEADER, ROOT, TABLES, call, check_blame, needs_program, refusal, rows, start, stderr_lines
from harness import succeed, write_flows

pytestmark = needs_program

SMALL = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=2"
NEW_TABLES = {
    "collectives.csv": "collective,name,kind,algorithm,ranks,bytes,start_ns,end_ns,duration_ns,"
    "bound_ns,bus_bandwidth_gbps,messages,protocol",
    "steps.csv": "collective,step,first_start_ns,last_received_ns,messages,bytes",
    "flows.csv": TABLES["flows.csv"] + ",collective,slice,step",
}
KINDS = {
    "all-reduce": ["direct", "ring", "recursive-doubling", "halving-doubling", "double-binary-tree"],
    "all-gather": ["direct", "ring", "recursive-doubling", "halving-doubling", "pat"],
    "reduce-scatter": ["direct", "ring", "halving-doubling", "pat"],
    "broadcast": ["direct", "ring", "double-binary-tree"],
    "send-receive": ["direct"],
    "all-to-all": ["direct"],
    "reduce": ["direct", "ring", "double-binary-tree"],
    "gather": ["direct"],
    "scatter": ["direct"],
    "sendrecv": ["direct"],
}


def write_training(folder, *steps, name="t.toml", top=""):
    """A file with one phase, whose steps stand on the lines from 3 on."""
    lines = [f"{top}phase = [{{ steps = [", *[f"{step}," for step in steps], "] }]"]
    (folder / name).write_text("\n" + "\n".join(lines) + "\n")
    return f"--training={name}"


def all_reduce(number, after=(), size=100000, **more):
    """A node of a trace."""
    return chakra_node(number, COLLECTIVE, after, comm_type=ALL_REDUCE, comm_size=size, **more)


def write_trace(folder, rank, nodes):
    (folder / f"trace.{rank}.et").write_bytes(trace(nodes))
    return "--chakra=trace"


def write_chakra(folder, ranks, nodes):
    """Traces in which all ranks do the same."""
    for rank in range(ranks):
        write_trace(folder, rank, nodes)
    return "--chakra=trace"


# --- The sample in scenarios/ ---------------------------------------------------------------------

SAMPLE = ROOT / "scenarios/chakra"
LAYERS, TENSOR, GRADIENTS = 4, 2 << 20, 4 << 20  # bytes of an all-reduce


def sample_trace(rank):
    """Layers whose halves are at ranks 2 i and 2 i + 1; there are 4 such pairs, with data of their own."""
    nodes = []

    def add(kind, after, duration=0, name="", **attributes):
        nodes.append(chakra_node(len(nodes), kind, after, duration, name.encode(), is_cpu_op=False, **attributes))
        return len(nodes) - 1

    def reduce(name, group, after, size, stream):
        made = dict(comm_type=ALL_REDUCE, comm_size=size, pg_name=group.encode(), stream=stream)
        return add(COLLECTIVE, after, name=name, **made)

    last, gradients = [], []
    for name, microseconds in (("forward", 50), ("backward", 100)):
        for layer in range(LAYERS):
            kernel = add(COMPUTE, last, microseconds, f"{name} {layer}", stream=7)
            if name == "backward":
                gradients.append(reduce(f"gradients {layer}", f"data-{rank % 2}", [kernel], GRADIENTS, 20))
            last = [reduce(f"{name} sums {layer}", f"tensor-{rank // 2}", [kernel], TENSOR, 7)]
    add(COMPUTE, [*last, *gradients], 20, "update", stream=7)
    return trace(nodes)


def test_the_sample_is_what_is_written_here():
    """AI_FABRIC_WRITE_OUTPUT=1 writes it anew."""
    groups = {f"tensor-{pair}": [2 * pair, 2 * pair + 1] for pair in range(4)}
    groups.update({f"data-{half}": [half, 2 + half, 4 + half, 6 + half] for half in range(2)})
    files = {f"layers.{rank}.et": sample_trace(rank) for rank in range(8)}
    files["groups.json"] = (json.dumps(groups, indent=4) + "\n").encode()
    if os.environ.get("AI_FABRIC_WRITE_OUTPUT") == "1":
        for name, content in files.items():
            (SAMPLE / name).write_bytes(content)
    assert {path.name: path.read_bytes() for path in SAMPLE.iterdir()} == files


def test_the_sample_sends_what_its_sums_need(tmp_path):
    """A ring of n ranks sends 2 (n - 1) / n of the data of each rank. Tensor sums are waited for, and no others."""
    sample = f"--chakra={SAMPLE}/layers", f"--chakraGroups={SAMPLE}/groups.json"
    fabric = "--topology=leaf-spine --leaves=2 --spines=4 --hostsPerLeaf=4"
    results = succeed(tmp_path, *fabric.split(), *sample, "--balancer=rsq")["results"]
    assert results["message_bytes"] == 8 * (2 * LAYERS * TENSOR + LAYERS * GRADIENTS * 3 // 2)
    kernels_ns = 1000 * (LAYERS * 150 + 20)
    assert results["collectives"]["compute_bound_ns"] == kernels_ns
    sums_ns = 8e9 * (2 * LAYERS * TENSOR + GRADIENTS * 1.5) / 800e9  # of the gradients the last ones
    assert kernels_ns + sums_ns < results["cct_ns"] < 1.15 * (kernels_ns + sums_ns)


# --- Bad input ------------------------------------------------------------------------------------

BAD = {  # options of workloads, with bars between them
    "--workload=all-reduce": "--algorithm=best | --algorithm= | --channels=0 | --channels=1025 | --channels=two | --repeat=0 | "
    "--repeat=-1 | --repeat=1000001 | --size=0 | --size=-1 | --size=1.5B | --size=0.333333333333GiB | "
    "--size=2TiB | --root=1 | --jitter=1us | --senders=2 | --flows=flows.csv | --training=t.toml | "
    "--chakra=trace | --chakraControl=follow | --ranks=2 | --rho=max | --steering=best | "
    "--steering=ethereal --balancer=rsq | --placement=map.txt | --placement=. | --communicators=groups.txt | "
    "--communicators=0 | --communicators=-2 | --communicators=65 | --communicators=3 | --communicators=1.5 | "
    "--ns3::aifabric::DoubleBinaryTreeAlgorithm::Trees=1",
    "--workload=send-receive": "--algorithm=ring",
    "--workload=broadcast": "--algorithm=halving-doubling | --root=128 | --root=-1 | --chunks=0 | --chunks=65537 | --chunks=many | "
    "--chunks=2 --ns3::aifabric::CollectiveAlgorithm::Chunks=2 | --communicators=4 --root=32",
    "--workload=reduce-scatter": "--algorithm=recursive-doubling",
    "": "--k=8 --workload=all-reduce --repeat=1000000 | --workload=training | --workload=chakra | "
    "--training=t.toml --chakra=trace | --training=t.toml --goal=s.goal | --goal=missing | --goal=. | "
    "--workload=goal | --training=missing.toml | --training=. | --chakra=missing | "
    "--chakraGroups=g.json | --training=t.toml --peakPerf=1TFLOPS | --chakra=missing --chakraControl=perhaps | "
    "--chakra=missing --chakraStreams=some | --chakra=missing --chakraGroups=missing | "
    "--chakra=missing --peakPerf=0 | --chakra=missing --peakPerf=1e14XFLOPS | "
    "--chakra=missing --peakPerf=many | --chakra=missing --memoryBandwidth=2TB | --workload=gathers",
    "--workload=all-gather": "--root=1",
    "--workload=permutation": "--algorithm=ring | --channels=2 | --root=1 | --chunks=2 | --size=2TiB | --placement=map.txt | "
    "--communicators=2 | --ns3::aifabric::CollectiveAlgorithm::Chunks=2",
    "--workload=all-to-all": "--repeat=0 | --algorithm=ring | --algorithm=direct --jitter=1us | --algorithm=direct --rho=max | "
    "--root=1",
    "--workload=sendrecv": "--root=1",
    "--workload=gather": "--algorithm=ring",
    "--workload=scatter": "--root=128",
}


def test_bad_option(tmp_path):
    rows = [f"{workload} {options}" for workload, many in BAD.items() for options in many.split(" | ")]
    check_blame(tmp_path, rows, also=["--algorithm"])


COLLECTIVES, PLACED = "only with collectives", "only with collectives, --workload=chakra and --workload=goal"
ROOTED = "only with broadcast, send-receive, reduce, gather, scatter"
UNITS = "above 0 and at most 1e18, with k, M, G, T, P or E and"
ALLOWED = {
    "--chunks=0 --workload=broadcast": "a whole number from 1 to 65536, or auto",
    "--channels=x --workload=broadcast": "a whole number from 1 to 1024, or auto",
    "--communicators=3 --workload=all-reduce": "a whole number from 1 to 64 that divides the 128 ranks, a file, or auto",
    "--repeat=2 --workload=permutation": COLLECTIVES,
    "--repeat=2 --training=t.toml": COLLECTIVES,
    "--communicators=2 --chakra=t": COLLECTIVES,
    "--communicators=2 --workload=incast": COLLECTIVES,
    "--placement=m --training=t.toml": PLACED,
    "--placement=m --workload=permutation": PLACED,
    "--algorithm=ring --workload=permutation": "only with collectives and training iterations",
    **{f"--root=1 {traffic}": ROOTED for traffic in ("--workload=permutation", "--chakra=t", "--workload=all-reduce")},
    "--peakPerf=0 --chakra=t": f"operations a second, {UNITS} FLOPS, FLOP/s or op/s, such as 312TFLOPS; or none",
    "--memoryBandwidth=2TB --chakra=t": f"bytes a second, {UNITS} B/s, such as 2TB/s, or bits, such as 8Tb/s; or none",
}


def test_refusals_say_what_is_allowed(tmp_path):
    for options, allowed in ALLOWED.items():
        assert refusal(tmp_path, "--k=8", *options.split(), "--check") == f"{options.split()[0]}: {allowed}"


def test_attributes_of_algorithms_that_take_part(tmp_path):
    """Of the one that all have, of the one that is chosen, and of one that a step of a file names."""
    collective, tree = "--ns3::aifabric::CollectiveAlgorithm::", "DoubleBinaryTreeAlgorithm::"
    reduce = *SMALL, "--workload=all-reduce", "--size=1MB"

    def messages(*options):
        return succeed(tmp_path, *options)["results"]["messages"]

    assert messages(*reduce, f"{collective}Chunks=4") == 4 * messages(*reduce)
    by_tree = *reduce, "--algorithm=double-binary-tree"
    two = messages(*by_tree, "--chunks=1")
    one = messages(*by_tree, "--chunks=1", f"--ns3::aifabric::{tree}Trees=1")
    assert two == 2 * one
    assert messages(*by_tree, f"{collective}Chunks=4") == 4 * two
    step = '{ collective = "all-reduce", bytes = 1000000, algorithm = "double-binary-tree" }'
    option = write_training(tmp_path, step)
    assert messages(*SMALL, option, "--chunks=1", f"--ns3::aifabric::{tree}Trees=1") == one
    ring = call(tmp_path, *reduce, f"--ns3::aifabric::{tree}Trees=1")
    assert ring.returncode == 1 and "has no effect" in ring.stderr


BAD_STEPS = {
    '{ collective = "all-reduce", bytes = "2TiB" }': ":3: bytes: ",
    '{ collective = "sum", bytes = 1 }': ":3: collective: ",
    '{ collective = "all-reduce", bytes = 1, algorithm = "rings" }': ":3: algorithm: 'rings'",
    '{ collective = "broadcast", bytes = 1, root = 4 }': ":3: root: ",
    '{ collective = "all-reduce", bytes = 1, on = "me" }': ":3: on: ",
    '{ collective = "send-receive", bytes = 1, algorithm = "ring" }': ":3: algorithm: ring does not do send-receive; a step may have an algorithm of its own: direct",
    "{ from = 0, to = 4, bytes = 1 }": ":3: to: ",
    '{ compute = "1us", after = ["later"] }': ":3: after: ",
    '{ collective = "all-to-all", parts = [1, 2] }': ":3: parts: are not of the 4 ranks",
    '{ collective = "all-to-all", bytes = 8, skew = "hot" }': ":3: skew: 'hot' is not hot:FACTOR",
    "{ = 1 }": ":3: ",
    "{": ":",
}


def test_bad_training_file(tmp_path):
    for step, why in BAD_STEPS.items():
        said = refusal(tmp_path, *SMALL, write_training(tmp_path, step))
        assert said.startswith("--training") and why in said, step


def test_bad_chakra_traces(tmp_path):
    reduce = all_reduce(1, size=1000)
    circle = [chakra_node(i, COMPUTE, [1 - i], 1) for i in range(2)]
    for ranks, nodes, why in [
        (5, [reduce], "trace.4.et"),  # there are 4 hosts
        (4, circle, "each other"),
        (4, [chakra_node(1, COMPUTE, [9], 1)], "node 9"),
        (4, [b"\xff"], "trace.0.et"),
    ]:
        option = write_chakra(tmp_path, ranks, nodes)
        before = sorted(tmp_path.rglob("*"))
        said = refusal(tmp_path, *SMALL, option)
        assert said.startswith("--chakra: ") and why in said, said
        for path in before:
            path.unlink()


def test_lists_and_help(tmp_path):
    algorithms = call(tmp_path, "--algorithm=help").stdout
    of_hosts = sorted([*KINDS["all-reduce"], "node-ring", "node-tree", "nvls", "nvls-tree", "pat", "two-level"])
    assert re.findall(r"^\S+", algorithms, re.MULTILINE) == [*of_hosts, "nccl", "atp", "esa", "switchml"]
    protocols = call(tmp_path, "--protocol=help").stdout
    assert re.findall(r"^\S+", protocols, re.MULTILINE) == ["ll", "ll128", "simple", "none", "nccl"]
    assert "RingNetwork [14us]" in protocols
    assert "Chunks [1]" in algorithms and "Order [NearestFirst]" in algorithms
    assert "ethereal" in call(tmp_path, "--steering=help").stdout
    usage = call(tmp_path, "--PrintHelp").stdout
    for option in "algorithm channels repeat root training chakra steering".split():
        assert f"--{option}:" in usage


# --- What a run leaves ----------------------------------------------------------------------------


def check_tables(folder, summary):
    """The tables have their columns, and agree with each other and with run.json."""
    for name, header in NEW_TABLES.items():
        assert (folder / "out" / name).read_text().split("\n")[0] == header
        assert name in summary["files"]
    collectives, steps = rows(folder, "collectives"), rows(folder, "steps")
    flows = rows(folder, "flows")
    for index, row in enumerate(collectives):
        assert row["collective"] == str(index)
        mine = [flow for flow in flows if flow["collective"] == str(index)]
        assert int(row["messages"]) == len(mine)
        assert float(row["start_ns"]) <= min(float(flow["start_ns"]) for flow in mine)
        assert row["end_ns"] == max((flow["completed_ns"] for flow in mine), key=float)
        duration = float(row["end_ns"]) - float(row["start_ns"])
        assert float(row["duration_ns"]) == pytest.approx(duration, abs=1e-3)
        assert duration >= float(row["bound_ns"]) > 0
        of = {step["step"]: step for step in steps if step["collective"] == str(index)}
        assert set(of) == {flow["step"] for flow in mine}
        for name, step in of.items():
            part = [flow for flow in mine if flow["step"] == name]
            assert int(step["messages"]) == len(part)
            assert int(step["bytes"]) == sum(int(flow["bytes"]) for flow in part)
            assert step["first_start_ns"] == min((f["start_ns"] for f in part), key=float)
            assert step["last_received_ns"] == max((f["received_ns"] for f in part), key=float)
        bandwidth = int(row["bytes"]) * 8 * bus_factor(row["kind"], int(row["ranks"])) / duration
        assert float(row["bus_bandwidth_gbps"]) == pytest.approx(bandwidth, rel=1e-6)
    results = summary["results"]["collectives"]
    durations = [float(row["duration_ns"]) for row in collectives]
    bandwidths = [float(row["bus_bandwidth_gbps"]) for row in collectives]
    assert results["count"] == len(collectives)
    last = max(float(flow["completed_ns"]) for flow in flows)
    assert results["iteration_ns"] >= last - 1e-3
    assert results["sum_of_times_ns"] == pytest.approx(sum(durations))
    assert results["longest_time_ns"] == pytest.approx(max(durations, default=0))
    bounds = sum(float(row["bound_ns"]) for row in collectives)
    assert results["sum_of_bounds_ns"] == pytest.approx(bounds)
    mean = sum(bandwidths) / max(1, len(bandwidths))
    assert results["mean_bus_bandwidth_gbps"] == pytest.approx(mean)
    assert summary["results"]["messages"] == len(flows)


def bus_factor(kind, ranks):
    """https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md"""
    if kind == "all-reduce":
        return 2 * (ranks - 1) / ranks
    has_parts = kind in ("all-gather", "reduce-scatter", "all-to-all", "gather", "scatter")
    return (ranks - 1) / ranks if has_parts else 1


@pytest.mark.parametrize("kind", KINDS)
def test_collectives(tmp_path, kind):
    for algorithm in KINDS[kind]:
        size = 25000 if kind == "all-to-all" else 100001  # an all-to-all has it for each of 4 ranks
        options = f"--workload={kind}", f"--algorithm={algorithm}", f"--size={size}"
        summary = succeed(tmp_path, *SMALL, *options, "--channels=2", "--repeat=2")
        check_tables(tmp_path, summary)
        assert summary["scenario"]["algorithm"] == algorithm
        assert summary["scenario"]["channels"] == 2 and summary["scenario"]["repeat"] == 2
        for row in rows(tmp_path, "collectives"):
            assert row["kind"] == kind and row["algorithm"] == algorithm
            assert row["ranks"] == "4" and row["bytes"] == ("100000" if kind == "all-to-all" else "100001")
        first, second = rows(tmp_path, "collectives")
        assert float(second["start_ns"]) <= float(first["end_ns"]) <= float(second["end_ns"])


def test_what_ring_does_not_do_is_direct(tmp_path):
    """Unless an algorithm is given; all others remain ring, also in traces, which name none."""
    summary = succeed(tmp_path, *SMALL, "--workload=send-receive", "--size=1kB")
    assert summary["scenario"]["algorithm"] == "direct"
    kinds = "all-to-all", "all-reduce", "send-receive"
    steps = [f'{{ collective = "{kind}", bytes = 1000 }}' for kind in kinds]
    training = write_training(tmp_path, *steps)
    nodes = [
        chakra_node(number, COLLECTIVE, comm_type=kind, comm_size=1000)
        for number, kind in enumerate([ALL_TO_ALL, ALL_REDUCE])
    ]
    chakra = write_chakra(tmp_path, 4, nodes)
    own = "--algorithm=ring does not do all-to-all; a step may have an algorithm of its own: direct"
    for option, count, why in ((training, 3, own), (chakra, 2, "RingAlgorithm does not do all-to-all")):
        summary = succeed(tmp_path, *SMALL, option)
        assert summary["scenario"]["algorithm"] == "ring"
        found = {row["kind"]: row["algorithm"] for row in rows(tmp_path, "collectives")}
        expected = {"all-to-all": "direct", "all-reduce": "ring", "send-receive": "direct"}
        assert found == {kind: expected[kind] for kind in kinds[:count]}
        assert why in refusal(tmp_path, *SMALL, option, "--algorithm=ring")


@pytest.mark.parametrize("kind", ["broadcast", "send-receive", "scatter", "reduce", "gather"])
def test_root(tmp_path, kind):
    summary = succeed(tmp_path, *SMALL, f"--workload={kind}", "--algorithm=direct", "--root=3")
    assert summary["scenario"]["root"] == 3
    pairs = {(flow["source"], flow["destination"]) for flow in rows(tmp_path, "flows")}
    sent = {("3", other) for other in ("0" if kind == "send-receive" else "012")}
    assert pairs == ({pair[::-1] for pair in sent} if kind in ("reduce", "gather") else sent)


def test_sizes_and_bandwidths_of_nccl_tests(tmp_path):
    """A vector of each rank, or parts of all ranks together; on an ideal link nothing is lost."""
    size = 32 * 1024 * 1024
    for kind in ("all-to-all", "reduce", "gather", "scatter", "sendrecv"):
        given = size // 4 if kind == "all-to-all" else size  # to each of 4 ranks
        options = f"--workload={kind}", "--algorithm=direct", f"--size={given}", "--balancer=rsq"
        succeed(tmp_path, *SMALL, *options)
        [row] = rows(tmp_path, "collectives")
        lengths = {int(flow["bytes"]) for flow in rows(tmp_path, "flows")}
        assert lengths == {size if kind in ("reduce", "sendrecv") else size // 4}
        # links of 800 Gb/s; the root of a reduce gets three vectors, one after the other
        share = 3 if kind == "reduce" else 1
        assert 0.9 * 800 < share * float(row["bus_bandwidth_gbps"]) < 800


def test_all_to_all_has_one_size(tmp_path):
    """The bytes from each rank to each other; options with their usual values change nothing."""
    workload = *SMALL, "--workload=all-to-all"
    flows = succeed(tmp_path, *workload)["results"]
    for option in "--repeat=1", "--channels=1", "--chunks=1", "--communicators=1", "--algorithm=auto":
        same = succeed(tmp_path, *workload, option)
        assert same["results"]["cct_ns"] == flows["cct_ns"] and same["scenario"]["channels"] is None
    for option in "--algorithm=direct", "--repeat=2", "--channels=2", "--communicators=2":
        collective = succeed(tmp_path, *workload, option)
        assert collective["scenario"]["size"] == 65536
        ranks = 2 if option == "--communicators=2" else 4
        assert {row["bytes"] for row in rows(tmp_path, "collectives")} == {str(65536 * ranks)}


def bandwidth(folder, *options):
    succeed(folder, *options)
    return float(rows(folder, "collectives")[0]["bus_bandwidth_gbps"])


FABRIC = "--topology=leaf-spine", "--leaves=4", "--spines=4", "--hostsPerLeaf=4", "--rate=400Gb/s"


@pytest.mark.parametrize("kind", ["broadcast", "reduce"])
def test_chains_and_trees_are_pipelined(tmp_path, kind):
    """A rank hands chunks on, unless there is one only; a chunk travels as long as it is sent."""
    options = *FABRIC, "--mtu=9000", "--balancer=rsq", f"--workload={kind}", "--size=64MiB"
    tree = *options, "--algorithm=double-binary-tree"
    assert 300 < bandwidth(tmp_path, *options) < 400
    assert 300 < bandwidth(tmp_path, *tree) < 400
    summary = succeed(tmp_path, *options)
    assert summary["scenario"]["chunks"] == "auto"
    # 4 links of 500 ns, 4 times 9082 bytes and the gap at 20 ps a byte: 136 404 bytes
    assert summary["scenario"]["chunkBytes"] == 15 * 9000
    assert summary["results"]["messages"] == 15 * math.ceil(2**26 / 135000)
    one = succeed(tmp_path, *options, "--chunks=1")
    assert one["results"]["messages"] == 15 and one["scenario"]["chunks"] == 1
    assert "chunkBytes" not in one["scenario"]
    assert bandwidth(tmp_path, *options, "--chunks=1") < 400 / 15


def test_an_all_reduce_by_trees_is_pipelined(tmp_path):
    options = *FABRIC, "--balancer=rsq", "--workload=all-reduce", "--algorithm=double-binary-tree"
    one = bandwidth(tmp_path, *options, "--size=16MiB", "--chunks=1")
    assert bandwidth(tmp_path, *options, "--size=16MiB") > 2 * one


def test_messages_longer_than_a_write(tmp_path):
    """They are cut, and take the same packets; a check of 8 GiB is accepted."""
    options = *SMALL, "--workload=send-receive"
    check = call(tmp_path, *options, "--size=8GiB", "--check")
    assert check.returncode == 0 and check.stdout.startswith("4 hosts, 1 messages, ")
    summary = succeed(tmp_path, *options, "--size=1MB")
    whole, [before] = summary["results"]["data_packets"], rows(tmp_path, "flows")
    limit = "--ns3::aifabric::MessageService::MaxMessageBytes=100kB"
    assert call(tmp_path, *options, "--size=1MB", limit, "--out=no").returncode == 1  # a number
    summary = succeed(tmp_path, *options, "--size=1MB", limit.replace("kB", "000"))
    [after] = rows(tmp_path, "flows")
    assert summary["results"]["data_packets"] == whole and after["bytes"] == "1000000"
    # ten more headers with the length of a write, 16 bytes each, at 10 ps a byte
    more = float(after["received_ns"]) - float(before["received_ns"])
    assert 0 < more < 10 * 2 * 0.16 + 1
    for bad in ("0", str(2**31 + 1)):
        run = call(tmp_path, *options, limit.replace("100kB", bad), "--out=no")
        assert run.returncode == 1 and len(stderr_lines(run)) == 1


def write_lines(folder, name, *lines):
    (folder / name).write_text("\n".join(lines) + "\n")
    return name


def test_placement(tmp_path):
    """The ranks run on the hosts of the file, in its order; the others do nothing."""
    write_lines(tmp_path, "map.txt", "# rank 0 first", "3", "0", "2")
    options = "--placement=map.txt", "--size=3kB"
    summary = succeed(tmp_path, *SMALL, "--workload=all-reduce", *options)
    check_tables(tmp_path, summary)
    assert summary["scenario"]["placement"] == "map.txt"
    assert {row["ranks"] for row in rows(tmp_path, "collectives")} == {"3"}
    ring = {(flow["source"], flow["destination"]) for flow in rows(tmp_path, "flows")}
    assert ring == {("3", "0"), ("0", "2"), ("2", "3")}
    succeed(tmp_path, *SMALL, "--workload=broadcast", "--algorithm=direct", "--root=2", *options)
    pairs = {(flow["source"], flow["destination"]) for flow in rows(tmp_path, "flows")}
    assert pairs == {("2", "3"), ("2", "0")}  # rank 2 is host 2


def test_bad_files_of_ranks(tmp_path):
    for name, line in [("placement", line) for line in ("4", "-1", "host-0", "0 2", "0")] + [
        ("communicators", line) for line in ("1", "4 1", "1 2 1", "1;2")
    ]:
        write_lines(tmp_path, "ranks.txt", *(["0", "1"] if name == "placement" else ["0 1"]), line)
        said = refusal(tmp_path, *SMALL, "--workload=all-reduce", f"--{name}=ranks.txt")
        assert said.startswith(f"--{name}: ranks.txt:{3 if name == 'placement' else 2}: "), line


def test_communicators(tmp_path):
    """Each does the collective as if it were alone, where they share no link; a row for each."""
    reduce = *SMALL, "--workload=all-reduce", "--size=100kB", "--repeat=2"
    two = write_lines(tmp_path, "one.txt", "0", "1")
    succeed(tmp_path, *reduce, f"--placement={two}")
    alone = [row["duration_ns"] for row in rows(tmp_path, "collectives")]
    summary = succeed(tmp_path, *reduce, "--communicators=2")  # hosts 0 and 1, 2 and 3: two leaves
    check_tables(tmp_path, summary)
    table = rows(tmp_path, "collectives")
    assert sorted(row["name"] for row in table) == [f"all-reduce-{i}" for i in (0, 0, 1, 1)]
    for i in range(2):
        own = [row["duration_ns"] for row in table if row["name"] == f"all-reduce-{i}"]
        assert own == alone
    groups = write_lines(tmp_path, "groups.txt", "0,2", "1 3 0")
    placed = write_lines(tmp_path, "map.txt", "3", "2", "1", "0")
    options = f"--communicators={groups}", f"--placement={placed}"
    summary = succeed(tmp_path, *SMALL, "--workload=all-reduce", "--size=6kB", *options)
    assert summary["scenario"]["communicators"] == "groups.txt"
    table = rows(tmp_path, "collectives")
    ranks = {row["name"]: (row["collective"], row["ranks"], row["start_ns"]) for row in table}
    assert {name: row[1:] for name, row in ranks.items()} == {
        "all-reduce-0": ("2", "0.000"),
        "all-reduce-1": ("3", "0.000"),  # though both share a host
    }
    flows = rows(tmp_path, "flows")
    for name, pairs in [
        ("all-reduce-0", {("3", "1"), ("1", "3")}),
        ("all-reduce-1", {("2", "0"), ("0", "3"), ("3", "2")}),
    ]:
        mine = [flow for flow in flows if flow["collective"] == ranks[name][0]]
        assert {(flow["source"], flow["destination"]) for flow in mine} == pairs


def test_documented(tmp_path):
    text = "".join((ROOT / f"doc/{page}.rst").read_text() for page in ("outputs", "run-json"))
    for name, header in NEW_TABLES.items():
        assert f"``{name}``" in text
        assert all(f"``{column}``" in text for column in header.split(","))
    results = succeed(tmp_path, *SMALL, "--workload=all-reduce", "--size=1kB")["results"]
    assert all(f"``{key}``" in text for key in results)
    assert all(f"``{key}``" in text for key in results["collectives"])
    options = (ROOT / "doc/collectives.rst").read_text()
    names = "workload algorithm channels chunks repeat root placement communicators size"
    for option in names.split():
        assert f"``--{option}" in options


def test_flows_without_collectives_have_no_columns_of_them(tmp_path):
    succeed(tmp_path, *SMALL, "--size=1kB")
    assert (tmp_path / "out/flows.csv").read_text().split("\n")[0] == TABLES["flows.csv"]
    assert not (tmp_path / "out/collectives.csv").exists()
    assert not (tmp_path / "out/steps.csv").exists()


def begins(table, host):
    return [(float(row["start_ns"]), int(row[host])) for row in table]


@pytest.mark.parametrize("algorithm", ["ring", "halving-doubling", "double-binary-tree"])
def test_messages_that_start_at_once_are_in_the_order_of_their_sources(tmp_path, algorithm):
    options = f"--algorithm={algorithm}", "--size=1MiB", "--iterations=2"
    succeed(tmp_path, "--k=4", "--workload=all-reduce", *options)
    messages = begins(rows(tmp_path, "flows"), "source")
    assert messages == sorted(messages)


def test_collectives_that_begin_at_once_are_in_the_order_of_their_hosts(tmp_path):
    succeed(tmp_path, f"--chakra={SAMPLE}/layers", f"--chakraGroups={SAMPLE}/groups.json")
    flows = rows(tmp_path, "flows")
    table = []
    for row in rows(tmp_path, "collectives"):
        hosts = [flow["source"] for flow in flows if flow["collective"] == row["collective"]]
        table.append({**row, "host": min(hosts, key=int)})
    order = begins(table, "host")
    assert order == sorted(order)


def test_a_collective_can_be_replayed_as_flows(tmp_path):
    """The messages, started when they started, take the same time."""
    # Messages of one queue pair only, which is what flows have; no acknowledgements in the way.
    options = *SMALL, "--balancer=rsq", "--acks=bypass"
    succeed(tmp_path, *options, "--workload=all-reduce", "--size=1MB")
    first = rows(tmp_path, "flows")
    columns = HEADER.strip().split(",")
    lines = [",".join(row[column] for column in columns) for row in first]
    succeed(tmp_path, *options, write_flows(tmp_path, HEADER + "\n".join(lines) + "\n"))
    for before, after in zip(first, rows(tmp_path, "flows")):
        assert all(after[column] == before[column] for column in after)


def test_check_says_how_large_a_run_is(tmp_path):
    options = *SMALL, "--workload=all-reduce", "--size=1MB", "--repeat=3"
    check = call(tmp_path, *options, "--check")
    # 24 messages of 250 kB, 62 packets, over 4 links, there and back
    assert check.stdout == f"4 hosts, 72 messages, about {72 * 62 * 8} packet-hops\n"
    results = succeed(tmp_path, *options)["results"]
    assert results["messages"] == 72 and results["data_packets"] == 72 * 62


def test_messages_that_share_queue_pairs_need_little_memory(tmp_path):
    options = "--k=8", "--workload=all-reduce", "--algorithm=direct", "--size=1MB", "--check"
    check = call(tmp_path, *options, "--repeat=100")
    assert check.stdout.startswith(f"128 hosts, {100 * 2 * 128 * 127} messages, ")  # 13 GB, if not
    refused = call(tmp_path, *options, "--repeat=100000")
    assert refused.returncode == 1 and "GB of memory" in refused.stderr


def test_progress(tmp_path):
    options = *SMALL, "--workload=all-reduce", "--size=1MB"
    run = call(tmp_path, *options, "--progress", "--out=out")
    assert stderr_lines(run)[-1].startswith("24 of 24 messages, ")


def test_interrupted(tmp_path):
    options = "--k=4", "--workload=all-reduce", "--size=1GB", "--pcap=host-0"
    process = start(tmp_path, *options)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    assert process.returncode == 128 + signal.SIGINT
    assert not list(tmp_path.iterdir())


def test_queues_are_sampled_from_the_start(tmp_path):
    summary = succeed(tmp_path, *SMALL, "--workload=all-reduce", "--size=1MB", "--sample=1us")
    times = sorted({float(row["time_ns"]) for row in rows(tmp_path, "queues")})
    assert times[0] == 0 and times[1] == 1000
    assert times[-1] > summary["results"]["cct_ns"] - 2000


# --- Training iterations --------------------------------------------------------------------------


def test_training_file(tmp_path):
    option = write_training(
        tmp_path,
        '{ compute = "10us" }',
        '{ name = "a", collective = "all-reduce", bytes = 4000, algorithm = "direct", repeat = 2 }',
        '{ collective = "all-gather", bytesPerRank = 500, on = "odd" }',
        "{ from = 2, to = 0, bytes = 9000 }",
        '{ compute = "3us" }',
        top='communicator = [{ name = "odd", hosts = [3, 1] }]\n',
    )
    summary = succeed(tmp_path, *SMALL, option, "--algorithm=ring")
    check_tables(tmp_path, summary)
    assert summary["scenario"]["workload"] == "training"
    assert summary["scenario"]["training"] == "t.toml"
    table = rows(tmp_path, "collectives")
    names = [(row["name"], row["kind"], row["algorithm"], row["ranks"]) for row in table]
    assert names == [("a", "all-reduce", "direct", "4")] * 2 + [("all-gather", "all-gather", "ring", "2")]
    assert table[0]["start_ns"] == "10000.000"
    last = max(float(flow["completed_ns"]) for flow in rows(tmp_path, "flows"))
    iteration = summary["results"]["collectives"]["iteration_ns"]
    assert iteration == pytest.approx(last + 3000)  # a delay is last
    results = summary["results"]
    assert results["cct_ns"] == iteration  # it counts from time 0
    assert results["collectives"]["compute_bound_ns"] == 13000
    assert 13000 <= results["completion_bound_ns"] <= results["cct_ns"]
    lone = [flow for flow in rows(tmp_path, "flows") if flow["collective"] == ""]
    assert [(f["source"], f["destination"], f["bytes"]) for f in lone] == [("2", "0", "9000")]
    assert lone[0]["slice"] == "" and lone[0]["step"] == ""


def test_messages_alone_leave_empty_tables(tmp_path):
    succeed(tmp_path, *SMALL, write_training(tmp_path, "{ from = 0, to = 1, bytes = 9 }"))
    for name in "collectives.csv", "steps.csv":
        assert (tmp_path / "out" / name).read_text() == NEW_TABLES[name] + "\n"
    assert (tmp_path / "out/flows.csv").read_text().split("\n")[0] == TABLES["flows.csv"]


def test_chakra(tmp_path):
    nodes = [chakra_node(1, COMPUTE, (), 5), all_reduce(2, [1]), all_reduce(3, [2])]
    summary = succeed(tmp_path, *SMALL, write_chakra(tmp_path, 4, nodes))
    check_tables(tmp_path, summary)
    assert summary["scenario"]["workload"] == "chakra"
    first, second = rows(tmp_path, "collectives")
    assert first["start_ns"] == "5000.000" and first["bytes"] == "100000"
    assert float(second["start_ns"]) <= float(first["end_ns"])


def chakra_start(folder, *options):
    """When the first collective of the traces begins, in us."""
    summary = succeed(folder, *SMALL, "--chakra=trace", *options)
    check_tables(folder, summary)
    return float(rows(folder, "collectives")[0]["start_ns"]) / 1000


def test_chakra_devices_do_one_kernel_at_a_time(tmp_path):
    """Ten kernels of 100 us on one stream take 1 ms; on two streams, half of it."""

    def nodes(streams):
        launch = chakra_node(1, COMPUTE, (), 10, is_cpu_op=True)
        kernels = [chakra_node(i, COMPUTE, [1], 100, is_cpu_op=False, stream=i % streams) for i in range(2, 12)]
        reduce = all_reduce(20, range(2, 12))
        return [launch, *kernels, reduce]

    write_chakra(tmp_path, 4, nodes(1))
    limit = "--ns3::aifabric::TrainingDriver::StreamOperations="
    assert chakra_start(tmp_path) == 1010
    assert chakra_start(tmp_path, limit + "5") == 210
    assert chakra_start(tmp_path, "--chakraStreams=parallel") == 110
    write_chakra(tmp_path, 4, nodes(2))
    assert chakra_start(tmp_path) == 510


def test_an_iteration_begins_at_time_0_and_its_delays_bound_it(tmp_path):
    """Ten kernels of 1 ms on a stream, and then an all-reduce."""
    kernels = [chakra_node(i, COMPUTE, (), 1000, stream=7) for i in range(10)]
    reduce = all_reduce(10, range(10))
    write_chakra(tmp_path, 4, [*kernels, reduce])
    results = succeed(tmp_path, *SMALL, "--chakra=trace")["results"]
    (collective,) = rows(tmp_path, "collectives")
    assert results["cct_ns"] == float(collective["end_ns"])
    assert results["bound_formula"] == "compute"
    for bound in "bound_ns", "completion_bound_ns", "line_rate_bound_ns":
        assert results[bound] == 1e7
    assert 0 < results["increase_percent"] < 1
    assert all(0 < layer["max_utilization"] < 0.01 for layer in results["layers"].values())


def test_chakra_units_of_a_device_share_its_streams(tmp_path):
    """A number of a stream belongs to the device: its kernels, copies and collectives take turns."""

    def nodes(*streams):
        kernel, copy, collective = streams
        return [
            chakra_node(1, COMPUTE, (), 100, is_cpu_op=False, stream=kernel),
            chakra_node(2, MEMORY, (), 30, is_cpu_op=False, stream=copy),
            chakra_node(3, COMPUTE, (), 500, is_cpu_op=True, stream=kernel),
            all_reduce(4, is_cpu_op=False, stream=collective),
        ]

    for streams, start in ((7, 7, 7), 130), ((7, 8, 7), 100), ((7, 8, 8), 30), ((7, 8, 9), 0):
        write_chakra(tmp_path, 4, nodes(*streams))
        assert chakra_start(tmp_path) == start


def test_chakra_processor_does_one_operation_at_a_time(tmp_path):
    operations = [chakra_node(i, COMPUTE, (), 100, is_cpu_op=True, stream=i) for i in range(4)]
    kernel = chakra_node(8, COMPUTE, (), 350, is_cpu_op=False)
    reduce = all_reduce(9, range(4))
    write_chakra(tmp_path, 4, [*operations, kernel, reduce])
    assert chakra_start(tmp_path) == 400
    limit = "--ns3::aifabric::TrainingDriver::ProcessorOperations=2"
    assert chakra_start(tmp_path, limit) == 200


def test_chakra_collectives_of_a_stream_follow_each_other(tmp_path):
    def nodes(streams):
        return [all_reduce(i, stream=20 + i % streams) for i in range(2)]

    write_chakra(tmp_path, 4, nodes(1))
    succeed(tmp_path, *SMALL, "--chakra=trace")
    first, second = rows(tmp_path, "collectives")
    assert 0 < float(second["start_ns"]) <= float(first["end_ns"])
    write_chakra(tmp_path, 4, nodes(2))
    succeed(tmp_path, *SMALL, "--chakra=trace")
    assert [row["start_ns"] for row in rows(tmp_path, "collectives")] == ["0.000"] * 2


def test_chakra_groups_and_placement(tmp_path):
    """Two groups of two; by default of neighbors, and by the placement of hosts far apart."""
    for rank in range(4):
        name = b"low" if rank < 2 else b"high"
        node = all_reduce(0, pg_name=name)
        write_trace(tmp_path, rank, [node])
    (tmp_path / "g.json").write_text('{"low": [0, 1], "high": [2, 3]}')
    (tmp_path / "map.txt").write_text("1\n2\n3\n0\n")
    for options, hosts in ([], [{0, 1}, {2, 3}]), (["--placement=map.txt"], [{0, 3}, {1, 2}]):
        options = ["--chakraGroups=g.json", *options]
        summary = succeed(tmp_path, *SMALL, "--chakra=trace", *options)
        check_tables(tmp_path, summary)
        assert [row["ranks"] for row in rows(tmp_path, "collectives")] == ["2", "2"]
        flows = rows(tmp_path, "flows")
        for collective in 0, 1:
            own = [row for row in flows if row["collective"] == str(collective)]
            assert {int(row["source"]) for row in own} == hosts[collective]


def test_ranks_of_traces_are_as_many_as_the_traces(tmp_path):
    write_chakra(tmp_path, 4, [all_reduce(0, size=9)])
    succeed(tmp_path, *SMALL, "--chakra=trace", "--jobRanks=4")
    for ranks in "2", "8", "999", "x":
        run = call(tmp_path, *SMALL, "--chakra=trace", f"--jobRanks={ranks}")
        why = "4, the number of traces, or auto"
        assert stderr_lines(run) == [f"ai-fabric-run: --jobRanks={ranks}: {why}"]
        assert run.returncode == 1


def test_parts_without_bytes_take_no_time(tmp_path):
    """An expert without tokens sends nothing; what waits for its part begins at once."""
    nodes = [
        chakra_node(1, COMPUTE, (), 5),
        chakra_node(2, COLLECTIVE, [1], comm_type=ALL_TO_ALL, comm_size=0),
        all_reduce(3, [2]),
    ]
    summary = succeed(tmp_path, *SMALL, write_chakra(tmp_path, 4, nodes))
    check_tables(tmp_path, summary)
    assert [row["start_ns"] for row in rows(tmp_path, "collectives")] == ["5000.000"]
    one = '{ collective = "all-reduce", bytes = 9, on = "one" }, { collective = "all-reduce", bytes = 0 },'
    last = '{ from = 0, to = 1, bytes = 0 }, { collective = "all-reduce", bytes = 9 }'
    head = '[[communicator]]\nname = "one"\nhosts = [1]\n'
    (tmp_path / "one.toml").write_text(f"{head}[[phase]]\nsteps = [{one} {last}]\n")
    summary = succeed(tmp_path, *SMALL, "--training=one.toml")
    check_tables(tmp_path, summary)
    assert [row["start_ns"] for row in rows(tmp_path, "collectives")] == ["0.000"]


def test_a_message_without_bytes_keeps_the_order(tmp_path):
    """Its receiver waits for its sender, and learns of it a link's delay (500 ns) later; with every simulator."""
    steps = '{ compute = "9us", on = "h" }', "{ from = 0, to = 2, bytes = 0 }", "{ from = 2, to = 3, bytes = 8 }"
    toml = write_training(tmp_path, *steps, top='communicator = [{ name = "h", hosts = [0] }]\n')
    work = chakra_node(1, COMPUTE, (), 9)
    empty = {"comm_size": 0, "comm_src": 0, "comm_dst": 2}
    last = {"comm_size": 8, "comm_src": 2, "comm_dst": 3}
    ranks = [
        [work, chakra_node(2, SEND, [1], **empty)],
        [chakra_node(1, COMPUTE, (), 0)],
        [chakra_node(1, RECEIVE, (), **empty), chakra_node(2, SEND, [1], **last)],
        [chakra_node(1, RECEIVE, (), **last)],
    ]
    for rank, nodes in enumerate(ranks):
        chakra = write_trace(tmp_path, rank, nodes)
    for traffic in toml, chakra:
        for how in [], ["--simulator=windows"], ["--threads=3"]:
            succeed(tmp_path, *SMALL, traffic, *how)
            times = [(row["start_ns"], row["received_ns"], row["completed_ns"]) for row in rows(tmp_path, "flows")]
            assert times[0] == ("9000.000", "9500.000", "10000.000") and times[1][0] == "9500.000"


def test_an_iteration_may_begin_with_a_message_without_bytes(tmp_path):
    """The next one begins in the last turn of a picosecond, as the windows that follow do."""
    traffic = write_training(tmp_path, '{ compute = "0ns" }', "{ from = 0, to = 2, bytes = 0 }")
    seen = []
    for how in "--simulator=events", "--simulator=windows", "--threads=2":
        succeed(tmp_path, *SMALL, traffic, "--iterations=2", how)
        seen.append([(row["start_ns"], row["received_ns"]) for row in rows(tmp_path, "flows")])
    assert seen[0] == seen[1] == seen[2] and len(seen[0]) == 2


def test_a_frame_may_make_a_host_send_nothing(tmp_path):
    """With links that take no time, a picosecond is the window: what a frame causes comes in no earlier turn."""
    steps = "{ from = 0, to = 1, bytes = 8192 }", "{ from = 1, to = 2, bytes = 0 }", "{ from = 2, to = 3, bytes = 8 }"
    traffic = write_training(tmp_path, *steps)
    fabric = "--topology=leaf-spine", "--leaves=2", "--hostsPerLeaf=2", "--delay=0", "--planes=2", "--balancer=simple-rr"
    seen = []
    for how in "--simulator=events", "--simulator=windows", "--threads=2":
        succeed(tmp_path, *fabric, traffic, how)
        seen.append(rows(tmp_path, "flows"))
    assert seen[0] == seen[1] == seen[2]
    assert float(seen[0][1]["received_ns"]) == pytest.approx(float(seen[0][1]["start_ns"]) + 0.001)


def test_an_iteration_may_send_nothing(tmp_path):
    """It takes the time of its delays, and a link's delay until the next one begins."""
    for step, took in ('{ compute = "3us" }', 3000), ('{ collective = "all-reduce", bytes = 0 }', 0):
        results = succeed(tmp_path, *SMALL, write_training(tmp_path, step), "--iterations=2")["results"]
        assert (results["cct_ns"], results["bound_ns"], results["messages"]) == (2 * took + 500, 2 * took, 0)
        assert results["retransmissions"] == results["data_packets"] == 0
    node = chakra_node(1, COLLECTIVE, (), comm_type=ALL_TO_ALL, comm_size=0)
    results = succeed(tmp_path, *SMALL, write_chakra(tmp_path, 4, [node]))["results"]
    assert (results["cct_ns"], results["messages"]) == (0, 0)


# --- All-to-alls with parts of different sizes ----------------------------------------------------


def sent(folder):
    """The bytes from each host to each other, of the last run."""
    pairs = {}
    for flow in rows(folder, "flows"):
        pair = int(flow["source"]), int(flow["destination"])
        pairs[pair] = pairs.get(pair, 0) + int(flow["bytes"])
    return pairs


def test_a_hot_expert_takes_its_share(tmp_path):
    """The receiver of most bytes bounds the time; without any skew it is the all-to-all of today."""
    alike = "--workload=all-to-all", "--size=64KiB", "--rate=400Gb/s"
    summary = succeed(tmp_path, *SMALL, *alike, "--skew=hot:4")
    check_tables(tmp_path, summary)
    assert sent(tmp_path) == {(i, j): 65536 * (1 if j else 4) for i in range(4) for j in range(4) if i != j}
    assert summary["scenario"]["skew"] == "hot:4"
    hot = float(rows(tmp_path, "collectives")[0]["bound_ns"])
    succeed(tmp_path, *SMALL, *alike, "--skew=hot:1")
    even = rows(tmp_path, "collectives")
    assert hot == pytest.approx(4 * float(even[0]["bound_ns"]))
    succeed(tmp_path, *SMALL, *alike, "--algorithm=direct")
    assert rows(tmp_path, "collectives") == even
    succeed(tmp_path, *SMALL, *alike, "--skew=zipf:1")
    assert sum(sent(tmp_path)[1, j] for j in (0, 2, 3)) == 4 * 65536 * (12 + 4 + 3) // 25


MATRIX = [[9, 1000, 0, 3], [0, 0, 0, 0], [70000, 1, 5, 0], [0, 0, 4097, 0]]
UNEQUAL = {(i, j): size for i, row in enumerate(MATRIX) for j, size in enumerate(row) if i != j and size}


@pytest.mark.parametrize(
    "more, pieces",
    [((), 1), (("--repeat=3",), 3), (("--channels=3",), 0), (("--receiverAdmission=2",), 1), (("--stack=mrc",), 1)],
)
def test_parts_are_those_of_a_matrix(tmp_path, more, pieces):
    """A file, a step of TOML and traces with splits send the same, and a part without bytes nothing."""
    (tmp_path / "m.csv").write_text("# bytes\n" + "".join(",".join(map(str, row)) + "\n" for row in MATRIX))
    summary = succeed(tmp_path, *SMALL, "--workload=all-to-all", "--skew=m.csv", *more)
    check_tables(tmp_path, summary)
    least = 3 if pieces == 0 else 1  # a byte on each channel
    expected = {pair: max(size, least) * max(pieces, 1) for pair, size in UNEQUAL.items()}
    assert sent(tmp_path) == expected
    assert summary["results"]["messages"] == len(UNEQUAL) * (pieces or 3)
    if pieces == 1:
        table = rows(tmp_path, "collectives")
        step = f'{{ collective = "all-to-all", parts = {MATRIX} }}'
        succeed(tmp_path, *SMALL, write_training(tmp_path, step), *more)
        assert rows(tmp_path, "collectives") == table
        for rank, row in enumerate(MATRIX):
            splits = str(row).encode()
            node = chakra_node(1, COLLECTIVE, comm_type=ALL_TO_ALL, comm_size=sum(row), in_split_size=splits)
            option = write_trace(tmp_path, rank, [node])
        succeed(tmp_path, *SMALL, option, *more)
        drop = lambda row: {key: value for key, value in row.items() if key != "name"}  # noqa: E731
        assert [drop(row) for row in rows(tmp_path, "collectives")] == [drop(row) for row in table]


def test_ranks_of_traces_may_have_different_sizes(tmp_path):
    """Without splits, each rank divides its own evenly."""
    for rank in range(4):
        size = 400000 if rank == 0 else 40000 * (rank > 1)
        node = chakra_node(1, COLLECTIVE, comm_type=ALL_TO_ALL, comm_size=size)
        option = write_trace(tmp_path, rank, [node])
    check_tables(tmp_path, succeed(tmp_path, *SMALL, option))
    own = {0: 100000, 2: 10000, 3: 10000}
    assert sent(tmp_path) == {(i, j): size for i, size in own.items() for j in range(4) if i != j}


def test_two_levels_pass_on_parts_of_different_sizes(tmp_path):
    """A GPU passes on what is for others on its rail; bytes within a node are no payload of the network."""
    fabric = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=4", "--gpusPerNode=2"
    options = *fabric, "--workload=all-to-all", "--algorithm=two-level", "--size=4KiB"
    for skew in "hot:0", "hot:9", "zipf:2":
        succeed(tmp_path, *options, f"--skew={skew}")
        across = sum(size for (i, j), size in sent(tmp_path).items() if i // 2 != j // 2)
        succeed(tmp_path, *options[:-2], "--algorithm=direct", "--size=4KiB", f"--skew={skew}")
        assert across == sum(size for (i, j), size in sent(tmp_path).items() if i // 2 != j // 2)


def test_what_experts_have_made_goes_back(tmp_path):
    """The hot expert computes four times as long, receives most and sends most back."""
    summary = succeed(tmp_path, *SMALL, f"--training={ROOT}/scenarios/hot-expert.toml")
    check_tables(tmp_path, summary)
    dispatched, combined = {}, {}
    for flow in rows(tmp_path, "flows"):
        pairs = combined if flow["collective"] == "1" else dispatched
        pairs[int(flow["source"]), int(flow["destination"])] = int(flow["bytes"])
    assert dispatched == {(i, j): 2**20 * (1 if j else 4) for i in range(4) for j in range(4) if i != j}
    assert combined == {(j, i): size for (i, j), size in dispatched.items()}
    assert summary["results"]["collectives"]["compute_bound_ns"] == 320e3


def test_bad_skews(tmp_path):
    (tmp_path / "m.csv").write_text("1 2 3 4\n" * 3)
    (tmp_path / "m5.csv").write_text("1 2 3 4 x\n")
    alike = "hot:FACTOR (0..1e6) or zipf:EXPONENT (0..100), a file, or none"
    for options, why in [
        (["--skew=hot"], f"--skew=hot: {alike}"),
        (["--skew=nofile"], f"--skew=nofile: there is no such file; {alike}"),
        (["--skew=zipf:-1"], f"--skew=zipf:-1: {alike}"),
        (["--skew=hot:1e6", "--size=100GiB"], "--skew=hot:1e6: so little that a rank has at most 1099511627776 bytes"),
        (["--skew=m.csv"], "--skew: m.csv: has 3 lines with numbers, of 4 ranks"),
        (["--skew=m5.csv"], "--skew: m5.csv:1: 'x' is not a number of bytes, such as 4096 or 6MiB (0..1099511627776)"),
        (["--skew=m.csv", "--size=1"], "--size=1: not with a file of --skew, which has the sizes"),
        (["--skew=hot:2", "--workload=all-gather"], "--skew=hot:2: only with --workload=all-to-all"),
        (["--skew=hot:2", "--workload=incast"], "--skew=hot:2: only with --workload=all-to-all"),
    ]:
        workload = [] if any("workload" in option for option in options) else ["--workload=all-to-all"]
        assert refusal(tmp_path, *SMALL, *workload, *options) == why


def test_groups_that_do_not_fit_the_traces_are_faults_of_their_file(tmp_path):
    node = all_reduce(0, size=9, pg_name=b"two")
    write_chakra(tmp_path, 4, [node])
    for text, why in (
        ("[0, 4]", "group 'two' has rank 4, and there are traces of ranks 0..3"),
        ("[0, 0]", "group 'two' has rank 0 twice"),
    ):
        for others in '"two": [0, 1], "other"', '"two"':  # a group that no node names is checked, too
            (tmp_path / "g.json").write_text(f"{{{others}: {text}}}")
            run = call(tmp_path, *SMALL, "--chakra=trace", "--chakraGroups=g.json")
            assert run.returncode == 1
            reason = why if others == '"two"' else why.replace("two", "other")
            assert stderr_lines(run) == [f"ai-fabric-run: --chakraGroups: g.json: {reason}"]


def test_chakra_control_dependencies(tmp_path):
    reduce = field(4, 1) + all_reduce(3)
    nodes = [chakra_node(1, COMPUTE, (), 1000), chakra_node(2, COMPUTE, [1], 10), reduce]
    option = write_chakra(tmp_path, 4, nodes)
    ignored = "4 control dependencies are ignored"
    follow = "--chakraControl=follow"
    assert ignored in call(tmp_path, *SMALL, option, "--out=out").stdout
    assert rows(tmp_path, "collectives")[0]["start_ns"] == "0.000"
    assert ignored in call(tmp_path, *SMALL, option, "--check").stdout
    assert "control" not in call(tmp_path, *SMALL, option, follow, "--check").stdout
    assert chakra_start(tmp_path, follow) == 1000


def test_chakra_roofline(tmp_path):
    nodes = [chakra_node(1, COMPUTE, num_ops=10**12, tensor_size=10**6), all_reduce(2, [1])]
    option = write_chakra(tmp_path, 4, nodes)
    refused = call(tmp_path, *SMALL, option)
    assert refused.returncode == 1 and len(refused.stderr.splitlines()) == 1
    assert "num_ops" in refused.stderr and "--peakPerf" in refused.stderr
    for peak in "100TFLOPS", "100TFLOP/s", "1e14", "100000Gop/s":
        assert chakra_start(tmp_path, f"--peakPerf={peak}") == 10000
    for memory in "50MB/s", "0.4Gb/s":
        assert chakra_start(tmp_path, "--peakPerf=100TFLOPS", f"--memoryBandwidth={memory}") == 20000


def test_chakra_collectives_with_a_root(tmp_path):
    """Reduce, gather and scatter; rank 0 is the root."""
    nodes = [
        chakra_node(i, COLLECTIVE, comm_type=kind, comm_size=size)
        for i, (kind, size) in enumerate([(1, 60000), (3, 30000), (4, 120000)])
    ]
    summary = succeed(tmp_path, *SMALL, write_chakra(tmp_path, 4, nodes))
    check_tables(tmp_path, summary)
    table = [(row["kind"], row["bytes"]) for row in rows(tmp_path, "collectives")]
    assert table == [("reduce", "60000"), ("gather", "120000"), ("scatter", "120000")]
    flows = rows(tmp_path, "flows")
    assert {row["source"] for row in flows if row["collective"] == "2"} == {"0"}
    assert {row["destination"] for row in flows if row["collective"] == "1"} == {"0"}


def test_chakra_messages_of_a_pair(tmp_path):
    """PyTorch's messages have no peer but the other rank of their group."""
    message = {"comm_size": 100000, "pg_name": b"5", "is_cpu_op": False}
    write_trace(tmp_path, 0, [chakra_node(0, SEND, **message)])
    write_trace(tmp_path, 1, [])
    write_trace(tmp_path, 2, [chakra_node(0, RECEIVE, **message)])
    (tmp_path / "g.json").write_text('{"5": [0, 2]}')
    succeed(tmp_path, *SMALL, "--chakra=trace", "--chakraGroups=g.json")
    (flow,) = rows(tmp_path, "flows")
    assert (flow["source"], flow["destination"], flow["bytes"]) == ("0", "2", "100000")


def test_the_summary_divides_an_iteration(tmp_path):
    """What its compute does not hide of it, and what its collectives reached."""
    run = call(tmp_path, *SMALL, f"--training={ROOT}/scenarios/overlap.toml", "--out=out")
    found = json.loads((tmp_path / "out/run.json").read_text())["results"]["collectives"]
    beyond = found["iteration_ns"] - found["compute_bound_ns"]
    compute, rest, share = re.search(r"iteration +([\d.]+) us of compute, and ([\d.]+) us \(([\d.]+) %\)", run.stdout).groups()
    assert float(compute) == 2450 and float(rest) == pytest.approx(beyond / 1e3, abs=0.001)
    assert float(share) == pytest.approx(100 * beyond / found["iteration_ns"], abs=0.05)
    assert f"collectives      8, bus bandwidth {found['mean_bus_bandwidth_gbps']:.1f} Gb/s on average" in run.stdout
    assert "iteration  " not in call(tmp_path, *SMALL, "--workload=all-reduce", "--size=64KiB").stdout


def test_overlap_scenario(tmp_path):
    """Each layer's sum is computed beside; the last layer's is what is left to wait for."""
    summary = succeed(tmp_path, *SMALL, f"--training={ROOT}/scenarios/overlap.toml")
    check_tables(tmp_path, summary)
    table = rows(tmp_path, "collectives")
    assert len(table) == 8
    for layer, row in enumerate(table):
        assert float(row["start_ns"]) == pytest.approx(8 * 100e3 + (layer + 1) * 200e3)


def test_messages_in_order_beside_steps_that_wait_are_named(tmp_path):
    """They wait for what their receiver computes, which a pipeline does not mean."""
    steps = """{ name = "a", compute = "100us", on = "all", after = [] }, { from = 0, to = 1, bytes = 9 }"""
    fabric = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=4", "--training=t.toml"
    (tmp_path / "t.toml").write_text(f'phase = [{{ name = "p", steps = [{steps}] }}]\n')
    notes = json.loads(call(tmp_path, *fabric, "--out=out", "--json").stdout)["notes"]
    why = "waits for the step before it at its sender and at its receiver"
    assert notes == [f"p: 1 message has no after, as other steps have: it {why}"]
    (tmp_path / "t.toml").write_text(f'phase = [{{ steps = [{steps}, {{ from = 1, to = 2, bytes = 9 }}] }}]\n')
    notes = json.loads(call(tmp_path, *fabric, "--out=two", "--json").stdout)["notes"]
    assert notes == [f"2 messages have no after, as other steps have: each {why}"]
    (tmp_path / "t.toml").write_text(f'phase = [{{ steps = [{steps.replace("9 }", """9, after = ["a"] }""")}] }}]\n')
    assert json.loads(call(tmp_path, *fabric, "--out=out", "--json").stdout)["notes"] == []


def test_a_pipeline_computes_while_it_sends(tmp_path):
    """A message is sent when its sender has computed it, whatever its receiver computes meanwhile."""
    fabric = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=4", "--rate=400Gb/s"
    summary = succeed(tmp_path, *fabric, f"--training={ROOT}/scenarios/pipeline.toml")
    message = 22475.5  # from host to host across the fabric, in ns
    assert summary["results"]["cct_ns"] == pytest.approx(3 * (100e3 + message) + 8 * 100e3, abs=1)

    stages = [f"s{i}" for i in range(4)]
    groups = ", ".join(f'{{ name = "{name}", hosts = [{i}] }}' for i, name in enumerate(stages))
    steps = []
    for batch in range(8):
        for i, name in enumerate(stages):
            after = [f"c{batch - 1}{name}"] * (batch > 0) + [f"x{batch}{i - 1}"] * (i > 0)
            steps.append(f'{{ name = "c{batch}{name}", compute = "100us", on = "{name}", after = {after} }}')
            if i < 3:
                sent = f'from = {i}, to = {i + 1}, bytes = "1MiB", after = ["c{batch}{name}"]'
                steps.append(f'{{ name = "x{batch}{i}", {sent} }}')
    option = write_training(tmp_path, *steps, top=f"communicator = [{groups}]\n")
    assert succeed(tmp_path, *fabric, option)["results"]["cct_ns"] == summary["results"]["cct_ns"]


def test_a_declared_pipeline_takes_its_time(tmp_path):
    """As the program by hand does; with b = 2 f, (m + p - 1) (f + b) and what its messages add, each of which takes c."""
    fabric = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=4", "--rate=400Gb/s"
    batches, compute, message = 8, 100e3, 22475.5  # of messages as above

    def time(schedule, stages, layers):
        model = f'layers = [{{ repeat = {layers}, forward = "{100 * stages // layers}us" }}]\nactivations = "1MiB"'
        keys = f'pp = {stages}\ndp = 1\nmicrobatches = {batches}\nschedule = "{schedule}"'
        (tmp_path / "parallel.toml").write_text(f"[parallelism]\n{keys}\n[model]\n{model}\n")
        return succeed(tmp_path, *fabric, "--training=parallel.toml")["results"]["cct_ns"]

    assert time("forward", 4, 4) == pytest.approx(3 * (compute + message) + batches * compute, abs=1)
    passes = (batches + 4 - 1) * 3 * compute
    assert time("gpipe", 4, 4) == pytest.approx(passes + 2 * 3 * message, rel=1e-4)
    # The first stage waits for a round trip each other microbatch, because it is ahead by one.
    assert time("1f1b", 2, 2) == pytest.approx((batches + 2 - 1) * 3 * compute + batches * message, rel=1e-4)
    interleaved = time("interleaved", 4, 8)
    assert (batches + 3 / 2) * 3 * compute < interleaved < time("1f1b", 4, 4)


@pytest.mark.parametrize(("name", "first", "start"), [("dense-3d", 2, 20e3), ("experts-4d", 8, 0)])
def test_groups_of_a_dimension_send_at_the_same_time(tmp_path, name, first, start):
    """Those of the first stage begin together; tensor parallel ranks are in one node, data parallel ones are not."""
    fabric = "--topology=leaf-spine", "--leaves=4", "--spines=4", "--hostsPerLeaf=8", "--gpusPerNode=8", "--balancer=rsq"
    summary = succeed(tmp_path, *fabric, f"--training={ROOT}/scenarios/{name}.toml")
    check_tables(tmp_path, summary)
    table = rows(tmp_path, "collectives")
    starts = [float(row["start_ns"]) for row in table if row["name"] == "tensor"]
    assert min(starts) == start and starts.count(start) == first
    names = {row["collective"]: row["name"] for row in table}
    crossed = {}
    for flow in rows(tmp_path, "flows"):
        kind = names.get(flow["collective"], "message")
        crossed.setdefault(kind, set()).add(int(flow["source"]) // 8 != int(flow["destination"]) // 8)
    assert crossed["tensor"] == {False} and crossed["message"] == {True}
    assert True in crossed["gradients"] and crossed.get("dispatch", {False, True}) == {False, True}


def test_a_ring_with_a_late_host_takes_its_delay_and_no_more(tmp_path):
    """While one host computes, the messages that it is to pass on pile up. With the oldest first the
    ring then goes on at its pace; in turn, all of them are late."""
    ring = '{ collective = "all-reduce", bytes = "4MiB", on = "ring", algorithm = "ring" }'
    late = '{ compute = "75us", on = "late" }'
    groups = '{ name = "ring", hosts = "0,4,8,12,1,5,9,13" }, { name = "late", hosts = [5] }'
    options = "--topology=leaf-spine", "--leaves=4", "--spines=4", "--hostsPerLeaf=4"
    options = *options, "--rate=400Gb/s", "--mtu=9000", "--steering=ethereal"

    def time(order, *steps):
        top = f"communicator = [{groups}]\n"
        training = write_training(tmp_path, *steps, top=top)
        summary = succeed(tmp_path, *options, training, f"--sendOrder={order}")
        assert summary["scenario"]["sendOrder"] == order
        return summary["results"]["collectives"]["iteration_ns"]

    alone = time("round-robin", ring)
    assert time("oldest-first", ring) == pytest.approx(alone, rel=0.05)
    assert time("oldest-first", late, ring) < 75e3 + 1.2 * alone
    assert time("round-robin", late, ring) > 75e3 + 2 * alone


def test_chunks_of_a_broadcast_follow_each_other(tmp_path):
    """Each chunk is a broadcast of its own; all are posted at once. Host after host passes them on, so
    that the last is there a chunk a host after the first, if chunks are sent one after the other."""
    chunk = '{ collective = "broadcast", bytes = "256KiB", algorithm = "ring", after = [] }'
    options = *SMALL, "--rate=400Gb/s", "--steering=ethereal"

    def time(order):
        training = write_training(tmp_path, *[chunk] * 16)
        results = succeed(tmp_path, *options, training, f"--sendOrder={order}")["results"]
        return results["collectives"]["iteration_ns"]

    chunk_ns = 2**18 * 8 / 400
    hops = 3
    assert time("oldest-first") < 1.1 * (16 + hops - 1) * chunk_ns
    assert time("round-robin") > 1.5 * (16 + hops - 1) * chunk_ns


def test_gpt_scenario(tmp_path):
    """The published iteration, at a hundredth of its sizes, takes about what its sizes take."""
    text = (ROOT / "scenarios/gpt-2-data-parallel.toml").read_text()
    less = re.sub(
        r"(bytes\w*) = ([\d_]+)", lambda found: f"{found[1]} = {max(4, int(found[2].replace('_', '')) // 100)}", text
    )
    (tmp_path / "gpt.toml").write_text(less)
    options = "--topology=leaf-spine", "--leaves=4", "--spines=4", "--hostsPerLeaf=4"
    options = *options, "--rate=400Gb/s", "--training=gpt.toml", "--steering=ethereal"
    for algorithm in "direct", "halving-doubling":
        summary = succeed(tmp_path, *options, f"--algorithm={algorithm}")
        check_tables(tmp_path, summary)
        results = summary["results"]["collectives"]
        assert results["count"] == 1 + 25 + 1 + 3 + 25 + 1 + 1  # the flags are left out
        # The barrier: one begins when all hosts have ended the one before.
        table = rows(tmp_path, "collectives")
        for before, after in zip(table, table[1:]):
            assert float(before["end_ns"]) <= float(after["start_ns"])
        assert results["sum_of_times_ns"] < summary["results"]["cct_ns"] + 1
        latency = 57 * 8 * 10e3  # 8 steps, of far less than 10 us each
        assert results["sum_of_times_ns"] < 1.2 * results["sum_of_bounds_ns"] + latency


# --- The same run twice ---------------------------------------------------------------------------


@pytest.mark.parametrize("planes", [2, 4])
@pytest.mark.parametrize("leaves, spines, hosts", [(1, 1, 4), (4, 4, 4), (3, 2, 5)])
def test_ethereal_shares_the_planes_of_receivers(tmp_path, planes, leaves, spines, hosts):
    """Below one leaf each message is split by planes; pieces that go on take the planes in turn."""
    shape = "--topology=leaf-spine", f"--leaves={leaves}", f"--spines={spines}", f"--hostsPerLeaf={hosts}"
    options = "--algorithm=direct", "--size=3.84MB", "--rate=100Gb/s", "--buffer=64MB", "--steering=ethereal"
    results = succeed(tmp_path, *shape, f"--planes={planes}", "--workload=all-reduce", *options)["results"]
    assert results["drops"] == 0
    assert results["increase_percent"] < 8  # 14 to 50 with whole messages below a leaf and planes at random


def test_active_queue_pairs(tmp_path):
    def count(*options):
        summary = succeed(tmp_path, *SMALL, "--workload=all-reduce", "--size=1MB", *options)
        return summary["results"]["max_active_queue_pairs"]

    assert count() == 1
    assert count("--channels=3") == 3
    assert count("--algorithm=direct") == 3
    assert count("--algorithm=direct", "--channels=2") == 6


def test_what_tells_of_a_failed_path(tmp_path):
    """A timer, which Ethereal's recovery needs; not the oracle, as doc/steering.rst warns."""
    cut = "--fail=leaf-0:2--spine-0:0@1us", "--convergence=never"
    options = *SMALL, "--workload=all-reduce", "--size=1MB", "--steering=ethereal", *cut
    results = succeed(tmp_path, *options, "--recovery=go-back-n")["results"]
    assert results["policies"]["steering_reroutes"] == results["timeouts"] > 0
    run = call(tmp_path, *options, "--recovery=oracle", "--stallTime=1ms", "--out=none")
    assert run.returncode == 1 and "stalled" in run.stderr and "0 timeouts so far" in run.stderr


def test_least_outstanding_does_not_depend_on_samples(tmp_path):
    """What is unsent counts as of now, whether or not somebody has looked at the ports."""
    flows = [(0, 2, 7, 5000), (100, 2, 8, 1), (0, 11, 2, 200000), (0, 1, 2, 200000)]
    (tmp_path / "f.csv").write_text("\n".join([HEADER.strip(), *(",".join(map(str, flow)) for flow in flows)]) + "\n")
    shape = "--topology=three-tier", "--pods=2", "--leavesPerPod=3", "--spinesPerPod=2"
    options = *shape, "--cores=2", "--hostsPerLeaf=2", "--flows=f.csv", "--steering=ethereal-v1"
    piece = "--ns3::aifabric::SourceRoutedSteering::MinPieceBytes=1000000"
    links = []
    for run in range(1, 9):
        for sample in ("0ns", "1ns"):
            succeed(tmp_path, *options, piece, f"--sample={sample}", f"--RngRun={run}")
            links.append([row["bytes_sent"] for row in rows(tmp_path, "links")])
    assert links[::2] == links[1::2]


TOKENS = """phase = [{ repeat = 3, steps = [
  { name = "there", collective = "all-to-all", bytesPerRank = "64KiB", skew = "zipf:0.5", draw = "step", token = "4KiB" },
  { name = "back", collective = "all-to-all", bytesPerRank = "64KiB", skew = "zipf:0.5", draw = "step", combine = true },
] }]
"""


def token_matrices(folder, *options):
    """What each rank sends each other one, by all-to-all."""
    succeed(folder, *SMALL, "--training=tokens.toml", "--algorithm=direct", *options)
    found = [{} for _ in rows(folder, "collectives")]
    for row in rows(folder, "flows"):
        found[int(row["collective"])][row["source"], row["destination"]] = int(row["bytes"])
    return found


def test_tokens_are_drawn_for_each_step(tmp_path):
    """Of the draws of a run, all the same again, and with another RngRun others; what came goes back."""
    (tmp_path / "tokens.toml").write_text(TOKENS)
    seen = token_matrices(tmp_path)
    assert len(seen) == 6
    for there, back in zip(seen[::2], seen[1::2]):
        assert back == {(b, a): size for (a, b), size in there.items()}
        assert len({tuple(size for (a, _), size in there.items() if a == source) for source, _ in there}) > 1
        assert all(size % 4096 == 0 for size in there.values())
    assert seen[0] != seen[2] != seen[4] != seen[0]
    assert token_matrices(tmp_path, "--simulator=events") == seen
    assert token_matrices(tmp_path, "--RngRun=7") != seen
    (tmp_path / "tokens.toml").write_text(TOKENS.replace(', token = "4KiB"', ""))
    for there in token_matrices(tmp_path)[::2]:  # experts change places, and all senders have the same shares
        for destination in "0123":
            assert len({size for (_, b), size in there.items() if b == destination}) == 1


def test_tokens_come_back_in_the_order_of_their_dispatches(tmp_path):
    """Two batches overlap; what comes back is twice as large."""
    step = '{{ name = "{}", collective = "all-to-all", bytesPerRank = "{}KiB", skew = "zipf:1", draw = "step", {} }},'
    there = [step.format(name, 64, 'token = "4KiB"') for name in ("d1", "d2")]
    back = [step.format(name, 128, "combine = true") for name in ("c1", "c2")]
    (tmp_path / "tokens.toml").write_text("phase = [{ steps = [" + "\n".join(there + back) + "] }]\n")
    seen = token_matrices(tmp_path)
    assert len(seen) == 4 and seen[0] != seen[1]
    for sent, returned in zip(seen[:2], seen[2:]):
        assert returned == {(b, a): 2 * size for (a, b), size in sent.items()}
    nothing = step.format("d1", 0, "repeat = 1")
    (tmp_path / "tokens.toml").write_text("phase = [{ steps = [" + nothing + "\n" + back[0] + "] }]\n")
    assert "'c1': 0 are no number of bytes" in refusal(tmp_path, *SMALL, "--training=tokens.toml")
    (tmp_path / "tokens.toml").write_text("phase = [{ steps = [" + "\n".join(there[:1] + back) + "] }]\n")
    assert "whose tokens no other one returns" in refusal(tmp_path, *SMALL, "--training=tokens.toml")
    (tmp_path / "tokens.toml").write_text(TOKENS.replace('"4KiB"', '"4MiB"'))
    assert "token: '4MiB' is not between 1 and the 262144 bytes of a rank" in refusal(tmp_path, *SMALL, "--training=tokens.toml")


def test_a_job_draws_the_same_tokens_alone(tmp_path):
    (tmp_path / "tokens.toml").write_text(TOKENS)
    head = "name,ranks,placement,arrival_ns,iterations,program\n"
    (tmp_path / "jobs.csv").write_text(head + "one,4,packed,0,1,tokens.toml\ntwo,4,packed,0,1,tokens.toml\n")
    sizes = {}
    for options in [], ["--onlyJob=one"], ["--onlyJob=two"]:
        fabric = "--topology=leaf-spine", "--leaves=2", "--hostsPerLeaf=4", "--algorithm=direct", "--cluster=jobs.csv"
        succeed(tmp_path, *fabric, *options)
        flows = rows(tmp_path, "flows")
        sizes["".join(options)] = sorted((row["source"], row["destination"], row["bytes"]) for row in flows)
    both = sizes.pop("")
    assert both == sorted(sum(sizes.values(), []))
    one, two = ([size for *_, size in found] for found in sizes.values())
    assert one != two


def test_nccl_is_no_algorithm_of_a_step(tmp_path):
    (tmp_path / "t.toml").write_text('phase = [{ steps = [{ collective = "all-reduce", bytes = 8, algorithm = "nccl" }] }]\n')
    found = refusal(tmp_path, *SMALL, "--training=t.toml")
    assert found == (
        "--training: t.toml:1: algorithm: nccl is no algorithm of a step, as it chooses protocols, too; --algorithm=nccl "
        "chooses for each step without an algorithm"
    )
