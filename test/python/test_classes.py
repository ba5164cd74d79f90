# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Messages of several traffic classes: column class of --flows."""

import pytest
from chakra_traces import ALL_GATHER, ALL_REDUCE, COLLECTIVE, RECEIVE, SEND, node, trace
from harness import check_refusals, needs_program, refusal, rows, succeed, write_flows

pytestmark = needs_program

HEADER = "start_ns,source,destination,bytes,class\n"
FABRIC = "--topology=leaf-spine --leaves=2 --spines=1 --hostsPerLeaf=4 --rate=100Gb/s --recovery=sack --buffer=20MB --jitter=0".split()
TRACED = FABRIC[:-1]
SIZE = 1_000_000
ALONE = SIZE * 8 / 100 * (4096 + 62 + 20) / 4096  # ns, at line rate, without latencies
LATENCY = 10_000  # ns, more than all of them
FROM_ONE, TO_ONE = ((0, 4), (0, 5)), ((0, 7), (1, 7))  # pairs that share the NIC of the sender, and a port of a leaf


def durations(folder, pairs, classes, *options):
    """How long messages of some classes take that begin at once, in ns."""
    table = "".join(f"0,{a},{b},{SIZE},{name}\n" for (a, b), name in zip(pairs, classes))
    succeed(folder, *FABRIC, write_flows(folder, HEADER + table), *options)
    return [float(row["duration_ns"]) for row in rows(folder, "flows")]


@pytest.mark.parametrize("pairs", [FROM_ONE, TO_ONE], ids=["nic", "switch"])
@pytest.mark.parametrize("classes", ["60", "54", "10"])
def test_the_higher_class_goes_first(tmp_path, pairs, classes):
    """In the queues of the NIC and of the switch, also of classes that share a queue by default."""
    high, low = durations(tmp_path, pairs, classes)
    assert ALONE <= high < ALONE + LATENCY and 2 * ALONE <= low < 2 * ALONE + LATENCY
    assert [row["class"] for row in rows(tmp_path, "flows")] == list(classes)


@pytest.mark.parametrize("pairs", [FROM_ONE, TO_ONE], ids=["nic", "switch"])
def test_equal_classes_share(tmp_path, pairs):
    for classes in ("44", ["", ""]):
        assert all(1.9 * ALONE < duration < 2 * ALONE + LATENCY for duration in durations(tmp_path, pairs, classes))


def test_a_share_of_each_class(tmp_path):
    """Deficit weighted round robin: three quarters and a quarter of the port."""
    weights = ["--ns3::aifabric::FabricPort::EgressSchedulerType=ns3::aifabric::DwrrEgressScheduler"]
    high, low = durations(tmp_path, TO_ONE, "54", *weights, "--ns3::aifabric::DwrrEgressScheduler::Weights=5:3,4:1")
    assert high == pytest.approx(ALONE * 4 / 3, rel=0.1) and low == pytest.approx(2 * ALONE, rel=0.1)


def test_messages_of_two_hosts_take_queue_pairs_by_class(tmp_path):
    """A short message of a higher class does not wait behind a long one of the same hosts."""
    table = f"0,0,4,{SIZE},3\n1000,0,4,4096,6\n2000,0,4,4096,3\n"
    for options in [], ["--transport=spray"], ["--simulator=events"], ["--stack=roce"]:
        succeed(tmp_path, *FABRIC[:5], write_flows(tmp_path, HEADER + table), *options)
        ends = [float(row["completed_ns"]) for row in rows(tmp_path, "flows")]
        assert ends[1] < 20_000 < ends[0] <= ends[2], options


def test_the_class_of_all_is_the_default_of_none(tmp_path):
    """Class 3 has the queue of the default DSCP, 26: the same times."""
    found = [durations(tmp_path, TO_ONE, classes) for classes in ("33", ["", ""])]
    assert found[0] == found[1]


def test_flows_of_a_run_are_read_again(tmp_path):
    first = durations(tmp_path, TO_ONE, ["5", ""])
    (tmp_path / "out").rename(tmp_path / "before")
    succeed(tmp_path, *FABRIC, "--flows=before/flows.csv")
    assert [float(row["duration_ns"]) for row in rows(tmp_path, "flows")] == first


def test_what_has_classes_of_its_own_is_refused(tmp_path):
    write_flows(tmp_path, HEADER + "0,0,1,4096,5\n")
    rows_of = {
        "--transport=mrc": "--transport=mrc: another one with classes of flows",
        "--receiverAdmission=8": "--receiverAdmission=8: 0 with classes of flows",
    }
    check_refusals(tmp_path, rows_of, *FABRIC[:5], "--flows=flows.csv")
    write_flows(tmp_path, HEADER + "0,0,1,4096,9\n")
    check_refusals(tmp_path, {"--k=4": "--flows=flows.csv: line 2: column class: '9' is not a whole number from 0 to 7"}, "--flows=flows.csv")


