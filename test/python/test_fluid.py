# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""--fidelity=fluid: how close it is to packets, and what it refuses."""

import csv
import json
import random
import re
from pathlib import Path

import fluid_scenarios
import pytest
from harness import PROGRAM, ROOT, call, needs_program, rows, script, stderr_lines, succeed

RING = "--k=4", "--balancer=ofan", "--workload=all-reduce", "--size=1MiB"
FLUID = "--fidelity=fluid"
# Packets that the messages of two channels take turns with get out of step: 32 % too slow without a round robin.
CHANNELS = "--topology=three-tier --pods=4 --leavesPerPod=2 --spinesPerPod=4 --cores=8 --hostsPerLeaf=4 --channels=2"

pytestmark = needs_program


@pytest.mark.parametrize("kind", fluid_scenarios.KINDS)
def test_fluid_is_close_to_packets(tmp_path, kind):
    draw = random.Random(kind)
    for _ in range(1 if kind.endswith("ecmp all-to-all") else 3):
        options = fluid_scenarios.draw_scenario(kind, draw, tmp_path)
        error, drops = fluid_scenarios.error_percent(options, tmp_path)
        loses = kind.startswith("changes")  # what waits at a link that is cut
        assert abs(error) <= (1.5 if "ecmp" in kind and "channels" not in kind else 3) and (drops == 0 or loses), (error, options)


def test_channels_get_out_of_step(tmp_path):
    options = *CHANNELS.split(), "--balancer=ofan", "--workload=all-reduce", "--size=8MiB"
    assert abs(fluid_scenarios.error_percent(options, tmp_path)[0]) < 2


SKEWED = "--workload=all-to-all", "--skew=hot:4", "--balancer=ofan"


def test_rates_of_many_messages_are_close(tmp_path):
    """16,256 messages at once, whose rates are computed less often."""
    options = *fluid_scenarios.LARGE[0], *SKEWED, "--size=132KiB", "--buffer=4GB"
    assert abs(fluid_scenarios.error_percent(options, tmp_path)[0]) < 0.5


def test_a_hot_receiver_needs_a_buffer(tmp_path):
    """The line says which one holds all that is under way to a host; fluid needs no more."""
    options = "--k=4", *SKEWED, "--size=1MiB"
    lines = stderr_lines(call(tmp_path, *options, FLUID))
    assert len(lines) == 1 and lines[0].startswith("ai-fabric-run: --buffer=") and ": at least " in lines[0], lines
    error, drops = fluid_scenarios.error_percent([*options, "--buffer=" + lines[0].split()[4]], tmp_path)
    assert abs(error) < 1 and drops == 0


@pytest.mark.parametrize("option", ["--balancer=ecmp", "--planes=2", "--fail=cables:1@0ns"])
def test_uneven_all_to_alls_are_refused_elsewhere(tmp_path, option):
    rest = [given for given in SKEWED if given.split("=")[0] != option.split("=")[0]]
    run = call(tmp_path, "--k=4", *rest, "--size=1MiB", "--convergence=0ns", option, FLUID)
    lines = stderr_lines(run)
    assert run.returncode == 1 and len(lines) == 1 and "--skew=hot:4: " in lines[0] and FLUID in lines[0], lines


ECMP = "--k=4", "--balancer=ecmp", "--workload=all-reduce", "--size=4MiB", "--placement=random"


def test_acknowledgements_wait_behind_data(tmp_path):
    """Of short packets they are 8 % of the load: 3 % too slow if they went first."""
    options = "--topology=leaf-spine", "--mtu=1024", "--algorithm=recursive-doubling", *ECMP[1:4], fluid_scenarios.DEEP
    assert abs(fluid_scenarios.error_percent(options, tmp_path)[0]) < 0.5


@pytest.mark.parametrize("rate, delay", [("100Mb/s", "1ns"), ("100Mb/s", "1us"), ("400Gb/s", "0ns")])
def test_a_gap_may_take_longer_than_a_link(tmp_path, rate, delay):
    """The message has come before the gap behind it has passed."""
    options = "--topology=leaf-spine", "--jobRanks=4", "--workload=all-gather", "--balancer=ecmp", "--size=512KiB"
    links = f"--rate={rate}", f"--delay={delay}", fluid_scenarios.DEEP
    assert abs(fluid_scenarios.error_percent([*options, *links], tmp_path)[0]) < 0.5
    assert all(row["received_ns"] for row in rows(tmp_path, "flows"))


def test_runs_that_lose_packets_are_refused(tmp_path):
    """The line says which buffer is enough, and with that one neither loses a packet."""
    run = call(tmp_path, *ECMP, FLUID, "--buffer=100kB")
    lines = stderr_lines(run)
    assert run.returncode == 1 and len(lines) == 1 and lines[0].startswith("ai-fabric-run: --buffer=100000: at least ")
    assert not (tmp_path / "results").exists() or not list((tmp_path / "results").rglob("run.json"))
    assert succeed(tmp_path, *ECMP, "--buffer=100kB")["results"]["drops"] > 0
    enough = "--buffer=" + lines[0].split()[4]
    error, drops = fluid_scenarios.error_percent([*ECMP, enough], tmp_path)
    assert abs(error) <= 3 and drops == 0


REFUSED_ECMP = {
    "--size=512KiB": "size",  # 8 packets to each rank
    "--channels=8": "size",  # 8 packets to each rank in each channel
    "--algorithm=double-binary-tree": "algorithm",
    "--workload=broadcast": "workload",
    "--failRate=0.2": "convergence",
    "--fail=host-3@1us": "fail",
    "--fail=cables:1%0.01@0ns": "fail",
    "--rateControl=dctcp": "rateControl",
    "--rateControl=nscc": "rateControl",  # which sprays
}


@pytest.mark.parametrize("option", REFUSED_ECMP)
def test_what_fluid_does_not_compute_over_ecmp_is_refused(tmp_path, option):
    run = call(tmp_path, *[given for given in ECMP if given.split("=")[0] != option.split("=")[0]], FLUID, option)
    lines = stderr_lines(run)
    assert run.returncode == 1 and len(lines) == 1, run.stderr
    assert f"--{REFUSED_ECMP[option]}=" in lines[0] and FLUID in lines[0], lines


