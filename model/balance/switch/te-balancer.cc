/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "te-balancer.h"

#include "ns3/abort.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(TeBalancer);

TypeId
TeBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::TeBalancer")
            .SetParent<EEcmpBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<TeBalancer>()
            .AddAttribute("Entries",
                          "Exact-match entries that the table of a switch has room for. The "
                          "demands of a leaf that do not fit, the slowest ones, are spread by "
                          "E-ECMP.",
                          UintegerValue(8192),
                          MakeUintegerAccessor(&TeBalancer::m_room),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

std::string
TeBalancer::GetClosNeed() const
{
    return "central paths go up to one switch and down";
}

bool
TeBalancer::IsCentral() const
{
    return true;
}

void
TeBalancer::SetSite(const SwitchSite& site)
{
    m_firstUp = site.firstUp;
}

uint32_t
TeBalancer::Find(const FabricFrame& frame, const EgressGroup& group) const
{
    const auto entry = m_table.find(KeyOf(frame.source, frame.destination));
    if (entry == m_table.end())
    {
        return group.members.size();
    }
    return group.Find(entry->second, entry->second - m_firstUp);
}

uint32_t
TeBalancer::Choose(const FabricFrame& frame, const EgressGroup& group, int64_t)
{
    const uint32_t place = Find(frame, group);
    if (place < group.members.size())
    {
        ++m_hits;
        return place;
    }
    ++m_fallbacks;
    return PickByQueuePair(frame, group);
}

int
TeBalancer::Predict(const FabricFrame& frame, const EgressGroup& group) const
{
    const uint32_t place = Find(frame, group);
    return place < group.members.size() ? place : PickByQueuePair(frame, group);
}

void
TeBalancer::Count(PolicyCounters& counters) const
{
    counters["te_entries"] += m_table.size();
    counters["te_hits"] += m_hits;
    counters["te_fallbacks"] += m_fallbacks;
}

TypeId
TeBalancer::GetHostBalancer() const
{
    return SwitchBalancer::GetHostBalancer(); // a demand is spread evenly over the planes
}

uint32_t
TeBalancer::GetRoom() const
{
    return m_room;
}

uint32_t
TeBalancer::Program(Table table)
{
    NS_ABORT_MSG_IF(table.size() > m_room,
                    "TeBalancer::Program: " << table.size() << " entries where there is room for "
                                            << m_room);
    uint32_t changes = 0;
    for (const auto& [key, port] : table)
    {
        const auto old = m_table.find(key);
        changes += old == m_table.end() || old->second != port;
    }
    for (const auto& entry : m_table)
    {
        changes += table.count(entry.first) == 0;
    }
    m_table = std::move(table);
    return changes;
}

const TeBalancer::Table&
TeBalancer::GetTable() const
{
    return m_table;
}

} // namespace aifabric
} // namespace ns3
