/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/fabric-ip-helper.h"
#include "ns3/icmpv4.h"
#include "ns3/icmpv6-header.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/ipv6-header.h"
#include "ns3/queue-size.h"
#include "ns3/socket.h"

static Suite g_fabricIp("ai-fabric-ip", TestSuite::Type::SYSTEM);

namespace
{

constexpr uint16_t PORT = 7;            //!< of UDP
constexpr uint8_t PROTOCOL_ICMP = 1;    //!< IP protocol number
constexpr uint8_t PROTOCOL_UDP = 17;    //!< IP protocol number
constexpr uint8_t PROTOCOL_ICMPV6 = 58; //!< IP protocol number
constexpr uint8_t ICMP_ECHO = 8;        //!< ICMP type
constexpr uint8_t ICMP_ECHO_REPLY = 0;  //!< ICMP type
constexpr uint8_t ICMPV6_REPLY = 129;   //!< ICMPv6 type

/// @return a socket  @param factory its kind, such as ns3::UdpSocketFactory
/// @param received what to do with received packets
Ptr<Socket>
MakeSocket(Ptr<Node> node,
           const std::string& factory,
           std::function<void(Ptr<Packet>, Address)> received)
{
    Ptr<Socket> socket = Socket::CreateSocket(node, TypeId::LookupByName(factory));
    socket->SetRecvCallback(CallbackOf([received](Ptr<Socket> from) {
        Address address;
        while (Ptr<Packet> packet = from->RecvFrom(address))
        {
            received(packet, address);
        }
    }));
    return socket;
}

/// @return a fabric of two leaves, whose hosts have IP stacks with addresses
Ptr<Fabric>
BuildIpFabric(const ClosHelper& helper)
{
    Ptr<Fabric> fabric = InstallFabric(helper, LeafSpine(2, 2, 2));
    InternetStackHelper stack;
    stack.Install(fabric->GetHosts());
    stack.AssignStreams(fabric->GetHosts(), 1000000);
    FabricIpHelper::AssignIpv4(*fabric);
    FabricIpHelper::AssignIpv6(*fabric);
    return fabric;
}

/// @return bytes that are different in each packet  @param size in bytes
std::vector<uint8_t>
Pattern(uint32_t number, uint32_t size)
{
    std::vector<uint8_t> bytes(size);
    for (uint32_t i = 0; i < size; ++i)
    {
        bytes[i] = static_cast<uint8_t>(number * 31 + i * 7);
    }
    return bytes;
}

/// @return whether a packet has these contents
bool
Contains(const Ptr<const Packet>& packet, const std::vector<uint8_t>& bytes)
{
    std::vector<uint8_t> copy(packet->GetSize());
    packet->CopyData(copy.data(), copy.size());
    return copy == bytes;
}

} // namespace

/// An ICMP echo crosses the fabric and is answered, in IPv4 and in IPv6, with the time to live that
/// the switches have left it.
struct FabricPingTestCase : FabricTestCase
{
    /// @param host whom host 0 pings
    void Ping4(const Ptr<Fabric>& fabric, uint32_t host, uint8_t switches)
    {
        auto received = [this, host, switches](Ptr<Packet> packet, Address) {
            Ipv4Header ip;
            Icmpv4Header icmp;
            packet->RemoveHeader(ip);
            packet->RemoveHeader(icmp);
            if (ip.GetSource() != FabricIpHelper::GetIpv4(host) ||
                icmp.GetType() != ICMP_ECHO_REPLY)
            {
                return;
            }
            Icmpv4Echo echo;
            packet->RemoveHeader(echo);
            ++m_replies4;
            NS_TEST_EXPECT_MSG_EQ(ip.GetDestination(), FabricIpHelper::GetIpv4(0), "to host 0");
            NS_TEST_EXPECT_MSG_EQ(ip.GetTtl(), 64 - switches, "each switch takes one");
            NS_TEST_EXPECT_MSG_EQ(echo.GetSequenceNumber(), 77 + host, "the sequence number");
            NS_TEST_EXPECT_MSG_EQ(echo.GetDataSize(), 56, "and the data return");
        };
        const Ptr<Node> node = fabric->GetHosts().Get(0);
        Ptr<Socket> socket = MakeSocket(node, "ns3::Ipv4RawSocketFactory", received);
        socket->SetAttribute("Protocol", UintegerValue(PROTOCOL_ICMP));
        ScheduleFunctionWithContext(node->GetId(), MicroSeconds(1), [=] {
            Icmpv4Echo echo;
            echo.SetSequenceNumber(77 + host);
            echo.SetData(Create<Packet>(56));
            Icmpv4Header header;
            header.SetType(ICMP_ECHO);
            header.EnableChecksum();
            Ptr<Packet> packet = Create<Packet>();
            packet->AddHeader(echo);
            packet->AddHeader(header);
            socket->SendTo(packet, 0, InetSocketAddress(FabricIpHelper::GetIpv4(host), 0));
        });
    }

