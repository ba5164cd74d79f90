# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Nodes of several GPUs: `--gpusPerNode`, `--nodeMapping`, `--placement`, `--jobRanks`, and two-level collectives."""

import csv
import json
import math
import os
from pathlib import Path

import pytest
from chakra_traces import ALL_REDUCE, COLLECTIVE, COMPUTE, node, trace
from ai_fabric import load
from ai_fabric.sweep import slowdown as slowdowns
from harness import PROGRAM, ROOT, call, call_with_memory, check_refusals, refusal, script, stderr_lines, succeed
from test_collectives import check_tables, rows

FABRIC = "--topology=leaf-spine", "--leaves=4", "--spines=4", "--hostsPerLeaf=4", "--rate=400Gb/s"
NODES = *FABRIC, "--gpusPerNode=4"
NODE_FABRIC = "--ns3::aifabric::NodeFabric::"
PCIE = "--ns3::aifabric::PcieReader::"


def pairs(folder):
    """Source and destination of all messages, and whether they used the network."""
    return {(int(row["source"]), int(row["destination"])): row["links"] != "0" for row in rows(folder, "flows")}


REFUSED = {
    "--gpusPerNode=3": "--gpusPerNode=3: a number that divides the 4 hosts of a leaf with --nodeMapping=rack",
    "--gpusPerNode=8": "--gpusPerNode=8: a number that divides the 4 hosts of a leaf with --nodeMapping=rack",
    "--gpusPerNode=8 --nodeMapping=rail": "--gpusPerNode=8: a number that divides the 4 leaves",
    "--gpusPerNode=0": "--gpusPerNode=0: ",
    "--nicsPerNode=2": "--nicsPerNode=2: only with --topology=leaf-spine and --gpusPerNode above 1",
    "--gpusPerNode=4 --nicsPerNode=8": "--nicsPerNode=8: at most the 4 GPUs of a node; 2 NICs a GPU are --planes=2 without this option",
    "--gpusPerNode=4 --nicsPerNode=3": "--nicsPerNode=3: a number that divides the 4 GPUs of a node",
    "--gpusPerNode=4 --nicsPerNode=0": "--nicsPerNode=0: a whole number from 1 to 128, or auto",
    "--gpusPerNode=4 --nicsPerNode=2 --fail=cables:0@0s": "--fail=cables:0@0s: after the colon, a number of them from 1 to 16",
    "--gpusPerNode=4 --nicsPerNode=2 --fail=switches:0@0s": "--fail=switches:0@0s: after the colon, a number of them from 1 to 4",
    "--gpusPerNode=12 --nodeMapping=rail --nicsPerNode=3": "--nicsPerNode=3: as many NICs as divide the 4 leaves",
    "--gpusPerNode=4 --nicsPerNode=2 --balancer=path-pinning": "--balancer=path-pinning: another one with --nicsPerNode",
    "--gpusPerNode=4 --nicsPerNode=2 --balancer=te": "--balancer=te: another one with --nicsPerNode",
    "--gpusPerNode=4 --nicsPerNode=2 --reachability=20us": "--reachability=20us: none with --nicsPerNode",
    "--gpusPerNode=4 --nicsPerNode=2 --stack=mrc --prober=30us --convergence=never": "--prober=30us: none with --nicsPerNode",
    "--gpusPerNode=8 --nicsPerNode=1": "--nicsPerNode=1: so many that the GPUs of a NIC, 8, divide the 4 hosts of a leaf",
    "--gpusPerNode=4 --nicsPerNode=2 --balancer=conga": "--balancer=conga: not in a fabric with other switches than leaves and spines",
    "--gpusPerNode=2 --nodeMapping=ring": "--nodeMapping=ring: one of rack, rail, or auto",
    "--nodeMapping=rail": "--nodeMapping=rail: only with --gpusPerNode above 1",
    f"{NODE_FABRIC}Rate=100Gb/s": f"{NODE_FABRIC}Rate=100Gb/s: only with --gpusPerNode above 1",
    f"--gpusPerNode=2 {NODE_FABRIC}Rate=0b/s": f"{NODE_FABRIC}Rate=0b/s: at least 1Mb/s",
    "--gpusPerNode=2 --workload=all-reduce --jobRanks=5": "--jobRanks=5: a multiple of the 2 GPUs of a node",
    "--workload=all-reduce --jobRanks=17": "--jobRanks=17: ",
    "--jobRanks=4": "--jobRanks=4: only with collectives",
    "--gpusPerNode=2 --workload=all-reduce --algorithm=atp": "--gpusPerNode=2: 1 with in-network aggregation",
    f"--planes=2 {PCIE}Rate=1Gb/s": f"{PCIE}Rate=1Gb/s: only with one plane",
    f"{PCIE}ReadCredits=32": f"{PCIE}ReadCredits=32: only with {PCIE}Latency",
    f"{PCIE}Rate=1Gb/s {PCIE}ReadBytes=256": f"{PCIE}ReadBytes=256: only with {PCIE}Latency",
    f"{PCIE}Latency=1us {PCIE}ReadBytes=32": f"{PCIE}ReadBytes=32: ",
}


