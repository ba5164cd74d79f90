/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-carrier.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"
#include "ns3/single-steering.h"
#include "ns3/window-simulator.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FluidCarrier);

TypeId
FluidCarrier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::FluidCarrier").SetParent<MessageCarrier>().SetGroupName("AiFabric");
    return tid;
}

FluidCarrier::FluidCarrier(const FabricGraph& graph,
                           const BoundParameters& bound,
                           std::unique_ptr<FluidFabric> fabric,
                           TypeId steeringType)
    : m_graph(graph),
      m_hasSteerings(steeringType != SingleSteering::GetTypeId()),
      m_steerings(steeringType, *this),
      m_bound(bound),
      m_times(bound),
      m_fabric(std::move(fabric)),
      m_senders(m_fabric->GetCapacities(),
                bound.payloadBytes + bound.headerBytes + bound.gapBytes,
                MakeCallback(&FluidCarrier::Leave, this)),
      m_pairs(graph),
      m_waits(MakeCallback(&FluidCarrier::Begin, this)),
      m_active(graph.HostCount()),
      m_rounds(std::size_t{graph.HostCount()} * graph.Planes())
{
}

FluidCarrier::~FluidCarrier() = default;

void
FluidCarrier::DoDispose()
{
    Forget();
    m_steerings.Clear();
    m_service = nullptr;
    MessageCarrier::DoDispose();
}

void
FluidCarrier::Install(MessageService& service)
{
    NS_ABORT_MSG_IF(WindowSimulator::Get(),
                    "FluidCarrier: messages of all hosts act on each other at once, which "
                    "ns3::aifabric::WindowSimulator cannot run; another simulator can");
    m_service = &service;
    m_pairs.SetService(service);
    m_fabric->Install(service, m_pairs, m_senders, MakeCallback(&FluidCarrier::Complete, this));
    if (m_hasSteerings)
    {
        m_steerings.Make(m_graph.HostCount());
    }
}

int64_t
FluidCarrier::AssignStreams(int64_t stream)
{
    return m_steerings.AssignStreams(stream);
}

void
FluidCarrier::Count(PolicyCounters& counters) const
{
    m_steerings.Count(counters);
}

void
FluidCarrier::Open(const Flow& flow)
{
    ConnectionTable* const connections = m_fabric->GetConnections();
    if (!connections)
    {
        return; // paths do not depend on queue pairs
    }
    if (!KnowsLanes())
    {
        connections->Prepare(flow);
        return;
    }
    const uint32_t lanes =
        m_hasSteerings ? m_steerings.Get(flow.source)->CountLanes(flow) : flow.channel + 1;
    connections->Get(flow, lanes - 1);
}

void
FluidCarrier::Carry(uint32_t message)
{
    const Flow& flow = m_service->GetFlow(message);
    if (m_hasSteerings)
    {
        if (!KnowsLanes())
        {
            Open(flow);
        }
        m_steerings.Get(flow.source)->Send(message);
        return;
    }
    CarryOn(message, FindPair(flow));
}

uint32_t
FluidCarrier::Post(uint32_t message, uint64_t bytes, uint32_t lane)
{
    const uint32_t piece = m_pairs.AddPiece(message, bytes, lane);
    const uint32_t pair = FindPair(m_pairs.GetFlow(piece));
    CarryOn(piece, pair);
    return pair;
}

void
FluidCarrier::PostAlone(uint32_t message, uint64_t bytes, const Prepare& prepare)
{
    const uint32_t piece = m_pairs.AddPiece(message, bytes, 0);
    const uint32_t pair = m_pairs.Make(m_pairs.GetFlow(piece));
    const auto [queuePair, isNew] = m_fabric->GetConnections()->Take(m_service->GetFlow(message));
    prepare(queuePair, isNew);
    m_pairs.GetAll()[pair].alone = queuePair;
    Connect(pair, queuePair);
    CarryOn(piece, pair);
}

void
FluidCarrier::CarryOn(uint32_t message, uint32_t pair)
{
    if (m_pairs.Add(message, pair))
    {
        const uint32_t host = m_pairs.GetAll()[pair].source;
        m_mostActive = std::max(m_mostActive, ++m_active[host]);
        Wait(message);
    }
}

void
FluidCarrier::Complete(uint32_t message)
{
    const uint32_t owner = m_pairs.GetOwner(message);
    if (m_hasSteerings)
    {
        const Flow& flow = m_service->GetFlow(owner);
        FluidPair& pair = m_pairs.GetPair(message);
        if (pair.alone)
        {
            m_fabric->GetConnections()->Release(flow, std::exchange(pair.alone, nullptr));
        }
        const uint32_t number = m_pairs.GetMessage(message).pair;
        const uint64_t bytes = m_pairs.GetFlow(message).bytes;
        m_steerings.Get(flow.source)->WriteAcknowledged(owner, number, bytes);
    }
    m_service->PartCompleted(owner);
}

uint32_t
FluidCarrier::FindPair(const Flow& flow)
{
    const auto [number, isNew] = m_pairs.Find(flow);
    if (isNew)
    {
        ConnectionTable* const connections = m_fabric->GetConnections();
        Connect(number,
                !connections   ? nullptr
                : KnowsLanes() ? connections->Get(flow, flow.channel).queuePair
                               : connections->Use(flow, flow.channel).queuePair);
    }
    return number;
}

