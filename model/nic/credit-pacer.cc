/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "credit-pacer.h"

#include "pacing.h"
#include "roce-net-device.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(CreditPacer);

TypeId
CreditPacer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::CreditPacer")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<CreditPacer>()
            .AddAttribute("RateFraction",
                          "Rate of the packets that a port gives credit for (share of the rate of "
                          "the port).",
                          DoubleValue(0.99),
                          MakeDoubleAccessor(&CreditPacer::m_rateFraction),
                          MakeDoubleChecker<double>(1e-6, 10))
            .AddAttribute("PullPackets",
                          "Full packets that one credit is for.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&CreditPacer::m_pullPackets),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute(
                "WaitsForUnsolicited",
                "Whether no credit is given while more than a base RTT's worth of data is "
                "to come without credit.",
                BooleanValue(true),
                MakeBooleanAccessor(&CreditPacer::m_reserves),
                MakeBooleanChecker());
    return tid;
}

void
CreditPacer::Install(RoceNetDevice* nic)
{
    m_nic = nic;
    m_ports.resize(nic->GetPortCount());
    m_lead = nic->GetFacts(0).baseRtt.GetPicoSeconds();
}

void
CreditPacer::Enlist(CreditGiver* giver)
{
    for (uint16_t index = 0; index < m_ports.size(); ++index)
    {
        if (!(giver->lines >> index & 1))
        {
            giver->lines |= uint32_t{1} << index;
            m_ports[index].line.push_back(giver);
            Schedule(index);
        }
    }
}

int64_t
CreditPacer::GetTime(uint32_t bytes) const
{
    uint64_t all = 0;
    uint64_t alive = 0;
    for (std::size_t index = 0; index < m_ports.size(); ++index)
    {
        const Ptr<FabricPort> port = m_nic->GetPort(index);
        const uint64_t rate = port->GetDataRate().GetBitRate();
        all += rate;
        alive += port->GetChannel()->IsUp() ? rate : 0;
    }
    return Pacing::Spread(bytes, Pacing::Of(DataRate(alive > 0 ? alive : all)));
}

void
CreditPacer::Book(uint32_t bytes, int64_t now)
{
    if (m_reserves)
    {
        m_bookedUntil = std::max(m_bookedUntil, now) + GetTime(bytes);
    }
}

void
CreditPacer::GiveBack(uint32_t bytes, int64_t now)
{
    if (m_bookedUntil > now)
    {
        m_bookedUntil = std::max(m_bookedUntil - GetTime(bytes), now);
        Resume();
    }
}

void
CreditPacer::Resume()
{
    for (uint16_t index = 0; index < m_ports.size(); ++index)
    {
        Schedule(index);
    }
}

int64_t
CreditPacer::GetDue(const Port& port) const
{
    return std::max({port.next, m_bookedUntil - m_lead, FabricClock::Now()});
}

void
CreditPacer::Schedule(uint16_t index)
{
    Port& port = m_ports[index];
    const int64_t due = GetDue(port);
    if (port.line.empty() || !m_nic->GetPort(index)->GetChannel()->IsUp() ||
        (!port.event.IsExpired() && port.due <= due))
    {
        return; // if the event comes too early, Pull() schedules another one
    }
    port.event.Cancel();
    port.due = due;
    port.event = Simulator::Schedule(FabricClock::Until(due), &CreditPacer::Pull, this, index);
}

void
CreditPacer::Pull(uint16_t index)
{
    Port& port = m_ports[index];
    const int64_t now = FabricClock::Now();
    bool isDue = GetDue(port) <= now && m_nic->GetPort(index)->GetChannel()->IsUp();
    while (isDue && !port.line.empty())
    {
        CreditGiver* giver = port.line.front();
        port.line.pop_front();
        if (giver->OwesCredit())
        {
            const auto rate =
                static_cast<double>(m_nic->GetPort(index)->GetDataRate().GetBitRate());
            const DataRate paced(static_cast<uint64_t>(rate * m_rateFraction));
            const uint32_t bytes = giver->GiveCredit(m_pullPackets, index, now);
            port.next = now + Pacing::Spread(bytes, Pacing::Of(paced));
            ++m_credits;
            isDue = false;
        }
        if (giver->OwesCredit())
        {
            port.line.push_back(giver);
        }
        else
        {
            giver->lines &= ~(uint32_t{1} << index);
        }
    }
    Schedule(index);
}

void
CreditPacer::DoDispose()
{
    for (Port& port : m_ports)
    {
        port.event.Cancel();
    }
    m_ports.clear();
    m_nic = nullptr;
    Object::DoDispose();
}

} // namespace aifabric
} // namespace ns3
