# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The program ai-fabric-run: what it accepts, what it leaves, and that its numbers are right."""

import csv
import functools
import json
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN_DIR = os.environ.get("AI_FABRIC_BIN_DIR")
PROGRAM = Path(BIN_DIR or "") / "ai-fabric-run"

pytestmark = pytest.mark.skipif(
    not (BIN_DIR and PROGRAM.exists()), reason="AI_FABRIC_BIN_DIR does not hold ai-fabric-run"
)

TABLES = {
    "flows.csv": "flow,source,destination,bytes,start_ns,received_ns,completed_ns,duration_ns,"
    "links",
    "links.csv": "link,from,to,layer,frames_sent,bytes_sent,frames_delivered,frames_lost,"
    "frames_refused,utilization,max_queue_packets,max_waiting_bytes,mean_queue_packets,"
    "sending_queue_packets",
    "layers.csv": "layer,ports,max_queue_packets,max_waiting_bytes,mean_queue_packets,"
    "sending_queue_packets,bytes,mean_utilization,max_utilization,link_overload,link_imbalance,"
    "refusals,link_losses",
    "queues.csv": "time_ns,layer,mean_queue_packets,max_queue_packets,waiting_bytes,paused_ports",
    "events.csv": "time_ns,event,subject,detail",
}
COST = {"cpu_s", "wall_s", "loop_wall_s", "peak_rss_bytes", "packet_hops_per_cpu_s"}
SMALL = "--k=4", "--size=64KiB"
FRAGMENTS = "--steering=dqplb --ns3::aifabric::DqplbSteering::FragmentBytes="
CHUNKS = "--receiverAdmission=2 --ns3::aifabric::ReceiverAdmission::SlotBytes="
DEBUG_NOTICE = "ai-fabric-run: this is a debug build"