void
FluidCarrier::Connect(uint32_t number, const Ptr<QueuePair>& queuePair)
{
    FluidPair& pair = m_pairs.GetAll()[number];
    const FluidFabric::Group group = m_fabric->FindRoute(queuePair, pair);
    const auto [found, isFirst] = m_groups.try_emplace(group.key, 0);
    if (isFirst)
    {
        found->second = m_senders.AddGroup(group.shares);
    }
    pair.group = found->second;
}

void
FluidCarrier::Wait(uint32_t message)
{
    double& round = GetRound(m_pairs.GetPair(message));
    const double rate = FluidTimes::ToBytesPerPs(m_bound.linkRate);
    const auto wait = std::llround(round / (m_fabric->CountPorts() * rate));
    round += m_times.GetFirstBytes(m_pairs.GetFlow(message));
    if (wait > 0)
    {
        m_waits.Add(message, wait);
    }
    else
    {
        Begin(message);
    }
}

void
FluidCarrier::Begin(uint32_t message)
{
    const Flow& flow = m_pairs.GetFlow(message);
    const double packets = m_times.CountPackets(flow);
    const double bytes = flow.bytes + packets * (m_bound.headerBytes + m_bound.gapBytes);
    m_pairs.GetMessage(message).back = packets * (m_bound.ackBytes + m_bound.gapBytes) / bytes;
    FluidPair& pair = m_pairs.GetPair(message);
    pair.packets += static_cast<uint64_t>(packets);
    pair.bytes += flow.bytes;
    m_senders.Send(message, pair.group, bytes, m_fabric->Begin(message));
}

void
FluidCarrier::Leave(uint32_t message)
{
    const bool wasSent = std::exchange(m_pairs.GetMessage(message).isAgain, true);
    m_fabric->Leave(message);
    if (wasSent)
    {
        return; // others have taken its turn
    }
    const Flow& flow = m_pairs.GetFlow(message);
    double& round = GetRound(m_pairs.GetPair(message));
    round -= m_times.GetFirstBytes(flow);
    const uint32_t next = m_pairs.RemoveFirst(m_pairs.GetMessage(message).pair);
    if (next == FluidPair::NONE)
    {
        --m_active[flow.source];
        return;
    }
    round += m_times.GetFirstBytes(m_pairs.GetFlow(next));
    Begin(next);
}

void
FluidCarrier::SetSpeed(uint32_t link, double speed)
{
    m_fabric->SetSpeed(link, speed);
    if (m_review.IsExpired())
    {
        const Time wait = FabricClock::Until(FabricClock::Now(), FabricClock::REVIEW_TURN);
        m_review = Simulator::Schedule(wait, &FluidCarrier::Review, this);
    }
}

void
FluidCarrier::Review()
{
    ReviewTraffic();
    m_fabric->Review();
}

void
FluidCarrier::ReviewTraffic()
{
    const double packet = m_bound.payloadBytes + m_bound.headerBytes + m_bound.gapBytes;
    FluidTraffic traffic(m_graph, m_fabric->GetSplit());
    for (FluidPair& pair : m_pairs.GetAll())
    {
        const bool isIdle = pair.first == FluidPair::NONE;
        const double rest = isIdle ? 0 : m_senders.GetRest(pair.first, pair.group);
        const uint64_t packets = std::min(pair.packets, static_cast<uint64_t>(rest / packet));
        CountTraffic(pair, packets, traffic);
        pair.bytes = std::min(pair.bytes, packets * m_bound.payloadBytes);
        pair.packets = packets;
    }
    const std::vector<FluidTraffic::Amount> sums = traffic.GetSums();
    m_before.resize(sums.size());
    for (std::size_t link = 0; link < sums.size(); ++link)
    {
        m_before[link].Add(sums[link], 1);
    }
}

std::vector<FluidTraffic::Amount>
FluidCarrier::GetTraffic() const
{
    FluidTraffic traffic(m_graph, m_fabric->GetSplit());
    for (const FluidPair& pair : m_pairs.GetAll())
    {
        CountTraffic(pair, 0, traffic);
    }
    m_fabric->AddCounted(traffic);
    std::vector<FluidTraffic::Amount> sums = traffic.GetSums();
    for (std::size_t link = 0; link < m_before.size(); ++link)
    {
        sums[link].Add(m_before[link], 1);
    }
    return sums;
}

void
FluidCarrier::CountTraffic(const FluidPair& pair, uint64_t packets, FluidTraffic& traffic) const
{
    const auto frames = static_cast<double>(pair.packets - packets);
    const double bytes = pair.bytes - std::min<double>(pair.bytes, packets * m_bound.payloadBytes);
    m_fabric->CountTraffic(pair,
                           {frames, bytes + frames * m_bound.headerBytes},
                           {frames, frames * m_bound.ackBytes},
                           traffic);
}

void
FluidCarrier::Abort()
{
    Forget();
    m_steerings.Restart();
}

void
FluidCarrier::Forget()
{
    m_review.Cancel();
    m_before.clear();
    m_senders.Clear();
    m_fabric->Clear();
    m_waits.Clear();
    m_groups.clear();
    m_pairs.Clear();
    std::fill(m_active.begin(), m_active.end(), 0);
    std::fill(m_rounds.begin(), m_rounds.end(), 0);
}

} // namespace aifabric
} // namespace ns3
