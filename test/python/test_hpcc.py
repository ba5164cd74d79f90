# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""`--rateControl=hpcc` and its kin: what they get without being asked, what they are refused with, what they reach."""

import pytest
from harness import PROGRAM, call, refusal, rows, succeed, write_flows

RATE = 12.5  # bytes a nanosecond: 100 Gb/s
ROUND_TRIP = 4700  # nanoseconds, by one switch
FRAME = 4200  # bytes of a full packet with telemetry
FIRST = 15 * FRAME  # what a first window of 58750 bytes lets go
STAR = "--topology=leaf-spine --leaves=1 --spines=1 --hostsPerLeaf=17 --rate=100Gb/s --delay=1us --jitter=0ns".split()
TELEMETRY = "hpcc", "power-tcp"
WINDOWS = *TELEMETRY, "theta-power-tcp"
LOSSLESS = *WINDOWS, "timely"
INCAST = "--k=4", "--workload=incast", "--senders=6", "--size=500kB"
PERMUTATION = "--k=4", "--workload=permutation", "--size=500kB"
INT = 42  # bytes of the header


def shared_port(folder, control, senders, size, *more):
    """Some hosts send a long message each to host 0 of a switch: results, and the bytes that its link carried as a share
    of what it can."""
    flows = "start_ns,source,destination,bytes\n" + "".join(f"0,{host},0,{size}\n" for host in range(1, senders + 1))
    base = ["--ns3::aifabric::PacedWindowControl::BaseRtt=4700ns"] if control in WINDOWS else []
    run = succeed(folder, *STAR, write_flows(folder, flows), f"--rateControl={control}", *base, *more)["results"]
    link = next(row for row in rows(folder, "links") if row["to"] == "host-0:0")
    return run, float(link["bytes_sent"]) / RATE / run["cct_ns"]


@pytest.mark.parametrize("control", LOSSLESS)
def test_alone_it_is_a_whole_stack(tmp_path, control):
    """RC, go-back-N and PFC; the summary says what was derived, and what switches do."""
    run = call(tmp_path, *INCAST, f"--rateControl={control}", "--out=out")
    assert run.returncode == 0, run.stderr
    stack = f"\nstack            {control}: rc, balancer ecmp, rateControl {control}, recovery go-back-n"
    assert stack in run.stdout and "admission shared" in run.stdout and "\ncontrol          " in run.stdout
    assert (f"all switches write telemetry (INT), {INT} bytes a packet" in run.stdout) == (control in TELEMETRY)


def test_what_is_given_wins(tmp_path):
    scenario = succeed(tmp_path, *INCAST, "--rateControl=hpcc", "--admission=port", "--recovery=oracle")["scenario"]
    assert (scenario["admission"], scenario["recovery"]) == ("port", "oracle")
    assert not scenario["attributes"]


def test_telemetry_takes_its_bytes(tmp_path):
    """42 bytes of each packet and each acknowledgement; without it, sizes are as ever."""
    sent = {}
    for control in "fixed", "timely", "hpcc":
        one = shared_port(tmp_path, control, 1, 409600, "--recovery=go-back-n")[0]
        assert one["data_packets"] == one["acks"] == 100
        sent[control] = [float(row["bytes_sent"]) for row in rows(tmp_path, "links") if row["from"] in ("host-0:0", "host-1:0")]
    assert sent["fixed"] == sent["timely"]
    assert [more - usual for more, usual in zip(sent["hpcc"], sent["fixed"])] == [100 * INT, 100 * INT]
    assert one["policies"]["telemetry_hops"] == 100  # of one switch; acknowledgements carry, and get none


REFUSED = {
    "--transport=spray": "--rateControl=hpcc: ns3::aifabric::HpccControl needs telemetry of switches (INT), which "
    "ns3::aifabric::SprayQueuePair does not send; it needs --transport=rc",
    "--transport=mrc": "which ns3::aifabric::MrcQueuePair does not send; it needs --transport=rc",
    "--balancer=host-random": "--balancer=host-random: one that keeps paths, such as ecmp, with --rateControl=hpcc",
    "--balancer=rsq": "--balancer=rsq: one that keeps paths",
    "--upgrade=jsq": "--upgrade=jsq: one that keeps paths",
    "--steering=ethereal --planes=2 --balancer=ecmp": "--balancer",
    "--planes=2 --balancer=te": "--balancer=te: one that keeps paths",
    "--ns3::aifabric::RoceNetDevice::SharesControl=true": "SharesControl=true: false with --rateControl=hpcc",
    "--pcap=host-0": "--pcap=host-0: none with --rateControl=hpcc: captures do not show telemetry",
    "--topology=dragonfly --forwarding=valiant": "--rateControl=hpcc: another one with --forwarding=valiant",
    "--topology=torus --lengths=8,8": "switches: the telemetry (INT) has room for 5",
    "--algorithm=atp --workload=all-reduce": "--rateControl",
    "--ns3::aifabric::HpccControl::TargetUtilization=0": "TargetUtilization=0",
    "--ns3::aifabric::HpccControl::Flows=0": "Flows=0",
    "--ns3::aifabric::PacedWindowControl::BaseRtt=-1us": "BaseRtt=-1us",
    "--ns3::aifabric::TimelyControl::Gain=0.5": "has no effect with --rateControl=hpcc",
}


