/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection-table.h"

#include "ns3/abort.h"
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

namespace
{

/// @return how many bits the numbers of two hosts have (EndpointTable::ReserveNumbers()): so many
/// that a host can reserve some four times for each of 16384 hosts  @param hosts how many there are
uint32_t
CountLaneBits(std::size_t hosts)
{
    constexpr uint32_t NUMBER_BITS = 23; // the upper half of all numbers of queue pairs
    constexpr uint32_t MOST = 12;
    constexpr uint32_t LEAST = 5;
    uint32_t bits = NUMBER_BITS;
    for (std::size_t pairs = 16 * hosts; pairs > 1; pairs /= 2)
    {
        --bits;
    }
    return std::clamp(bits, LEAST, MOST);
}

} // namespace

ConnectionTable::ConnectionTable(const std::vector<Ptr<RoceNetDevice>>& nics,
                                 QueuePair::KeyCallback received,
                                 QueuePair::KeyCallback sent,
                                 Change change)
    : m_nics(nics),
      m_received(received),
      m_sent(sent),
      m_change(std::move(change)),
      m_order(nics.size()),
      m_laneBits(CountLaneBits(nics.size())),
      m_models(nics.size())
{
}

ConnectionTable::~ConnectionTable()
{
    for (auto& pairs : m_pairs)
    {
        for (auto& [hosts, pair] : pairs)
        {
            for (std::size_t i = 0; i < 2; ++i) // what was posted is sent, so its end is needed
            {
                const bool isAlive = m_nics[pair.sides[i].flow.source]->GetPortCount() > 0;
                for (uint32_t lane = 0; isAlive && lane < pair.sides[1 - i].ends.size(); ++lane)
                {
                    if (pair.sides[1 - i].ends[lane])
                    {
                        FindEnd(pair.sides[i], lane);
                    }
                }
            }
        }
    }
    ClearCallbacks();
    for (auto& pairs : m_pairs)
    {
        for (auto& [hosts, pair] : pairs)
        {
            for (const Side& side : pair.sides)
            {
                m_nics[side.flow.source]->ReleaseNumbers(side.first);
            }
        }
    }
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

const ConnectionTable::End&
ConnectionTable::Get(const Flow& flow, uint32_t lane)
{
    std::vector<Lane>& lanes = m_lanes[KindOf(flow)][KeyOf(flow)];
    while (lanes.size() <= lane)
    {
        Open(lanes, flow);
    }
    m_order.Use(lanes[lane].since);
    return lanes[lane].ends[flow.source > flow.destination];
}

uint32_t
ConnectionTable::CountReserved(std::size_t hosts)
{
    return EndpointTable::CountReserved(CountLaneBits(hosts));
}

void
ConnectionTable::Prepare(const Flow& flow)
{
    Pairs<Pair>& pairs = m_pairs[KindOf(flow)];
    const auto found = pairs.find(KeyOf(flow));
    if (found != pairs.end())
    {
        m_order.Use(found->second.since);
        return;
    }
    Pair& pair = pairs[KeyOf(flow)];
    for (Side& side : pair.sides)
    {
        side.table = this;
        side.pair = &pair;
        side.flow = flow;
    }
    const auto [low, high] = std::minmax(flow.source, flow.destination);
    pair.sides[0].flow.source = pair.sides[1].flow.destination = low;
    pair.sides[1].flow.source = pair.sides[0].flow.destination = high;
    for (Side& side : pair.sides)
    {
        RoceNetDevice& nic = *m_nics[side.flow.source];
        const bool isHere = RankTransport::IsHere(nic.GetNode());
        side.first = nic.ReserveNumbers(isHere ? &side : nullptr, m_laneBits);
    }
    pair.since = m_order.Open(low, high);
}

std::optional<uint32_t>
ConnectionTable::LaneOf(const Side& side, uint32_t number) const
{
    const uint32_t place = EndpointTable::GetPlace(number, m_laneBits);
    return place < side.pair->ended ? std::nullopt
                                    : std::optional<uint32_t>(place - side.pair->ended);
}

ConnectionTable::Side&
ConnectionTable::SideOf(const Flow& flow)
{
    return m_pairs[KindOf(flow)].at(KeyOf(flow)).sides[flow.source > flow.destination];
}

void
ConnectionTable::Side::MakeEndpoint(uint32_t number)
{
    if (const std::optional<uint32_t> lane = table->LaneOf(*this, number))
    {
        table->FindEnd(*this, *lane);
    }
}

Ptr<QueuePair>
ConnectionTable::FindEnd(Side& side, uint32_t lane)
{
    Pair& pair = *side.pair;
    NS_ABORT_MSG_IF(pair.ended + lane >= CountReserved(m_nics.size()),
                    "hosts " << side.flow.source << " and " << side.flow.destination
                             << " need more than " << CountReserved(m_nics.size())
                             << " queue pairs, those that restarts have ended included");
    side.ends.resize(std::max<std::size_t>(side.ends.size(), lane + 1));
    Ptr<QueuePair>& end = side.ends[lane];
    if (!end && RankTransport::IsHere(m_nics[side.flow.source]->GetNode()))
    {
        end = MakeQueuePair(side.flow.source, side.flow, NumberOf(side, lane));
        const Side& peer = pair.sides[&side == &pair.sides[0]];
        end->Connect(side.flow.destination, NumberOf(peer, lane));
    }
    return end;
}

ConnectionTable::End
ConnectionTable::Use(const Flow& flow, uint32_t lane)
{
    Side& side = SideOf(flow);
    const Ptr<QueuePair> end = FindEnd(side, lane);
    return {NumberOf(side, lane), end};
}

ConnectionTable::Taken
ConnectionTable::Take(const Flow& flow)
{
    Side& side = SideOf(flow);
    const bool isNew = side.idle.empty();
    const Ptr<QueuePair> queuePair = isNew ? FindEnd(side, side.used++) : side.idle.back();
    if (!isNew)
    {
        side.idle.pop_back();
    }
    const std::size_t lane = *LaneOf(side, queuePair->GetNumber());
    side.isTaken.resize(std::max(side.isTaken.size(), lane + 1));
    side.isTaken[lane] = true;
    return {queuePair, isNew};
}

void
ConnectionTable::Release(const Flow& flow, Ptr<QueuePair> queuePair)
{
    Side& side = SideOf(flow);
    const std::size_t lane = *LaneOf(side, queuePair->GetNumber());
    if (lane < side.isTaken.size() && side.isTaken[lane])
    {
        side.isTaken[lane] = false;
        side.idle.push_back(queuePair);
    }
}

void
ConnectionTable::SetFailureCallback(const Callback<void>& failed)
{
    m_failed = failed;
}

std::vector<Ptr<QueuePair>>
ConnectionTable::FindAll() const
{
    std::vector<Ptr<QueuePair>> all;
    for (const auto& pairs : m_lanes)
    {
        for (const auto& [hosts, lanes] : pairs)
        {
            for (const Lane& lane : lanes)
            {
                all.push_back(lane.ends[0].queuePair);
                all.push_back(lane.ends[1].queuePair);
            }
        }
    }
    for (const auto& pairs : m_pairs)
    {
        for (const auto& [hosts, pair] : pairs)
        {
            for (const Side& side : pair.sides)
            {
                all.insert(all.end(), side.ends.begin(), side.ends.end());
            }
        }
    }
    all.erase(std::remove(all.begin(), all.end(), nullptr), all.end());
    return all;
}

void
ConnectionTable::Abort()
{
    ClearCallbacks();
    for (const Ptr<QueuePair>& queuePair : FindAll())
    {
        queuePair->Abort();
    }
    for (auto& pairs : m_lanes)
    {
        pairs.clear();
    }
    for (auto& pairs : m_pairs)
    {
        for (auto& [hosts, pair] : pairs)
        {
            // Packets of these lanes may be under way.
            pair.ended += std::max(pair.sides[0].ends.size(), pair.sides[1].ends.size());
            for (Side& side : pair.sides)
            {
                side.ends.clear();
                side.idle.clear();
                side.isTaken.clear();
                side.used = 0;
            }
        }
    }
}

void
ConnectionTable::ClearCallbacks() const
{
    for (const Ptr<QueuePair>& queuePair : FindAll())
    {
        queuePair->SetReceiveCallback(QueuePair::KeyCallback());
        queuePair->SetSendCallback(QueuePair::KeyCallback());
    }
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
    model->SetReads(flow.isRead);
    if (m_change)
    {
        m_change(*model);
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
    const Ptr<QueuePair> queuePair = MakeQueuePair(host, flow);
    return {queuePair->GetNumber(), queuePair};
}

Ptr<QueuePair>
ConnectionTable::MakeQueuePair(uint32_t host, const Flow& flow, std::optional<uint32_t> reserved)
{
    const ObjectLock lock;
    Ptr<QueuePair>& model = m_models[host][KindOf(flow)];
    model = model ? model : MakeModel(host, flow);
    const Ptr<QueuePair> queuePair = model->Fork();
    m_nics[host]->AddQueuePair(queuePair, reserved);
    queuePair->SetReceiveCallback(m_received);
    queuePair->SetSendCallback(m_sent);
    queuePair->isBackground = flow.isBackground;
    if (!m_failed.IsNull())
    {
        queuePair->TraceConnectWithoutContext("Failed", m_failed);
    }
    return queuePair;
}

void
ConnectionTable::Open(std::vector<Lane>& lanes, const Flow& flow)
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
    lanes.push_back(flow.source < flow.destination ? Lane{{near, far}, since}
                                                   : Lane{{far, near}, since});
}

} // namespace aifabric
} // namespace ns3
