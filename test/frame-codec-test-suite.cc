/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/address-plan.h"
#include "ns3/fabric-frame.h"
#include "ns3/frame-bundle.h"
#include "ns3/frame-trailer.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/packet.h"
#include "ns3/pcap-file-wrapper.h"
#include "ns3/rc-codec.h"
#include "ns3/roce-bth-header.h"
#include "ns3/roce-icrc.h"
#include "ns3/spray-codec.h"
#include "ns3/tcp-header.h"
#include "ns3/udp-header.h"

#include <deque>

/// Translation between frames and bytes.
static Suite g_frameCodec("ai-fabric-frame-codec");

namespace
{

/// All opcodes of the module.
constexpr std::array<uint8_t, 29> OPCODES{RC_SEND_FIRST,
                                          RC_SEND_MIDDLE,
                                          RC_SEND_LAST,
                                          RC_SEND_LAST_IMM,
                                          RC_SEND_ONLY,
                                          RC_SEND_ONLY_IMM,
                                          RC_WRITE_FIRST,
                                          RC_WRITE_MIDDLE,
                                          RC_WRITE_LAST,
                                          RC_WRITE_LAST_IMM,
                                          RC_WRITE_ONLY,
                                          RC_WRITE_ONLY_IMM,
                                          RC_ACK,
                                          ROCE_CNP,
                                          SPRAY_DATA,
                                          SPRAY_LAST,
                                          SPRAY_ACK,
                                          SPRAY_NACK,
                                          SPRAY_PROBE,
                                          SPRAY_CREDIT,
                                          SPRAY_REQUEST,
                                          SPRAY_DEMAND_DATA,
                                          SPRAY_DEMAND_LAST,
                                          RC_READ_REQUEST,
                                          RC_READ_RESPONSE_FIRST,
                                          RC_READ_RESPONSE_MIDDLE,
                                          RC_READ_RESPONSE_LAST,
                                          RC_READ_RESPONSE_ONLY,
                                          CONWEAVE_CONTROL};

/// @param host index of a host  @return its IPv4 address
Ipv4Address
ToIpv4(uint32_t host)
{
    return Ipv4Address(addressplan::HostIpv4(host));
}

/// @param host index of a host  @return its IPv6 address
Ipv6Address
ToIpv6(uint32_t host)
{
    addressplan::Ipv6Bytes bytes = addressplan::HostIpv6(host);
    return Ipv6Address(bytes.data());
}

/// Makes random frames in which everything that goes on the wire is set.
struct FrameGenerator
{
    /// @param stream the random stream to use
    explicit FrameGenerator(int64_t stream)
    {
        m_random->SetStream(stream);
    }

    /// @return a random number from 0 to max
    uint32_t Number(uint32_t max)
    {
        return m_random->GetInteger(0, max);
    }

    /// @return random 32 bits
    uint32_t Word()
    {
        return Number(0xFFFF) << 16 | Number(0xFFFF);
    }

    /// @return a random MAC address
    Mac48Address Mac()
    {
        std::array<uint8_t, 6> bytes;
        std::generate(bytes.begin(), bytes.end(), [this] { return Number(0xFF); });
        Mac48Address address;
        address.CopyFrom(bytes.data());
        return address;
    }

    /// @param pool where the frame is to live  @return a frame of any kind
    Ptr<FabricFrame> Any(FabricFramePool& pool)
    {
        return Number(9) < 2 ? Ip(pool, MAX_IP_PAYLOAD) : NotIp(pool);
    }

    /// @param pool where the frame is to live  @return a frame of any kind but IP
    Ptr<FabricFrame> NotIp(FabricFramePool& pool)
    {
        if (Number(7) == 0)
        {
            return Pause(pool);
        }
        const uint8_t opcode = OPCODES[Number(OPCODES.size() - 1)];
        Ptr<FabricFrame> frame = Roce(pool, opcode, Number(1), MAX_PAYLOAD);
        if (Number(4) == 0)
        {
            Trim(*frame);
        }
        return frame;
    }

    /// @param pool where the frame is to live  @param ipv6 whether in IPv6
    /// @param maxPayload most bytes of a message  @return a RoCE frame
    Ptr<FabricFrame> Roce(FabricFramePool& pool, uint8_t opcode, bool ipv6, uint32_t maxPayload)
    {
        Ptr<FabricFrame> frame = pool.Create();
        frame->kind = FrameKind::ROCE;
        frame->source = Number(addressplan::HOST_LIMIT - 1);
        frame->destination = Number(addressplan::HOST_LIMIT - 1);
        frame->SetTos(Number(0xFF));
        frame->ttl = Number(0xFF);
        frame->flags = Number(0x1F) | (ipv6 ? FRAME_IPV6 : 0);
        frame->destinationQp = Number(0xFFFFFF);
        frame->opcode = opcode;
        frame->psn = Number(0xFFFFFF);
        if (RcCodec::HasPayload(opcode) || SprayCodec::IsData(opcode))
        {
            frame->payload = Number(1) ? Number(std::min(maxPayload, 9U)) : Number(maxPayload);
        }
        if (RcCodec::HasReth(opcode))
        {
            frame->Extra().reth = {static_cast<uint64_t>(Word()) << 32 | Word(), Word(), Word()};
        }
        if (RcCodec::HasImmediate(opcode))
        {
            frame->Extra().immediate = Word();
        }
        if (RcCodec::HasAeth(opcode))
        {
            frame->syndrome = Number(0xFF);
            frame->msn = Number(0xFFFFFF);
        }
        if (opcode == CONWEAVE_CONTROL)
        {
            ConweaveTag& tag = frame->Extra().leaf.conweave;
            tag.kind = static_cast<ConweaveTag::Kind>(Number(ConweaveTag::NOTIFY));
            tag.epoch = Number(0xFF);
            tag.uplink = Number(0xFF);
        }
        else if (opcode >= SPRAY_DATA)
        {
            Spray(*frame);
        }
        FrameCodec::SetFlow(*frame, Word());
        frame->wireBytes = FrameCodec::WireBytes(*frame);
        return frame;
    }

    /// Fill in what SprayCodec writes.  @param frame a frame with one of its opcodes
    void Spray(FabricFrame& frame)
    {
        if (SprayCodec::HasDemand(frame.opcode))
        {
            frame.Extra().demand = {Number(0xFFFFFF), Number(0xFFFFFF)};
        }
        if (SprayCodec::IsData(frame.opcode))
        {
            frame.msn = Word();
            frame.offset = Word();
            return;
        }
        if (frame.opcode == SPRAY_REQUEST)
        {
            return;
        }
        frame.syndrome = Number(0xFF);
        frame.msn = Number(0xFFFFFF);
        if (frame.opcode == SPRAY_ACK)
        {
            SackFields& sack = frame.Extra().sack;
            sack.bitmap = static_cast<uint64_t>(Word()) << 32 | Word();
            sack.receivedBytes = static_cast<uint64_t>(Number(0x1FFF)) << 32 | Word();
            sack.cumulativePsn = Number(0xFFFFFF);
            sack.bitmapPsn = Number(0xFFFFFF);
            sack.outOfOrder = Word();
            sack.penalty = Number(0xFF);
            sack.probe = Number(0xFF);
        }
    }

