# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""NVLink SHARP: switches of nodes add up and copy, `--algorithm=nvls`; and short names in attributes."""

import pytest
from harness import COST, check_refusals, needs_program, refusal, rows, succeed

pytestmark = needs_program

NODE = "--topology=leaf-spine", "--leaves=1", "--spines=1", "--workload=all-reduce", "--nvlink=h100"
NODES = "--topology=leaf-spine", "--leaves=2", "--spines=4", "--hostsPerLeaf=4", "--gpusPerNode=4", "--rate=400Gb/s"
ALONE = "--topology=leaf-spine", "--leaves=1", "--spines=1", "--hostsPerLeaf=8", "--gpusPerNode=8", "--rate=100Gb/s"
RATE = 370.8  # GB/s of --nvlink=h100
SHARE = 0.85  # NodeFabric::SwitchShare
SIZE = 1 << 30
INNER = "ns3::aifabric::TwoLevelAlgorithm::Inner"


def run(folder, *options):
    """A run: the row of its collective."""
    succeed(folder, *options)
    [row] = rows(folder, "collectives")
    assert float(row["bound_ns"]) <= float(row["duration_ns"])
    return row


@pytest.mark.parametrize("gpus", [2, 4, 8])
def test_bytes_of_a_gpu(tmp_path, gpus):
    """An all-reduce of S bytes moves S (1 + 1 / n) up and down at each GPU, a ring 2 S (n - 1) / n."""
    node = *NODE, f"--hostsPerLeaf={gpus}", f"--gpusPerNode={gpus}", f"--size={SIZE}"
    times = {name: float(run(tmp_path, *node, f"--algorithm={name}")["duration_ns"]) for name in ("nvls", "node-ring")}
    assert times["nvls"] == pytest.approx(SIZE * (1 + 1 / gpus) / (SHARE * RATE), rel=0.04)
    assert times["nvls"] > SIZE * (1 + 1 / gpus) / (SHARE * RATE)
    assert times["node-ring"] == pytest.approx(2 * SIZE * (gpus - 1) / gpus / RATE, rel=0.02)
    whole = run(tmp_path, *node, "--algorithm=nvls", "--ns3::aifabric::NodeFabric::SwitchShare=1")
    assert float(whole["duration_ns"]) == pytest.approx(times["nvls"] * SHARE, rel=0.01)


@pytest.mark.parametrize("kind", ["all-gather", "reduce-scatter"])
def test_half_of_it(tmp_path, kind):
    """The sum alone, or the copy alone, moves S one way."""
    options = *NODE, "--hostsPerLeaf=8", "--gpusPerNode=8", f"--workload={kind}", f"--size={SIZE}", "--algorithm=nvls"
    options = [option for option in options if option != "--workload=all-reduce"]
    assert float(run(tmp_path, *options)["duration_ns"]) == pytest.approx(SIZE / (SHARE * RATE), rel=0.16)


@pytest.mark.parametrize("inner", ["ring", "double-binary-tree", "halving-doubling"])
def test_any_simulator_gives_the_same(tmp_path, inner):
    options = *NODES, "--workload=all-reduce", "--size=4MiB", "--algorithm=nvls", f"--{INNER}={inner}", "--repeat=2"
    seen = []
    for how in ["--simulator=events"], ["--simulator=windows"], ["--threads=2"]:
        results = succeed(tmp_path, *options, *how)["results"]
        for key in COST:
            results.pop(key)
        seen.append((results, rows(tmp_path, "flows"), rows(tmp_path, "collectives")))
        assert seen[-1] == seen[0], how
    assert seen[0][0]["failed_messages"] == 0
    assert all(float(row["slowdown"]) >= 1 for row in seen[0][1])


def test_short_names_of_policies(tmp_path):
    """An attribute that names a policy takes what options take, and the name of the type."""
    options = *NODES, "--workload=all-gather", "--size=1MiB", "--algorithm=two-level"
    found = []
    for name in "pat", "ns3::aifabric::PatAlgorithm", "ring":
        succeed(tmp_path, *options, f"--{INNER}={name}")
        found.append(rows(tmp_path, "steps"))
    assert found[0] == found[1]
    check_refusals(tmp_path, {f"--{INNER}=part": f"--{INNER}=part: "}, *options)


def test_protocols(tmp_path):
    """NCCL reckons with 25 us of NVLS, of which the simulated fabric takes a part; LL goes by no switch."""
    node = *NODE, "--hostsPerLeaf=8", "--gpusPerNode=8", "--algorithm=nvls", "--size=8"
    for protocol in "simple", "nccl":
        row = run(tmp_path, *node, f"--protocol={protocol}")
        assert row["protocol"] == "simple" and 25_000 <= float(row["duration_ns"]) < 26_500
    # 4 MiB: 25 us once, and the bytes; 64 chunks do not wait for it one after the other.
    row = run(tmp_path, *node[:-1], "--size=4MiB", "--protocol=simple")
    assert float(row["duration_ns"]) < 25_000 + 2 * (4 << 20) * 9 / 8 / (SHARE * RATE)
    check_refusals(tmp_path, {
        "--protocol=ll": "--protocol=ll: none, simple or nccl with the algorithm nvls",
    }, *node)  # fmt: skip


