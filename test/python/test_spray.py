# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""`--transport=spray`: options, results, and captures as Wireshark sees them."""

import pytest
from harness import HEADER, LOSSY_LINK, SMALL, call, check_refusals, rows, stderr_lines, succeed, write_flows
from test_tshark import fields, icrc, ip_packet, number, read_capture, tshark

SPRAY = "--transport=spray"
TRIMMING = "--admission=trimming", "--buffer=30000B"
INCAST = "--workload=incast", "--senders=6", "--size=100kB"
OPCODES = DATA, LAST, ACK, NACK, PROBE = range(0xE0, 0xE5)
TRIMMED_BYTES = 64 - 4  # without FCS
TRIMMED, LAST_HOP = 50, 52  # DSCPs
PART_SIZES = "--balancer=prime --ns3::aifabric::PrimeBalancer::PartSizes"


REFUSED = {
    "--transport=x": "--transport=x: ",
    "--transport=": "--transport=: ",
    "--transport=spray --recovery=oracle":
        "--recovery=oracle: ns3::aifabric::OracleRecovery needs acknowledgements without a bitmap",
    "--transport=spray --recovery=go-back-n":
        "--recovery=go-back-n: ns3::aifabric::GoBackNRecovery needs acknowledgements without",
    "--recovery=selective-repeat":
        "--recovery=selective-repeat: ns3::aifabric::SelectiveRepeatRecovery needs acknowledgements with a bitmap",
    "--rateControl=rccc": "--rateControl=rccc: ns3::aifabric::RcccControl needs credits of the receiver, which ",
    "--ackPolicy=unordered": "--ackPolicy=unordered: ns3::aifabric::OracleRecovery needs an acknowledgement of each ",
    "--ns3::aifabric::SprayQueuePair::LastHopDscp=51": "--ns3::aifabric::SprayQueuePair::LastHopDscp",
    "--transport=spray --admission=trimming --ns3::aifabric::SprayQueuePair::LastHopDscp=51":
        "--ns3::aifabric::SprayQueuePair::LastHopDscp=51: equal to ns3::aifabric::TrimmingBuffer::LastHopDscp, ",
    "--transport=spray --admission=trimming --ns3::aifabric::TrimmingBuffer::LastHopDscp=51":
        "--ns3::aifabric::TrimmingBuffer::LastHopDscp=51: equal to ns3::aifabric::SprayQueuePair::LastHopDscp, ",
    "--transport=spray --admission=trimming --ns3::aifabric::SprayQueuePair::Dscp=34":
        "--ns3::aifabric::SprayQueuePair::Dscp=34: no data is trimmed unless ns3::aifabric::TrimmingBuffer::Classes, ",
    "--transport=mrc --admission=trimming --ns3::aifabric::TrimmingBuffer::Classes=2":
        "--ns3::aifabric::TrimmingBuffer::Classes=2: a sum that contains 1 (class 0), for ns3::aifabric::MrcQueuePair::Dscp",
    "--transport=spray --admission=shared --ns3::aifabric::SharedBuffer::TrimmingClasses=2":
        "--ns3::aifabric::SharedBuffer::TrimmingClasses=2: a sum that contains 8 (class 3), for ",
    "--transport=spray --ns3::aifabric::RcQueuePair::AckTimeout=1us": "--ns3::aifabric::RcQueuePair::AckTimeout",
    "--transport=spray --ns3::aifabric::SprayQueuePair::Mtu=1000": "--ns3::aifabric::SprayQueuePair::Mtu",
    "--transport=spray --ns3::aifabric::UnorderedAckPolicy::Bytes=0": "--ns3::aifabric::UnorderedAckPolicy",
    "--transport=spray --ns3::aifabric::SelectiveRepeatRecovery::ProbeInterval=0.01":
        "--ns3::aifabric::SelectiveRepeatRecovery::ProbeInterval=0.01: not a value of this attribute",
    f"{PART_SIZES}=2,2,2":
        "--ns3::aifabric::PrimeBalancer::PartSizes=2,2,2: at most 2 numbers, one for each tier of switches",
    f"{PART_SIZES}=2,":
        "--ns3::aifabric::PrimeBalancer::PartSizes=2,: numbers from 1 to 16384 with commas between them",
    f"{PART_SIZES}=8,2": "--ns3::aifabric::PrimeBalancer::PartSizes=8,2: switches of tier 0 have ",
}