def test_refused(tmp_path):
    check_refusals(tmp_path, REFUSED, *FABRIC)


def test_messages_within_a_node_do_not_use_the_network(tmp_path):
    (tmp_path / "flows.csv").write_text("start_ns,source,destination,bytes\n0,0,3,450000\n0,0,4,40960\n")
    results = succeed(tmp_path, *NODES, "--flows=flows.csv")["results"]
    assert pairs(tmp_path) == {(0, 3): False, (0, 4): True}
    assert results["data_packets"] == 10 and results["messages"] == 2
    inside, _ = rows(tmp_path, "flows")
    assert float(inside["received_ns"]) == 2000 and float(inside["completed_ns"]) == 3000  # 1 us, and twice 1 us
    options = f"{NODE_FABRIC}Rate=450Gb/s", f"{NODE_FABRIC}Latency=10ns"
    results = succeed(tmp_path, *NODES, "--flows=flows.csv", *options)["results"]
    assert float(rows(tmp_path, "flows")[0]["completed_ns"]) == 8020
    assert results["completion_bound_ns"] == results["cct_ns"] == 8020


def test_messages_within_a_node_need_no_admission(tmp_path):
    flows = "0,0,1,450000", "0,0,2,450000", "0,3,1,450000"
    (tmp_path / "flows.csv").write_text("\n".join(["start_ns,source,destination,bytes", *flows, ""]))
    results = succeed(tmp_path, *NODES, "--flows=flows.csv", "--receiverAdmission=2")["results"]
    assert results["policies"]["cts"] == results["policies"]["max_granted_bytes"] == results["packet_hops"] == 0
    assert sorted(float(row["received_ns"]) for row in rows(tmp_path, "flows")) == [2000, 3000, 3000]


def test_the_message_that_waits_longest_goes_first(tmp_path):
    """GPU 3 is free at 1000 ns: the message of 200 ns goes before that of 900 ns, whoever has sent more."""
    small = ["0,0,1,450"] * 100
    flows = [*small, "0,2,3,450000", "200,0,3,45000", "900,1,3,45000"]
    (tmp_path / "flows.csv").write_text("\n".join(["start_ns,source,destination,bytes", *flows, ""]))
    succeed(tmp_path, *NODES, "--flows=flows.csv")
    received = [float(row["received_ns"]) for row in rows(tmp_path, "flows")]
    assert received[-2:] == [2100, 2200]


def test_nothing_uses_the_network(tmp_path):
    (tmp_path / "flows.csv").write_text("start_ns,source,destination,bytes\n0,0,3,450000\n")
    results = succeed(tmp_path, *NODES, "--flows=flows.csv")["results"]
    assert results["data_packets"] == results["retransmissions"] == results["packet_hops"] == 0
    assert results["cct_ns"] == results["bound_ns"] == 3000


def test_rails(tmp_path):
    """GPU g of each node is at leaf g."""
    summary = succeed(tmp_path, *NODES, "--nodeMapping=rail", "--workload=all-to-all", "--size=4kB")
    inside = {pair for pair, uses in pairs(tmp_path).items() if not uses}
    assert inside == {(a, b) for a in range(16) for b in range(16) if a % 4 == b % 4 and a != b}
    assert summary["scenario"]["nodeMapping"] == "rail"
    assert summary["results"]["cct_ns"] >= summary["results"]["completion_bound_ns"] > 0


def test_one_gpu_a_node_changes_nothing(tmp_path):
    for workload in ("permutation", "all-reduce"):
        usual, one = (succeed(tmp_path, *FABRIC, f"--workload={workload}", "--size=64kB", *more)["results"]
                      for more in ([], ["--gpusPerNode=1"]))  # fmt: skip
        for name in ("cct_ns", "events", "bound_ns", "packet_hops", "layers"):
            assert usual[name] == one[name]