    /// @param host whom host 0 pings
    void Ping6(const Ptr<Fabric>& fabric, uint32_t host, uint8_t switches)
    {
        auto received = [this, host, switches](Ptr<Packet> packet, Address) {
            Ipv6Header ip;
            Icmpv6Header icmp;
            packet->RemoveHeader(ip);
            packet->PeekHeader(icmp);
            if (ip.GetSource() != FabricIpHelper::GetIpv6(host) || icmp.GetType() != ICMPV6_REPLY)
            {
                return;
            }
            Icmpv6Echo echo(false);
            packet->RemoveHeader(echo);
            ++m_replies6;
            NS_TEST_EXPECT_MSG_EQ(ip.GetDestination(), FabricIpHelper::GetIpv6(0), "to host 0");
            NS_TEST_EXPECT_MSG_EQ(ip.GetHopLimit(), 64 - switches, "each switch takes one");
            NS_TEST_EXPECT_MSG_EQ(echo.GetSeq(), 99 + host, "the sequence number");
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 56, "and the data return");
        };
        const Ptr<Node> node = fabric->GetHosts().Get(0);
        Ptr<Socket> socket = MakeSocket(node, "ns3::Ipv6RawSocketFactory", received);
        socket->SetAttribute("Protocol", UintegerValue(PROTOCOL_ICMPV6));
        ScheduleFunctionWithContext(node->GetId(), MicroSeconds(1), [=] {
            Icmpv6Echo echo(true);
            echo.SetSeq(99 + host);
            echo.SetId(1);
            Ptr<Packet> packet = Create<Packet>(56);
            packet->AddHeader(echo);
            socket->Bind(Inet6SocketAddress(FabricIpHelper::GetIpv6(0), 0));
            socket->SendTo(packet, 0, Inet6SocketAddress(FabricIpHelper::GetIpv6(host), 0));
        });
    }

    uint32_t m_replies4{0}; //!< replies that came, IPv4
    uint32_t m_replies6{0}; //!< replies that came, IPv6
};

FABRIC_TEST_F(FabricPingTestCase, g_fabricIp, "Ping")
{
    const Ptr<Fabric> fabric = BuildIpFabric(ClosHelper());
    Ping4(fabric, 1, 1); // the other host of the leaf, by way of one switch
    Ping4(fabric, 3, 3);
    Ping6(fabric, 1, 1);
    Ping6(fabric, 2, 3);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_replies4, 2, "IPv4 replies");
    NS_TEST_EXPECT_MSG_EQ(m_replies6, 2, "IPv6 replies");
    NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MilliSeconds(500), "and then there is silence");
}

/// UDP datagrams of all sizes, also such that have to be fragmented, arrive unharmed beside RoCE
/// messages on the same links, in IPv4 and in IPv6.
struct FabricUdpTestCase : FabricTestCase
{
    static constexpr uint32_t DATAGRAMS = 50; //!< of each protocol

