/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/ecn-tunnel.h"
#include "ns3/frame-bundle.h"
#include "ns3/host-random-balancer.h"
#include "ns3/ipv6-header.h"
#include "ns3/mac48-address.h"
#include "ns3/outer-codec.h"
#include "ns3/path-digit.h"
#include "ns3/spray-queue-pair.h"
#include "ns3/srv6-forwarder.h"
#include "ns3/srv6-routing-header.h"
#include "ns3/step-marker.h"
#include "ns3/trimming-buffer.h"
#include "ns3/usid-plan.h"

/// Static source routing by micro-SIDs.
static Suite g_srv6("ai-fabric-srv6", TestSuite::Type::SYSTEM);

namespace
{

const std::string SRV6 = "ns3::aifabric::Srv6Forwarder"; //!< the policy that is tested

/// @return a three-tier fabric of two planes
FabricGraph
ThreeTier()
{
    ThreeTierConfig config;
    config.pods = 3;
    config.leavesPerPod = 2;
    config.spinesPerPod = 3;
    config.cores = 6;
    config.hostsPerLeaf = 2;
    config.planes = 2;
    return MakeThreeTier(config);
}

/// @return a helper of fabrics in IPv6 whose hosts spray
ClosHelper
MakeHelper(const ObjectFactory& forwarder)
{
    ClosHelper helper = ClosOf({{"IpVersion", "6"}});
    helper.SetNicAttribute("AckBytes", UintegerValue(66)); // the true ones in IPv4
    helper.SetNicAttribute("Mtu", UintegerValue(4300));    // 4200 by default
    helper.SetBalancerType(HostRandomBalancer::GetTypeId());
    helper.SetForwarder(forwarder);
    return helper;
}

const UsidPlan&
GetPlan(const Fabric& fabric)
{
    return dynamic_cast<const UsidPlan&>(*fabric.GetPool()->GetPlan());
}

/// The tables of a switch as SRv6 has them, and its data plane on addresses (RFC 9800, 4.1.1).
struct AddressSwitch
{
    AddressSwitch(const FabricGraph& graph, const UsidPlan& plan, uint32_t id)
        : m_scheme(plan.GetScheme()),
          m_own(plan.GetUsid(id))
    {
        const uint16_t plane = graph.Switches()[id].plane;
        for (uint16_t port = 0; port < graph.Switches()[id].portCount; ++port)
        {
            const FabricEnd& peer = graph.PeerOf({false, id, port});
            const uint16_t usid =
                peer.isHost ? m_scheme.Make({UsidClass::NIC, plane, port}) : plan.GetUsid(peer.id);
            m_isUnique &= m_routes.emplace(usid, port).second;
        }
    }

    /// @return the port of a packet, or none
    std::optional<uint16_t> Forward(UsidScheme::Address& address) const
    {
        if (m_scheme.ToList(address)->front() == m_own)
        {
            if (UsidScheme::IsLast(address))
            {
                return std::nullopt;
            }
            address = UsidScheme::Shift(address);
        }
        const auto route = m_routes.find(m_scheme.ToList(address)->front());
        return route == m_routes.end() ? std::nullopt : std::optional<uint16_t>(route->second);
    }

    /// @return whether each uSID has one next hop
    bool IsUnique() const
    {
        return m_isUnique;
    }

    UsidScheme m_scheme;                   //!< names
    uint16_t m_own;                        //!< the local SID
    std::map<uint16_t, uint16_t> m_routes; //!< the port of each uSID
    bool m_isUnique{true};                 //!< no uSID has two
};

/// @return messages that are not complete
uint64_t
CountIncomplete(const FlowDriver& driver)
{
    const auto& records = driver.GetService()->GetRecords();
    return std::count_if(records.begin(), records.end(), [](const FlowRecord& record) {
        return !record.completed;
    });
}

/// @return what two frames have in common on the wire, as text
std::string
Describe(const FabricFrame& frame)
{
    std::ostringstream text;
    text << frame.source << ">" << frame.destination << " entropy " << frame.entropy << " tos "
         << +frame.GetTos() << " ttl " << +frame.ttl << " bytes " << frame.wireBytes << " payload "
         << frame.payload << " flags " << +frame.flags << " qp " << frame.destinationQp << " psn "
         << frame.psn << " opcode " << frame.opcode;
    return text.str();
}

} // namespace