@pytest.mark.parametrize("mapping", ["rack", "rail"])
@pytest.mark.parametrize("algorithm", ["auto", "node-ring", "ring", "direct"])
@pytest.mark.parametrize("kind", ["all-reduce", "all-gather", "reduce-scatter", "broadcast"])
def test_collectives(tmp_path, kind, algorithm, mapping):
    options = f"--workload={kind}", f"--algorithm={algorithm}", f"--nodeMapping={mapping}", "--size=256kB"
    summary = succeed(tmp_path, *NODES, *options, "--repeat=2", "--channels=2")
    check_tables(tmp_path, summary)
    results = summary["results"]
    assert results["completion_bound_ns"] <= results["cct_ns"]
    assert results["collectives"]["sum_of_bounds_ns"] <= results["collectives"]["sum_of_times_ns"]
    assert summary["scenario"]["algorithm"] == algorithm.replace("auto", "two-level")
    index = (lambda host: host % 4) if mapping == "rack" else (lambda host: host // 4)
    across = {pair for pair, uses in pairs(tmp_path).items() if uses}
    if algorithm == "auto":
        assert across and all(index(a) == index(b) for a, b in across)
        assert {index(a) for a, _ in across} == set(range(4))


def test_all_to_all_stays_on_its_rail(tmp_path):
    options = "--workload=all-to-all", "--algorithm=two-level", "--size=16kB"
    results = succeed(tmp_path, *NODES, *options)["results"]
    across = {pair for pair, uses in pairs(tmp_path).items() if uses}
    assert across == {(a, b) for a in range(16) for b in range(16) if a % 4 == b % 4 and a != b}
    assert results["completion_bound_ns"] <= results["cct_ns"]


def test_two_levels_are_faster_than_a_ring(tmp_path):
    """Of an all-reduce, a NIC carries a quarter of what it carries with one ring over all ranks."""
    options = *NODES, "--workload=all-reduce", "--size=8MiB", "--balancer=rsq"
    times = {name: succeed(tmp_path, *options, f"--algorithm={name}")["results"]["cct_ns"]
             for name in ("ring", "two-level", "node-ring")}  # fmt: skip
    assert 2.5 < times["ring"] / times["two-level"] < 5
    assert 2.5 < times["ring"] / times["node-ring"] < 5


def test_two_levels_work_at_the_same_time(tmp_path):
    """With chunks the slower stage decides, not the sum of both: 2 nodes of 8 GPUs, 100 Gb/s each."""
    fabric = "--topology=leaf-spine", "--leaves=2", "--spines=8", "--hostsPerLeaf=8", "--rate=100Gb/s"
    options = *fabric, "--gpusPerNode=8", "--workload=all-reduce", "--balancer=rsq"
    times = {chunks: succeed(tmp_path, *options, f"--chunks={chunks}", "--size=64MiB")["results"]["cct_ns"]
             for chunks in ("auto", "1", "8")}  # fmt: skip
    assert times["auto"] == times["8"] < 0.8 * times["1"]
    few = [succeed(tmp_path, *options, f"--chunks={chunks}", "--size=4KiB")["results"]["cct_ns"]
           for chunks in ("auto", "1")]  # fmt: skip
    assert few[0] == few[1]  # a chunk would be shorter than the links are long


def test_uneven_nodes(tmp_path):
    """Two levels refuse them; auto takes as many rings as the smallest node has GPUs."""
    (tmp_path / "map.txt").write_text("0\n1\n4\n")
    options = *NODES, "--workload=all-reduce", "--placement=map.txt", "--size=3kB"
    run = call(tmp_path, *options, "--algorithm=two-level", "--out=out")
    assert run.returncode == 1
    assert "the node of rank 2 has 1 ranks, and that of rank 0 has 2; nodes need equally many" in run.stderr
    assert len(stderr_lines(run)) == 1
    for algorithm, more in ("node-ring", []), ("ring", ["--algorithm=ring"]):
        assert succeed(tmp_path, *options, *more)["scenario"]["algorithm"] == algorithm
        assert pairs(tmp_path) == {(0, 1): False, (1, 4): True, (4, 0): True}


def test_uneven_nodes_use_the_nics_of_the_smallest(tmp_path):
    """Nodes of 4 and 6 GPUs, four times the bandwidth of a ring that crosses the network by one NIC."""
    (tmp_path / "map.txt").write_text("".join(f"{host}\n" for host in (*range(4), *range(8, 14))))
    fabric = "--topology=leaf-spine", "--leaves=2", "--hostsPerLeaf=8", "--spines=8", "--gpusPerNode=8", "--balancer=rsq"
    options = *fabric, "--rate=100Gb/s", "--workload=all-reduce", "--placement=map.txt", "--size=16MiB"
    rate = {}
    for algorithm in ("auto", "ring", "node-tree"):
        succeed(tmp_path, *options, f"--algorithm={algorithm}")
        rate[algorithm] = float(rows(tmp_path, "collectives")[0]["bus_bandwidth_gbps"])
    assert 95 < rate["ring"] < 100 and 370 < rate["auto"] < 400
    assert rate["node-tree"] > 400  # of two nodes: the bus bandwidth knows no nodes


def test_a_tree_of_two_nodes_keeps_the_nics_busy(tmp_path):
    """Each sends an eighth of the data, half of it up one tree and half down the other, so that the bus bandwidth is
    2 * 15 / 16 of eight NICs; NVLink is no limit."""
    fabric = "--topology=leaf-spine", "--leaves=2", "--hostsPerLeaf=8", "--spines=8", "--gpusPerNode=8", "--rate=100Gb/s"
    tree = "--workload=all-reduce", "--algorithm=node-tree", "--size=128MiB", "--balancer=host-dr"
    succeed(tmp_path, *fabric, *tree, "--nvlink=h100")
    rate = float(rows(tmp_path, "collectives")[0]["bus_bandwidth_gbps"])
    assert 0.9 < rate / (8 * 100 * 2 * 15 / 16) < 0.97  # headers take 4 %


def test_even_and_uneven_communicators(tmp_path):
    """auto chooses for each communicator."""
    (tmp_path / "groups.txt").write_text("0 1 2 3 4 5 6 7\n8 9 12\n")
    options = *NODES, "--workload=all-reduce", "--communicators=groups.txt", "--size=64kB"
    summary = succeed(tmp_path, *options)
    assert summary["scenario"]["algorithm"] == "two-level"
    assert [row["algorithm"] for row in rows(tmp_path, "collectives")] == ["two-level", "node-ring"]


def test_placements(tmp_path):
    options = *FABRIC, "--gpusPerNode=2", "--workload=all-reduce", "--size=64kB", "--algorithm=ring"

    def ring(*more):
        succeed(tmp_path, *options, *more)
        order, follow = [0], pairs(tmp_path)
        following = dict(follow)
        assert len(following) == len(set(a for a, _ in following))
        hosts = dict(following.keys())
        order = [min(hosts)]
        while hosts[order[-1]] != order[0]:
            order.append(hosts[order[-1]])
        assert len(order) == len(hosts)
        return order

    assert ring("--placement=packed") == ring() == list(range(16))
    assert ring("--placement=packed", "--jobRanks=6") == list(range(6))
    first = ring("--placement=fragmented", "--jobRanks=8")
    assert sorted(first) == [0, 1, 4, 5, 8, 9, 12, 13]  # one node of each rack
    scattered = {tuple(ring("--placement=random", "--jobRanks=8", f"--RngSeed={seed}")) for seed in (1, 2, 3)}
    assert len(scattered) > 1
    assert all(host ^ 1 in order for order in scattered for host in order)  # both GPUs of each node
    assert ring("--placement=random", "--RngSeed=5") == ring("--placement=random", "--RngSeed=5")


def test_two_placements_of_jobs_are_refused(tmp_path):
    (tmp_path / "map.txt").write_text("0\n1\n")
    run = call(tmp_path, *FABRIC, "--workload=all-reduce", "--placement=map.txt", "--jobRanks=2", "--out=out")
    assert stderr_lines(run)[0].startswith("ai-fabric-run: --jobRanks=2: auto with a file of --placement")


JOBS = """name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns
first,8,fragmented,0,all-reduce,400000,3,2000
second,6,packed,10000,all-gather,100000,2,0
"""


def test_several_jobs(tmp_path):
    (tmp_path / "jobs.csv").write_text(JOBS)
    options = *FABRIC, "--gpusPerNode=2", "--cluster=jobs.csv", "--balancer=host-dr"  # paths apart from those of others
    summary = succeed(tmp_path, *options)
    first, second = summary["results"]["jobs"]
    assert sorted(first["hosts"]) == [0, 1, 4, 5, 8, 9, 12, 13]  # one node of each rack
    assert second["hosts"] == [2, 3, 6, 7, 10, 11]
    assert first["collectives"] == 3 and second["collectives"] == 2
    assert second["arrival_ns"] == 10000 and second["jct_ns"] == pytest.approx(second["end_ns"] - 10000)
    assert first["jct_ns"] > 3 * 2000 + 2 * first["mean_collective_ns"]
    table = rows(tmp_path, "collectives")
    assert [row["name"] for row in table].count("first") == 3
    assert summary["results"]["cct_ns"] >= max(first["end_ns"], second["end_ns"])
    assert summary["results"]["completion_bound_ns"] <= summary["results"]["cct_ns"]
    alone = succeed(tmp_path, *options, "--onlyJob=first")["results"]["jobs"]
    assert len(alone) == 1 and alone[0]["hosts"] == first["hosts"]  # as among all
    assert alone[0]["jct_ns"] <= first["jct_ns"]


KINDS_OF_JOBS = """name,ranks,placement,arrival_ns,program,collective,bytes,iterations,compute_ns,after
toml,4,packed,0,pipe.toml,,,2,,
trace,4,packed,1000,trace,,,1,,
plain,4,fragmented,0,,all-reduce,400000,2,5000,
next,2,packed,0,pipe.toml,,,1,,plain
last,2,packed,99000000,,all-gather,100000,1,0,next
"""
PIPE = """phase = [{ steps = [
  { compute = "3us" }, { name = "m", from = 0, to = 1, bytes = 100000 }, { collective = "all-reduce", bytes = 90000 } ] }]
"""


def write_programs(folder):
    (folder / "in").mkdir()
    for name, text in ("jobs.csv", KINDS_OF_JOBS), ("pipe.toml", PIPE):
        (folder / "in" / name).write_text(text)
    nodes = node(1, COMPUTE, (), 7), node(2, COLLECTIVE, [1], comm_type=ALL_REDUCE, comm_size=90000)
    for rank in range(4):
        (folder / "in" / f"trace.{rank}.et").write_bytes(trace(nodes))
    return "--cluster=in/jobs.csv"


def test_a_job_without_time_is_not_slowed_down():
    pairs_of_times = (0, 0), (3, 2), (1, 0)
    assert [slowdowns.slowdown(*times) for times in pairs_of_times] == [1, 1.5, math.inf]


def test_jobs_of_all_kinds(tmp_path):
    """A job with a program takes as long as the program alone; one that follows another begins two link delays later."""
    options = *FABRIC, write_programs(tmp_path), "--balancer=host-dr"
    seen = []
    for how in [], ["--simulator=windows"], ["--threads=3"]:
        results = succeed(tmp_path, *options, *how)["results"]
        seen.append((results["jobs"], rows(tmp_path, "jobs"), rows(tmp_path, "flows"), rows(tmp_path, "collectives")))
        assert seen[-1] == seen[0], how
    jobs, table, flows, collectives = seen[0]
    by_name = {job["name"]: job for job in jobs}
    assert [row["name"] for row in table] == list(by_name)
    for row, job in zip(table, jobs):
        assert (int(row["ranks"]), int(row["collectives"])) == (len(job["hosts"]), job["collectives"])
        for key in "begin_ns", "end_ns", "jct_ns":
            assert float(row[key]) == job[key]
    assert [job["collectives"] for job in jobs] == [2, 1, 2, 1, 1]
    plain, after, last = (by_name[name] for name in ("plain", "next", "last"))
    assert after["begin_ns"] == plain["end_ns"] + 2 * 500 and last["begin_ns"] == 99e6 > after["end_ns"]
    alone = succeed(tmp_path, *options, "--onlyJob=next")["results"]["jobs"][0]
    assert alone["begin_ns"] == 0 and alone["hosts"] == after["hosts"]
    assert after["jct_ns"] == pytest.approx(alone["jct_ns"])
    first = min(float(row["start_ns"]) for row in flows if row["source"] == str(after["hosts"][0]) and row["bytes"] != "0")
    assert first == pytest.approx(plain["end_ns"] + 2 * 500 + 3000)
    assert [row["name"] for row in collectives].count("toml/all-reduce") == 2
    traces = succeed(tmp_path, *FABRIC, "--balancer=host-dr", "--chakra=in/trace")["results"]["cct_ns"]
    assert by_name["trace"]["jct_ns"] == pytest.approx(traces, rel=0.01)
    summary = succeed(tmp_path, *options)
    assert {Path(path).name for path in summary["inputs"]["cluster"]["sha256"]} == {
        "jobs.csv", "pipe.toml", *(f"trace.{rank}.et" for rank in range(4))
    }  # fmt: skip
    (tmp_path / "in" / "pipe.toml").write_text(PIPE + "\n")
    assert "pipe.toml is not what the run has read" in refusal(tmp_path, "--config=out/run.json")


def test_options_of_traces_hold_for_jobs(tmp_path):
    """Groups that traces name, in a file."""
    traces = ROOT / "scenarios/chakra"
    for file in traces.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "jobs.csv").write_text(KINDS_OF_JOBS.splitlines()[0] + "\ntraces,8,packed,0,layers,,,1,,\n")
    options = *FABRIC, "--balancer=host-dr", "--chakraGroups=groups.json"
    [job] = succeed(tmp_path, *options, "--cluster=jobs.csv")["results"]["jobs"]
    alone = succeed(tmp_path, *options, "--chakra=layers")["results"]["cct_ns"]
    assert job["jct_ns"] == pytest.approx(alone, rel=0.001)
    (tmp_path / "groups.json").write_text('{"all": [0, 9]}')
    blamed = refusal(tmp_path, *options, "--cluster=jobs.csv")
    assert "jobs.csv:2: --chakraGroups: groups.json: " in blamed
    (tmp_path / "jobs.csv").write_text(KINDS_OF_JOBS.splitlines()[0] + "\na,4,packed,0,,all-reduce,1,1,0,\n")
    assert refusal(tmp_path, *options, "--cluster=jobs.csv") == "--chakraGroups=groups.json: only with Chakra traces"


