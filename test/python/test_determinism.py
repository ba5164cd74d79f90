# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The same run is the same run, whoever looks on; another one differs in what was changed only."""

import pytest
from harness import HEADER, LOSSY, ROOT, SMALL, call, needs_program, offered, rows, snapshot, succeed, write_flows

pytestmark = needs_program


@pytest.mark.parametrize("transport", ["--recovery=sack", "--transport=spray --admission=trimming"])
def test_determinism(tmp_path, transport):
    options = "--k=4", "--balancer=reps", "--buffer=100kB", LOSSY, *transport.split()
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
    options = "--k=4", "--planes=2", "--balancer=rr", "--jitter=0ns", "--size=60000", "--mtu=64"
    options = *options, "--buffer=5kB", "--recovery=oracle"

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


PLANES = """--topology=leaf-spine --leaves=3 --spines=2 --hostsPerLeaf=1 --planes=3 --rate=400Gb/s --delay=0
--transport=spray --ackPolicy=coalesced --balancer=host-permuted --cdf=sizes.csv --load=0.6 --duration=6553600ps
--sendOrder=oldest-first --RngRun=588"""  # ports of a NIC often start at once
PIPELINE = f"""--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=4 --rate=400Gb/s
--training={ROOT / "scenarios/pipeline.toml"}"""  # computations end in the picosecond in which a message comes
EXPERTS = f"""--topology=leaf-spine --leaves=4 --spines=2 --hostsPerLeaf=8 --gpusPerNode=8 --stack=mrc
--training={ROOT / "scenarios/experts-4d.toml"}"""  # groups of four dimensions, messages beside them

COLLECTIVE = "--topology=leaf-spine --leaves=4 --spines=2 --hostsPerLeaf=4 --rate=400Gb/s --size=300KiB"
TREES = f"{COLLECTIVE} --workload=all-reduce --algorithm=double-binary-tree --channels=2"  # hosts of two trees meet late
SPLIT = f"{COLLECTIVE} --workload=all-reduce --algorithm=halving-doubling --steering=split --balancer=e-ecmp"
SERVERS = f"{COLLECTIVE} --workload=all-reduce --gpusPerNode=4 --algorithm=two-level --buffer=60kB --recovery=sack"
RAILS = f"{COLLECTIVE} --workload=all-to-all --gpusPerNode=4 --nodeMapping=rail --algorithm=direct"

# Connections that are opened in the run, or again, and receivers that learn from senders
TURNS = f"{COLLECTIVE} --workload=all-reduce --algorithm=halving-doubling --steering=round-robin --queuePairs=2 --repeat=3"
FRAGMENTS = f"{COLLECTIVE} --workload=all-to-all --algorithm=direct --steering=dqplb --ns3::aifabric::DqplbSteering::FragmentBytes=3000"
LABELLED = f"{COLLECTIVE} --workload=all-reduce --steering=ethereal-v1 --repeat=3 --fail=cables:1@3us --recovery=sack"
RENEW = "--ns3::aifabric::MessageSteering::Renew=true"
ADMITTED = f"""{COLLECTIVE} --workload=all-to-all --algorithm=direct --receiverAdmission=2
--ns3::aifabric::ReceiverAdmission::SlotBytes=4096 --steering=end-to-end"""
INCAST = """--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=4 --workload=incast --receiverAdmission=2
--ns3::aifabric::ReceiverAdmission::SlotBytes=16384 --ns3::aifabric::ReceiverAdmission::GlobalGrant=40000
--ns3::aifabric::ReceiverAdmission::ProxyLatency=0"""

RESTARTED = f"""{COLLECTIVE} --workload=all-reduce --planes=2 --recovery=sack --iterations=4 --onFailure=restart
--restartCost=10us --fail=host-5:0@50us-3ms --ns3::aifabric::RcQueuePair::RetryTime=100us"""


JOBS = """--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=2 --cluster=jobs.csv --onFailure=restart
--restartCost=10us --fail=host-1@5us-3ms --recovery=sack --ns3::aifabric::RcQueuePair::RetryTime=100us"""

WIDE = "--topology=leaf-spine --leaves=1 --spines=1 --hostsPerLeaf=1000 --size=4KiB --jitter=0 --sample=0"  # ports share a turn

