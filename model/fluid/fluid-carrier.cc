/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-carrier.h"

#include "ns3/abort.h"
#include "ns3/message-service.h"
#include "ns3/message-steering.h"
#include "ns3/time-units.h"
#include "ns3/window-simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FluidCarrier);

namespace
{

/// @return a rate in bytes a picosecond  @param rate in bit/s
double
ToBytesPerPs(uint64_t rate)
{
    return static_cast<double>(rate) / BIT_PS_PER_BYTE;
}

} // namespace

TypeId
FluidCarrier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::FluidCarrier").SetParent<MessageCarrier>().SetGroupName("AiFabric");
    return tid;
}

FluidCarrier::FluidCarrier(const FabricGraph& graph, const BoundParameters& bound)
    : m_graph(graph),
      m_bound(bound),
      m_times(bound),
      m_paths(graph, ToBytesPerPs(bound.linkRate), ToBytesPerPs(bound.fabricRate)),
      m_senders(m_paths.GetRates(), MakeCallback(&FluidCarrier::Leave, this)),
      m_waits(MakeCallback(&FluidCarrier::Begin, this)),
      m_ways(MakeCallback(&FluidCarrier::Receive, this)),
      m_acks(MakeCallback(&FluidCarrier::Complete, this)),
      m_active(graph.HostCount()),
      m_rounds(graph.HostCount())
{
}

FluidCarrier::~FluidCarrier()
{
}

void
FluidCarrier::DoDispose()
{
    Abort();
    m_service = nullptr;
    MessageCarrier::DoDispose();
}

void
FluidCarrier::RouteByHash(const std::vector<Ptr<FabricSwitch>>& switches)
{
    m_switches = switches;
    std::vector<double> rates;
    for (const FabricLinkSpec& link : m_graph.Links())
    {
        const uint64_t rate = link.tier == 0 ? m_bound.linkRate : m_bound.fabricRate;
        rates.insert(rates.end(), 2, ToBytesPerPs(rate)); // both directions
    }
    m_queues = std::make_unique<FluidQueues>(rates, MakeCallback(&FluidCarrier::Pass, this));
    m_senders.SetRateCallback(MakeCallback(&FluidCarrier::ChangeRate, this));
}

double
FluidCarrier::GetMostQueued() const
{
    return m_queues ? m_queues->GetMostQueued() : 0;
}

void
FluidCarrier::Install(MessageService& service)
{
    NS_ABORT_MSG_IF(WindowSimulator::Get(),
                    "FluidCarrier: messages of all hosts act on each other at once, which "
                    "ns3::aifabric::WindowSimulator cannot run; another simulator can");
    m_service = &service;
}

void
FluidCarrier::Open(const Flow& flow)
{
    if (m_queues)
    {
        GetRoutes().Open(flow);
    }
}

FluidRoutes&
FluidCarrier::GetRoutes()
{
    if (!m_routes)
    {
        m_routes = std::make_unique<FluidRoutes>(m_graph, m_switches, m_service->GetNics());
    }
    return *m_routes;
}

void
FluidCarrier::Carry(uint32_t message)
{
    const Flow& flow = m_service->GetFlow(message);
    const uint32_t number = FindPair(flow);
    m_messages.resize(std::max<std::size_t>(m_messages.size(), message + std::size_t{1}));
    m_messages[message] = {number, NONE, 0, 0};
    QueuePair& pair = m_pairs[number];
    if (pair.first != NONE)
    {
        m_messages[pair.last].next = message;
        pair.last = message;
        return;
    }
    pair.first = message;
    pair.last = message;
    m_mostActive = std::max(m_mostActive, ++m_active[flow.source]);
    Wait(message);
}

uint32_t
FluidCarrier::FindPair(const Flow& flow)
{
    const Line line(flow.source, flow.destination, flow.channel, flow.trafficClass, flow.ordered);
    const auto [pair, isNew] = m_pairOf.try_emplace(line, static_cast<uint32_t>(m_pairs.size()));
    if (isNew)
    {
        m_pairs.emplace_back();
        QueuePair& made = m_pairs.back();
        made.group = FindGroup(flow.source, flow.destination);
        made.links = m_graph.PathLinks(flow.source, flow.destination);
        if (m_queues) // but for the ports of hosts, which FluidSenders has
        {
            made.dataLinks = GetRoutes().FindLinks(flow);
            made.dataLinks.erase(made.dataLinks.begin());
            made.ackLinks = GetRoutes().FindAckLinks(flow);
            made.ackLinks.erase(made.ackLinks.begin());
        }
    }
    return pair->second;
}

uint32_t
FluidCarrier::FindGroup(uint32_t source, uint32_t destination)
{
    // Unless all paths are loaded alike, only the ports of hosts share their rate among messages.
    const uint64_t key = uint64_t{source} << 32 | (m_queues ? 0 : destination);
    const auto [group, isNew] = m_groups.try_emplace(key, 0);
    if (isNew)
    {
        const std::vector<LinkShare> port = {{FluidPaths::UpFromHost(source), 1}};
        group->second =
            m_senders.AddGroup(m_queues ? port : m_paths.GetShares(source, destination, 1));
    }
    return group->second;
}