def test_programs_of_jobs_that_are_refused(tmp_path):
    write_programs(tmp_path)
    head = KINDS_OF_JOBS.splitlines()[0] + "\n"
    for row, words in {
        "a,4,packed,0,pipe.toml,all-reduce,,1,,": "jobs.csv:2: column collective: 'all-reduce' is not empty beside a program",
        "a,4,packed,0,in/pipe.toml,,,1,,": "column program: 'in/pipe.toml' is not the name of a file in the folder",
        "a,4,packed,0,,all-reduce,1,1,0,b": "column after: 'b' is not a job of a line before",
        "a,4,packed,0,none.toml,,,1,,": "--cluster: in/jobs.csv:2: in/none.toml: ",
        "a,3,packed,0,trace,,,1,,": "--cluster: ",
        "a,4,packed,0,trace,,,999999999,,": "column iterations",
        "a,8,packed,0,pipe.toml,,,1000000,,": "job a: 1000000 iterations are too many steps",
        "a,4,packed,0,barrier.toml,,,1,,": "--cluster: in/jobs.csv:2: without barrier in in/barrier.toml",
    }.items():
        (tmp_path / "in" / "barrier.toml").write_text("barrier = true\n" + PIPE)
        (tmp_path / "in" / "jobs.csv").write_text(head + row + "\n")
        assert words in (said := refusal(tmp_path, *FABRIC, "--cluster=in/jobs.csv")), said