@pytest.mark.parametrize("options", REFUSED)
def test_what_it_cannot_work_with_is_refused(tmp_path, options):
    shape = [] if "topology" in options else ["--k=4"]
    assert REFUSED[options] in refusal(tmp_path, *shape, "--rateControl=hpcc", *options.split())


def test_timely_refuses_thresholds_in_disorder(tmp_path):
    said = refusal(tmp_path, "--k=4", "--rateControl=timely", "--ns3::aifabric::TimelyControl::LowThreshold=600us")
    assert "LowThreshold=600us is above HighThreshold=500us" in said


@pytest.mark.parametrize("target", [0.8, 0.95])
def test_two_long_flows_use_what_hpcc_aims_at(tmp_path, target):
    """Beside the first round trip, in which both send what the port can, its queue stays nearly empty."""
    option = f"--ns3::aifabric::HpccControl::TargetUtilization={target}"
    run, use = shared_port(tmp_path, "hpcc", 2, 20_000_000, option)
    assert use == pytest.approx(target, abs=0.01)
    assert run["mean_queue_packets"] < 1 and run["pauses"] == run["drops"] == run["retransmissions"] == 0
    assert run["layers"]["leaf-down"]["max_waiting_bytes"] <= 2 * FIRST - RATE * ROUND_TRIP + FRAME
    times = [float(row["duration_ns"]) for row in rows(tmp_path, "flows")]
    assert min(times) > 0.95 * max(times)


@pytest.mark.parametrize("control", TELEMETRY)
def test_an_incast_of_16_drains(tmp_path, control):
    """15 of 16 first windows wait, at most; then the queue drains. With PowerTCP's beta in place of its W_AI, which is a
    twentieth of that, HPCC's flows are even, too."""
    more = ["--ns3::aifabric::HpccControl::Increase=525"] if control == "hpcc" else []
    run, use = shared_port(tmp_path, control, 16, 2_000_000, *more)
    assert use > 0.85 and run["drops"] == run["retransmissions"] == 0
    assert run["layers"]["leaf-down"]["max_waiting_bytes"] <= 16 * FIRST - RATE * ROUND_TRIP + 2 * FRAME
    times = [float(row["duration_ns"]) for row in rows(tmp_path, "flows")]
    assert min(times) > (0.95 if control == "hpcc" else 0.75) * max(times)


@pytest.mark.parametrize("control", LOSSLESS)
def test_events_windows_and_threads_agree(tmp_path, control):
    flows = []
    for how in "--simulator=events", "--simulator=windows", "--threads=2":
        succeed(tmp_path, *PERMUTATION, f"--rateControl={control}", how)
        flows.append((tmp_path / "out" / "flows.csv").read_text())
    assert flows[0] == flows[1] == flows[2]


@pytest.mark.parametrize("control", ["hpcc", "power-tcp"])
def test_a_port_is_used_as_in_the_authors_simulator(tmp_path, control):
    """Two flows with the constants of the authors, beside what their simulators measured."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    from ai_fabric.reproduce.figures.hpcc.authors import AUTHORS, CONSTANTS, NEAR, TOTAL, judge
    from ai_fabric.reproduce.papers.hpcc import FRAME as HPCC_FRAME
    from ai_fabric.reproduce.papers.hpcc import HpccStudy, sharing

    options = {**sharing(2, TOTAL // 2, control), **CONSTANTS[control]}
    results = succeed(tmp_path, *(f"--{name}={value}" for name, value in options.items()))["results"]
    theirs = AUTHORS.set_index(["control", "senders"]).loc[(control, 2)]
    use = 100 * results["data_packets"] * HPCC_FRAME / (RATE * results["cct_ns"])
    assert use == pytest.approx(theirs.use_percent, abs=NEAR["use_percent"])
    assert results["layers"]["leaf-down"]["max_waiting_bytes"] / 1000 == pytest.approx(theirs.most_queue_kb, rel=0.1)
    assert results["max_fct_ns"] / results["mean_fct_ns"] == pytest.approx(theirs.longest_over_mean, rel=NEAR["longest_over_mean"])
    table = AUTHORS.merge(AUTHORS, on=["control", "senders"], suffixes=("", "_authors"))
    study = HpccStudy("hpcc-authors", "A figure", str(PROGRAM), tmp_path)
    judge(study, table)
    assert all(verdict.holds for verdict in study.verdicts)
    judge(study, table.assign(use_percent=pandas.Series([0.0] * len(table))))
    assert [verdict.holds for verdict in study.verdicts].count(False) == len(CONSTANTS)