def call(folder, *arguments, timeout=120):
    """Runs the program in a folder."""
    return subprocess.run(
        [PROGRAM, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout,
        check=False,
    )


def stderr_lines(run):
    return [line for line in run.stderr.splitlines() if not line.startswith(DEBUG_NOTICE)]


def succeed(folder, *arguments):
    """Runs the program, which must succeed, and reads run.json."""
    run = call(folder, *arguments, "--out=out")
    assert run.returncode == 0, run.stderr
    return json.loads((folder / "out" / "run.json").read_text())


def rows(folder, name):
    with open(folder / "out" / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


def write_flows(folder, text, name="flows.csv"):
    (folder / name).write_text(text)
    return f"--flows={name}"


def assert_refused(run, folder, before):
    """One line on stderr, status 1, and nothing written."""
    assert run.returncode == 1, run.stderr
    lines = stderr_lines(run)
    assert len(lines) == 1, run.stderr
    assert lines[0].startswith("ai-fabric-run: ")
    assert run.stdout == ""
    assert sorted(folder.rglob("*")) == before


# --- Bad input ------------------------------------------------------------------------------------

BAD = [
    "--k=7",
    "--k=4 --k=4",
    "--progress --progress",
    "--RngRun=1 --RngRun=2",
    "--k=0",
    "--k=-4",
    "--k=1",
    "--k=abc",
    "--k=4.5",
    "--k=",
    "--k",
    "--k=99999999999999999999999",
    "--k=1000",
    "--k=64 --workload=all-to-all",
    "--topology=ring",
    "--topology=leaf-spine --k=8",
    "--leaves=4",
    "--leaves=none",
    "--spines=4",
    "--hostsPerLeaf=4",
    "--topology=leaf-spine --leaves=0",
    "--topology=leaf-spine --spines=-1",
    "--topology=leaf-spine --leaves=1 --hostsPerLeaf=1",
    "--topology=leaf-spine --leaves=65535 --hostsPerLeaf=65535",
    "--planes=0",
    "--planes=33",
    "--rate=800",
    "--rate=0Gb/s",
    "--rate=-1Gb/s",
    "--rate=300Gb/s",
    "--rate=fast",
    "--delay=5",
    "--delay=-5ns",
    "--delay=1parsec",
    "--buffer=0",
    "--buffer=4096",
    "--buffer=5GiB",
    "--buffer=1XB",
    "--admission=shared --buffer=3GiB",
    "--admission=shared --buffer=100kB --ns3::aifabric::SharedBuffer::LosslessClasses=8",
    # a headroom of which the lower 32 bits are small
    "--admission=shared --buffer=800kB --ns3::aifabric::SharedBuffer::LosslessClasses=8 "
    "--delay=21474836480ps",
    "--ns3::aifabric::FabricSwitch::Latency=-1ns",
    "--mtu=0",
    "--mtu=63",
    "--mtu=1MiB",
    "--mtu=8192 --ns3::aifabric::FabricNetDevice::Mtu=4200",
    "--ip=5",
    "--ip=ipv6",
    "--ns3::aifabric::RoceNetDevice::IpVersion=6",
    "--workload=gossip",
    "--workload=flows",
    "--flows=missing.csv",
    "--flows=.",
    "--flows=/dev/zero",
    "--senders=3",
    "--workload=incast --senders=0",
    "--workload=incast --senders=128",
    "--size=0",
    "--size=-1",
    "--size=1.5B",
    "--size=5TB",
    "--jitter=3",
    "--jitter=-3ns",
    "--acks=none",
    "--period=0ns",
    "--period=3",
    "--balancer=best",
    "--upgraded=0.5",
    "--upgrade=best",
    "--upgrade=ecmp",
    "--upgrade=host-random",
    "--upgrade=ecmp --balancer=reps",
    "--upgrade=ofan --balancer=host-dr",
    "--upgrade=ofan --steering=ethereal --workload=all-reduce",
    "--upgrade=ofan --upgraded=-0.1",
    "--upgrade=ofan --upgraded=1.1",
    "--upgrade=ofan --upgraded=nan",
    "--upgrade=ofan --upgraded=50%",
    "--rateControl=x",
    "--recovery=x",
    "--sendOrder=x",
    "--admission=x",
    "--marker=x",
    "--scheduler=x",
    "--fail=foo",
    "--fail=foo@3us",
    "--fail=host-0--host-1@3us",
    "--fail=host-0:0--pod0-edge-0:0",
    "--fail=host-0:0--pod0-edge-0:0@",
    "--fail=host-0:0--pod0-edge-0:0@3",
    "--fail=host-0:0--pod0-edge-0:0@3us-2us",
    "--fail=host-0:0--pod0-edge-0:0*2@3us",
    "--fail=host-0:0--pod0-edge-0:0%0@3us",
    "--rate=1Mb/s --fail=host-0:0--pod0-edge-0:0*0.000001@3us",
    "--fail=,",
    "--fail=host-0:0--pod0-edge-0:0@1us,",
    "--fail=host-0:0--pod0-edge-0:0@0ns",
    "--k=2 --fail=pod0-agg-0:1--core-0:0@0ns",
    "--failRate=-0.1",
    "--failRate=1.1",
    "--failRate=1",
    "--failRate=nan",
    "--failRate=1%",
    "--k=16 --failRate=0.8",
    "--convergence=5",
    "--convergence=-1us",
    "--convergence=maybe",
    "--detection=5",
    "--detection=-1us",
    "--rho=0",
    "--rho=1.1",
    "--rho=most",
    "--pcap=foo",
    "--pcap=host-128",
    "--pcap=host-0:1",
    "--pcap=pod0-edge-0:8",
    "--pcap=host-0,",
    "--sample=x",
    "--stallTime=0",
    "--progress=maybe",
    "--check=maybe",
    "--planes=1.",
    "--planes=1.5",
    "--k=.0",
    "--bogus=3",
    "--bogus",
    "bogus",
    "-",
    "--",
    "--=3",
    "--RngRun=x",
    "--RngSeed=0",
    "--RngSeed=99999999999",
    "--SchedulerType=ns3::MapScheduler",
    "--SimulatorImplementationType=ns3::Node",
    "--ns3::Nothing::At=1",
    "--ns3::aifabric::FabricPort::Nothing=1",
    "--ns3::aifabric::FabricPort::DataRate=1Gbps",
    "--ns3::aifabric::FabricPort::InterframeGap=-1",
    "--ns3::aifabric::FixedControl::RateFraction=2",
    "--ns3::aifabric::RcQueuePair::AckTimeout=9223372s",
    "--ns3::aifabric::RoceNetDevice::DataRateFraction=0",
    "--ns3::aifabric::SharedBuffer::LosslessClasses=8",
    "--ns3::aifabric::RedMarker::PMax=0.5",
    "--marker=step --ns3::aifabric::RedMarker::PMax=0.5",
    "--ns3::aifabric::EcnMarker::AtDequeue=true",
    "--ns3::aifabric::RepsBalancer::BufferSize=4",
    "--balancer=reps --ns3::aifabric::RepsBalancer::MarkingShare=0",
    "--balancer=plb --ns3::aifabric::PlbBalancer::MarkingShare=0",
    "--balancer=host-random --ns3::aifabric::RepsBalancer::BufferSize=4",
    "--balancer=host-dr --ns3::aifabric::HostRandomBalancer::Entropies=4",
    "--balancer=flowlet --ns3::aifabric::SwitchArBalancer::Low=0.01",
    "--workload=all-reduce --algorithm=ring --ns3::aifabric::DoubleBinaryTreeAlgorithm::Trees=1",
    "--balancer=switch-ar --ns3::aifabric::SwitchArBalancer::Refresh=5",
    "--balancer=switch-ar --ns3::aifabric::SwitchArBalancer::Refresh=-5e-3",
    "--balancer=switch-ar --ns3::aifabric::SwitchArBalancer::Refresh=-5us",
    "--ns3::aifabric::LossOracle::RoundTripTime=1e30s",
    "--ns3::aifabric::LossOracle::RoundTripTime=1y",
    "--ns3::aifabric::LossOracle::RoundTripTime=100000s",
    "--ns3::aifabric::LossOracle::RoundTripTime=1e300us",
    "--ns3::aifabric::FixedControl::Window=-1",
    "--rateControl=m-swift --ns3::aifabric::MSwiftControl::InitialWindow=-1",
    "--rateControl=m-swift --ns3::aifabric::MSwiftControl::Hops=999999999",
    "--rateControl=m-swift --ns3::aifabric::MSwiftControl::BaseTarget=1001s",
    "--ns3::aifabric::LinkFault::Down=true",
    "--ns3::aifabric::AckBypass::HopTime=1us",
    "--ns3::aifabric::SackRecovery::ReorderingThreshold=0",
    "--ns3::aifabric::MSwiftControl::MedianSamples=0",
    "--ns3::aifabric::LossOracle::RoundTripTime=soon",
    "--ns3::aifabric::FabricSwitch::Marker=ns3::aifabric::StepMarker",
    "--ns3::aifabric::FabricSwitch::DetectionDelay=1us",
    "--ns3::aifabric::RouteConvergence::Delay=1us",
    "--ns3::aifabric::RoceNetDevice::DataRateFraction=0.5",
    "--PrintAttributes=nothing",
    "--ranks=0",
    "--ranks=two",
    "--ranks=2",
    "--engine=granted",
    "--engine=fast",
    "--plan=plan.csv",
]


@pytest.mark.parametrize(
    "lines, why",
    [
        ("leaf-0,0\nleaf-1,1\nspine-0,1\n", "--ranks=2: "),
        ("leaf-0,0\nleaf-1,2\nspine-0,1\n", "--plan: plan:3: column rank: '2' is not a rank (0..1)"),
        ("leaf-0,0\nspine-0,1\n", "--plan: plan: has no line for leaf-1 (each switch needs one)"),
        ("leaf-0,0\nleaf-1,0\nspine-0,0\n", "--plan: plan: rank 1 has no host and no switch"),
        (None, "--plan: plan: cannot be read"),
    ],
)
def test_a_plan_is_checked_before_the_number_of_processes(tmp_path, lines, why):
    """So that a build without MPI finds what is wrong with it."""
    fabric = "--topology=leaf-spine --leaves=2 --spines=1 --hostsPerLeaf=1 --size=4KiB".split()
    if lines:
        (tmp_path / "plan").write_text("node,rank\n" + lines)
    run = call(tmp_path, *fabric, "--ranks=2", "--plan=plan")
    assert run.returncode == 1
    [line] = stderr_lines(run)
    assert line.startswith("ai-fabric-run: " + why), line


PARTICIPANTS = [
    "--balancer=flowlet --ns3::aifabric::FlowletBalancer::ChoiceType=ns3::aifabric::SwitchArBalancer "
    "--ns3::aifabric::SwitchArBalancer::Low=0.01",
    "--balancer=rr --ns3::aifabric::RrBalancer::Reshuffle=2",
    "--marker=red --ns3::aifabric::EcnMarker::AtDequeue=true",
    "--ns3::aifabric::FabricPort::EgressSchedulerType=ns3::aifabric::DwrrEgressScheduler "
    "--ns3::aifabric::DwrrEgressScheduler::Weights=6:2",
    "--balancer=reps --ns3::aifabric::StepMarker::Threshold=9000",
    "--balancer=switch-ar --ns3::aifabric::SwitchArBalancer::Refresh=0",
    "--balancer=switch-ar --ns3::aifabric::SwitchArBalancer::Refresh=1e-9s",
    "--workload=all-reduce --algorithm=double-binary-tree --ns3::aifabric::DoubleBinaryTreeAlgorithm::Trees=1",
]


@pytest.mark.parametrize("options", PARTICIPANTS)
def test_attributes_of_policies_that_take_part(tmp_path, options):
    """Whether they are chosen, named by a chosen one, or its base class."""
    succeed(tmp_path, *SMALL, *options.split())


def test_times_are_printed_as_people_write_them(tmp_path):
    balancers = call(tmp_path, "--balancer=help").stdout
    assert "Gap [100us]" in balancers and "FreezingTime [10ms]" in balancers
    assert "Refresh [0]" in balancers and "ps]" not in balancers


def test_defaults_are_those_of_the_study(tmp_path):
    """arXiv 2507.21372, table 2, and what its simulator has."""
    balancers = call(tmp_path, "--balancer=help").stdout
    for default in (
        "Subflows [4]",
        "Rounds [1]",
        "Reshuffle [5]",
        "BufferSize [8]",
        "Exploration [16]",
        "SmallBytes [256]",
        "PipesPerSwitch [1]",
        "Orders [PerPointer]",
        "Order [DigitReversal]",
    ):
        assert f"  {default}: " in balancers
    assert "ReorderingThreshold [32]" in call(tmp_path, "--recovery=help").stdout
    for attribute in "RouteConvergence::Delay", "FabricSwitch::DetectionDelay":
        name = attribute.split(":")[0]
        told = call(tmp_path, f"--PrintAttributes=ns3::aifabric::{name}").stdout
        assert f"--ns3::aifabric::{attribute}=[+1e+11fs]" in told  # 100 us


@pytest.mark.parametrize("options", BAD)
def test_bad_option(tmp_path, options):
    arguments = options.split()
    run = call(tmp_path, *arguments, "--out=out")
    assert_refused(run, tmp_path, [])
    blamed = [argument.split("=")[0] for argument in arguments]
    assert any(stderr_lines(run)[0].startswith(f"ai-fabric-run: {name}") for name in blamed)


EGRESS = "--ns3::aifabric::FabricPort::EgressSchedulerType=ns3::aifabric::"
DWRR = "--ns3::aifabric::DwrrEgressScheduler::"


@pytest.mark.parametrize(
    "options, line",
    [
        ("--ns3::aifabric::DscpTable::Classes=64:1", '--ns3::aifabric::DscpTable::Classes: "64:1": an entry is '),
        ("--ns3::aifabric::DscpTable::Classes=0-8:1,8:2", '--ns3::aifabric::DscpTable::Classes: "8:2": 8 stands in two '),
        (EGRESS + "FixedControl", "--ns3::aifabric::FabricPort::EgressSchedulerType: ns3::aifabric::FixedControl is no "),
        (f"{DWRR}Weights=6:2", f"{DWRR}Weights=6:2: only with {EGRESS}DwrrEgressScheduler"),
        (f"{EGRESS}StrictEgressScheduler {DWRR}Quantum=9", f"{DWRR}Quantum=9: only with {EGRESS}DwrrEgressScheduler"),
        (f"{EGRESS}DwrrEgressScheduler {DWRR}Weights=6:0", f'{DWRR}Weights: "6:0": an entry is '),
        ("--ip=6 --ns3::aifabric::FabricNetDevice::Mtu=4170", "--mtu=4096: packets of 4170 bytes "),
    ],
)
def test_a_refusal_names_what_is_wrong(tmp_path, options, line):
    run = call(tmp_path, *SMALL, *options.split(), "--out=out")
    assert_refused(run, tmp_path, [])
    assert stderr_lines(run)[0].startswith(f"ai-fabric-run: {line}")


@pytest.mark.parametrize(
    "balancer, attribute, value",
    [
        ("flowlet", "ChoiceType", "ns3::aifabric::FlowletBalancer"),
        ("flowlet", "ChoiceType", "ns3::aifabric::HostRandomBalancer"),
        ("switch-ar", "Low", "0.5"),
    ],
)
def test_bad_attributes_of_a_balancer(tmp_path, balancer, attribute, value):
    owner = "".join(word.capitalize() for word in balancer.split("-")) + "Balancer"
    options = [f"--balancer={balancer}", f"--ns3::aifabric::{owner}::{attribute}={value}"]
    run = call(tmp_path, *SMALL, *options, "--out=out")
    assert_refused(run, tmp_path, [])
    assert owner in run.stderr and attribute in run.stderr and value in run.stderr


@pytest.mark.parametrize("size", ["0p", "0B"])
def test_a_queue_has_to_hold_something(tmp_path, size):
    run = call(tmp_path, *SMALL, f"--ns3::aifabric::FabricQueue::MaxSize={size}", "--out=out")
    assert_refused(run, tmp_path, [])
    assert f"FabricQueue::MaxSize is {size}" in run.stderr


def test_unknown_names_are_answered_with_the_known_ones(tmp_path):
    answers = {
        "balancer": "bitmap, bitmap1, ecmp, flowlet, host-dr, host-permuted, host-random, jsq, mixed, "
        "ofan, plb, prime, reps, reps-fifo, rr, rsq, simple-rr, subflow, switch-ar",
        "recovery": "go-back-n, oracle, sack, strict",
        "rateControl": "fixed, m-swift",
        "sendOrder": "oldest-first, round-robin",
        "scheduler": "priority-queue",
        "topology": "fat-tree, leaf-spine",
        "workload": "permutation, all-to-all, incast, flows",
    }
    for option, known in answers.items():
        run = call(tmp_path, f"--{option}=none-such")
        names = run.stderr.split(": ", 2)[2]
        assert set(known.split(", ")) <= set(names.strip().replace("one of ", "").split(", "))


def test_names_that_are_nearly_right_are_answered_with_the_right_ones(tmp_path):
    rc, atp = "ns3::aifabric::RcQueuePair", "--workload=all-reduce --algorithm=atp --"
    for option, near in {
        "--balance=prime": "balancer",
        "--RngRunn=2": "RngRun",
        f"--{rc}::AckTimeot=1us": "AckTimeout",
        "--ns3::aifabric::RcQueuepair::AckTimeout=1us": rc,
        "--balancer=primes": "prime",
        "--workload=alltoall": "all-to-all",
        "--workload=all-reduce --algorithm=esaa": "esa",
        "--topology=leafspine": "leaf-spine",
        "--rateControl=dcqn": "dcqcn",
        "--stack=uecs": "uec",
        "--preset=g2te": "g2-te",
        "--workload=all-reduce --placement=randm": "random",
        "--onFailure=restarts": "restart",
        "--acks=bypas": "bypass",
        "--gpusPerNode=2 --nodeMapping=rai": "rail",
        "--engine=null-mesage": "null-message",
        f"{atp}gradientRounding=randomly": "random",
        f"{atp}resultPath=swich": "switch",
        "--marker=stepp": "step",
    }.items():
        run = call(tmp_path, "--check", *option.split())
        assert_refused(run, tmp_path, [])
        assert f"(did you mean '{near}'?)" in run.stderr, run.stderr


def test_values_at_which_nothing_moves_are_refused(tmp_path):
    space, rate = "--ns3::aifabric::", "a rate of at least 1bps, or 0bps"
    for options, option, why in (
        ("--rateControl=dctcp", f"{space}DctcpControl::MinRate=0.5bps", rate),
        ("--rateControl=dcqcn", f"{space}DcqcnControl::MinRate=0.1Bps", rate),
        ("--transport=spray --admission=trimming", f"{space}TrimmingBuffer::RetransmissionBytes=4157",
         "0, or room for a packet, which has 4158 bytes: a smaller queue trims all retransmissions"),
    ):
        run = call(tmp_path, "--k=4", *options.split(), option, "--out=out")
        assert_refused(run, tmp_path, [])
        assert stderr_lines(run) == [f"ai-fabric-run: {option}: {why}"]
    call(tmp_path, "--k=4", "--rateControl=dctcp", f"{space}DctcpControl::MinRate=1e8bps", "--check").check_returncode()


def test_algorithms_in_the_network_are_listed(tmp_path):
    lines = call(tmp_path, "--algorithm=help").stdout.splitlines()
    assert {"atp", "esa", "switchml", "ring"} <= {line.split()[0] for line in lines if line}


def test_no_option_may_be_empty(tmp_path):
    """Of an option that names a file, too, and of one that is none unless it is given."""
    usage = call(tmp_path, "--PrintHelp").stdout.split("General Arguments:")[0]
    names = re.findall(r"^ +--(\w+):", usage, re.MULTILINE)
    assert len(names) > 50
    for name in names:
        run = call(tmp_path, f"--{name}=", "--k=4")
        assert_refused(run, tmp_path, [])
        flag = name in ("check", "hopLatency", "nicCounters", "progress", "queuePeaks")
        why = "true or false" if flag else f"a value is needed: --{name}=value"
        assert stderr_lines(run) == [f"ai-fabric-run: --{name}=: {why}"]


def test_times_and_shares_that_may_be_auto_say_so(tmp_path):
    for option in "detection", "jitter", "stallTime", "period", "fabricRate", "upgraded", "size", "k":
        upgrade = ["--upgrade=ofan"] if option == "upgraded" else []
        run = call(tmp_path, f"--{option}=x", *upgrade, "--check")
        assert_refused(run, tmp_path, [])
        assert run.stderr.startswith(f"ai-fabric-run: --{option}=x: ")
        assert run.stderr.rstrip().endswith(", or auto")


@pytest.mark.parametrize(
    "options, blamed",
    [
        ("--k=200", "--k=200: 2000000 hosts need about "),
        ("--topology=leaf-spine --leaves=65534", "--leaves=65534: 524272 hosts need about "),
        ("--topology=three-tier --pods=200 --leavesPerPod=100", "--pods=200: 320000 hosts need about "),
        ("--k=40", "--k=40: 16000 hosts need about "),
        ("--k=8 --workload=all-to-all --size=9kB --steering=split", "--k=8: 128 hosts and 16256 "),
        ("--k=18 --steering=ethereal", "--k=18: 1458 hosts and 1458 messages in 118098 pieces need about "),
        ("--k=14 --workload=all-to-all --steering=end-to-end", "--k=14: 686 hosts and 469910 messages in "),
        ("--k=4 --workload=all-reduce --size=64kB --repeat=1000000", "--repeat=1000000: 16 hosts and 480000000 messages need "),
        (f"--k=4 {FRAGMENTS}1 --size=64MiB", "--k=4: 16 hosts and 16 messages in 1073741824 pieces need about "),
        (f"--k=4 {CHUNKS}1 --size=64MiB", "--k=4: 16 hosts and 16 messages in 1073741824 pieces need about "),
        (f"--k=4 {CHUNKS}64 --workload=all-reduce --size=1GiB", "--k=4: 16 hosts and 480 messages in 503316480 pieces "),
    ],
)
def test_what_does_not_fit_into_memory_is_refused_at_once(tmp_path, options, blamed):
    """Before the fabric is described; and by the limit of the shell, and with pieces of messages."""
    limit = 400_000  # KiB
    pieces = "--ns3::aifabric::SplitSteering::QueuePairs=16" if "--steering" in options else ""
    command = f"ulimit -v {limit}; exec {PROGRAM} {options} {pieces} --check"
    start = time.monotonic()
    run = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert_refused(run, tmp_path, [])
    assert run.stderr.startswith(f"ai-fabric-run: {blamed}") and "GB of memory" in run.stderr
    assert time.monotonic() - start < 20


@pytest.mark.parametrize("option, divided", [("steering=dqplb", FRAGMENTS), ("receiverAdmission=2", CHUNKS)])
def test_a_message_has_less_than_2_to_32_parts(tmp_path, option, divided):
    run = call(tmp_path, "--k=4", *f"{divided}1".split(), "--size=4GiB", "--check")
    assert_refused(run, tmp_path, [])
    parts = "it divides 4294967296 bytes into 4294967296 parts, and 4294967295 are allowed"
    assert stderr_lines(run) == [f"ai-fabric-run: --{option}: {parts}"]


def test_fragments_share_queue_pairs(tmp_path):
    """Of a message, 16; its other fragments need little memory."""
    command = f"ulimit -v 400000; exec {PROGRAM} --k=8 {FRAGMENTS}65536 --size=64MiB --check"
    run = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_the_steps_of_a_collective_share_queue_pairs(tmp_path):
    """A ring of 128 hosts has 32 512 messages in 16 pieces each, but only 128 pairs of neighbors."""
    options = "--k=8 --workload=all-reduce --algorithm=ring --repeat=2 --steering=split --size=1MB --check"
    pieces = "--ns3::aifabric::SplitSteering::QueuePairs=16"
    command = f"ulimit -v 400000; exec {PROGRAM} {options} {pieces}"
    run = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_jobs_that_do_not_fit_into_memory_are_refused_before_they_are_made(tmp_path):
    jobs = tmp_path / "jobs.csv"
    jobs.write_text("bytes,layers,iterations,compute_ns,jitter,start_ns\n65536,1000,1000,0,0,0\n")
    command = f"ulimit -v 400000; exec {PROGRAM} --k=4 --workload=all-reduce --algorithm=ring --jobs=jobs.csv --check"
    run = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert_refused(run, tmp_path, [jobs])
    assert run.stderr.startswith("ai-fabric-run: --jobs=jobs.csv: 16 hosts and 480000000 messages need about ")


def test_little_memory_is_no_crash(tmp_path):
    """The code of the program takes its share of `ulimit -v`."""
    for more in ("--check", "--out=out"):
        command = f"ulimit -v 70000; exec {PROGRAM} --k=16 --size=8KiB {more}"
        run = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert_refused(run, tmp_path, [])
        assert re.match(r"ai-fabric-run: --k=16: 1024 hosts need about \d+ MB of memory, and there are ", run.stderr)


@pytest.mark.parametrize("options", ["--k=18", "--k=8 --workload=all-to-all --steering=end-to-end"])
def test_what_fits_into_memory_is_not_refused(tmp_path, options):
    command = f"ulimit -v 450000; exec {PROGRAM} {options} --size=64kB --check"
    subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, check=True)


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
    "options, why",
    [
        (
            "--admission=shared --ns3::aifabric::SharedBuffer::LosslessClasses=8 --buffer=20kB",
            "--buffer=20000: at least ",
        ),
        (
            "--marker=red --ns3::aifabric::RedMarker::KMin=100 --ns3::aifabric::RedMarker::KMax=10",
            "RedMarker::KMax is 10: ",
        ),
        ("--delay=100s", "--delay=100s: so short that "),
        (
            "--recovery=strict --ns3::aifabric::RcQueuePair::AckDscp=0",
            "--recovery=strict: with ns3::aifabric::StrictRecovery, acknowledgements ",
        ),
        ("--recovery=strict --admission=trimming", "--recovery=strict: senders with ns3::aifabric::StrictRecovery never wait, "),
    ],
)
def test_a_check_refuses_what_the_run_refuses(tmp_path, options, why):
    check = call(tmp_path, "--k=4", *options.split(), "--check")
    run = call(tmp_path, "--k=4", *options.split(), "--out=out")
    assert check.stderr == run.stderr and check.stderr.startswith(f"ai-fabric-run: {why}")
    assert_refused(check, tmp_path, [])
    assert_refused(run, tmp_path, [])


