# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""`--receiverAdmission`: options, what it counts, and CTS and chunks as Wireshark sees them."""

import pytest
from harness import SMALL, check_blame, refusal, succeed
from meta_figures import study, words  # noqa: F401 (a fixture, and contrib in the path)
from test_tshark import fields, number, tshark

pandas = pytest.importorskip("pandas")

from ai_fabric.reproduce.figures.meta import admission as meta_admission

ADMISSION = "--ns3::aifabric::ReceiverAdmission::"
INCAST = "--k=4", "--workload=incast", "--senders=6", "--size=2MiB", "--buffer=20MB"
SHORT_SLOTS = f"{ADMISSION}SlotBytes=65536"
WRITE_ONLY, LAST_IMM, ONLY_IMM = 0x0A, 0x09, 0x0B
CTS_DSCP = 56
COLLECTIVES = ["all-reduce", "all-gather", "reduce-scatter", "broadcast", "all-to-all", "send-receive", "reduce", "gather"]
COLLECTIVES += ["scatter", "sendrecv"]


BAD = [
    "--receiverAdmission=-1",
    "--receiverAdmission=many",
    f"--receiverAdmission=1 {ADMISSION}SliceSteps=2",
    f"--receiverAdmission=4 {ADMISSION}GlobalGrant=1000",
    f"--receiverAdmission=4 {ADMISSION}GpuCopyRate=0b/s",
    f"--receiverAdmission=4 {ADMISSION}GpuCopyRate=1Mb/s",  # a chunk takes longer than a second
    f"{ADMISSION}SlotBytes=1000",
    f"{ADMISSION}Slots=4",
    "--receiverAdmission=4 --algorithm=atp --workload=all-reduce",
]


def test_what_cannot_be_is_refused(tmp_path):
    check_blame(tmp_path, BAD, *SMALL)
    assert "--ranks=2: 1" in refusal(tmp_path, *SMALL, "--receiverAdmission=4", "--ranks=2")


def test_nothing_changes_without_it(tmp_path):
    usual, none = (succeed(tmp_path, *INCAST, *more)["results"] for more in ([], ["--receiverAdmission=0"]))
    for key in ("cct_ns", "data_packets", "policies"):
        assert usual[key] == none[key]
    assert "cts" not in usual["policies"] and "cts_p99_ns" not in usual


def test_fewer_slots_shorter_queues(tmp_path):
    peaks, times = [], []
    for slots in (1, 4, 64):
        results = succeed(tmp_path, *INCAST, f"--receiverAdmission={slots}", SHORT_SLOTS)["results"]
        counted = results["policies"]
        assert counted["cts"] == 6 * 32 and counted["cts_p99_ns"] > 2000
        assert results["cts_p99_ns"] == counted["cts_p99_ns"]
        assert counted["max_in_flight_bytes"] <= slots * 65536
        assert counted["max_granted_bytes"] <= 6 * slots * 65536
        assert results["drops"] == 0
        peaks.append(results["max_queue_packets"])
        times.append(counted["cts_wait_p99_ns"])
    assert peaks == sorted(peaks) and peaks[0] < peaks[2] / 4
    assert all(time > 0 for time in times)


def test_a_limit_of_all_senders(tmp_path):
    limit = f"{ADMISSION}GlobalGrant=200000"
    results = succeed(tmp_path, *INCAST, "--receiverAdmission=8", SHORT_SLOTS, limit)["results"]
    assert results["policies"]["max_granted_bytes"] == 3 * 65536
    assert results["max_queue_packets"] <= 3 * 16 + 4  # and acknowledgements


@pytest.mark.parametrize("kind", COLLECTIVES)
@pytest.mark.parametrize("slots, gpus", [(1, 1), (8, 1), (8, 2)])
def test_collectives(tmp_path, kind, slots, gpus):
    options = "--k=4", f"--workload={kind}", "--size=1MiB", "--channels=2", "--steering=dqplb", f"--gpusPerNode={gpus}"
    results = succeed(tmp_path, *options, f"--receiverAdmission={slots}", SHORT_SLOTS, "--iterations=2")["results"]
    is_within_node = kind == "send-receive" and gpus == 2  # between ranks 0 and 1
    assert (results["policies"]["cts"] > 0) == (not is_within_node)
    assert results["policies"]["max_in_flight_bytes"] <= slots * 65536