/// The segment routing header, byte by byte and back; other bytes are refused.
FABRIC_TEST_F(TestCase, g_srv6, "segment routing header")
{
    const UsidScheme scheme;
    const auto address = scheme.ToAddress({0x1605, 0x2611, 0x16c8, 0xe62c});
    Srv6RoutingHeader header;
    header.SetNextHeader(41);
    header.SetSegments({address});
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(header);
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), bytes.size());
    const std::vector<uint8_t> expected{41,   2,    4,    0,    0,    0,    0,    0,
                                        0x5f, 0,    0,    0,    0x16, 0x05, 0x26, 0x11,
                                        0x16, 0xc8, 0xe6, 0x2c, 0,    0,    0,    0};
    NS_TEST_EXPECT_MSG_EQ((bytes == expected), true, "bytes");
    NS_TEST_EXPECT_MSG_EQ(header.GetSerializedSize(), OuterCodec::COPY_BYTES, "size");
    header.SetSegments({address, UsidScheme::Shift(address), scheme.ToAddress({7})});
    header.SetSegmentsLeft(2);
    packet = Create<Packet>();
    packet->AddHeader(header);
    Srv6RoutingHeader read;
    NS_TEST_EXPECT_MSG_EQ(packet->RemoveHeader(read), 56, "three segments");
    NS_TEST_EXPECT_MSG_EQ(read.IsValid(), true, "valid");
    NS_TEST_EXPECT_MSG_EQ((read.GetSegments() == header.GetSegments()), true, "segments");
    NS_TEST_EXPECT_MSG_EQ(+read.GetSegmentsLeft(), 2, "segments left");
    NS_TEST_EXPECT_MSG_EQ(+read.GetNextHeader(), 41, "next header");
    for (const std::size_t wrong : {1, 2, 4})
    {
        std::vector<uint8_t> other = expected;
        other[wrong] ^= 1;
        const Ptr<Packet> bad = Create<Packet>(other.data(), other.size());
        bad->PeekHeader(read);
        NS_TEST_EXPECT_MSG_EQ(read.IsValid(), false, "byte " << wrong);
    }
}

/// A list of uSIDs is a path and a path a list, in all shapes of fabric; and the forwarders of the
/// switches, which shift no address, send each packet where tables of uSIDs send it.
struct StaticTablesTestCase : FabricTestCase
{
    void Check(FabricGraph graph)
    {
        m_graph = graph;
        constexpr uint32_t DRAWS = 3000;
        m_fabric = MakeHelper(ObjectFactory(SRV6)).Install(m_graph);
        const UsidPlan& plan = GetPlan(*m_fabric);
        for (uint32_t id = 0; id < m_graph.Switches().size(); ++id)
        {
            m_switches.emplace_back(m_graph, plan, id);
            NS_TEST_EXPECT_MSG_EQ(m_switches.back().IsUnique(), true, "one next hop a uSID");
        }
        const UniformInteger uniform = Uniform(5);
        for (uint32_t i = 0; i < DRAWS; ++i)
        {
            const Ptr<FabricFrame> frame = m_fabric->GetPool()->Create();
            frame->source = uniform(m_graph.HostCount());
            frame->destination = uniform(m_graph.HostCount());
            frame->entropy = uniform(1 << 16);
            Check(plan, *frame, uniform(m_graph.Planes()));
        }
        Simulator::Destroy();
    }

