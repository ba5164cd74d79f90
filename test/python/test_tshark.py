# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Wireshark reads our frames as what they are, and an independent calculation confirms the ICRC.

The frames are those of the example program roce-pcap-sample, which is looked for in the directory
that AI_FABRIC_BIN_DIR names.
"""

import os
import pathlib
import shutil
import struct
import subprocess
import zlib

import pytest

ETHERNET = 1
NANOSECOND_MAGIC = 0xA1B23C4D
ROCE_PORT = 4791
ICRC_SIZE = 4

# What the sample holds in each family: opcode, and bytes of the message.
OPCODES = [
    (0x00, 4096), (0x01, 4096), (0x02, 997), (0x03, 998), (0x04, 999), (0x05, 1000), (0x06, 4096), (0x07, 4096),
    (0x08, 1), (0x09, 1807), (0x0A, 64), (0x0B, 0), (0x11, 0), (0x11, 0), (0x11, 0), (0x81, 0),
]
SYNDROMES = {12: 0x1F, 13: 0x2C, 14: 0x60}  # by position in OPCODES
WITH_RETH = {0x06, 0x0A, 0x0B}
WITH_IMMEDIATE = {0x03, 0x05, 0x09, 0x0B}
FRAMES_A_FAMILY = len(OPCODES) + 1  # one UDP packet beside them
CNP = 0x81


@pytest.fixture(scope="module")
def capture(tmp_path_factory):
    """Write the sample.

    :param tmp_path_factory: pytest's maker of directories
    :return: the path of the capture file
    """
    directory = os.environ.get("AI_FABRIC_BIN_DIR")
    if not directory:
        pytest.skip("AI_FABRIC_BIN_DIR does not name the directory of the programs")
    program = pathlib.Path(directory) / "roce-pcap-sample"
    assert program.is_file(), f"no program {program}"
    path = tmp_path_factory.mktemp("wire") / "sample.pcap"
    subprocess.run([program, f"--out={path}"], check=True, timeout=60)
    return path


def read_capture(path):
    """Read a capture file.

    :param path: the file
    :return: link type, and for each frame its time in ns and its bytes
    """
    data = path.read_bytes()
    magic, _, _, _, _, _, link = struct.unpack_from("<IHHiIII", data)
    assert magic == NANOSECOND_MAGIC
    frames = []
    at = 24
    while at < len(data):
        seconds, nanoseconds, kept, size = struct.unpack_from("<IIII", data, at)
        assert kept == size
        frames.append((seconds * 10**9 + nanoseconds, data[at + 16 : at + 16 + kept]))
        at += 16 + kept
    return link, frames


def is_roce(number):
    """Tell which frames of the sample are RoCE.

    :param number: position in the capture, from 0
    :return: whether the frame is RoCE
    """
    return number < 2 * FRAMES_A_FAMILY and number % FRAMES_A_FAMILY < len(OPCODES)


def ip_packet(frame):
    """Cut the IP packet out of a frame.

    :param frame: bytes from the Ethernet header on
    :return: the IP packet without Ethernet's filling, and the size of its header
    """
    kind = struct.unpack_from(">H", frame, 12)[0]
    if kind == 0x86DD:
        return frame[14 : 14 + 40 + struct.unpack_from(">H", frame, 18)[0]], 40
    assert kind == 0x0800
    return frame[14 : 14 + struct.unpack_from(">H", frame, 16)[0]], 20


def icrc(packet, header):
    """Calculate the invariant CRC of a RoCE packet with zlib.

    :param packet: the IP packet without its ICRC
    :param header: size of the IP header
    :return: the ICRC's bytes
    """
    masked = bytearray(packet)
    if header == 40:
        masked[0] |= 0x0F
        masked[1:4] = b"\xff\xff\xff"
        masked[7] = 0xFF
    else:
        masked[1] = masked[8] = 0xFF
        masked[10:12] = b"\xff\xff"
    masked[header + 6 : header + 8] = b"\xff\xff"
    masked[header + 8 + 4] = 0xFF
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + bytes(masked)))


def tshark(path, *arguments):
    """Run tshark on a capture file.

    :param path: the file
    :param arguments: what else tshark is told
    :return: the lines that it prints
    """
    if not shutil.which("tshark"):
        pytest.skip("tshark is not installed")
    command = ["tshark", "-r", path, "-n", "-o", f"infiniband.rroce.port:{ROCE_PORT}", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return run.stdout.splitlines()


def fields(path, names):
    """Let tshark take fields out of a capture file.

    :param path: the file
    :param names: names of the fields
    :return: for each frame, the fields as a dictionary of strings
    """
    arguments = ["-T", "fields", "-E", "separator=;", "-E", "occurrence=f"]
    for name in names:
        arguments += ["-e", name]
    return [dict(zip(names, line.split(";"))) for line in tshark(path, *arguments)]


def number(text):
    """Read a number as tshark prints it.

    :param text: decimal or hexadecimal digits
    :return: the number
    """
    return int(text, 0)


def test_capture_has_ethernet_and_nanoseconds(capture):
    """Link type, clock and number of frames."""
    link, frames = read_capture(capture)
    assert link == ETHERNET
    assert [time for time, _ in frames] == [100 * n for n in range(2 * FRAMES_A_FAMILY + 2)]
    assert all(len(frame) >= 60 for _, frame in frames)


def test_icrc_is_confirmed_independently(capture):
    """Each RoCE frame's last four bytes are what zlib calculates."""
    _, frames = read_capture(capture)
    checked = 0
    for n, (_, frame) in enumerate(frames):
        if is_roce(n):
            packet, header = ip_packet(frame)
            assert packet[-ICRC_SIZE:] == icrc(packet[:-ICRC_SIZE], header), f"frame {n}"
            checked += 1
    assert checked == 2 * len(OPCODES)