@pytest.mark.parametrize(
    "options",
    [
        "--recovery=strict --size=16KiB",
        "--workload=incast --senders=12 --size=128KiB --recovery=go-back-n --admission=shared "
        "--ns3::aifabric::SharedBuffer::LosslessClasses=8 --buffer=400kB",
    ],
)
def test_shares_of_time_are_no_more_than_one_and_means_no_more_than_the_most(tmp_path, options):
    """Strict sends as long as the run goes on; with PFC a port may send nothing but pause frames."""
    results = succeed(tmp_path, "--k=4", *options.split())["results"]
    assert results["cct_ns"] < results["measured_ns"] < results["cct_ns"] + 501
    for name in "links", "layers", "queues":
        for row in rows(tmp_path, name):
            shares = [float(row[column]) for column in row if column.endswith("utilization")]
            assert all(share <= 1 for share in shares)
            assert float(row["mean_queue_packets"]) <= float(row["max_queue_packets"])
    most = {row["layer"]: int(row["max_queue_packets"]) for row in rows(tmp_path, "layers")}
    for sample in rows(tmp_path, "queues"):
        assert int(sample["max_queue_packets"]) <= most[sample["layer"]]
    assert most["host-up"] >= 1


def test_messages_that_wait_for_their_batch_are_no_stall(tmp_path):
    window = "--ns3::aifabric::SourceRoutedSteering::BatchWindow=20ms"
    results = succeed(tmp_path, "--k=4", "--size=64KiB", "--steering=ethereal", window)["results"]
    assert results["cct_ns"] > 20e6


HEADER = "start_ns,source,destination,bytes\n"
BAD_FLOWS = {
    "": "is empty",
    HEADER: "has no flow",
    "start_ns,source,target,bytes\n0,0,1,1\n": "line 1: there is no column 'target'",
    "start_ns,source,source,bytes\n0,0,1,1\n": "line 1: column source stands twice",
    "start_ns,source,destination\n0,0,1\n": "line 1: column bytes",
    HEADER + "0,0,1,1,1\n": "line 2: column 5",
    HEADER + "0,0,1,1\n0,0,16,1\n": "line 3: column destination",
    HEADER + "0,-1,1,1\n": "line 2: column source",
    HEADER + "0,1,1,1\n": "line 2: column destination",
    HEADER + "-1,0,1,1\n": "line 2: column start_ns",
    HEADER + "soon,0,1,1\n": "line 2: column start_ns",
    HEADER + "0 0 1 1\n": "line 2: column source",
    HEADER + "0,0,1,1099511627777\n": "line 2: column bytes",
    HEADER + "\x00\xff,0,1,1\n": "line 2: column start_ns",
}


@pytest.mark.parametrize("text", BAD_FLOWS)
def test_bad_flows(tmp_path, text):
    option = write_flows(tmp_path, text)
    run = call(tmp_path, "--k=4", option, "--out=out")
    assert_refused(run, tmp_path, [tmp_path / "flows.csv"])
    assert run.stderr.startswith(f"ai-fabric-run: {option}: {BAD_FLOWS[text]}")


@pytest.mark.parametrize("option", ["--size=1", "--workload=incast", "--senders=1"])
def test_flows_exclude_other_traffic(tmp_path, option):
    flows = write_flows(tmp_path, HEADER + "0,0,1,1\n")
    run = call(tmp_path, "--k=4", flows, option, "--out=out")
    assert_refused(run, tmp_path, [tmp_path / "flows.csv"])


