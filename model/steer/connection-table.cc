/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection-table.h"

#include "ns3/node.h"
#include "ns3/object-lock.h"
#include "ns3/pinned-balancer.h"
#include "ns3/rank-transport.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

ConnectionTable::ConnectionTable(const std::vector<Ptr<RoceNetDevice>>& nics,
                                 QueuePair::KeyCallback received,
                                 QueuePair::KeyCallback sent,
                                 Prepare prepare)
    : m_nics(nics),
      m_received(received),
      m_sent(sent),
      m_prepare(std::move(prepare)),
      m_order(nics.size()),
      m_models(nics.size())
{
}

ConnectionTable::Pair&
ConnectionTable::Find(const Flow& flow)
{
    const auto [low, high] = std::minmax(flow.source, flow.destination);
    return m_pairs[KindOf(flow)][uint64_t{low} << 32 | high];
}

const ConnectionTable::End&
ConnectionTable::Get(const Flow& flow, uint32_t lane)
{
    Pair& pair = Find(flow);
    while (pair.lanes.size() <= lane)
    {
        Open(pair, flow);
    }
    m_order.Use(pair.lanes[lane].since);
    return pair.lanes[lane].ends[flow.source > flow.destination];
}

ConnectionTable::Taken
ConnectionTable::Take(const Flow& flow)
{
    Pair& pair = Find(flow);
    const std::size_t side = flow.source > flow.destination;
    std::vector<Ptr<QueuePair>>& idle = pair.idle[side];
    if (idle.empty())
    {
        return {Get(flow, pair.used[side]++).queuePair, true};
    }
    const Ptr<QueuePair> queuePair = idle.back();
    idle.pop_back();
    return {queuePair, false};
}

void
ConnectionTable::SetFailureCallback(const Callback<void>& failed)
{
    m_failed = failed;
}

void
ConnectionTable::Abort()
{
    ClearAllCallbacks();
    for (auto& pairs : m_pairs)
    {
        for (const auto& [hosts, pair] : pairs)
        {
            for (const Lane& lane : pair.lanes)
            {
                for (const End& end : lane.ends)
                {
                    end.queuePair->Abort();
                }
            }
        }
        pairs.clear();
    }
}

void
ConnectionTable::ClearAllCallbacks() const
{
    for (const auto& pairs : m_pairs)
    {
        for (const auto& [hosts, pair] : pairs)
        {
            for (const Lane& lane : pair.lanes)
            {
                ClearCallbacks(lane.ends[0]);
                ClearCallbacks(lane.ends[1]);
            }
        }
    }
}

ConnectionTable::~ConnectionTable()
{
    ClearAllCallbacks();
    for (const auto& models : m_models)
    {
        for (const Ptr<QueuePair>& model : models)
        {
            if (model)
            {
                model->Dispose();
            }
        }
    }
}

void
ConnectionTable::ClearCallbacks(const End& end)
{
    if (end.queuePair)
    {
        end.queuePair->SetReceiveCallback(QueuePair::KeyCallback());
        end.queuePair->SetSendCallback(QueuePair::KeyCallback());
    }
}

void
ConnectionTable::Release(const Flow& flow, Ptr<QueuePair> queuePair)
{
    Find(flow).idle[flow.source > flow.destination].push_back(queuePair);
}

Ptr<QueuePair>
ConnectionTable::MakeModel(uint32_t host, const Flow& flow) const
{
    constexpr uint8_t CLASS_BITS = 3; // of a DSCP, behind which the class selector has zeros
    const Ptr<QueuePair> model = m_nics[host]->MakeQueuePair();
    if (flow.trafficClass != Flow::USUAL_CLASS)
    {
        const bool isAlike = model->GetAckDscp() == model->GetDscp();
        model->SetDscp(flow.trafficClass << CLASS_BITS);
        model->SetAckDscp(isAlike ? model->GetDscp() : model->GetAckDscp());
    }
    if (flow.ordered)
    {
        model->SetBalancer(CreateObject<PinnedBalancer>()); // without a path it keeps an entropy
    }
    if (m_prepare)
    {
        m_prepare(*model);
    }
    return model;
}

ConnectionTable::End
ConnectionTable::MakeEnd(uint32_t host, const Flow& flow)
{
    if (!RankTransport::IsHere(m_nics[host]->GetNode()))
    {
        return {m_nics[host]->ReserveQueuePair(), nullptr};
    }
    const ObjectLock lock;
    Ptr<QueuePair>& model = m_models[host][KindOf(flow)];
    model = model ? model : MakeModel(host, flow);
    const Ptr<QueuePair> queuePair = model->Fork();
    m_nics[host]->AddQueuePair(queuePair);
    queuePair->SetReceiveCallback(m_received);
    queuePair->SetSendCallback(m_sent);
    queuePair->isBackground = flow.isBackground;
    if (!m_failed.IsNull())
    {
        queuePair->TraceConnectWithoutContext("Failed", m_failed);
    }
    return {queuePair->GetNumber(), queuePair};
}

void
ConnectionTable::Open(Pair& pair, const Flow& flow)
{
    const End far = MakeEnd(flow.destination, flow);
    const End near = MakeEnd(flow.source, flow);
    if (near.queuePair)
    {
        near.queuePair->Connect(flow.destination, far.number);
    }
    if (far.queuePair)
    {
        far.queuePair->Connect(flow.source, near.number);
    }
    const uint64_t since = m_order.Open(flow.source, flow.destination);
    pair.lanes.push_back(flow.source < flow.destination ? Lane{{near, far}, since}
                                                        : Lane{{far, near}, since});
}

} // namespace aifabric
} // namespace ns3
