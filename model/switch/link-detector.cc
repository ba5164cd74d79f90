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
LinkDetector::LinkChanged(uint16_t port)
{
    const int64_t now = FabricClock::Now();
    const Time delay = m_switch.GetDetectionDelay();
    m_changedAt[port] = now;
    if (delay >= Time::Max() - Simulator::Now())
    {
        return; // never
    }
    Simulator::ScheduleWithContext(m_switch.GetPort(port)->GetDevice()->GetNode()->GetId(),
                                   FabricClock::Until(now + delay.GetPicoSeconds()),
                                   &LinkDetector::Detect,
                                   Ptr<FabricSwitch>(&m_switch),
                                   port);
}

void
LinkDetector::Detect(Ptr<FabricSwitch> fabricSwitch, uint16_t port)
{
    const int64_t since = fabricSwitch->m_detector.m_changedAt[port];
    const Time delay = fabricSwitch->GetDetectionDelay();
    if (since + delay.GetPicoSeconds() <= FabricClock::Now() && port < fabricSwitch->GetPortCount())
    {
        fabricSwitch->SetPortAlive(port, fabricSwitch->GetPort(port)->GetChannel()->IsUp());
    }
}

} // namespace aifabric
} // namespace ns3