def test_bad_option(tmp_path):
    check_refusals(tmp_path, REFUSED, *SMALL)


def test_the_transport_is_recorded_with_what_it_brings(tmp_path):
    scenario = succeed(tmp_path, *SMALL, SPRAY)["scenario"]
    names = "transport", "recovery", "ackPolicy"
    assert [scenario[name] for name in names] == ["spray", "selective-repeat", "unordered"]
    scenario = succeed(tmp_path, *SMALL)["scenario"]
    assert [scenario[name] for name in names] == ["rc", "oracle", "per-packet"]


def test_help_names_the_transports(tmp_path):
    lines = call(tmp_path, "--transport=help").stdout.splitlines()
    assert {line.split()[0] for line in lines if not line.startswith(" ")} >= {"rc", "spray"}
    policies = call(tmp_path, "--ackPolicy=help").stdout
    assert "unordered" in policies and "Bytes [16384]" in policies
    assert "BackOff [true]" in call(tmp_path, "--recovery=help").stdout


@pytest.mark.parametrize("policy", ["per-packet", "coalesced", "unordered"])
@pytest.mark.parametrize("balancer", ["ecmp", "host-random", "rsq", "reps"])
def test_each_packet_comes_once(tmp_path, policy, balancer):
    options = "--k=4", "--size=256KiB", SPRAY, f"--ackPolicy={policy}", f"--balancer={balancer}"
    results = succeed(tmp_path, *options, "--buffer=10MB")["results"]
    assert results["data_packets"] == 16 * 64
    assert results["retransmissions"] == results["timeouts"] == results["nacks"] == 0
    assert results["discarded_packets"] == 0
    if policy == "per-packet":
        assert results["acks"] == results["data_packets"]
    if policy == "unordered" and balancer != "reps":  # whose marks are reported at once
        # The last packet of a message asks; if others are late, their last one answers, too.
        assert 16 * (1 + 64 / 4) <= results["acks"] <= 16 * (2 + 64 / 4)


