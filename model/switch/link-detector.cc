/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-detector.h"

#include "fabric-switch.h"

#include "ns3/fabric-channel.h"
#include "ns3/fabric-clock.h"
#include "ns3/fabric-net-device.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace aifabric
{

LinkDetector::LinkDetector(FabricSwitch& fabricSwitch)
    : m_switch(fabricSwitch)
{
}

void
LinkDetector::SetDelay(Time delay)
{
    m_delay = delay;
}

Time
LinkDetector::GetDelay() const
{
    return m_delay;
}

void
LinkDetector::LinkChanged(uint16_t port)
{
    const int64_t now = FabricClock::Now();
    m_changedAt[port] = now;
    if (m_delay >= Time::Max() - Simulator::Now())
    {
        return; // never
    }
    Simulator::ScheduleWithContext(m_switch.GetPort(port)->GetDevice()->GetNode()->GetId(),
                                   FabricClock::Until(now + m_delay.GetPicoSeconds()),
                                   &FabricSwitch::DetectLink,
                                   Ptr<FabricSwitch>(&m_switch),
                                   port);
}

void
LinkDetector::Detect(uint16_t port)
{
    const bool settled = m_changedAt[port] + m_delay.GetPicoSeconds() <= FabricClock::Now();
    if (settled && port < m_switch.GetPortCount())
    {
        m_switch.SetPortAlive(port, m_switch.GetPort(port)->GetChannel()->IsUp());
    }
}

} // namespace aifabric
} // namespace ns3
