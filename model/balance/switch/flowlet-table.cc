/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowlet-table.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

void
FlowletTable::Resize(uint32_t entries)
{
    m_sets.assign((uint64_t{entries} + WAYS - 1) / WAYS, {});
}

bool
FlowletTable::Entry::Locate(const EgressGroup& group)
{
    if (place < group.members.size() && group.members[place] == port)
    {
        return true;
    }
    const auto found = std::find(group.members.begin(), group.members.end(), port);
    place = found - group.members.begin();
    return found != group.members.end();
}

FlowletTable::Entry&
FlowletTable::Find(uint32_t hash, int64_t now, int64_t ageing)
{
    std::array<Entry, WAYS>& set = m_sets[hash * uint64_t{m_sets.size()} >> 32];
    Entry* unused = nullptr;
    for (Entry& entry : set)
    {
        if (entry.port && entry.hash == hash)
        {
            return entry;
        }
        if (!unused && (!entry.port || now - entry.lastSeen > ageing))
        {
            unused = &entry;
        }
    }
    if (!unused)
    {
        return set[hash % WAYS];
    }
    *unused = Entry{};
    unused->hash = hash;
    return *unused;
}

} // namespace aifabric
} // namespace ns3
