/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-collectives.h"

#include "ns3/abort.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-clock.h"
#include "ns3/node.h"
#include "ns3/offloaded-collective.h"
#include "ns3/simulator.h"
#include "ns3/window-simulator.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

TrainingCollectives::TrainingCollectives(const TrainingWorkload& workload,
                                         Ptr<MessageService> service,
                                         CollectiveCarrier* carrier,
                                         EndedCallback ended)
    : m_workload(workload),
      m_service(service),
      m_carrier(carrier),
      m_ended(std::move(ended)),
      m_reached(service->GetNics().size())
{
    for (const Communicator& communicator : m_workload.communicators)
    {
        m_rankOf.emplace_back();
        for (uint32_t rank = 0; rank < communicator.hosts.size(); ++rank)
        {
            m_rankOf.back()[communicator.hosts[rank]] = rank;
        }
    }
}

void
TrainingCollectives::Add(const WorkloadNode& node, WorkloadExtent& extent)
{
    const auto number = static_cast<uint32_t>(m_entries.size());
    const std::vector<uint32_t>& hosts = m_workload.communicators[node.communicator].hosts;
    Entry& entry = m_entries.emplace_back();
    entry.hosts = &hosts;
    entry.arrivals.resize(hosts.size());
    entry.work = MakeWork(number, node, extent);
}

std::shared_ptr<CollectiveWork>
TrainingCollectives::MakeWork(uint32_t number, const WorkloadNode& node, WorkloadExtent& extent)
{
    const CollectiveSpec spec = extent.Describe(node);
    const auto done = [this, number](uint32_t rank) {
        const Entry& entry = m_entries[number];
        m_ended((*entry.hosts)[rank], entry.arrivals[rank].node);
    };
    if (spec.algorithm == OffloadedCollective::GetTypeId())
    {
        NS_ABORT_MSG_IF(!m_carrier, "TrainingDriver: " << spec.name << " needs a carrier");
        return m_carrier->Add(spec, node.communicator, done);
    }
    const auto run = std::make_shared<CollectiveRun>(spec, number, m_service, m_origins, done);
    run->SetExtent(extent.Of(node));
    return run;
}

void
TrainingCollectives::Reach(uint32_t number, uint32_t host, uint32_t node)
{
    const uint32_t communicator =
        m_workload.programs[m_workload.programOf[host]][node].communicator;
    const uint32_t rank = m_rankOf[communicator].at(host);
    const int64_t now = FabricClock::Now();
    Entry& entry = m_entries[number];
    entry.arrivals[rank] = {now, m_reached[host]++, node};
    if (!m_workload.barrier)
    {
        entry.work->Start(rank);
        return;
    }
    WindowSimulator::Defer([this, number, now]() { PassBarrier(number, now); });
}

void
TrainingCollectives::PassBarrier(uint32_t number, int64_t ps)
{
    Entry& entry = m_entries[number];
    if (++entry.reached < entry.hosts->size())
    {
        return;
    }
    for (uint32_t rank = 0; rank < entry.hosts->size(); ++rank)
    {
        RoceNetDevice& nic = *m_service->GetNics()[(*entry.hosts)[rank]];
        const int64_t delay = nic.GetPort(0)->GetChannel()->GetDelay().GetPicoSeconds();
        const int64_t knownAt = ps + std::max<int64_t>(delay, 1);
        // No earlier in its picosecond than the last rank: a window may begin and end with any
        // turn.
        Simulator::ScheduleWithContext(nic.GetNode()->GetId(),
                                       FabricClock::Until(knownAt, FabricClock::LAST_TURN),
                                       &TrainingCollectives::StartRank,
                                       this,
                                       number,
                                       rank);
    }
}

void
TrainingCollectives::StartRank(uint32_t number, uint32_t rank)
{
    if (!m_isStopped)
    {
        m_entries[number].work->Start(rank);
    }
}

std::vector<CollectiveRecord>
TrainingCollectives::GetRecords() const
{
    std::vector<CollectiveRecord> records;
    for (const uint32_t number : Order())
    {
        records.push_back(m_entries[number].work->GetRecord());
    }
    return records;
}

std::vector<uint32_t>
TrainingCollectives::Order() const
{
    std::vector<std::pair<Begin, uint32_t>> begins;
    for (uint32_t number = 0; number < m_entries.size(); ++number)
    {
        const Begin begin = FindBegin(m_entries[number]);
        if (begin != NEVER)
        {
            begins.emplace_back(begin, number);
        }
    }
    std::sort(begins.begin(), begins.end());
    std::vector<uint32_t> order;
    for (const auto& [begin, number] : begins)
    {
        order.push_back(number);
    }
    return order;
}

TrainingCollectives::Begin
TrainingCollectives::FindBegin(const Entry& entry)
{
    Begin first = NEVER;
    for (uint32_t rank = 0; rank < entry.arrivals.size(); ++rank)
    {
        const Arrival& arrival = entry.arrivals[rank];
        if (arrival.ps >= 0)
        {
            first = std::min(first, Begin(arrival.ps, (*entry.hosts)[rank], arrival.turn));
        }
    }
    return first;
}

std::vector<MessageOrigin>
TrainingCollectives::GetOrigins() const
{
    std::vector<uint32_t> placeOf(m_entries.size(), MessageOrigin::NONE);
    uint32_t place = 0;
    for (const uint32_t number : Order())
    {
        placeOf[number] = place++;
    }
    std::vector<MessageOrigin> origins = m_origins;
    for (MessageOrigin& origin : origins)
    {
        const bool isAny = origin.collective != MessageOrigin::NONE;
        origin.collective = isAny ? placeOf[origin.collective] : MessageOrigin::NONE;
    }
    return origins;
}

} // namespace aifabric
} // namespace ns3