@pytest.mark.parametrize("out", ["", "file", "file/below", "/proc/none", "/dev/null"])
def test_unwritable_out(tmp_path, out):
    (tmp_path / "file").touch()
    run = call(tmp_path, *SMALL, f"--out={out}")
    assert_refused(run, tmp_path, [tmp_path / "file"])
    assert run.stderr.startswith(f"ai-fabric-run: --out={out}: ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_write_protected_out(tmp_path):
    (tmp_path / "out").mkdir(mode=0o555)
    run = call(tmp_path, *SMALL, "--out=out")
    assert_refused(run, tmp_path, [tmp_path / "out"])


# --- What a run leaves ----------------------------------------------------------------------------


def test_files(tmp_path):
    json_text = succeed(tmp_path, *SMALL)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(
        [*TABLES, "run.json"]
    )
    assert sorted(json_text["files"]) == sorted(TABLES)
    for name, header in TABLES.items():
        assert (tmp_path / "out" / name).read_text().split("\n")[0] == header
    assert (tmp_path / "out" / "events.csv").read_text().count("\n") == 1
    assert len(rows(tmp_path, "flows")) == 16
    assert len(rows(tmp_path, "links")) == 2 * 48


def test_every_column_is_documented():
    text = (ROOT / "doc/outputs.rst").read_text()
    for header in TABLES.values():
        for column in header.split(","):
            assert f"``{column}``" in text


def test_run_json(tmp_path):
    name = "ns3::aifabric::RrBalancer::Reshuffle"
    summary = succeed(tmp_path, *SMALL, "--balancer=rr", "--RngRun=7", f"--{name}=3")
    usage = call(tmp_path, "--PrintHelp").stdout.split("General Arguments:")[0]
    options = {line.split(":")[0].strip()[2:] for line in usage.splitlines() if "    --" in line}
    assert len(options) > 20
    how = {"ranks", "engine", "plan"}  # how it was computed, which is not the scenario's
    assert options - how <= set(summary["scenario"])
    assert not how & set(summary["scenario"])
    assert summary["results"]["ranks"] == 1
    assert summary["scenario"]["attributes"] == {name: "3"}
    assert summary["scenario"]["k"] == 4 and summary["scenario"]["size"] == 65536
    assert summary["run"] == 7 and summary["seed"] == 1
    assert summary["versions"].keys() >= {"ns-3", "ai-fabric", "compiler"}
    assert summary["buildProfile"] in ("release", "optimized", "debug", "unknown")
    keys = (
        "cct_ns bound_ns increase_percent max_queue_packets mean_queue_packets drops "
        "retransmissions messages data_packets packet_hops events cpu_s peak_rss_bytes"
    )
    results = summary["results"]
    assert set(keys.split()) | COST <= set(results)
    documented = (ROOT / "doc/outputs.rst").read_text()
    assert all(f"``{key}``" in documented for key in results)
    assert results["messages"] == 16 and results["data_packets"] == 16 * 16
    assert results["drops"] == sum(results["drops_by_reason"].values())
    delivered = sum(int(row["frames_delivered"]) for row in rows(tmp_path, "links"))
    assert results["packet_hops"] == delivered


def test_results_agree_with_tables(tmp_path):
    results = succeed(tmp_path, "--k=4", "--balancer=rsq", "--sample=50ns")["results"]
    flows = rows(tmp_path, "flows")
    first = min(float(row["start_ns"]) for row in flows)
    last = max(float(row["completed_ns"]) for row in flows)
    assert results["cct_ns"] == pytest.approx(last - first, abs=1e-3)
    links = [row for row in rows(tmp_path, "links") if row["layer"] != "host-up"]
    assert results["max_queue_packets"] == max(int(row["max_queue_packets"]) for row in links)
    mean = statistics.mean(float(row["mean_queue_packets"]) for row in links)
    assert results["mean_queue_packets"] == pytest.approx(mean)
    samples = [row for row in rows(tmp_path, "queues") if row["layer"] != "host-up"]
    assert results["max_queue_packets"] >= max(int(row["max_queue_packets"]) for row in samples)
    for layer in {row["layer"] for row in samples}:
        sampled = [float(row["mean_queue_packets"]) for row in samples if row["layer"] == layer]
        mean = results["layers"][layer]["mean_queue_packets"]
        assert mean == pytest.approx(statistics.mean(sampled), rel=0.05)


def summary_of(folder, *options):
    """The lines that a run prints, by their first words, and its results."""
    run = call(folder, *options, "--out=out")
    assert run.returncode == 0 and run.stderr == ""
    lines = dict(re.split("  +", line, maxsplit=1) for line in run.stdout.splitlines())
    return lines, json.loads((folder / "out/run.json").read_text())["results"]


@pytest.mark.parametrize(
    "options, warns",
    [
        ("--balancer=rsq --buffer=10MB", False),
        ("--workload=incast", True),
        ("--workload=incast --acks=bypass", True),
        ("--workload=incast --recovery=strict", True),
        ("--workload=incast --recovery=go-back-n", False),
        ("--balancer=rsq --buffer=10MB --fail=host-0:0--pod0-edge-0:0%0.005@0s", False),
        ("--balancer=rsq --buffer=10MB --fail=host-0:0--pod0-edge-0:0%0.5@0s", True),
        ("--balancer=rsq --buffer=10MB --recovery=sack --fail=host-0:0--pod0-edge-0:0%0.5@0s", False),
    ],
)
def test_the_summary_tells_of_losses(tmp_path, options, warns):
    """All counts, zeros too, and a warning where an ideal recovery hides more than 1 % of loss."""
    lines, results = summary_of(tmp_path, "--k=4", "--size=256KiB", *options.split())
    names = ["stack", "completion time", "switch queues", "losses", *["faults"] * ("--fail" in options)]
    assert list(lines) == [*names, *["warning"] * warns, "results"]
    again = results["retransmissions"] + results["repair_packets"]
    assert lines["losses"] == (
        f"{results['drops']} packets dropped, {results['link_losses']} lost on links, "
        f"{again} retransmissions, {results['timeouts']} timeouts"
    )
    sent = sum(
        int(row["frames_sent"]) for row in rows(tmp_path, "links") if row["layer"] == "host-up"
    )
    percent = 100 * (results["drops"] + results["link_losses"]) / sent
    ideal = not re.search("go-back-n|sack", options)
    assert warns == (ideal and percent > 1)
    if warns:
        assert lines["warning"].startswith(f"{percent:.1f} % of all packets were lost")


def test_samples_stay_few(tmp_path):
    succeed(tmp_path, "--k=2", "--sample=1ns")
    times = [float(row["time_ns"]) for row in rows(tmp_path, "queues") if row["layer"] == "host-up"]
    assert 500 <= len(times) <= 1000
    steps = {round(b - a, 3) for a, b in zip(times, times[1:])}
    assert len(steps) == 1
    succeed(tmp_path, *SMALL, "--sample=0")
    assert rows(tmp_path, "queues") == []


def test_samples_begin_with_the_first_message(tmp_path):
    late = "".join(f"1000000000,{host},0,262144\n" for host in range(1, 5))
    option = write_flows(tmp_path, HEADER + late)
    succeed(tmp_path, "--k=4", option)
    samples = rows(tmp_path, "queues")
    assert float(samples[0]["time_ns"]) == 1e9
    assert max(int(row["max_queue_packets"]) for row in samples) > 10


def test_lossless_classes_lose_nothing_whatever_the_mtu(tmp_path):
    lossless = "--admission=shared", "--ns3::aifabric::SharedBuffer::LosslessClasses=8"
    incast = "--workload=incast", "--senders=15", "--rate=25Gb/s", "--size=300kB"
    for mtu in (4096, 9000, 32768):
        options = *lossless, *incast, f"--mtu={mtu}", "--buffer=500kB", "--recovery=go-back-n"
        results = succeed(tmp_path, "--k=4", *options)["results"]
        assert results["lossless_drops"] == results["drops"] == 0
        assert results["retransmissions"] == 0
        assert any(row["event"] == "pause" for row in rows(tmp_path, "events"))


def test_the_least_buffer_is_enough(tmp_path):
    lossless = "--admission=shared", "--ns3::aifabric::SharedBuffer::LosslessClasses=8"
    run = call(tmp_path, *SMALL, *lossless, "--buffer=100kB")
    least = int(stderr_lines(run)[0].split("at least ")[1].split()[0])
    succeed(tmp_path, *SMALL, *lossless, f"--buffer={least}")
    assert call(tmp_path, *SMALL, *lossless, f"--buffer={least - 1}").returncode == 1


def test_slow_hosts_take_their_time(tmp_path):
    """A byte takes 80 ms: products of times and bytes exceed 64 bits."""
    option = write_flows(tmp_path, HEADER + "0,0,1,8192\n")
    slow = "--rate=1Mb/s", "--ns3::aifabric::FixedControl::RateFraction=0.0001"
    results = succeed(tmp_path, "--k=2", option, *slow, "--ns3::aifabric::RcQueuePair::AckTimeout=1000s")
    assert results["results"]["cct_ns"] == pytest.approx(8e7 * (4096 + 78 + 20), rel=1e-3)


def test_output_is_all_or_nothing(tmp_path):
    succeed(tmp_path, *SMALL)
    shutil.rmtree(tmp_path / "out")
    deep = call(tmp_path, *SMALL, "--out=a/b/c/")
    assert deep.returncode == 0
    assert (tmp_path / "a/b/c/run.json").exists()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    stalled = ["--k=2", "--size=64KiB", "--fail=host-0:0--pod0-edge-0:0@1us", "--onFailure=stop"]
    for out in ("a/b/c", "d/e"):
        run = call(tmp_path, *stalled, f"--out={out}")
        assert run.returncode == 1
        assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before
    assert not (tmp_path / "d").exists()


LONG = "--k=4", "--size=100MB", "--workload=all-to-all", "--pcap=host-0"


def start(folder, *arguments, **more):
    """Starts the program and waits until it writes results."""
    process = subprocess.Popen(
        [PROGRAM, *arguments, "--out=new/out"],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )
    for _ in range(1000):
        if list(folder.rglob("host-0.pcap")):
            break
        time.sleep(0.01)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("exists", [False, True])
def test_interrupted_run_leaves_nothing(tmp_path, number, exists):
    if exists:
        (tmp_path / "new/out").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    process = start(tmp_path, *LONG)
    assert sorted(tmp_path.rglob("*")) != before
    process.send_signal(number)
    _, errors = process.communicate(timeout=10)
    assert process.returncode == 128 + number
    assert all(line.startswith(DEBUG_NOTICE) for line in errors.splitlines())
    assert sorted(tmp_path.rglob("*")) == before


def test_ignored_signal_stays_ignored(tmp_path):
    process = start(tmp_path, *LONG, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    process.send_signal(signal.SIGHUP)
    time.sleep(0.1)
    assert process.poll() is None
    process.terminate()
    process.communicate(timeout=10)
    assert process.returncode == 128 + signal.SIGTERM


def test_a_folder_is_of_one_run(tmp_path):
    process = start(tmp_path, *LONG)
    during = sorted(tmp_path.rglob("*"))
    run = call(tmp_path, *SMALL, "--out=new/out")
    assert_refused(run, tmp_path, during)
    assert "another run" in run.stderr
    process.terminate()
    process.communicate(timeout=10)
    assert call(tmp_path, *SMALL, "--out=new/out").returncode == 0


def test_results_replace_those_of_an_earlier_run(tmp_path):
    succeed(tmp_path, *SMALL, "--pcap=host-0,core-0:1")
    (tmp_path / "out/mine.txt").touch()
    (tmp_path / "out/mine.pcap").touch()
    summary = succeed(tmp_path, *SMALL, "--pcap=host-1")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {*summary["files"], "run.json", "mine.txt", "mine.pcap"}


def test_a_run_without_a_folder_keeps_the_earlier_ones(tmp_path):
    def run(*options):
        made = subprocess.run([PROGRAM, *SMALL, *options], cwd=tmp_path, capture_output=True, text=True, check=True)
        return re.findall(r"^earlier results +(.*)$", made.stdout, re.MULTILINE)

    results = tmp_path / "results"
    assert run("--RngRun=1") == []
    (results / "run/timeline.png").touch()
    (results / "run/mine").mkdir()
    assert run("--RngRun=2") == ["results/run-1"]
    (results / "run-2").touch()
    assert run("--RngRun=3") == ["results/run-3"]
    seeds = {path.parent.name: json.loads(path.read_text())["run"] for path in results.glob("*/run.json")}
    assert seeds == {"run-1": 1, "run-3": 2, "run": 3}
    assert (results / "run-1/timeline.png").exists() and (results / "run-1/mine").is_dir()
    assert not (results / "run/timeline.png").exists() and not list(results.glob("*/.partial-*"))
    assert run("--RngRun=4", "--out=results/run") == []
    assert sorted(path.name for path in results.iterdir()) == ["run", "run-1", "run-2", "run-3"]


def test_too_many_captures(tmp_path):
    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60))

    cores = ",".join(f"core-{core}" for core in range(4))
    run = subprocess.run(
        [PROGRAM, *SMALL, f"--pcap={cores},host-0,host-1,pod0-edge-0,pod0-edge-1,pod0-agg-0"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        preexec_fn=limit,
        check=False,
        timeout=60,
    )
    assert_refused(run, tmp_path, [])
    assert run.stderr.startswith("ai-fabric-run: --pcap=core-0") and "ulimit -n" in run.stderr


def test_captures_raise_the_limit_of_open_files(tmp_path):
    def limit():
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, hard))

    run = subprocess.run(
        [PROGRAM, *SMALL, "--pcap=core-0,core-1,core-2,core-3", "--out=out"],
        cwd=tmp_path,
        capture_output=True,
        preexec_fn=limit,
        check=False,
        timeout=60,
    )
    assert run.returncode == 0
    assert len(list((tmp_path / "out").glob("*.pcap"))) == 16