    /// Follow a frame, and read its list.
    void Check(const UsidPlan& plan, FabricFrame& frame, uint16_t plane)
    {
        const UsidScheme::List list = plan.FindPath(frame, plane);
        const auto path = plan.ReadList(list);
        NS_TEST_ASSERT_MSG_EQ(path.has_value(), true, "the list is a path");
        NS_TEST_EXPECT_MSG_EQ(path->plane, plane, "plane");
        NS_TEST_EXPECT_MSG_EQ(path->destination, frame.destination, "destination");
        NS_TEST_EXPECT_MSG_EQ(m_graph.LeafOf(path->source), m_graph.LeafOf(frame.source), "leaf");
        const auto port = static_cast<uint16_t>(PathChoice::FIRST_PORT + path->label);
        NS_TEST_EXPECT_MSG_EQ((plan.MakeList(frame.source, frame.destination, plane, port) == list),
                              true,
                              "the label names the path");
        const uint32_t links = m_graph.PathLinks(frame.source, frame.destination);
        NS_TEST_EXPECT_MSG_EQ(list.size(), std::max(links, 2U), "a uSID for each link");
        UsidScheme::Address address = plan.GetScheme().ToAddress(list);
        FabricEnd at{false, m_graph.LeafOf(frame.source, plane), 0};
        while (!at.isHost)
        {
            const auto egress = m_switches[at.id].Forward(address);
            NS_TEST_ASSERT_MSG_EQ(egress.has_value(), true, "a route");
            const Ptr<FabricSwitch>& fabricSwitch = m_fabric->GetSwitch(at.id);
            NS_TEST_EXPECT_MSG_EQ(fabricSwitch->GetForwarder()->Find(frame),
                                  &fabricSwitch->GetPort(*egress)->GetTransmitter(),
                                  "the forwarder has the same");
            at = m_graph.PeerOf({false, at.id, *egress});
        }
        NS_TEST_EXPECT_MSG_EQ(at.id, frame.destination, "it arrives");
        NS_TEST_EXPECT_MSG_EQ(at.port, plane, "in its plane");
        NS_TEST_EXPECT_MSG_EQ(UsidScheme::IsLast(address), true, "the list is consumed");
    }

    FabricGraph m_graph{LeafSpine(1, 1, 1)}; //!< the fabric's description
    Ptr<Fabric> m_fabric;                    //!< the fabric
    std::vector<AddressSwitch> m_switches;   //!< by number
};

/// Hosts send to each other. On each link, the bytes of a frame are as many as it takes, they say
/// by their destination address to which node it goes, and they give the frame back, also from
/// another rank. All messages arrive.
struct WireTestCase : FabricTestCase
{
    void Check(const FabricGraph& graph,
               const std::string& transport,
               const ObjectFactory& forwarder)
    {
        ClosHelper helper = MakeHelper(forwarder);
        helper.SetNicAttribute("QueuePairType", StringValue("ns3::aifabric::" + transport));
        if (transport == "SprayQueuePair")
        {
            helper.SetNicAttribute("RecoveryType",
                                   StringValue("ns3::aifabric::SelectiveRepeatRecovery"));
            helper.SetNicAttribute("AckPolicyType",
                                   StringValue("ns3::aifabric::UnorderedAckPolicy"));
        }
        m_fabric = helper.Install(graph);
        m_omitsFirst = GetPlan(*m_fabric).CountConsumed(1) == 0;
        for (uint32_t link = 0; link < graph.Links().size(); ++link)
        {
            const FabricLinkSpec& spec = graph.Links()[link];
            Observe(spec.a, spec.b);
            Observe(spec.b, spec.a);
        }
        const uint32_t hosts = graph.HostCount();
        std::vector<Flow> flows;
        for (uint32_t host = 0; host < hosts; ++host)
        {
            flows.push_back({0, host, (host + hosts / 2 + 1) % hosts, 50001});
            flows.push_back({0, host, (host + 1) % hosts, 997});
        }
        const Ptr<FlowDriver> driver = StartFlows(*m_fabric, flows);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(CountIncomplete(*driver), 0, "all messages arrive");
        NS_TEST_EXPECT_MSG_GT(m_frames, 100 * hosts / 2, "frames were looked at");
        for (uint32_t id = 0; id < m_fabric->GetSwitchCount(); ++id)
        {
            PolicyCounters counters;
            m_fabric->GetSwitch(id)->GetForwarder()->Count(counters);
            NS_TEST_EXPECT_MSG_EQ(counters.at("fib_misses"), 0, "no frame lacks a route");
        }
        Simulator::Destroy();
    }

