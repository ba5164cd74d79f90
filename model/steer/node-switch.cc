/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "node-switch.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3
{
namespace aifabric
{

NodeSwitch::NodeSwitch(uint32_t gpus)
    : m_upFree(gpus),
      m_downFree(gpus)
{
}

void
NodeSwitch::Post(const Leg& leg)
{
    m_posted.push_back(leg);
}

void
NodeSwitch::Rise(const Leg& leg)
{
    m_risen.push_back(leg);
}

void
NodeSwitch::Sort(std::vector<Leg>& legs) const
{
    const std::size_t gpus = m_upFree.size();
    const auto keyOf = [gpus](const Leg& leg) {
        const std::size_t distance = (leg.receiver + gpus - leg.sender) % gpus;
        return std::make_tuple(leg.postedPs, leg.turn, distance, leg.sender);
    };
    std::sort(legs.begin(), legs.end(), [&keyOf](const Leg& a, const Leg& b) {
        return keyOf(a) < keyOf(b);
    });
}

std::vector<NodeSwitch::Passage>
NodeSwitch::SendUp(int64_t now)
{
    std::vector<Leg> legs = std::exchange(m_posted, {});
    Sort(legs);
    std::vector<Passage> passages;
    for (const Leg& leg : legs)
    {
        int64_t& free = m_upFree[leg.sender];
        free = std::max(free, now) + leg.upPs;
        passages.push_back({leg, free});
    }
    return passages;
}

std::vector<NodeSwitch::Passage>
NodeSwitch::SendDown(int64_t now)
{
    std::vector<Leg> legs = std::exchange(m_risen, {});
    Sort(legs);
    std::vector<Passage> passages;
    for (const Leg& leg : legs)
    {
        int64_t& free = m_downFree[leg.receiver];
        free = std::max(free, now) + leg.downPs;
        passages.push_back({leg, free});
    }
    return passages;
}

} // namespace aifabric
} // namespace ns3