    /// Cut off the end of a frame, behind its headers, if it has data.
    void Trim(FabricFrame& frame)
    {
        const uint32_t least = std::max(FrameCodec::HeaderBytes(frame) + FrameCodec::FCS_SIZE,
                                        FrameCodec::MIN_FRAME_SIZE);
        if (frame.payload > 0 && frame.wireBytes > least)
        {
            frame.wireBytes = least + Number(frame.wireBytes - 1 - least);
            frame.flags |= FRAME_TRIMMED;
        }
    }

    /// @param pool where the frame is to live  @return a PAUSE or PFC frame
    Ptr<FabricFrame> Pause(FabricFramePool& pool)
    {
        Ptr<FabricFrame> frame = pool.Create();
        frame->kind = FrameKind::PAUSE;
        frame->Extra().pause.quanta[0] = Number(0xFFFF);
        if (Number(3))
        {
            frame->kind = FrameKind::PFC;
            frame->Extra().pause.classes = Number(0xFF);
            std::generate(frame->Extra().pause.quanta.begin(),
                          frame->Extra().pause.quanta.end(),
                          [this] { return Number(0xFFFF); });
        }
        frame->wireBytes = FrameCodec::WireBytes(*frame);
        return frame;
    }

    /// @param pool where the frame is to live  @param maxPayload most bytes of data  @return a
    /// frame with an IP packet: UDP, TCP or another protocol
    Ptr<FabricFrame> Ip(FabricFramePool& pool, uint32_t maxPayload)
    {
        std::vector<uint8_t> data(Number(maxPayload));
        std::generate(data.begin(), data.end(), [this] { return Number(0xFF); });
        Ptr<Packet> packet = Create<Packet>(data.data(), data.size());
        uint8_t protocol = 50 + Number(100);
        switch (Number(2))
        {
        case 0: {
            UdpHeader udp;
            udp.SetSourcePort(Number(0xFFFF));
            udp.SetDestinationPort(Number(4000));
            packet->AddHeader(udp);
            protocol = 17;
            break;
        }
        case 1: {
            TcpHeader tcp;
            tcp.SetSourcePort(Number(0xFFFF));
            tcp.SetDestinationPort(Number(0xFFFF));
            packet->AddHeader(tcp);
            protocol = 6;
            break;
        }
        default:
            break;
        }
        const uint32_t source = Number(addressplan::HOST_LIMIT - 1);
        const uint32_t destination = Number(addressplan::HOST_LIMIT - 1);
        if (Number(1))
        {
            Ipv6Header ip;
            ip.SetTrafficClass(Number(0xFF));
            ip.SetFlowLabel(Number(0xFFFFF));
            ip.SetPayloadLength(packet->GetSize());
            ip.SetNextHeader(protocol);
            ip.SetHopLimit(Number(0xFF));
            ip.SetSource(ToIpv6(source));
            ip.SetDestination(Number(9) ? ToIpv6(destination) : Ipv6Address("ff02::1"));
            packet->AddHeader(ip);
        }
        else
        {
            Ipv4Header ip;
            if (Number(1))
            {
                ip.EnableChecksum();
            }
            ip.SetTos(Number(0xFF));
            ip.SetPayloadSize(packet->GetSize());
            ip.SetIdentification(Number(0xFFFF));
            ip.SetTtl(Number(0xFF));
            ip.SetProtocol(protocol);
            ip.SetSource(ToIpv4(source));
            ip.SetDestination(Number(9) ? ToIpv4(destination) : Ipv4Address("255.255.255.255"));
            packet->AddHeader(ip);
        }
        return FrameCodec::MakeIpFrame(packet, pool);
    }

    static constexpr uint32_t MAX_PAYLOAD = 4096;    //!< most bytes of a message in a frame
    static constexpr uint32_t MAX_IP_PAYLOAD = 1500; //!< most bytes of data in an IP packet

    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< randomness
};

std::vector<uint8_t>
ToBytes(Ptr<const Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), bytes.size());
    return bytes;
}

/// @return a packet of them
Ptr<Packet>
ToPacket(const std::vector<uint8_t>& bytes)
{
    return Create<Packet>(bytes.data(), bytes.size());
}

/// @return everything in it that the wire carries, as text
std::string
Describe(const FabricFrame& frame)
{
    std::ostringstream os;
    os << "kind " << static_cast<int>(frame.kind) << " source " << frame.source << " destination "
       << frame.destination << " hash " << frame.flowHash << " wire " << frame.wireBytes
       << " payload " << frame.payload << " tos " << +frame.GetTos() << " class "
       << +frame.GetClass() << " ttl " << +frame.ttl << " flags " << +frame.flags << " entropy "
       << frame.entropy << " qp " << frame.destinationQp << " opcode " << +frame.opcode << " psn "
       << frame.psn << " syndrome " << +frame.syndrome << " msn " << frame.msn << " reth "
       << frame.GetExtra().reth.virtualAddress << " " << frame.GetExtra().reth.remoteKey << " "
       << frame.GetExtra().reth.length << " immediate " << frame.GetExtra().immediate << " pause "
       << +frame.GetExtra().pause.classes << " offset " << frame.offset << " sack "
       << frame.GetExtra().sack.bitmap << " " << frame.GetExtra().sack.receivedBytes << " "
       << frame.GetExtra().sack.cumulativePsn << " " << frame.GetExtra().sack.bitmapPsn << " "
       << frame.GetExtra().sack.outOfOrder << " " << +frame.GetExtra().sack.penalty << " control "
       << +frame.GetConweaveTag().kind << " " << +frame.GetConweaveTag().epoch << " "
       << +frame.GetConweaveTag().uplink;
    for (const uint16_t quanta : frame.GetExtra().pause.quanta)
    {
        os << " " << quanta;
    }
    os << " ingress " << frame.ingress << " sent " << frame.sentAt << " packet";
    if (frame.GetExtra().packet)
    {
        for (const uint8_t byte : ToBytes(frame.GetExtra().packet))
        {
            os << " " << +byte;
        }
    }
    return os.str();
}

} // namespace

