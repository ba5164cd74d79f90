# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Options of ai-fabric-run: which it refuses, and how it says so; what it prints of them."""

import json
import re

import pytest
from harness import (
    COST,
    HEADER,
    SMALL,
    assert_refused,
    call,
    needs_program,
    refusal,
    stderr_lines,
    succeed,
    write_flows,
)

pytestmark = needs_program

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
    said = refusal(tmp_path, *arguments)
    blamed = [argument.split("=")[0] for argument in arguments]
    assert any(said.startswith(name) for name in blamed)


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
    assert refusal(tmp_path, *SMALL, *options.split()).startswith(line)


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
    said = refusal(tmp_path, *SMALL, *options)
    assert owner in said and attribute in said and value in said


@pytest.mark.parametrize("size", ["0p", "0B"])
def test_a_queue_has_to_hold_something(tmp_path, size):
    said = refusal(tmp_path, *SMALL, f"--ns3::aifabric::FabricQueue::MaxSize={size}")
    assert f"FabricQueue::MaxSize is {size}" in said


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
    options = json.loads(call(tmp_path, "--help=json").stdout)
    assert len(options) > 50
    for name, unit in ((option["name"], option["unit"]) for option in options):
        run = call(tmp_path, f"--{name}=", "--k=4")
        assert_refused(run, tmp_path, [])
        why = "true or false" if unit == "flag" else f"a value is needed: --{name}=value"
        assert stderr_lines(run) == [f"ai-fabric-run: --{name}=: {why}"]


def test_times_and_shares_that_may_be_auto_say_so(tmp_path):
    for option in "detection", "jitter", "stallTime", "period", "fabricRate", "upgraded", "size", "k":
        upgrade = ["--upgrade=ofan"] if option == "upgraded" else []
        run = call(tmp_path, f"--{option}=x", *upgrade, "--check")
        assert_refused(run, tmp_path, [])
        assert run.stderr.startswith(f"ai-fabric-run: --{option}=x: ")
        assert run.stderr.rstrip().endswith(", or auto")


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


@pytest.mark.parametrize("options", ["--k=7", "--balancer=no", "--nonsense=1", "--fail=x@1us"])
def test_check_refuses_what_a_run_refuses(tmp_path, options):
    before = sorted(tmp_path.rglob("*"))
    check = call(tmp_path, options, "--check")
    assert_refused(check, tmp_path, before)
    assert check.stderr == call(tmp_path, options).stderr


@pytest.mark.parametrize("option", ["--size=1", "--workload=incast", "--senders=1"])
def test_flows_exclude_other_traffic(tmp_path, option):
    flows = write_flows(tmp_path, HEADER + "0,0,1,1\n")
    refusal(tmp_path, "--k=4", flows, option)


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


def test_programs_read_the_same_options(tmp_path):
    options, _ = sem_options(tmp_path)
    rows = json.loads(call(tmp_path, "--help=json").stdout)
    assert {row["name"]: sem_value(row["default"]) for row in rows} == options
    leaves = next(row for row in rows if row["name"] == "leaves")
    assert leaves["range"].startswith("a whole number from 1 to ") and leaves["unit"] == "count"
    assert leaves["when"] == "only with --topology=leaf-spine"


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
