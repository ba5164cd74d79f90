/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "credit-pacer.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-clock.h"
#include "ns3/object-lock.h"
#include "ns3/pacing.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/roce-net-device.h"
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
    static TypeId tid = AddCoreAttributes(
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
                MakeBooleanChecker()));
    return tid;
}

TypeId
CreditPacer::AddCoreAttributes(TypeId type)
{
    return type
        .AddAttribute("CoreRatio",
                      "Oversubscription of the core of the fabric: rate of the hosts below a leaf "
                      "over that of its uplinks. Above 1, the rate of credit follows the "
                      "congestion of the core, but does not fall below the greater of "
                      "0.9 / CoreRatio and 0.01.",
                      DoubleValue(1),
                      MakeDoubleAccessor(&CreditPacer::m_coreRatio),
                      MakeDoubleChecker<double>(1, 1e6))
        .AddAttribute("CoreTarget",
                      "With CoreRatio: average share of marked packets above which the rate falls.",
                      DoubleValue(0.3),
                      MakeDoubleAccessor(&CreditPacer::m_coreTarget),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("CoreIncrease",
                      "With CoreRatio: first step by which the rate grows (share of the rate of "
                      "the port); doubled with each interval in a row in which it grows. An "
                      "interval with marks adds the first step only.",
                      DoubleValue(0.01),
                      MakeDoubleAccessor(&CreditPacer::m_coreIncrease),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("CoreDecrease",
                      "With CoreRatio: what an average share of marks above CoreTarget takes from "
                      "the rate, times the excess.",
                      DoubleValue(0.5),
                      MakeDoubleAccessor(&CreditPacer::m_coreDecrease),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("CoreGain",
                      "With CoreRatio: weight of an interval in the average share of marks.",
                      DoubleValue(0.5),
                      MakeDoubleAccessor(&CreditPacer::m_coreGain),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("CoreInterval",
                      "With CoreRatio: mean time between two changes of the rate (base RTTs); each "
                      "is drawn from 0.75 to 1.25 times that.",
                      DoubleValue(1.5),
                      MakeDoubleAccessor(&CreditPacer::m_coreInterval),
                      MakeDoubleChecker<double>(1e-3, 1e6));
}

CreditPacer&
CreditPacer::Of(RoceNetDevice& nic)
{
    Ptr<CreditPacer> pacer = nic.GetObject<CreditPacer>();
    if (!pacer)
    {
        const ObjectLock lock;
        pacer = CreateObject<CreditPacer>();
        pacer->Install(nic);
        nic.AggregateObject(pacer);
    }
    return *pacer;
}

void
CreditPacer::Install(RoceNetDevice& nic)
{
    m_nic = &nic;
    m_ports.resize(nic.GetPortCount());
    m_lead = nic.GetFacts(0).baseRtt.GetPicoSeconds();
    nic.AddLinkChangeCallback(MakeCallback(&CreditPacer::Resume, this));
}

CoreRate&
CreditPacer::GetCore()
{
    constexpr double LEAST = 0.01;      // rate, however large the ratio is
    constexpr double LEAST_SHARE = 0.9; // of what the core can carry
    if (!m_core)
    {
        NS_ABORT_MSG_IF(m_lead == 0,
                        "CreditPacer: CoreRatio needs the base round-trip time, which this NIC "
                        "does not know");
        m_core.emplace(CoreRate::Parameters{m_coreTarget,
                                            m_coreIncrease,
                                            m_coreDecrease,
                                            m_coreGain,
                                            std::max(LEAST_SHARE / m_coreRatio, LEAST)});
        // A stream of its own for each host, so that no other one depends on whether there is one.
        constexpr uint64_t FIRST_STREAM = uint64_t{3} << 62;
        m_random.emplace(RngSeedManager::GetSeed(),
                         FIRST_STREAM + m_nic->GetHost(),
                         RngSeedManager::GetRun());
    }
    if (m_update.IsExpired())
    {
        ScheduleUpdate();
    }
    return *m_core;
}

void
CreditPacer::ScheduleUpdate()
{
    const double rtts = m_coreInterval * (0.75 + m_random->RandU01() / 2);
    const auto interval = static_cast<int64_t>(rtts * static_cast<double>(m_lead));
    m_update = Simulator::Schedule(FabricClock::Until(FabricClock::Now() + interval),
                                   &CreditPacer::UpdateCore,
                                   this);
}

void
CreditPacer::UpdateCore()
{
    m_core->Update();
    if (!m_core->IsAtRest())
    {
        ScheduleUpdate();
    }
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
            const DataRate paced(static_cast<uint64_t>(rate * m_rateFraction * GetCoreRate()));
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
    m_update.Cancel();
    m_nic = nullptr;
    Object::DoDispose();
}

} // namespace aifabric
} // namespace ns3
