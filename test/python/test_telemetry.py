# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""`--nicCounters` and `--linkSeries`: the tables by which a fabric is run, and the signature of a sick NIC."""

import collections
import subprocess
import sys
from pathlib import Path

import pytest
from test_run import SMALL, assert_refused, call, rows, succeed

DASHBOARD = Path(__file__).resolve().parents[2] / "contrib" / "plot" / "plot_dashboard.py"

ATTRIBUTE = "--ns3::aifabric::"
FABRIC = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=4", "--rate=100Gb/s"


def test_a_sick_nic_leaves_its_signature(tmp_path):
    """A NIC that loses 1 of 10,000 packets that it sends: its peer counts packets out of sequence, the NIC itself
    counts NAKs, no other NIC counts anything, and no switch drops a frame."""
    sick = "--fail=host-3:0--leaf-0:3/up%0.0001:data@0s", "--recovery=go-back-n", "--mtu=256", "--size=10MB", "--nicCounters"
    results = succeed(tmp_path, *FABRIC, *sick)["results"]
    peer = next(row["destination"] for row in rows(tmp_path, "flows") if row["source"] == "3")
    table = {row["host"]: row for row in rows(tmp_path, "nic-counters")}
    assert results["drops"] == 0 < results["link_losses"]
    assert int(table["3"]["packet_seq_err"]) > 0 and int(table[peer]["out_of_sequence"]) > 0
    for host, row in table.items():
        assert host == "3" or row["packet_seq_err"] == row["retransmissions"] == "0", row
        assert host == peer or row["out_of_sequence"] == "0", row
        assert row["rx_discards"] == row["rx_pause"] == row["np_cnp_sent"] == "0", row
    assert sum(int(row["out_of_sequence"]) for row in table.values()) == results["out_of_sequence"]
    assert sum(int(row["data_packets"]) for row in table.values()) == results["data_packets"]
    assert sum(int(row["local_ack_timeout_err"]) for row in table.values()) == results["timeouts"]


def test_counters_of_congestion(tmp_path):
    """An incast with DCQCN and PFC: the receiver sends CNPs, the senders are paused."""
    lossless = "--admission=shared", f"{ATTRIBUTE}SharedBuffer::LosslessClasses=8", "--buffer=300kB", "--marker=red"
    incast = "--workload=incast", "--senders=7", "--size=1MB", "--rateControl=dcqcn", "--nicCounters"
    results = succeed(tmp_path, *FABRIC, *lossless, *incast)["results"]
    table = rows(tmp_path, "nic-counters")
    assert sum(int(row["np_cnp_sent"]) for row in table) == int(table[0]["np_cnp_sent"]) == results["cnps"] > 0
    assert sum(int(row["rp_cnp_handled"]) for row in table) == results["cnps_received"]
    own = [row for row in rows(tmp_path, "pfc") if row["layer"] == "host-up"]
    assert sum(int(row["pauses"]) for row in own) == sum(int(row["rx_pause_transition"]) for row in table) > 0
    paused = sum(float(row["pause_ns"]) for row in own) / 1000
    assert sum(float(row["rx_pause_duration_us"]) for row in table) == pytest.approx(paused)


@pytest.mark.parametrize("interval", ["1us", "10ns", "1ms"])
def test_the_use_of_links_over_time(tmp_path, interval):
    run = succeed(tmp_path, *FABRIC, "--size=500kB", f"--linkSeries={interval}")
    series = rows(tmp_path, "link-series")
    assert "link-series.csv" in run["files"]
    sent = collections.Counter()
    busy = collections.Counter()
    for row in series:
        assert 0 <= float(row["utilization"]) <= 1.000001
        sent[row["from"]] += int(row["sent_bytes"])
        busy[row["from"]] += float(row["utilization"]) * float(row["interval_ns"])
    for row in rows(tmp_path, "links"):
        assert sent[row["from"]] == int(row["bytes_sent"])
        whole = float(row["utilization"]) * run["results"]["measured_ns"]
        assert busy[row["from"]] == pytest.approx(whole, rel=1e-4, abs=1)
    times = sorted({float(row["time_ns"]) for row in series})
    assert len(times) <= 1001 and (interval != "1ms" or len(times) == 1)


def test_looking_on_changes_nothing(tmp_path):
    bare = succeed(tmp_path, *SMALL)["results"]
    watched = succeed(tmp_path, *SMALL, "--linkSeries=100ns", "--nicCounters")["results"]
    assert {key: bare[key] for key in ("cct_ns", "events", "packet_hops")} == {
        key: watched[key] for key in ("cct_ns", "events", "packet_hops")
    }


def draw_dashboard(tmp_path):
    command = [sys.executable, str(DASHBOARD), str(tmp_path / "out"), "--out", str(tmp_path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("lossless", [0, 8])
def test_the_dashboard_is_drawn(tmp_path, lossless):
    classes = "--admission=shared", f"{ATTRIBUTE}SharedBuffer::LosslessClasses={lossless}", "--buffer=300kB"
    incast = "--workload=incast", "--senders=7", "--size=200kB", "--nicCounters", "--linkSeries=1us"
    succeed(tmp_path, *FABRIC, *classes, *incast)
    run = draw_dashboard(tmp_path)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "dashboard.png").read_bytes().startswith(b"\x89PNG")


def test_the_dashboard_says_what_it_needs(tmp_path):
    succeed(tmp_path, *SMALL, "--nicCounters")
    run = draw_dashboard(tmp_path)
    assert run.returncode == 1 and "no link-series.csv there; run with --linkSeries=1us" in run.stderr


@pytest.mark.parametrize("option", ["--linkSeries=0us", "--linkSeries=x", "--linkSeries=-1us", "--nicCounters=7"])
def test_bad_values_are_refused_in_one_line(tmp_path, option):
    before = sorted(tmp_path.rglob("*"))
    assert_refused(call(tmp_path, *SMALL, option, "--out=out"), tmp_path, before)
