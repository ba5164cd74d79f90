/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-frame.h"
#include "ns3/frame-codec.h"
#include "ns3/header-serialization-test.h"
#include "ns3/mac-control-header.h"
#include "ns3/packet.h"
#include "ns3/roce-aeth-header.h"
#include "ns3/roce-bth-header.h"
#include "ns3/roce-icrc.h"
#include "ns3/roce-imm-header.h"
#include "ns3/roce-reth-header.h"
#include "ns3/test.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

const std::string MACS = "020000000002020000000001"; //!< addresses of host 1 and host 0

/**
 * @param packet a packet
 * @return its bytes as hexadecimal digits
 */
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

/**
 * @param header a header
 * @return its bytes as hexadecimal digits
 */
std::string
ToHex(const Header& header)
{
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(header);
    return ToHex(packet);
}

/**
 * @param count how many
 * @return the hexadecimal digits of that many zero bytes
 */
std::string
Zeros(std::size_t count)
{
    return std::string(2 * count, '0');
}

} // namespace

/**
 * @ingroup ai-fabric
 *
 * A frame has exactly the bytes of a published capture or of an independent calculation, and these
 * bytes give the frame again.
 */
class RoceVectorTestCase : public TestCase
{
  public:
    /// Sets the fields of a frame.
    using Fill = std::function<void(FabricFrame&)>;

    /**
     * @param name what the frame is
     * @param fill sets its fields
     * @param expected its bytes as hexadecimal digits
     */
    RoceVectorTestCase(const std::string& name, Fill fill, const std::string& expected)
        : TestCase(name),
          m_fill(fill),
          m_expected(expected)
    {
    }

  private:
    void DoRun() override
    {
        const Mac48Address source("02:00:00:00:00:01");
        const Mac48Address destination("02:00:00:00:00:02");
        Ptr<FabricFramePool> pool = Create<FabricFramePool>();
        Ptr<FabricFrame> frame = pool->Create();
        frame->entropy = 0xC123;
        m_fill(*frame);

        Ptr<Packet> packet = FrameCodec::Serialize(*frame, source, destination);
        NS_TEST_ASSERT_MSG_EQ(ToHex(packet), m_expected, "bytes of the frame");
        NS_TEST_EXPECT_MSG_EQ(FrameCodec::WireBytes(*frame),
                              packet->GetSize() + FrameCodec::FCS_SIZE,
                              "size on the wire");

        Ptr<FabricFrame> again = FrameCodec::Deserialize(packet, *pool);
        NS_TEST_ASSERT_MSG_NE(again, nullptr, "frame of the bytes");
        NS_TEST_EXPECT_MSG_EQ(ToHex(FrameCodec::Serialize(*again, source, destination)),
                              m_expected,
                              "bytes of the frame of the bytes");
    }

    Fill m_fill;            //!< sets the frame's fields
    std::string m_expected; //!< its bytes as hexadecimal digits
};

/**
 * @ingroup ai-fabric
 *
 * Each header has the bytes that its standard asks for, and reads them back.
 */
class RoceHeadersTestCase : public HeaderSerializationTestCase
{
  public:
    RoceHeadersTestCase()
        : HeaderSerializationTestCase("Headers have the right bytes and read them back")
    {
    }

  private:
    void DoRun() override
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

    /**
     * Write a header, read it, write it again: the same bytes and the same text.
     *
     * @param header the header
     */
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

/**
 * @ingroup ai-fabric
 *
 * What is on the cable: headers, ICRC and whole frames byte for byte.
 */
class RoceHeadersTestSuite : public TestSuite
{
  public:
    RoceHeadersTestSuite()
        : TestSuite("ai-fabric-wire", TestSuite::Type::UNIT)
    {
        AddTestCase(new RoceHeadersTestCase);
        AddData();
        AddAnswers();
        AddPauses();
    }

  private:
    /// Add packets with data.
    void AddData();

    /// Add what answers to data.
    void AddAnswers();

