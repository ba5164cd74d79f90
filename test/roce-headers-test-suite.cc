/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/fabric-frame.h"
#include "ns3/header-serialization-test.h"
#include "ns3/mac-control-header.h"
#include "ns3/packet.h"
#include "ns3/roce-aeth-header.h"
#include "ns3/roce-bth-header.h"
#include "ns3/roce-icrc.h"
#include "ns3/roce-imm-header.h"
#include "ns3/roce-reth-header.h"

/// What is on the cable: headers, ICRC and whole frames byte for byte.
static Suite g_roceHeaders("ai-fabric-wire");

namespace
{

const std::string MACS = "020000000002020000000001"; //!< addresses of host 1 and host 0

/// @return its bytes as hexadecimal digits
std::string
ToHex(Ptr<const Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), bytes.size());
    std::string hex;
    for (const uint8_t byte : bytes)
    {
        hex += "0123456789abcdef"[byte >> 4];
        hex += "0123456789abcdef"[byte & 0xF];
    }
    return hex;
}

/// @return its bytes as hexadecimal digits
std::string
ToHex(const Header& header)
{
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(header);
    return ToHex(packet);
}

/// @return the hexadecimal digits of that many zero bytes
std::string
Zeros(std::size_t count)
{
    return std::string(2 * count, '0');
}

} // namespace

/// A frame has exactly the bytes of a published capture or of an independent calculation, and these
/// bytes give the frame again.
struct RoceVectorTestCase : FabricTestCase
{
    /// Set what each packet has.  @param source host 0, or host 1, which sends to the other one
    void Set(uint32_t source, uint8_t tos, uint8_t flags, uint8_t opcode, uint32_t qp, uint32_t psn)
    {
        frame->entropy = 0xC123;
        frame->source = source;
        frame->destination = 1 - source;
        frame->SetTos(tos);
        frame->flags = flags;
        frame->opcode = opcode;
        frame->destinationQp = qp;
        frame->psn = psn;
    }

    /// Set what an acknowledgement by host 1 has.
    void SetAck(uint32_t psn, uint8_t syndrome)
    {
        Set(1, 0x02, BTH_MIG_REQ, RC_ACK, 0x12, psn);
        frame->syndrome = syndrome;
        frame->msn = 3;
    }

    /// @param expected the frame's bytes as hexadecimal digits
    void Check(const std::string& expected)
    {
        const Mac48Address source("02:00:00:00:00:01");
        const Mac48Address destination("02:00:00:00:00:02");
        Ptr<Packet> packet = FrameCodec::Serialize(*frame, source, destination);
        NS_TEST_ASSERT_MSG_EQ(ToHex(packet), expected, "bytes of the frame");
        NS_TEST_EXPECT_MSG_EQ(FrameCodec::WireBytes(*frame),
                              packet->GetSize() + FrameCodec::FCS_SIZE,
                              "size on the wire");
        Ptr<FabricFrame> again = FrameCodec::Deserialize(packet, *pool);
        NS_TEST_ASSERT_MSG_NE(again, nullptr, "frame of the bytes");
        NS_TEST_EXPECT_MSG_EQ(ToHex(FrameCodec::Serialize(*again, source, destination)),
                              expected,
                              "bytes of the frame of the bytes");
    }

    Ptr<FabricFramePool> pool = Create<FabricFramePool>(); //!< where the frame lives
    Ptr<FabricFrame> frame = pool->Create();               //!< the frame
};

FABRIC_TEST_F(RoceVectorTestCase,
              g_roceHeaders,
              "RDMA write of 64 bytes, as computed independently and read by tshark")
{
    Set(0, 0x02, BTH_MIG_REQ | BTH_ACK_REQ, RC_WRITE_ONLY, 0x11, 103);
    frame->payload = 64;
    frame->Extra().reth = {0x7F0000002000, 0x1234, 64};
    Check(MACS + "08004502007c000040004011266d0a0000010a000002c12312b7006800000a40ffff00000011" +
          "8000006700007f00000020000000123400000040" + Zeros(64) + "b68718e1");
}

FABRIC_TEST_F(RoceVectorTestCase, g_roceHeaders, "IPv6 with a flow label, three bytes of pad")
{
    Set(0, 0x6A, BTH_SOLICITED | BTH_ACK_REQ | FRAME_IPV6, RC_SEND_LAST_IMM, 0xABCDEF, 0xFFFFFF);
    frame->entropy = 0xABCDC123;
    frame->ttl = 63;
    frame->payload = 5;
    frame->Extra().immediate = 0x01020304;
    Check(MACS +
          "86dd66a0abcd0024113ffd000000000000000000000000000001fd000000000000000000000000000002" +
          "c12312b70024000003b0ffff00abcdef80ffffff010203040000000000000000318f6a5b");
}

FABRIC_TEST_F(RoceVectorTestCase,
              g_roceHeaders,
              "RDMA write without bytes, filled to Ethernet's minimum")
{
    Set(0, 0x02, 0, RC_WRITE_LAST, 0x11, 1);
    Check(MACS + "08004502002c00004000401126bd0a0000010a000002c12312b700180000" +
          "0800ffff0000001100000001666afb760000");
}

FABRIC_TEST_F(RoceVectorTestCase, g_roceHeaders, "Acknowledgement")
{
    SetAck(102, AETH_ACK);
    Check(MACS + "08004502003000004000401126b90a0000020a000001c12312b7001c00001140ffff00000012" +
          "000000661f0000035325945e");
}

FABRIC_TEST_F(RoceVectorTestCase, g_roceHeaders, "Negative acknowledgement, PSN sequence error")
{
    SetAck(103, AETH_NAK_PSN_SEQUENCE);
    Check(MACS + "08004502003000004000401126b90a0000020a000001c12312b7001c00001140ffff00000012" +
          "000000676000000329bca850");
}

