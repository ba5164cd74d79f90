# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""How large a run is, before it begins: its packet-hops, and whether it fits into memory."""

import re
import resource
import time

import pytest
from harness import HEADER, assert_refused, call, call_with_memory, needs_program, refusal, succeed, write_flows

pytestmark = needs_program

FRAGMENTS = "--steering=dqplb --ns3::aifabric::DqplbSteering::FragmentBytes="
PIECES = "--ns3::aifabric::SplitSteering::QueuePairs=16"
CHUNKS = "--receiverAdmission=2 --ns3::aifabric::ReceiverAdmission::SlotBytes="


BLAMED = {
    "--k=200": "--k=200: 2000000 hosts need about ",
    "--topology=leaf-spine --leaves=65534": "--leaves=65534: 524272 hosts need about ",
    "--topology=three-tier --pods=200 --leavesPerPod=100": "--pods=200: 320000 hosts need about ",
    "--k=40": "--k=40: 16000 hosts need about ",
    "--k=8 --workload=all-to-all --size=9kB --steering=split": "--k=8: 128 hosts and 16256 ",
    "--k=18 --steering=ethereal": "--k=18: 1458 hosts and 1458 messages in 118098 pieces need about ",
    "--k=14 --workload=all-to-all --steering=end-to-end": "--k=14: 686 hosts and 469910 messages in ",
    "--k=4 --workload=all-reduce --size=64kB --repeat=1000000": "--repeat=1000000: 16 hosts and 480000000 messages need ",
    f"--k=4 {FRAGMENTS}1 --size=64MiB": "--k=4: 16 hosts and 16 messages in 1073741824 pieces need about ",
    f"--k=4 {CHUNKS}1 --size=64MiB": "--k=4: 16 hosts and 16 messages in 1073741824 pieces need about ",
    f"--k=4 {CHUNKS}64 --workload=all-reduce --size=1GiB": "--k=4: 16 hosts and 480 messages in 503316480 pieces ",
}


def test_what_does_not_fit_into_memory_is_refused_at_once(tmp_path):
    """Before the fabric is described; and by the limit of the shell, and with pieces of messages."""
    for options, blamed in BLAMED.items():
        start = time.monotonic()
        run = call_with_memory(tmp_path, 400_000, f"{options} {PIECES if '--steering' in options else ''} --check")
        assert_refused(run, tmp_path, [])
        assert run.stderr.startswith(f"ai-fabric-run: {blamed}") and "GB of memory" in run.stderr
        assert time.monotonic() - start < 20


def test_a_message_has_less_than_2_to_32_parts(tmp_path):
    parts = "it divides 4294967296 bytes into 4294967296 parts, and 4294967295 are allowed"
    for divided in FRAGMENTS, CHUNKS:
        said = refusal(tmp_path, "--k=4", *f"{divided}1".split(), "--size=4GiB", "--check")
        assert said == f"{divided.split()[0]}: {parts}"


def test_what_fits_into_memory_is_not_refused(tmp_path):
    """Fragments share 16 queue pairs a message. A ring of 128 hosts has 32 512 messages in 16 pieces each, but only
    128 pairs of neighbors."""
    ring = f"--workload=all-reduce --algorithm=ring --repeat=2 --steering=split --size=1MB {PIECES}"
    for kibibytes, options in (
        (400_000, f"--k=8 {FRAGMENTS}65536 --size=64MiB"),
        (400_000, f"--k=8 {ring}"),
        (450_000, "--k=18 --size=64kB"),
        (450_000, "--k=8 --workload=all-to-all --steering=end-to-end --size=64kB"),
    ):
        run = call_with_memory(tmp_path, kibibytes, f"{options} --check")
        assert run.returncode == 0, run.stderr


def test_jobs_that_do_not_fit_into_memory_are_refused_before_they_are_made(tmp_path):
    jobs = tmp_path / "jobs.csv"
    jobs.write_text("bytes,layers,iterations,compute_ns,jitter,start_ns\n65536,1000,1000,0,0,0\n")
    run = call_with_memory(tmp_path, 400_000, "--k=4 --workload=all-reduce --algorithm=ring --jobs=jobs.csv --check")
    assert_refused(run, tmp_path, [jobs])
    assert run.stderr.startswith("ai-fabric-run: --jobs=jobs.csv: 16 hosts and 480000000 messages need about ")


def test_little_memory_is_no_crash(tmp_path):
    """The code of the program takes its share of `ulimit -v`."""
    for more in ("--check", "--out=out"):
        run = call_with_memory(tmp_path, 70_000, f"--k=16 --size=8KiB {more}")
        assert_refused(run, tmp_path, [])
        assert re.match(r"ai-fabric-run: --k=16: 1024 hosts need about \d+ MB of memory, and there are ", run.stderr)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    ["--check --fail=leaf-7:1@0s", "--check --fail=cables:9@0s", "--check --failRate=0.00001", "--size=1 --sample=0"],
)
def test_a_fabric_of_many_leaves_is_no_matter_of_pairs(tmp_path, options):
    """With faults, the program listed pairs of leaves; and it computed the ways between them for all."""
    leaves = 65534 if "--check" in options else 15000  # 14 s before, and 4 now
    fabric = f"--topology=leaf-spine --leaves={leaves} --hostsPerLeaf=1 --spines=2".split()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = call(tmp_path, *fabric, *options.split())
    assert run.returncode == 0, run.stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime - before.ru_utime < 10  # seconds of a core, however busy the machine is


@pytest.mark.parametrize(
    "options, hosts, messages, longest",
    [
        ([], 128, 128, 6),
        (["--k=4", "--workload=all-to-all"], 16, 240, 6),
        (["--topology=leaf-spine", "--size=10000", "--acks=bypass"], 64, 64, 4),
        (["--k=4", "--workload=incast", "--senders=5", "--size=9000"], 16, 5, 6),
        (["--k=4", "--flows=f.csv"], 16, 2, 6),
        (["--k=4", "--size=64KiB", *f"{FRAGMENTS}1000".split()], 16, 16, 6),
        (["--k=4", "--flows=f.csv", *f"{CHUNKS}1000".split()], 16, 2, 6),
        (["--k=4", "--size=64KiB", *f"{FRAGMENTS}500 {CHUNKS}1000".split()], 16, 16, 6),
    ],
)
def test_check_says_how_large_a_run_is(tmp_path, options, hosts, messages, longest):
    write_flows(tmp_path, HEADER + "0,0,15,1048576\n0,3,9,4097\n", "f.csv")
    check = call(tmp_path, *options, "--check", "--out=out")
    assert check.returncode == 0 and check.stderr == "" and not (tmp_path / "out").exists()
    results = succeed(tmp_path, *options, "--balancer=rsq")["results"]
    assert results["messages"] == messages
    packets = results["data_packets"] - results["retransmissions"]
    hops = packets * longest * (1 if "--acks=bypass" in options else 2)
    assert check.stdout == f"{hosts} hosts, {messages} messages, about {hops} packet-hops\n"
    assert results["packet_hops"] <= hops or results["retransmissions"]