    /// Send datagrams from host 0 to host 3.
    void Send(const Ptr<Fabric>& fabric, bool ipv6)
    {
        uint32_t& count = ipv6 ? m_received6 : m_received4;
        auto received = [this, &count](Ptr<Packet> packet, Address) {
            const bool right = Contains(packet, Pattern(count, Size(count)));
            NS_TEST_EXPECT_MSG_EQ(right, true, "contents of datagram " << count);
            ++count;
        };
        const Ptr<Node> node = fabric->GetHosts().Get(0);
        const std::string factory = "ns3::UdpSocketFactory";
        Ptr<Socket> receiver = MakeSocket(fabric->GetHosts().Get(3), factory, received);
        Ptr<Socket> sender = Socket::CreateSocket(node, TypeId::LookupByName(factory));
        const Address there = ipv6 ? Address(Inet6SocketAddress(FabricIpHelper::GetIpv6(3), PORT))
                                   : Address(InetSocketAddress(FabricIpHelper::GetIpv4(3), PORT));
        receiver->Bind(ipv6 ? Address(Inet6SocketAddress(Ipv6Address::GetAny(), PORT))
                            : Address(InetSocketAddress(Ipv4Address::GetAny(), PORT)));
        for (uint32_t i = 0; i < DATAGRAMS; ++i)
        {
            ScheduleFunctionWithContext(node->GetId(), MicroSeconds(1 + 2 * i), [=] {
                const std::vector<uint8_t> bytes = Pattern(i, Size(i));
                sender->SendTo(Create<Packet>(bytes.data(), bytes.size()), 0, there);
            });
        }
    }

    /// @return the size of a datagram, in bytes
    static uint32_t Size(uint32_t number)
    {
        return number % 10 == 9 ? 9000 : 1 + number * 80;
    }

    uint32_t m_received4{0}; //!< datagrams that came, IPv4
    uint32_t m_received6{0}; //!< datagrams that came, IPv6
};

FABRIC_TEST_F(FabricUdpTestCase, g_fabricIp, "UDP beside RoCE")
{
    const Ptr<Fabric> fabric = BuildIpFabric(ClosHelper());
    const RoceHelper::Ends ends = RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(3));
    uint32_t messages = 0;
    const auto done = CallbackOf([&messages](Ptr<QueuePair>, uint64_t) { ++messages; });
    Send(fabric, false);
    Send(fabric, true);
    ScheduleFunction(NanoSeconds(1), [&] {
        ends.first->PostWrite(10000000, done);
        ends.second->PostWrite(10000000, done);
    });
    Simulator::Run();
    fabric->CatchUp();
    NS_TEST_EXPECT_MSG_EQ(messages, 2, "RoCE messages complete");
    NS_TEST_EXPECT_MSG_EQ(m_received4, DATAGRAMS, "IPv4 datagrams");
    NS_TEST_EXPECT_MSG_EQ(m_received6, DATAGRAMS, "IPv6 datagrams");
    const RoceNetDevice::Counters& counters = fabric->GetNic(3)->GetCounters();
    NS_TEST_EXPECT_MSG_GT(counters.ip, 2 * DATAGRAMS, "some of them in fragments");
    NS_TEST_EXPECT_MSG_EQ(counters.dropped, 0, "nothing is dropped");
    const FabricTransmitter& leaf =
        fabric->GetNic(3)->GetPort(0)->GetTransmitter().GetPeer()->GetTransmitter();
    NS_TEST_EXPECT_MSG_EQ(leaf.GetCounters().deliveredFrames,
                          counters.data + counters.acks + counters.ip,
                          "conservation");
}

/// IP packets that can be marked are marked where a queue is long, and arrive with the mark and the
/// time to live that they have got on the way, and a right header checksum. They travel in the
/// class that their DSCP names.
struct FabricIpHeaderTestCase : FabricTestCase
{
    static constexpr uint32_t PACKETS = 40; //!< from each of two hosts

