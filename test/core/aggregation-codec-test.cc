/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/atp-codec.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/frame-codec.h"
#include "ns3/switchml-codec.h"

#include <iomanip>

using namespace ns3;

namespace
{

const Mac48Address SOURCE("02:00:00:00:00:01");
const Mac48Address DESTINATION("02:00:00:00:00:02");

std::vector<uint8_t>
ToBytes(const Packet& packet)
{
    std::vector<uint8_t> bytes(packet.GetSize());
    packet.CopyData(bytes.data(), bytes.size());
    return bytes;
}

/// @return bytes as hexadecimal digits
std::string
ToHex(const std::vector<uint8_t>& bytes, std::size_t from, std::size_t count)
{
    std::ostringstream os;
    for (std::size_t b = from; b < from + count; ++b)
    {
        os << std::hex << std::setfill('0') << std::setw(2) << +bytes.at(b);
    }
    return os.str();
}

/// @return what two equal frames have equal
std::string
Describe(const FabricFrame& frame)
{
    const GradientFields& g = frame.GetExtra().gradients;
    std::ostringstream os;
    os << +static_cast<uint8_t>(frame.kind) << ' ' << +frame.opcode << ' ' << frame.source << ' '
       << frame.destination << ' ' << frame.entropy << ' ' << frame.flowHash << ' ' << frame.payload
       << ' ' << frame.wireBytes << ' ' << +frame.GetTos() << ' ' << +frame.ttl << ' '
       << +frame.flags << ": " << g.tensor << ' ' << g.bitmap << ' ' << g.sequence << ' '
       << g.length << ' ' << g.job << ' ' << g.slot << ' ' << +g.workers << ' ' << +g.flags << ' '
       << +g.priority << ' ' << +g.moreFlags << ' ' << +g.exponents[0] << ' ' << +g.exponents[1];
    for (uint32_t v = 0; v < frame.payload / 4U; ++v)
    {
        os << ' ' << frame.GetExtra().values[v];
    }
    return os.str();
}

/// A frame of ATP whose bytes are known.  @param pool where it is to live  @return the frame
Ptr<FabricFrame>
MakeAtp(FabricFramePool& pool, std::vector<int32_t> values)
{
    const Ptr<FabricFrame> frame = pool.Create();
    frame->kind = FrameKind::ATP;
    frame->source = 1;
    frame->destination = 2;
    GradientFields& g = frame->Extra().gradients;
    g.bitmap = 0x80000004;
    g.workers = 32;
    g.flags = AtpCodec::IS_RESENT | AtpCodec::HAS_MARK;
    g.job = 0x0102;
    g.sequence = 0xABCD;
    g.slot = 7;
    g.tensor = 0x1122334455667788;
    g.length = 1024000;
    if (!values.empty())
    {
        frame->Extra().values = values;
    }
    return frame;
}

/// @return a random packet of gradients
struct GradientFrames
{
    /// @param pool where the frame is to live
    Ptr<FabricFrame> Draw(FabricFramePool& pool)
    {
        const Ptr<FabricFrame> frame = pool.Create();
        frame->source = Number(65535);
        frame->destination = Number(65535);
        frame->SetTos(Number(255));
        frame->ttl = Number(255);
        frame->flags = Number(1) ? FRAME_IPV6 : 0;
        GradientFields& g = frame->Extra().gradients;
        const bool isAtp = Number(2) > 0;
        frame->kind = isAtp ? FrameKind::ATP : FrameKind::SWITCHML;
        frame->opcode = Number(1);
        g.slot = Number(0xFFFF);
        g.job = Number(isAtp ? 0xFFFF : 0xFF);
        g.sequence = Number(isAtp ? 0xFFFF : 0xFFFFFFFF);
        if (isAtp)
        {
            g.tensor = uint64_t{Number(0xFFFFFFFF)} << 32 | Number(0xFFFFFFFF);
            g.bitmap = Number(0xFFFFFFFF);
            g.length = Number(0xFFFFFFFF);
            g.workers = Number(255);
            g.flags = Number(255);
            g.priority = frame->opcode == AtpCodec::WITH_PRIORITY ? Number(255) : 0;
            g.moreFlags = frame->opcode == AtpCodec::WITH_PRIORITY ? Number(255) : 0;
        }
        else
        {
            g.exponents[0] = Number(255);
            g.exponents[1] = Number(255);
        }
        std::vector<int32_t> values(isAtp       ? Number(AtpCodec::MOST_VALUES)
                                    : Number(1) ? SwitchMlCodec::FEW_VALUES
                                                : SwitchMlCodec::MANY_VALUES);
        std::generate(values.begin(), values.end(), [this] { return Number(0xFFFFFFFF); });
        if (!values.empty())
        {
            frame->Extra().values = values;
        }
        const uint16_t port = Number(0xFFFF);
        if (isAtp)
        {
            AtpCodec().Complete(*frame, port);
        }
        else
        {
            SwitchMlCodec().Complete(*frame, port);
        }
        return frame;
    }

    /// @return a number from 0 to the largest
    uint32_t Number(uint32_t largest)
    {
        return std::uniform_int_distribution<uint32_t>(0, largest)(m_random);
    }

    std::mt19937 m_random{1};
};

} // namespace

