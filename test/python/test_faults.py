# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Faults of ai-fabric-run: of links, directions, ports and switches, drawn ones, degraded links."""

import pytest
from harness import call, check_refusals, needs_program, refusal, rows, stderr_lines, succeed, write_flows

pytestmark = needs_program

EDGE = "pod0-edge-0:2--pod0-agg-0:0"
HEADER = "start_ns,source,destination,bytes\n"
SPRAY = "--k=4", "--size=256KiB", "--balancer=rsq"

BAD = {  # faults by why they are refused
    "after *, ~ or % a decimal number from 0.000001 to 1": f"{EDGE}~0@3us {EDGE}~1.1@3us {EDGE}~@3us {EDGE}~nan@3us {EDGE}~0.5~0.5@3us {EDGE}~0.5/up@3us",
    "@START or @START-STOP is missing": f"{EDGE}~0.5",
    "after / up or down": f"{EDGE}/left@3us {EDGE}/@3us {EDGE}/up/down@3us",
    "there is no such link, port or node": "/up@3us @3us spine-0@3us pod0-agg-0:9@3us pod0-agg-0--pod1-agg-0@3us cables@3us hosts:3@3us",
    "after the colon, a number of them from 1 to 32": "cables:0@3us cables:33@3us cables:@3us cables:-1@3us",
    "or a share with a decimal point, up to 1.0": "cables:0.0@3us cables:1.5@3us",
    "after the colon, a number of them from 1 to 12": "switches:13@3us",
    "must leave all hosts connected": "cables:32@0s switches:1.0@0s",
    "must leave each host a way": f"pod0-edge-0@0s host-3@0s {EDGE}/up@0s,pod0-edge-0:3/down@0s",
}


def test_bad_faults_are_refused(tmp_path):
    for why, faults in BAD.items():
        check_refusals(tmp_path, {f"--fail={fault}": why for fault in faults.split()}, "--k=4")


def test_bad_faults_are_answered_with_the_part_and_the_grammar(tmp_path):
    grammar = "; a fault is WHERE[/up|/down][*F|~F|%P[:burst=B]]@START[-STOP][:period=TIME[:duty=F][:count=N]], "
    for fault, part in (
        ("uplink", "uplink"), (f"{EDGE}/x@1us", "x"), (f"{EDGE}*2@1us", "2"), (f"{EDGE}%0.1:burst=0@1us", ":burst=0"),
        (f"{EDGE}@5us-1us", "5us-1us"), (f"{EDGE}@1us:foo=2", ":foo=2"), ("edge-0@1us", "edge-0"),
    ):
        [line] = stderr_lines(call(tmp_path, "--k=4", f"--fail={fault}"))
        assert line.startswith(f"ai-fabric-run: --fail={fault}: '{part}': "), line
        assert line.endswith(grammar + "--fail=help explains it"), line


def test_degraded_links_need_10_kilobits(tmp_path):
    said = refusal(tmp_path, "--k=4", "--rate=1Mb/s", f"--fail={EDGE}~0.001@3us")
    assert "must leave at least 10 kb/s of the rate" in said


def test_help_lists_links_and_explains_faults(tmp_path):
    lines = call(tmp_path, "--k=4", "--fail=help").stdout.splitlines()
    links = [line for line in lines if not line.startswith("#")]
    assert len(links) == 48 and EDGE in links
    text = "\n".join(line for line in lines if line.startswith("#"))
    for word in "WHERE DIRECTION CHANGE START STOP cables:N switches:N up down *F ~F %P".split():
        assert word in text, word


def begun(folder):
    """The faults that have begun: link and what it is."""
    return [(r["subject"], r["detail"]) for r in rows(folder, "events") if r["event"] == "fault_begin"]


def links_at(folder, node):
    lines = call(folder, "--k=4", "--fail=help").stdout.splitlines()
    ends = [(line, [end.split(":")[0] for end in line.split("--")]) for line in lines if line[0] != "#"]
    return sorted(line for line, nodes in ends if node in nodes)


def results(folder, *options):
    """What a run with a fault gives, costs apart, and its flows."""
    found = succeed(folder, *options)["results"]
    return found["cct_ns"], found["link_losses"], rows(folder, "flows"), rows(folder, "links")


