# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Links that have failed before a run starts, what switches learn of them, and what rate is left."""

import pytest
from harness import call, needs_program, rows, succeed

pytestmark = needs_program


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
    is_regular = [True, False] + [True] * 5 + [False, True]  # a bound knows the cut
    assert formulas == [
        "published" if rho == 1 and regular else "completion"
        for rho, regular in zip(expected, is_regular)
    ]
    for result in results[:5]:
        assert result["line_rate_bound_ns"] == results[0]["bound_ns"]
    assert results[0]["bound_ns"] < results[1]["bound_ns"] == results[1]["completion_bound_ns"] <= results[1]["cct_ns"]


def test_a_cut_at_0_is_as_one_a_picosecond_later(tmp_path):
    """No host sends slower for it."""
    fail = "pod0-edge-1:2--pod0-agg-0:1"
    for workload in "permutation", "tornado", "all-to-all":
        options = "--k=4", "--balancer=rsq", "--convergence=0", "--size=64KiB", f"--workload={workload}"
        times = [succeed(tmp_path, *options, f"--fail={fail}@{start}")["results"]["cct_ns"] for start in ("0s", "1ps")]
        assert times[0] == pytest.approx(times[1], rel=0.02)


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