def test_a_step_of_a_file_chooses_it(tmp_path):
    step = '{ collective = "all-reduce", bytes = "8MiB", algorithm = "nvls" }'
    (tmp_path / "step.toml").write_text(f"phase = [{{ steps = [{step}] }}]\n")
    assert run(tmp_path, *NODES, "--training=step.toml")["algorithm"] == "nvls"


@pytest.mark.parametrize("protocol", ["none", "simple"])
@pytest.mark.parametrize("kind", ["all-gather", "all-reduce", "reduce-scatter"])
@pytest.mark.parametrize("shape", [NODES, ALONE], ids=["nodes", "node"])
def test_chunks_that_are_chosen_are_not_slower(tmp_path, shape, kind, protocol):
    """Between nodes and in one, of messages of all sizes, than one chunk, or 8."""
    fabric = *shape, "--nvlink=h100", f"--workload={kind}", "--algorithm=nvls", f"--protocol={protocol}"
    for size in "1MiB", "4MiB", "16MiB":
        times = {
            chunks: float(run(tmp_path, *fabric, f"--size={size}", f"--chunks={chunks}")["duration_ns"])
            for chunks in ("auto", "1", "8")
        }
        assert times["auto"] < 1.3 * min(times.values()), times


def test_the_rate_of_nics_does_not_matter_in_a_node(tmp_path):
    """Chunks are as long as the node has them: they were longer with faster NICs, and 27.5 us became 12."""
    node = *ALONE[:-1], "--workload=all-reduce", "--size=1MiB", "--algorithm=nvls"
    times = {float(run(tmp_path, *node, f"--rate={rate}Gb/s")["duration_ns"]) for rate in (100, 400)}
    assert len(times) == 1 and min(times) == pytest.approx(7007, abs=1)


def test_nodes_of_one_gpu_are_refused(tmp_path):
    """No switch adds up there."""
    why = "the algorithm nvls only with --gpusPerNode above 1: the switch of a node adds up and copies"
    alone = "--topology=leaf-spine", "--workload=all-reduce", "--size=1MiB"
    check_refusals(tmp_path, {"--algorithm=nvls": f"--algorithm=nvls: {why}"}, *alone)
    tree = why.replace("nvls", "nvls-tree")
    check_refusals(tmp_path, {"--algorithm=nvls-tree": f"--algorithm=nvls-tree: {tree}"}, *alone)


def test_switches_that_do_not_add_up_are_refused(tmp_path):
    """Those of older GPUs, and groups of one rank a node."""
    shape = *NODES, "--workload=all-reduce", "--size=1MiB", "--algorithm=nvls"
    for gpu in "a100", "v100":
        why = f"--algorithm=nvls: the algorithm nvls only with --nvlink=raw, h100 or b200: those of {gpu} do not add up"
        assert refusal(tmp_path, *shape, f"--nvlink={gpu}") == why
    (tmp_path / "groups.csv").write_text("0,4\n1,5\n")
    apart = refusal(tmp_path, *shape, "--communicators=groups.csv")
    assert apart == "--algorithm=nvls: the algorithm nvls only with several ranks in a node: its switch adds up"
    (tmp_path / "groups.csv").write_text("0,4\n1,2\n")  # one group is served
    succeed(tmp_path, *shape, "--communicators=groups.csv")


def test_a_node_tree_pays_the_base_latency_once(tmp_path):
    """Chunks beyond the window follow those that have paid it."""
    options = *NODES, "--workload=all-reduce", "--size=4MiB", "--algorithm=node-tree", "--protocol=simple"
    base = "--ns3::aifabric::SimpleProtocol::TreeBase="
    for chunks in "8", "64":
        times = [float(run(tmp_path, *options, f"--chunks={chunks}", f"{base}{us}us")["duration_ns"]) for us in (0, 50)]
        assert times[1] - times[0] == pytest.approx(50_000, rel=0.02), chunks


def test_gpus_of_any_case_are_hinted_at(tmp_path):
    found = refusal(tmp_path, *NODES, "--nvlink=H100")
    assert found.endswith("(did you mean 'h100'?)"), found


def test_ll_has_its_ceiling_within_a_node(tmp_path):
    """141 GB/s, with which NCCL reckons, not half of the rate of NVLink."""
    options = *NODE, "--hostsPerLeaf=8", "--gpusPerNode=8", f"--size={SIZE >> 2}", "--algorithm=node-ring", "--protocol=ll"
    assert (SIZE >> 2) * 1.75 / float(run(tmp_path, *options)["duration_ns"]) == pytest.approx(141, rel=0.02)