def test_channels_whose_order_decides_are_refused(tmp_path):
    """Whose packet is first changes the time of packets by up to 13 %."""
    given = *ECMP[:3], "--size=16MiB", "--channels=2", "--algorithm=halving-doubling"
    run = call(tmp_path, *given, FLUID)
    lines = stderr_lines(run)
    assert run.returncode == 1 and len(lines) == 1 and "--channels=2: " in lines[0] and "fluid-unchecked" in lines[0], lines
    assert call(tmp_path, *given, FLUID + "-unchecked", "--check").returncode == 0


NO_WAY = "--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=2 --workload=all-reduce --size=16MiB --buffer=99MB".split()
SPINES, LEAF = "--fail=spine-0+spine-1@5us", "--fail=leaf-0--spine-0@5us,leaf-0--spine-1@8us"
PLANE = "--fail=plane1-leaf-0:2@5us,plane1-leaf-0:3@5us"


@pytest.mark.parametrize("options, is_taken", [
    ("--balancer=ofan " + SPINES, False),
    ("--balancer=ofan " + SPINES + "-20us", False),  # rates of what has no path
    ("--balancer=ecmp " + SPINES + "-20us", True),  # lost, and sent again
    ("--balancer=ecmp " + SPINES, False),  # without end
    ("--balancer=ecmp " + LEAF, False),
    ("--balancer=ofan --fail=leaf-0--spine-0@5us-6us,leaf-0--spine-1@8us-9us", True),
    ("--balancer=ecmp --planes=2 " + PLANE, False),
    ("--balancer=ofan --planes=2 " + PLANE, True),
])
def test_cuts_in_the_run_leave_a_way(tmp_path, options, is_taken):
    """Or the line names the option, before anything runs."""
    run = call(tmp_path, *NO_WAY, "--convergence=0ns", *options.split(), FLUID + "-unchecked", "--check")
    lines = stderr_lines(run)
    assert is_taken == (run.returncode == 0)
    assert is_taken or len(lines) == 1 and "--fail=" in lines[0] and "has none to host-" in lines[0], lines


@pytest.mark.parametrize("fault, said", [
    ("cables:1@5us:period=20us", "what flaps is slow (*), not cut"),
    ("pod0-edge-0:2@5us-9us,pod0-edge-0:2@40us", "each link is cut once"),
])
def test_a_link_is_cut_once(tmp_path, fault, said):
    """What is lost, and sent again, is not lost again."""
    run = call(tmp_path, *ECMP, "--convergence=0ns", "--fail=" + fault, FLUID + "-unchecked", "--check")
    lines = stderr_lines(run)
    assert run.returncode == 1 and len(lines) == 1 and said in lines[0], lines


@pytest.mark.parametrize("option", ["--skew=parts.csv", "--delay=2us"])
def test_uneven_all_to_alls_that_were_not_compared_are_refused(tmp_path, option):
    """Loads that differ by distance, and long links, are up to 11 % off."""
    (tmp_path / "parts.csv").write_text("1000000,1000000,500000,500000\n" * 4)
    fabric = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=2", "--buffer=1GB", "--balancer=ofan"
    skew = [] if "skew" in option else ["--skew=hot:4", "--size=1MiB"]
    run = call(tmp_path, *fabric, "--workload=all-to-all", *skew, FLUID, option)
    assert run.returncode == 1 and run.stderr.startswith(f"ai-fabric-run: {option}: "), run.stderr


def test_a_single_message_takes_as_long(tmp_path):
    """One packet, several, and a short last one. Acknowledgements are taken for simultaneous: 0.3 %."""
    for size in "1kB", "40kB", "1MiB":
        options = "--topology=leaf-spine", "--jobRanks=2", "--balancer=ofan", "--workload=all-gather", f"--size={size}"
        packets = fluid_scenarios.run(options, "packets", tmp_path)
        fluid = fluid_scenarios.run(options, "fluid", tmp_path)
        assert fluid["cct_ns"] == pytest.approx(packets["cct_ns"], rel=0.005), size


def test_results_say_that_there_are_no_packets(tmp_path):
    run = succeed(tmp_path, *RING, FLUID)
    assert run["scenario"]["fidelity"] == "fluid"
    assert run["fidelity"]["class"] == "ring" and run["fidelity"]["max_error_percent"] < 3
    assert run["results"]["drops"] is None and run["results"]["cct_ns"] > 0
    assert "queues.csv" not in run["files"] and {"flows.csv", "links.csv"} <= set(run["files"])
    assert len(rows(tmp_path, "flows")) == run["results"]["messages"]
    printed = call(tmp_path, *RING, FLUID).stdout
    assert "fidelity         fluid, no packets" in printed and "losses" not in printed


def test_equal_runs_are_equal(tmp_path):
    first = succeed(tmp_path, *RING, FLUID, "--channels=3")["results"]["cct_ns"]
    assert succeed(tmp_path, *RING, FLUID, "--channels=3")["results"]["cct_ns"] == first


REFUSED = {
    "--workload=permutation": "workload",
    "--workload=broadcast": "workload",
    "--balancer=flowlet": "balancer",
    "--algorithm=double-binary-tree": "algorithm",
    "--failRate=0.2": "convergence",
    "--fail=host-3@1us": "fail",
    "--fail=cables:1~0.5@0ns": "fail",
    "--stack=uec": "stack",
    "--rateControl=mprdma": "rateControl",
    "--recovery=sack": "recovery",
    "--acks=bypass": "acks",
    "--receiverAdmission=2": "receiverAdmission",
    "--steering=split": "steering",
    "--placement=random": "placement",
    "--gpusPerNode=2": "gpusPerNode",
    "--communicators=2": "communicators",
    "--rho=0.5": "rho",
    "--nicCounters": "nicCounters",
    "--pcap=host-0": "pcap",
    "--sample=1us": "sample",
    "--simulator=windows": "simulator",
    "--ns3::aifabric::RcQueuePair::Dscp=4": "ns3::aifabric::RcQueuePair::Dscp",
}


