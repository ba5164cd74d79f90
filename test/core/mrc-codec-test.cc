/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/fabric-frame-pool.h"
#include "ns3/mrc-codec.h"
#include "ns3/roce-bth-header.h"

#include <iomanip>

using namespace ns3;

namespace
{

/// @return bytes as hexadecimal digits  @param buffer the bytes
std::string
ToHex(const Buffer& buffer)
{
    std::ostringstream os;
    for (uint32_t b = 0; b < buffer.GetSize(); ++b)
    {
        os << std::hex << std::setfill('0') << std::setw(2) << +buffer.PeekData()[b];
    }
    return os.str();
}

/// @return BTH and the headers behind it
Buffer
WriteHeaders(const FabricFrame& frame)
{
    const MrcCodec codec;
    const BthCodec::BthFields fields = codec.GetBth(frame);
    RoceBthHeader bth;
    bth.SetOpcode(frame.opcode);
    bth.SetFlags(frame.flags);
    bth.SetDestinationQp(frame.destinationQp);
    bth.SetPsn(fields.psn);
    bth.SetReserved(fields.reserved);
    Buffer buffer;
    buffer.AddAtStart(RoceBthHeader::SIZE + codec.GetBytes(frame.opcode, fields.reserved));
    Buffer::Iterator i = buffer.Begin();
    bth.Serialize(i);
    i.Next(RoceBthHeader::SIZE);
    codec.Write(i, frame);
    EXPECT_TRUE(i.IsEnd()) << "as many bytes as announced";
    return buffer;
}

/// @return a frame that has the fields of these headers  @param buffer BTH and what is behind it
Ptr<FabricFrame>
ReadHeaders(const Buffer& buffer, const Ptr<FabricFramePool>& pool)
{
    Ptr<FabricFrame> frame = pool->Create();
    RoceBthHeader bth;
    Buffer::Iterator i = buffer.Begin();
    i.Next(bth.Deserialize(i));
    frame->opcode = bth.GetOpcode();
    frame->flags = bth.GetFlags();
    frame->destinationQp = bth.GetDestinationQp();
    frame->psn = bth.GetPsn();
    frame->syndrome = bth.GetReserved();
    MrcCodec().Read(i, *frame);
    return frame;
}

} // namespace

/// A packet that is a whole message, without timestamp: the address of its first byte, the key, and
/// the length.
TEST(MrcCodec, VectorOfAWrite)
{
    const auto pool = Create<FabricFramePool>();
    const Ptr<FabricFrame> frame = pool->Create();
    frame->opcode = MRC_WRITE_ONLY;
    frame->destinationQp = 0x123;
    frame->flags = BTH_ACK_REQ;
    frame->psn = 0x10;
    frame->msn = 7;
    frame->Extra().reth = {0x7F0012345000, 0xABCD, 4096};
    EXPECT_EQ(ToHex(WriteHeaders(*frame)),
              "ca00ffff0000012380000010"
              "00000007"
              "00007f00123450000000abcd00001000");
    frame->syndrome = MrcCodec::RETRANSMISSION | MrcCodec::HAS_TIME;
    frame->sentAt = 0x11234 * MrcCodec::TICK;
    EXPECT_EQ(ToHex(WriteHeaders(*frame)),
              "ca00ffff00000123b0000010"
              "00000007"
              "12340001"
              "00007f00123450000000abcd00001000");
    const Ptr<FabricFrame> read = ReadHeaders(WriteHeaders(*frame), pool);
    EXPECT_EQ(read->GetExtra().reth.virtualAddress, 0x7F0012345000U);
    EXPECT_EQ(read->GetExtra().reth.length, 4096U);
    EXPECT_EQ(read->msn, 7U);
    EXPECT_EQ(read->sentAt, 0x1234 * MrcCodec::TICK) << "the header has 16 bits of the time";
    EXPECT_EQ(read->syndrome, MrcCodec::RETRANSMISSION | MrcCodec::HAS_TIME);
}

/// PSNs 5 and 8 of 0 to 11 are missing; PSN 11 was marked and has triggered the report.
TEST(MrcCodec, VectorOfASack)
{
    const auto pool = Create<FabricFramePool>();
    const Ptr<FabricFrame> frame = pool->Create();
    frame->opcode = MRC_SACK;
    frame->destinationQp = 0x321;
    frame->psn = 11;
    frame->sentAt = 0x1234 * MrcCodec::TICK;
    frame->Extra().immediate = 0x123;
    SackFields& sack = frame->Extra().sack;
    sack.cumulativePsn = 5;
    sack.bitmapPsn = 5;
    sack.bitmap = 0x76;
    sack.verdict = 1;
    sack.entropy = 0x00030011;
    sack.range = 8;
    sack.outOfOrder = 5;
    sack.receivedBytes = 0xA3 * 256 - 255; // rounded up
    const std::string vector = "dc00ffff0000032100000004"
                               "0020000700030011032101230000000400080001"
                               "0000000000000076"
                               "12340005000000a3";
    EXPECT_EQ(ToHex(WriteHeaders(*frame)), vector);
    const Ptr<FabricFrame> read = ReadHeaders(WriteHeaders(*frame), pool);
    EXPECT_EQ(read->psn, 11U);
    EXPECT_EQ(read->GetExtra().sack.cumulativePsn, 5U);
    EXPECT_EQ(read->GetExtra().sack.receivedBytes, 0xA3U * 256);
    EXPECT_EQ(ToHex(WriteHeaders(*read)), vector) << "what was read is written again";
}

