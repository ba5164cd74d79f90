/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-net-device.h"

#include "fabric-channel.h"

#include "ns3/frame-codec.h"
#include "ns3/function-callback.h"
#include "ns3/ipv6-address.h"
#include "ns3/node.h"
#include "ns3/object-vector.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FabricNetDevice);

TypeId
FabricNetDevice::GetTypeId()
{
    static TypeId tid = AddWireTraces(AddPacketTraces(
        TypeId("ns3::aifabric::FabricNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("AiFabric")
            .AddAttribute("Mtu",
                          "Largest IP packet (bytes).",
                          UintegerValue(4200),
                          MakeUintegerAccessor(&FabricNetDevice::SetMtu, &FabricNetDevice::GetMtu),
                          MakeUintegerChecker<uint16_t>(68))
            .AddAttribute("PortList",
                          "The ports of the device.",
                          ObjectVectorValue(),
                          MakeObjectVectorAccessor(&FabricNetDevice::m_ports),
                          MakeObjectVectorChecker<FabricPort>())));
    return tid;
}

TypeId
FabricNetDevice::AddPacketTraces(TypeId type)
{
    return type
        .AddTraceSource("MacTx",
                        "An IP packet has arrived for transmission by this device.",
                        MakeTraceSourceAccessor(&FabricNetDevice::m_macTxTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("MacTxDrop",
                        "An IP packet was dropped by the device before transmission.",
                        MakeTraceSourceAccessor(&FabricNetDevice::m_macTxDropTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("MacRx",
                        "A received IP packet is handed up the stack.",
                        MakeTraceSourceAccessor(&FabricNetDevice::m_macRxTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("MacRxDrop",
                        "A received frame was dropped by the device.",
                        MakeTraceSourceAccessor(&FabricNetDevice::m_macRxDropTrace),
                        "ns3::Packet::TracedCallback");
}

TypeId
FabricNetDevice::AddWireTraces(TypeId type)
{
    return type
        .AddTraceSource("PhyTxBegin",
                        "The transmission of an Ethernet frame begins.",
                        MakeTraceSourceAccessor(&FabricNetDevice::m_phyTxBeginTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("PhyTxEnd",
                        "The transmission of an Ethernet frame has ended.",
                        MakeTraceSourceAccessor(&FabricNetDevice::m_phyTxEndTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("PhyTxDrop",
                        "An Ethernet frame was lost on the link.",
                        MakeTraceSourceAccessor(&FabricNetDevice::m_phyTxDropTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("PhyRxEnd",
                        "An Ethernet frame has been received whole.",
                        MakeTraceSourceAccessor(&FabricNetDevice::m_phyRxEndTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("Sniffer",
                        "Ethernet frames sent and received, without FCS.",
                        MakeTraceSourceAccessor(&FabricNetDevice::m_snifferTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("PromiscSniffer",
                        "Ethernet frames sent and received, without FCS.",
                        MakeTraceSourceAccessor(&FabricNetDevice::m_promiscSnifferTrace),
                        "ns3::Packet::TracedCallback");
}

FabricNetDevice::FabricNetDevice()
{
    auto update = [this]() {
        for (const Ptr<FabricPort>& port : m_ports)
        {
            port->UpdateObservers();
        }
    };
    m_phyTxBeginTrace.SetWatcher(update);
    m_phyTxEndTrace.SetWatcher(update);
    m_phyRxEndTrace.SetWatcher(update);
    m_snifferTrace.SetWatcher(update);
    m_promiscSnifferTrace.SetWatcher(update);
}

FabricNetDevice::~FabricNetDevice()
{
}

void
FabricNetDevice::AddPort(Ptr<FabricPort> port, FrameHandler* handler, uint16_t index)
{
    port->Attach(this, handler, index);
    m_ports.push_back(port);
}

std::size_t
FabricNetDevice::GetPortCount() const
{
    return m_ports.size();
}

Ptr<FabricPort>
FabricNetDevice::GetPort(std::size_t index) const
{
    return m_ports.at(index);
}

void
FabricNetDevice::DataRateChanged(uint16_t)
{
}

void
FabricNetDevice::NotifyPauseChange()
{
}

void
FabricNetDevice::NotifyLinkChange()
{
    m_linkChange();
}

bool
FabricNetDevice::HasSendObserver() const
{
    return !m_phyTxBeginTrace.IsEmpty() || !m_phyTxEndTrace.IsEmpty() || HasSniffer();
}

bool
FabricNetDevice::HasReceiveObserver() const
{
    return !m_phyRxEndTrace.IsEmpty() || HasSniffer();
}

bool
FabricNetDevice::HasSniffer() const
{
    return !m_snifferTrace.IsEmpty() || !m_promiscSnifferTrace.IsEmpty();
}

Ptr<Packet>
FabricNetDevice::MakeBytes(const FabricPort& port, const FabricFrame& frame, bool sending) const
{
    const FabricPort* peer = port.GetTransmitter().GetPeer();
    const Mac48Address other = peer->GetDevice()->m_address;
    return sending ? FrameCodec::Serialize(frame, m_address, other)
                   : FrameCodec::Serialize(frame, other, m_address);
}

void
FabricNetDevice::ObserveSending(const FabricPort& port, const FabricFrame& frame, Time duration)
{
    const Ptr<const Packet> bytes = MakeBytes(port, frame, true);
    m_phyTxBeginTrace(bytes);
    m_snifferTrace(bytes);
    m_promiscSnifferTrace(bytes);
    if (!m_phyTxEndTrace.IsEmpty())
    {
        ScheduleFunction(duration, [device = Ptr<FabricNetDevice>(this), bytes]() {
            device->m_phyTxEndTrace(bytes);
        });
    }
}

void
FabricNetDevice::ObserveReceiving(const FabricPort& port, const FabricFrame& frame)
{
    const Ptr<const Packet> bytes = MakeBytes(port, frame, false);
    m_phyRxEndTrace(bytes);
    m_snifferTrace(bytes);
    m_promiscSnifferTrace(bytes);
}

void
FabricNetDevice::ObserveLoss(const FabricPort& port, const FabricFrame& frame)
{
    if (!m_phyTxDropTrace.IsEmpty())
    {
        m_phyTxDropTrace(MakeBytes(port, frame, true));
    }
}

void
FabricNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
FabricNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
FabricNetDevice::GetChannel() const
{
    return m_ports.empty() ? nullptr : Ptr<Channel>(m_ports.front()->GetChannel());
}

void
FabricNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
FabricNetDevice::GetAddress() const
{
    return m_address;
}

bool
FabricNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
FabricNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
FabricNetDevice::IsLinkUp() const
{
    return std::any_of(m_ports.begin(), m_ports.end(), [](const Ptr<FabricPort>& port) {
        return port->GetChannel() && port->GetChannel()->IsUp();
    });
}

void
FabricNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

bool
FabricNetDevice::IsBroadcast() const
{
    return true; // as ns3::PointToPointNetDevice: IP hands packets down without resolving addresses
}

Address
FabricNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
FabricNetDevice::IsMulticast() const
{
    return true;
}

Address
FabricNetDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
FabricNetDevice::GetMulticast(Ipv6Address address) const
{
    return Mac48Address::GetMulticast(address);
}

bool
FabricNetDevice::IsBridge() const
{
    return false;
}

bool
FabricNetDevice::IsPointToPoint() const
{
    return false;
}

bool
FabricNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    return SendFrom(packet, m_address, dest, protocolNumber);
}

bool
FabricNetDevice::SendFrom(Ptr<Packet> packet, const Address&, const Address&, uint16_t)
{
    m_macTxDropTrace(packet);
    return false;
}

void
FabricNetDevice::HandUp(const Ptr<Packet>& packet, uint16_t protocol)
{
    m_macRxTrace(packet);
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this, packet->Copy(), protocol, m_address, m_address, PACKET_HOST);
    }
    if (!m_receive.IsNull())
    {
        m_receive(this, packet, protocol, m_address);
    }
}

Ptr<Node>
FabricNetDevice::GetNode() const
{
    return m_node;
}

void
FabricNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
FabricNetDevice::NeedsArp() const
{
    return false; // the fabric routes by IP address
}

void
FabricNetDevice::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
FabricNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    m_promiscReceive = callback;
}

bool
FabricNetDevice::SupportsSendFrom() const
{
    return false;
}

void
FabricNetDevice::DoInitialize()
{
    for (const Ptr<FabricPort>& port : m_ports)
    {
        port->Initialize();
    }
    NetDevice::DoInitialize();
}

void
FabricNetDevice::DoDispose()
{
    for (const Ptr<FabricPort>& port : m_ports)
    {
        port->Dispose();
    }
    m_ports.clear();
    m_node = nullptr;
    NetDevice::DoDispose();
}

} // namespace aifabric
} // namespace ns3
