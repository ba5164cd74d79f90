# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs with source routing: what Wireshark reads on each link, and what is refused."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

PROGRAM = Path(os.environ.get("AI_FABRIC_BIN_DIR", "")) / "ai-fabric-run"
SMALL = ["--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=2", "--size=100kB", "--jitter=0"]
SRV6 = ["--forwarding=srv6"]
FIRST_PORT = 0xC000


def run(folder, *options, status=0):
    """Run a scenario.

    :param folder: for the results
    :param options: of the run
    :param status: the exit status that it has to have
    :return: the contents of run.json, or what a run that is refused says
    """
    if not PROGRAM.exists():
        pytest.skip("AI_FABRIC_BIN_DIR does not hold ai-fabric-run")
    command = [PROGRAM, *options, f"--out={folder}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == status, done.stderr
    return json.loads((folder / "run.json").read_text()) if status == 0 else done.stderr


def fields(path, *names):
    """Let tshark take fields out of a capture.

    :param path: the capture
    :param names: of the fields
    :return: for each frame a list with a list of values for each field, the outermost header first
    """
    if not shutil.which("tshark"):
        pytest.skip("tshark is not installed")
    command = ["tshark", "-r", path, "-n", "-o", "infiniband.rroce.port:4791", "-T", "fields"]
    command += ["-E", "separator=;", "-E", "occurrence=a", "-E", "aggregator=,"]
    for name in names:
        command += ["-e", name]
    lines = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    return [[value.split(",") for value in line.split(";")] for line in lines.splitlines()]


def malformed(path):
    """Count the frames of a capture that tshark cannot read.

    :param path: the capture
    :return: how many
    """
    command = ["tshark", "-r", path, "-n", "-o", "infiniband.rroce.port:4791", "-Y", "_ws.malformed"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return len(done.stdout.splitlines())


def groups(address):
    """Read the uSIDs of an address.

    :param address: the address as text
    :return: its groups behind the block of 32 bits, without the zeros at the end
    """
    before, _, after = address.partition("::")
    head, tail = ([int(group, 16) for group in part.split(":") if group] for part in (before, after))
    words = head + [0] * (8 - len(head) - len(tail)) + tail
    assert words[:2] == [0x5F00, 0]
    while words and words[-1] == 0:
        words.pop()
    return words[2:]


@pytest.mark.slow
def test_wireshark_reads_each_link(tmp_path):
    """IPv6 in IPv6 with UDP 4791; from link to link a uSID less, and a hop less."""
    flows = tmp_path / "flows.csv"
    flows.write_text("start_ns,source,destination,bytes\n0,0,3,50000\n")
    places = {"host-0": 4, "leaf-1:1": 1, "leaf-0:2": 3, "leaf-0:3": 3, "spine-0:1": 2, "spine-1:1": 2}
    options = [*SMALL[:-2], *SRV6, "--balancer=host-random", "--acks=bypass", f"--flows={flows}"]
    run(tmp_path / "out", *options, "--pcap=" + ",".join(places))
    seen = 0
    for place, uSIDs in places.items():
        path = tmp_path / "out" / (place.replace(":", "-") + ".pcap")
        assert path.exists(), sorted(p.name for p in (tmp_path / "out").iterdir())
        names = "frame.protocols ipv6.dst ipv6.hlim ipv6.nxt ipv6.src udp.srcport udp.dstport frame.len".split()
        for protocols, destinations, hops, nexts, sources, source, port, _ in fields(path, *names):
            seen += 1
            assert protocols[0].startswith("eth:ethertype:ipv6:ipv6:udp:infiniband")
            label = int(source[0]) - FIRST_PORT
            whole = [0x1000, 0x2000 + label % 2, 0x1001, 0xE001]
            assert groups(destinations[0]) == whole[-uSIDs:]
            assert destinations[1] == "fd00::4" and sources[1] == "fd00::1"
            assert groups(sources[0]) == [0x1000, 0xE000]
            assert [int(hop) for hop in hops] == [64 - 4 + uSIDs, 64]
            assert nexts == ["41", "17"]
            assert port == ["4791"]
        assert malformed(path) == 0
    assert seen == 13 * 4  # each packet on its four links


@pytest.mark.parametrize("option", ["CopyRoute", "OmitFirstT0"])
def test_wireshark_reads_variants(tmp_path, option):
    """A segment routing header with the whole list; or no uSID of the first leaf."""
    options = [*SMALL, *SRV6, f"--ns3::aifabric::Srv6Forwarder::{option}=true", "--pcap=host-0"]
    run(tmp_path, *options)
    path = tmp_path / "host-0.pcap"
    frames = fields(path, "frame.protocols", "ipv6.dst", "ipv6.hlim", "ipv6.nxt")
    for protocols, destinations, hops, nexts in frames:
        assert "infiniband" in protocols[0]
        copies = option == "CopyRoute"
        assert nexts[0] == ("43" if copies else "41")
        first = groups(destinations[0])[0]
        if int(hops[0]) == 64:
            assert first == 0x1000 if copies else first >> 12 != 1
    assert frames and malformed(path) == 0


@pytest.mark.parametrize("transport", ["rc", "spray"])
@pytest.mark.parametrize("balancer", ["ecmp", "host-random", "host-permuted", "host-dr", "prime", "reps", "plb", "subflow"])
@pytest.mark.parametrize("shape", [[*SMALL, "--planes=2"], ["--k=4", "--size=100kB"]])
def test_balancers_of_hosts(tmp_path, transport, balancer, shape):
    """All messages arrive, no switch lacks a route, and the bound holds."""
    results = run(tmp_path, *shape, *SRV6, f"--balancer={balancer}", f"--transport={transport}")["results"]
    assert results["policies"]["fib_misses"] == 0
    assert results["increase_percent"] >= 0
    assert results["drops_by_reason"]["no_route"] == 0


def test_outer_headers_take_their_time(tmp_path):
    """40 bytes a frame more than in IPv6, and so much more time."""
    flows = tmp_path / "flows.csv"
    flows.write_text("start_ns,source,destination,bytes\n0,0,3,4096000\n")
    options = [*SMALL[:-2], f"--flows={flows}", "--acks=bypass"]
    plain = run(tmp_path / "plain", *options, "--ip=6", "--forwarding=stev")
    outer = run(tmp_path / "outer", *options, *SRV6)
    assert outer["scenario"]["ip"] == 6
    assert outer["scenario"]["convergence"] == "never"
    expected = (4178 + 20 + 40) / (4178 + 20)  # a packet with its gap; propagation is in both
    ratio = outer["results"]["cct_ns"] / plain["results"]["cct_ns"]
    assert ratio == pytest.approx(expected, rel=0.001)


def test_a_dead_link_stays_in_the_tables(tmp_path):
    """What is named to go there is lost; senders that learn avoid it, and no switch does."""
    dead = [*SMALL, *SRV6, "--fail=leaf-0:2--spine-0:0@0s", "--recovery=sack", "--balancer=host-random"]
    results = run(tmp_path, *dead)["results"]
    assert results["link_losses"] > 0
    assert results["drops_by_reason"]["no_route"] == 0
    assert results["convergences"] == 0


@pytest.mark.parametrize("option", ["--scheduler=map", "--pcap=host-0,plane0-spine-0", "--sample=1us"])
def test_schedulers_and_observers_change_nothing(tmp_path, option):
    """The same flows at the same times."""
    usual = [*SMALL, *SRV6, "--planes=2", "--balancer=host-random", "--transport=spray", "--admission=trimming"]
    run(tmp_path / "a", *usual, "--buffer=20kB")
    run(tmp_path / "b", *usual, "--buffer=20kB", option)
    for name in "flows.csv", "links.csv":
        assert (tmp_path / "a" / name).read_text() == (tmp_path / "b" / name).read_text()


@pytest.mark.parametrize(
    "options, blamed",
    [
        (["--balancer=rsq"], "balancer"),
        (["--balancer=ofan"], "balancer"),
        (["--ip=4"], "ip"),
        (["--convergence=10us"], "convergence"),
        (["--detection=0"], "detection"),
        (["--upgrade=rsq"], "upgrade"),
        (["--planes=9"], "forwarding"),
        (["--ns3::aifabric::Srv6Forwarder::IndexBits=4", "--topology=leaf-spine", "--leaves=17"], "forwarding"),
        (["--ns3::aifabric::Srv6Forwarder::Block=bad"], "Block=bad: an IPv6 address, such as 5f00::"),
        (["--balancer=prime", "--ns3::aifabric::PrimeBalancer::Forwarding=FullHash"], "Forwarding=FullHash: Direct"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, options, blamed):
    """One line, which names the option."""
    message = run(tmp_path / "out", "--forwarding=srv6", *options, status=1)
    assert len(message.strip().splitlines()) == 1
    assert blamed in message


def test_stev_refuses_switch_balancers(tmp_path):
    """The sender names the path; and attributes of another policy have no effect."""
    assert "balancer" in run(tmp_path / "a", "--forwarding=stev", "--balancer=jsq", status=1)
    message = run(tmp_path / "b", "--ns3::aifabric::Srv6Forwarder::IndexBits=8", status=1)
    assert "has no effect with --forwarding=clos" in message
