# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The tables by which a fabric is run: counters of NICs, links over time, high-water marks, time in switches, probes
between racks; and the signatures of a sick NIC and of a slow switch."""

import collections

import pytest
from harness import SMALL, check_blame, check_refusals, rows, script, succeed

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


def sums(table, *keys):
    """Sums of all counters of a table, by some columns."""
    counted = collections.defaultdict(collections.Counter)
    for row in table:
        key = tuple(row.pop(name) for name in keys)
        counted[key].update({name: float(value) for name, value in row.items()})
    return counted


@pytest.mark.parametrize("interval", ["1us", "10ns", "1ms"])
def test_counters_over_time_add_up(tmp_path, interval):
    """The incast of test_counters_of_congestion: sums over the intervals are the counters of the run."""
    lossless = "--admission=shared", f"{ATTRIBUTE}SharedBuffer::LosslessClasses=8", "--buffer=300kB", "--marker=red"
    incast = "--workload=incast", "--senders=7", "--size=300kB", "--rateControl=dcqcn", "--nicCounters"
    run = succeed(tmp_path, *FABRIC, *lossless, *incast, f"--nicSeries={interval}")
    assert "nic-series.csv" in run["files"]
    series = rows(tmp_path, "nic-series")
    whole = sums(rows(tmp_path, "nic-counters"), "host")
    times = sorted({float(row["time_ns"]) for row in series})
    assert len(times) <= 1001 and (interval != "1ms" or len(times) == 1)
    for row in series:
        del row["time_ns"], row["interval_ns"]
    parts = sums(series, "host")
    for host, counters in whole.items():
        for name, value in counters.items():
            assert parts[host][name] == pytest.approx(value), (host, name)


def test_pauses_of_others(tmp_path):
    """A NIC that pauses its switch counts these pauses."""
    lossless = "--admission=shared", f"{ATTRIBUTE}SharedBuffer::LosslessClasses=8", "--buffer=300kB", "--marker=red"
    storm = "--pauseStorm=host-3@10us-200us", f"{ATTRIBUTE}PauseMonitor::StormLimit=50us"
    incast = "--workload=incast", "--senders=7", "--size=1MB", "--rateControl=dcqcn", "--nicCounters"
    succeed(tmp_path, *FABRIC, *lossless, *incast, *storm)
    table = {row["host"]: row for row in rows(tmp_path, "nic-counters")}
    assert table["3"]["tx_pause_transition"] == table["3"]["tx_pause_storm_warning_events"] == "1"
    assert float(table["3"]["tx_pause_duration_us"]) == pytest.approx(190, rel=0.01)
    assert all(table[host]["tx_pause_transition"] == "0" for host in table if host != "3")


def test_marked_packets(tmp_path):
    """The receiver of an incast counts marked packets, at least as many as CNPs; nobody else does."""
    incast = "--workload=incast", "--senders=7", "--size=300kB", "--buffer=1MB", "--marker=red", "--rateControl=dcqcn"
    results = succeed(tmp_path, *FABRIC, *incast, "--nicCounters")["results"]
    table = {row["host"]: int(row["np_ecn_marked_roce_packets"]) for row in rows(tmp_path, "nic-counters")}
    assert table.pop("0") >= results["cnps"] > 0
    assert set(table.values()) == {0}


@pytest.mark.parametrize("recovery", ["go-back-n", "sack"])
def test_duplicate_requests(tmp_path, recovery):
    """Acknowledgements are lost: the timer sends packets again that had come. Without losses there are none."""
    lost = "--fail=host-1:0--leaf-0:1/down%0.9:control@0s", f"--recovery={recovery}", "--nicCounters", "--size=500kB"
    succeed(tmp_path, *FABRIC, *lost)
    table = rows(tmp_path, "nic-counters")
    receiver = next(row["destination"] for row in rows(tmp_path, "flows") if row["source"] == "1")
    again = {row["host"]: int(row["duplicate_request"]) for row in table}
    assert again[receiver] > 0
    assert all(count == 0 for host, count in again.items() if host != receiver)


ONE_PACKET = "start_ns,source,destination,bytes\n0,0,5,1024\n"
LATE = ONE_PACKET.replace("0,0,5", "900000,0,5")
IDLE = *FABRIC, "--jitter=0ns", "--mtu=1024", f"{ATTRIBUTE}FabricSwitch::Latency=600ns", "--hopLatency", "--delay=100ns"


def write(folder, text):
    (folder / "one.csv").write_text(text)
    return "--flows=one.csv"


def test_time_in_the_switches_of_an_idle_fabric(tmp_path):
    """Each switch of the path takes its latency. The packet arrives after the time of its bits on four links, four
    delays, and the three latencies."""
    succeed(tmp_path, *IDLE, write(tmp_path, ONE_PACKET))
    hops = {row["switch"]: row for row in rows(tmp_path, "hop-latency")}
    assert {row["frames"] for name, row in hops.items() if name.startswith("leaf")} == {"2"}  # and the acknowledgement
    assert sum(int(row["frames"]) for name, row in hops.items() if name.startswith("spine")) == 2
    for row in hops.values():
        if row["frames"] != "0":
            assert {float(row[column]) for column in row if column.endswith("_ns")} == {600}, row
    frame = max(int(row["bytes_sent"]) for row in rows(tmp_path, "links"))
    flow = rows(tmp_path, "flows")[0]
    expected = 4 * (frame * 8 / 100 + 100) + 3 * 600
    assert float(flow["received_ns"]) - float(flow["start_ns"]) == pytest.approx(expected, abs=0.1)


def test_time_in_a_switch_with_a_queue(tmp_path):
    """Ten packets from a link of 100 Gb/s to one of 25 Gb/s: the last one waits for nine times the difference."""
    flow = write(tmp_path, ONE_PACKET.replace("1024", str(10 * 1024)))
    succeed(tmp_path, *IDLE, "--fabricRate=25Gb/s", flow)
    leaf = next(row for row in rows(tmp_path, "hop-latency") if row["switch"] == "leaf-0")
    up = next(row for row in rows(tmp_path, "links") if row["layer"] == "leaf-up" and row["frames_sent"] == "10")
    wire = 8 * (int(up["bytes_sent"]) + 10 * 20)  # bits with the gaps; the first packet has a header more
    first = (wire / 8 / 10 + 14.4) * 8
    other = (wire - first) / 9
    assert float(leaf["max_ns"]) == pytest.approx(600 + (first + 8 * other) / 25 - 9 * other / 100, abs=2)
    assert float(leaf["min_ns"]) == 600


def test_a_slow_switch_shows_in_its_own_time_and_in_round_trips(tmp_path):
    """leaf-1 takes 1 us more. Its frames say so, and probes to its rack and back twice as much."""
    slow = "--switchLatency=leaf-1=1600ns", "--reachability=25us"
    succeed(tmp_path, *IDLE, *slow, write(tmp_path, LATE))
    least = {row["switch"]: float(row["min_ns"]) for row in rows(tmp_path, "hop-latency")}
    assert least == {"leaf-0": 600, "leaf-1": 1600, "spine-0": 600, "spine-1": 600}
    trips = {(row["from_rack"], row["to_rack"]): row for row in rows(tmp_path, "reachability")}
    times = {pair: float(row["rtt_min_ns"]) for pair, row in trips.items()}
    assert times["leaf-1", "leaf-1"] - times["leaf-0", "leaf-0"] == pytest.approx(2000, abs=0.01)
    assert times["leaf-0", "leaf-1"] == times["leaf-1", "leaf-0"]
    assert sum(int(row["probes"]) for row in trips.values()) > 0
    assert all(row["lost"] == row["alerts"] == "0" for row in trips.values())


def test_round_trips_of_an_idle_fabric(tmp_path):
    """Theory: a probe and its answer have 64 and 66 bytes with FCS; 2 or 4 links, and 1 or 3 switches, both ways."""
    results = succeed(tmp_path, *IDLE, write(tmp_path, LATE), "--reachability=20us")["results"]
    for row in rows(tmp_path, "reachability"):
        links, switches = (2, 1) if row["from_rack"] == row["to_rack"] else (4, 3)
        expected = links * ((64 + 66) * 8 / 100 + 2 * 100) + 2 * switches * 600
        assert float(row["rtt_min_ns"]) == pytest.approx(expected, abs=0.01), row
        assert int(row["probes"]) == pytest.approx(4 * 45, abs=8)
    assert results["policies"]["reachability_probes"] == sum(int(r["probes"]) for r in rows(tmp_path, "reachability"))


def test_probes_find_a_cut_and_its_repair(tmp_path):
    """The link of host 5 is cut for a while: only probes from and to it are lost; after three in a row it finds both
    racks to be unreachable."""
    cut = "--fail=host-5:0--leaf-1:1@100us-400us", "--reachability=20us"
    flow = write(tmp_path, "start_ns,source,destination,bytes\n600000,0,3,1024\n")
    results = succeed(tmp_path, *FABRIC, *cut, flow)["results"]
    table = rows(tmp_path, "reachability")
    for row in table:
        assert int(row["probes"]) - int(row["answered"]) - int(row["lost"]) in range(9), row
        assert (int(row["lost"]) > 0) == ("leaf-1" in (row["from_rack"], row["to_rack"])), row
    alarms = [row for row in rows(tmp_path, "events") if row["event"].startswith("rack_")]
    own = [(row["event"], row["detail"]) for row in alarms if row["subject"] == "host-5"]
    assert sorted(own) == [(event, f"rack=leaf-{rack}") for event in ("rack_reachable", "rack_unreachable")
                           for rack in (0, 1)]  # fmt: skip
    lost = [float(row["time_ns"]) for row in alarms if row["event"] == "rack_unreachable"]
    assert min(lost) >= 100e3 + 2 * 20e3 and results["policies"]["reachability_alerts"] == len(lost)


def test_high_water_marks(tmp_path):
    """An incast: the queue of data at the receiver's port holds nearly all that waited there, in one class; its share
    of the buffer passes 75 %, which an event says. With more room it does not."""
    incast = "--workload=incast", "--senders=7", "--size=100kB", "--queuePeaks"
    run = succeed(tmp_path, *FABRIC, *incast, "--buffer=200kB")
    assert {"queue-peaks.csv", "buffers.csv"} <= set(run["files"])
    queues = collections.defaultdict(dict)
    for row in rows(tmp_path, "queue-peaks"):
        queues[row["from"]][row["classes"]] = int(row["max_bytes"])
    for row in rows(tmp_path, "links"):
        most = queues[row["from"]]
        assert set(most) == {"0-2", "3-5", "6-7"}
        assert max(most.values()) <= int(row["max_waiting_bytes"]) <= sum(most.values())
    assert queues["leaf-0:0"]["3-5"] > 0.9 * 200e3 and queues["leaf-0:0"]["0-2"] == 0
    high = [row for row in rows(tmp_path, "events") if row["event"] == "buffer_high"]
    full = {row["subject"] for row in high}
    assert "leaf-0:0" in full
    assert all(150e3 < int(row["detail"].split()[0].removeprefix("bytes=")) <= 150e3 + 4200 for row in high)
    buffers = {row["buffer"]: row for row in rows(tmp_path, "buffers")}
    assert sum(int(row["high_events"]) for row in buffers.values()) == len(high)
    assert float(buffers["leaf-0:0"]["max_share"]) == queues["leaf-0:0"]["3-5"] / 200e3
    assert all((float(row["max_share"]) > 0.75) == (name in full) for name, row in buffers.items())
    succeed(tmp_path, *FABRIC, *incast, "--buffer=2MB")
    assert not [row for row in rows(tmp_path, "events") if row["event"].startswith("buffer_")]


def test_high_water_marks_of_a_shared_buffer(tmp_path):
    """One memory a switch; the threshold is an attribute; what empties says so."""
    marks = f"{ATTRIBUTE}QueueMonitor::HighWater=0.4", f"{ATTRIBUTE}QueueMonitor::LowWater=0.3"
    shared = "--admission=shared", "--buffer=100kB", *marks, "--queuePeaks"
    succeed(tmp_path, *FABRIC, "--workload=incast", "--senders=7", "--size=100kB", *shared)
    buffers = rows(tmp_path, "buffers")
    assert [(row["buffer"], row["size_bytes"]) for row in buffers] == [
        ("leaf-0", "600000"), ("leaf-1", "600000"), ("spine-0", "200000"), ("spine-1", "200000")]  # fmt: skip
    events = [(row["event"], row["subject"]) for row in rows(tmp_path, "events") if row["event"].startswith("buffer_")]
    assert ("buffer_high", "leaf-0") in events and ("buffer_low", "leaf-0") in events
    assert float(buffers[0]["max_share"]) > 0.4


def test_the_low_water_mark_is_not_above_the_high_one(tmp_path):
    high, low = f"{ATTRIBUTE}QueueMonitor::HighWater=", f"{ATTRIBUTE}QueueMonitor::LowWater="
    below = f"at most {high[2:-1]}, which is"
    refused = {f"{high}0.2 {low}0.9": f"{low}0.9: {below} 0.2", f"{low}0.8": f"{low}0.8: {below} 0.75",
               f"{high}0.4": f"{high}0.4: at least {low[2:-1]}, which is 0.5"}  # fmt: skip
    check_refusals(tmp_path, refused, *SMALL, "--queuePeaks")
    succeed(tmp_path, *SMALL, "--queuePeaks", f"{high}0.6", f"{low}0.6")


def test_frames_that_begin_or_end_in_a_switch_have_no_time_there(tmp_path):
    """The switch consumes all gradients, and sends sums, whose frames may take the memory of those."""
    one_rack = "--topology=leaf-spine", "--leaves=1", "--spines=1", "--hostsPerLeaf=4"
    aggregation = "--workload=all-reduce", "--algorithm=switchml", "--size=1MiB"
    succeed(tmp_path, *one_rack, *aggregation, "--hopLatency")
    assert sum(int(row["frames_sent"]) for row in rows(tmp_path, "links")) > 4 * 2000
    assert [row["frames"] for row in rows(tmp_path, "hop-latency")] == ["0", "0"]


@pytest.mark.parametrize("interval", ["1us", "10ns", "1ms"])
def test_queues_and_times_in_switches_over_time(tmp_path, interval):
    """The marks of the run are the highest ones of the intervals, and the frames of a switch those of all intervals."""
    incast = "--workload=incast", "--senders=7", "--size=100kB", "--buffer=200kB", "--queuePeaks", "--hopLatency"
    run = succeed(tmp_path, *FABRIC, *incast, f"--linkSeries={interval}")
    assert {"queue-series.csv", "hop-series.csv"} <= set(run["files"])
    most = collections.defaultdict(lambda: (0, 0))
    for row in (series := rows(tmp_path, "queue-series")):
        key = row["from"], row["classes"]
        most[key] = max(most[key][0], int(row["max_bytes"])), max(most[key][1], int(row["max_frames"]))
    peaks = rows(tmp_path, "queue-peaks")
    assert sum(int(row["max_bytes"]) > 0 for row in peaks) == len(most)
    for row in peaks:
        assert most[row["from"], row["classes"]] == (int(row["max_bytes"]), int(row["max_frames"])), row
    hops = collections.defaultdict(list)
    for row in rows(tmp_path, "hop-series"):
        hops[row["switch"]].append(row)
    for row in rows(tmp_path, "hop-latency"):
        parts = hops[row["switch"]]
        frames = sum(int(part["frames"]) for part in parts)
        assert frames == int(row["frames"]) > 0
        assert min(float(part["min_ns"]) for part in parts) == float(row["min_ns"])
        assert max(float(part["max_ns"]) for part in parts) == float(row["max_ns"])
        total = sum(int(part["frames"]) * float(part["mean_ns"]) for part in parts)
        assert total / frames == pytest.approx(float(row["mean_ns"]))
    times = {float(row["time_ns"]) for row in series}
    assert len(times) <= 1000 and (interval != "1ms" or len(times) == 1)


def test_a_queue_that_waits_has_a_mark_in_each_interval(tmp_path):
    """The longest queue of an interval is at least what waits at its beginning and at its end."""
    incast = "--workload=incast", "--senders=7", "--size=100kB", "--queuePeaks", "--linkSeries=1us"
    succeed(tmp_path, *FABRIC, *incast)
    most = collections.Counter()
    for row in rows(tmp_path, "queue-series"):
        most[row["from"], float(row["time_ns"])] += int(row["max_bytes"])
    ends = [row for row in rows(tmp_path, "link-series") if int(row["waiting_bytes"]) > 0]
    assert len(ends) > 50
    following = {time: later for times in [sorted({float(row["time_ns"]) for row in ends})]
                 for time, later in zip(times, times[1:])}  # fmt: skip
    for row in ends:
        time = float(row["time_ns"])
        assert most[row["from"], time] >= int(row["waiting_bytes"])
        if time in following:
            assert most[row["from"], following[time]] >= int(row["waiting_bytes"])


@pytest.mark.parametrize("interval", ["1us", "10ns", "1ms"])
def test_pauses_over_time_add_up(tmp_path, interval):
    """The sums of the intervals are those of pfc.csv, and no port is paused for longer than an interval lasts."""
    lossless = "--admission=shared", f"{ATTRIBUTE}SharedBuffer::LosslessClasses=8", "--buffer=300kB"
    incast = "--workload=incast", "--senders=7", "--size=300kB", f"--linkSeries={interval}"
    run = succeed(tmp_path, *FABRIC, *lossless, *incast)
    assert "pfc-series.csv" in run["files"]
    found = collections.defaultdict(lambda: [0, 0, 0])
    for row in (series := rows(tmp_path, "pfc-series")):
        assert float(row["pause_ns"]) <= float(row["interval_ns"])
        sums = found[row["from"], row["class"]]
        for index, name in enumerate(("frames_received", "pauses", "pause_ns")):
            sums[index] += float(row[name])
    assert len({row["time_ns"] for row in series}) <= 1000
    whole = rows(tmp_path, "pfc")
    assert sum(int(row["pauses"]) for row in whole) > 10
    for row in whole:
        frames, pauses, length = found[row["from"], row["class"]]
        assert (frames, pauses) == (int(row["frames_received"]), int(row["pauses"])), row
        assert length == pytest.approx(float(row["pause_ns"]), abs=0.001 * len(series))


def test_probes_over_time_add_up(tmp_path):
    """The link of a host is cut for a while. The sums of the intervals are those of reachability.csv; probes are lost
    from the cut on, until switches use the link again, 100 us after its repair, and in the round in which that is seen."""
    cut = "--fail=host-5:0--leaf-1:1@100us-400us", "--reachability=20us", "--linkSeries=10us"
    flow = write(tmp_path, "start_ns,source,destination,bytes\n600000,0,3,1024\n")
    run = succeed(tmp_path, *FABRIC, *cut, flow)
    assert "reachability-series.csv" in run["files"]
    series = collections.defaultdict(list)
    for row in rows(tmp_path, "reachability-series"):
        series[row["from_rack"], row["to_rack"]].append(row)
        assert int(row["lost"]) == 0 or 100e3 < float(row["time_ns"]) <= 500e3 + 20e3 + 10e3
    for row in rows(tmp_path, "reachability"):
        parts = series[row["from_rack"], row["to_rack"]]
        for name in "probes", "answered", "lost":
            assert sum(int(part[name]) for part in parts) == int(row[name]) > (-1 if name == "lost" else 0)
        answered = [part for part in parts if part["answered"] != "0"]
        assert min(float(part["rtt_min_ns"]) for part in answered) == float(row["rtt_min_ns"])
        assert max(float(part["rtt_max_ns"]) for part in answered) == float(row["rtt_max_ns"])
        total = sum(int(part["answered"]) * float(part["rtt_mean_ns"]) for part in answered)
        assert total / int(row["answered"]) == pytest.approx(float(row["rtt_mean_ns"]))


def draw_dashboard(tmp_path):
    return script("plot.plot_dashboard", tmp_path / "out", "--out", tmp_path)


@pytest.mark.parametrize(
    "lossless, closely",
    [(8, ()), (0, ("--queuePeaks", "--hopLatency")), (8, ("--hopLatency", "--reachability=20us"))],
)
def test_the_dashboard_is_drawn(tmp_path, lossless, closely):
    classes = "--admission=shared", f"{ATTRIBUTE}SharedBuffer::LosslessClasses={lossless}", "--buffer=300kB"
    incast = "--workload=incast", "--senders=7", "--size=200kB", "--nicCounters", "--linkSeries=1us"
    succeed(tmp_path, *FABRIC, *classes, *incast, *closely)
    run = draw_dashboard(tmp_path)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "dashboard.png").read_bytes().startswith(b"\x89PNG")


def test_the_dashboard_says_what_it_needs(tmp_path):
    succeed(tmp_path, *SMALL, "--nicCounters")
    run = draw_dashboard(tmp_path)
    assert run.returncode == 1 and "no link-series.csv there; run with --linkSeries=1us" in run.stderr


VALUES = {
    "linkSeries": "0us x -1us",
    "nicCounters": "7",
    "nicSeries": "0us 1",
    "hopLatency": "maybe",
    "queuePeaks": "2",
    "reachability": "0us 1us x",
    "switchLatency": "edge-0 leaf-0=1us =1us " + " ".join(
        f"pod0-edge-0={text}" for text in ("1", "-1us", "1001ms", "1us,", "1us,pod0-edge-0=2us")),
}  # fmt: skip
BAD = [
    *(f"--{name}={value}" for name, values in VALUES.items() for value in values.split()),
    f"{ATTRIBUTE}ReachabilityProber::Timeout=1us",
    f"{ATTRIBUTE}QueueMonitor::HighWater=0.5",
    f"--reachability=50us {ATTRIBUTE}ReachabilityProber::Timeout=60us",
    "--reachability=50us --acks=bypass",
    "--reachability=50us --transport=mrc",
    "--switchLatency=pod0-edge-0=1us --acks=bypass",
]


def test_bad_values_are_refused_in_one_line(tmp_path):
    check_blame(tmp_path, BAD, *SMALL)
