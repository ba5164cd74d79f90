/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/fabric-port.h"
#include "ns3/fabric-transmitter.h"
#include "ns3/mac48-address.h"
#include "ns3/roce-net-device.h"

/// Queue pairs that send IPv4 and IPv6.
static Suite g_ipv6("ai-fabric-ipv6", TestSuite::Type::SYSTEM);

namespace
{

constexpr uint32_t MTU = 4096; //!< payload of a full packet in bytes

/// Keeps the UDP source port, and gives each packet the next number as upper half of its entropy.
struct FlowLabelBalancer : HostBalancer
{
    std::optional<PathChoice> Choose(const PathRequest&) override
    {
        return PathChoice{++m_label << 16 | PathChoice::FIRST_PORT};
    }

    void Feedback(uint32_t entropy, PathEvent event, int64_t, int64_t) override
    {
        if (event == PathEvent::GOOD)
        {
            acknowledged.push_back(entropy);
        }
    }

    std::vector<uint32_t> acknowledged; //!< entropies that have come back

    uint32_t m_label{0}; //!< the last one
};

} // namespace

/// Two hosts write to each other. The bytes on the wire are the sum of headers, payload, pad and
/// FCS of all packets and acknowledgements, and those of the frames' bytes in a capture.
struct IpVersionLawTestCase : FabricTestCase
{
    /// @param version 4 or 6
    void Check(const std::string& version)
    {
        m_version = version;
        m_ipBytes = version == "6" ? 40 : 20;
        ClosHelper helper = ClosOf({{"IpVersion", m_version}});
        helper.SetNicAttribute("AckBytes", UintegerValue(66)); // the true ones in IPv4
        m_fabric = helper.Install(LeafSpine(2, 4, 2));
        for (const uint32_t host : {0, 3})
        {
            Trace(*m_fabric->GetNic(host)->GetPort(0),
                  "Send",
                  [this](Ptr<const FabricFrame> frame) { Look(*frame); });
        }
        const auto [a, b] = RoceHelper().Connect(m_fabric->GetNic(0), m_fabric->GetNic(3));
        const std::vector<uint32_t> messages{1, 3, MTU, MTU + 1, 20 * MTU + 997};
        // Ethernet, IP, UDP, BTH, ICRC, FCS; an ACK has an AETH
        const uint64_t headers = 14 + m_ipBytes + 8 + 12 + 4 + 4;
        uint64_t expected = 0;
        for (const uint32_t bytes : messages)
        {
            a->PostWrite(bytes);
            b->PostWrite(bytes);
            const uint64_t packets = (bytes + MTU - 1) / MTU;
            const uint64_t reth = 16;
            expected += packets * (headers + headers + 4) + (bytes + 3) / 4 * 4 + reth;
        }
        Simulator::Run();
        for (const uint32_t host : {0, 3})
        {
            const auto counters =
                m_fabric->GetNic(host)->GetPort(0)->GetTransmitter().GetCounters();
            NS_TEST_EXPECT_MSG_EQ(counters.sentBytes, expected, "bytes sent by host " << host);
            NS_TEST_EXPECT_MSG_EQ(m_bytes[host], expected, "bytes in a capture of host " << host);
        }
        const std::set<uint8_t> opcodes{RC_WRITE_ONLY,
                                        RC_WRITE_FIRST,
                                        RC_WRITE_MIDDLE,
                                        RC_WRITE_LAST,
                                        RC_ACK};
        NS_TEST_EXPECT_MSG_EQ((m_opcodes == opcodes), true, "opcodes");
        Simulator::Destroy();
    }