WAYS = PLANES, PIPELINE, EXPERTS, TREES, SPLIT, SERVERS, RAILS, RESTARTED, TURNS, FRAGMENTS, LABELLED, ADMITTED, INCAST, JOBS, WIDE
RENEWED = f"{FRAGMENTS} {RENEW}", f"{LABELLED} {RENEW}"


@pytest.mark.parametrize("options", (*WAYS, *RENEWED))
def test_windows_change_nothing(tmp_path, options):
    jobs = "name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns\n"
    (tmp_path / "jobs.csv").write_text(jobs + "".join(f"{name},2,packed,0,all-reduce,1000000,2,0\n" for name in "ab"))
    (tmp_path / "sizes.csv").write_text("bytes,probability\n1,0.1\n65536,0.5\n65536,1\n")
    shuffled = "--ns3::aifabric::WindowSimulator::Shuffled=true"
    ways = (["--simulator=events"], [], [shuffled])
    runs = [snapshot(tmp_path, *options.split(), *way, ignore={"events", "attributes"}) for way in ways]
    assert runs[1] == runs[0] and runs[2] == runs[0]
    assert succeed(tmp_path, *options.split())["results"]["simulator"] == "windows"


GIVEN_UP = """--k=4 --planes=4 --rate=800Gb/s --fabricRate=200Gb/s --mtu=64 --recovery=strict --balancer=mprdma
--transport=rc --rateControl=nscc --admission=port --marker=auto --buffer=40kB --size=1024 --stallTime=5ms
--ns3::aifabric::RcQueuePair::AckTimeout=20us --ns3::aifabric::RcQueuePair::RetryLimit=1
--ns3::aifabric::RcQueuePair::RetryTime=0s"""


def test_a_run_ends_though_events_are_left(tmp_path):
    """Which the scheduler looks at when the ports are gone."""
    succeed(tmp_path, *GIVEN_UP.split(), "--simulator=events")


STALLED = """--k=4 --rate=400Gb/s --fabricRate=1600Gb/s --delay=100ns --mtu=256 --recovery=oracle --balancer=reps
--workload=sendrecv --size=65536 --fail=host-9/down@1us --convergence=0 --detection=3us --stallTime=1ms"""


def test_a_stalled_run_says_the_same(tmp_path):
    """Though its packets are sent again and again, and ports decide late."""
    for run in "2", "767":
        said = [call(tmp_path, *STALLED.split(), f"--RngRun={run}", f"--simulator={name}") for name in ("events", "windows")]
        assert said[0].returncode == 1 and said[0].stderr == said[1].stderr and "sent again" in said[0].stderr


def test_schemes_meet_the_same_traffic(tmp_path):
    fabric = "--topology=leaf-spine", "--leaves=4", "--spines=4", "--hostsPerLeaf=4", "--size=64KiB"
    seen = set()
    for balancer in offered("balancer"):
        transport = "mrc" if balancer == "mrc" else "rc"
        succeed(tmp_path, *fabric, f"--balancer={balancer}", f"--transport={transport}", "--workload=all-to-all")
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
        for share, to, *more in ((0.25, "ofan"), (0.5, "jsq", "--balancer=reps"), (0.5, "ofan", "--RngRun=2"))
    ]
    first, second, other = (set(scenario["upgradedSwitches"]) for scenario in drawn)
    assert len(first) == 4 and len(second) == 8 and first < second and second != other
    assert not any("core" in name for name in second)


@pytest.mark.parametrize("more", [[], ["--receiverAdmission=4"], ["--gpusPerNode=2"], ["--transport=mrc"]])
def test_messages_without_bytes_take_two_delays_of_a_link(tmp_path, more):
    option = write_flows(tmp_path, "bytes,destination,source,start_ns\n0,1,0,100\n4096,9,3,0\n0,3,9,200\n")
    summary = succeed(tmp_path, "--k=4", option, *more)
    assert [row["duration_ns"] for row in rows(tmp_path, "flows")][::2] == ["1000.000"] * 2
    alone = write_flows(tmp_path, HEADER + "0,3,9,4096\n")
    results = succeed(tmp_path, "--k=4", alone, *more)["results"]
    for name in "cct_ns", "bound_ns", "data_packets":
        assert summary["results"][name] == results[name], name
    succeed(tmp_path, "--k=4", write_flows(tmp_path, HEADER + "0,3,9,0\n"), *more)