uint64_t
FluidCarrier::GetFirstBytes(const Flow& flow) const
{
    return std::min<uint64_t>(flow.bytes, m_bound.payloadBytes) + m_bound.headerBytes +
           m_bound.gapBytes;
}

void
FluidCarrier::Wait(uint32_t message)
{
    const Flow& flow = m_service->GetFlow(message);
    double& round = m_rounds[flow.source];
    const auto wait = std::llround(round / ToBytesPerPs(m_bound.linkRate));
    round += GetFirstBytes(flow);
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
    const Flow& flow = m_service->GetFlow(message);
    const double packets = std::ceil(static_cast<double>(flow.bytes) / m_bound.payloadBytes);
    const double bytes = flow.bytes + packets * (m_bound.headerBytes + m_bound.gapBytes);
    const double back = packets * (m_bound.ackBytes + m_bound.gapBytes) / bytes;
    m_messages[message].back = back;
    const uint32_t group = m_pairs[m_messages[message].pair].group;
    m_senders.Send(message, group, bytes, m_queues ? 0 : back);
}

double
FluidCarrier::GetWay(const Flow& flow, uint32_t links) const
{
    // A short last packet cannot overtake the full one before it, and follows it on each link.
    const FrameTime frame(GetFirstBytes(flow) - m_bound.gapBytes, m_bound);
    return m_times.Way(frame, links) - frame.host - m_times.gap.host; // both are past the source
}

void
FluidCarrier::ChangeRate(uint32_t message, double rate)
{
    const QueuePair& pair = m_pairs[m_messages[message].pair];
    const double way = GetWay(m_service->GetFlow(message), pair.links) - GetLastWay();
    const int64_t hop = std::llround(way / (pair.links - 1));
    m_queues->SetRate(DataOf(message), {&pair.dataLinks, hop, hop}, rate);
}

void
FluidCarrier::Leave(uint32_t message)
{
    const Flow& flow = m_service->GetFlow(message);
    QueuePair& pair = m_pairs[m_messages[message].pair];
    if (m_queues)
    {
        ChangeRate(message, 0);
    }
    else
    {
        m_ways.Add(message, std::llround(GetWay(flow, pair.links)));
    }
    m_rounds[flow.source] -= GetFirstBytes(flow);
    pair.first = m_messages[message].next;
    if (pair.first == NONE)
    {
        --m_active[flow.source];
        return;
    }
    m_rounds[flow.source] += GetFirstBytes(m_service->GetFlow(pair.first));
    Begin(pair.first);
}

void
FluidCarrier::Pass(uint32_t stream, double rate)
{
    const uint32_t message = stream / 2;
    if (stream == DataOf(message))
    {
        Acknowledge(message, rate);
        if (rate == 0)
        {
            m_ways.Add(message, std::llround(GetLastWay()));
        }
    }
    else if (rate == 0)
    {
        m_acks.Add(message, std::llround(m_times.toHost));
    }
}

void
FluidCarrier::Acknowledge(uint32_t message, double rate)
{
    Message& state = m_messages[message];
    const QueuePair& pair = m_pairs[state.pair];
    const double acks = rate * state.back;
    m_senders.Reserve(FluidPaths::UpFromHost(m_service->GetFlow(message).destination),
                      acks - state.acks);
    state.acks = acks;
    const double way = m_times.AckWay(pair.links) - m_times.ack.host - m_times.toHost;
    const int64_t hop = std::llround(way / (pair.links - 1));
    const auto first = std::llround(GetLastWay() + m_times.ack.host);
    m_queues->SetRate(AcksOf(message), {&pair.ackLinks, first + hop, hop}, acks);
}

void
FluidCarrier::Receive(uint32_t message)
{
    if (!m_queues) // which have the acknowledgements, too
    {
        const double way = m_times.AckWay(m_pairs[m_messages[message].pair].links);
        m_acks.Add(message, std::llround(way));
    }
    m_service->PartReceived(message, m_service->GetFlow(message).bytes);
}

void
FluidCarrier::Complete(uint32_t message)
{
    m_service->PartCompleted(message);
}

int64_t
FluidCarrier::AssignStreams(int64_t)
{
    return 0;
}

void
FluidCarrier::SetFailureCallback(const Callback<void>&)
{
    // no queue pair fails
}

void
FluidCarrier::Abort()
{
    m_senders.Clear();
    if (m_queues)
    {
        m_queues->Clear();
        m_routes.reset();
    }
    m_waits.Clear();
    m_ways.Clear();
    m_acks.Clear();
    m_pairOf.clear();
    m_groups.clear();
    m_pairs.clear();
    std::fill(m_active.begin(), m_active.end(), 0);
    std::fill(m_rounds.begin(), m_rounds.end(), 0);
}

void
FluidCarrier::Count(PolicyCounters&) const
{
    // it has no policies
}

uint32_t
FluidCarrier::GetMostActive() const
{
    return m_mostActive;
}

Ptr<MessageSteering>
FluidCarrier::GetSteering(uint32_t) const
{
    return nullptr;
}

} // namespace aifabric
} // namespace ns3