    /// A host sends a frame: it is of the right version, as long as its bytes, and these give it
    /// back.
    void Look(const FabricFrame& frame)
    {
        const Mac48Address mac("02:00:00:00:00:01");
        const Ptr<Packet> packet = FrameCodec::Serialize(frame, mac, mac);
        const uint32_t bytes = packet->GetSize() + FrameCodec::FCS_SIZE;
        m_bytes[frame.source] += bytes;
        m_opcodes.insert(frame.opcode);
        NS_TEST_EXPECT_MSG_EQ(bytes, frame.wireBytes, "opcode " << +frame.opcode);
        NS_TEST_EXPECT_MSG_EQ(((frame.flags & FRAME_IPV6) != 0), (m_version == "6"), "version");
        const Ptr<FabricFrame> read = FrameCodec::Deserialize(packet, *m_fabric->GetPool());
        NS_TEST_ASSERT_MSG_NE(read, nullptr, "no frame");
        NS_TEST_EXPECT_MSG_EQ(read->entropy, frame.entropy, "entropy");
        NS_TEST_EXPECT_MSG_EQ(read->flowHash, frame.flowHash, "flow hash");
        NS_TEST_EXPECT_MSG_EQ(uint32_t{read->psn}, uint32_t{frame.psn}, "PSN");
    }

    std::string m_version;                //!< 4 or 6
    uint32_t m_ipBytes;                   //!< bytes of an IP header
    Ptr<Fabric> m_fabric;                 //!< the fabric
    std::map<uint32_t, uint64_t> m_bytes; //!< bytes in captures, by host
    std::set<uint8_t> m_opcodes;          //!< that were sent
};

/// Packets of one UDP source port take different paths by their flow labels in IPv6, and all the
/// same path in IPv4, which has none. Acknowledgements bring back what was on the wire.
struct FlowLabelTestCase : FabricTestCase
{
    /// @param version 4 or 6
    void Check(const std::string& version)
    {
        constexpr uint32_t PACKETS = 64;
        constexpr uint32_t SPINES = 4;
        ClosHelper helper =
            ClosOf({{"IpVersion", version}, {"RecoveryType", "ns3::aifabric::SackRecovery"}});
        Ptr<Fabric> fabric = helper.Install(LeafSpine(2, SPINES, 1));
        const auto sender = RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(1)).first;
        Ptr<FlowLabelBalancer> balancer = CreateObject<FlowLabelBalancer>();
        sender->SetBalancer(balancer);
        sender->PostWrite(uint64_t{PACKETS} * MTU);
        Simulator::Run();

        const bool isIpv6 = version == "6";
        NS_TEST_EXPECT_MSG_GT_OR_EQ(balancer->acknowledged.size(), PACKETS, "acknowledgements");
        const std::set<uint32_t> entropies(balancer->acknowledged.begin(),
                                           balancer->acknowledged.end());
        NS_TEST_EXPECT_MSG_EQ((entropies.size() >= PACKETS), isIpv6, "flow labels come back");
        NS_TEST_EXPECT_MSG_EQ((entropies.size() == 1), !isIpv6, "there are none in IPv4");
        uint32_t used = 0;
        for (uint32_t id = 0; id < fabric->GetSwitchCount(); ++id)
        {
            used += fabric->GetGraph().Switches()[id].tier == 1 && CountForwarded(*fabric, id) > 0;
        }
        NS_TEST_EXPECT_MSG_EQ((used == SPINES), isIpv6, "all paths are used");
        NS_TEST_EXPECT_MSG_EQ((used <= 2), !isIpv6, "one for data and one for ACKs");
        Simulator::Destroy();
    }

    /// @return frames that a switch has sent
    static uint64_t CountForwarded(const Fabric& fabric, uint32_t id)
    {
        uint64_t sent = 0;
        const Ptr<FabricSwitch> sw = fabric.GetSwitch(id);
        for (uint32_t port = 0; port < sw->GetPortCount(); ++port)
        {
            sent += sw->GetPort(port)->GetTransmitter().GetCounters().sentFrames;
        }
        return sent;
    }
};

FABRIC_ROWS(g_ipv6)
{
    for (const std::string version : {"4", "6"})
    {
        rows.AddRow<IpVersionLawTestCase>("bytes on the wire in IPv" + version, version);
        rows.AddRow<FlowLabelTestCase>("flow labels in IPv" + version, version);
    }
}
