# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Switches add up the gradients of a training iteration, and messages do all else."""

import math
import shlex

import laws
import pytest
from harness import PROGRAM, ROOT, check_refusals, needs_program, rows, snapshot, succeed
from law_scenarios import Scenario

pytestmark = needs_program
SYSTEMS = "esa", "atp", "switchml"
VALUES = {"esa": 62, "atp": 62, "switchml": 64}  # of 4 bytes, in a packet
RACKS = "--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=5 --rate=100Gb/s".split()
NODES = "--topology=leaf-spine --leaves=2 --spines=4 --hostsPerLeaf=8 --gpusPerNode=4 --rate=400Gb/s".split()
GROUP = '[[communicator]]\nname = "group"\nhosts = "0-8"\n'
ONE = GROUP + """[[phase]]
steps = [ { compute = "10us", on = "group" }, { collective = "all-reduce", bytes = "300KiB", on = "group" } ]
"""
DENSE = """[parallelism]
tp = 4
pp = 2
microbatches = 2
gradients = "%s"
[model]
layers = [{ name = "layer", repeat = 4, forward = "4us", tensor = "16KiB", parameters = "50kB" }]
activations = "16KiB"
"""
LAYERS, GROUPS, RANKS, BYTES = 2, 8, 2, 50000  # of a stage, of data parallel ranks, of these, of a layer
RESTS = {
    "ecmp": ["--balancer=ecmp"],
    "PRIME": ["--transport=spray", "--rateControl=nscc", "--admission=trimming", "--balancer=prime"],
    "MRC": ["--transport=mrc"],
    "steering": ["--steering=split", "--queuePairs=2"],
}


def write(folder, text=DENSE % "all-reduce", name="training.toml"):
    (folder / name).write_text(text)
    return f"--training={name}"