def test_a_node_a_port_and_a_pair_name_their_links(tmp_path):
    spine = links_at(tmp_path, "core-1")
    assert len(spine) == 4
    succeed(tmp_path, *SPRAY, "--fail=core-1~0.25@0s")
    assert sorted(begun(tmp_path)) == [(link, "degraded=0.25") for link in spine]
    for where in EDGE, "pod0-edge-0:2", "pod0-agg-0:0", "pod0-edge-0--pod0-agg-0", "pod0-agg-0--pod0-edge-0":
        succeed(tmp_path, *SPRAY, f"--fail={where}*0.5@0s")
        assert begun(tmp_path) == [(EDGE, "factor=0.5")], where
    one_by_one = ",".join(f"{link}~0.25@0s" for link in spine)
    assert results(tmp_path, *SPRAY, "--fail=core-1~0.25@0s") == results(tmp_path, *SPRAY, f"--fail={one_by_one}")


def test_both_directions_are_the_link(tmp_path):
    for change in "~0.5", "*0.5", "%0.01", "":
        whole, parts = (
            results(tmp_path, *SPRAY, f"--fail={fault}")
            for fault in (f"{EDGE}{change}@2us-20us", f"{EDGE}/up{change}@2us-20us,{EDGE}/down{change}@2us-20us")
        )
        assert whole == parts, change


def test_one_direction_suffers(tmp_path):
    def ends(fault, column):
        succeed(tmp_path, *SPRAY, f"--fail={fault}")
        directions = {row["from"]: row for row in rows(tmp_path, "links") if row["link"] == EDGE}
        return [float(directions[end][column]) for end in EDGE.split("--")]

    up, down = ends(f"{EDGE}/up%0.2@0s", "frames_lost")
    assert up > 0 and down == 0
    assert begun(tmp_path) == [(EDGE, "probability=0.2 direction=up")]
    up, down = ends(f"{EDGE}/down@2us-20us", "frames_lost")
    assert up == 0 and down > 0
    events = {(row["event"], row["subject"]) for row in rows(tmp_path, "events")}
    assert {("link_down", EDGE), ("link_up", EDGE), ("fault_end", EDGE)} <= events
    assert begun(tmp_path) == [(EDGE, "cut direction=down")]
    # A link that is slow up is busy for longer there with as many bytes.
    healthy = ends(f"{EDGE}*1@0s", "utilization")
    slow = ends(f"{EDGE}/up*0.25@0s", "utilization")
    assert slow[0] > 2 * healthy[0] and slow[1] < 1.5 * healthy[1]


def test_a_direction_that_is_dead_from_the_start_is_withdrawn(tmp_path):
    summary = succeed(tmp_path, *SPRAY, f"--fail={EDGE}/up@0s", "--convergence=0")
    assert summary["results"]["failed_links"] == [EDGE]
    assert summary["results"]["link_losses"] == summary["results"]["drops"] == 0
    assert summary["results"]["rho_max"] < 1


@pytest.mark.parametrize("admission", ["port", "shared", "trimming"])
def test_queues_of_degraded_links_are_shorter(tmp_path, admission):
    """An incast fills the queue in front of host 0 up to what is left of its room."""
    options = "--k=4", "--workload=incast", "--size=512KiB", "--buffer=400kB", f"--admission={admission}"
    longest = []
    for factor in 1, 0.25:
        succeed(tmp_path, *options, f"--fail=host-0~{factor}@0s", "--recovery=sack")
        last = next(row for row in rows(tmp_path, "links") if row["to"] == "host-0:0")
        longest.append(int(last["max_waiting_bytes"]))
    if admission == "port":
        assert 392000 < longest[0] <= 400000 and 92000 < longest[1] <= 100000
    assert longest[1] < 0.45 * longest[0]


@pytest.mark.parametrize("marker", ["step", "red"])
def test_marks_of_degraded_links_come_earlier(tmp_path, marker):
    """A window that obeys marks keeps the queue of a degraded link in proportion."""
    options = "--k=4", "--workload=incast", "--senders=4", "--size=1MiB", "--rateControl=dctcp"
    options += (f"--marker={marker}", "--buffer=2MB", "--sample=100ns")
    means = []
    for change in "*0.25", "~0.25":
        succeed(tmp_path, *options, f"--fail=host-0{change}@0s")
        last = next(row for row in rows(tmp_path, "links") if row["to"] == "host-0:0")
        means.append(float(last["mean_queue_packets"]))
    assert means[1] < 0.8 * means[0]


