# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What messages of collectives cost beside their bytes: `--protocol`, `--algorithm=nccl` and `--nvlink`."""

import pytest
from harness import check_refusals, needs_program, rows, succeed
from test_collectives import write_training

pytestmark = needs_program


RATE = "--topology=leaf-spine", "--hostsPerLeaf=8", "--rate=400Gb/s", "--balancer=rsq"
LEAF = *RATE, "--leaves=1", "--spines=1"
PAIR = *RATE, "--leaves=2", "--spines=8"
FOUR = "--topology=leaf-spine", "--hostsPerLeaf=4", "--rate=400Gb/s", "--leaves=1", "--spines=1"
NODE = "ns3::aifabric::NodeFabric"


def protocol_time(folder, *options, size="8B", fabric=LEAF):
    """The time of an all-reduce in us, its algorithm and its protocol."""
    succeed(folder, *fabric, "--workload=all-reduce", f"--size={size}", *options)
    row = rows(folder, "collectives")[0]
    return float(row["duration_ns"]) / 1000, row["algorithm"], row["protocol"]


@pytest.mark.parametrize(
    "protocol, base, network, node",
    [("ll", 6.6, 5.0, 0.6), ("ll128", 14.0, 8.5, 1.9), ("simple", 8.4, 14.0, 3.4)],
)
def test_latency_of_a_protocol(tmp_path, protocol, base, network, node):
    """What NCCL's tuner expects of a ring without bytes: 14 messages by the network, or by NVLink."""
    ring = "--algorithm=ring", f"--protocol={protocol}"
    found = protocol_time(tmp_path, *ring)
    assert found[1:] == ("ring", protocol)
    assert found[0] == pytest.approx(base + 14 * network, abs=14 * 0.1 + 2)  # frames of 100 ns, and an acknowledgement
    inside = protocol_time(tmp_path, *ring, "--gpusPerNode=8")
    assert inside[0] == pytest.approx(base + 14 * node, abs=0.7)
    near = protocol_time(tmp_path, *ring, f"--ns3::aifabric::{protocol.capitalize()}Protocol::TreeNetwork=1ms")
    assert near[0] == pytest.approx(base + 14000, abs=30)


def test_protocols_cost_nothing_by_default(tmp_path):
    summary = succeed(tmp_path, *LEAF, "--workload=all-reduce", "--size=8B")
    assert summary["scenario"]["protocol"] == "none"
    before = rows(tmp_path, "collectives")
    assert before[0]["protocol"] == "none"
    succeed(tmp_path, *LEAF, "--workload=all-reduce", "--size=8B", "--protocol=none")
    assert rows(tmp_path, "collectives") == before


def test_flags_take_bandwidth(tmp_path):
    """Of a rate of 400 Gb/s LL leaves half, and LL128 120/128."""
    rate = {}
    for protocol in "none", "ll", "ll128":
        latency = [f"--ns3::aifabric::{protocol.capitalize()}Protocol::{name}=0" for name in ("TreeNetwork", "RingBase")]
        options = "--algorithm=ring", f"--protocol={protocol}", *(latency if protocol != "none" else [])
        rate[protocol] = 1 / protocol_time(tmp_path, *options, size="64MiB")[0]
    assert rate["ll"] / rate["none"] == pytest.approx(1 / 2, rel=0.01)
    assert rate["ll128"] / rate["none"] == pytest.approx(120 / 128, rel=0.01)


def test_nccl_chooses_by_size(tmp_path):
    """As the tuner's times say, which test/core/nccl-tuner-test.cc works out by hand."""
    one = "--gpusPerNode=8", f"--{NODE}::Rate=2966400Mb/s", "--algorithm=nccl"  # an H100 without NVLS
    assert protocol_time(tmp_path, *one, size="1KiB")[1:] == ("node-ring", "ll")
    assert protocol_time(tmp_path, *one, size="16MiB")[1:] == ("node-ring", "ll128")
    assert protocol_time(tmp_path, *one, size="1GiB")[1:] == ("node-ring", "simple")
    assert protocol_time(tmp_path, *one, size="1KiB", fabric=PAIR)[1:] == ("node-tree", "ll")
    assert protocol_time(tmp_path, *one, size="4MiB", fabric=PAIR)[1:] == ("node-tree", "ll128")
    assert protocol_time(tmp_path, *one, "--protocol=simple", size="256MiB", fabric=PAIR)[1:] == ("node-ring", "simple")
    assert protocol_time(tmp_path, *one, "--protocol=none", size="1KiB", fabric=PAIR)[1:] == ("node-tree", "none")
    hosts = protocol_time(tmp_path, "--algorithm=nccl", size="1KiB")
    assert hosts[1:] == ("double-binary-tree", "ll")
    fixed = protocol_time(tmp_path, "--algorithm=halving-doubling", "--protocol=nccl", size="1KiB")
    assert fixed[1:] == ("halving-doubling", "ll")