TEST(AggregationCodec, AtpTestVector)
{
    const Ptr<FabricFramePool> pool = Create<FabricFramePool>();
    const Ptr<FabricFrame> frame = MakeAtp(*pool, {1, -1, 0x7FFFFFFF});
    AtpCodec().Complete(*frame, 0xC001);
    const std::vector<uint8_t> bytes = ToBytes(*FrameCodec::Serialize(*frame, SOURCE, DESTINATION));
    constexpr std::size_t UDP = 14 + 20;
    EXPECT_EQ(ToHex(bytes, UDP, 8), "c001bef0002e0000") << "ports, length 8 + 26 + 12, no checksum";
    EXPECT_EQ(ToHex(bytes, UDP + 8, 14),
              "80000004"
              "20"
              "0c"
              "0102abcd"
              "00074e27");
    EXPECT_EQ(ToHex(bytes, UDP + 22, 12),
              "00000001"
              "ffffffff"
              "7fffffff");
    EXPECT_EQ(ToHex(bytes, UDP + 34, 12),
              "1122334455667788"
              "000fa000");
    EXPECT_EQ(bytes.size(), UDP + 46);
}

TEST(AggregationCodec, EsaTestVector)
{
    const Ptr<FabricFramePool> pool = Create<FabricFramePool>();
    const Ptr<FabricFrame> frame = MakeAtp(*pool, {});
    frame->opcode = AtpCodec::WITH_PRIORITY;
    frame->Extra().gradients.priority = 0x99;
    frame->Extra().gradients.moreFlags = AtpCodec::IS_REMINDER;
    AtpCodec().Complete(*frame, 0xC001);
    EXPECT_EQ(frame->wireBytes, 14 + 20 + 8 + 28 + 4) << "a reminder has no values";
    const std::vector<uint8_t> bytes = ToBytes(*FrameCodec::Serialize(*frame, SOURCE, DESTINATION));
    EXPECT_EQ(ToHex(bytes, 14 + 20 + 8 + 14, 14),
              "1122334455667788"
              "000fa000"
              "9980");
}

TEST(AggregationCodec, SwitchMlTestVector)
{
    const Ptr<FabricFramePool> pool = Create<FabricFramePool>();
    const Ptr<FabricFrame> frame = pool->Create();
    frame->kind = FrameKind::SWITCHML;
    frame->opcode = SwitchMlCodec::HARVEST;
    GradientFields& g = frame->Extra().gradients;
    g.job = 0x2A;
    g.sequence = 0x01020304;
    g.slot = SwitchMlCodec::SET_MASK | 0x10;
    g.exponents[0] = -3;
    g.exponents[1] = 4;
    std::vector<int32_t> values(SwitchMlCodec::FEW_VALUES, 0);
    values.front() = -2;
    values.back() = 3;
    frame->Extra().values = values;
    SwitchMlCodec().Complete(*frame, 0xC002);
    EXPECT_EQ(frame->wireBytes, 312);
    const std::vector<uint8_t> bytes = ToBytes(*FrameCodec::Serialize(*frame, SOURCE, DESTINATION));
    constexpr std::size_t UDP = 14 + 20;
    EXPECT_EQ(ToHex(bytes, UDP, 8), "c002bee001120000");
    EXPECT_EQ(ToHex(bytes, UDP + 8, 14),
              "11"
              "2a"
              "01020304"
              "8010"
              "fd04"
              "fffffffe");
    EXPECT_EQ(ToHex(bytes, bytes.size() - 4, 4), "00000003");
}

TEST(AggregationCodec, SizesOfFullPackets)
{
    const Ptr<FabricFramePool> pool = Create<FabricFramePool>();
    const std::vector<int32_t> values(AtpCodec::MOST_VALUES, 1);
    const Ptr<FabricFrame> atp = MakeAtp(*pool, values);
    AtpCodec().Complete(*atp, 1);
    EXPECT_EQ(atp->payload, 248);
    EXPECT_EQ(atp->wireBytes, 308 + 8 + 4) << "308 bytes of ATP, UDP and FCS";
    atp->opcode = AtpCodec::WITH_PRIORITY;
    AtpCodec().Complete(*atp, 1);
    EXPECT_EQ(atp->wireBytes, 310 + 8 + 4);
}

TEST(AggregationCodec, FrameToBytesToFrameIsTheIdentity)
{
    const Ptr<FabricFramePool> pool = Create<FabricFramePool>();
    GradientFrames frames;
    for (int n = 0; n < 5000; ++n)
    {
        const Ptr<FabricFrame> frame = frames.Draw(*pool);
        const std::string before = Describe(*frame);
        const Ptr<Packet> packet = FrameCodec::Serialize(*frame, SOURCE, DESTINATION);
        ASSERT_EQ(packet->GetSize() + FrameCodec::FCS_SIZE, frame->wireBytes) << before;
        const Ptr<FabricFrame> again = FrameCodec::Deserialize(packet, *pool);
        ASSERT_TRUE(again) << before;
        ASSERT_EQ(Describe(*again), before);
        ASSERT_EQ(Describe(*pool->Clone(*frame)), before) << "of the clone";
    }
    EXPECT_EQ(pool->GetLive(), 0U);
}

TEST(AggregationCodec, DamagedBytesGiveAFrameOrAReason)
{
    const Ptr<FabricFramePool> pool = Create<FabricFramePool>();
    GradientFrames frames;
    for (int n = 0; n < 5000; ++n)
    {
        const Ptr<FabricFrame> frame = frames.Draw(*pool);
        std::vector<uint8_t> bytes = ToBytes(*FrameCodec::Serialize(*frame, SOURCE, DESTINATION));
        for (uint32_t changes = frames.Number(3); changes > 0; --changes)
        {
            bytes[frames.Number(bytes.size() - 1)] = frames.Number(255);
        }
        bytes.resize(frames.Number(1) ? bytes.size() : frames.Number(bytes.size()));
        FrameCodec::Result result;
        const Ptr<FabricFrame> again =
            FrameCodec::Deserialize(Create<Packet>(bytes.data(), bytes.size()), *pool, &result);
        ASSERT_EQ(again != nullptr, result == FrameCodec::Result::OK);
    }
}
