# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""`--planeSeries`: bytes by plane and states of entropy values over time."""

import pytest
from harness import SMALL, check_refusals, rows, snapshot, succeed

PLANES = "--topology=leaf-spine", "--leaves=2", "--spines=4", "--hostsPerLeaf=2", "--planes=4", "--rate=100Gb/s"
MRC = "--transport=mrc", "--admission=trimming", "--convergence=never"
CUT = "--fail=plane1-leaf-0:2--plane1-spine-0:0@20us"


def total(table, **wanted):
    """The bytes of all rows with these values."""
    return sum(int(row["sent_bytes"]) for row in table if all(row[key] == str(wanted[key]) for key in wanted))


def test_the_series_adds_up_to_the_links(tmp_path):
    succeed(tmp_path, *PLANES, "--size=1MiB", "--balancer=host-random", "--planeSeries=5us", "--planeHosts=0-1,3")
    planes, hosts = rows(tmp_path, "planes"), rows(tmp_path, "plane-hosts")
    links = [row for row in rows(tmp_path, "links") if row["layer"] == "host-up"]
    for plane in range(4):
        sent = {row["from"].split(":")[0]: int(row["bytes_sent"]) for row in links if row["from"].endswith(f":{plane}")}
        assert total(planes, plane=plane) == sum(sent.values())
        for host in (0, 1, 3):
            assert total(hosts, plane=plane, host=host) == sent[f"host-{host}"]
    assert {row["host"] for row in hosts} == {"0", "1", "3"}
    ends = sorted({float(row["time_ns"]) for row in planes})
    assert all(float(row["interval_ns"]) == 5000 for row in planes if float(row["time_ns"]) != ends[-1])
    assert "evs_good" not in planes[0] and not (tmp_path / "out" / "evs.csv").exists()


@pytest.mark.parametrize("transport", ["--transport=spray", "--transport=rc"])
def test_any_transport_on_planes_has_a_series(tmp_path, transport):
    results = succeed(tmp_path, *PLANES, "--size=1MiB", transport, "--balancer=host-random", "--planeSeries=10us")["results"]
    planes = rows(tmp_path, "planes")
    sums = [total(planes, plane=plane) for plane in range(4)]
    assert results["plane_bytes_ratio"] == pytest.approx(max(sums) / min(sums))


def test_planes_carry_equal_load_under_mrc(tmp_path):
    """Less than 1 % difference while all ports work, a dead link or not (C12)."""
    for fail in ((), (CUT,)):
        assert 1 <= succeed(tmp_path, *PLANES, *MRC, "--size=8MiB", *fail)["results"]["plane_bytes_ratio"] < 1.01
    assert "plane_bytes_ratio" not in succeed(tmp_path, *SMALL)["results"]


def test_changes_of_evs_are_those_that_are_counted(tmp_path):
    run = succeed(tmp_path, *PLANES, *MRC, "--size=8MiB", CUT, "--planeSeries=5us")
    policies = run["results"]["policies"]
    changes = rows(tmp_path, "evs")
    states = [row["state"] for row in changes]
    assert states.count("assumed_bad") == policies["ev_retired"] > 0
    assert states.count("good") == policies["ev_returned"]
    assert states.count("denied") == policies["denied_evs"] == 0
    assert {(row["plane"], row["ev"]) for row in changes} == {("1", "0")}
    assert all(float(row["time_ns"]) > 20_000 for row in changes)
    last = {row["plane"]: row for row in rows(tmp_path, "planes")}
    retired = policies["ev_retired"] - policies["ev_returned"]
    assert [int(last[plane]["evs_assumed_bad"]) for plane in "0123"] == [0, retired, 0, 0]
    counts = "evs_good", "evs_skip", "evs_assumed_bad", "evs_denied"
    assert len({sum(int(row[name]) for name in counts) for row in last.values()}) == 1
    assert run["files"].count("evs.csv") == 1


def test_a_long_run_has_no_more_rows(tmp_path):
    succeed(tmp_path, *PLANES, "--size=1MiB", "--balancer=host-random", "--planeSeries=10ns")
    planes = rows(tmp_path, "planes")
    assert 500 * 4 <= len(planes) <= 1001 * 4
    links = [row for row in rows(tmp_path, "links") if row["layer"] == "host-up"]
    assert total(planes) == sum(int(row["bytes_sent"]) for row in links)


REFUSED = {
    "--planeSeries=0us": "--planeSeries=0us: a time with its unit",
    "--planeHosts=0": "--planeHosts=0: only with --planeSeries",
    "--planeSeries=1us --planeHosts=0-16": "--planeHosts=0-16: all, or hosts from 0 to 15, such as 0-3,8",
    "--planeSeries=1us --planeHosts=3-1": "--planeHosts=3-1: all",
    "--planeSeries=1us --planeHosts=1,": "--planeHosts=1,: there is nothing before or after a comma",
}


def test_bad_option(tmp_path):
    check_refusals(tmp_path, REFUSED, *SMALL)


NIC_RATES = {  # the same fabric, by the rate of NICs and by those of links
    "--nicRate=400Gb/s": "--rate=200Gb/s",
    "--nicRate=400Gb/s --rate=400Gb/s": "--rate=200Gb/s --fabricRate=400Gb/s",
    "--nicRate=800Gb/s --fabricRate=200Gb/s": "--rate=400Gb/s --fabricRate=200Gb/s",
}


@pytest.mark.parametrize("by_nics, by_links", NIC_RATES.items())
def test_the_rate_of_a_nic_is_that_of_its_ports_together(tmp_path, by_nics, by_links):
    fabric = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=2", "--planes=2", "--size=64KiB"
    one, other = (snapshot(tmp_path, *fabric, *options.split()) for options in (by_nics, by_links))
    rates = {name: float(one[0]["scenario"].pop(name).removesuffix("Gb/s")) for name in ("rate", "nicRate", "fabricRate")}
    assert rates == {name: float(other[0]["scenario"].pop(name).removesuffix("Gb/s")) for name in rates}
    assert rates["nicRate"] == 2 * rates["rate"] and one == other


def test_rates_that_a_nic_cannot_have_are_refused(tmp_path):
    refused = {
        "--planes=3 --nicRate=400Gb/s": "--nicRate=400Gb/s: of 3 ports together, each of a rate with its unit",
        "--nicRate=300Gb/s": "--nicRate=300Gb/s: a rate with its unit",
        "--nicRate=x": "or auto",
    }
    check_refusals(tmp_path, refused, "--k=4")