/// The same entropy, and PSN 8 was trimmed.
TEST(MrcCodec, VectorOfANack)
{
    const auto pool = Create<FabricFramePool>();
    const Ptr<FabricFrame> frame = pool->Create();
    frame->opcode = MRC_NACK;
    frame->destinationQp = 0x321;
    frame->psn = 8;
    frame->syndrome = MrcCodec::TRIMMED;
    frame->sentAt = 0x1234 * MrcCodec::TICK;
    frame->Extra().immediate = 0x123;
    frame->Extra().sack.entropy = 0x00030011;
    const std::string vector = "dd00ffff0000032100000008"
                               "0000010000030011032101230000000800001234";
    EXPECT_EQ(ToHex(WriteHeaders(*frame)), vector);
    EXPECT_EQ(ToHex(WriteHeaders(*ReadHeaders(WriteHeaders(*frame), pool))), vector);
}

/// By the layout of the specification: probe, answer to a probe, requests of an endpoint.
TEST(MrcCodec, VectorsOfProbes)
{
    const auto pool = Create<FabricFramePool>();
    const Ptr<FabricFrame> probe = pool->Create();
    probe->opcode = MRC_PROBE;
    probe->destinationQp = 0x123;
    probe->psn = 0xBEEF;
    probe->sentAt = 0x1234 * MrcCodec::TICK;
    probe->Extra().immediate = 0x321;
    EXPECT_EQ(ToHex(WriteHeaders(*probe)),
              "de00ffff0000012300000000"
              "00000000beef0000"
              "0123032112340001");
    const Ptr<FabricFrame> answer = pool->Create();
    answer->opcode = MRC_SACK;
    answer->Extra().sack.probe = 0xBEEF;
    answer->Extra().sack.cumulativePsn = 3;
    EXPECT_EQ(ToHex(WriteHeaders(*answer)).substr(24, 8), "0002beef");
    const Ptr<FabricFrame> request = pool->Create();
    request->opcode = MRC_REQUEST;
    request->destinationQp = 2;
    request->psn = 0x1234;
    request->syndrome = MrcCodec::EV_PROBE;
    request->msn = 0x000000FD;
    request->sentAt = 0x77 * MrcCodec::TICK;
    EXPECT_EQ(ToHex(WriteHeaders(*request)),
              "d800ffff0000000200001234"
              "00010000000000fd0000000000770001");
    request->opcode = MRC_RESPONSE;
    EXPECT_EQ(ToHex(WriteHeaders(*request)),
              "d900ffff0000000200001234"
              "0004" +
                  std::string(52, '0') + "0077" + std::string(12, '0'));
}

/// Random bytes behind a BTH: reading them does no harm, and writing what was read gives the same
/// headers as reading and writing once more.
TEST(MrcCodec, RandomBytes)
{
    const auto pool = Create<FabricFramePool>();
    const MrcCodec codec;
    std::mt19937 dice(1);
    uint32_t known = 0;
    for (uint32_t round = 0; round < 20000; ++round)
    {
        const auto opcode = static_cast<uint8_t>(0xC0 + dice() % 32);
        if (!codec.Supports(opcode))
        {
            continue;
        }
        ++known;
        const uint8_t reserved = dice() % 128;
        RoceBthHeader bth;
        bth.SetOpcode(opcode);
        bth.SetPsn(dice());
        bth.SetReserved(reserved);
        Buffer buffer;
        buffer.AddAtStart(RoceBthHeader::SIZE + codec.GetBytes(opcode, reserved));
        Buffer::Iterator i = buffer.Begin();
        bth.Serialize(i);
        i.Next(RoceBthHeader::SIZE);
        while (!i.IsEnd())
        {
            i.WriteU8(dice());
        }
        const Buffer first = WriteHeaders(*ReadHeaders(buffer, pool));
        EXPECT_EQ(ToHex(WriteHeaders(*ReadHeaders(first, pool))), ToHex(first)) << +opcode;
    }
    EXPECT_GT(known, 5000U);
}
