# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Faults of ai-fabric-run on planes and optics, faults that flap, losses in bursts or of some frames only."""

import pytest
from harness import call, check_refusals, needs_program, refusal, rows, succeed

pytestmark = needs_program

SHAPE = "--topology=leaf-spine --leaves=2 --spines=4 --hostsPerLeaf=4 --planes=2".split()
PLANES = [*SHAPE, "--size=256KiB"]
LEAF = "plane0-leaf-0"
TIMES = "after the times :period=TIME"
LOSSES = "after % and a number :data, :control, :dscp=0 to 63, or :burst=B"

BAD = {  # faults by why they are refused
    TIMES:
        f"{LEAF}@1us:period=0s {LEAF}@1us:period= {LEAF}@1us:period=1 {LEAF}@1us:duty=0.3 "
        f"{LEAF}@1us:period=1us:duty=1 {LEAF}@1us:period=1us:duty=0 {LEAF}@1us:period=1us:duty=nan "
        f"{LEAF}@1us:period=1ps {LEAF}@1us:period=1us:count=0 {LEAF}@1us:period=1us:count=1.5 "
        f"{LEAF}@1us:period=1us:often=2 {LEAF}@1us:",
    "after @ START or START-STOP": f"{LEAF}@:period=1us",
    LOSSES:
        f"{LEAF}%0.1:burst=0.9@0s {LEAF}%0.1:burst=@0s {LEAF}%0.1:burst=nan@0s {LEAF}%0.9:burst=8.9@0s "
        f"{LEAF}%0.1:dscp=64@0s {LEAF}%0.1:dscp=-1@0s {LEAF}%0.1:dscp@0s {LEAF}%0.1:control=1@0s "
        f"{LEAF}%0.1:acks@0s {LEAF}%0.1:@0s",
    "after *, ~ or % a decimal number from 0.000001 to 1": f"{LEAF}~0.5:control@0s",
    "there is no such link, port or node":
        f"plane-2@1us plane0@1us optic-{LEAF}@1us optic-{LEAF}:8@1us {LEAF}+host-8@1us {LEAF}+cables:1@1us",
    "after the colon, a number of them from 1 to 24": "optics:0@1us optics:25@1us",
    "must leave all hosts connected": "optics:1.0@0s",
    "must leave each host a way": "plane-0+plane-1@0s",
}


def test_bad_faults_are_refused(tmp_path):
    for why, faults in BAD.items():
        check_refusals(tmp_path, {f"--fail={fault}": why for fault in faults.split()}, *PLANES)


def test_optic_ports_without_optics_are_refused(tmp_path):
    for options in "--opticPorts=4", "--opticPorts=4 --fail=plane-0@1us", "--opticPorts=0 --fail=optics:1@1us":
        said = refusal(tmp_path, *PLANES, *options.split())
        assert "--opticPorts=" in said, said


def events(folder, name):
    return [(float(r["time_ns"]), r["subject"], r["detail"]) for r in rows(folder, "events") if r["event"] == name]


def links_of(folder, *options):
    """The links on which faults have begun."""
    succeed(folder, *PLANES, *options)
    return sorted({link for _, link, _ in events(folder, "fault_begin")})


def test_help_lists_nodes_and_planes(tmp_path):
    lines = call(tmp_path, *PLANES, "--fail=help").stdout.splitlines()
    assert sum(not line.startswith("#") for line in lines) == 2 * (8 + 8)
    for line in (
        "# 32 links, with the numbers 0 to 31:",
        "# Hosts: host-0 to host-7, ports 0 to 1, one in each plane",
        "# Switches: 4 of tier 0, plane0-leaf-0 to plane1-leaf-1, ports 0 to 7, upward from 4",
        "# Switches: 8 of tier 1, plane0-spine-0 to plane1-spine-3, ports 0 to 1",
        "# Planes: plane-0 to plane-1",
        "# Optics: each serves 2 consecutive ports of a node (--opticPorts)",
    ):
        assert line in lines, lines
    large = call(tmp_path, "--k=32", "--fail=help").stdout.splitlines()
    links = [line for line in large if not line.startswith("#")]
    assert len(links) == 6 and len(large) < 60
    assert links[0] == "host-0:0--pod0-edge-0:0" and links[-1].startswith("pod31-agg-15:")