@pytest.mark.parametrize("system", ["esa", "atp"])
def test_marks_for_messages_do_not_slow_gradients(tmp_path, system):
    """Each would halve a window that expects marks at 80 kB: larger jobs took 30 times as long."""
    fabric = "--topology=leaf-spine --leaves=4 --spines=4 --hostsPerLeaf=8 --rate=400Gb/s --stack=uec --balancer=switch-ar".split()
    text = (DENSE % "all-reduce").replace("16KiB", "256KiB").replace("50kB", "1MiB").replace("repeat = 4", "repeat = 2")
    marked = *fabric, write(tmp_path, text), f"--algorithm={system}"
    option = "--ns3::aifabric::AtpWorker::ReactToMarks="
    usual, deaf, eager = (succeed(tmp_path, *marked, *more)["results"] for more in ([], [option + "false"], [option + "true"]))
    assert usual["cct_ns"] == deaf["cct_ns"] < eager["cct_ns"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_one_group_and_one_bucket_take_as_long_as_the_all_reduce_alone(tmp_path, system):
    """To the picosecond, with the same computation before it."""
    (tmp_path / "jobs.csv").write_text("bytes,layers,iterations,compute_ns,jitter,start_ns\n307200,1,1,10000,0,0\n")
    workers = [*range(9)] + [9] * (system != "switchml")  # the last one is the parameter server
    (tmp_path / "hosts.txt").write_text("".join(f"{host}\n" for host in workers))
    alone = succeed(tmp_path, *RACKS, f"--algorithm={system}", "--workload=all-reduce", "--jobs=jobs.csv", "--placement=hosts.txt")
    iteration = succeed(tmp_path, *RACKS, f"--algorithm={system}", write(tmp_path, ONE))
    assert iteration["results"]["cct_ns"] == alone["results"]["cct_ns"]
    sums = iteration["results"]["aggregation"]
    fragments = math.ceil(307200 / (4 * VALUES[system]))
    assert (sums["checked_sums"], sums["wrong_sums"]) == (9 * fragments, 0)
    for key in "filling_ns", "window", "completed", "server_packets_per_fragment":
        assert sums[key] == alone["results"]["aggregation"][key], key
    assert rows(tmp_path, "collectives")[0]["algorithm"] == system


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("rest", RESTS)
def test_sums_are_right_and_all_else_is_messages(tmp_path, system, rest):
    """Each rank checks each sum. Other collectives have the messages that they have without aggregation."""
    what = "collective", "name", "kind", "ranks", "bytes"
    job = write(tmp_path)
    succeed(tmp_path, *NODES, *RESTS[rest], job)
    by_messages = {tuple(row[key] for key in what[1:]): row["messages"] for row in rows(tmp_path, "collectives")}
    results = succeed(tmp_path, *NODES, *RESTS[rest], job, f"--algorithm={system}", "--iterations=2")["results"]
    sums = results["aggregation"]
    fragments = math.ceil(BYTES / (4 * VALUES[system]))
    assert sums["wrong_sums"] == 0 and sums["checked_sums"] == 2 * GROUPS * RANKS * LAYERS * fragments
    assert [job["workers"] for job in sums["jobs"]] == [RANKS] * GROUPS
    collectives = rows(tmp_path, "collectives")
    in_switches = [row for row in collectives if row["algorithm"] == system]
    assert len(in_switches) == 2 * GROUPS * LAYERS and {row["name"] for row in in_switches} == {"gradients"}
    assert {row["messages"] for row in in_switches} == {"0"}
    for row in collectives:
        if row["algorithm"] != system:
            assert row["messages"] == by_messages[tuple(row[key] for key in what[1:])], row
    sent = sum(int(row["messages"]) for row in collectives)
    assert len(rows(tmp_path, "flows")) - sent == 2 * 2 * 16  # activations of two microbatches, there and back


@pytest.mark.parametrize("system", SYSTEMS)
def test_windows_have_the_results_of_a_list_of_events(tmp_path, system):
    options = *NODES, *RESTS["PRIME"], write(tmp_path), f"--algorithm={system}"
    windows = snapshot(tmp_path, *options)
    assert windows == snapshot(tmp_path, *options, "--simulator=events", ignore={"simulator"})
    assert windows == snapshot(tmp_path, *options)


@pytest.mark.parametrize("system", SYSTEMS)
def test_laws_hold_with_losses(system):
    """Also with a slot for each eighth fragment, and a cable that is cut for some time."""
    faults = "--fail=cables:1%0.01@0s,spine-0@10us-300us", "--transport=spray", "--balancer=rsq"
    slots = [] if system == "switchml" else ["--slots=300"]
    options = *NODES, *faults, *slots, f"--algorithm={system}", "--training=training.toml"
    scenario = Scenario([*options], {"training.toml": DENSE % "all-reduce"}, False, [])
    run = laws.Run(PROGRAM, scenario)
    assert run.outcome() == "completed" and run.summary()["results"]["link_losses"] > 0
    for law in laws.LAWS:
        law(run, scenario)


@pytest.mark.parametrize("other", ["all-reduce", "all-gather"])
def test_jobs_of_a_cluster_share_the_slots(tmp_path, other):
    """A job without sums sends messages beside them."""
    write(tmp_path, DENSE.replace("tp = 4\npp = 2", "tp = 2") % "all-reduce", "job.toml")
    (tmp_path / "cluster.csv").write_text(
        "name,ranks,placement,arrival_ns,program,collective,bytes,iterations,compute_ns\n"
        f"a,8,fragmented,0,job.toml,,,1,\nb,8,fragmented,1000,,{other},50000,2,1000\n"
    )
    sums = succeed(tmp_path, *NODES, "--cluster=cluster.csv", "--algorithm=switchml")["results"]["aggregation"]
    assert sums["wrong_sums"] == 0 < sums["checked_sums"]
    assert {row["algorithm"] for row in rows(tmp_path, "collectives")} >= {"switchml"}


def test_priorities_are_those_of_an_iteration(tmp_path):
    """How many iterations a job has changes nothing in its first one, in which jobs wait for slots of each other."""
    first = {}
    for iterations in 1, 3:
        (tmp_path / "cluster.csv").write_text(
            "name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns\n"
            f"a,4,fragmented,0,all-reduce,200000,1,100000\nb,4,fragmented,0,all-reduce,200000,{iterations},100000\n"
        )
        sums = succeed(tmp_path, *RACKS, "--cluster=cluster.csv", "--algorithm=esa", "--slots=50")["results"]["aggregation"]
        times = [(row["name"], row["start_ns"], row["end_ns"]) for row in rows(tmp_path, "collectives")]
        assert sums["preemptions"] > 0 and len(times) == 1 + iterations
        first[iterations] = times[:2]
        assert all(float(end) < float(begin) for _, _, end in times[:2] for _, begin, _ in times[2:])
    assert first[1] == first[3]


def test_a_control_names_the_stack_of_the_messages(tmp_path):
    """As without sums in switches."""
    options = [*NODES, write(tmp_path), "--rateControl=hpcc"]
    for algorithm in "auto", *SYSTEMS:
        scenario = succeed(tmp_path, *options, f"--algorithm={algorithm}")["scenario"]
        assert (scenario["recovery"], scenario["admission"]) == ("go-back-n", "shared"), algorithm


def test_what_switches_cannot_do_is_refused(tmp_path):
    write(tmp_path)
    write(tmp_path, "num_ranks 2\nrank 0 {\nl1: send 1000b to 1 tag 1\n}\nrank 1 {\nl1: recv 1000b from 0 tag 1\n}\n", "job.goal")
    write(tmp_path, DENSE % "reduce-scatter", "zero.toml")
    write(tmp_path, GROUP.replace("0-8", "0-9") + ONE.removeprefix(GROUP), "all.toml")
    write(tmp_path, '[parallelism]\n[model]\nlayers = [{ parameters = "4MiB" }]\n', "wide.toml")
    write(tmp_path, '[parallelism]\n[model]\nlayers = [{ parameters = "64GiB", repeat = 16 }]\n', "long.toml")
    nodes, racks = " ".join(NODES), " ".join(RACKS)
    many = "--topology=leaf-spine --leaves=3 --spines=2 --hostsPerLeaf=11"
    check_refusals(tmp_path, {
        f"{nodes} --training=zero.toml --algorithm=esa": "--algorithm=esa: an algorithm of messages: the file of --training has no",
        f"{nodes} --goal=job.goal --algorithm=esa": "--algorithm=esa: an algorithm of messages: the file of --goal has no",
        f"{nodes} --flows=flows.csv --algorithm=esa": "--algorithm=esa: one for --workload=flows",
        f"{many} --training=wide.toml --algorithm=esa": "has 33 ranks, and the bitmap of esa 32 bits",
        f"{many} --training=wide.toml --algorithm=switchml": "has 33 ranks, and the bitmap of switchml 32 bits",
        f"{racks} --training=all.toml --algorithm=atp": "communicator 'group' has all hosts",
        f"{racks} --training=long.toml --algorithm=switchml": "less than 2^32 packets of 256 bytes",
        f"{nodes} --training=training.toml --algorithm=esa --parameterServers=0": "a host that is no rank of communicator",
        f"{nodes} --training=training.toml --algorithm=esa --parameterServers=16": "hosts from 0 to 15",
        f"{nodes} --training=training.toml --algorithm=switchml --parameterServers=1": "only with --algorithm=atp or esa",
        f"{nodes} --training=training.toml --slots=100": "only with --algorithm=atp, switchml or esa",
        f"{nodes} --training=training.toml --algorithm=switchml --slots=8": "--slots=8: at least two for each of the jobs",
        f"{nodes} --training=training.toml --algorithm=esa --planes=2": "--planes=2: 1 with in-network aggregation",
        f"{nodes} --training=training.toml --algorithm=esa --acks=bypass": "--acks=bypass: fabric",
        f"{nodes} --training=training.toml --algorithm=esa --threads=2": "--threads=2: 1 with in-network aggregation",
        f"{nodes} --training=training.toml --algorithm=esa --onFailure=restart": "continue or stop with in-network aggregation",
        f"{nodes} --training=training.toml --algorithm=esa --fidelity=fluid": "--fidelity=fluid: ",
        f"{nodes} --training=training.toml --algorithm=esa --ns3::aifabric::AggregationDriver::LeastLog=-9": "LeastLog=-9: ",
    })


def test_the_command_of_the_page_runs(tmp_path):
    page = (ROOT / "doc/aggregation.rst").read_text()
    text = page[page.index("on the same links::"):].split("\n\n")[1].replace("\\\n", " ")
    words = [word.replace("=scenarios/", f"={ROOT}/scenarios/") for word in shlex.split(text)]
    assert words[0] == "ai-fabric-run"
    sums = succeed(tmp_path, *words[1:])["results"]["aggregation"]
    assert sums["wrong_sums"] == 0 < sums["checked_sums"]