def test_tshark_finds_nothing_malformed(capture):
    """No frame is malformed, each is of the protocol it should be."""
    assert tshark(capture, "-Y", "_ws.malformed") == []
    lines = tshark(capture, "-T", "fields", "-e", "frame.protocols")
    protocols = [line.split(":") for line in lines]
    assert len(protocols) == 2 * FRAMES_A_FAMILY + 2
    for n, protocol in enumerate(protocols):
        if n >= 2 * FRAMES_A_FAMILY:
            assert "macc" in protocol, f"frame {n}"
        else:
            assert "udp" in protocol, f"frame {n}"
            assert ("infiniband" in protocol) == is_roce(n), f"frame {n}"
            assert ("ipv6" in protocol) == (n >= FRAMES_A_FAMILY), f"frame {n}"
    columns = tshark(capture, "-T", "fields", "-e", "_ws.col.Protocol")
    for n, column in enumerate(columns):
        assert (column == "RRoCE") == is_roce(n), f"frame {n}"


def test_tshark_reads_the_transport_headers(capture):
    """BTH, RETH, AETH and immediate data as they were written."""
    rows = fields(
        capture,
        [
            "udp.srcport", "udp.dstport", "infiniband.bth.opcode", "infiniband.bth.destqp", "infiniband.bth.psn",
            "infiniband.bth.padcnt", "infiniband.bth.p_key", "infiniband.bth.tver", "infiniband.reth.va",
            "infiniband.reth.r_key", "infiniband.reth.dmalen", "infiniband.immdt", "infiniband.aeth.syndrome",
            "infiniband.aeth.msn",
        ],
    )
    for n, row in enumerate(rows):
        if not is_roce(n):
            assert row["infiniband.bth.opcode"] == ""
            continue
        position = n % FRAMES_A_FAMILY
        opcode, size = OPCODES[position]
        assert number(row["udp.srcport"]) == 0xC000 + n
        assert number(row["udp.dstport"]) == ROCE_PORT
        assert number(row["infiniband.bth.opcode"]) == opcode
        assert number(row["infiniband.bth.destqp"]) == 0x100 + n
        assert number(row["infiniband.bth.psn"]) == (0 if opcode == CNP else 0x1000 + n)
        assert number(row["infiniband.bth.padcnt"]) == -size % 4
        assert number(row["infiniband.bth.p_key"]) == 0xFFFF
        assert number(row["infiniband.bth.tver"]) == 0
        if opcode in WITH_RETH:
            assert number(row["infiniband.reth.va"]) == 0x7F0000200000
            assert number(row["infiniband.reth.r_key"]) == 0x1234
            assert number(row["infiniband.reth.dmalen"]) == 10000
        else:
            assert row["infiniband.reth.va"] == ""
        if opcode in WITH_IMMEDIATE:
            assert row["infiniband.immdt"].replace(":", "") == "01020304"
        else:
            assert row["infiniband.immdt"] == ""
        if position in SYNDROMES:
            assert number(row["infiniband.aeth.syndrome"]) == SYNDROMES[position]
            assert number(row["infiniband.aeth.msn"]) == 3
        else:
            assert row["infiniband.aeth.syndrome"] == ""


def test_tshark_accepts_ip(capture):
    """IPv4 header checksums are right, IPv4 is not to be fragmented, tos and flow label are where they should be."""
    wrong = "ip && ip.checksum.status != 1"
    assert tshark(capture, "-o", "ip.check_checksum:TRUE", "-Y", wrong) == []
    assert tshark(capture, "-Y", "infiniband && ip && !(ip.flags.df == 1 && ip.id == 0)") == []
    assert len(tshark(capture, "-Y", "infiniband && ip.dsfield == 0x6a")) == 12
    assert len(tshark(capture, "-Y", "infiniband && ipv6.tclass == 0x6a")) == 12
    assert len(tshark(capture, "-Y", "infiniband && ipv6.flow == 0xabcd")) == len(OPCODES)