/// Frame to bytes to frame is the identity, and sizes are what was announced.
FABRIC_TEST(g_frameCodec, "A serialized and deserialized frame is the same frame")
{
    constexpr uint32_t FRAMES = 20000;
    FrameGenerator generator(1);
    uint32_t trimmed = 0;
    Ptr<FabricFramePool> pool = Create<FabricFramePool>();
    std::set<FrameKind> kinds;
    std::set<uint32_t> opcodes;
    for (uint32_t n = 0; n < FRAMES; ++n)
    {
        Ptr<FabricFrame> frame = generator.Any(*pool);
        kinds.insert(frame->kind);
        opcodes.insert(frame->kind == FrameKind::ROCE ? frame->opcode : 0x100);
        const Mac48Address source = generator.Mac();
        Mac48Address destination = generator.Mac();
        const std::string before = Describe(*frame);

        Ptr<Packet> packet = FrameCodec::Serialize(*frame, source, destination);
        NS_TEST_ASSERT_MSG_EQ(Describe(*frame), before, "serializing changes the frame");
        const bool isTrimmed = frame->flags & FRAME_TRIMMED;
        const uint32_t wireBytes = isTrimmed ? frame->GetSize() : FrameCodec::WireBytes(*frame);
        NS_TEST_ASSERT_MSG_EQ(packet->GetSize() + FrameCodec::FCS_SIZE,
                              wireBytes,
                              "size of " << before);
        NS_TEST_ASSERT_MSG_EQ(wireBytes, frame->GetSize(), before);

        FrameCodec::Result result;
        Mac48Address readSource;
        Mac48Address readDestination;
        Ptr<FabricFrame> again =
            FrameCodec::Deserialize(packet, *pool, &result, &readSource, &readDestination);
        if (isTrimmed)
        {
            NS_TEST_ASSERT_MSG_EQ((result == FrameCodec::Result::TRUNCATED), true, before);
            again = FrameCodec::DeserializeTrimmed(packet, *pool, &result);
            NS_TEST_ASSERT_MSG_NE(again, nullptr, before);
            NS_TEST_ASSERT_MSG_EQ(Describe(*again), before, "not the same trimmed frame");
            ++trimmed;
            continue;
        }
        NS_TEST_ASSERT_MSG_EQ((result == FrameCodec::Result::OK), true, before);
        NS_TEST_ASSERT_MSG_NE(again, nullptr, before);
        NS_TEST_ASSERT_MSG_EQ(Describe(*again), before, "not the same frame");
        NS_TEST_ASSERT_MSG_EQ(readSource, source, before);
        if (frame->kind == FrameKind::PAUSE || frame->kind == FrameKind::PFC)
        {
            destination = Mac48Address("01:80:c2:00:00:01");
        }
        NS_TEST_ASSERT_MSG_EQ(readDestination, destination, before);
    }
    NS_TEST_EXPECT_MSG_GT(trimmed, 100, "trimmed frames seen");
    NS_TEST_EXPECT_MSG_EQ(kinds.size(), 4, "kinds of frames seen");
    NS_TEST_EXPECT_MSG_EQ(opcodes.size(), OPCODES.size() + 1, "opcodes seen");
    NS_TEST_EXPECT_MSG_EQ(pool->GetLive(), 0, "frames left over");

    static_assert(FrameCodec::RoceWireBytes(RC_WRITE_MIDDLE, 4096, false) == 4096 + 62);
    static_assert(FrameCodec::RoceWireBytes(RC_WRITE_MIDDLE, 4096, true) == 4096 + 82);
    static_assert(FrameCodec::RoceWireBytes(RC_WRITE_FIRST, 4096, false) == 4096 + 78);
    static_assert(FrameCodec::RoceWireBytes(RC_WRITE_ONLY, 1, false) == 4 + 78);
    static_assert(FrameCodec::RoceWireBytes(RC_WRITE_LAST, 0, false) == 64);
    static_assert(FrameCodec::RoceWireBytes(RC_ACK, 0, false) == 66);
    static_assert(FrameCodec::RoceWireBytes(ROCE_CNP, 0, false) == 78);
}

/// What comes out of a bundle is what was put into it, in its order, as messages between ranks
/// carry it; and a bundle holds several frames.
struct FrameBundleTestCase : FabricTestCase
{
    /// Take the frames out of a message on another rank.
    void Unpack(const Ptr<Packet>& message)
    {
        constexpr uint32_t MOST_BYTES = 1900; // ns-3's mpi module takes no more
        NS_TEST_ASSERT_MSG_LT_OR_EQ(message->GetSerializedSize(), MOST_BYTES, "bytes");
        std::vector<uint8_t> bytes(message->GetSerializedSize());
        message->Serialize(bytes.data(), bytes.size());
        const Packet received(bytes.data(), bytes.size(), true);
        FrameBundle::Read(received,
                          *m_pool,
                          [this](const Ptr<FabricFrame>& frame, const FrameTrailer& trailer) {
                              Compare(*frame, trailer);
                          });
    }

    /// Compare with the next frame that was sent.  @param frame a frame that has come
    void Compare(const FabricFrame& frame, const FrameTrailer& trailer)
    {
        NS_TEST_ASSERT_MSG_EQ(m_expected.empty(), false, "a frame that was not sent");
        const auto [n, before] = m_expected.front();
        m_expected.pop_front();
        NS_TEST_ASSERT_MSG_EQ(Describe(frame), before, "not the same frame");
        NS_TEST_ASSERT_MSG_EQ(trailer.GetLink(), n, before);
        NS_TEST_ASSERT_MSG_EQ(trailer.GetStart(), 7 * n, before);
        NS_TEST_ASSERT_MSG_EQ(trailer.GetArrival(), 8 * n + 1, before);
    }

    Ptr<FabricFramePool> m_pool{Create<FabricFramePool>()};  //!< of all frames
    std::deque<std::pair<uint32_t, std::string>> m_expected; //!< number and contents
};

FABRIC_TEST_F(FrameBundleTestCase,
              g_frameCodec,
              "Frames between ranks are the same frames, many in a message")
{
    constexpr uint32_t FRAMES = 5000;
    FrameGenerator generator(2);
    FrameBundle bundle;
    std::size_t bundles = 0;
    for (uint32_t n = 0; n < FRAMES; ++n)
    {
        Ptr<FabricFrame> frame = generator.NotIp(*m_pool);
        frame->sentAt = 1000 + n;
        frame->wireBytes = 64 + n; // as a model says
        frame->SetClass(generator.Number(7));
        if (!bundle.HasRoom(*frame))
        {
            Unpack(bundle.Take());
            ++bundles;
        }
        const FrameTrailer trailer(n, 7 * n, 8 * n + 1, *frame);
        bundle.Add(*frame, trailer, generator.Mac(), generator.Mac());
        m_expected.emplace_back(n, Describe(*frame));
    }
    NS_TEST_ASSERT_MSG_EQ(bundle.IsEmpty(), false, "a frame was just added");
    Unpack(bundle.Take());
    NS_TEST_ASSERT_MSG_EQ(bundle.IsEmpty(), true, "taken");
    NS_TEST_ASSERT_MSG_EQ(m_expected.empty(), true, "frames have not come");
    NS_TEST_ASSERT_MSG_GT(FRAMES, 12 * bundles, "frames a message");
}

