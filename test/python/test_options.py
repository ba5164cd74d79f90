# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Options of ai-fabric-run: which it refuses, and how it says so; what it prints of them."""

import json
import re

from harness import COST, HEADER, ROOT, SMALL, assert_refused, call, check_blame, check_refusals, needs_program, refusal
from harness import stderr_lines, succeed, write_flows

pytestmark = needs_program

VALUES = {  # that an option may not have
    "k": "7 0 -4 1 abc 4.5 99999999999999999999999 1000 .0",
    "topology": "ring",
    "leaves": "4 none",
    "spines": "4",
    "hostsPerLeaf": "4",
    "planes": "0 33 1. 1.5",
    "rate": "800 0Gb/s -1Gb/s 300Gb/s fast",
    "delay": "5 -5ns 1parsec",
    "buffer": "0 4096 5GiB 1XB",
    "mtu": "0 63 1MiB",
    "ip": "5 ipv6",
    "workload": "gossip flows",
    "flows": "missing.csv . /dev/zero",
    "senders": "3",
    "size": "0 -1 1.5B 5TB",
    "jitter": "3 -3ns",
    "acks": "none",
    "period": "0ns 3",
    "balancer": "best",
    "upgraded": "0.5",
    "upgrade": "best ecmp host-random",
    "rateControl": "x",
    "recovery": "x",
    "sendOrder": "x",
    "admission": "x",
    "marker": "x",
    "scheduler": "x",
    "fail":
        "foo foo@3us host-0--host-1@3us host-0:0--pod0-edge-0:0 host-0:0--pod0-edge-0:0@ "
        "host-0:0--pod0-edge-0:0@3 host-0:0--pod0-edge-0:0@3us-2us host-0:0--pod0-edge-0:0*2@3us "
        "host-0:0--pod0-edge-0:0%0@3us , host-0:0--pod0-edge-0:0@1us, host-0:0--pod0-edge-0:0@0ns",
    "failRate": "-0.1 1.1 1 nan 1%",
    "convergence": "5 -1us maybe",
    "detection": "5 -1us",
    "rho": "0 1.1 most",
    "pcap": "foo host-128 host-0:1 pod0-edge-0:8 host-0,",
    "sample": "x",
    "stallTime": "0",
    "progress": "maybe",
    "check": "maybe",
    "bogus": "3",
    "RngRun": "x",
    "RngSeed": "0 99999999999",
    "SchedulerType": "ns3::MapScheduler",
    "SimulatorImplementationType": "ns3::Node",
    "PrintAttributes": "nothing",
    "ranks": "0 two 2",
    "engine": "granted fast",
    "plan": "plan.csv",
}
ATTRIBUTES = (  # of the module, with values that they may not have, or without an effect
    "FabricSwitch::Latency=-1ns RoceNetDevice::IpVersion=6 FabricPort::Nothing=1 FabricPort::DataRate=1Gbps "
    "FabricPort::InterframeGap=-1 FixedControl::RateFraction=2 RcQueuePair::AckTimeout=9223372s "
    "RoceNetDevice::DataRateFraction=0 SharedBuffer::LosslessClasses=8 RedMarker::PMax=0.5 "
    "EcnMarker::AtDequeue=true RepsBalancer::BufferSize=4 LossOracle::RoundTripTime=1e30s "
    "LossOracle::RoundTripTime=1y LossOracle::RoundTripTime=100000s LossOracle::RoundTripTime=1e300us "
    "FixedControl::Window=-1 LinkFault::Down=true AckBypass::HopTime=1us SackRecovery::ReorderingThreshold=0 "
    "MSwiftControl::MedianSamples=0 LossOracle::RoundTripTime=soon "
    "FabricSwitch::Marker=ns3::aifabric::StepMarker FabricSwitch::DetectionDelay=1us "
    "RouteConvergence::Delay=1us RoceNetDevice::DataRateFraction=0.5"
)
BAD = [
    *(f"--{name}={value}" for name, values in VALUES.items() for value in values.split()),
    *(f"--ns3::aifabric::{value}" for value in ATTRIBUTES.split()),
    "--k", "--bogus", "bogus", "-", "--", "--=3", "--ns3::Nothing::At=1",
    "--k=4 --k=4",
    "--progress --progress",
    "--RngRun=1 --RngRun=2",
    "--k=64 --workload=all-to-all",
    "--topology=leaf-spine --k=8",
    "--topology=leaf-spine --leaves=0",
    "--topology=leaf-spine --spines=-1",
    "--topology=leaf-spine --leaves=1 --hostsPerLeaf=1",
    "--topology=leaf-spine --leaves=65535 --hostsPerLeaf=65535",
    "--admission=shared --buffer=3GiB",
    "--admission=shared --buffer=100kB --ns3::aifabric::SharedBuffer::LosslessClasses=8",
    "--admission=shared --buffer=800kB --ns3::aifabric::SharedBuffer::LosslessClasses=8 --delay=21474836480ps",
    "--mtu=8192 --ns3::aifabric::FabricNetDevice::Mtu=4200",
    "--workload=incast --senders=0",
    "--workload=incast --senders=128",
    "--upgrade=ecmp --balancer=reps",
    "--upgrade=ofan --balancer=host-dr",
    "--upgrade=ofan --steering=ethereal --workload=all-reduce",
    "--upgrade=ofan --upgraded=-0.1",
    "--upgrade=ofan --upgraded=1.1",
    "--upgrade=ofan --upgraded=nan",
    "--upgrade=ofan --upgraded=50%",
    "--rate=1Mb/s --fail=host-0:0--pod0-edge-0:0*0.000001@3us",
    "--k=2 --fail=pod0-agg-0:1--core-0:0@0ns",
    "--k=16 --failRate=0.8",
    "--marker=step --ns3::aifabric::RedMarker::PMax=0.5",
    "--balancer=reps --ns3::aifabric::RepsBalancer::MarkingShare=-0.1",
    "--balancer=plb --ns3::aifabric::PlbBalancer::MarkingShare=1.1",
    "--balancer=host-random --ns3::aifabric::RepsBalancer::BufferSize=4",
    "--balancer=host-dr --ns3::aifabric::HostRandomBalancer::Entropies=4",
    "--balancer=flowlet --ns3::aifabric::SwitchArBalancer::Low=0.01",
    "--workload=all-reduce --algorithm=ring --ns3::aifabric::DoubleBinaryTreeAlgorithm::Trees=1",
    "--balancer=switch-ar --ns3::aifabric::SwitchArBalancer::Refresh=5",
    "--balancer=switch-ar --ns3::aifabric::SwitchArBalancer::Refresh=-5e-3",
    "--balancer=switch-ar --ns3::aifabric::SwitchArBalancer::Refresh=-5us",
    "--rateControl=m-swift --ns3::aifabric::MSwiftControl::InitialWindow=-1",
    "--rateControl=m-swift --ns3::aifabric::MSwiftControl::Hops=999999999",
    "--rateControl=m-swift --ns3::aifabric::MSwiftControl::BaseTarget=1001s",
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


def test_attributes_of_policies_that_take_part(tmp_path):
    """Whether they are chosen, named by a chosen one, or its base class."""
    for options in PARTICIPANTS:
        call(tmp_path, *SMALL, *options.split(), "--check").check_returncode()


def test_times_are_printed_as_people_write_them(tmp_path):
    balancers = call(tmp_path, "--balancer=help").stdout
    assert "Gap [100us]" in balancers and "FreezingTime [10ms]" in balancers
    assert "Refresh [0]" in balancers and "ps]" not in balancers


def test_defaults_are_those_of_the_study(tmp_path):
    """arXiv 2507.21372, table 2, and what its simulator has."""
    balancers = call(tmp_path, "--balancer=help").stdout
    for default in (
        "Subflows [4]", "Rounds [1]", "Reshuffle [5]", "BufferSize [8]", "Exploration [16]", "SmallBytes [256]",
        "PipesPerSwitch [1]", "Orders [PerPointer]", "Order [DigitReversal]",
    ):
        assert f"  {default}: " in balancers
    assert "ReorderingThreshold [32]" in call(tmp_path, "--recovery=help").stdout
    for attribute in "RouteConvergence::Delay", "FabricSwitch::DetectionDelay":
        name = attribute.split(":")[0]
        told = call(tmp_path, f"--PrintAttributes=ns3::aifabric::{name}").stdout
        assert f"--ns3::aifabric::{attribute}=[+1e+11fs]" in told  # 100 us


def test_bad_option(tmp_path):
    check_blame(tmp_path, BAD)


EGRESS = "--ns3::aifabric::FabricPort::EgressSchedulerType=ns3::aifabric::"
DWRR = "--ns3::aifabric::DwrrEgressScheduler::"


FLOWLET, SWITCH_AR = "--ns3::aifabric::FlowletBalancer::", "--ns3::aifabric::SwitchArBalancer::"
REFUSED = {
    "--ns3::aifabric::DscpTable::Classes=64:1": '--ns3::aifabric::DscpTable::Classes: "64:1": an entry is ',
    "--ns3::aifabric::DscpTable::Classes=0-8:1,8:2": '--ns3::aifabric::DscpTable::Classes: "8:2": 8 stands in two ',
    EGRESS + "FixedControl": f"{EGRESS.partition('=')[0]}: ns3::aifabric::FixedControl is no ",
    f"{DWRR}Weights=6:2": f"{DWRR}Weights=6:2: only with {EGRESS}DwrrEgressScheduler",
    f"{EGRESS}StrictEgressScheduler {DWRR}Quantum=9": f"{DWRR}Quantum=9: only with {EGRESS}DwrrEgressScheduler",
    f"{EGRESS}DwrrEgressScheduler {DWRR}Weights=6:0": f'{DWRR}Weights: "6:0": an entry is ',
    "--ip=6 --ns3::aifabric::FabricNetDevice::Mtu=4170": "--mtu=4096: packets of 4170 bytes ",
    f"--balancer=flowlet {FLOWLET}ChoiceType=ns3::aifabric::FlowletBalancer": "ChoiceType is ns3::aifabric::FlowletBalancer",
    f"--balancer=flowlet {FLOWLET}ChoiceType=ns3::aifabric::HostRandomBalancer":
        f"{FLOWLET}ChoiceType: ns3::aifabric::HostRandomBalancer is no ",
    f"--balancer=switch-ar {SWITCH_AR}Low=0.5": "SwitchArBalancer: Low, Middle and High are 0.5, ",
    **{f"--ns3::aifabric::FabricQueue::MaxSize={size}": f"FabricQueue::MaxSize is {size}" for size in ("0p", "0B")},
}  # fmt: skip


def test_a_refusal_names_what_is_wrong(tmp_path):
    check_refusals(tmp_path, REFUSED, *SMALL)


TYPE = "--SimulatorImplementationType="
WINDOWS, EVENTS = f"{TYPE}ns3::aifabric::WindowSimulator", f"{TYPE}ns3::DefaultSimulatorImpl"


def test_a_simulator_is_the_one_that_is_given(tmp_path):
    """By its type, too; it is refused where it contradicts another option."""
    for given, used in (WINDOWS, "windows"), (EVENTS, "events"), ("--simulator=events", "events"):
        assert succeed(tmp_path, *SMALL, given)["results"]["simulator"] == used
    refused = {f"--simulator={name} {given}": f"--simulator={name}: auto with {TYPE[:-1]}"
               for name, given in (("windows", EVENTS), ("events", WINDOWS))}  # fmt: skip
    refused[f"{WINDOWS} --scheduler=heap"] = f"{WINDOWS}: another simulator with --scheduler"
    check_refusals(tmp_path, refused, *SMALL)


# Options that use the parts which WindowSimulator::RequireOneThread() names.
NEED_ONE_THREAD = {
    "AggregationDriver": "--workload=all-reduce --algorithm=esa --size=4096",
    "GradientGroup": f"--training={ROOT / 'scenarios/overlap.toml'} --algorithm=switchml",
    "AckBypass": "--acks=bypass",
    "ReceiverAdmission": "--receiverAdmission=4",
    "ReachabilityProber": "--reachability=100us",
    "FabricProber": "--prober=100us --transport=mrc --balancer=mrc --convergence=never",
    "HopLatencyMonitor": "--hopLatency=true",
    "FabricPcapHelper": "--pcap=host-0",
}


def test_threads_are_refused_where_hosts_share_something(tmp_path):
    assert succeed(tmp_path, *SMALL, "--threads=2")["results"]["threads"] == 2
    assert succeed(tmp_path, *SMALL)["results"]["threads"] == 1, "a small run"
    sources = "".join(path.read_text() for folder in ("model", "helper") for path in (ROOT / folder).rglob("*.cc"))
    assert set(re.findall(r'RequireOneThread\("(.*?)"\)', sources)) == set(NEED_ONE_THREAD)
    refused = {f"--threads=2 {other}": "--threads=2: 1 with " for other in ("--simulator=events", *NEED_ONE_THREAD.values())}
    refused |= {f"--threads={count}": f"--threads={count}: " for count in ("0", "65", "two", "")}
    check_refusals(tmp_path, refused, "--k=4")
    call(tmp_path, *SMALL, "--threads=1", "--simulator=events", "--check").check_returncode()


def test_unknown_names_are_answered_with_the_known_ones(tmp_path):
    answers = {
        "balancer": "bitmap, bitmap1, conga, conweave, ecmp, flowlet, host-dr, host-permuted, host-random, jsq, mixed, "
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


def test_stages_are_those_of_a_library(tmp_path):
    """The module's own belong to jobs and probers."""
    assert call(tmp_path, "--stage=help").stdout == "none but those of --library\n"
    refused = {f"--stage={name}": f"--stage={name}: none, or one of --library" for name in ("slot", "ns3::aifabric::SlotStage")}
    check_refusals(tmp_path, refused, *SMALL)


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
        why = {"progress": "true or false, or auto"}.get(name, "true or false") if unit == "flag" else f"a value is needed: --{name}=value"
        assert stderr_lines(run) == [f"ai-fabric-run: --{name}=: {why}"]


def test_times_and_shares_that_may_be_auto_say_so(tmp_path):
    for option in "detection", "jitter", "stallTime", "period", "fabricRate", "upgraded", "size", "k":
        upgrade = ["--upgrade=ofan"] if option == "upgraded" else []
        run = call(tmp_path, f"--{option}=x", *upgrade, "--check")
        assert_refused(run, tmp_path, [])
        assert run.stderr.startswith(f"ai-fabric-run: --{option}=x: ")
        assert run.stderr.rstrip().endswith(", or auto")


LOSSLESS = "--admission=shared --ns3::aifabric::SharedBuffer::LosslessClasses=8"
OF_THE_RUN = {  # what is seen when the policies are made, and flows beside other traffic
    f"{LOSSLESS} --buffer=20kB": "--buffer=20000: at least ",
    "--marker=red --ns3::aifabric::RedMarker::KMin=100 --ns3::aifabric::RedMarker::KMax=10": "RedMarker::KMax is 10: ",
    "--delay=100s": "--delay=100s: so short that ",
    "--recovery=strict --ns3::aifabric::RcQueuePair::AckDscp=0":
        "--recovery=strict: with ns3::aifabric::StrictRecovery, acknowledgements ",
    "--recovery=strict --admission=trimming": "--recovery=strict: senders with ns3::aifabric::StrictRecovery never wait, ",
    "--balancer=no": "--balancer=no: ",
    "--nonsense=1": "--nonsense=1: ",
    "--fail=x@1us": "--fail=x@1us: ",
    **{f"--flows=flows.csv {options}": "--" for options in ("--size=1", "--workload=incast", "--senders=1")},
}


def test_a_check_refuses_what_the_run_refuses(tmp_path):
    write_flows(tmp_path, HEADER + "0,0,1,1\n")
    check_refusals(tmp_path, OF_THE_RUN, "--k=4")
    for options in OF_THE_RUN:
        said = [refusal(tmp_path, "--k=4", *options.split(), *more) for more in ([], ["--check"])]
        assert said[0] == said[1]


def test_messages_are_one_short_line(tmp_path):
    (tmp_path / "file").touch()
    for out in ("file/new\nline", "file/" + 200 * "long/"):
        run = call(tmp_path, *SMALL, f"--out={out}")
        assert_refused(run, tmp_path, [tmp_path / "file"])
        assert len(run.stderr) < 300
    assert "64 to 32768" in call(tmp_path, "--mtu=0").stderr
    assert "--fail=host-0:0--pod0-edge-0:0@1us,: " in call(tmp_path, "--fail=host-0:0--pod0-edge-0:0@1us,").stderr


def test_the_version_is_our_own(tmp_path):
    printed = call(tmp_path, "--version").stdout
    assert re.fullmatch(r"ai-fabric \S+( \(commit [0-9a-f]+\))?, ns-3 3\.\d+, \w+ build by .+\n", printed), printed


def test_help_and_lists(tmp_path):
    lists = [f"--{name}=help" for name in ("balancer", "recovery", "sendOrder", "fail")]
    for question in ("--PrintHelp", "--help", *lists):
        run = call(tmp_path, question)
        assert run.returncode == 0 and run.stderr == "" and run.stdout
    usage = call(tmp_path, "--PrintHelp").stdout
    assert "[fat-tree]" in usage and "[800Gb/s]" in usage
    assert not list(tmp_path.iterdir())


# What the Simulation Execution Manager (sem 0.3.9, sem/runner.py) reads of --PrintHelp: everything
# between these two headings; of each line the last "--" with one of ?:|= after it, if there is one, and what stands
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
    lines = [line for line in SEM_SECTION.search(usage).group(1).splitlines() if SEM_NAME.match(line)]
    found = [(SEM_NAME.match(line), SEM_DEFAULT.match(line)) for line in lines]
    return {name.group(1): sem_value(default.group(1)) for name, default in found}, lines


def test_sem_finds_every_option_and_its_default(tmp_path):
    options, lines = sem_options(tmp_path)
    assert list(options) == [line.split(":")[0].strip().removeprefix("--") for line in lines]
    assert options["balancer"] == "ecmp" and options["planes"] == 1.0 and options["check"] is False
    assert options["rateControl"] == "fixed" and options["rho"] == 1
    known = "RngRun RngSeed SchedulerType SimulatorImplementationType ChecksumEnabled".split()
    text = call(tmp_path, "--PrintGlobals").stdout
    others = set(re.findall(r"--(\w+)=", text)) - set(known)  # SEM leaves out the known ones
    assert others == set()


def test_the_help_has_groups_and_the_first_ten_options_first(tmp_path):
    """In --help=json, too. No group comes twice, and each option is in one."""
    usage = SEM_SECTION.search(call(tmp_path, "--PrintHelp").stdout).group(1)
    groups = [part.splitlines() for part in usage.strip().split("\n\n")]
    names = {heading.strip(): [line.split(":")[0].strip(" -") for line in lines] for heading, *lines in groups}
    assert len(names) == len(groups) > 10 and all(names.values())
    assert len(names["First options"]) == 10 and next(iter(names)) == "First options"
    rows = json.loads(call(tmp_path, "--help=json").stdout)
    assert [(row["group"], row["name"]) for row in rows] == [(group, name) for group in names for name in names[group]]


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
    assert "--planes=1.0" in given and "--check=False" in given
    by_sem = succeed(tmp_path, *given)
    by_hand = succeed(tmp_path, *SMALL, "--RngRun=3")
    for cost in COST:
        by_sem["results"].pop(cost), by_hand["results"].pop(cost)
    assert set(by_sem.pop("options")) > set(by_hand.pop("options"))
    assert by_sem == by_hand