def test_drawn_cables_and_switches(tmp_path):
    def draw(fault, *more):
        return succeed(tmp_path, "--k=4", "--size=4KiB", f"--fail={fault}", *more)

    draw("cables:4/up~0.5@0s")
    first = begun(tmp_path)
    assert len({link for link, _ in first}) == 4
    assert {detail for _, detail in first} == {"degraded=0.5 direction=up"}
    assert not any("host" in link for link, _ in first)
    draw("cables:4/up~0.5@0s", "--balancer=rsq")
    assert begun(tmp_path) == first  # whatever the scheme
    draw("cables:4/up~0.5@0s", "--RngRun=2")
    assert begun(tmp_path) != first
    draw("cables:0.05*0.5@0s")
    assert len(begun(tmp_path)) == 2  # 5 % of 32, rounded
    draw("cables:0.001*0.5@0s")
    assert len(begun(tmp_path)) == 1
    for run in range(1, 5):
        dead = draw("switches:1@0s,cables:1@0s", f"--RngRun={run}")["results"]["failed_links"]
        assert len(dead) in (4, 5)
        nodes = [{end.split(":")[0] for end in link.split("--")} for link in dead]
        node = max({n for pair in nodes for n in pair}, key=lambda n: sum(n in pair for pair in nodes))
        assert sum(node in pair for pair in nodes) == 4 and ("agg" in node or "core" in node)


def test_degraded_links_are_slower_and_beat_no_bound(tmp_path):
    times = []
    for fail in "none", "core-0*0.25@0s", "core-0~0.25@0s":
        found = succeed(tmp_path, *SPRAY, f"--fail={fail}")["results"]
        assert found["cct_ns"] >= found["bound_ns"]
        times.append(found["cct_ns"])
    assert times[0] < times[1] and times[0] < times[2]
    text = call(tmp_path, *SPRAY, "--fail=core-0~0.25@0s", "--out=out").stdout
    assert "computed" not in text
    text = call(tmp_path, *SPRAY, "--fail=core-0~0.25@1ns", "--out=out").stdout
    assert "us (computed without faults)\n" in text
    assert "computed" not in call(tmp_path, *SPRAY, "--out=out").stdout


def test_a_switch_that_fails_later_comes_back(tmp_path):
    summary = succeed(tmp_path, *SPRAY, "--fail=core-0@2us-20us", "--recovery=sack", "--convergence=5us")
    down = [row["subject"] for row in rows(tmp_path, "events") if row["event"] == "link_down"]
    up = [row["subject"] for row in rows(tmp_path, "events") if row["event"] == "link_up"]
    assert sorted(down) == sorted(up) == links_at(tmp_path, "core-0")
    assert summary["results"]["link_losses"] > 0 and summary["results"]["failed_links"] == []


def test_a_probe_by_another_port_is_no_path_of_the_balancer(tmp_path):
    """The ports of some hosts fail; their probes leave by the other plane, with labels that the balancer does not have."""
    fabric = "--topology=leaf-spine --leaves=3 --hostsPerLeaf=3 --planes=2 --delay=1ns --gpusPerNode=3 --buffer=4MB".split()
    stack = "--transport=spray", "--admission=shared", "--balancer=ethereal-reps", "--receiverAdmission=2"
    traffic = "--workload=gather", "--algorithm=auto", "--channels=2", "--placement=fragmented", "--root=3", "--RngRun=986"
    results = succeed(tmp_path, *fabric, *stack, *traffic, "--fail=5@1us", "--scheduler=heap")["results"]
    assert results["policies"]["probes"] > 0 and results["messages"] == 16


# --- How long messages take -----------------------------------------------------------------------


def test_flow_completion_times(tmp_path):
    found = succeed(tmp_path, "--k=4", "--balancer=rsq", "--workload=all-to-all")["results"]
    times = sorted(float(row["duration_ns"]) for row in rows(tmp_path, "flows"))
    assert len(times) == 240
    assert found["max_fct_ns"] == pytest.approx(times[-1])
    assert found["p99_fct_ns"] == pytest.approx(times[237])  # 99 % of 240 are 237.6
    assert found["mean_fct_ns"] == pytest.approx(sum(times) / 240)
    assert "ordered_max_fct_ns" not in found
    text = HEADER + "0,0,5,4096\n100000,0,5,4096\n"
    found = succeed(tmp_path, "--k=4", "--jitter=0", write_flows(tmp_path, text))["results"]
    assert found["max_fct_ns"] == found["mean_fct_ns"] == found["p99_fct_ns"] < 10000 < found["cct_ns"]
