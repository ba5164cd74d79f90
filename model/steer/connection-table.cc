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
                                 QueuePair::KeyCallback received,
                                 QueuePair::KeyCallback sent)
    : m_nics(nics),
      m_received(received),
      m_sent(sent),
      m_models(nics.size())
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
    std::vector<Ptr<QueuePair>>& idle = pair.idle[side];
    if (idle.empty())
    {
        return {Get(source, destination, pair.used[side]++).queuePair, true};
    }
    const Ptr<QueuePair> queuePair = idle.back();
    idle.pop_back();
    return {queuePair, false};
}

ConnectionTable::~ConnectionTable()
{
    for (const auto& [hosts, pair] : m_pairs)
    {
        for (const auto& [low, high] : pair.lanes)
        {
            Silence(low);
            Silence(high);
        }
    }
    for (const Ptr<QueuePair>& model : m_models)
    {
        if (model)
        {
            model->Dispose();
        }
    }
}

void
ConnectionTable::Silence(const End& end)
{
    if (end.queuePair)
    {
        end.queuePair->SetReceiveCallback(QueuePair::KeyCallback());
        end.queuePair->SetSendCallback(QueuePair::KeyCallback());
    }
}

void
ConnectionTable::Release(uint32_t source, uint32_t destination, Ptr<QueuePair> queuePair)
{
    Find(source, destination).idle[source > destination].push_back(queuePair);
}

ConnectionTable::End
ConnectionTable::MakeEnd(uint32_t host)
{
    if (!RankTransport::IsHere(m_nics[host]->GetNode()))
    {
        return {m_nics[host]->ReserveQueuePair(), nullptr};
    }
    Ptr<QueuePair>& model = m_models[host];
    model = model ? model : m_nics[host]->MakeQueuePair();
    const Ptr<QueuePair> queuePair = model->Fork();
    m_nics[host]->AddQueuePair(queuePair);
    queuePair->SetReceiveCallback(m_received);
    queuePair->SetSendCallback(m_sent);
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