    /// Look at the frames that leave by a port.
    void Observe(const FabricEnd& end, const FabricEnd& peer)
    {
        Trace(*m_fabric->GetPort(end), "Send", [this, end, peer](Ptr<const FabricFrame> frame) {
            Look(end, peer, *frame);
        });
    }

    /// @return the uSID that has to be the first one
    uint16_t GetNext(const FabricEnd& end, const FabricEnd& peer) const
    {
        const UsidPlan& plan = GetPlan(*m_fabric);
        return peer.isHost ? plan.GetScheme().Make({UsidClass::NIC, peer.port, end.port})
                           : plan.GetUsid(peer.id);
    }

    /// Check a frame.
    void Look(const FabricEnd& end, const FabricEnd& peer, const FabricFrame& frame)
    {
        ++m_frames;
        const Mac48Address source =
            Mac48Address::ConvertFrom(m_fabric->GetPort(end)->GetDevice()->GetAddress());
        const Mac48Address destination =
            Mac48Address::ConvertFrom(m_fabric->GetPort(peer)->GetDevice()->GetAddress());
        const Ptr<Packet> packet = FrameCodec::Serialize(frame, source, destination);
        NS_TEST_EXPECT_MSG_EQ(packet->GetSize() + FrameCodec::FCS_SIZE, frame.wireBytes, "bytes");
        Ptr<FabricFrame> read = FrameCodec::Deserialize(packet, *m_fabric->GetPool());
        NS_TEST_ASSERT_MSG_NE(read, nullptr, "no frame");
        NS_TEST_EXPECT_MSG_EQ(Describe(*read), Describe(frame), "the frame comes back");
        FrameBundle bundle;
        bundle.Add(frame, FrameTrailer(0, 0, 1, frame), source, destination);
        FrameBundle::Read(*bundle.Take(),
                          *m_fabric->GetPool(),
                          [&](const Ptr<FabricFrame>& other, const FrameTrailer&) {
                              NS_TEST_EXPECT_MSG_EQ(Describe(*other),
                                                    Describe(frame),
                                                    "it comes back from another rank");
                          });
        packet->RemoveAtStart(FrameCodec::ETHERNET_SIZE);
        Ipv6Header outer;
        packet->RemoveHeader(outer);
        UsidScheme::Address address;
        outer.GetDestination().GetBytes(address.data());
        const uint16_t first = GetPlan(*m_fabric).GetScheme().ToList(address)->front();
        if (!end.isHost || !m_omitsFirst)
        {
            NS_TEST_EXPECT_MSG_EQ(first, GetNext(end, peer), "the address names the next node");
        }
        NS_TEST_EXPECT_MSG_EQ(+outer.GetHopLimit(), 64 - frame.GetHops(), "hop limit");
        CheckInner(*packet, outer, frame);
    }

    void CheckInner(Packet& packet, const Ipv6Header& outer, const FabricFrame& frame)
    {
        uint8_t next = outer.GetNextHeader();
        NS_TEST_EXPECT_MSG_EQ(outer.GetPayloadLength(), packet.GetSize(), "length");
        if (GetPlan(*m_fabric).HasCopy())
        {
            Srv6RoutingHeader copy;
            packet.RemoveHeader(copy);
            NS_TEST_EXPECT_MSG_EQ(+next, 43, "routing header");
            NS_TEST_EXPECT_MSG_EQ(copy.GetSegments().size(), 1, "the route");
            next = copy.GetNextHeader();
        }
        NS_TEST_EXPECT_MSG_EQ(+next, 41, "IPv6 in IPv6");
        Ipv6Header inner;
        packet.RemoveHeader(inner);
        NS_TEST_EXPECT_MSG_EQ(+inner.GetHopLimit(), 64, "nobody changes the inner header");
        NS_TEST_EXPECT_MSG_EQ(+inner.GetTrafficClass(), frame.GetTos(), "copied");
        NS_TEST_EXPECT_MSG_EQ(+inner.GetNextHeader(), 17, "UDP");
    }