def priorities(folder, pairs, *options, **ofs):
    """How long messages of traces take that begin at once, in ns, and their classes; `ofs` has an attribute of each."""
    ranks = [[] for _ in range(8)]
    for index, (a, b) in enumerate(pairs):
        own = {key: values[index] for key, values in ofs.items() if values[index] is not None}
        message = {"comm_size": SIZE, "comm_tag": index, "comm_src": a, "comm_dst": b}
        ranks[a].append(node(len(ranks[a]), SEND, **message, **own))
        ranks[b].append(node(len(ranks[b]), RECEIVE, **message))
    for rank, nodes in enumerate(ranks):
        (folder / f"t.{rank}.et").write_bytes(trace(nodes))
    succeed(folder, *TRACED, "--chakra=t", "--chakraStreams=parallel", *options)
    return [float(row["duration_ns"]) for row in rows(folder, "flows")], (folder / "out" / "flows.csv").read_text()


@pytest.mark.parametrize("pairs", [FROM_ONE, TO_ONE], ids=["nic", "switch"])
def test_priorities_of_traces_are_classes(tmp_path, pairs):
    """Those without a priority have 0, the lowest; where none is above 0, nothing changes."""
    for given in [5, 1], [7, None], [1, 0]:
        (high, low), _ = priorities(tmp_path, pairs, comm_priority=given)
        assert ALONE <= high < ALONE + LATENCY and 2 * ALONE <= low < 2 * ALONE + LATENCY, given
    plain = priorities(tmp_path, pairs)
    assert priorities(tmp_path, pairs, comm_priority=[0, 0]) == plain == priorities(tmp_path, pairs, comm_priority=[0, None])


def test_priorities_of_collectives(tmp_path):
    """Two all-gathers at once, of the same ranks: the urgent one is as fast as alone."""
    found = {}
    for name, given in ("alone", [7]), ("urgent", [1, 7]), ("equal", [4, 4]):
        nodes = [
            node(i, COLLECTIVE, comm_type=ALL_GATHER, comm_size=SIZE, pg_name=b"%d" % (i + 1), comm_priority=priority)
            for i, priority in enumerate(given)
        ]
        (tmp_path / "groups.json").write_text('{"1": [0, 1, 2, 3], "2": [0, 1, 2, 3]}')
        for rank in range(4):
            (tmp_path / f"t.{rank}.et").write_bytes(trace(nodes))
        succeed(tmp_path, *TRACED, "--chakra=t", "--chakraStreams=parallel", "--chakraGroups=groups.json")
        found[name] = [float(row["duration_ns"]) for row in rows(tmp_path, "collectives")]
    assert found["urgent"][-1] < 1.05 * found["alone"][0]
    assert min(found["equal"]) > 1.5 * found["alone"][0]


def test_sums_in_switches_have_no_priority(tmp_path):
    def write(*priorities):
        nodes = [
            node(i, COLLECTIVE, comm_type=kind, comm_size=SIZE, comm_priority=priority)
            for i, (kind, priority) in enumerate(zip((ALL_REDUCE, ALL_GATHER), priorities))
        ]
        for rank in range(4):
            (tmp_path / f"t.{rank}.et").write_bytes(trace(nodes))

    fabric = *TRACED, "--chakra=t", "--algorithm=switchml"
    write(0)
    succeed(tmp_path, *fabric)
    for given in [5], [0, 1]:  # a sum without a priority would overtake the one above it
        write(*given)
        why = (
            f"an algorithm of messages for traces with comm_priority, as all-reduce 'node' has {given[0]}: "
            "what switches add up has no traffic class of its own"
        )
        assert refusal(tmp_path, *fabric) == f"--algorithm=switchml: {why}"


def test_priorities_that_are_refused(tmp_path):
    def write(*priorities):
        for rank, priority in enumerate(priorities):
            nodes = [node(0, COLLECTIVE, comm_type=ALL_GATHER, comm_size=9, comm_priority=priority)]
            (tmp_path / f"t.{rank}.et").write_bytes(trace(nodes))

    write(8, 8)
    check_refusals(tmp_path, {"--k=4": "--chakra: t.0.et: node 0 'node': comm_priority is 8 (0..7)"}, "--chakra=t")
    write(2, 5)
    why = (
        "--chakra: t.*.et: communicator 'all': collective 0 is all-gather 'node' of 18 bytes in traffic class 2 on host 0 and "
        "all-gather 'node' of 18 bytes in traffic class 5 on host 1"
    )
    check_refusals(tmp_path, {"--k=4": why}, "--chakra=t")
    write(2, 2)
    why = "--transport=mrc: another one with classes of flows"
    check_refusals(tmp_path, {"--transport=mrc": why}, *FABRIC[:5], "--chakra=t")
    why = "--receiverAdmission=8: 0 with classes of flows"
    check_refusals(tmp_path, {"--receiverAdmission=8": why}, *FABRIC[:5], "--chakra=t")