REFUSED_JOBS = {
    "--onlyJob=third": "--onlyJob=third: the name of a job of the file",
    "--placement=packed": "--placement=packed: only with collectives, --workload=chakra and --workload=goal",
    "--size=1MiB": "--size=1MiB: not with --workload=cluster",
    "--gpusPerNode=4": "--cluster: job second: 6 ranks are not a multiple of the 4 GPUs of a node",
    "--iterations=2": "--iterations=2: 1 with --cluster, whose file has iterations",
}


def test_jobs_are_refused(tmp_path):
    (tmp_path / "jobs.csv").write_text(JOBS)
    check_refusals(tmp_path, REFUSED_JOBS, *FABRIC, "--cluster=jobs.csv")
    check_refusals(tmp_path, {"--onlyJob=first": "--onlyJob=first: only with --workload=cluster"}, *FABRIC)


def test_too_many_iterations_of_jobs_are_refused(tmp_path):
    header = JOBS.partition("\n")[0]
    (tmp_path / "jobs.csv").write_text(f"{header}\nlong,8,packed,0,all-reduce,65536,1000000,0\n")
    run = call_with_memory(tmp_path, 400_000, f"{' '.join(FABRIC)} --cluster=jobs.csv --check")
    assert run.returncode == 1
    [line] = stderr_lines(run)
    assert line.startswith("ai-fabric-run: --cluster=jobs.csv: ") and " messages need about " in line


