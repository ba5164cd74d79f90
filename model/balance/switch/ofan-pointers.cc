/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ofan-pointers.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

OfanPointers::OfanPointers(DrawBelow draw)
    : m_draw(std::move(draw))
{
}

void
OfanPointers::SetShape(Orders orders, uint32_t lanes)
{
    m_orders = orders;
    m_lanes = lanes;
}

void
OfanPointers::SetGroup(uint32_t group, const std::vector<uint32_t>& weights)
{
    if (group >= m_groups.size())
    {
        m_groups.resize(group + 1);
    }
    m_groups[group].version = ++m_version;
    m_groups[group].weights = weights;
}

void
OfanPointers::Renew(Pointer& pointer, uint32_t group, uint32_t pod)
{
    const bool isNew = pointer.schedule.version == 0;
    if (m_orders == PER_POD)
    {
        pointer.schedule = ShareSchedule(m_groups[group], pod);
    }
    else
    {
        Fill(pointer.schedule, m_groups[group]);
    }
    const uint32_t length = pointer.schedule.length;
    pointer.position = isNew ? m_draw(length) : pointer.position % length;
}

const OfanPointers::Schedule&
OfanPointers::ShareSchedule(Group& group, uint32_t pod)
{
    if (pod >= group.podOrders.size())
    {
        group.podOrders.resize(pod + 1);
    }
    Schedule& schedule = group.podOrders[pod];
    if (schedule.version != group.version)
    {
        Fill(schedule, group);
    }
    return schedule;
}

void
OfanPointers::Fill(Schedule& schedule, const Group& group)
{
    const std::vector<uint32_t> places =
        InterleavedSchedule(group.weights, RandomOrder(group.weights.size(), m_draw));
    schedule.version = group.version;
    schedule.length = places.size();
    if (schedule.length > schedule.capacity)
    {
        schedule.begin = m_places.size();
        schedule.capacity = schedule.length;
        m_places.resize(m_places.size() + schedule.length);
    }
    std::copy(places.begin(), places.end(), m_places.begin() + schedule.begin);
}

uint32_t
OfanPointers::CountPointers() const
{
    return std::count_if(m_pointers.begin(), m_pointers.end(), [](const Pointer& pointer) {
        return pointer.schedule.version != 0;
    });
}

uint32_t
OfanPointers::CountOrders() const
{
    if (m_orders == PER_POINTER)
    {
        return CountPointers();
    }
    uint32_t orders = 0;
    for (const Group& group : m_groups)
    {
        orders += std::count_if(group.podOrders.begin(),
                                group.podOrders.end(),
                                [](const Schedule& schedule) { return schedule.version != 0; });
    }
    return orders;
}

} // namespace aifabric
} // namespace ns3
