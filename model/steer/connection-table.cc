/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection-table.h"

#include "ns3/node.h"
#include "ns3/rank-transport.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

ConnectionTable::ConnectionTable(const std::vector<Ptr<RoceNetDevice>>& nics,
                                 RoceQueuePair::ReceiveCallback received)
    : m_nics(nics),
      m_received(received)
{
}

ConnectionTable::Pair&
ConnectionTable::Find(uint32_t source, uint32_t destination)
{
    const auto [low, high] = std::minmax(source, destination);
    return m_pairs[uint64_t{low} << 32 | high];
}

const ConnectionTable::End&
ConnectionTable::Get(uint32_t source, uint32_t destination, uint32_t lane)
{
    Pair& pair = Find(source, destination);
    while (pair.lanes.size() <= lane)
    {
        Open(pair, source, destination);
    }
    return pair.lanes[lane][source > destination];
}

ConnectionTable::Taken
ConnectionTable::Take(uint32_t source, uint32_t destination)
{
    Pair& pair = Find(source, destination);
    const std::size_t side = source > destination;
    std::vector<uint32_t>& idle = pair.idle[side];
    if (idle.empty())
    {
        const uint32_t lane = pair.used[side]++;
        return {Get(source, destination, lane).queuePair, lane, true};
    }
    const uint32_t lane = idle.back();
    idle.pop_back();
    return {pair.lanes[lane][side].queuePair, lane, false};
}

void
ConnectionTable::Release(uint32_t source, uint32_t destination, uint32_t lane)
{
    Find(source, destination).idle[source > destination].push_back(lane);
}

ConnectionTable::End
ConnectionTable::MakeEnd(uint32_t host) const
{
    if (!RankTransport::IsHere(m_nics[host]->GetNode()))
    {
        return {m_nics[host]->ReserveQueuePair(), nullptr};
    }
    const Ptr<RoceQueuePair> queuePair = m_nics[host]->CreateQueuePair();
    queuePair->SetReceiveCallback(m_received);
    return {queuePair->GetNumber(), queuePair};
}

void
ConnectionTable::Open(Pair& pair, uint32_t source, uint32_t destination)
{
    const End far = MakeEnd(destination);
    const End near = MakeEnd(source);
    if (near.queuePair)
    {
        near.queuePair->Connect(destination, far.number);
    }
    if (far.queuePair)
    {
        far.queuePair->Connect(source, near.number);
    }
    pair.lanes.push_back(source < destination ? std::array<End, 2>{near, far}
                                              : std::array<End, 2>{far, near});
}

} // namespace aifabric
} // namespace ns3