def test_tshark_reads_pause_and_pfc(capture):
    """Pause times and the class enable vector."""
    names = [
        "eth.dst", "macc.opcode", "macc.pause_time", "macc.cbfc.enbv", "macc.cbfc.pause_time.c3",
        "macc.cbfc.pause_time.c5",
    ]
    pause, pfc = fields(capture, names)[-2:]
    assert pause["eth.dst"] == pfc["eth.dst"] == "01:80:c2:00:00:01"
    assert number(pause["macc.opcode"]) == 0x0001
    assert number(pause["macc.pause_time"]) == 0xFFFF
    assert number(pfc["macc.opcode"]) == 0x0101
    assert number(pfc["macc.cbfc.enbv"]) == 1 << 3 | 1 << 5
    assert number(pfc["macc.cbfc.pause_time.c3"]) == 0xFFFF
    assert number(pfc["macc.cbfc.pause_time.c5"]) == 0


def capture_run(folder, *options):
    """Run two hosts that exchange messages, and capture one of them.

    :param folder: for the results
    :param options: more options of the run
    :return: the path of the capture file
    """
    directory = os.environ.get("AI_FABRIC_BIN_DIR")
    if not directory:
        pytest.skip("AI_FABRIC_BIN_DIR does not name the directory of the programs")
    flows = folder / "flows.csv"
    flows.write_text("start_ns,source,destination,bytes\n0,0,15,20000\n0,15,0,20000\n")
    out = folder / f"out-{len(options)}"
    command = [f"{directory}/ai-fabric-run", "--k=4", f"--flows={flows}", "--pcap=host-0"]
    subprocess.run([*command, f"--out={out}", *options], check=True, timeout=60, capture_output=True)
    return out / "host-0.pcap"


def test_a_capture_has_the_reth_that_is_not_charged(tmp_path):
    """The same frames, byte by byte, at other times; and nothing malformed."""
    charged = capture_run(tmp_path)
    uncharged = capture_run(tmp_path, "--ns3::aifabric::RoceNetDevice::ChargeReth=false")
    frames, others = (read_capture(path)[1] for path in (charged, uncharged))
    assert sorted(frame for _, frame in frames) == sorted(frame for _, frame in others)
    assert others[-1][0] < frames[-1][0]
    assert tshark(uncharged, "-Y", "_ws.malformed") == []
    opcodes = {number(row["infiniband.bth.opcode"]) for row in fields(uncharged, ["infiniband.bth.opcode"])}
    assert opcodes == {0x06, 0x07, 0x08, 0x11}


def test_a_run_in_ipv6_is_clean(tmp_path):
    """Nothing malformed, addresses, lengths and ICRC right, and each frame 20 bytes longer than in IPv4.

    tshark warns of a UDP checksum of 0 in IPv6, which RoCEv2 has (RFC 6936 allows that), and of nothing else.
    """
    path = capture_run(tmp_path, "--ip=6")
    frames, others = (read_capture(p)[1] for p in (path, capture_run(tmp_path)))
    assert sorted(len(frame) for _, frame in frames) == sorted(20 + len(frame) for _, frame in others)
    for _, frame in frames:
        packet, header = ip_packet(frame)
        assert header == 40
        assert packet[-ICRC_SIZE:] == icrc(packet[:-ICRC_SIZE], header)
    assert tshark(path, "-Y", "_ws.malformed") == []
    warnings = tshark(path, "-Y", "_ws.expert", "-T", "fields", "-e", "_ws.expert.message")
    assert set(warnings) <= {"Illegal checksum value (0)"}
    names = "ipv6.src ipv6.dst ipv6.flow ipv6.plen ipv6.hlim ipv6.tclass udp.length udp.checksum".split()
    rows = fields(path, [*names, "udp.srcport", "infiniband.bth.opcode"])
    assert {(row["ipv6.src"], row["ipv6.dst"]) for row in rows} == {("fd00::1", "fd00::10"), ("fd00::10", "fd00::1")}
    assert {number(row["infiniband.bth.opcode"]) for row in rows} == {0x06, 0x07, 0x08, 0x11}
    for row in rows:
        assert row["ipv6.plen"] == row["udp.length"]
        assert number(row["udp.srcport"]) >= 0xC000
        assert number(row["udp.checksum"]) == 0
        assert number(row["ipv6.flow"]) == 0  # ecmp has entropies of 16 bits