    Ptr<Fabric> m_fabric;     //!< the fabric
    bool m_omitsFirst{false}; //!< lists begin behind the first leaf
    uint64_t m_frames{0};     //!< frames that were looked at
};

/// The same entropies are the same paths with srv6 and stev: each port sends as many frames, and
/// with srv6 each of them has 40 bytes more.
struct StevTestCase : FabricTestCase
{
    /// @return frames and bytes sent by all ports
    static std::vector<std::pair<uint64_t, uint64_t>> Send(const std::string& forwarder)
    {
        const Ptr<Fabric> fabric = MakeHelper(ObjectFactory(forwarder)).Install(FatTree(4));
        std::vector<Flow> flows;
        for (uint32_t host = 0; host < 16; ++host)
        {
            flows.push_back({0, host, (host + 5) % 16, 100000});
        }
        const Ptr<FlowDriver> driver = StartFlows(*fabric, flows);
        for (uint32_t host = 0; host < 16; ++host)
        {
            fabric->GetNic(host)->AssignStreams(1000 * host);
        }
        Simulator::Run();
        std::vector<std::pair<uint64_t, uint64_t>> sent;
        ForEachPort(*fabric, [&sent](FabricPort& port) {
            const auto counters = port.GetTransmitter().GetCounters();
            sent.emplace_back(counters.sentFrames, counters.sentBytes);
        });
        Simulator::Destroy();
        return sent;
    }
};

FABRIC_TEST_F(StevTestCase, g_srv6, "structured entropy and uSIDs name the same paths")
{
    const auto stev = Send("ns3::aifabric::StevForwarder");
    const auto srv6 = Send(SRV6);
    const auto clos = Send("ns3::aifabric::ClosForwarder");
    NS_TEST_ASSERT_MSG_EQ(stev.size(), srv6.size(), "ports");
    for (std::size_t i = 0; i < stev.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(srv6[i].first, stev[i].first, "frames of port " << i);
        NS_TEST_EXPECT_MSG_EQ(srv6[i].second,
                              stev[i].second + 40 * stev[i].first,
                              "bytes of port " << i);
    }
    NS_TEST_EXPECT_MSG_EQ((clos == stev), false, "a hash takes other paths");
}

/// No switch avoids a dead link, however long it is dead: what is named to go there is lost on the
/// link, and nothing else. What has no route is dropped, and counted.
struct DeadLinkTestCase : FabricTestCase
{
    /// Send a frame by each uplink.  @return frames that arrived
    uint64_t SendByAll()
    {
        FabricTransmitter& last = m_fabric->GetSwitch(1)->GetPort(0)->GetTransmitter();
        const uint64_t before = last.GetCounters().sentFrames;
        for (uint32_t uplink = 0; uplink < 4; ++uplink)
        {
            const Ptr<FabricFrame> frame = MakeFrame(*m_fabric, 0, 1, LOSSLESS_CLASS, 1000);
            FrameCodec::SetFlow(*frame, PathChoice::FIRST_PORT + uplink);
            SendFrame(*m_fabric, frame);
        }
        Simulator::Run();
        last.Advance(FabricClock::Now());
        return last.GetCounters().sentFrames - before;
    }

    Ptr<Fabric> m_fabric; //!< the fabric
};

