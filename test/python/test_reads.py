# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""RDMA READs: a destination asks, and the bytes come; `--operation`, and a column of files of flows."""

import csv
import io
import shutil
import subprocess
import sys

import pytest
from harness import COST, HEADER, ROOT, check_refusals, needs_program, rows, succeed, write_flows

from ai_fabric import load

pytestmark = needs_program

RACK = "--topology=leaf-spine", "--leaves=1", "--spines=1", "--hostsPerLeaf=4", "--rate=100Gb/s", "--delay=500ns"
FABRIC = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=8", "--rate=100Gb/s"
READ = HEADER.replace("\n", ",operation\n")
BYTE_PS = 80  # at 100 Gb/s
DELAY_PS = 500_000
GAP = 20  # bytes between two frames
HEADERS = 62  # of a packet in the middle of a message; a request has an RETH more, what answers it an AETH
MTU = 4096
ACK = 64


def idle_read_ps(size):
    """The time of a read over one switch: the request, then the packets of the answer one after another. The request
    is acknowledged behind the first of them."""
    request = 2 * ((HEADERS + 16) * BYTE_PS + DELAY_PS)
    payloads = [MTU] * (size // MTU) + ([-(-(size % MTU) // 4) * 4] if size % MTU else [])  # padded to four
    frames = [HEADERS + payload for payload in payloads]
    for end in {0, len(frames) - 1}:
        frames[end] += 4
    frames[1:1] = [ACK] if len(frames) > 1 else []
    at_switch = sent = leaves = 0
    for frame in frames:
        sent += frame * BYTE_PS
        at_switch = max(sent + DELAY_PS, leaves)
        leaves = at_switch + (frame + GAP) * BYTE_PS
        sent += GAP * BYTE_PS
    return request + leaves - GAP * BYTE_PS + DELAY_PS


@pytest.mark.parametrize("lines", [["0,0,5,1000000,write", "0,0,5,1000000,read", "0,5,0,1000000,write"],
                                   ["0,0,5,1000000,write", "0,0,6,1000000,read"],
                                   ["0,0,5,1000000,write", "0,0,5,1000000,read", "0,5,0,1000000,write", "0,5,0,1000000,read"]])
@pytest.mark.parametrize("more", ["--delay=20us", "--sendOrder=oldest-first", "--stack=roce"])
def test_reads_beside_writes_do_not_beat_the_bound(tmp_path, lines, more):
    """A read is complete without an acknowledgement."""
    flows = write_flows(tmp_path, READ + "\n".join(lines) + "\n")
    results = succeed(tmp_path, *FABRIC, flows, more)["results"]
    assert results["completion_bound_ns"] <= results["cct_ns"]


@pytest.mark.parametrize("size", [1, 4096, 10000, 1_000_000])
@pytest.mark.parametrize("recovery", ["oracle", "go-back-n", "sack"])
def test_time_of_a_read_on_an_idle_fabric(tmp_path, size, recovery):
    flows = write_flows(tmp_path, READ + f"1000,3,1,{size},read\n")
    summary = succeed(tmp_path, *RACK, flows, f"--recovery={recovery}")
    [flow] = rows(tmp_path, "flows")
    assert (flow["source"], flow["destination"], flow["operation"]) == ("3", "1", "read")
    assert float(flow["duration_ns"]) * 1000 == idle_read_ps(size)
    assert flow["received_ns"] == flow["completed_ns"]
    assert 1 <= float(flow["slowdown"]) < 1.06
    packets = -(-size // MTU)
    assert summary["results"]["data_packets"] == packets + 1  # the request is one
    assert summary["results"]["cct_ns"] == float(flow["duration_ns"])


def test_a_read_takes_a_request_longer_than_a_write(tmp_path):
    times = {}
    for operation in "read", "write":
        succeed(tmp_path, *RACK, write_flows(tmp_path, READ + f"0,0,1,100000,{operation}\n"))
        [flow] = rows(tmp_path, "flows")
        times[operation] = float(flow["received_ns"])
        assert ("operation" in flow) == (operation == "read")
    request = 2 * ((HEADERS + 16) * BYTE_PS + DELAY_PS) / 1000
    acknowledged = (ACK + GAP) * BYTE_PS / 1000  # before the second packet of data
    assert times["read"] - times["write"] == pytest.approx(request + acknowledged, abs=4)


@pytest.mark.parametrize("size", [64, 1024, 100_000])
def test_repair_packets_of_a_request_are_no_data(tmp_path, size):
    """--recovery=strict goes on with repair packets until the request is acknowledged."""
    succeed(tmp_path, *FABRIC, "--workload=tornado", f"--size={size}", "--mtu=64", "--operation=read", "--recovery=strict")
    assert all(float(row["slowdown"]) >= 1 for row in rows(tmp_path, "flows"))


INCASTS = [[], ["--stack=roce"], ["--recovery=sack", "--buffer=30kB"], ["--steering=split"],
           ["--recovery=go-back-n", "--buffer=30kB", "--rateControl=dcqcn", "--admission=port"]]  # fmt: skip


@pytest.mark.parametrize("more", INCASTS)
def test_incast_of_reads(tmp_path, more):
    """Storage servers that one host reads from send to it as in an incast of writes; any simulator gives the same."""
    options = *FABRIC, "--workload=incast", "--senders=12", "--size=300000", *more
    writes = succeed(tmp_path, *options)["results"]
    pairs = {(row["source"], row["destination"], row["bytes"]) for row in rows(tmp_path, "flows")}
    seen = []
    for how in ["--simulator=events"], ["--simulator=windows"], ["--threads=2"]:
        results = succeed(tmp_path, *options, "--operation=read", *how)["results"]
        for key in *COST, "events":
            results.pop(key)
        seen.append((results, rows(tmp_path, "flows"), rows(tmp_path, "links")))
        assert seen[-1] == seen[0], how
    results, flows, _ = seen[0]
    assert {(row["source"], row["destination"], row["bytes"]) for row in flows} == pairs
    assert {row["operation"] for row in flows} == {"read"}
    assert results["failed_messages"] == 0 and results["message_bytes"] == writes["message_bytes"]
    assert results["cct_ns"] >= results["completion_bound_ns"] > 0
    assert results["cct_ns"] < 3 * writes["cct_ns"]


@pytest.mark.parametrize("workload", ["permutation", "all-to-all", "tornado", "poisson"])
def test_any_flows_can_be_reads(tmp_path, workload):
    calls = f"--cdf={ROOT}/scenarios/sizes-small-calls.csv", "--duration=20us"
    more = calls if workload == "poisson" else ["--size=20000"]
    options = *FABRIC, f"--workload={workload}", *more, "--operation=read", "--queuePairPerFlow"
    results = succeed(tmp_path, *options)["results"]
    assert results["failed_messages"] == 0 and all(row["operation"] == "read" for row in rows(tmp_path, "flows"))


def test_a_queue_pair_has_so_many_reads_at_a_time(tmp_path):
    """With one at a time, each waits for the one before: a round trip more."""
    flows = write_flows(tmp_path, READ + "0,3,1,4096,read\n" * 20)
    times = {}
    for most in 1, 16, 64:
        times[most] = succeed(tmp_path, *RACK, flows, f"--ns3::aifabric::MessageService::MaxReads={most}")["results"]["cct_ns"]
    assert times[1] * 1000 == 20 * idle_read_ps(4096)
    assert times[1] > 4 * times[16] and times[16] >= times[64]


def test_a_table_of_results_is_read_again(tmp_path):
    flows = write_flows(tmp_path, READ + "0,3,1,9000,read\n0,1,3,9000,write\n200,0,2,5000,\n300,2,0,0,read\n")
    first = succeed(tmp_path, *RACK, flows)["results"]
    table = rows(tmp_path, "flows")
    assert [row["operation"] for row in table] == ["read", "write", "write", "read"]
    assert list(load(tmp_path / "out").table("flows").operation) == ["read", "write", "write", "read"]
    (tmp_path / "again.csv").write_text((tmp_path / "out" / "flows.csv").read_text())
    assert succeed(tmp_path, *RACK, "--flows=again.csv")["results"]["cct_ns"] == first["cct_ns"]
    assert rows(tmp_path, "flows") == table


def test_reads_within_a_node_and_beside_the_traffic(tmp_path):
    flows = write_flows(tmp_path, READ + "0,0,1,9000,read\n0,0,2,9000,read\n")
    near, far = (succeed(tmp_path, *RACK, flows, "--gpusPerNode=2"), rows(tmp_path, "flows"))[1]
    assert near["links"] == "0" and far["links"] == "2" and float(near["slowdown"]) == 1
    results = succeed(tmp_path, *FABRIC, "--workload=all-reduce", "--size=100000", "--background=flows.csv")["results"]
    assert results["background"]["completed"] == 2


def test_refusals(tmp_path):
    (tmp_path / "reads.csv").write_text(READ + "0,0,1,9000,read\n")
    check_refusals(tmp_path, {
        "--operation=get": "--operation=get: ",
        "--operation=read --workload=all-reduce": "--operation=read: write with collectives",
        "--operation=read --flows=reads.csv": "--operation=read: write with --flows=FILE",
        "--flows=reads.csv --stack=mrc --planes=2": "--flows=reads.csv: a file without reads, with --transport=mrc",
        "--operation=read --stack=uec": "--operation=read: write with --transport=spray",
        "--operation=read --steering=round-robin": "--operation=read: write with --steering=round-robin",
        "--flows=reads.csv --receiverAdmission=2": "a file without reads, with --receiverAdmission",
        "--operation=read --fidelity=fluid": "--operation=read: write with --fidelity=fluid",
    }, *FABRIC)  # fmt: skip


def test_captures_show_reads(tmp_path):
    """Wireshark knows the opcodes, and the request has the length of the read."""
    if not shutil.which("tshark"):
        pytest.skip("no tshark")
    flows = write_flows(tmp_path, READ + "0,3,1,10000,read\n9000,3,1,100,read\n")
    succeed(tmp_path, *RACK, flows, "--pcap=host-1")
    command = ["tshark", "-r", str(tmp_path / "out" / "host-1.pcap"), "-T", "fields", "-E", "separator=,"]
    fields = "infiniband.bth.opcode", "infiniband.reth.dmalen", "infiniband.aeth.syndrome"
    out = subprocess.run([*command, *(f"-e{field}" for field in fields)], capture_output=True, text=True, check=True).stdout
    frames = [row for row in csv.reader(io.StringIO(out)) if row[0] != "17"]
    assert [row[0] for row in frames] == ["12", "13", "14", "15", "12", "16"]
    assert [row[1] for row in frames] == ["10000", "", "", "", "100", ""]
    assert [bool(row[2]) for row in frames] == [False, True, False, True, False, True]


# --- The sample: key-value caches of prompts ------------------------------------------------------


def test_the_sample_is_what_its_script_makes():
    made = subprocess.run([sys.executable, ROOT / "scenarios" / "kv-cache.py"], capture_output=True, text=True, check=True)
    assert made.stdout == (ROOT / "scenarios" / "kv-cache.csv").read_text()
    flows = list(csv.DictReader(made.stdout.splitlines()[1:]))
    assert all(int(flow["bytes"]) % (2 * 32 * 8 * 128 * 2) == 0 for flow in flows)  # whole tokens
    assert all(int(flow["source"]) < 8 <= int(flow["destination"]) for flow in flows)


def test_the_sample_runs(tmp_path):
    options = "--topology=leaf-spine", "--leaves=4", "--spines=4", "--hostsPerLeaf=4", "--rate=400Gb/s", "--mtu=4096"
    results = succeed(tmp_path, *options, f"--flows={ROOT}/scenarios/kv-cache.csv", "--queuePairPerFlow")["results"]
    assert results["failed_messages"] == 0
    assert {row["operation"] for row in rows(tmp_path, "flows")} == {"read"}
