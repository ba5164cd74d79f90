/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-channel.h"

#include "fabric-net-device.h"
#include "fabric-port.h"
#include "frame-loss.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <utility>

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
    SetDirectionsUp({up, up});
}

void
FabricChannel::SetDirectionsUp(const std::array<bool, 2>& up)
{
    if (up == m_up)
    {
        return;
    }
    const bool wasUp = IsUp();
    const std::array<bool, 2> before = m_up;
    m_up = up;
    const int64_t now = FabricClock::Now();
    for (std::size_t end = 0; end < m_ports.size(); ++end)
    {
        if (up[end] != before[end])
        {
            m_ports[end]->GetTransmitter().SetLinkUp(up[end], now);
        }
        m_ports[end]->GetDevice()->NotifyLinkChange();
    }
    if (IsUp() != wasUp)
    {
        m_stateTrace(!wasUp);
    }
}

bool
FabricChannel::IsUp() const
{
    return m_up[0] && m_up[1];
}

void
FabricChannel::SetRateFactor(double factor)
{
    for (std::size_t end = 0; end < m_ports.size(); ++end)
    {
        SetRateFactor(end, factor);
    }
}

void
FabricChannel::SetRateFactor(std::size_t end, double factor)
{
    m_ports.at(end)->SetRateFactor(factor);
}

void
FabricChannel::SetQueueFactor(std::size_t end, double factor)
{
    m_ports.at(end)->SetQueueFactor(factor);
}

void
FabricChannel::SetLossProbability(double probability)
{
    for (std::size_t end = 0; end < m_ports.size(); ++end)
    {
        SetLossProbability(end, probability);
    }
}

void
FabricChannel::SetLossProbability(std::size_t end, double probability)
{
    NS_ABORT_MSG_IF(probability < 0 || probability > 1,
                    "FabricChannel loss probability " << probability << ": it must be in [0, 1]");
    m_lossProbability.at(end) = probability;
    UpdateLossy(end);
}

void
FabricChannel::SetFrameLosses(std::size_t end, std::vector<std::shared_ptr<FrameLoss>> losses)
{
    m_losses.at(end) = std::move(losses);
    UpdateLossy(end);
}

void
FabricChannel::UpdateLossy(std::size_t end)
{
    MakeRandom();
    m_ports[end]->GetTransmitter().SetLossy(m_lossProbability[end] > 0 || !m_losses[end].empty());
}

bool
FabricChannel::LosesFrame(const FabricPort* sender, const FabricFrame& frame)
{
    const std::size_t end = sender == PeekPointer(m_ports[1]);
    UniformRandomVariable& random = *m_random[end];
    bool isLost = m_lossProbability[end] > 0 && random.GetValue() < m_lossProbability[end];
    for (const std::shared_ptr<FrameLoss>& loss : m_losses[end])
    {
        isLost = loss->Loses(frame, random) || isLost;
    }
    return isLost;
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