def test_nccl_chooses_nvls(tmp_path):
    """Where switches of nodes add up: of large sizes and 5 GPUs or more. From 16 MiB on it is faster here, too, than what
    else NCCL may choose."""
    one = "--gpusPerNode=8", "--nvlink=h100"
    nccl, ring, tree = ([*one, f"--algorithm={name}", "--protocol=nccl"] for name in ("nccl", "node-ring", "node-tree"))
    assert protocol_time(tmp_path, *nccl, size="1KiB")[1:] == ("node-ring", "ll")
    for size, share in ("16MiB", 1), ("256MiB", 0.85):
        chosen = protocol_time(tmp_path, *nccl, size=size)
        assert chosen[1:] == ("nvls", "simple")
        assert chosen[0] < share * protocol_time(tmp_path, *ring, size=size)[0]
    chosen = protocol_time(tmp_path, *nccl, size="64MiB", fabric=PAIR)
    assert chosen[1:] == ("nvls-tree", "simple")
    assert chosen[0] < min(protocol_time(tmp_path, *other, size="64MiB", fabric=PAIR)[0] for other in (ring, tree))
    assert protocol_time(tmp_path, *nccl, size="1KiB", fabric=PAIR)[1:] == ("node-tree", "ll")
    assert protocol_time(tmp_path, *nccl[1:], "--gpusPerNode=4", size="1GiB", fabric=FOUR)[1] == "node-ring"
    for other in ["--nvlink=a100"], ["--nvlink=raw"], ["--nvlink=h100", "--protocol=ll"]:
        assert protocol_time(tmp_path, one[0], "--algorithm=nccl", *other, size="1GiB")[1] == "node-ring"


def test_shares_of_switches(tmp_path):
    """A node of B200 has the share of B200, unless another one is given."""
    node = "--gpusPerNode=8", "--nvlink=b200", "--algorithm=nvls"
    time = protocol_time(tmp_path, *node, size="1GiB")[0]
    assert time == pytest.approx((1 << 30) * 9 / 8 / (0.74 * 721.8e3), rel=0.05)
    assert protocol_time(tmp_path, *node, f"--{NODE}::SwitchShare=0.37", size="1GiB")[0] == pytest.approx(2 * time, rel=0.01)


def test_nccl_of_other_kinds(tmp_path):
    """Trees are for all-reduce; messages of at most 16 KiB that no ring carries are LL."""
    for workload, options, expected in [
        ("all-gather", ["--size=8KiB"], ("ring", "ll")),
        ("broadcast", ["--size=4MiB"], ("ring", "ll128")),
        ("all-to-all", ["--size=16KiB"], ("direct", "ll")),
        ("all-to-all", ["--size=16385B"], ("direct", "simple")),
        ("sendrecv", ["--size=1MiB"], ("direct", "simple")),
    ]:
        succeed(tmp_path, *LEAF, f"--workload={workload}", *options, "--algorithm=nccl")
        row = rows(tmp_path, "collectives")[0]
        assert (row["algorithm"], row["protocol"]) == expected, workload


def test_nccl_in_a_training_iteration(tmp_path):
    """Each collective has its own; a step that names an algorithm keeps it."""
    option = write_training(
        tmp_path,
        '{ collective = "all-reduce", bytes = 1024 }',
        '{ collective = "all-reduce", bytes = 268435456 }',
        '{ collective = "all-reduce", bytes = 1024, algorithm = "direct" }',
    )
    summary = succeed(tmp_path, *LEAF, option, "--algorithm=nccl")
    assert summary["scenario"]["algorithm"] == summary["scenario"]["protocol"] == "nccl"
    found = [(row["algorithm"], row["protocol"]) for row in rows(tmp_path, "collectives")]
    assert found == [("double-binary-tree", "ll"), ("ring", "simple"), ("direct", "ll")]


def test_rate_of_nvlink(tmp_path):
    """A ring of a node reaches what NCCL reckons that NVLink carries."""
    for gpu, rate in ("v100", 120), ("a100", 240), ("h100", 370.8), ("b200", 721.8), ("raw", 450):
        node = "--gpusPerNode=8", "--algorithm=node-ring", f"--nvlink={gpu}"
        summary = succeed(tmp_path, *LEAF, "--workload=all-reduce", "--size=4GB", *node)
        assert summary["scenario"]["nvlink"] == gpu
        assert float(rows(tmp_path, "collectives")[0]["bus_bandwidth_gbps"]) / 8 == pytest.approx(rate, rel=0.01)


def test_refusals(tmp_path):
    node = "--workload=all-reduce --gpusPerNode=8"
    attribute = "--ns3::aifabric::LlProtocol::Efficiency=0.9"
    refused = {
        "--workload=all-reduce --protocol=lll": "--protocol=lll: ",
        "--protocol=ll": "--protocol=ll: only with collectives and training iterations",
        "--workload=all-reduce --nvlink=h100": "--nvlink=h100: only with --gpusPerNode above 1",
        f"{node} --nvlink=h1000": "--nvlink=h1000: ",
        f"{node} --nvlink=h100 --ns3::aifabric::NodeFabric::Rate=1Gb/s": "--nvlink=h100: raw with --ns3",
        f"--workload=all-reduce {attribute}": f"{attribute}: has no effect with --protocol=auto",
        "--workload=all-reduce --algorithm=atp --protocol=ll": "--protocol=ll: not with --algorithm=atp",
    }
    check_refusals(tmp_path, refused, *LEAF)
    said = "--protocol=ll: another one with --fidelity=fluid: messages cost their bytes only"
    check_refusals(tmp_path, {"--fidelity=fluid --workload=all-reduce --protocol=ll": said}, *PAIR)