/// So do the tags of CONGA and ConWeave and the time in hosts, each in frames that have it.
FABRIC_TEST_F(FrameBundleTestCase, g_frameCodec, "Tags and a time in hosts cross ranks")
{
    FrameGenerator generator(4);
    uint32_t expected = 0;
    uint32_t tags = 0;
    FrameBundle bundle;
    const auto unpack = [&]() {
        const Ptr<Packet> message = bundle.Take();
        FrameBundle::Read(
            *message,
            *m_pool,
            [&](const Ptr<FabricFrame>& frame, const FrameTrailer& trailer) {
                const FrameExtra& extra = m_pool->Clone(*frame)->GetExtra();
                const bool hasTag = expected % 2 == 0;
                const uint32_t heldFor = expected % 3 * 1000;
                NS_TEST_ASSERT_MSG_EQ(trailer.GetLink(), expected, "in order");
                NS_TEST_ASSERT_MSG_EQ(+frame->GetClass(), expected % 8, "the class");
                NS_TEST_ASSERT_MSG_EQ(extra.heldFor, heldFor, "a time in two of three");
                NS_TEST_ASSERT_MSG_EQ(+extra.conga.isSet, hasTag, "a tag in one of two");
                NS_TEST_ASSERT_MSG_EQ(+extra.conga.uplink, (hasTag ? expected % 256 : 0), "a tag");
                NS_TEST_ASSERT_MSG_EQ(+extra.conga.feedback, (hasTag ? 5 : 0), "a tag");
                const bool isWoven = frame->IsOfMessage() && expected % 3 == 0;
                const ConweaveTag woven = isWoven ? extra.leaf.conweave : ConweaveTag{};
                NS_TEST_ASSERT_MSG_EQ(woven.sentNs, (isWoven ? expected + 7 : 0), "a tag");
                NS_TEST_ASSERT_MSG_EQ(trailer.HasConweaveTag(), isWoven, "in packets of messages");
                tags += isWoven;
                ++expected;
            });
    };
    for (uint32_t n = 0; n < 500; ++n)
    {
        const Ptr<FabricFrame> frame = generator.NotIp(*m_pool);
        frame->SetClass(n % 8);
        if (n % 2 == 0)
        {
            CongaTag& tag = frame->Extra().conga;
            tag.isSet = true;
            tag.uplink = n % 256;
            tag.feedback = 5;
        }
        if (n % 3 > 0)
        {
            frame->Extra().heldFor = n % 3 * 1000;
        }
        else if (frame->IsOfMessage())
        {
            ConweaveTag& tag = frame->Extra().leaf.conweave;
            tag.kind = ConweaveTag::DATA;
            tag.sentNs = n + 7;
        }
        if (!bundle.HasRoom(*frame))
        {
            unpack();
        }
        bundle.Add(*frame, FrameTrailer(n, 1, 2, *frame), generator.Mac(), generator.Mac());
    }
    unpack();
    NS_TEST_ASSERT_MSG_EQ(expected, 500, "frames");
    NS_TEST_ASSERT_MSG_GT(tags, 50, "tags of ConWeave");
}

/// Telemetry stands behind the trailers of the frames that carry it.
FABRIC_TEST_F(FrameBundleTestCase, g_frameCodec, "Telemetry crosses ranks, and a clone has it")
{
    NS_TEST_EXPECT_MSG_EQ(m_pool->CarriesTelemetry(), false, "frames of two lines");
    m_pool->CarryTelemetry();
    NS_TEST_EXPECT_MSG_EQ(m_pool->CarriesTelemetry(), true, "frames of three lines");
    FrameGenerator generator(3);
    uint32_t expected = 0;
    FrameBundle bundle;
    const auto unpack = [&]() {
        const Ptr<Packet> message = bundle.Take();
        FrameBundle::Read(
            *message,
            *m_pool,
            [&](const Ptr<FabricFrame>& frame, const FrameTrailer&) {
                const Ptr<FabricFrame> clone = m_pool->Clone(*frame);
                const PathTelemetry* telemetry = clone->FindTelemetry();
                NS_TEST_ASSERT_MSG_EQ((telemetry != nullptr),
                                      (expected % 2 == 0),
                                      "every second one");
                if (telemetry)
                {
                    NS_TEST_EXPECT_MSG_EQ(telemetry->path, expected, "path");
                    NS_TEST_EXPECT_MSG_EQ(telemetry->hops, 2, "hops");
                    NS_TEST_EXPECT_MSG_EQ(telemetry->hop[1].queue, 3 * expected, "a hop");
                }
                ++expected;
            });
    };
    for (uint32_t n = 0; n < 500; ++n)
    {
        const Ptr<FabricFrame> frame = generator.NotIp(*m_pool);
        if (n % 2 == 0)
        {
            PathTelemetry& telemetry = frame->AddTelemetry();
            telemetry.path = n;
            telemetry.hops = 2;
            telemetry.hop[1].queue = 3 * n;
        }
        if (!bundle.HasRoom(*frame))
        {
            unpack();
        }
        bundle.Add(*frame, FrameTrailer(n, 1, 2, *frame), generator.Mac(), generator.Mac());
    }
    unpack();
    NS_TEST_EXPECT_MSG_EQ(expected, 500, "frames");
}

/// A clone is equal to its frame in both cache lines, and uses the second one only if the frame
/// does.
FABRIC_TEST(g_frameCodec, "A clone has both lines of its frame, and shares nothing with it")
{
    FrameGenerator generator(6);
    Ptr<FabricFramePool> pool = Create<FabricFramePool>();
    uint32_t small = 0;
    for (uint32_t n = 0; n < 2000; ++n)
    {
        Ptr<FabricFrame> frame = generator.Any(*pool);
        frame->SetClass(generator.Number(7));
        frame->ingress = generator.Number(63);
        frame->sentAt = generator.Word();
        const std::string before = Describe(*frame);
        Ptr<FabricFrame> clone = pool->Clone(*frame);
        NS_TEST_ASSERT_MSG_EQ(Describe(*clone), before, "not the same frame");
        NS_TEST_ASSERT_MSG_EQ(clone->HasExtra(), frame->HasExtra(), before);
        small += frame->HasExtra() ? 0 : 1;

        clone->Extra().immediate ^= 1;
        clone->Extra().reth.length ^= 1;
        clone->Extra().pause.quanta[7] ^= 1;
        clone->Extra().packet = nullptr;
        NS_TEST_ASSERT_MSG_EQ(Describe(*frame), before, "its clone changes a frame");
        frame = nullptr;
        NS_TEST_ASSERT_MSG_EQ(pool->GetLive(), 1, "frames in use");
        clone = nullptr;
        NS_TEST_ASSERT_MSG_EQ(pool->Create()->HasExtra(), false, "a new frame has a past");
    }
    NS_TEST_EXPECT_MSG_GT(small, 500, "too few frames of one line for a test");
    NS_TEST_EXPECT_MSG_EQ(pool->GetLive(), 0, "frames left over");
}