# Options without a part in what rates compute: of what is refused, of other fabrics and traffic that are refused, and of how a
# run is computed, recorded and shown.
NO_PART = """
    lengths routers globalLinks onlyJob chakraGroups chakraControl chakraStreams peakPerf memoryBandwidth root
    slots jobs parameterServers aggregationWindow aggregationReach resultPath distinctSlots gradientMagnitude gradientRounding
    cdf load duration backgroundCdf backgroundLoad backgroundSize backgroundServers backgroundPeriod upgraded
    marker opticPorts detection restartCost restartLimit
    out preset library threads scheduler engine config writeConfig plan planeHosts nodeTimes period stallTime progress quiet json
    check fidelity PrintGlobals PrintGroups PrintGroup PrintTypeIds PrintAttributes PrintVersion PrintHelp
""".split()
REFUSED_ALSO = """
    flows=flows.csv chakra=traces goal=ring.goal protocol=ll operation=read background=poisson
    forwarding=updown stage=none-such steering=split upgrade=rsq ordered=2 transport=mrc ackPolicy=coalesced sendOrder=oldest-first
    admission=shared switchLatency=spine-0=2us onFailure=abort ranks=2 watchdog pauseStorm=host-3@1ms prober=1us
    denylist=host-3 planeSeries=5us linkSeries=5us nicSeries=5us queuePeaks hopLatency reachability=1us
""".split()


def test_each_option_is_drawn_or_refused(tmp_path):
    """A new option is compared with packets, or refused."""
    helped = call(tmp_path, "--PrintHelp").stdout
    options = {line.split(":")[0].strip()[2:] for line in helped.splitlines() if line.startswith("  --") and ":" in line}
    source = Path(fluid_scenarios.__file__).read_text()
    drawn = set(re.findall(r"--(\w+)", source)) | set(fluid_scenarios.OTHERS)
    refused = {option.split("=")[0].strip("-") for option in [*REFUSED, *REFUSED_ALSO]}
    assert options - drawn - refused - set(NO_PART) == set()
    assert set(NO_PART) & (drawn | refused) <= {"check", "fidelity"}


@pytest.mark.parametrize("option", REFUSED_ALSO)
def test_options_that_are_not_drawn_are_refused(tmp_path, option):
    run = call(tmp_path, "--topology=leaf-spine", *RING[1:], FLUID, "--" + option, "--check")
    assert run.returncode == 1 and option.split("=")[0] in run.stderr, run.stderr


def test_each_class_is_drawn():
    source = (ROOT / "contrib/run/fluid-class.cc").read_text()
    classes = set(re.findall(r'^    \{"([a-z -]+)", \{', source, re.MULTILINE))
    assert classes == set(fluid_scenarios.KINDS) - {"others"}


@pytest.mark.parametrize("option", REFUSED)
def test_what_fluid_does_not_compute_is_refused(tmp_path, option):
    """In one line, which names an option and fluid."""
    name = option.split("=")[0]
    rest = [given for given in RING if not given.startswith(name + "=")]
    run = call(tmp_path, *rest, FLUID, option)
    lines = stderr_lines(run)
    assert run.returncode == 1 and len(lines) == 1, run.stderr
    assert f"--{REFUSED[option]}=" in lines[0] and "--fidelity=fluid" in lines[0], lines
    assert call(tmp_path, *rest, option, "--check").returncode == 0


@pytest.mark.parametrize("option", ["--channels=2", "--balancer=host-permuted"])
def test_what_is_not_close_in_planes_is_refused(tmp_path, option):
    """Labels of host-permuted stand for unequal shares of the planes; channels get out of step by chance."""
    rest = [given for given in RING if given.split("=")[0] != option.split("=")[0]]
    run = call(tmp_path, *rest, FLUID, "--planes=2", option)
    assert run.returncode == 1 and option in run.stderr and FLUID in run.stderr
    assert call(tmp_path, *rest, FLUID, option, "--check").returncode == 0


# What --fidelity=fluid took, and was 3 to 67 % beside packets; and what is close, with less of it.
FAR = [
    ("--workload=all-to-all --algorithm=direct --size=1MiB --convergence=0ns --fail=cables:2@0ns", "--fail", "cables:1@0ns"),
    ("--workload=all-reduce --algorithm=ring --size=1MiB --k=6 --channels=4", "--size", "8MiB"),
    ("--workload=all-reduce --algorithm=ring --size=64MiB --channels=8", "--channels", "4"),
    ("--workload=all-reduce --algorithm=ring --size=16MiB --fabricRate=400Gb/s --balancer=rr", "--balancer", "host-dr"),
    ("--workload=all-reduce --algorithm=halving-doubling --size=64MiB --channels=4", "--channels", "1"),
    ("--workload=all-reduce --algorithm=ring --size=16MiB --fail=cables:2*0.1@0ns", "--fail", "cables:2*0.3@0ns"),
    ("--balancer=ecmp --workload=all-reduce --size=16MiB --fail=cables:1@5us --convergence=0ns --placement=random",
     "--placement", "packed"),
]


@pytest.mark.parametrize("options, name, close", FAR)
def test_what_is_far_from_packets_is_refused(tmp_path, options, name, close):
    given = options.split() + [option for option in ("--k=4", "--balancer=ofan") if option.split("=")[0] not in options]
    lines = stderr_lines(call(tmp_path, *given, FLUID))
    assert len(lines) == 1 and name + "=" in lines[0] and FLUID in lines[0], lines
    others = [option for option in given if option.split("=")[0] != name]
    assert call(tmp_path, *others, f"{name}={close}", FLUID, "--check").returncode == 0
    assert call(tmp_path, *given, FLUID + "-unchecked", "--check").returncode == 0