FABRIC_TEST_F(DeadLinkTestCase, g_srv6, "dead links and missing routes")
{
    m_fabric = MakeHelper(ObjectFactory(SRV6)).Install(LeafSpine(2, 4, 1));
    const Ptr<FabricSwitch> leaf = m_fabric->GetSwitch(0);
    const FabricGraph& graph = m_fabric->GetGraph();
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(SendByAll(), 4, "all are alive");
    const Ptr<FabricChannel> channel = m_fabric->GetChannel(graph.LinkAt({false, 0, 2}));
    channel->SetUp(false);
    Simulator::Stop(MilliSeconds(1)); // longer than a switch needs to notice
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(SendByAll(), 3, "one is dead");
    NS_TEST_EXPECT_MSG_EQ(leaf->GetDropped(FabricSwitch::NO_ROUTE), 0, "the switch sends it");
    NS_TEST_EXPECT_MSG_EQ(
        m_fabric->GetPort({false, 0, 2})->GetTransmitter().GetCounters().lostFrames,
        1,
        "the link loses it");
    channel->SetUp(true);
    NS_TEST_EXPECT_MSG_EQ(SendByAll(), 4, "all are alive again, at once");
    const auto forwarder = DynamicCast<Srv6Forwarder>(leaf->GetForwarder());
    forwarder->RemoveRoutes(4);
    NS_TEST_EXPECT_MSG_EQ(SendByAll(), 3, "one has no route");
    NS_TEST_EXPECT_MSG_EQ(forwarder->GetFibMisses(), 1, "which is counted");
    NS_TEST_EXPECT_MSG_EQ(leaf->GetDropped(FabricSwitch::NO_ROUTE), 1, "and dropped");
    const Ptr<FabricFrame> plain = MakeFrame(*m_fabric, 0, 1, LOSSY_CLASS, 1000);
    plain->kind = FrameKind::IP;
    SendFrame(*m_fabric, plain);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(forwarder->GetFibMisses(), 2, "a packet without an outer header");
}

/// Switches mark and trim by the outer header, which the receiving NIC reads; the inner one keeps
/// what the sender wrote. A trimmed frame keeps the lengths that it had.
struct OuterHeaderTestCase : FabricTestCase
{
    /// Look at a frame that has arrived.
    void Look(const FabricFrame& frame)
    {
        const Mac48Address leaf = Mac48Address::ConvertFrom(
            m_fabric->GetSwitch(0)->GetPort(0)->GetDevice()->GetAddress());
        const Ptr<Packet> packet = FrameCodec::Serialize(frame, leaf, leaf);
        const bool isTrimmed = frame.flags & FRAME_TRIMMED;
        FabricFramePool& pool = *m_fabric->GetPool();
        const Ptr<FabricFrame> read = isTrimmed ? FrameCodec::DeserializeTrimmed(packet, pool)
                                                : FrameCodec::Deserialize(packet, pool);
        NS_TEST_ASSERT_MSG_NE(read, nullptr, "no frame");
        NS_TEST_EXPECT_MSG_EQ(Describe(*read), Describe(frame), "the frame comes back");
        packet->RemoveAtStart(FrameCodec::ETHERNET_SIZE);
        Ipv6Header outer;
        Ipv6Header inner;
        packet->RemoveHeader(outer);
        packet->RemoveHeader(inner);
        NS_TEST_EXPECT_MSG_EQ(+outer.GetTrafficClass(), +frame.GetTos(), "the NIC reads it");
        NS_TEST_EXPECT_MSG_EQ(outer.GetPayloadLength(),
                              inner.GetPayloadLength() + 40,
                              "lengths are those before the trimming");
        m_marked += frame.GetEcn() == ECN_CE;
        NS_TEST_EXPECT_MSG_NE((inner.GetTrafficClass() & 3), ECN_CE, "the mark is outside");
        if (frame.payload > 0 && !isTrimmed)
        {
            m_dscp = frame.GetTos() >> 2;
        }
        if (isTrimmed)
        {
            ++m_trimmed;
            NS_TEST_EXPECT_MSG_EQ(frame.wireBytes, 64 + 20 + 40, "what is left");
            NS_TEST_EXPECT_MSG_EQ((inner.GetTrafficClass() >> 2), m_dscp, "DSCP of the sender");
            NS_TEST_EXPECT_MSG_NE((outer.GetTrafficClass() >> 2), m_dscp, "DSCP of the switch");
        }
    }