/// The upper half of the entropy exists in IPv6 alone, and there switches hash it.
FABRIC_TEST(g_frameCodec, "Entropy is the UDP source port and, in IPv6, the flow label")
{
    Ptr<FabricFramePool> pool = Create<FabricFramePool>();
    std::map<bool, std::set<uint32_t>> hashes;
    for (const bool ipv6 : {false, true})
    {
        for (const uint32_t upper : {0U, 1U, 0x8000U, 0xFFFFU})
        {
            Ptr<FabricFrame> frame = pool->Create();
            frame->flags = ipv6 ? FRAME_IPV6 : 0;
            frame->destination = 1;
            FrameCodec::SetFlow(*frame, upper << 16 | 0xC001);
            NS_TEST_EXPECT_MSG_EQ(frame->GetSourcePort(), 0xC001, "UDP source port");
            NS_TEST_EXPECT_MSG_EQ((frame->entropy >> 16), (ipv6 ? upper : 0), "flow label");
            hashes[ipv6].insert(frame->flowHash);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(hashes[false].size(), 1, "hashes in IPv4");
    NS_TEST_EXPECT_MSG_EQ(hashes[true].size(), 4, "hashes in IPv6");
    NS_TEST_EXPECT_MSG_EQ(hashes[true].count(*hashes[false].begin()),
                          1,
                          "without a flow label the hash is that of IPv4");
}

/// Whatever the bytes, there is a frame that has these bytes' meaning, or a reason why not; never
/// both, never a crash, never a leak.
struct FrameCodecFuzzTestCase : FabricTestCase
{
    /// What is left of a RoCE frame with data is no frame; for who knows that it was trimmed, it is
    /// one as long as the transport header is there.  @param bytes the frame, in IPv6
    void CutDown(std::vector<uint8_t> bytes)
    {
        constexpr uint32_t HEADERS = FrameCodec::ETHERNET_SIZE + FrameCodec::IPV6_SIZE +
                                     FrameCodec::UDP_SIZE + RoceBthHeader::SIZE;
        while (!bytes.empty())
        {
            bytes.pop_back();
            NS_TEST_EXPECT_MSG_EQ(Check(bytes), false, "a truncated frame is a frame");
            const Ptr<FabricFrame> left = FrameCodec::DeserializeTrimmed(ToPacket(bytes), *m_pool);
            NS_TEST_EXPECT_MSG_EQ((left != nullptr),
                                  (bytes.size() >= HEADERS),
                                  "what is left is a trimmed frame: " << bytes.size() << " bytes");
        }
    }

    /// Make random bytes get past the first checks: EtherType, IP version, protocol, port.
    void Direct(std::vector<uint8_t>& bytes, FrameGenerator& generator)
    {
        if (bytes.size() < 64 || generator.Number(9) == 0)
        {
            return;
        }
        const bool ipv6 = generator.Number(1);
        const uint32_t udp = ipv6 ? 54 : 34;
        const uint32_t length = bytes.size() - udp + (ipv6 ? 0 : 20);
        bytes[12] = ipv6 ? 0x86 : 0x08;
        bytes[13] = ipv6 ? 0xDD : 0x00;
        bytes[14] = ipv6 ? 0x60 : 0x45;
        bytes[ipv6 ? 18 : 16] = length >> 8;
        bytes[ipv6 ? 19 : 17] = length & 0xFF;
        bytes[ipv6 ? 20 : 23] = generator.Number(1) ? 17 : 6;
        bytes[udp + 2] = FrameCodec::ROCE_PORT >> 8;
        bytes[udp + 3] = FrameCodec::ROCE_PORT & 0xFF;
    }

    /// Deserialize.  @param bytes the bytes of a frame  @return whether there is a frame
    bool Check(const std::vector<uint8_t>& bytes)
    {
        FrameCodec::Result result;
        Mac48Address source;
        Mac48Address destination;
        Ptr<FabricFrame> frame =
            FrameCodec::Deserialize(ToPacket(bytes), *m_pool, &result, &source, &destination);
        ++m_results.at(static_cast<std::size_t>(result));
        NS_TEST_EXPECT_MSG_EQ((result == FrameCodec::Result::OK),
                              (frame != nullptr),
                              "a frame and a reason why not, or neither");
        if (!frame)
        {
            return false;
        }
        ++m_frames;
        Ptr<Packet> packet = FrameCodec::Serialize(*frame, source, destination);
        NS_TEST_EXPECT_MSG_EQ(packet->GetSize() + FrameCodec::FCS_SIZE, frame->GetSize(), "size");
        Ptr<FabricFrame> again = FrameCodec::Deserialize(packet, *m_pool);
        NS_TEST_EXPECT_MSG_NE(again, nullptr, Describe(*frame));
        if (again)
        {
            NS_TEST_EXPECT_MSG_EQ(Describe(*again), Describe(*frame), "not the same frame");
        }
        return true;
    }

    Ptr<FabricFramePool> m_pool{Create<FabricFramePool>()}; //!< where the frames live
    uint32_t m_frames{0};                                   //!< frames decoded
    std::array<uint32_t, 6> m_results{};                    //!< outcomes, by FrameCodec::Result
};

FABRIC_TEST_F(FrameCodecFuzzTestCase,
              g_frameCodec,
              "Random, mutated and truncated bytes give a frame or a reason")
{
    FrameGenerator generator(2);
    for (uint32_t n = 0; n < 20000; ++n)
    {
        std::vector<uint8_t> bytes(generator.Number(200));
        std::generate(bytes.begin(), bytes.end(), [&] { return generator.Number(0xFF); });
        Direct(bytes, generator);
        Check(bytes);
    }
    for (uint32_t n = 0; n < 40000; ++n)
    {
        std::vector<uint8_t> bytes = ToBytes(
            FrameCodec::Serialize(*generator.Any(*m_pool), generator.Mac(), generator.Mac()));
        const uint32_t header = std::min<uint32_t>(bytes.size(), 94);
        for (uint32_t change = generator.Number(3); change > 0; --change)
        {
            bytes[generator.Number(header - 1)] = generator.Number(0xFF);
        }
        switch (generator.Number(3))
        {
        case 0:
            bytes.resize(generator.Number(bytes.size()));
            break;
        case 1:
            bytes.resize(bytes.size() + generator.Number(64), generator.Number(0xFF));
            break;
        default:
            break;
        }
        Check(bytes);
    }
    {
        Ptr<FabricFrame> frame = generator.Roce(*m_pool, RC_WRITE_ONLY_IMM, true, 64);
        frame->payload = 64;
        CutDown(ToBytes(FrameCodec::Serialize(*frame, generator.Mac(), generator.Mac())));
    }
    NS_TEST_EXPECT_MSG_EQ(m_pool->GetLive(), 0, "frames left over");
    NS_TEST_EXPECT_MSG_GT(m_frames, 1000, "too few frames decoded for a test");
    for (const uint32_t count : m_results)
    {
        NS_TEST_EXPECT_MSG_GT(count, 10, "an outcome that was not tested");
    }
}

/// The ICRC covers each bit except those that a network may change; corruption never gives another
/// RoCE frame.
struct RoceIcrcTestCase : FabricTestCase
{
    /// Change each bit of a frame from the IP header on.  @param ipv6 whether in IPv6
    void CheckFrame(FrameGenerator& generator, uint8_t opcode, bool ipv6)
    {
        Ptr<FabricFramePool> pool = Create<FabricFramePool>();
        Ptr<FabricFrame> frame = generator.Roce(*pool, opcode, ipv6, 40);
        const std::vector<uint8_t> bytes =
            ToBytes(FrameCodec::Serialize(*frame, generator.Mac(), generator.Mac()));
        const uint32_t ip = FrameCodec::ETHERNET_SIZE;
        const uint32_t udp = ip + (ipv6 ? FrameCodec::IPV6_SIZE : FrameCodec::IPV4_SIZE);
        const uint32_t bth = udp + FrameCodec::UDP_SIZE;
        const uint32_t icrc = bth + RoceBthHeader::SIZE + RcCodec::ExtensionBytes(opcode) +
                              ((frame->payload + 3) & ~3U);
        const uint32_t before = RoceIcrc::Calculate(bytes.data() + ip, icrc - ip);

        for (uint32_t bit = 8 * ip; bit < 8 * (icrc + RoceIcrc::SIZE); ++bit)
        {
            const uint32_t byte = bit / 8;
            const uint8_t mask = 0x80 >> (bit % 8);
            if (byte == ip && mask >= 0x10)
            {
                continue; // another IP version, another mask
            }
            bool masked = byte == udp + 6 || byte == udp + 7 || byte == bth + 4;
            if (ipv6)
            {
                masked = masked || byte < ip + 4 || byte == ip + 7;
            }
            else
            {
                masked = masked || byte == ip + 1 || byte == ip + 8 || byte == ip + 10 ||
                         byte == ip + 11;
            }
            std::vector<uint8_t> changed = bytes;
            changed.at(byte) ^= mask;
            if (byte < icrc)
            {
                const uint32_t after = RoceIcrc::Calculate(changed.data() + ip, icrc - ip);
                NS_TEST_EXPECT_MSG_EQ((after == before),
                                      masked,
                                      "bit " << bit % 8 << " of byte " << byte << " of opcode "
                                             << +opcode << (ipv6 ? " in IPv6" : " in IPv4"));
            }

            FrameCodec::Result result;
            Ptr<FabricFrame> read = FrameCodec::Deserialize(ToPacket(changed), *pool, &result);
            if (masked && (ipv6 || byte >= udp))
            {
                NS_TEST_EXPECT_MSG_NE(read, nullptr, "byte " << byte << " is free to change");
            }
            else
            {
                NS_TEST_EXPECT_MSG_EQ((read && read->kind == FrameKind::ROCE),
                                      false,
                                      "byte " << byte << " was changed unseen");
            }
            if (byte >= bth && !masked)
            {
                NS_TEST_EXPECT_MSG_EQ((result == FrameCodec::Result::BAD_ICRC),
                                      true,
                                      "byte " << byte << " gives another reason");
            }
        }

        std::vector<uint8_t> hop = bytes;
        frame->ttl -= 1;
        frame->SetTos(frame->GetTos() ^ 0x3);
        frame->flags ^= BTH_FECN;
        hop = ToBytes(FrameCodec::Serialize(*frame, generator.Mac(), generator.Mac()));
        NS_TEST_EXPECT_MSG_EQ(std::equal(hop.begin() + icrc, hop.end(), bytes.begin() + icrc),
                              true,
                              "a hop changes the ICRC");
    }
};

FABRIC_TEST_F(RoceIcrcTestCase,
              g_frameCodec,
              "The ICRC covers all that no switch may change, and nothing else")
{
    FrameGenerator generator(3);
    for (const uint8_t opcode : OPCODES)
    {
        for (const bool ipv6 : {false, true})
        {
            CheckFrame(generator, opcode, ipv6);
        }
    }
}

/// Frames that carry the packets of another stack: fields taken from the packet, and given back.
struct IpFrameTestCase : FabricTestCase
{
    /// Remove the IP header and check it.  @param ipv6 whether it is IPv6
    /// @param tos the value that is to be there  @param ttl the value that is to be there
    void CheckHeader(Ptr<Packet> packet, bool ipv6, uint8_t tos, uint8_t ttl)
    {
        if (ipv6)
        {
            Ipv6Header ip;
            packet->RemoveHeader(ip);
            NS_TEST_EXPECT_MSG_EQ(+ip.GetTrafficClass(), +tos, "traffic class");
            NS_TEST_EXPECT_MSG_EQ(+ip.GetHopLimit(), +ttl, "hop limit");
            NS_TEST_EXPECT_MSG_EQ(ip.GetPayloadLength(), packet->GetSize(), "length");
        }
        else
        {
            Ipv4Header ip;
            ip.EnableChecksum();
            packet->RemoveHeader(ip);
            NS_TEST_EXPECT_MSG_EQ(+ip.GetTos(), +tos, "tos");
            NS_TEST_EXPECT_MSG_EQ(+ip.GetTtl(), +ttl, "ttl");
            NS_TEST_EXPECT_MSG_EQ(ip.GetPayloadSize(), packet->GetSize(), "length");
            NS_TEST_EXPECT_MSG_EQ(ip.IsChecksumOk(), true, "checksum");
        }
    }

    /// Addresses outside of the plan.
    void CheckAddresses(FabricFramePool& pool)
    {
        Ptr<FabricFrame> frame = FrameCodec::MakeIpFrame(
            MakeIpv4(Create<Packet>(8), Ipv4Address("10.0.0.1"), Ipv4Address("192.168.0.1"), 1),
            pool);
        NS_TEST_ASSERT_MSG_NE(frame, nullptr, "an IP packet to somewhere else");
        NS_TEST_EXPECT_MSG_EQ(frame->source, 0, "source");
        NS_TEST_EXPECT_MSG_EQ(frame->destination, addressplan::INVALID_HOST, "destination");
    }

    /// Ports are part of the flow hash if they are there.
    void CheckPorts(FabricFramePool& pool)
    {
        const uint32_t hash =
            FrameCodec::MakeIpFrame(MakeUdp(false, 1, 2, 5, 6, 9), pool)->flowHash;
        for (const auto& packet : {MakeUdp(false, 1, 2, 5, 7, 9),
                                   MakeUdp(false, 1, 2, 4, 6, 9),
                                   MakeUdp(false, 1, 3, 5, 6, 9),
                                   MakeUdp(false, 2, 1, 5, 6, 9)})
        {
            NS_TEST_EXPECT_MSG_NE(FrameCodec::MakeIpFrame(packet, pool)->flowHash, hash, "hash");
        }
        NS_TEST_EXPECT_MSG_EQ(FrameCodec::MakeIpFrame(MakeUdp(true, 1, 2, 5, 6, 9), pool)->flowHash,
                              hash,
                              "the family is no part of the flow");

        // All fragments of a packet take one way, though only the first has the ports.
        std::set<uint32_t> hashes;
        for (const uint16_t offset : {0, 8})
        {
            Ptr<Packet> packet = Create<Packet>(32);
            UdpHeader udp;
            udp.SetSourcePort(1000 + offset);
            packet->AddHeader(udp);
            Ipv4Header ip;
            ip.SetProtocol(17);
            ip.SetPayloadSize(packet->GetSize());
            ip.SetFragmentOffset(offset);
            if (offset == 0)
            {
                ip.SetMoreFragments();
            }
            packet->AddHeader(ip);
            hashes.insert(FrameCodec::MakeIpFrame(packet, pool)->flowHash);
        }
        NS_TEST_EXPECT_MSG_EQ(hashes.size(), 1, "ways of the fragments of a packet");
    }

    /// What is no packet for the fabric.
    void CheckLimits(FabricFramePool& pool)
    {
        using Result = FrameCodec::Result;
        std::vector<uint8_t> bytes = ToBytes(MakeUdp(false, 1, 2, 5, 6, 65535 - 28));
        Expect(bytes, pool, Result::BAD_LENGTH, "longer than a frame can be");
        bytes = ToBytes(MakeUdp(false, 1, 2, 5, 6, 100));
        Expect(bytes, pool, Result::OK, "as it was");
        bytes[0] = 0x46;
        Expect(bytes, pool, Result::UNSUPPORTED, "options");
        bytes[0] = 0x55;
        Expect(bytes, pool, Result::UNSUPPORTED, "IP version 5");
        bytes[0] = 0x45;
        bytes[3] = 19;
        Expect(bytes, pool, Result::BAD_LENGTH, "shorter than its header");
        bytes[3] = 20;
        Expect(bytes, pool, Result::OK, "a header and nothing else");
        bytes[3] = 129;
        Expect(bytes, pool, Result::TRUNCATED, "longer than what is there");
        bytes[3] = 128;
        bytes.resize(19);
        Expect(bytes, pool, Result::TRUNCATED, "half a header");
        bytes.clear();
        Expect(bytes, pool, Result::TRUNCATED, "nothing");
    }

    /// Try to make an IP frame.  @param expected how it is to end
    void Expect(const std::vector<uint8_t>& bytes,
                FabricFramePool& pool,
                FrameCodec::Result expected,
                const std::string& what)
    {
        FrameCodec::Result result;
        Ptr<FabricFrame> frame = FrameCodec::MakeIpFrame(ToPacket(bytes), pool, &result);
        NS_TEST_EXPECT_MSG_EQ((result == expected), true, what);
        NS_TEST_EXPECT_MSG_EQ((frame != nullptr), (expected == FrameCodec::Result::OK), what);
    }

    /// @return an IPv4 packet without checksum, as ns-3 makes it by default
    Ptr<Packet> MakeIpv4(Ptr<Packet> packet,
                         Ipv4Address source,
                         Ipv4Address destination,
                         uint8_t protocol)
    {
        Ipv4Header ip;
        ip.SetTos(0xA2);
        ip.SetTtl(9);
        ip.SetProtocol(protocol);
        ip.SetPayloadSize(packet->GetSize());
        ip.SetSource(source);
        ip.SetDestination(destination);
        packet->AddHeader(ip);
        return packet;
    }

    /// @param ipv6 whether in IPv6  @param source index of the source host
    /// @param destination index of the destination host  @param size bytes of data
    /// @return an UDP packet with tos 0xA2 and ttl 9
    Ptr<Packet> MakeUdp(bool ipv6,
                        uint32_t source,
                        uint32_t destination,
                        uint16_t sourcePort,
                        uint16_t destinationPort,
                        uint32_t size)
    {
        Ptr<Packet> packet = Create<Packet>(size);
        UdpHeader udp;
        udp.SetSourcePort(sourcePort);
        udp.SetDestinationPort(destinationPort);
        packet->AddHeader(udp);
        if (!ipv6)
        {
            return MakeIpv4(packet, ToIpv4(source), ToIpv4(destination), 17);
        }
        Ipv6Header ip;
        ip.SetTrafficClass(0xA2);
        ip.SetHopLimit(9);
        ip.SetNextHeader(17);
        ip.SetPayloadLength(packet->GetSize());
        ip.SetSource(ToIpv6(source));
        ip.SetDestination(ToIpv6(destination));
        packet->AddHeader(ip);
        return packet;
    }
};

FABRIC_TEST_F(IpFrameTestCase,
              g_frameCodec,
              "IP packets give their fields to the frame and take them back")
{
    Ptr<FabricFramePool> pool = Create<FabricFramePool>();
    for (const bool ipv6 : {false, true})
    {
        Ptr<Packet> packet = MakeUdp(ipv6, 3, 70000, 1000, 2000, 100);
        const std::vector<uint8_t> original = ToBytes(packet);
        Ptr<FabricFrame> frame = FrameCodec::MakeIpFrame(packet, *pool);
        NS_TEST_ASSERT_MSG_NE(frame, nullptr, "an IP packet");
        NS_TEST_EXPECT_MSG_EQ((frame->kind == FrameKind::IP), true, "kind");
        NS_TEST_EXPECT_MSG_EQ(frame->source, 3, "source");
        NS_TEST_EXPECT_MSG_EQ(frame->destination, 70000, "destination");
        NS_TEST_EXPECT_MSG_EQ(+frame->GetTos(), 0xA2, "tos");
        NS_TEST_EXPECT_MSG_EQ(+frame->GetClass(), 5, "class");
        NS_TEST_EXPECT_MSG_EQ(+frame->ttl, 9, "ttl");
        NS_TEST_EXPECT_MSG_EQ(frame->entropy, 1000, "entropy");
        NS_TEST_EXPECT_MSG_EQ(frame->GetSourcePort(), 1000, "source port");
        NS_TEST_EXPECT_MSG_EQ(frame->flowHash,
                              FrameCodec::FlowHash(3, 70000, 1000, 2000, 17),
                              "flow hash");
        NS_TEST_EXPECT_MSG_EQ(frame->GetSize(), original.size() + 18, "size");

        FrameCodec::SyncIpHeader(*frame);
        NS_TEST_EXPECT_MSG_EQ(frame->GetExtra().packet,
                              packet,
                              "nothing changed, yet another packet");
        frame->ttl -= 2;
        frame->MarkCongestion();
        FrameCodec::SyncIpHeader(*frame);
        NS_TEST_EXPECT_MSG_EQ((ToBytes(packet) == original),
                              true,
                              "the packet that others may hold was changed");
        NS_TEST_EXPECT_MSG_EQ(frame->GetExtra().packet->GetSize(), packet->GetSize(), "size");
        CheckHeader(frame->GetExtra().packet, ipv6, 0xA3, 7);
        UdpHeader udp;
        frame->GetExtra().packet->PeekHeader(udp);
        NS_TEST_EXPECT_MSG_EQ(udp.GetDestinationPort(), 2000, "destination port");
    }
    CheckAddresses(*pool);
    CheckPorts(*pool);
    CheckLimits(*pool);
}

/// Flow hashes of neighboring flows spread evenly, and salted choices from tier to tier are
/// independent.
struct FlowHashTestCase : FabricTestCase
{
    /// Ways to choose from.
    static constexpr uint32_t WAYS = 16;

    /// The finalizer of MurmurHash3, which a switch may use to mix its salt in.
    /// @return the mixed hash
    static uint32_t Mix(uint32_t hash)
    {
        hash ^= hash >> 16;
        hash *= 0x85EBCA6B;
        hash ^= hash >> 13;
        hash *= 0xC2B2AE35;
        return hash ^ hash >> 16;
    }

    /// Check that hashes spread evenly: alone, salted, and in pairs with different salts.
    void Even(const std::vector<uint32_t>& hashes, const std::string& what)
    {
        std::vector<uint32_t> low(WAYS);
        std::vector<uint32_t> high(WAYS);
        std::vector<uint32_t> odd(15);
        std::vector<uint32_t> pairs(WAYS * WAYS);
        for (const uint32_t hash : hashes)
        {
            ++low[hash % WAYS];
            ++high[hash >> 28];
            ++odd[hash % 15];
            ++pairs[Mix(hash ^ 0x1234) % WAYS * WAYS + Mix(hash ^ 0x1235) % WAYS];
        }
        Uniform(low, hashes.size(), what + ", low bits");
        Uniform(high, hashes.size(), what + ", high bits");
        Uniform(odd, hashes.size(), what + ", fifteen ways");
        Uniform(pairs, hashes.size(), what + ", choices of two tiers");
    }

    /// Chi-squared test.  @param what what was counted
    void Uniform(const std::vector<uint32_t>& counts, double total, const std::string& what)
    {
        const double expected = total / counts.size();
        double chi = 0;
        for (const uint32_t count : counts)
        {
            chi += (count - expected) * (count - expected) / expected;
        }
        const double freedom = counts.size() - 1;
        // Five standard deviations above the mean of the distribution.
        NS_TEST_EXPECT_MSG_LT(chi, freedom + 5 * std::sqrt(2 * freedom), what);
    }
};

FABRIC_TEST_F(FlowHashTestCase, g_frameCodec, "Flow hashes are even, and independent once salted")
{
    std::vector<uint32_t> hosts;
    std::vector<uint32_t> ports;
    std::vector<uint32_t> strides;
    std::set<uint32_t> distinct;
    for (uint32_t source = 0; source < 128; ++source)
    {
        for (uint32_t destination = 0; destination < 128; ++destination)
        {
            hosts.push_back(FrameCodec::FlowHash(source, destination, 0xC000));
            distinct.insert(hosts.back());
        }
    }
    for (uint32_t port = 0; port < 16384; ++port)
    {
        ports.push_back(FrameCodec::FlowHash(1, 2, 0xC000 + port));
        strides.push_back(FrameCodec::FlowHash(16 * (port % 1024), 64 * (port / 1024), 0xC000));
    }
    NS_TEST_EXPECT_MSG_GT(distinct.size(), hosts.size() - 3, "collisions");
    Even(hosts, "hosts");
    Even(ports, "ports");
    Even(strides, "every sixteenth host");

    // Each bit of the input changes each bit of the hash half of the time.
    FrameGenerator generator(4);
    constexpr uint32_t TRIALS = 2000;
    for (uint32_t bit = 0; bit < 80; ++bit)
    {
        std::array<uint32_t, 32> flips{};
        for (uint32_t trial = 0; trial < TRIALS; ++trial)
        {
            const uint32_t source = generator.Word();
            const uint32_t destination = generator.Word();
            const uint32_t port = generator.Number(0xFFFF);
            const uint64_t one = 1;
            const uint32_t changed =
                FrameCodec::FlowHash(source, destination, port) ^
                FrameCodec::FlowHash(source ^ (bit < 32 ? one << bit : 0),
                                     destination ^ (bit >= 32 && bit < 64 ? one << (bit - 32) : 0),
                                     port ^ (bit >= 64 ? one << (bit - 64) : 0));
            for (uint32_t out = 0; out < flips.size(); ++out)
            {
                flips[out] += changed >> out & 1;
            }
        }
        for (const uint32_t count : flips)
        {
            // Six standard deviations of the mean.
            NS_TEST_EXPECT_MSG_EQ_TOL(count, TRIALS / 2.0, 6 * 22.4, "input bit " << bit);
        }
    }
}

/// Frames in a capture file: Ethernet link type, nanosecond clock, the same bytes.
FABRIC_TEST(g_frameCodec, "A capture keeps bytes and nanoseconds")
{
    constexpr uint32_t ETHERNET = 1;
    constexpr uint32_t NANOSECOND_MAGIC = 0xA1B23C4D;
    FrameGenerator generator(5);
    Ptr<FabricFramePool> pool = Create<FabricFramePool>();
    const std::string name = CreateTempDirFilename("frame-codec.pcap");
    std::vector<std::string> written;
    Ptr<PcapFileWrapper> file = CreateObject<PcapFileWrapper>();
    file->SetAttribute("NanosecMode", BooleanValue(true));
    file->Open(name, std::ios::out);
    file->Init(ETHERNET);
    for (uint32_t n = 0; n < 100; ++n)
    {
        Ptr<FabricFrame> frame = generator.Any(*pool);
        written.push_back(Describe(*frame));
        file->Write(NanoSeconds(82 * n + 1),
                    FrameCodec::Serialize(*frame, generator.Mac(), generator.Mac()));
    }
    file->Close();

    file = CreateObject<PcapFileWrapper>();
    file->SetAttribute("NanosecMode", BooleanValue(true));
    file->Open(name, std::ios::in);
    NS_TEST_ASSERT_MSG_EQ(file->Fail(), false, "open the capture again");
    NS_TEST_EXPECT_MSG_EQ(file->GetMagic(), NANOSECOND_MAGIC, "clock");
    NS_TEST_EXPECT_MSG_EQ(file->GetDataLinkType(), ETHERNET, "link type");
    for (uint32_t n = 0; n < written.size(); ++n)
    {
        Time when;
        Ptr<Packet> packet = file->Read(when);
        NS_TEST_ASSERT_MSG_NE(packet, nullptr, "capture ends early");
        NS_TEST_EXPECT_MSG_EQ(when, NanoSeconds(82 * n + 1), "time");
        Ptr<FabricFrame> frame = FrameCodec::Deserialize(packet, *pool);
        if (!frame)
        {
            frame = FrameCodec::DeserializeTrimmed(packet, *pool);
        }
        NS_TEST_ASSERT_MSG_NE(frame, nullptr, "frame of the capture");
        NS_TEST_EXPECT_MSG_EQ(Describe(*frame), written[n], "frame of the capture");
    }
}