def test_two_levels_are_not_three(tmp_path):
    inner = "TwoLevelAlgorithm::Inner", "ns3::aifabric::TwoLevelAlgorithm"
    options = "--gpusPerNode=2", "--workload=all-reduce", f"--ns3::aifabric::{inner[0]}={inner[1]}"
    for more in ([], ["--algorithm=two-level"]):
        said = refusal(tmp_path, *FABRIC, *options, *more)
        assert said.startswith(f"{inner[0]} is {inner[1]}; it has to be ")


def slowdown(folder, *arguments):
    return script("sweep.slowdown", "--program", PROGRAM, "--out=slow", *arguments, cwd=folder)


def test_slowdown_of_each_job(tmp_path):
    jobs = JOBS.replace("second,6,packed,10000,all-gather,100000", "second ,6,fragmented,0,all-gather,2000000")
    (tmp_path / "jobs.csv").write_text(" # two jobs\n" + jobs)
    options = *FABRIC, "--gpusPerNode=2", "--cluster=jobs.csv"
    run = slowdown(tmp_path, "--", *options)
    assert run.returncode == 0, run.stderr
    with open(tmp_path / "slow" / "slowdown.csv", newline="") as file:
        table = list(csv.DictReader(file))
    swapped = "\n".join(",".join([*line.split(",")[1:], line.split(",")[0]]) for line in jobs.splitlines())
    (tmp_path / "swapped.csv").write_text(swapped + "\n")  # the name is the last column
    other = slowdown(tmp_path, "--", *options[:-1], "--cluster=swapped.csv")
    assert other.returncode == 0 and other.stdout == run.stdout, other.stderr
    together = succeed(tmp_path, *options, "--RngRun=1")["results"]["jobs"]
    assert [row["name"] for row in table] == ["first", "second"]
    for row, job in zip(table, together):
        alone = succeed(tmp_path, *options, f"--onlyJob={row['name']}", "--RngRun=1")["results"]["jobs"][0]
        assert int(row["ranks"]) == len(job["hosts"])
        assert float(row["jct_ns"]) == job["jct_ns"] and float(row["alone_jct_ns"]) == alone["jct_ns"]
        assert float(row["slowdown"]) == pytest.approx(job["jct_ns"] / alone["jct_ns"], abs=1e-6)
        assert row["name"] in run.stdout
    assert any(float(row["slowdown"]) > 1.01 for row in table)


def test_a_job_that_waits_is_not_slowed_down_by_it(tmp_path):
    """It begins when its last host knows that the other one has ended, which takes a message."""
    head = "name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns,after\n"
    (tmp_path / "jobs.csv").write_text(head + "a,8,packed,0,all-reduce,100000,2,5000,\nb,8,packed,0,all-reduce,100000,2,5000,a\n")
    run = slowdown(tmp_path, "--", "--topology=leaf-spine", "--leaves=4", "--hostsPerLeaf=4", "--cluster=jobs.csv")
    assert run.returncode == 0, run.stderr
    with open(tmp_path / "slow" / "slowdown.csv", newline="") as file:
        assert [float(row["slowdown"]) for row in csv.DictReader(file)] == pytest.approx([1, 1], abs=2e-4)


def test_slowdown_refuses(tmp_path):
    (tmp_path / "jobs.csv").write_text(JOBS)
    for arguments, line in (
        (FABRIC, "neither --cluster=FILE nor --background=KIND after --; jobs or flows that slow down are needed"),
        (["--cluster=none.csv"], "--cluster=none.csv: No such file or directory"),
        (["--cluster=jobs.csv", "--onlyJob=first"], "--onlyJob=first: each job is run alone anyway"),
        (["--cluster=jobs.csv", "--rate=x"], "--rate=x: a rate with its unit"),
    ):
        run = slowdown(tmp_path, "--", *arguments)
        assert run.returncode == 1 and run.stderr.startswith("slowdown: " + line)
        assert len(run.stderr.splitlines()) == 1