def rings(*groups, size="6MB", kind="all-gather"):
    """Rings of some hosts each, which begin at the same time."""
    text = [f'[[communicator]]\nname = "ring {i}"\nhosts = {list(hosts)}' for i, hosts in enumerate(groups)]
    text += ["[[phase]]\nrepeat = 2\nsteps = [", '    { name = "work", compute = "20us" },']
    steps = [f'{{ collective = "{kind}", bytes = "{size}", on = "ring {i}", after = ["work"] }},' for i in range(len(groups))]
    return "\n".join([*text, *steps, "]"]) + "\n"


def messages(*pairs, size="1MiB"):
    """Messages from host to host at the same time."""
    steps = [f'    {{ from = {source}, to = {destination}, bytes = "{size}" }},' for source, destination in pairs]
    return "\n".join(["[[phase]]\nrepeat = 2\nsteps = [", *steps, "]"]) + "\n"


MEET = {  # at ports of hosts, where rates alone held up whole NICs
    "a ring of all, and one of every second host": rings(range(16), range(0, 16, 2)),
    "rings in different orders": rings(range(16), range(15, -1, -1), random.Random(3).sample(range(16), 16), size="8MiB"),
    "an incast": messages(*((host, host // 4 * 4) for host in range(16) if host % 4)),
}


@pytest.mark.parametrize("fault", ["", "--fail=cables:2@0ns", "--fail=cables:1@50us"])
@pytest.mark.parametrize("case", MEET)
def test_collectives_that_meet_are_close(tmp_path, case, fault):
    """Beside packets they were 3 to 9 % off, and need a buffer."""
    (tmp_path / "job.toml").write_text(MEET[case])
    options = ["--topology=leaf-spine", "--balancer=ofan", "--training=job.toml", "--convergence=0ns", *filter(None, [fault])]
    lines = stderr_lines(call(tmp_path, *options, "--buffer=50kB", FLUID))
    assert len(lines) == 1 and lines[0].startswith("ai-fabric-run: --buffer=50000: at least "), lines
    error, drops = fluid_scenarios.error_percent([*options, "--buffer=" + lines[0].split()[4]], tmp_path)
    assert abs(error) < (2 if "orders" in case else 1) and (drops == 0 or "us" in fault)


STRIDED = rings([0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15], size="16MiB")


@pytest.mark.parametrize("job, option, close", [
    (STRIDED, "--spines=2", "--spines=4"),  # 6 %; over planes 12 %
    (messages(*((host, (host + 4) % 16) for host in range(16))), "--fail=cables:1*0.5@0ns", "--fail=cables:1@0ns"),  # 14 %
    (messages(*((host, (host + 4) % 16) for host in range(16))), "--fabricRate=50Gb/s", "--fabricRate=auto"),
])
def test_hosts_that_send_in_step_are_refused(tmp_path, job, option, close):
    (tmp_path / "job.toml").write_text(job)
    shape = "--topology=leaf-spine", "--leaves=4", "--hostsPerLeaf=4", "--buffer=1GB", "--convergence=0ns"
    options = *shape, "--balancer=ofan", "--training=job.toml"
    lines = stderr_lines(call(tmp_path, *options, option, FLUID, "--check"))
    assert len(lines) == 1 and FLUID in lines[0] and "fluid-unchecked" in lines[0], lines
    assert call(tmp_path, *options, close, FLUID, "--check").returncode == 0
    assert call(tmp_path, *options, option, FLUID + "-unchecked", "--check").returncode == 0


OVERLAPS = """
[parallelism]
tp = 4
pp = 4
order = ["pp", "tp", "dp"]
microbatches = 2
[model]
activations = "1MiB"
[[model.layers]]
name = "layer"
repeat = 8
forward = "1us"
tensor = "2MiB"
parameters = "{}MiB"
"""


def test_rings_whose_order_decides_are_refused(tmp_path):
    """Long messages of gradients beside short ones of tensors: single packets decide (5 %); over ECMP hashes do. Those of
    dense-3d.toml are not long beside tensors within a leaf: 0.5 %."""
    shape = "--topology=leaf-spine", "--leaves=8", "--spines=8", "--hostsPerLeaf=8", "--buffer=4GB"
    for megabytes, balancer, lines_expected in (32, "ofan", 1), (16, "ofan", 1), (8, "ofan", 0), (32, "ecmp", 0):
        (tmp_path / "job.toml").write_text(OVERLAPS.format(megabytes))
        lines = stderr_lines(call(tmp_path, *shape, "--balancer=" + balancer, "--training=job.toml", FLUID, "--check"))
        assert len(lines) == lines_expected and all("8 times shorter" in line for line in lines), lines
    dense = ROOT / "scenarios/dense-3d.toml"
    assert call(tmp_path, *shape, "--balancer=ofan", f"--training={dense}", FLUID, "--check").returncode == 0


@pytest.mark.parametrize("options, close", [
    (("--k=6", "--jobRanks=16"), ("--k=4",)),  # 6 %
    (("--k=4", "--delay=10ns"), ("--k=4", "--delay=200ns")),  # 7 % (host-dr)
    (("--k=4", "--buffer=20kB"), ("--k=4", "--buffer=300kB")),  # up to 10 %, lost packets
])
def test_sprayed_halving_is_refused_where_it_is_not_close(tmp_path, options, close):
    run = "--balancer=host-dr", "--workload=all-reduce", "--algorithm=halving-doubling", "--size=1MiB", FLUID, "--check"
    line, = stderr_lines(call(tmp_path, *run, *options))
    assert line.startswith(f"ai-fabric-run: {'--algorithm' if '--k=6' in options else options[1]}"), line
    assert call(tmp_path, *run, *close).returncode == 0


def test_ways_up_where_nothing_waits_change_no_time(tmp_path):
    """A fault after the end keeps the links of these ways."""
    shapes = ("--k=4",), ("--k=4", "--planes=2"), ("--topology=leaf-spine", "--leaves=4", "--hostsPerLeaf=16", "--spines=16")
    for shape in shapes:
        run = *shape, "--balancer=ofan", f"--training={ROOT / 'scenarios/overlap.toml'}", "--buffer=1GB", "--sample=0"
        late = "--fail=cables:1*0.5@1s", "--convergence=0ns"
        times = [succeed(tmp_path, *run, FLUID + "-unchecked", *more)["results"]["cct_ns"] for more in ((), late)]
        assert times[0] == pytest.approx(times[1], rel=1e-9), shape


PAIRS = """
[parallelism]
tp = 2
order = ["dp", "pp", "tp"]
gradients = "reduce-scatter"
[model]
activations = "1MiB"
optimizer = "1us"
[[model.layers]]
name = "layer"
repeat = 8
forward = "1us"
tensor = "1MiB"
parameters = "1MiB"
"""


def test_rings_that_share_few_uplinks_get_out_of_step(tmp_path):
    """Eight rings of each leaf, each of which idled in the latencies of all others: 6 % too slow."""
    (tmp_path / "job.toml").write_text(PAIRS)
    shape = "--topology=leaf-spine", "--leaves=4", "--spines=2", "--hostsPerLeaf=8", "--planes=2", "--buffer=1GB"
    options = *shape, "--balancer=ofan", "--training=job.toml"
    times = [fluid_scenarios.run(options, fidelity, tmp_path)["cct_ns"] for fidelity in ("packets", "fluid-unchecked")]
    assert times[1] == pytest.approx(times[0], rel=0.02)


def test_a_dead_link_needs_no_larger_buffer_than_its_queue(tmp_path):
    """It was 51 times as much."""
    options = "--topology=leaf-spine", "--balancer=ofan", "--workload=all-to-all", "--algorithm=direct", "--size=1MiB"
    faulty = *options, "--fail=cables:1@0ns", "--convergence=0ns"
    needed = stderr_lines(call(tmp_path, *faulty, "--buffer=50kB", FLUID))[0].split()[4]
    assert int(needed) < 1.5e6
    error, drops = fluid_scenarios.error_percent([*faulty, "--buffer=" + needed], tmp_path)
    assert abs(error) < 1 and drops == 0


def test_short_messages_of_sprayed_training_in_planes_are_refused(tmp_path):
    (tmp_path / "job.toml").write_text(rings(range(16), size="2MiB"))
    options = "--topology=leaf-spine", "--balancer=ofan", "--training=job.toml", FLUID, "--check"
    lines = stderr_lines(call(tmp_path, *options, "--planes=2"))
    assert len(lines) == 1 and "at least 128 packets" in lines[0], lines
    assert call(tmp_path, *options).returncode == 0


@pytest.mark.parametrize("speed", [0.25, 0.5])
def test_a_slow_link_needs_no_larger_buffer_than_packets(tmp_path, speed):
    """Its bytes were counted several times."""
    options = *ONE_PATH[:-1], "--balancer=ecmp", f"--fail=leaf-0--spine-0*{speed}@0ns", "--convergence=0ns"
    lines = stderr_lines(call(tmp_path, *options, "--buffer=100kB", FLUID))
    needed = int(lines[0].split()[4])
    assert succeed(tmp_path, *options, f"--buffer={needed}")["results"]["drops"] == 0
    assert succeed(tmp_path, *options, f"--buffer={needed * 9 // 10}")["results"]["drops"] > 0


def test_no_protocol_may_be_said(tmp_path):
    assert call(tmp_path, *RING, FLUID, "--protocol=none", "--check").returncode == 0
    assert "--protocol=ll: " in call(tmp_path, *RING, FLUID, "--protocol=ll", "--check").stderr


def test_rates_that_are_next_to_nothing_are_refused(tmp_path):
    """The sums of bytes lost the last picosecond, and the run did not end."""
    options = "--k=4", "--balancer=ecmp", "--workload=all-to-all", "--size=256KiB", "--fail=cables:2*0.00001@0us"
    lines = stderr_lines(call(tmp_path, *options, FLUID + "-unchecked"))
    assert len(lines) == 1 and "--fail=cables:2*0.00001@0us: " in lines[0] and "1 % of a rate" in lines[0], lines


def test_the_hash_is_among_the_balancers_that_are_computed(tmp_path):
    lines = stderr_lines(call(tmp_path, RING[0], *RING[2:], "--balancer=reps", FLUID))
    assert len(lines) == 1 and "ecmp with" in lines[0], lines


QUEUES = {
    "several channels": "--channels=2",
    "messages of a few packets": "--size=256KiB",
    "an uneven balancer": "--balancer=host-random",
    "halving": "--algorithm=halving-doubling",
    "narrow and broken": "--fail=cables:1@0ns",
}


@pytest.mark.parametrize("case", QUEUES)
def test_what_is_not_close_with_queues_is_refused(tmp_path, case):
    """Where links are too few. It is computed unchecked, and says so."""
    option = QUEUES[case]
    narrow = "--topology=leaf-spine", "--leaves=4", "--spines=2", "--hostsPerLeaf=4", "--convergence=0ns"
    options = *narrow, *[given for given in RING[1:] if given.split("=")[0] != option.split("=")[0]], option
    run = call(tmp_path, *options, FLUID)
    lines = stderr_lines(run)
    assert run.returncode == 1 and len(lines) == 1 and option.split("=")[0] + "=" in lines[0], lines
    assert "unless it is fluid-unchecked" in lines[0] or case == "an uneven balancer"
    unchecked = succeed(tmp_path, *options, "--buffer=10MB", FLUID + "-unchecked")
    assert unchecked["fidelity"] == {"checked": False} and unchecked["results"]["cct_ns"] > 0
    assert "not compared with packets" in call(tmp_path, *options, "--buffer=10MB", FLUID + "-unchecked").stdout


@pytest.mark.parametrize("option", ["--recovery=sack", "--balancer=flowlet", "--acks=bypass", "--fail=cables:1@1us"])
def test_what_cannot_be_computed_is_refused_unchecked(tmp_path, option):
    run = call(tmp_path, *[given for given in RING if given.split("=")[0] != option.split("=")[0]], FLUID + "-unchecked", option)
    assert run.returncode == 1 and len(stderr_lines(run)) == 1 and FLUID in run.stderr, run.stderr


@pytest.mark.parametrize("fault, host", [("host-3:1", "host-3"), ("plane-1", "host-0")])
def test_ecmp_into_a_plane_without_a_path_is_refused(tmp_path, fault, host):
    """A hash chooses the plane, whatever is dead there: packets are lost without end."""
    options = "--topology=leaf-spine", "--balancer=ecmp", "--planes=2", "--size=1MiB", "--convergence=0ns"
    run = call(tmp_path, *options, FLUID, f"--fail={fault}@0ns", "--check")
    lines = stderr_lines(run)
    assert run.returncode == 1 and len(lines) == 1 and f"--fail={fault}@0ns: " in lines[0], lines
    assert "in each plane, as a hash chooses it; " in lines[0] and host in lines[0], lines


@pytest.mark.parametrize("options, said", [
    ("--stack=mrc", "--stack=mrc: another one with --fidelity=fluid: rateControl is fixed, not nscc"),
    ("--balancer=simple-rr --fabricRate=400Gb/s", "ecmp, e-ecmp with --fidelity=fluid where links are slow, or --fabricRate"),
    ("--balancer=host-random --planes=2", "with --fidelity=fluid in several planes, or where links are dead or too few"),
])
def test_refusals_say_what_is_wrong(tmp_path, options, said):
    run = call(tmp_path, "--k=4", "--workload=all-reduce", "--size=4MiB", *options.split(), FLUID, "--check")
    assert run.returncode == 1 and said in run.stderr and len(stderr_lines(run)) == 1, run.stderr


JOBS = """name,ranks,placement,arrival_ns,program,collective,bytes,iterations,compute_ns
rings,8,fragmented,0,,all-reduce,16777216,2,20000
other,8,fragmented,50000,,all-gather,16777216,1,0
"""


AFTER = JOBS.replace("compute_ns", "compute_ns,after").replace("20000", "20000,").replace("1,0", "1,0,rings")


@pytest.mark.parametrize("jobs", [JOBS, AFTER], ids=["beside", "after"])
def test_each_job_takes_as_long(tmp_path, jobs):
    """Two that share links, or follow each other by empty messages; `./fabric slowdown` divides their times."""
    (tmp_path / "jobs.csv").write_text(jobs)
    options = "--topology=leaf-spine", "--leaves=4", "--spines=2", "--hostsPerLeaf=4", "--cluster=jobs.csv", "--buffer=1GB"
    times = {}
    for fidelity in "packets", "fluid":
        fluid_scenarios.run([*options, "--balancer=ecmp"], fidelity, tmp_path)
        times[fidelity] = [float(row["jct_ns"]) for row in rows(tmp_path, "jobs")]
    assert times["fluid"] == pytest.approx(times["packets"], rel=0.01)


SHARED = "--topology=leaf-spine --leaves=2 --spines=4 --hostsPerLeaf=4 --workload=permutation --size=4MiB --buffer=1GB".split()


@pytest.mark.parametrize("options", [
    "--balancer=e-ecmp",
    "--balancer=e-ecmp --ns3::aifabric::EEcmpBalancer::Hash=Crc32",
    "--balancer=ecmp --steering=split --queuePairs=4",
    "--balancer=e-ecmp --steering=split --queuePairs=4 --planes=2",
    "--steering=ethereal --planes=2",
])
def test_queue_pairs_take_the_paths_of_packets(tmp_path, options):
    """Each link carries what it carries of packets."""
    carried = []
    for fidelity in "packets", "fluid":
        fluid_scenarios.run([*SHARED, *options.split()], fidelity, tmp_path)
        carried.append({row["from"] + row["to"]: int(row["bytes_sent"]) for row in rows(tmp_path, "links")})
    assert carried[0].keys() == carried[1].keys() and sum(carried[0].values()) > 1e7
    assert list(carried[1].values()) == pytest.approx(list(carried[0].values()), rel=0.001)


@pytest.mark.parametrize("options, said", [
    ("--workload=all-reduce --algorithm=halving-doubling", "single with halving-doubling"),  # 14 %
    ("--workload=all-reduce --steering=dqplb", "one of single, split, ethereal with"),
    ("--workload=all-reduce --steering=ethereal --algorithm=ring", "single or split with rings"),  # 50 %
    ("--workload=all-reduce --algorithm=ring --queuePairs=32", "a message has at most 16 queue pairs"),
    ("--cluster=jobs.csv", "single with jobs"),
    ("--training=training.toml --steering=ethereal", "single or split with training"),
    ("--workload=permutation --queuePairs=16", "a message has at most 4 queue pairs"),
    ("--workload=all-reduce --algorithm=ring --channels=2", "--steering=split: another one with --fidelity=fluid: single where there are channels"),
    ("--workload=permutation --size=256KiB --queuePairs=4 --mtu=8192", "at least 16 packets"),
])
def test_divisions_that_were_not_compared_are_refused(tmp_path, options, said):
    (tmp_path / "training.toml").write_text((ROOT / "scenarios/dense-3d.toml").read_text())
    given = {"balancer": "ecmp", "size": "64MiB", "steering": "split"} | dict(one[2:].split("=") for one in options.split())
    (tmp_path / "jobs.csv").write_text(JOBS)
    unused = ["size"] * ("training" in given or "cluster" in given) + ["balancer"] * (given["steering"] == "ethereal")
    run = call(tmp_path, "--k=4", *(f"--{name}={value}" for name, value in given.items() if name not in unused), FLUID, "--check")
    assert run.returncode == 1 and said in run.stderr and "fluid-unchecked" in run.stderr, run.stderr


NODES = "--topology=leaf-spine --leaves=2 --spines=8 --hostsPerLeaf=8 --nvlink=h100 --balancer=ofan --buffer=1GB".split()


@pytest.mark.parametrize("options, said", [
    ("--gpusPerNode=4 --workload=all-reduce --size=64MiB", "--gpusPerNode=4: "),
    ("--gpusPerNode=4 --training=long.toml", "two-level collectives within nodes have at most 2 MiB for each GPU"),
    ("--gpusPerNode=4 --training=both.toml", "where collectives may run at the same time, one at most is of GPUs of a node"),
    ("--gpusPerNode=4 --training=fair.toml --channels=2", "--gpusPerNode=4: "),
    ("--gpusPerNode=4 --training=fair.toml --nicsPerNode=2", "--nicsPerNode=2: "),
    ("--gpusPerNode=4 --training=every.toml", "where two-level collectives are sprayed, all GPUs are of one node, or one of each"),  # 14 %
    ("--gpusPerNode=4 --training=fair.toml", ""),
    ("--gpusPerNode=4 --workload=permutation --size=4MiB --balancer=ecmp", "--gpusPerNode=4: "),
    ("--gpusPerNode=4 --cluster=jobs.csv", "jobs that are sprayed are packed"),
])
def test_nodes_that_were_not_compared_are_refused(tmp_path, options, said):
    """Which of two messages goes first between the GPUs of a node may depend on a picosecond."""
    group = '[[communicator]]\nname = "{}"\nhosts = {}\n'
    step = '[[phase]]\nname = "{0}"\nsteps = [{{ name = "work", compute = "1us" }}, {{ collective = "all-reduce", '
    step += 'bytes = "{1}", on = "{0}", after = ["work"] }}{2}]\n'
    every = group.format("every", list(range(16)))
    rails = [group.format(f"rail {gpu}", list(range(gpu, 16, 4))) for gpu in range(4)]
    more = "".join(f', {{ collective = "all-gather", bytes = "16MiB", on = "rail {gpu}", after = ["work"] }}' for gpu in range(4))
    (tmp_path / "fair.toml").write_text("".join(rails) + step.format("rail 0", "16MiB", more))
    (tmp_path / "every.toml").write_text(every + step.format("every", "16MiB", ""))
    (tmp_path / "jobs.csv").write_text(JOBS)
    (tmp_path / "long.toml").write_text(every + step.format("every", "64MiB", ""))
    more = ', { collective = "all-gather", bytes = "1MiB", on = "part", after = ["work"] }'
    (tmp_path / "both.toml").write_text(every + group.format("part", [0, 1, 2, 3]) + step.format("every", "16MiB", more))
    fabric = [given for given in NODES if "balancer" not in given or "balancer" not in options]
    run = call(tmp_path, *fabric, *options.split(), FLUID, "--check")
    assert (run.returncode == 0) == (not said) and said in run.stderr and len(stderr_lines(run)) == bool(said), run.stderr


ONE_PATH = "--topology=leaf-spine --leaves=2 --spines=1 --hostsPerLeaf=1 --workload=tornado --size=4MiB --buffer=100MB".split()


def fluid_ns(tmp_path, *options):
    """The completion time over one path, where links change."""
    return fluid_scenarios.run([*ONE_PATH, *options, "--convergence=0ns"], "fluid-unchecked", tmp_path)["cct_ns"]


@pytest.mark.parametrize("balancer", ["--balancer=ecmp", "--balancer=ofan"])
def test_a_link_that_gets_slow_costs_what_it_should(tmp_path, balancer):
    """To half of its rate in the middle: what has not crossed it takes twice as long; for 8 us: 4 us more."""
    whole = fluid_ns(tmp_path, balancer)
    slow = [fluid_ns(tmp_path, balancer, f"--fail=leaf-0--spine-0/up*0.5@{begin}us") for begin in (15, 25)]
    assert slow[0] - slow[1] == pytest.approx(10000, abs=20)
    assert whole - 6254 < slow[0] - whole + 15000 < whole  # less than a round trip behind the link
    back = fluid_ns(tmp_path, balancer, "--fail=leaf-0--spine-0/up*0.5@15us-23us")
    assert back - whole == pytest.approx(4000, abs=40)
    flaps = fluid_ns(tmp_path, balancer, "--fail=leaf-0--spine-0/up*0.5@15us:period=4us:duty=0.25:count=2")
    assert flaps - whole == pytest.approx(1000, abs=40)


@pytest.mark.parametrize("balancer", ["--balancer=ecmp", "--balancer=ofan"])
@pytest.mark.parametrize("change", ["*0.5", ""])
def test_a_fault_that_begins_at_0_is_one_from_the_start(tmp_path, balancer, change):
    options = "--topology=leaf-spine", RING[2], "--size=16MiB", "--buffer=100MB", "--convergence=0ns", balancer
    fault = f"--fail=leaf-0--spine-0{change}@0ns"
    lasting = fluid_scenarios.run([*options, fault], "fluid", tmp_path)["cct_ns"]
    begun = fluid_scenarios.run([*options, fault + "-1s"], "fluid-unchecked", tmp_path)["cct_ns"]
    assert begun == pytest.approx(lasting, rel=1e-6)


IN_THE_RUN = {
    "several planes": ["--balancer=ecmp", "--planes=2", "--fail=cables:1*0.5@5us"],
    "a sprayed collective": ["--balancer=ofan", "--fail=cables:1@5us"],
    "a link that flaps fast": ["--balancer=ecmp", "--fail=cables:1*0.5@5us:period=1us"],
    "a link that gets very slow": ["--balancer=ecmp", "--fail=cables:1*0.01@5us"],
    "a link that is slow for a moment": ["--balancer=ecmp", "--fail=cables:1*0.5@5us-6us"],
    "a link with two faults": ["--balancer=ecmp", "--fail=pod0-edge-0:2*0.5@5us-40us,pod0-edge-0:2*0.5@60us"],
    "many links": ["--balancer=ecmp", "--fail=cables:4*0.5@5us"],
    "flows and a cut": ["--balancer=ecmp", "--workload=permutation", "--size=256KiB", "--fail=cables:1@5us"],
    "a link of a host": ["--balancer=ecmp", "--fail=host-3*0.5@5us"],
    "channels": ["--balancer=ecmp", "--channels=2", "--fail=cables:1*0.5@5us"],
    "jobs": ["--balancer=ecmp", "--cluster=jobs.csv", "--fail=cables:1*0.5@5us"],
}


@pytest.mark.parametrize("case", IN_THE_RUN)
def test_what_was_not_compared_of_faults_in_the_run_is_refused(tmp_path, case):
    rest = [] if case in ("flows and a cut", "jobs") else [RING[2], "--size=16MiB"]
    (tmp_path / "jobs.csv").write_text(JOBS)
    options = "--k=4", *rest, "--convergence=0ns", *IN_THE_RUN[case]
    run = call(tmp_path, *options, FLUID, "--check")
    assert run.returncode == 1 and len(stderr_lines(run)) == 1 and "unless it is fluid-unchecked" in run.stderr, run.stderr
    assert call(tmp_path, *options, FLUID + "-unchecked", "--check").returncode == 0


LINKS = {
    "sprayed": "--k=4 --balancer=ofan --workload=all-reduce --size=4MiB",
    "planes": "--k=4 --balancer=host-dr --workload=all-reduce --size=16MiB --planes=2",
    "dead": "--k=4 --balancer=host-dr --workload=all-reduce --size=16MiB --planes=2 --fail=cables:3@0ns --buffer=10MB",
    "a port": "--topology=leaf-spine --balancer=ofan --workload=all-reduce --size=8MiB --planes=2 --fail=host-1:1@0ns --buffer=10MB",
    "cut": "--k=4 --balancer=ecmp --workload=all-reduce --size=16MiB --fail=cables:1@80us --mtu=8192 --delay=1us --rate=200Gb/s"
           " --RngRun=213 --buffer=99MB",
    "nodes": "--topology=leaf-spine --leaves=4 --hostsPerLeaf=8 --spines=8 --gpusPerNode=8 --nvlink=h100 --balancer=ofan --buffer=1GB"
             f" --training={ROOT}/scenarios/experts-short.toml",
    "slow": "--topology=leaf-spine --balancer=ecmp --workload=permutation --size=1MiB --buffer=99MB --fail=cables:4*0.5@0ns",
}


@pytest.mark.parametrize("case", LINKS)
def test_links_carry_the_same(tmp_path, case):
    """Within 1 % of packets, or of the busiest link where they carry little: a round robin need not end where it began."""
    options = *LINKS[case].split(), "--convergence=0ns", "--sample=0"
    tables = []
    for fidelity in "packets", "fluid-unchecked":
        succeed(tmp_path, *options, f"--fidelity={fidelity}")
        tables.append(rows(tmp_path, "links"))
    for column in "frames_sent", "bytes_sent", "utilization":
        pairs = [(float(row[column]), float(other[column])) for row, other in zip(*tables, strict=True)]
        busiest = max(packets for packets, _ in pairs)
        assert all(abs(fluid - packets) <= max(0.01 * packets, 0.001 * busiest) for packets, fluid in pairs), column
    assert all(row["max_queue_packets"] == "" and row["from"] == other["from"] for row, other in zip(tables[1], tables[0]))


@pytest.mark.parametrize("options, there", [
    ("--balancer=ofan --workload=all-reduce --size=4MiB", True),
    ("--balancer=simple-rr --workload=all-reduce --size=4MiB", False),
    ("--balancer=ecmp --workload=all-reduce --size=16MiB --fail=cables:1*0.5@80us --buffer=99MB", True),
    ("--balancer=ecmp --workload=all-reduce --size=16MiB --fail=cables:1@80us --buffer=99MB", False),
])  # fmt: skip
def test_links_that_may_not_be_close_are_not_written(tmp_path, options, there):
    folder = tmp_path / "out"
    for fidelity, expected in ("fluid-unchecked", True), ("fluid", there):
        succeed(tmp_path, "--k=4", *options.split(), "--convergence=0ns", f"--fidelity={fidelity}")
        assert (folder / "links.csv").exists() == expected
        assert ("links.csv" in json.loads((folder / "run.json").read_text())["files"]) == expected


def test_sweeps_and_checks_take_it(tmp_path):
    """And a difference is that of the completion times."""
    pytest.importorskip("pandas")
    options = "--k=4", "--workload=all-reduce", "--size=1MiB", "--buffer=10MB"
    swept = script("sweep", "--program", PROGRAM, "--out=swept", "--balancer=ofan,ecmp", "--", *options, FLUID, cwd=tmp_path)
    assert swept.returncode == 0 and "ofan" in swept.stdout, swept.stderr
    assert re.search(r"are those of rates .* % at most in 40 scenarios of the class ring", swept.stdout), swept.stdout
    checked = script("sweep.check_fluid", "--program", PROGRAM, "--out=checked", "--", *options, "--balancer=ofan", cwd=tmp_path)
    assert checked.returncode == 0, checked.stderr
    times = {row["result"]: row for row in csv.DictReader((tmp_path / "checked/check.csv").open())}["cct_ns"]
    difference = 100 * (float(times["fluid-unchecked"]) / float(times["packets"]) - 1)
    assert float(times["difference_percent"]) == pytest.approx(difference, abs=1e-3) and abs(difference) < 3


STUDY = """
question = "What do dead links cost?"
schemes = [{name = "Ofan", options = {balancer = "ofan"}}, {name = "ECMP", options = {balancer = "ecmp"}}]
baseline = "ECMP"
seeds = 2
fabric = {k = 4, fidelity = "fluid", buffer = "100MB", convergence = "0ns"}
traffic = {workload = "all-reduce", size = "4MiB"}

[cases.healthy]

[cases.dead]
failRate = 0.05
"""


def test_studies_take_it(tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "dead.toml").write_text(STUDY)
    run = script("study", "--program", PROGRAM, "dead.toml", cwd=tmp_path)
    assert run.returncode == 0 and "dead: baseline is ECMP" in run.stdout, run.stderr
    answer = (tmp_path / "results/study/dead/answer.md").read_text()
    assert all(f"scenarios of the class {name}" in answer for name in ("ring", "ecmp ring"))