def test_full_stdout(tmp_path):
    for arguments in ([*SMALL, "--out=out"], ["--balancer=help"]):
        with open("/dev/full", "w") as full:
            run = subprocess.run(
                [PROGRAM, *arguments],
                cwd=tmp_path,
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
                timeout=60,
            )
        assert run.returncode == 1
        assert stderr_lines(run) == ["ai-fabric-run: stdout cannot be written"]


def test_messages_are_one_short_line(tmp_path):
    (tmp_path / "file").touch()
    for out in ("file/new\nline", "file/" + 200 * "long/"):
        run = call(tmp_path, *SMALL, f"--out={out}")
        assert_refused(run, tmp_path, [tmp_path / "file"])
        assert len(run.stderr) < 300
    assert "64 to 32768" in call(tmp_path, "--mtu=0").stderr
    assert "--fail=host-0:0--pod0-edge-0:0@1us,: " in call(
        tmp_path, "--fail=host-0:0--pod0-edge-0:0@1us,"
    ).stderr


def test_flows_come_from_a_file_of_lines(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    run = call(tmp_path, *SMALL[:1], "--flows=fifo", "--out=out", timeout=10)
    assert_refused(run, tmp_path, [tmp_path / "fifo"])
    option = write_flows(tmp_path, HEADER + "0" * 5000 + ",0,1,1\n")
    run = call(tmp_path, *SMALL[:1], option, "--out=out")
    assert run.returncode == 1
    assert run.stderr.startswith(f"ai-fabric-run: {option}: line 2: is longer than 4096")


def test_odd_folder_names(tmp_path):
    for name in (b"a b", b'quo"te', b"back\\slash", b"\xc3\xa9", b"latin-\xe9", b"new\nline"):
        run = call(tmp_path, *SMALL, b"--out=" + name)
        assert run.returncode == 0
        folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
        out = json.loads((folder / "run.json").read_text())["scenario"]["out"]
        assert out == name.decode(errors="replace")


def test_pcap(tmp_path):
    summary = succeed(tmp_path, *SMALL, "--pcap=host-3,pod1-edge-0:2,core-0")
    captures = sorted(path.name for path in (tmp_path / "out").glob("*.pcap"))
    assert captures == sorted(
        ["host-3.pcap", "pod1-edge-0-2.pcap", *(f"core-0-{port}.pcap" for port in range(4))]
    )
    assert set(captures) < set(summary["files"])
    sent = {row["from"]: int(row["frames_sent"]) for row in rows(tmp_path, "links")}
    got = {row["to"]: int(row["frames_delivered"]) for row in rows(tmp_path, "links")}
    data = (tmp_path / "out/host-3.pcap").read_bytes()
    assert data[:4] == bytes.fromhex("4d3cb2a1")  # little endian, nanoseconds
    frames, offset = 0, 24
    while offset < len(data):
        offset += 16 + int.from_bytes(data[offset + 8 : offset + 12], "little")
        frames += 1
    assert offset == len(data)
    assert frames == sent["host-3:0"] + got["host-3:0"]


def test_folder_of_a_killed_run(tmp_path):
    """It may have had the number of the process that runs now: in a container it has."""
    script = 'mkdir -p out/.partial-$$/x && exec "$@"'
    command = ["sh", "-c", script, "sh", PROGRAM, *SMALL, "--out=out"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
    assert not list((tmp_path / "out").glob(".partial-*"))


def test_progress_goes_to_stderr(tmp_path):
    run = call(tmp_path, *SMALL, "--progress", "--out=out")
    line = stderr_lines(run)[-1]
    assert line.startswith("16 of 16 messages, ") and "us simulated, " in line
    assert "packet-hops/s" in line


def test_help_and_lists(tmp_path):
    lists = [f"--{name}=help" for name in ("balancer", "recovery", "sendOrder", "fail")]
    for question in ("--PrintHelp", "--help", *lists):
        run = call(tmp_path, question)
        assert run.returncode == 0 and run.stderr == "" and run.stdout
    usage = call(tmp_path, "--PrintHelp").stdout
    assert "[fat-tree]" in usage and "[800Gb/s]" in usage
    assert not list(tmp_path.iterdir())


# What the Simulation Execution Manager (sem 0.3.9, sem/runner.py) reads of --PrintHelp: everything
# between these two headings; of each line the last "--" with one of ?:|= after it, and what stands
# in the last brackets.
SEM_SECTION = re.compile(r"Program\s(?:Options|Arguments):(.*)General\sArguments", re.DOTALL)
SEM_NAME = re.compile(r".*--(.*?)[?:|=]")
SEM_DEFAULT = re.compile(r".*\[(.*?)\]")


def sem_value(text):
    """A default as SEM keeps it and, formatted by Python, gives it back."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return float(text)
    except ValueError:
        return text


def sem_options(folder):
    """All options and defaults as SEM finds them, and the lines in which it looks."""
    usage = call(folder, "--PrintHelp").stdout
    lines = SEM_SECTION.search(usage).group(1).strip().splitlines()
    found = [(SEM_NAME.match(line), SEM_DEFAULT.match(line)) for line in lines]
    return {name.group(1): sem_value(default.group(1)) for name, default in found}, lines


def test_sem_finds_every_option_and_its_default(tmp_path):
    options, lines = sem_options(tmp_path)
    assert list(options) == [line.split(":")[0].strip().removeprefix("--") for line in lines]
    assert options["balancer"] == "ecmp" and options["planes"] == 1.0 and options["progress"] is False
    assert options["rateControl"] == "fixed" and options["rho"] == 1
    known = "RngRun RngSeed SchedulerType SimulatorImplementationType ChecksumEnabled".split()
    text = call(tmp_path, "--PrintGlobals").stdout
    others = set(re.findall(r"--(\w+)=", text)) - set(known)  # SEM leaves out the known ones
    assert others == set()


def test_sem_gives_every_option(tmp_path):
    """SEM gives all options, those with their defaults too, and numbers with decimals."""
    options = {**sem_options(tmp_path)[0], "k": 4, "size": "64KiB", "RngRun": 3}
    given = [f"--{name}={value}" for name, value in options.items() if name != "out"]
    assert "--planes=1.0" in given and "--progress=False" in given
    by_sem = succeed(tmp_path, *given)
    by_hand = succeed(tmp_path, *SMALL, "--RngRun=3")
    for cost in COST:
        by_sem["results"].pop(cost), by_hand["results"].pop(cost)
    assert by_sem == by_hand


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


@pytest.mark.parametrize("options", ["--k=7", "--balancer=no", "--nonsense=1", "--fail=x@1us"])
def test_check_refuses_what_a_run_refuses(tmp_path, options):
    before = sorted(tmp_path.rglob("*"))
    check = call(tmp_path, options, "--check")
    assert_refused(check, tmp_path, before)
    assert check.stderr == call(tmp_path, options).stderr


# --- Faults and stalls ----------------------------------------------------------------------------


def test_faults_are_logged(tmp_path):
    link = "pod0-edge-0:2--pod0-agg-0:0"
    faults = f"--fail={link}@2us-4us,{link}*0.5@5us,{link}%0.1@1us-2us"
    summary = succeed(tmp_path, "--k=4", "--balancer=rsq", faults)
    events = [(row["time_ns"], row["event"], row["detail"]) for row in rows(tmp_path, "events")]
    assert set(events) >= {
        ("1000.000", "fault_begin", "probability=0.1"),
        ("2000.000", "fault_end", "probability=0.1"),
        ("2000.000", "fault_begin", "cut"),
        ("2000.000", "link_down", ""),
        ("4000.000", "link_up", ""),
        ("4000.000", "fault_end", "cut"),
        ("5000.000", "fault_begin", "factor=0.5"),
    }
    assert {row["subject"] for row in rows(tmp_path, "events")} == {link}
    lost = sum(int(row["frames_lost"]) for row in rows(tmp_path, "links"))
    assert summary["results"]["link_losses"] == lost > 0
    assert summary["results"]["retransmissions"] >= lost / 2


LOSSY_LINK = "--fail=host-1:0--pod0-edge-0:1%0.02@0ns"


@pytest.mark.parametrize("balancer", ["ecmp", "rsq", "host-random"])
@pytest.mark.parametrize("recovery", ["go-back-n", "oracle", "sack", "strict"])
def test_recoveries_survive_a_lossy_link(tmp_path, recovery, balancer):
    options = "--k=4", f"--recovery={recovery}", f"--balancer={balancer}", "--buffer=10MB", LOSSY_LINK
    results = succeed(tmp_path, *options)["results"]
    packets = results["messages"] * 256
    again = results["retransmissions"] + results["repair_packets"]
    assert results["data_packets"] == packets + again
    assert results["link_losses"] > 0
    assert results["drops"] == 0
    # The run may stop before the last copies have arrived.
    assert results["discarded_packets"] <= again
    assert (results["repair_packets"] > 0) == (recovery == "strict")
    if recovery == "oracle":
        assert results["retransmissions"] <= results["link_losses"]
    timeouts = [row for row in rows(tmp_path, "events") if row["event"] == "timeout"]
    assert len(timeouts) == results["timeouts"]


def test_recoveries_rank_as_they_should(tmp_path):
    def time(recovery):
        options = "--k=4", "--balancer=rsq", f"--recovery={recovery}", LOSSY_LINK
        runs = [succeed(tmp_path, *options, f"--RngRun={run}") for run in range(1, 7)]
        return sum(run["results"]["cct_ns"] for run in runs)

    assert time("oracle") < time("sack") < time("go-back-n")


def test_spurious_retransmissions_need_reordering_beyond_the_threshold(tmp_path):
    def run(threshold):
        attribute = f"--ns3::aifabric::SackRecovery::ReorderingThreshold={threshold}"
        options = "--k=4", "--balancer=rsq", "--recovery=sack", attribute
        return succeed(tmp_path, *options)["results"]

    patient = run(1000)
    assert patient["drops"] == patient["retransmissions"] == 0
    reordering = patient["max_reordering_packets"]
    assert 1 < reordering < 200
    assert run(reordering + 1)["retransmissions"] == 0
    assert run(1)["retransmissions"] > 0


def test_timeouts_are_logged(tmp_path):
    # The last packets of host 1 are lost, so that only the timer notices.
    link = "host-1:0--pod0-edge-0:1"
    options = "--recovery=sack", "--workload=flows", write_flows(tmp_path, HEADER + "0,1,9,65536\n")
    timeout = "--ns3::aifabric::RcQueuePair::AckTimeout=20us"
    summary = succeed(tmp_path, "--k=4", *options, timeout, f"--fail={link}@600ns-30us")
    assert summary["results"]["timeouts"] == 2
    timeouts = [row for row in rows(tmp_path, "events") if row["event"] == "timeout"]
    assert {row["subject"] for row in timeouts} == {"host-1:qp-16"}
    assert [row["detail"] for row in timeouts] == ["peer=host-9 retries=1", "peer=host-9 retries=2"]


def test_timeout_of_a_queue_pair(tmp_path):
    def timeout(*options):
        scenario = succeed(tmp_path, *SMALL, "--balancer=rsq", *options)["scenario"]
        return float(scenario["ackTimeout"].removesuffix("ns"))

    attribute = "--ns3::aifabric::RcQueuePair::AckTimeout=77us"
    assert timeout("--recovery=sack") == 100_000
    assert timeout("--recovery=oracle") == 540_000
    assert timeout("--recovery=sack", "--delay=20us") == pytest.approx(3 * 240e3, rel=0.01)
    assert timeout("--recovery=sack", attribute) == 77_000


def test_packets_in_ipv6_are_longer(tmp_path):
    """The bytes on the links of hosts are the sum of headers, payload and pad, in either version."""
    size, mtu = 20_001, 4096
    packets = -(-size // mtu)
    bounds = []
    for version, headers in (4, 62), (6, 82):
        options = "--k=4", f"--size={size}", "--recovery=oracle", f"--ip={version}"
        summary = succeed(tmp_path, *options, "--ns3::aifabric::RoceNetDevice::AckBytes=66")
        assert summary["scenario"]["ip"] == version
        assert summary["results"]["retransmissions"] == 0
        data = packets * headers + 16 + -(-size // 4) * 4  # with one RETH and a pad
        acks = packets * (headers + 4)
        for row in rows(tmp_path, "links"):
            if row["layer"] == "host-up":
                assert int(row["bytes_sent"]) == data + acks
        bounds.append(summary["results"]["completion_bound_ns"])
    assert bounds[0] < bounds[1] < 1.02 * bounds[0]


@pytest.mark.parametrize("mtu", [8192, 32768])
def test_long_packets_make_room_for_themselves(tmp_path, mtu):
    summary = succeed(tmp_path, *SMALL, f"--mtu={mtu}", "--balancer=rsq", "--admission=shared")
    assert summary["results"]["data_packets"] == 16 * (65536 // mtu)
    assert summary["results"]["drops"] == 0


@pytest.mark.parametrize(
    ("k", "size", "least", "most"), [(8, "1MiB", -0.5, 0.5), (6, "16MiB", 0, 15)]
)
def test_m_swift_slows_down_long_messages_only(tmp_path, k, size, least, most):
    def run(control):
        options = f"--k={k}", f"--size={size}", "--balancer=rsq", f"--rateControl={control}", "--sample=0ns"
        return succeed(tmp_path, *options)["results"]

    fixed, swift = run("fixed"), run("m-swift")
    assert least <= swift["increase_percent"] - fixed["increase_percent"] <= most
    assert swift["max_queue_packets"] <= fixed["max_queue_packets"]


@pytest.mark.parametrize("recovery", ["oracle", "go-back-n", "sack", "strict"])
def test_stall_report(tmp_path, recovery):
    run = call(
        tmp_path,
        "--k=2",
        f"--recovery={recovery}",
        "--fail=host-0:0--pod0-edge-0:0@5us",
        "--stallTime=5ms",
        "--out=out",
    )
    assert run.returncode == 1 and run.stdout == ""
    lines = stderr_lines(run)
    assert lines[0].startswith("ai-fabric-run: stalled after ")
    assert "2 of 2 messages pending" in lines[0]
    assert any("host-0 queue pair 0x10 to host-1: " in line for line in lines)
    assert any("its link is dead" in line or "given up" in line for line in lines)
    assert any("pod0-edge-0:0" in line for line in lines if "dead link" in line)
    assert not (tmp_path / "out").exists()


def test_a_stall_is_one_though_the_last_message_comes_meanwhile(tmp_path):
    """The ranks of a run know of a stall a link's delay later; the results do not depend on it."""
    (tmp_path / "one.csv").write_text("start_ns,source,destination,bytes\n0,0,1,4096\n")
    options = ["--k=4", "--flows=one.csv", "--delay=5us", "--jitter=0ns"]
    run = call(tmp_path, *options, "--stallTime=18us")
    assert run.returncode == 1 and "stalled after 25000.005 ns" in run.stderr
    assert call(tmp_path, *options, "--stallTime=1ms").returncode == 0


def test_little_patience_costs_little(tmp_path):
    run = call(tmp_path, "--k=4", "--size=4KiB", "--stallTime=1ps", "--delay=20us", timeout=10)
    assert run.returncode == 1 and "stalled after" in run.stderr


def test_stall_report_tells_of_losses(tmp_path):
    lossy = "--fail=host-0:0--pod0-edge-0:0%1@0s"
    run = call(tmp_path, "--k=4", lossy, "--buffer=8kB", "--stallTime=1ms", "--out=out")
    assert run.returncode == 1
    lines = stderr_lines(run)
    assert any(line.strip().startswith("frames lost on links: ") for line in lines)
    assert any("frames dropped by switches (no_buffer): " in line for line in lines)
    assert not any("its turn" in line for line in lines)


# --- Failures before the start, and what switches learn of them ------------------------------------


def test_failed_links(tmp_path):
    """They are those of the seed and run, whatever the scheme, and stand in all files."""
    sets = []
    for options in ("--balancer=ecmp", "--balancer=rsq --convergence=0"), ("--RngRun=2",):
        for option in options:
            summary = succeed(tmp_path, "--failRate=0.03", "--size=64KiB", *option.split())
            links = summary["results"]["failed_links"]
            events = rows(tmp_path, "events")
            down = [row["subject"] for row in events if row["event"] == "link_down"]
            begun = [row["subject"] for row in events if row["event"] == "fault_begin"]
            assert down == begun == sorted(links)
            assert all(r["time_ns"] == "0.000" for r in events if r["event"] != "converged")
            assert not any("host" in link for link in links)
            sets.append(links)
    assert sets[0] == sets[1] != sets[2] and len(sets[0]) > 1


def test_partial_deployment(tmp_path):
    """All switches with the other balancer, or none, is the run with one balancer. A larger share has
    the switches of a smaller one, whatever the balancers."""
    options = "--k=4", "--size=256KiB"
    flows = {}
    for name, more in {
        "rsq": ["--balancer=rsq"],
        "ofan": ["--balancer=ofan"],
        "none": ["--balancer=rsq", "--upgrade=ofan", "--upgraded=0"],
        "half": ["--balancer=rsq", "--upgrade=ofan"],
        "all": ["--balancer=rsq", "--upgrade=ofan", "--upgraded=1"],
    }.items():
        succeed(tmp_path, *options, *more)
        flows[name] = rows(tmp_path, "flows")
    assert flows["none"] == flows["rsq"] and flows["all"] == flows["ofan"]
    assert flows["half"] not in (flows["rsq"], flows["ofan"])
    drawn = [
        succeed(tmp_path, *options, f"--upgrade={to}", f"--upgraded={share}", *more)["scenario"]
        for share, to, *more in (
            (0.25, "ofan"),
            (0.5, "jsq", "--balancer=reps"),
            (0.5, "ofan", "--RngRun=2"),
        )
    ]
    first, second, other = (set(scenario["upgradedSwitches"]) for scenario in drawn)
    assert len(first) == 4 and len(second) == 8 and first < second and second != other
    assert not any("core" in name for name in second)


def test_convergence(tmp_path):
    options = "--failRate=0.02", "--balancer=rsq", "--size=256KiB"
    never, late, at_once = (
        (
            succeed(tmp_path, *options, f"--convergence={g}"),
            [row for row in rows(tmp_path, "events") if row["event"] == "converged"],
        )
        for g in ("never", "5us", "0")
    )
    losses = [run[0]["results"]["link_losses"] for run in (never, late, at_once)]
    assert losses[0] > losses[1] > losses[2] == 0
    assert at_once[0]["results"]["retransmissions"] == 0
    assert never[1] == [] and never[0]["results"]["updated_switches"] == 0
    for run, time in ((late, "5000.000"), (at_once, "0.000")):
        results = run[0]["results"]
        assert len(run[1]) == results["convergences"] == 1
        assert run[1][0]["time_ns"] == time and run[1][0]["subject"] == "routing"
        links, switches = len(results["failed_links"]), results["updated_switches"]
        assert run[1][0]["detail"] == f"links={links} switches={switches}"
        assert 33 <= switches <= 80


def test_detection(tmp_path):
    """Switches that see their own dead ports lose less, and not nothing."""
    losses = {}
    for detection in ("auto", "never", "0", "3us"):
        results = succeed(
            tmp_path,
            "--failRate=0.03",
            "--balancer=rsq",
            "--size=256KiB",
            "--convergence=never",
            f"--detection={detection}",
        )["results"]
        losses[detection] = results["link_losses"] + results["drops_by_reason"]["no_route"]
    assert losses["auto"] == losses["never"] > losses["3us"] > losses["0"] > 0


def test_rho(tmp_path):
    edge, core = "pod0-edge-1:4--pod0-agg-0:1", "pod0-agg-2:5--core-9:0"
    options = "--balancer=rsq", "--convergence=0", "--size=64KiB"
    results = [
        succeed(tmp_path, *options, *more.split())["results"]
        for more in (
            "",
            f"--fail={edge}@0ns",
            f"--fail={edge}@0ns --rho=max",
            f"--fail={edge}@1ns --rho=max",
            f"--fail={edge}@0ns-9us --rho=max",
            f"--fail={core}@0ns --rho=max",
            "--rho=0.5",
            f"--fail={edge}@0ns --workload=incast",
            f"--fail={edge}@0ns --rateControl=m-swift --rho=max",
        )
    ]
    rho_max = [result["rho_max"] for result in results]
    assert rho_max[:5] == pytest.approx([1, 0.75, 0.75, 1, 1])
    assert 15 / 16 <= rho_max[5] < 1 and rho_max[6] == 1
    expected = [1, 1, 0.75, 1, 1, rho_max[5], 0.5, 1, 0.75]
    assert [result["rho"] for result in results] == pytest.approx(expected)
    assert results[6]["bound_ns"] > results[0]["bound_ns"] + 14 * 41.78
    formulas = [result["bound_formula"] for result in results]
    is_regular = [True] * 7 + [False, True]
    assert formulas == [
        "published" if rho == 1 and regular else "completion"
        for rho, regular in zip(expected, is_regular)
    ]
    for result in results[:5]:
        assert result["line_rate_bound_ns"] == results[0]["bound_ns"]


def test_a_cut_at_0_is_as_one_a_picosecond_later(tmp_path):
    """No host sends slower for it."""
    fail = "pod0-edge-1:2--pod0-agg-0:1"
    for workload in "permutation", "tornado", "all-to-all":
        options = "--k=4", "--balancer=rsq", "--convergence=0", "--size=64KiB", f"--workload={workload}"
        times = [succeed(tmp_path, *options, f"--fail={fail}@{start}")["results"]["cct_ns"] for start in ("0s", "1ps")]
        assert times[0] == pytest.approx(times[1], rel=0.02)


def test_the_summary_says_what_bounds_stand_on(tmp_path):
    fail = "--fail=pod0-edge-1:2--pod0-agg-0:1@0s"
    options = "--balancer=rsq", "--size=64KiB", "--out=out"
    small = "--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=4"
    texts = {
        more: call(tmp_path, *options, *(more if small in more else f"--k=4 {more}").split()).stdout
        for more in (
            "--rho=1",
            f"{fail} --convergence=10ms",
            f"{fail} --rho=max",
            f"{fail},core-0@1us --rho=max",
            f"{fail} --rho=0.5",
            "--fail=core-0@1s",
            f"{small} --planes=2 --rate=200Gb/s",
            f"{small} --fail=leaf-1--spine-0@1us --workload=send-receive --convergence=0",
        )
    }
    plain, cut, limited, more, half, late, planes, idle = texts.values()
    assert "computed" not in plain and "faults" not in plain and "host rate" not in plain
    assert "us (computed without faults)\n" in cut and "host rate" not in cut
    assert "faults           1 began; " in cut and " frames were lost on links or had no route" in cut
    assert "warning          the run ended before all switches knew of a cut (--convergence=10ms)" in cut
    assert "us (computed at the rate of the hosts)\n" in limited
    assert "host rate        400 Gb/s: 50 % (--rho) of 1 port of 800 Gb/s\n" in limited
    assert "us (computed at the rate of the hosts, without the other faults)\n" in more
    assert "us (computed at the rate of the hosts, without faults)\n" in half
    assert "faults           none had begun when the run ended\n" in late and "warning" not in late
    assert "host rate        400 Gb/s: 2 planes of 200 Gb/s\n" in planes
    assert "faults           1 began; no frame was lost\n" in idle and "warning" not in idle


def test_published_bound_is_no_law_below_line_rate(tmp_path):
    """It charges for acknowledgements that fit between the data; the other bound does not."""
    options = "--topology=leaf-spine", "--leaves=2", "--spines=1", "--hostsPerLeaf=1"
    results = succeed(tmp_path, *options, "--rho=0.75", "--size=16MiB", "--jitter=0")["results"]
    assert results["cct_ns"] < results["published_bound_ns"]
    assert results["completion_bound_ns"] <= results["cct_ns"]
    assert results["increase_percent"] == pytest.approx(0, abs=0.01)


def test_dead_path_for_good(tmp_path):
    """With routing that never converges, flows that keep to a dead path are named at the end."""
    fail = "--fail=pod0-agg-0:2--core-0:0@0ns"
    options = "--k=4", "--size=64KiB", fail, "--convergence=never"
    soon = "--ns3::aifabric::RcQueuePair::RetryTime=5ms"
    run = call(tmp_path, *options, soon, "--workload=all-to-all", "--balancer=ecmp", "--out=out")
    lines = stderr_lines(run)
    assert run.returncode == 3 and "failed           40 of 240 messages" in run.stdout
    assert lines[0].startswith("ai-fabric-run: ended after ")
    assert "40 of 240 messages failed: a queue pair has given up" in lines[0]
    assert any("queue pair 0x" in line and " packets sent again" in line for line in lines)
    assert any("pod0-agg-0:2" in line and "dead link" in line for line in lines)
    assert len([row for row in rows(tmp_path, "flows") if not row["completed_ns"]]) == 40
    for balancer in ("rsq", "host-random"):
        results = succeed(tmp_path, *options, f"--balancer={balancer}")["results"]
        assert results["retransmissions"] > 0
    options = *options[:3], "--convergence=200us", "--balancer=ecmp"
    results = succeed(tmp_path, *options)["results"]
    assert results["cct_ns"] > 200000 and results["retransmissions"] > 0


WIDE = "--topology=leaf-spine --leaves=4 --spines=4 --hostsPerLeaf=4 --convergence=0 --size=4MiB".split()


@pytest.mark.parametrize("balancer, most", [("ofan", 3), ("host-dr", 3), ("rsq", 15)])
def test_planes_that_have_lost_paths(tmp_path, balancer, most):
    """Hosts, bounds and balancers split by paths. What is left for rsq is its random walk."""
    cut = "plane0-leaf-0:4--plane0-spine-0:0@0s,plane0-leaf-0:5--plane0-spine-1:0@0s"
    for run in 1, 2, 3:
        options = "--planes=2", f"--fail={cut}", f"--balancer={balancer}", f"--RngRun={run}", "--rho=max"
        results = succeed(tmp_path, *WIDE, *options)["results"]
        assert results["rho"] == pytest.approx(0.75)
        assert 0 <= results["increase_percent"] < most
        assert results["drops"] == results["link_losses"] == 0
        sent = {row["from"]: int(row["bytes_sent"]) for row in rows(tmp_path, "links")}
        uplinks = [f"plane{plane}-leaf-0:{port}" for plane in (0, 1) for port in (4, 5, 6, 7)]
        assert [sent[port] for port in uplinks[:2]] == [0, 0]
        rest = [sent[port] for port in uplinks[2:]]
        assert max(rest) < (1.2 if balancer == "rsq" else 1.02) * min(rest)


@pytest.mark.parametrize("balancer", ["ofan", "host-dr"])
@pytest.mark.parametrize("planes", [2, 4])
@pytest.mark.parametrize("lost", ["host-0:0-", "plane0-leaf-0:", "plane0-"])
def test_lost_plane(tmp_path, lost, planes, balancer):
    """A host, a leaf or all leaves without plane 0: the other planes carry it all, evenly."""
    links = call(tmp_path, *WIDE[:4], f"--planes={planes}", "--fail=help").stdout.splitlines()
    cut = ",".join(link + "@0s" for link in links if link.startswith(lost))
    options = f"--planes={planes}", f"--fail={cut}", f"--balancer={balancer}", "--rho=max"
    results = succeed(tmp_path, *WIDE, *options)["results"]
    assert results["rho"] == pytest.approx(1 - 1 / planes)
    assert 0 <= results["increase_percent"] < 3
    assert results["drops"] == results["link_losses"] == results["retransmissions"] == 0
    sent = {row["from"]: int(row["bytes_sent"]) for row in rows(tmp_path, "links")}
    ports = [sent[f"host-0:{plane}"] for plane in range(planes)]
    # hosts of the same leaf keep plane 0 to each other, if only links between switches are cut
    assert ports[0] == 0 or (lost != "host-0:0-" and ports[0] < 0.3 * ports[1])
    assert max(ports[1:]) == pytest.approx(min(ports[1:]), rel=0.02)


@pytest.mark.parametrize("rho", ["max", "1"])
@pytest.mark.parametrize("balancer", ["ofan", "rsq", "host-dr", "host-random", "reps"])
def test_a_plane_may_be_cut_off(tmp_path, balancer, rho):
    """A rotation over planes leaves out the one without a way; who draws planes sends again."""
    links = call(tmp_path, *PLANES, "--fail=help").stdout.splitlines()
    cut = [link + "@0s" for link in links if link.startswith("plane0-leaf-0:")]
    assert len(cut) == 2
    options = f"--fail={','.join(cut)}", "--convergence=0", f"--balancer={balancer}", f"--rho={rho}"
    results = succeed(tmp_path, *PLANES, *options)["results"]
    assert results["completion_bound_ns"] <= results["cct_ns"]
    astray = results["drops_by_reason"]["no_route"] + results["link_losses"]
    assert (astray > 0) == (balancer in ("host-random", "reps"))


PLANES = "--topology=leaf-spine --leaves=4 --spines=2 --hostsPerLeaf=4 --planes=2".split()


# --- The same run is the same run -----------------------------------------------------------------


def snapshot(folder, *arguments, ignore=()):
    """All that a run leaves, without what may differ."""
    summary = succeed(folder, *arguments)
    for key in COST | set(ignore):
        summary["results"].pop(key, None)
        summary["scenario"].pop(key, None)
    summary.pop("files")
    tables = {name: (folder / "out" / name).read_bytes() for name in TABLES}
    shutil.rmtree(folder / "out")
    return summary, tables


LOSSY = "--fail=pod0-edge-0:2--pod0-agg-0:0%0.02@1us,pod1-agg-0:2--core-0:1@3us-9us"


def test_determinism(tmp_path):
    options = "--k=4", "--balancer=reps", "--buffer=100kB", "--recovery=sack", LOSSY
    assert snapshot(tmp_path, *options) == snapshot(tmp_path, *options)


def test_another_run_is_another_run(tmp_path):
    one = snapshot(tmp_path, *SMALL, "--RngRun=1")
    two = snapshot(tmp_path, *SMALL, "--RngRun=2")
    assert one[1]["flows.csv"] != two[1]["flows.csv"]


SCHEDULERS = [f"--scheduler={name}" for name in ("map", "heap", "priority-queue", "calendar")]
OBSERVERS = [
    "--progress",
    "--linkSeries=100ns --nicCounters --planeSeries=1us --planeHosts=all",
    "--hopLatency --queuePeaks --nicSeries=1us",
]
WATCHED = {word[2:].split("=")[0] for observer in OBSERVERS for word in observer.split()} | {"pcap"}
# For which a port schedules its departures, which are events.
CLOSELY = {"pcap", "hopLatency", "queuePeaks"}


def test_schedulers_and_observers_change_nothing(tmp_path):
    """Though planes start at once, and frames depart at the very instant of many samples; and some are dropped."""
    options = "--k=4", "--planes=2", "--balancer=rr", "--jitter=0ns", "--size=20000", "--mtu=64"
    options = *options, "--workload=all-to-all", "--buffer=5kB", "--recovery=oracle"

    def look(*more):
        """All that the run leaves but its samples and the number of events; these two."""
        names = {option[2:].split("=")[0] for option in more}
        summary, tables = snapshot(tmp_path, *options, *more, ignore={"scheduler", "sample", *WATCHED, *names})
        events, samples = summary["results"].pop("events"), tables.pop("queues.csv")
        lines = tables["events.csv"].splitlines()
        tables["events.csv"] = [line for line in lines if b",buffer_" not in line]  # which queuePeaks adds
        assert summary["results"]["drops"] > 0 and samples.count(b"\n") > 600
        return (summary, tables), samples, None if names & CLOSELY else events

    def same(watched, reference):
        return watched[:2] == reference[:2] and watched[2] in (None, reference[2])

    bare, often = look(), look("--sample=1ns")
    for watching in *SCHEDULERS, *OBSERVERS:
        assert same(look(*watching.split()), bare), watching
    assert often[0] == bare[0] and often[1] != bare[1] and often[2] == bare[2]
    ports = ",".join(f"plane0-pod{pod}-agg-{agg}" for pod in range(4) for agg in range(2))
    captures = f"--pcap=host-0,plane1-core-0:1,{ports}"
    assert same(look(captures, "--sample=1ns"), often)


def test_schemes_meet_the_same_traffic(tmp_path):
    seen = set()
    for balancer in offered("balancer"):
        transport = "mrc" if balancer == "mrc" else "rc"
        succeed(tmp_path, *SMALL, f"--balancer={balancer}", f"--transport={transport}", "--workload=all-to-all")
        columns = "start_ns", "source", "destination", "bytes"
        seen.add(tuple(tuple(row[c] for c in columns) for row in rows(tmp_path, "flows")))
    assert len(seen) == 1


def test_replay(tmp_path):
    """A run's own flows.csv, given as --flows, is the same traffic."""
    succeed(tmp_path, *SMALL, "--balancer=simple-rr")
    first = rows(tmp_path, "flows")
    option = write_flows(tmp_path, (tmp_path / "out" / "flows.csv").read_text())
    succeed(tmp_path, "--k=4", "--balancer=simple-rr", option)
    assert rows(tmp_path, "flows") == first


@pytest.mark.parametrize("more", [[], ["--receiverAdmission=4"], ["--gpusPerNode=2"], ["--transport=mrc"]])
def test_messages_without_bytes_are_complete_when_they_start(tmp_path, more):
    option = write_flows(tmp_path, "bytes,destination,source,start_ns\n0,1,0,100\n4096,9,3,0\n0,3,9,200\n")
    summary = succeed(tmp_path, "--k=4", option, *more)
    assert [row["duration_ns"] for row in rows(tmp_path, "flows")][::2] == ["0.000"] * 2
    alone = write_flows(tmp_path, HEADER + "0,3,9,4096\n")
    results = succeed(tmp_path, "--k=4", alone, *more)["results"]
    for name in "cct_ns", "bound_ns", "data_packets":
        assert summary["results"][name] == results[name], name
    succeed(tmp_path, "--k=4", write_flows(tmp_path, HEADER + "0,3,9,0\n"), *more)


# --- The numbers are right ------------------------------------------------------------------------


def test_exchange_between_pods_takes_the_published_time(tmp_path):
    option = write_flows(tmp_path, HEADER + "0,0,127,1048576\n0,127,0,1048576\n")
    summary = succeed(tmp_path, option)
    for row in rows(tmp_path, "flows"):
        assert float(row["duration_ns"]) == pytest.approx(17056.94, abs=1)
    assert summary["results"]["cct_ns"] == pytest.approx(17056.94, abs=1)


def test_bounds_of_the_study(tmp_path):
    for size, bound in (("32KiB", 6545.98), ("256KiB", 8885.66), ("1MiB", 17056.94)):
        results = succeed(tmp_path, "--balancer=rsq", f"--size={size}")["results"]
        assert results["bound_formula"] == "published"
        assert results["bound_ns"] == pytest.approx(bound, abs=0.01)
        assert results["cct_ns"] > results["completion_bound_ns"] > bound - 10


def increase(folder, *options):
    """How much longer than the bound a run takes, in percent."""
    return succeed(folder, *options, "--sample=0")["results"]["increase_percent"]


# doc/validation: completion time over the bound in percent, mean of many runs of an independent
# model of the same study; a random permutation of 1 MiB on 128 hosts
@pytest.mark.parametrize(
    "balancer, percent",
    [
        ("rsq", 11.5),
        ("rr", 15.4),
        ("simple-rr", 43.6),
        ("host-random", 11.1),
        ("host-permuted", 11.1),
    ],
)
def test_permutation_increase(tmp_path, balancer, percent):
    increases = [increase(tmp_path, f"--balancer={balancer}", f"--RngRun={run}") for run in range(1, 9)]
    assert statistics.mean(increases) == pytest.approx(percent, rel=0.15)


# the same, in percentage points, of each run
@pytest.mark.parametrize("order", ["DigitReversal", "Random"])
@pytest.mark.parametrize("size, percent", [("1MiB", 2.5), ("4MiB", 0.87)])
def test_host_dr_increase(tmp_path, order, size, percent):
    attribute = f"--ns3::aifabric::HostDrBalancer::Order={order}"
    for run in 1, 2:
        options = "--balancer=host-dr", attribute, f"--size={size}", f"--RngRun={run}"
        assert increase(tmp_path, *options) == pytest.approx(percent, abs=0.5)


@pytest.mark.parametrize("run", [1, 2])
def test_finer_granularity_is_better(tmp_path, run):
    names = "host-dr", "host-random", "subflow", "plb", "ecmp"
    scenario = "--k=6", "--size=4MiB", f"--RngRun={run}"
    increases = [increase(tmp_path, *scenario, f"--balancer={name}") for name in names]
    assert all(coarser > 1.3 * finer for finer, coarser in zip(increases, increases[1:])), increases


def test_balancers_that_need_marks_get_them(tmp_path):
    def marker(*options):
        scenario = succeed(tmp_path, *SMALL, *options)["scenario"]
        return scenario["marker"], scenario["markingThreshold"]

    assert marker("--balancer=plb") == ("step", 400000)
    assert marker("--balancer=reps", "--buffer=200kB") == ("step", 20000)
    share = "--ns3::aifabric::RepsBalancer::MarkingShare=0.25"
    assert marker("--balancer=reps", share) == ("step", 200000)
    assert marker("--balancer=reps", "--marker=none") == ("none", None)
    assert marker("--balancer=reps", "--marker=red") == ("red", None)
    threshold = "--ns3::aifabric::StepMarker::Threshold=5000"
    assert marker("--balancer=reps", threshold) == ("step", None)
    assert marker("--balancer=host-dr") == ("none", None)
    assert marker("--balancer=rsq", "--marker=step") == ("step", None)


def test_policies_are_counted(tmp_path):
    def policies(*options):
        return succeed(tmp_path, "--k=4", *options)["results"]["policies"]

    assert policies("--balancer=rsq") == {}
    assert policies("--balancer=plb", "--size=4MiB", "--RngRun=2")["plb_relabels"] > 0
    reps = policies("--balancer=reps")
    assert reps["reps_freezes"] == reps["reps_thaws"] == 0
    # none in the first round trip, nearly all in the second: nothing is marked in so small a fabric
    assert 0.2 < reps["reps_reused"] / (16 * 256) < 0.8
    marked = policies("--balancer=reps", "--ns3::aifabric::RepsBalancer::MarkingShare=0.00001")
    assert marked["reps_reused"] < 0.5 * reps["reps_reused"]
    # all that is on the way is lost, so timers expire
    cut = "--fail=" + ",".join(f"pod0-edge-0:{port}--pod0-agg-{port - 2}:0@2us-900us" for port in (2, 3))
    frozen = policies(
        "--balancer=reps",
        cut,
        "--recovery=go-back-n",
        "--ns3::aifabric::RepsBalancer::FreezingTime=100us",
    )
    assert frozen["reps_freezes"] > 0
    assert 0 < frozen["reps_thaws"] <= frozen["reps_freezes"]


@functools.cache
def offered(option):
    """The policies that an option may name."""
    lines = call(".", f"--{option}=help").stdout.splitlines()
    return [line.split()[0] for line in lines if not line.startswith(" ")]


# --- Acknowledgements beside the fabric, and layers -----------------------------------------------


def test_layers_table_is_that_of_run_json(tmp_path):
    results = succeed(tmp_path, *SMALL, "--balancer=rsq")["results"]
    table = {row.pop("layer"): row for row in rows(tmp_path, "layers")}
    assert list(table) == list(results["layers"])
    for layer, row in table.items():
        assert {name: float(value) for name, value in row.items()} == pytest.approx(
            results["layers"][layer]
        )
        integral = results["layers"][layer]["mean_queue_packets"] * results["measured_ns"]
        period = results["sending_period_ns"]
        assert results["layers"][layer]["sending_queue_packets"] * period == pytest.approx(integral)
    assert results["sending_period_ns"] == pytest.approx(16 * (4096 + 62 + 20) * 0.01)


def test_sending_period_can_be_given(tmp_path):
    automatic = succeed(tmp_path, *SMALL)["results"]
    given = succeed(tmp_path, *SMALL, "--period=1us")["results"]
    assert given["sending_period_ns"] == 1000
    assert given["sending_queue_packets"] == pytest.approx(
        automatic["sending_queue_packets"] * automatic["sending_period_ns"] / 1000
    )


@pytest.mark.parametrize("balancer", ["rsq", "simple-rr", "host-random", "ecmp"])
def test_acknowledgements_that_bypass_the_fabric(tmp_path, balancer):
    run = succeed(tmp_path, *SMALL, "--acks=bypass", f"--balancer={balancer}")
    results = run["results"]
    assert run["scenario"]["acks"] == "bypass"
    assert results["acks"] == results["data_packets"] == 16 * 16
    assert results["cct_ns"] >= results["completion_bound_ns"]
    # Only data is on the links: 16 packets a host, the first with an RETH of 16 bytes.
    message = 16 * (4096 + 62) + 16
    assert results["nic_bytes"] == message - 16
    assert results["layers"]["host-up"]["bytes"] == 16 * message
    assert results["layers"]["edge-down"]["bytes"] == 16 * message


def test_two_hosts_complete_at_the_bound_without_acknowledgements_in_the_fabric(tmp_path):
    flows = write_flows(tmp_path, "start_ns,source,destination,bytes\n0,0,15,1048576\n")
    results = succeed(tmp_path, "--k=4", flows, "--acks=bypass", "--balancer=ecmp")["results"]
    # 255 slots of 41.78 ns, then 6 links each way; the RETH of the first packet takes 0.16 ns a link
    assert results["cct_ns"] == pytest.approx(255 * 41.78 + 6 * (541.58 + 500.64), abs=1.0)
    assert results["cct_ns"] >= results["completion_bound_ns"]