    Ptr<Fabric> m_fabric;  //!< the fabric
    uint64_t m_marked{0};  //!< frames with a mark
    uint64_t m_trimmed{0}; //!< frames that were trimmed
    int m_dscp{0};         //!< of data
};

FABRIC_TEST_F(OuterHeaderTestCase, g_srv6, "marks and trims are in the outer header")
{
    ClosHelper helper = MakeHelper(ObjectFactory(SRV6));
    helper.SetNicAttribute("QueuePairType", StringValue("ns3::aifabric::SprayQueuePair"));
    helper.SetNicAttribute("RecoveryType", StringValue("ns3::aifabric::SelectiveRepeatRecovery"));
    helper.SetNicAttribute("AckPolicyType", StringValue("ns3::aifabric::UnorderedAckPolicy"));
    helper.SetAdmission(FactoryOf("TrimmingBuffer", {{"PortBytes", 20000}}));
    helper.SetMarker(FactoryOf("StepMarker", {{"Threshold", 9000}}));
    m_fabric = helper.Install(LeafSpine(4, 2, 2));
    Trace(*m_fabric->GetNic(0)->GetPort(0), "Receive", [this](Ptr<const FabricFrame> frame) {
        Look(*frame);
    });
    std::vector<Flow> flows;
    for (uint32_t host = 1; host < 8; ++host)
    {
        flows.push_back({0, host, 0, 100000});
    }
    const Ptr<FlowDriver> driver = StartFlows(*m_fabric, flows);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(CountIncomplete(*driver), 0, "all messages arrive");
    NS_TEST_EXPECT_MSG_GT(m_marked, 0, "some were marked");
    NS_TEST_EXPECT_MSG_GT(m_trimmed, 0, "some were trimmed");
}

/// What of a fabric has no name is said in one line; what is no frame of the fabric is refused.
struct RefusalTestCase : FabricTestCase
{
    /// Change bytes of a frame.
    void RefuseBytes()
    {
        constexpr uint32_t LAST_OF_OUTER = 14 + 40;
        const Ptr<Fabric> fabric = MakeHelper(ObjectFactory(SRV6)).Install(LeafSpine(2, 2, 2));
        const Ptr<FabricFrame> frame = MakeFrame(*fabric, 0, 3, LOSSLESS_CLASS, 0);
        frame->flags |= FRAME_IPV6;
        frame->payload = 100;
        FrameCodec::SetFlow(*frame, 0xC001);
        const Mac48Address mac("02:80:00:00:00:00");
        const Ptr<Packet> good = FrameCodec::Serialize(*frame, mac, mac);
        FabricFramePool& pool = *fabric->GetPool();
        NS_TEST_EXPECT_MSG_NE(FrameCodec::Deserialize(good, pool), nullptr, "unchanged");
        const Ptr<FabricFramePool> other = Create<FabricFramePool>();
        const Ptr<FabricFrame> ip = FrameCodec::Deserialize(good, *other);
        NS_TEST_EXPECT_MSG_EQ((ip && ip->kind == FrameKind::IP), true, "an IP packet elsewhere");
        std::vector<uint8_t> bytes(good->GetSize());
        good->CopyData(bytes.data(), bytes.size());
        // Next header, hop limit, and the destination address
        std::vector<uint32_t> places{20, 21};
        for (uint32_t place = LAST_OF_OUTER - 16; place < LAST_OF_OUTER; ++place)
        {
            places.push_back(place);
        }
        for (const uint32_t place : places)
        {
            std::vector<uint8_t> wrong = bytes;
            wrong[place] ^= 1;
            const Ptr<Packet> packet = Create<Packet>(wrong.data(), wrong.size());
            const Ptr<FabricFrame> read = FrameCodec::Deserialize(packet, pool);
            NS_TEST_EXPECT_MSG_EQ((!read || read->kind == FrameKind::IP), true, "byte " << place);
        }
        std::vector<uint8_t> naked = bytes;
        naked.erase(naked.begin() + 14, naked.begin() + LAST_OF_OUTER);
        FrameCodec::Result result = FrameCodec::Result::OK;
        FrameCodec::Deserialize(Create<Packet>(naked.data(), naked.size()), pool, &result);
        NS_TEST_EXPECT_MSG_EQ((result == FrameCodec::Result::UNSUPPORTED), true, "no outer header");
    }
};