def test_planes_optics_and_several_places(tmp_path):
    change = "*0.9@0s"
    plane = links_of(tmp_path, f"--fail=plane-1{change}")
    assert len(plane) == 16 and all("--plane1-" in link for link in plane)
    pair = links_of(tmp_path, f"--fail=optic-{LEAF}:1{change}")
    assert pair == [f"host-0:0--{LEAF}:0", f"host-1:0--{LEAF}:1"]
    four = links_of(tmp_path, f"--fail=optic-{LEAF}:1{change}", "--opticPorts=4")
    assert four == [f"host-{port}:0--{LEAF}:{port}" for port in range(4)]
    both = links_of(tmp_path, f"--fail=optic-{LEAF}:1+host-7{change}")
    assert both == sorted([*pair, "host-7:0--plane0-leaf-1:3", "host-7:1--plane1-leaf-1:3"])
    drawn = links_of(tmp_path, f"--fail=optics:3{change}")
    assert 4 <= len(drawn) <= 6
    assert drawn == links_of(tmp_path, f"--fail=optics:3{change}", "--balancer=rsq")
    assert drawn != links_of(tmp_path, f"--fail=optics:3{change}", "--RngRun=2")


FLAPS = f"optic-{LEAF}:0+optic-plane1-leaf-1:2"


@pytest.mark.parametrize("transport", ["rc", "mrc", "spray"])
def test_optics_of_two_planes_flap_together(tmp_path, transport):
    more = ["--admission=trimming"] if transport != "rc" else ["--recovery=sack", "--balancer=host-random"]
    options = [*SHAPE, f"--transport={transport}", *more, "--size=1MiB"]
    summary = succeed(tmp_path, *options, f"--fail={FLAPS}@2us:period=4us:duty=0.25:count=3")
    down, up = events(tmp_path, "link_down"), events(tmp_path, "link_up")
    assert sorted({time for time, _, _ in down}) == [2000, 6000, 10000]
    assert sorted({time for time, _, _ in up}) == [3000, 7000, 11000]
    assert len({link for _, link, _ in down}) == 4 and len(down) == len(up) == 12
    lost = sum(int(row["frames_lost"]) for row in rows(tmp_path, "links"))
    assert lost == summary["results"]["link_losses"] > 0


def test_the_end_of_a_fault_ends_its_flaps(tmp_path):
    succeed(tmp_path, *PLANES, "--recovery=sack", f"--fail={LEAF}:4@2us-9us:period=3us:duty=0.5")
    assert [time for time, _, _ in events(tmp_path, "link_down")] == [2000, 5000, 8000]
    assert [time for time, _, _ in events(tmp_path, "link_up")] == [3500, 6500, 9000]


def test_losses_come_in_bursts(tmp_path):
    lost = []
    for loss in "%0.02", "%0.02:burst=40":
        found = succeed(tmp_path, *SHAPE, "--recovery=sack", "--size=4MiB", f"--fail=plane-0+plane-1{loss}@0s")
        lost.append(found["results"]["link_losses"])
    assert lost[1] == pytest.approx(lost[0], rel=0.5)
    assert events(tmp_path, "fault_begin")[0][2] == "probability=0.02 burst=40"


@pytest.mark.parametrize("transport", ["rc", "mrc", "spray"])
def test_control_frames_alone_are_lost(tmp_path, transport):
    more = [] if transport != "rc" else ["--recovery=sack"]
    options = [*PLANES, f"--transport={transport}", *more]
    found = succeed(tmp_path, *options, "--fail=plane-0+plane-1%0.05:control@0s")["results"]
    detail = {detail for _, _, detail in events(tmp_path, "fault_begin")}
    assert detail == {"probability=0.05 frames=control"}
    assert found["link_losses"] > 0