    /// Add MAC control frames.
    void AddPauses();
};

void
RoceHeadersTestSuite::AddData()
{
    AddTestCase(new RoceVectorTestCase(
        "RDMA write of 64 bytes, as computed independently and read by tshark",
        [](FabricFrame& frame) {
            frame.source = 0;
            frame.destination = 1;
            frame.SetTos(0x02);
            frame.flags = BTH_MIG_REQ | BTH_ACK_REQ;
            frame.opcode = RC_WRITE_ONLY;
            frame.destinationQp = 0x11;
            frame.psn = 103;
            frame.payload = 64;
            frame.Extra().reth = {0x7F0000002000, 0x1234, 64};
        },
        MACS + "08004502007c000040004011266d0a0000010a000002c12312b7006800000a40ffff00000011" +
            "8000006700007f00000020000000123400000040" + Zeros(64) + "b68718e1"));
    AddTestCase(new RoceVectorTestCase(
        "IPv6 with a flow label, three bytes of pad",
        [](FabricFrame& frame) {
            frame.source = 0;
            frame.destination = 1;
            frame.entropy = 0xABCDC123;
            frame.SetTos(0x6A);
            frame.ttl = 63;
            frame.flags = BTH_SOLICITED | BTH_ACK_REQ | FRAME_IPV6;
            frame.opcode = RC_SEND_LAST_IMM;
            frame.destinationQp = 0xABCDEF;
            frame.psn = 0xFFFFFF;
            frame.payload = 5;
            frame.Extra().immediate = 0x01020304;
        },
        MACS +
            "86dd66a0abcd0024113ffd000000000000000000000000000001fd000000000000000000000000000002" +
            "c12312b70024000003b0ffff00abcdef80ffffff010203040000000000000000318f6a5b"));
    AddTestCase(new RoceVectorTestCase(
        "RDMA write without bytes, filled to Ethernet's minimum",
        [](FabricFrame& frame) {
            frame.source = 0;
            frame.destination = 1;
            frame.SetTos(0x02);
            frame.opcode = RC_WRITE_LAST;
            frame.destinationQp = 0x11;
            frame.psn = 1;
        },
        MACS + "08004502002c00004000401126bd0a0000010a000002c12312b700180000" +
            "0800ffff0000001100000001666afb760000"));
}

void
RoceHeadersTestSuite::AddAnswers()
{
    AddTestCase(new RoceVectorTestCase(
        "Acknowledgement",
        [](FabricFrame& frame) {
            frame.source = 1;
            frame.destination = 0;
            frame.SetTos(0x02);
            frame.flags = BTH_MIG_REQ;
            frame.opcode = RC_ACK;
            frame.destinationQp = 0x12;
            frame.psn = 102;
            frame.syndrome = AETH_ACK;
            frame.msn = 3;
        },
        MACS + "08004502003000004000401126b90a0000020a000001c12312b7001c00001140ffff00000012" +
            "000000661f0000035325945e"));
    AddTestCase(new RoceVectorTestCase(
        "Negative acknowledgement, PSN sequence error",
        [](FabricFrame& frame) {
            frame.source = 1;
            frame.destination = 0;
            frame.SetTos(0x02);
            frame.flags = BTH_MIG_REQ;
            frame.opcode = RC_ACK;
            frame.destinationQp = 0x12;
            frame.psn = 103;
            frame.syndrome = AETH_NAK_PSN_SEQUENCE;
            frame.msn = 3;
        },
        MACS + "08004502003000004000401126b90a0000020a000001c12312b7001c00001140ffff00000012" +
            "000000676000000329bca850"));
    AddTestCase(new RoceVectorTestCase(
        "Congestion notification packet",
        [](FabricFrame& frame) {
            frame.source = 1;
            frame.destination = 0;
            frame.SetTos(0xC0);
            frame.flags = BTH_MIG_REQ | BTH_BECN;
            frame.opcode = ROCE_CNP;
            frame.destinationQp = 0x12;
        },
        MACS + "080045c0003c00004000401125ef0a0000020a000001c12312b7002800008140ffff40000012" +
            "00000000" + Zeros(16) + "b72e05c7"));
}

void
RoceHeadersTestSuite::AddPauses()
{
    AddTestCase(new RoceVectorTestCase(
        "PFC: class 3 pauses for the longest time, class 5 resumes",
        [](FabricFrame& frame) {
            frame.entropy = 0;
            frame.kind = FrameKind::PFC;
            frame.Extra().pause.classes = 0x28;
            frame.Extra().pause.quanta[3] = 0xFFFF;
        },
        "0180c2000001"
        "020000000001"
        "8808"
        "0101"
        "0028" +
            Zeros(6) + "ffff" + Zeros(8) + Zeros(26)));
    AddTestCase(new RoceVectorTestCase(
        "PAUSE",
        [](FabricFrame& frame) {
            frame.entropy = 0;
            frame.kind = FrameKind::PAUSE;
            frame.Extra().pause.quanta[0] = 0x1234;
        },
        "0180c2000001"
        "020000000001"
        "8808"
        "0001"
        "1234" +
            Zeros(42)));
}

static RoceHeadersTestSuite g_roceHeadersTestSuite; //!< the suite