    /// @param host whose packets to send to host 1
    void Send(uint32_t host, uint8_t tos)
    {
        const Ptr<Node> node = m_fabric->GetHosts().Get(host);
        Ptr<Socket> socket =
            Socket::CreateSocket(node, TypeId::LookupByName("ns3::UdpSocketFactory"));
        socket->Connect(InetSocketAddress(FabricIpHelper::GetIpv4(1), PORT));
        socket->SetIpTos(tos);
        for (uint32_t i = 0; i < PACKETS; ++i)
        {
            ScheduleFunctionWithContext(node->GetId(), MicroSeconds(1), [=] {
                socket->Send(Create<Packet>(4000));
            });
        }
    }

    /// @param packet a packet that came to host 1, with its IP header
    void Receive(const Ptr<Packet>& packet)
    {
        Ipv4Header header;
        packet->RemoveHeader(header);
        if (header.GetSource() == FabricIpHelper::GetIpv4(1))
        {
            return; // a complaint that nobody listens at the port
        }
        const uint32_t host = header.GetSource() == FabricIpHelper::GetIpv4(0) ? 0 : 3;
        ++m_count[host];
        m_marked[host] += header.GetEcn() == Ipv4Header::ECN_CE;
        NS_TEST_EXPECT_MSG_EQ(header.GetTtl(), (host == 0 ? 63 : 61), "one or three switches");
        NS_TEST_EXPECT_MSG_EQ((header.GetTos() >> 2), (host == 0 ? 0 : 0x1A), "DSCP");
    }

    Ptr<Fabric> m_fabric;                //!< the fabric
    std::array<uint32_t, 4> m_count{};   //!< packets that came, by source
    std::array<uint32_t, 4> m_marked{};  //!< of these, marked
    std::array<uint32_t, 8> m_classes{}; //!< packets sent to host 1, by class
};

FABRIC_TEST_F(FabricIpHeaderTestCase, g_fabricIp, "ECN, TTL and DSCP of IP packets")
{
    ClosHelper helper;
    helper.SetMarker(FactoryOf("StepMarker", {{"Threshold", 10000}}));
    const Ptr<Fabric> fabric = BuildIpFabric(helper);
    m_fabric = fabric;
    auto received = [this](Ptr<Packet> packet, Address) { Receive(packet); };
    Ptr<Socket> raw = MakeSocket(fabric->GetHosts().Get(1), "ns3::Ipv4RawSocketFactory", received);
    raw->SetAttribute("Protocol", UintegerValue(PROTOCOL_UDP));
    Trace(*fabric->GetSwitch(0)->GetPort(1), "Send", [this](Ptr<const FabricFrame> frame) {
        ++m_classes[frame->GetClass()];
    });
    Trace(*fabric->GetNic(1), "MacRx", [this](Ptr<const Packet> packet) {
        Ipv4Header header;
        header.EnableChecksum();
        packet->PeekHeader(header);
        NS_TEST_EXPECT_MSG_EQ(header.IsChecksumOk(), true, "header checksum");
    });
    // two hosts send to host 1 at once: half of what comes has to wait
    Send(0, 0x02); // best effort, ECN-capable
    Send(3, 0x68); // class 3, not ECN-capable
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_count[0], PACKETS, "all of host 0");
    NS_TEST_EXPECT_MSG_EQ(m_count[3], PACKETS, "all of host 3");
    NS_TEST_EXPECT_MSG_EQ(m_marked[3], 0, "who cannot be marked is not");
    NS_TEST_EXPECT_MSG_GT(m_marked[0], 5, "who can, is, behind a long queue");
    NS_TEST_EXPECT_MSG_LT(m_marked[0], PACKETS, "and is not, behind a short one");
    NS_TEST_EXPECT_MSG_EQ(m_classes[0], PACKETS, "best effort");
    NS_TEST_EXPECT_MSG_EQ(m_classes[3], PACKETS, "class 3");
    m_fabric = nullptr;
}