FABRIC_TEST_F(RefusalTestCase, g_srv6, "fabrics and bytes that are refused")
{
    const UsidScheme scheme;
    NS_TEST_EXPECT_MSG_EQ(UsidPlan::FindObstacle(ThreeTier(), scheme), "", "fits");
    NS_TEST_EXPECT_MSG_EQ(UsidPlan::FindObstacle(LeafSpine(2, 2, 2, 9), scheme),
                          "9 planes; uSIDs have names for 8 planes of 512 switches a tier",
                          "planes");
    const FabricGraph wide = LeafSpine(20, 2, 2, 9);
    NS_TEST_EXPECT_MSG_EQ(UsidPlan::FindObstacle(wide, UsidScheme(0, 8)), "", "wider planes");
    NS_TEST_EXPECT_MSG_EQ(
        UsidPlan::FindObstacle(wide, UsidScheme(0, 4)),
        "20 switches of a tier; uSIDs have names for 256 planes of 16 switches a tier",
        "switches");
    NS_TEST_EXPECT_MSG_EQ(UsidPlan::FindObstacle(LeafSpine(2, 2, 17), UsidScheme(0, 4)),
                          "17 hosts of a leaf; uSIDs have names for 16",
                          "hosts");
    LeafSpineConfig parallel;
    parallel.leaves = parallel.spines = parallel.hostsPerLeaf = parallel.linksPerSpine = 2;
    NS_TEST_EXPECT_MSG_EQ(UsidPlan::FindObstacle(MakeLeafSpine(parallel), scheme),
                          "parallel links, which have one name (uN)",
                          "parallel links");
    RefuseBytes();
}

FABRIC_ROWS(g_srv6)
{
    rows.AddRow<StaticTablesTestCase>("tables of leaves and spines", LeafSpine(5, 3, 4, 2));
    rows.AddRow<StaticTablesTestCase>("tables of a fat-tree", FatTree(6));
    rows.AddRow<StaticTablesTestCase>("tables of three tiers", ThreeTier());
    const ObjectFactory usual(SRV6);
    rows.AddRow<WireTestCase>("frames: RC", LeafSpine(3, 4, 2), "RcQueuePair", usual);
    rows.AddRow<WireTestCase>("frames: planes", LeafSpine(3, 2, 2, 3), "RcQueuePair", usual);
    rows.AddRow<WireTestCase>("frames: three tiers", ThreeTier(), "SprayQueuePair", usual);
    const ObjectFactory omits(SRV6, "OmitFirstT0", BooleanValue(true));
    rows.AddRow<WireTestCase>("frames: no first leaf", FatTree(4), "RcQueuePair", omits);
    const ObjectFactory copies(SRV6, "CopyRoute", BooleanValue(true));
    rows.AddRow<WireTestCase>("frames: a copy", FatTree(4), "SprayQueuePair", copies);
    const ObjectFactory other(SRV6,
                              "Block",
                              Ipv6AddressValue(Ipv6Address("fcbb:bbbb::")),
                              "IndexBits",
                              UintegerValue(10));
    rows.AddRow<WireTestCase>("frames: other names", ThreeTier(), "RcQueuePair", other);
}