def test_a_job_that_restarts(tmp_path):
    failure = "--fail=host-0@30us-3ms", "--onFailure=restart", "--restartCost=4ms", "--recovery=go-back-n"
    quick = [f"--ns3::aifabric::RcQueuePair::{name}" for name in ("AckTimeout=50us", "RetryLimit=2", "RetryTime=0s")]
    options = "--k=4", "--workload=all-reduce", "--size=8MiB", "--receiverAdmission=2", SHORT_SLOTS
    job = succeed(tmp_path, *options, *failure, *quick)["results"]["job"]
    assert job["restarts"] >= 1 and job["completed_iterations"] == 1 and not job["aborted"]


@pytest.mark.parametrize("ip", ["4", "6"])
def test_cts_and_chunks_in_a_capture(tmp_path, ip):
    """Each CTS is a write of 64 bytes with a DSCP of its own; the last packet of a chunk has immediate data."""
    options = "--receiverAdmission=2", SHORT_SLOTS, f"--ip={ip}", "--pcap=host-0"
    results = succeed(tmp_path, *INCAST, *options)["results"]
    path = tmp_path / "out" / "host-0.pcap"
    assert tshark(path, "-Y", "_ws.malformed") == []
    tos = "ip.dsfield" if ip == "4" else "ipv6.tclass"
    names = ["infiniband.bth.opcode", tos, "infiniband.reth.dmalen", "infiniband.immdt", "frame.len"]
    packets = fields(path, names)
    cts = [row for row in packets if number(row["infiniband.bth.opcode"]) == WRITE_ONLY]
    assert len(cts) == results["policies"]["cts"]
    for row in cts:
        assert number(row[tos]) >> 2 == CTS_DSCP
        assert number(row["infiniband.reth.dmalen"]) == 64
        assert number(row["frame.len"]) == (138 if ip == "4" else 158)
    lasts = [row for row in packets if number(row["infiniband.bth.opcode"]) == LAST_IMM]
    assert len(lasts) == len(cts)
    assert all(int(row["infiniband.immdt"], 16) == 65536 for row in lasts)


@pytest.mark.parametrize("queues, holds", [((1, 2, 3), True), ((2, 2, 3), False), ((1, 3, 2), False)])
@pytest.mark.parametrize("stops", [0, 7])
def test_queues_may_not_fall(study, queues, holds, stops):
    names = "1 slot", "8 slots", "none"
    rows_ = [("incast", meta_admission.DEEP, 8, name, queue, 0, stops, 0) for name, queue in zip(names, queues)]
    columns = ["traffic", "buffer", "n", "policy", "queue_mb", "of_hosts", "by_spines", "drops"]
    meta_admission.judge_queues(study, pandas.DataFrame(rows_, columns=columns))
    assert words(study, "largest queue") == [holds]
    assert words(study, "pauses by spines") == [stops == 0]


@pytest.mark.parametrize("fast, slow", [(1.0, 1.5), (1.2, 1.5), (1.0, 1.0)])
def test_eight_slots_may_be_too_few(study, fast, slow):
    """fast: with 8 slots over none; slow: with 1 slot at the longer round trip."""
    rows_ = [(name, policy, base if policy == "empty" else 100 * factor)
             for name, base, one in (("5 us", 5, 1.1), ("22 us", 22, slow))
             for policy, factor in (("empty", 1), ("none", 1), ("1 slot", one), ("8 slots", fast))]  # fmt: skip
    meta_admission.judge_round_trips(study, pandas.DataFrame(rows_, columns=["round_trip", "policy", "time_us"]))
    assert words(study, "with 8 slots") == [fast <= 1.02] * 2
    assert words(study, "with 1 slot") == [slow > 1.1]
    assert words(study, "base round trip (us)") == [True, True]


@pytest.mark.parametrize("late, mixed", [(0, 5000), (1000, 2000)])
def test_cts_may_be_late(study, late, mixed):
    rows_ = [("incast", 2, "1 slot", 2000), (meta_admission.CROSSED, 8, "8 slots", 2500 + late)]
    rows_.append((meta_admission.CROSSED, 8, "8 slots, CTS as data", mixed))
    meta_admission.judge_cts(study, pandas.DataFrame(rows_, columns=["traffic", "n", "policy", "cts_p99_ns"]))
    assert words(study, "over its limit") == [late == 0]
    assert words(study, "CTS as data") == [mixed > 2500]