FABRIC_TEST_F(RoceVectorTestCase, g_roceHeaders, "Congestion notification packet")
{
    Set(1, 0xC0, BTH_MIG_REQ | BTH_BECN, ROCE_CNP, 0x12, 0);
    Check(MACS + "080045c0003c00004000401125ef0a0000020a000001c12312b7002800008140ffff40000012" +
          "00000000" + Zeros(16) + "b72e05c7");
}

FABRIC_TEST_F(RoceVectorTestCase,
              g_roceHeaders,
              "PFC: class 3 pauses for the longest time, class 5 resumes")
{
    frame->kind = FrameKind::PFC;
    frame->Extra().pause.classes = 0x28;
    frame->Extra().pause.quanta[3] = 0xFFFF;
    Check("0180c2000001020000000001880801010028" + Zeros(6) + "ffff" + Zeros(8) + Zeros(26));
}

FABRIC_TEST_F(RoceVectorTestCase, g_roceHeaders, "PAUSE")
{
    frame->kind = FrameKind::PAUSE;
    frame->Extra().pause.quanta[0] = 0x1234;
    Check("0180c2000001020000000001880800011234" + Zeros(42));
}

/// Each header has the bytes that its standard asks for, and reads them back.
struct RoceHeadersTestCase : HeaderSerializationTestCase
{
    RoceHeadersTestCase()
        : HeaderSerializationTestCase("Headers have the right bytes and read them back")
    {
    }

    void DoRun() override;

    /// Write a header, read it, write it again: the same bytes and the same text.
    template <typename T>
    void Reread(const T& header)
    {
        TestHeaderSerialization(header);
        Ptr<Packet> packet = Create<Packet>();
        packet->AddHeader(header);
        T again;
        NS_TEST_EXPECT_MSG_EQ(packet->RemoveHeader(again),
                              header.GetSerializedSize(),
                              header.GetInstanceTypeId() << ": size");
        std::ostringstream before;
        header.Print(before);
        std::ostringstream after;
        again.Print(after);
        NS_TEST_EXPECT_MSG_NE(before.str(), "", header.GetInstanceTypeId() << ": text");
        NS_TEST_EXPECT_MSG_EQ(after.str().empty(), false, header.GetInstanceTypeId() << ": text");
        NS_TEST_EXPECT_MSG_EQ(header.GetInstanceTypeId().GetGroupName(), "AiFabric", "group");
        NS_TEST_EXPECT_MSG_EQ(header.GetInstanceTypeId().HasConstructor(), true, "constructor");
    }
};

[[maybe_unused]] static const bool g_hasHeaders = g_roceHeaders.Add(new RoceHeadersTestCase);

void
RoceHeadersTestCase::DoRun()
{
    RoceBthHeader bth;
    bth.SetOpcode(RC_WRITE_LAST_IMM);
    bth.SetFlags(0xFF);
    bth.SetPadCount(3);
    bth.SetPartitionKey(0x8001);
    bth.SetDestinationQp(0xFFABCDEF);
    bth.SetPsn(0xFF123456);
    NS_TEST_EXPECT_MSG_EQ(ToHex(bth), "09f08001c0abcdef80123456", "BTH, all flags");
    Reread(bth);
    for (const auto& [flag, hex] : std::vector<std::pair<uint8_t, std::string>>{
             {BTH_SOLICITED, "0480ffff0000000000000000"},
             {BTH_MIG_REQ, "0440ffff0000000000000000"},
             {BTH_FECN, "0400ffff8000000000000000"},
             {BTH_BECN, "0400ffff4000000000000000"},
             {BTH_ACK_REQ, "0400ffff0000000080000000"},
             {FRAME_IPV6, "0400ffff0000000000000000"},
         })
    {
        RoceBthHeader single;
        single.SetOpcode(RC_SEND_ONLY);
        single.SetFlags(flag);
        NS_TEST_EXPECT_MSG_EQ(ToHex(single), hex, "BTH, flag " << +flag);
        Reread(single);
    }

    RoceRethHeader reth;
    reth.SetReth({0x0123456789ABCDEF, 0xDEADBEEF, 0x00100000});
    NS_TEST_EXPECT_MSG_EQ(ToHex(reth), "0123456789abcdefdeadbeef00100000", "RETH");
    Reread(reth);

    RoceAethHeader aeth;
    aeth.SetSyndrome(AETH_NAK_PSN_SEQUENCE);
    aeth.SetMsn(0xFF00ABCD);
    NS_TEST_EXPECT_MSG_EQ(ToHex(aeth), "6000abcd", "AETH");
    Reread(aeth);

    RoceImmHeader immediate;
    immediate.SetImmediate(0x80ABCDEF);
    NS_TEST_EXPECT_MSG_EQ(ToHex(immediate), "80abcdef", "immediate");
    Reread(immediate);

    MacControlHeader control;
    control.SetOpcode(MacControlHeader::PFC);
    control.SetPauseVector({{1, 2, 3, 0xFFFF, 5, 6, 7, 0x8000}, 0x88});
    NS_TEST_EXPECT_MSG_EQ(ToHex(control),
                          "0101008800010002"
                          "0003ffff"
                          "0005000600078000",
                          "PFC");
    Reread(control);
    control.SetOpcode(MacControlHeader::PAUSE);
    NS_TEST_EXPECT_MSG_EQ(ToHex(control), "00010001", "PAUSE");
    Reread(control);
    control.SetOpcode(0x0002);
    NS_TEST_EXPECT_MSG_EQ(ToHex(control), "0002", "other MAC control opcode");
    Reread(control);
}