@pytest.mark.parametrize("size", [4096, 8192, 61440])
def test_acknowledgements_are_as_rare_as_wanted(tmp_path, size):
    attribute = f"--ns3::aifabric::UnorderedAckPolicy::Bytes={size}"
    results = succeed(tmp_path, "--k=4", "--size=1MiB", "--buffer=20MB", SPRAY, attribute)["results"]
    share = size // 4096
    probes = results["policies"]["probes"]
    assert results["acks"] == 16 * (256 if share == 1 else 1 + -(-255 // share)) + probes


@pytest.mark.parametrize("balancer", ["ecmp", "host-random", "rsq"])
@pytest.mark.parametrize("policy", ["per-packet", "coalesced", "unordered"])
def test_a_lossy_link_is_survived(tmp_path, policy, balancer):
    options = "--k=4", SPRAY, f"--ackPolicy={policy}", f"--balancer={balancer}", "--buffer=10MB"
    results = succeed(tmp_path, *options, LOSSY_LINK)["results"]
    assert results["link_losses"] > 0 and results["drops"] == 0
    assert results["data_packets"] == results["messages"] * 256 + results["retransmissions"]
    lost = results["timeouts"] + results["policies"]["inferred_losses"]
    assert 0 < results["retransmissions"] <= lost  # each packet that timed out or seemed to be lost, once
    assert results["discarded_packets"] <= results["retransmissions"]


def test_trimmed_packets_are_sent_again_without_a_timeout(tmp_path):
    acks = "--ns3::aifabric::SprayQueuePair::AckDscp=48"
    results = succeed(tmp_path, "--k=4", SPRAY, *TRIMMING, *INCAST, acks)["results"]
    trimmed = results["policies"]["trimming_frames"]
    assert results["nacks"] == results["policies"]["nic_trimmed_frames"] == trimmed > 0
    assert results["retransmissions"] == results["nacks"]
    assert results["timeouts"] == results["drops"] == results["discarded_packets"] == 0
    rc = succeed(tmp_path, "--k=4", "--recovery=sack", *TRIMMING, *INCAST)["results"]
    assert results["cct_ns"] < rc["cct_ns"]


HOT_RANK = "--topology=leaf-spine", "--leaves=2", "--spines=4", "--hostsPerLeaf=8", "--rate=400Gb/s", "--sample=0ns"
STANDSTILL = SPRAY, "--rateControl=nscc", "--admission=trimming", "--workload=incast", "--size=1MB"


@pytest.mark.parametrize("marker", ["auto", "none"])
@pytest.mark.parametrize("balancer", ["rsq", "ofan", "host-random", "ecmp", "reps", "mixed"])
def test_a_window_that_shrinks_does_not_wait_for_the_timer(tmp_path, balancer, marker):
    """The sender asks for reports of packets that left before their NACKs cut its window."""
    options = f"--balancer={balancer}", f"--marker={marker}", "--senders=15"
    results = succeed(tmp_path, *HOT_RANK, *STANDSTILL, *options)["results"]
    assert results["timeouts"] == results["drops"] == 0 < results["trims"]
    assert results["policies"]["report_requests"] > 0
    assert results["increase_percent"] < 6


@pytest.mark.parametrize("senders", [4, 7, 9, 12])
@pytest.mark.parametrize("mtu", [1024, 4096])
def test_no_timer_expires_where_no_frame_is_lost(tmp_path, senders, mtu):
    for run in range(1, 4):
        options = f"--senders={senders}", f"--mtu={mtu}", f"--RngRun={run}", f"--buffer={run * 200}kB"
        results = succeed(tmp_path, *HOT_RANK, *STANDSTILL, *options, "--balancer=host-random")["results"]
        assert results["timeouts"] == results["drops"] == 0


@pytest.mark.parametrize("mtu, packets", [(4096, 4), (4086, 4), (2048, 8), (1024, 15)])
def test_the_ack_trigger_counts_headers(tmp_path, mtu, packets):
    """Ultra Ethernet counts 40 bytes and the UDP datagram: 16384 bytes are four packets of 4086 bytes."""
    flows = write_flows(tmp_path, f"{HEADER}0,0,15,{mtu * 960}\n")
    results = succeed(tmp_path, *HOT_RANK, SPRAY, "--balancer=ecmp", f"--mtu={mtu}", flows)["results"]
    assert abs(results["data_packets"] / results["acks"] - packets) < 0.3


def test_reports_do_not_wait_with_data(tmp_path):
    """ACKs and NACKs are in the class of control, where a full queue of data drops none."""
    results = succeed(tmp_path, "--k=4", SPRAY, "--rateControl=nscc", *TRIMMING, "--size=1MB")["results"]
    assert results["drops"] == results["timeouts"] == 0 < results["trims"]


@pytest.mark.parametrize(
    "control, marker, threshold, ceiling",
    [
        ("nscc", "red", 43378, 173510),
        ("mprdma", "red", 43378, 173510),
        ("dctcp", "step", 30984, 30984),
        ("dcqcn", "red", 160000, 640000),  # at most 0.8 of the buffer
        ("m-swift", "none", None, None),
        ("fixed", "none", None, None),
    ],
)
def test_switches_mark_as_the_control_needs_it(tmp_path, control, marker, threshold, ceiling):
    scenario = succeed(tmp_path, *HOT_RANK, "--size=100kB", f"--rateControl={control}", "--balancer=rsq")["scenario"]
    assert scenario["marker"] == marker
    assert (scenario["markingThreshold"], scenario["markingCeiling"]) == (threshold, ceiling)
    assert (scenario["markingSource"] is None) == (marker == "none")
    run = call(tmp_path, *HOT_RANK, "--size=100kB", f"--rateControl={control}", "--marker=none", "--out=none")
    if control in ("mprdma", "dctcp", "dcqcn"):
        assert stderr_lines(run)[0].endswith(f"with --rateControl={control}, which slows down only by marks")
    else:
        assert ("--marker=none: no switch marks" in run.stdout) == (control == "nscc")


def incast(folder, control, *options):
    """15 hosts send to one, without marks before it. Returns the results."""
    acks = "--ns3::aifabric::SprayQueuePair::AckDscp=48"
    marks = "--marker=red", "--ns3::aifabric::EcnMarker::AtLastHop=false"
    traffic = "--workload=incast", "--senders=15", "--size=500kB", "--rate=100Gb/s"
    buffer = "--admission=trimming", "--buffer=178450B"
    return succeed(folder, "--k=4", SPRAY, *traffic, *buffer, *marks, acks, control, *options)["results"]


VICTIM = "--ns3::aifabric::BufferAdmission::Victim="


SPREADING = "--balancer=host-random"  # over planes, too; ecmp gives each queue pair one


@pytest.mark.parametrize("options", [[], ["--planes=2", SPREADING], ["--ip=6"], [SPREADING]])
def test_the_receiver_gives_credit(tmp_path, options):
    nscc = incast(tmp_path, "--rateControl=nscc", *options)
    rccc = incast(tmp_path, "--rateControl=rccc", *options)
    counters = rccc["policies"]
    assert counters["credits_sent"] >= counters["credits_received"] > 0
    assert rccc["timeouts"] == rccc["drops"] == 0
    assert counters["credit_requests"] <= 15  # where all packets with the last announcement of a sender were trimmed
    assert counters["trimming_last_hop_frames"] < nscc["policies"]["trimming_last_hop_frames"]
    assert rccc["max_fct_ns"] < 1.1 * rccc["completion_bound_ns"]
    assert "credits_sent" not in nscc["policies"]


@pytest.mark.parametrize(
    "options",
    [
        ["--balancer=host-random"],
        ["--balancer=host-random", "--mtu=1024", "--RngRun=3"],
        ["--balancer=host-random", "--mtu=1024", "--RngRun=2", f"{VICTIM}Arriving"],
        ["--balancer=rsq", "--RngRun=3", f"{VICTIM}Coin"],
        ["--planes=2", "--RngRun=2", f"{VICTIM}Coin"],
    ],
)
def test_a_sender_without_credit_asks_for_a_report_of_its_window(tmp_path, options):
    """NACKs may cut the window before credit comes: then the window, and not credit, blocks the sender."""
    results = incast(tmp_path, "--rateControl=rccc", *options)
    assert results["timeouts"] == results["drops"] == 0 < results["policies"]["report_requests"]


def test_a_report_covers_what_a_blocked_sender_waits_for(tmp_path):
    """Packets on the way may be more than 64 beyond the first missing one, which the window lets nobody retransmit."""
    shape = "--topology=leaf-spine", "--leaves=2", "--spines=4", "--hostsPerLeaf=13", "--mtu=1024", "--size=300kB"
    incast = "--workload=incast", "--senders=24", "--rateControl=m-swift", "--admission=trimming", "--rate=400Gb/s"
    results = succeed(tmp_path, *shape, *incast, SPRAY, "--balancer=host-random")["results"]
    assert results["timeouts"] == results["drops"] == 0
    assert results["increase_percent"] < 20  # 262 with timers


def test_a_report_is_asked_for_where_all_packets_have_come(tmp_path):
    """The bitmaps of reports have not covered some of them, and no packet is on the way that triggers another report."""
    shape = "--topology=leaf-spine", "--leaves=10", "--spines=10", "--hostsPerLeaf=10", "--rate=400Gb/s", "--planes=2"
    incast = "--workload=incast", "--senders=31", "--size=1MB", "--rateControl=m-swift", "--admission=trimming"
    results = succeed(tmp_path, *shape, *incast, SPRAY, "--balancer=host-random", "--RngRun=2")["results"]
    assert results["timeouts"] == results["drops"] == 0  # 9 timers of 500 us
    assert results["increase_percent"] < 20  # 90 with timers


@pytest.mark.parametrize("control", ["dctcp", "m-swift", "mprdma", "nscc", "rccc"])
def test_trimmed_packets_slow_every_control_down(tmp_path, control):
    """Each cut of a rate or window takes a round trip; no packet is trimmed again and again."""
    options = STANDSTILL[0], *STANDSTILL[2:-1], "--size=300kB", "--senders=15", "--mtu=256", "--balancer=host-random"
    results = succeed(tmp_path, *HOT_RANK, *options, f"--rateControl={control}")["results"]
    packets = results["data_packets"] - results["retransmissions"]
    assert results["timeouts"] == results["drops"] == 0
    assert results["trims"] < 2 * packets  # DCTCP at the line rate after each NACK: 87


@pytest.mark.parametrize("control", ["m-swift", "mprdma", "nscc"])
@pytest.mark.parametrize("fabric", ["--rate=800Gb/s --delay=1us", "--planes=4", "--rate=100Gb/s --mtu=256 --size=500kB"])
def test_windows_fit_every_fabric(tmp_path, control, fabric):
    """No window leaves links of an idle fabric unused: it is derived from bandwidth, planes and delay."""
    options = "--k=4", SPRAY, "--admission=trimming", "--balancer=host-dr", f"--rateControl={control}", *fabric.split()
    size = [] if "--size" in fabric else ["--size=4MB"]
    results = succeed(tmp_path, *options, *size)["results"]
    assert results["increase_percent"] < 5  # 68 to 81 with mprdma and 151 packets, 61 with m-swift and one plane's window


@pytest.mark.parametrize("size", ["400kB", "500kB", "600kB"])
def test_a_trimmed_announcement_of_demand_costs_no_timeout(tmp_path, size):
    """The sender asks for credit when all packets with its last announcement were trimmed."""
    marks = "--marker=red", "--ns3::aifabric::EcnMarker::AtLastHop=false", "--rateControl=rccc"
    acks = "--ns3::aifabric::SprayQueuePair::AckDscp=48", "--balancer=host-random", "--admission=trimming"
    traffic = "--k=4", "--workload=incast", "--senders=15", f"--size={size}"
    results = succeed(tmp_path, *traffic, SPRAY, *marks, *acks)["results"]
    assert results["timeouts"] == 0
    assert results["policies"]["credit_requests"] < results["nacks"] / 50
    assert results["max_fct_ns"] < 1.5 * results["completion_bound_ns"]


def test_a_fixed_window_with_many_trimmed_packets_is_reported(tmp_path):
    options = "--k=4", SPRAY, "--workload=incast", "--senders=15", "--size=100kB", "--admission=trimming"
    line = "warning          33.5 % of all packets were trimmed: "
    assert line in call(tmp_path, *options, "--buffer=30kB", "--out=out").stdout
    assert "warning" not in call(tmp_path, *options, "--rateControl=nscc", "--out=out").stdout


def test_credits_survive_a_lossy_link(tmp_path):
    results = succeed(tmp_path, "--k=4", SPRAY, "--rateControl=rccc", "--buffer=10MB", LOSSY_LINK)["results"]
    assert results["link_losses"] > 0 and results["retransmissions"] > 0


@pytest.mark.parametrize("transport", ["rc", "spray"])
def test_prime_avoids_planes_where_the_other_end_has_no_link(tmp_path, transport):
    """As soon as hosts know of it, as --convergence says; until then packets are lost there."""
    shape = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=4", "--planes=2"
    options = *shape, f"--transport={transport}", "--balancer=prime", "--size=1MB", "--fail=host-4:1@0s", "--rho=max"
    known = succeed(tmp_path, *options, "--convergence=0ns")["results"]
    assert known["drops"] == known["link_losses"] == known["timeouts"] == 0
    assert known["cct_ns"] < 1.3 * known["completion_bound_ns"]
    unknown = succeed(tmp_path, *options, "--convergence=never")["results"]
    assert unknown["link_losses"] > 0


SLEEK = "--ns3::aifabric::SelectiveRepeatRecovery::Sleek="


def test_losses_are_found_without_a_timeout(tmp_path):
    """Without trimming, by reordering and probes; and as before with Sleek=Never."""
    window = "--ns3::aifabric::FixedControl::Window=100000"
    options = "--k=4", SPRAY, "--balancer=host-random", "--size=1MiB", "--buffer=30kB", window
    found = succeed(tmp_path, *options)["results"]
    assert found["drops"] > 0 and found["trims"] == found["nacks"] == 0
    assert found["policies"]["inferred_losses"] > found["timeouts"]
    waited = succeed(tmp_path, *options, SLEEK + "Never")["results"]
    assert waited["timeouts"] == waited["retransmissions"] > 0
    assert "probes" not in waited["policies"]
    assert found["max_fct_ns"] < waited["max_fct_ns"]


def test_with_trimming_there_are_no_probes_by_default(tmp_path):
    options = "--k=4", SPRAY, *TRIMMING, *INCAST
    results = succeed(tmp_path, *options)["results"]
    assert results["trims"] == results["policies"]["trimming_frames"] > 0
    assert "probes" not in results["policies"]
    assert "probes" in succeed(tmp_path, *options, SLEEK + "Always")["results"]["policies"]


# --- Captures -------------------------------------------------------------------------------------


def capture(folder, *options):
    """Captures a host whose link and whose leaf's links are too slow: all that it sends and receives."""
    flows = "".join(f"0,{host},0,60000\n" for host in (1, 4, 8, 12)) + "0,0,8,60000\n"
    acks = "--ns3::aifabric::SprayQueuePair::AckDscp=48"
    files = write_flows(folder, HEADER + flows)
    return succeed(folder, "--k=4", SPRAY, *TRIMMING, files, "--pcap=host-0", acks, *options)["results"]


@pytest.mark.parametrize("version", [4, 6])
def test_wireshark_reads_sprayed_packets(tmp_path, version):
    results = capture(tmp_path, f"--ip={version}")
    assert results["nacks"] > 0
    path = tmp_path / "out" / "host-0.pcap"
    whole = "frame.len > 80 || infiniband.bth.opcode >= 226"  # not trimmed
    assert tshark(path, "-Y", f"_ws.malformed && ({whole})") == []
    names = "frame.len _ws.col.Protocol infiniband.bth.opcode infiniband.bth.psn infiniband.bth.destqp".split()
    count = dict.fromkeys(OPCODES, 0)
    for row in fields(path, names):
        assert row["_ws.col.Protocol"] == "RRoCE", row
        count[number(row["infiniband.bth.opcode"])] += 1
    assert count.pop(PROBE) == 0 and all(count.values()), count
    trimmed = 0
    for _, frame in read_capture(path)[1]:
        packet, header = ip_packet(frame)
        if len(frame) == TRIMMED_BYTES + header - 20:
            trimmed += frame[15] >> 2 in (TRIMMED, LAST_HOP) if version == 4 else 1
            continue
        assert packet[-4:] == icrc(packet[:-4], header)
    assert trimmed > 0



DEAD_SPINE = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=2", "--workload=tornado"
DEAD_SPINE += "--size=256KiB", "--convergence=never", "--fail=leaf-0--spine-1@1us"
EXPANDED_ACKS = "--rateControl=nscc", "--ns3::aifabric::SprayQueuePair::AckDeaggregation=true"


@pytest.mark.parametrize(
    "options, most_us",
    [
        # A probe does not take the turn of a path: else each retransmission takes the dead one.
        ((*DEAD_SPINE, "--balancer=host-dr"), 10000),
        ((*DEAD_SPINE, "--balancer=host-counter", "--ns3::aifabric::EntropyBalancer::Forwarding=Direct"), 10000),
        # A probe before anything is acknowledged stands for no packet.
        (("--k=4", *INCAST[:1], "--senders=2", "--size=4096B", "--fail=host-0@0s-30us", *EXPANDED_ACKS), 2000),
        # Timers of many packets that expire together are not as many timeouts in a row.
        (("--k=4", *INCAST[:1], "--size=1MB", "--buffer=100kB", "--rateControl=m-swift"), 3000),
        # Timers that double: the run waits until a queue pair gives up.
        (("--k=4", *INCAST[:1], "--senders=2", "--size=64KiB", "--admission=trimming", "--fail=host-0@1us-8ms"), 20000),
    ],
)
def test_every_loss_pattern_ends(tmp_path, options, most_us):
    defaults = () if any(option.startswith("--balancer") for option in options) else ("--balancer=host-random",)
    results = succeed(tmp_path, SPRAY, *options, *defaults)["results"]
    assert results["cct_ns"] <= 1000 * most_us


@pytest.mark.parametrize("version", [4, 6])
def test_wireshark_reads_credits(tmp_path, version):
    capture(tmp_path, f"--ip={version}", "--rateControl=rccc", "--ns3::aifabric::RcccControl::UnsolicitedFactor=0")
    path = tmp_path / "out" / "host-0.pcap"
    whole = "frame.len > 90 || (infiniband.bth.opcode >= 226 && infiniband.bth.opcode < 232)"
    assert tshark(path, "-Y", f"_ws.malformed && ({whole})") == []
    seen = {number(row["infiniband.bth.opcode"]) for row in fields(path, ["infiniband.bth.opcode"])}
    assert seen >= {ACK, 0xE5, 0xE6, 0xE8, 0xE9} and not seen & {DATA, LAST}


def headers(path):
    """What stands behind the BTH in the frames of a capture, without data and ICRC, by opcode."""
    found = {opcode: [] for opcode in OPCODES}
    for _, frame in read_capture(path)[1]:
        packet, header = ip_packet(frame)
        opcode = packet[header + 8]
        size = {DATA: 8, LAST: 8, ACK: 32, NACK: 4, PROBE: 4}[opcode]
        found[opcode].append(packet[header + 20 : header + 20 + size])
    return found


def test_the_headers_say_what_the_documentation_says(tmp_path):
    """Two messages from one host to another: two packets and a byte, and a byte."""
    files = write_flows(tmp_path, HEADER + "0,0,1,8193\n0,0,1,1\n")
    acks = "--ackPolicy=per-packet"
    succeed(tmp_path, "--k=2", SPRAY, files, "--pcap=host-0", acks)
    found = headers(tmp_path / "out" / "host-0.pcap")
    assert [int.from_bytes(data[4:], "big") for data in found[DATA]] == [0, 1]
    assert [int.from_bytes(data[4:], "big") for data in found[LAST]] == [2, 0]
    assert [ack[0] for ack in found[ACK]] == [0] * 4
    assert [int.from_bytes(ack[1:4], "big") for ack in found[ACK]] == [0, 0, 1, 2]  # MSN
    assert [int.from_bytes(ack[5:8], "big") for ack in found[ACK]] == [1, 2, 3, 4]  # cumulative PSN
    assert [int.from_bytes(ack[20:28], "big") for ack in found[ACK]] == [4096, 8192, 8193, 8194]
    assert rows(tmp_path, "flows")[0]["bytes"] == "8193"


@pytest.mark.parametrize("version", [4, 6])
def test_wireshark_reads_probes_and_their_answers(tmp_path, version):
    """The link to the other host is cut for some time; probes bring the reports that were lost."""
    files = write_flows(tmp_path, HEADER + "0,0,1,20000\n")
    fail = "--fail=pod1-edge-0:0--host-1:0@3us-100us"
    options = "--k=2", SPRAY, files, "--pcap=host-0", f"--ip={version}", fail
    results = succeed(tmp_path, *options)["results"]
    assert results["timeouts"] == 0 and results["link_losses"] > 0
    path = tmp_path / "out" / "host-0.pcap"
    assert tshark(path, "-Y", "_ws.malformed") == []
    found = headers(path)
    assert len(found[PROBE]) == results["policies"]["probes"] > 2
    assert [probe[0] for probe in found[PROBE]] == list(range(1, len(found[PROBE]) + 1))
    assert all(probe[1:] == bytes(3) for probe in found[PROBE])
    answered = [ack[8] for ack in found[ACK] if ack[8] > 0]
    assert answered and set(answered) <= {probe[0] for probe in found[PROBE]}
    for _, frame in read_capture(path)[1]:
        packet, header = ip_packet(frame)
        assert packet[-4:] == icrc(packet[:-4], header)
        if packet[header + 8] == PROBE:
            assert len(frame) == 66 - 4 + header - 20
    rows_of = fields(path, ["infiniband.bth.opcode", "infiniband.bth.psn", "_ws.col.Protocol"])
    probes = [row for row in rows_of if number(row["infiniband.bth.opcode"]) == PROBE]
    assert {row["_ws.col.Protocol"] for row in probes} == {"RRoCE"}
    assert all(0 <= number(row["infiniband.bth.psn"]) < 5 for row in probes)  # the first that is missing
