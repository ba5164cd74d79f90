/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-channel.h"

#include "fabric-net-device.h"
#include "fabric-port.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FabricChannel);

TypeId
FabricChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::FabricChannel")
            .SetParent<Channel>()
            .SetGroupName("AiFabric")
            .AddConstructor<FabricChannel>()
            .AddAttribute("Delay",
                          "Propagation delay of each direction. It cannot change once a frame was "
                          "sent.",
                          TimeValue(NanoSeconds(500)),
                          MakeTimeAccessor(&FabricChannel::SetDelay, &FabricChannel::GetDelay),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("LinkState",
                            "The cable was cut or restored.",
                            MakeTraceSourceAccessor(&FabricChannel::m_stateTrace),
                            "ns3::aifabric::FabricChannel::LinkStateTracedCallback");
    return tid;
}

FabricChannel::FabricChannel()
{
}

FabricChannel::~FabricChannel()
{
}

void
FabricChannel::SetDelay(Time delay)
{
    m_delay = delay;
    for (const Ptr<FabricPort>& port : m_ports)
    {
        if (port)
        {
            FabricTransmitter& transmitter = port->GetTransmitter();
            NS_ABORT_MSG_IF(transmitter.GetCounters().sentFrames > 0,
                            "FabricChannel::Delay cannot change: frames have been sent");
            transmitter.SetDelay(delay.GetPicoSeconds());
        }
    }
}

Time
FabricChannel::GetDelay() const
{
    return m_delay;
}

void
FabricChannel::Connect(Ptr<FabricPort> a, Ptr<FabricPort> b)
{
    m_ports = {a, b};
    a->Connect(this, PeekPointer(b), m_delay.GetPicoSeconds());
    b->Connect(this, PeekPointer(a), m_delay.GetPicoSeconds());
}

Ptr<FabricPort>
FabricChannel::GetPort(std::size_t end) const
{
    return m_ports.at(end);
}

std::size_t
FabricChannel::GetNDevices() const
{
    return m_ports[0] ? m_ports.size() : 0;
}

Ptr<NetDevice>
FabricChannel::GetDevice(std::size_t i) const
{
    return m_ports.at(i)->GetDevice();
}

void
FabricChannel::SetUp(bool up)
{
    if (up == m_up)
    {
        return;
    }
    m_up = up;
    const int64_t now = FabricClock::Now();
    for (const Ptr<FabricPort>& port : m_ports)
    {
        port->GetTransmitter().SetLinkUp(up, now);
        port->GetDevice()->NotifyLinkChange();
    }
    m_stateTrace(up);
}

bool
FabricChannel::IsUp() const
{
    return m_up;
}

void
FabricChannel::SetRateFactor(double factor)
{
    for (const Ptr<FabricPort>& port : m_ports)
    {
        port->SetRateFactor(factor);
    }
}

void
FabricChannel::SetLossProbability(double probability)
{
    NS_ABORT_MSG_IF(probability < 0 || probability > 1,
                    "FabricChannel loss probability " << probability << ": it must be in [0, 1]");
    m_lossProbability = probability;
    MakeRandom();
    for (const Ptr<FabricPort>& port : m_ports)
    {
        port->GetTransmitter().SetLossy(probability > 0);
    }
}

bool
FabricChannel::LosesFrame(const FabricPort* sender)
{
    return m_random[sender == PeekPointer(m_ports[1])]->GetValue() < m_lossProbability;
}

void
FabricChannel::MakeRandom()
{
    for (Ptr<UniformRandomVariable>& random : m_random)
    {
        random = random ? random : CreateObject<UniformRandomVariable>();
    }
}

int64_t
FabricChannel::AssignStreams(int64_t stream)
{
    MakeRandom();
    m_random[0]->SetStream(stream);
    m_random[1]->SetStream(stream + 1);
    return 2;
}

void
FabricChannel::DoDispose()
{
    m_ports = {};
    m_random = {};
    Channel::DoDispose();
}

} // namespace aifabric
} // namespace ns3