def test_a_job_that_was_aborted_has_no_slowdown(tmp_path):
    (tmp_path / "jobs.csv").write_text(JOBS)
    options = "--gpusPerNode=2", "--cluster=jobs.csv", "--fail=leaf-0@1us", "--onFailure=abort"
    run = slowdown(tmp_path, "--", *FABRIC, *options)
    said = "slowdown: all jobs: aborted, as a queue pair failed; there is no completion time"
    assert run.returncode == 1 and run.stderr.splitlines()[-1] == said and not (tmp_path / "slow/slowdown.csv").exists()


def test_a_file_of_jobs_is_a_regular_file(tmp_path):
    os.mkfifo(tmp_path / "jobs.csv")  # nobody writes into it
    assert refusal(tmp_path, *FABRIC, "--cluster=jobs.csv") == "--cluster: jobs.csv: cannot be read"


@pytest.mark.parametrize(
    "options, gbps",
    [
        ([f"{PCIE}Rate=280Gb/s"], 280),
        ([f"{PCIE}Latency=1us", f"{PCIE}ReadCredits=32"], 32 * 512 * 8 / 1000),
        ([f"{PCIE}Rate=100Gb/s", f"{PCIE}Latency=1us", f"{PCIE}ReadCredits=32"], 100),
        ([f"{PCIE}Rate=500Gb/s", f"{PCIE}Latency=1us", f"{PCIE}ReadCredits=256"], 400 * 4096 / 4178),
    ],
)
def test_pcie_limits_the_rate(tmp_path, options, gbps):
    """The time of 4 MB more is that of the payload at the least of the port, the bus and the credits."""
    times = []
    for size in (4_000_000, 8_000_000):
        (tmp_path / "flows.csv").write_text(f"start_ns,source,destination,bytes\n0,0,4,{size}\n")
        times.append(succeed(tmp_path, *FABRIC, "--flows=flows.csv", *options)["results"]["cct_ns"])
    assert times[1] - times[0] == pytest.approx(32_000_000 / gbps, rel=1e-3)


def test_pcie_that_limits_nothing_changes_nothing(tmp_path):
    usual = succeed(tmp_path, *FABRIC, "--size=64kB")["results"]
    fast = succeed(tmp_path, *FABRIC, "--size=64kB", f"{PCIE}Rate=0b/s", f"{PCIE}ReadCredits=0", f"{PCIE}Latency=0s")
    for name in ("cct_ns", "events", "bound_ns", "packet_hops", "layers"):
        assert usual[name] == fast["results"][name]


def test_a_capture_does_not_change_what_pcie_does(tmp_path):
    """Departures are decided late, or at once: a NIC reads the same."""
    options = *FABRIC, "--workload=all-to-all", "--size=64kB", f"{PCIE}Rate=280Gb/s", f"{PCIE}Latency=300ns"
    usual, captured = (succeed(tmp_path, *options, *more)["results"] for more in ([], ["--pcap=host-0"]))
    for name in ("cct_ns", "bound_ns", "packet_hops", "layers"):
        assert usual[name] == captured[name]


def test_jobs_that_have_not_ended_have_no_end(tmp_path):
    """A host of the first job is cut off; another job awaits the first."""
    (tmp_path / "jobs.csv").write_text(
        "name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns,after\n"
        "a,8,packed,0,all-reduce,1000000,2,1000,\n"
        "b,4,packed,0,all-reduce,1000000,2,1000,\n"
        "c,2,packed,0,all-reduce,1000,1,1,a\n"
    )
    options = "--k=4 --cluster=jobs.csv --recovery=sack --convergence=never --ns3::aifabric::RcQueuePair::RetryTime=100us"
    run = call(tmp_path, *options.split(), "--fail=host-0:0--pod0-edge-0:0@1us", "--out=out")
    assert run.returncode == 3
    jobs = json.loads((tmp_path / "out/run.json").read_text())["results"]["jobs"]
    assert [(job["begin_ns"], job["jct_ns"]) for job in jobs[::2]] == [(0, None), (None, None)] and jobs[1]["jct_ns"] > 0
    rows = [line.split(",") for line in (tmp_path / "out/jobs.csv").read_text().splitlines()[1:]]
    assert [row[2:5] for row in rows[::2]] == [["0.000", "", ""], ["", "", ""]] and float(rows[1][4]) > 0
    pytest.importorskip("pandas")
    assert list(load(tmp_path / "out").table("jobs").jct_ns.isna()) == [True, False, True]


NICS = "--topology=leaf-spine --leaves=4 --spines=8 --hostsPerLeaf=8 --rate=400Gb/s --gpusPerNode=8 --balancer=host-dr".split()