/// What belongs to no host stays at the NIC that should have sent it, and is traced.
struct FabricIpNowhereTestCase : FabricTestCase
{
    /// Send a packet from host 0, and see what becomes of it.
    void Try(const Ptr<Fabric>& fabric, const std::string& address)
    {
        const Ptr<Node> node = fabric->GetHosts().Get(0);
        Ptr<Socket> socket =
            Socket::CreateSocket(node, TypeId::LookupByName("ns3::UdpSocketFactory"));
        socket->SetAllowBroadcast(true);
        socket->SendTo(Create<Packet>(100), 0, InetSocketAddress(address.c_str(), PORT));
        Simulator::Stop(MicroSeconds(20));
        Simulator::Run();
        socket->Close();
    }
};

FABRIC_TEST_F(FabricIpNowhereTestCase, g_fabricIp, "Packets to nowhere")
{
    const Ptr<Fabric> fabric = BuildIpFabric(ClosHelper());
    const Ptr<RoceNetDevice> nic = fabric->GetNic(0);
    uint32_t dropped = 0;
    uint32_t begun = 0;
    Trace(*nic, "MacTxDrop", [&](Ptr<const Packet>) { ++dropped; });
    Trace(*nic, "PhyTxBegin", [&](Ptr<const Packet>) { ++begun; });
    Simulator::Stop(MilliSeconds(500));
    Simulator::Run(); // IPv6 solicits routers
    NS_TEST_EXPECT_MSG_GT(dropped, 0, "multicast");
    dropped = 0;
    Try(fabric, "10.255.255.255"); // broadcast
    Try(fabric, "10.200.0.1");     // no host can have this address
    NS_TEST_EXPECT_MSG_EQ(dropped, 2, "dropped by the NIC");
    NS_TEST_EXPECT_MSG_EQ(begun, 0, "and not sent");
    Try(fabric, "10.0.1.1"); // host 256, which this fabric does not have
    NS_TEST_EXPECT_MSG_EQ(begun, 1, "the NIC does not know that");
    const uint64_t noRoute = SumSwitches(*fabric, [](const FabricSwitch& fabricSwitch) {
        return fabricSwitch.GetDropped(FabricSwitch::NO_ROUTE);
    });
    NS_TEST_EXPECT_MSG_EQ(noRoute, 1, "but the top of the fabric does");
    nic->GetPort(0)->GetTransmitter().GetQueue(0)->SetMaxSize(QueueSize("2p"));
    const int64_t now = FabricClock::Now();
    nic->GetPort(0)->GetTransmitter().Pause(0xFF, 2 * now, now);
    for (uint32_t i = 0; i < 5; ++i)
    {
        Try(fabric, "10.0.0.2");
    }
    NS_TEST_EXPECT_MSG_EQ(dropped, 5, "three for want of room");
}

FABRIC_TEST(g_fabricIp, "Who receives all IP packets of a NIC is told of each")
{
    const Ptr<Fabric> fabric = BuildIpFabric({});
    std::vector<uint16_t> protocols;
    fabric->GetNic(3)->SetPromiscReceiveCallback(CallbackOf([&protocols](Ptr<NetDevice>,
                                                                         Ptr<const Packet>,
                                                                         uint16_t protocol,
                                                                         const Address&,
                                                                         const Address&,
                                                                         NetDevice::PacketType) {
        protocols.push_back(protocol);
        return true;
    }));
    const Ptr<Node> node = fabric->GetHosts().Get(0);
    const auto socket = MakeSocket(node, "ns3::UdpSocketFactory", [](Ptr<Packet>, Address) {});
    ScheduleFunctionWithContext(node->GetId(), MicroSeconds(1), [socket] {
        socket->SendTo(Create<Packet>(100), 0, InetSocketAddress(FabricIpHelper::GetIpv4(3), 9));
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((protocols == std::vector<uint16_t>{0x0800}), true, "IPv4, once");
}