def test_gpus_that_share_a_nic_share_its_rate(tmp_path):
    """With 4 NICs of 8 GPUs an all-reduce takes twice as long, with 16 (two planes) half; all are near their bounds."""
    times, bounds = [], []
    fast = f"{NODE_FABRIC}Rate=36000Gb/s"  # so that NICs alone count
    for more in ["--planes=2"], [], ["--nicsPerNode=4"], ["--nicsPerNode=2"]:
        results = succeed(tmp_path, *NICS, "--workload=all-reduce", "--size=64MiB", fast, *more)["results"]
        (row,) = rows(tmp_path, "collectives")
        times.append(results["cct_ns"])
        bounds.append(float(row["bound_ns"]))
        assert bounds[-1] <= results["completion_bound_ns"] < times[-1] < 1.2 * bounds[-1], more
    assert [b / a for a, b in zip(bounds, bounds[1:])] == pytest.approx([2, 2, 2])
    assert [b / a for a, b in zip(times, times[1:])] == pytest.approx([2, 2, 2], rel=0.1)
    run = call(tmp_path, *NICS, "--nicsPerNode=4", "--workload=all-reduce", "--size=1MiB", "--out=out")
    assert ", 400 Gb/s a host, 2 of which share a NIC of 400 Gb/s\n" in run.stdout
    assert {row["layer"] for row in rows(tmp_path, "layers")} >= {"host-up", "nic-up", "leaf-up", "spine-down", "nic-down"}
    summary = succeed(tmp_path, *NICS, "--nicsPerNode=4", "--workload=permutation")["results"]["uplink_utilization"]
    shares = [float(row["utilization"]) for row in rows(tmp_path, "links") if row["layer"] == "leaf-up"]
    assert summary["mean"] == pytest.approx(sum(shares) / len(shares))


def test_buffers_of_spines_are_not_those_of_leaves(tmp_path):
    """A leaf has 12 ports here, a spine 4."""
    options = *NICS, "--nicsPerNode=4", "--admission=shared", "--size=64KiB"
    assert succeed(tmp_path, *options, "--buffer=10MB", "--spineBuffer=600MB")["results"]["drops"] == 0
    assert "--buffer=600MB: for all 12 ports" in refusal(tmp_path, *options, "--buffer=600MB", "--spineBuffer=10MB")


def test_nccl_reckons_with_the_share_of_a_nic(tmp_path):
    """Of two NICs for eight GPUs each GPU has a quarter of a rate."""
    chosen = []
    for nics in ["--nicsPerNode=2"], ["--rate=100Gb/s"], []:
        options = [option for option in NICS if not (nics and option.startswith(nics[0][:7]))]
        nccl = "--workload=all-reduce", "--size=8MiB", "--nvlink=h100", "--algorithm=nccl", "--protocol=nccl"
        succeed(tmp_path, *options, *nics, *nccl)
        chosen.append([(row["algorithm"], row["protocol"]) for row in rows(tmp_path, "collectives")])
    assert chosen[0] == chosen[1] != chosen[2]


def test_a_gpu_alone_has_all_of_its_nic_and_a_nic_fails_with_its_gpus(tmp_path):
    (tmp_path / "one.csv").write_text("start_ns,source,destination,bytes\n0,0,8,40000000\n")
    (tmp_path / "two.csv").write_text("start_ns,source,destination,bytes\n0,0,8,40000000\n0,1,10,40000000\n")
    one, two = (succeed(tmp_path, *NICS, "--nicsPerNode=4", f"--flows={file}.csv")["results"] for file in ("one", "two"))
    assert two["cct_ns"] == pytest.approx(2 * one["cct_ns"], rel=0.02)
    assert two["cct_ns"] == pytest.approx(two["completion_bound_ns"], rel=0.01)
    cut = "--nicsPerNode=4", "--flows=two.csv", "--fail=nic-0--leaf-0*0.5@0s"
    assert succeed(tmp_path, *NICS, *cut)["results"]["increase_percent"] == pytest.approx(0, abs=1)
    dead = refusal(tmp_path, *NICS, *cut[:2], "--fail=nic-0@0s", "--convergence=0s")
    assert "host-0 has none to host-8" in dead or "host-1 has none to host-10" in dead


@pytest.mark.parametrize("more", [
    "--stack=mrc", "--stack=roce", "--balancer=ofan", "--balancer=prime", "--nodeMapping=rail", "--planes=2 --stack=uec",
    "--workload=all-to-all --algorithm=two-level", "--cluster=jobs.csv", "--forwarding=srv6 --stack=mrc", "--fabricRate=800Gb/s",
])
def test_all_goes_with_shared_nics(tmp_path, more):
    (tmp_path / "jobs.csv").write_text(
        "name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns\na,16,fragmented,0,all-reduce,800000,2,0\n"
    )
    workload = [] if "cluster" in more or "workload" in more else ["--workload=all-reduce"]
    fabric = [option for option in NICS if not option.startswith("--balancer")]
    results = succeed(tmp_path, *fabric, "--nicsPerNode=4", *workload, *more.split())["results"]
    assert 0 < results["completion_bound_ns"] <= results["cct_ns"] and results["failed_messages"] == 0
