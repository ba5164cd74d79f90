/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-carrier.h"

#include "ns3/abort.h"
#include "ns3/window-simulator.h"

#include <cmath>

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
                           std::vector<double> speeds)
    : m_graph(graph),
      m_bound(bound),
      m_times(bound),
      m_paths(graph,
              FluidTimes::ToBytesPerPs(bound.linkRate),
              FluidTimes::ToBytesPerPs(bound.fabricRate)),
      m_split(graph, std::move(speeds)),
      m_senders(m_paths.GetRates(),
                bound.payloadBytes + bound.headerBytes + bound.gapBytes,
                MakeCallback(&FluidCarrier::Leave, this)),
      m_waits(MakeCallback(&FluidCarrier::Begin, this)),
      m_ways(MakeCallback(&FluidCarrier::Receive, this)),
      m_acks(MakeCallback(&FluidCarrier::Complete, this)),
      m_active(graph.HostCount()),
      m_rounds(std::size_t{graph.HostCount()} * graph.Planes())
{
}

FluidCarrier::~FluidCarrier() = default;

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
        rates.insert(rates.end(), 2, FluidTimes::ToBytesPerPs(rate)); // both directions
    }
    MakeQueues(rates);
}

void
FluidCarrier::SprayUnevenly()
{
    m_senders.SetCapacities(m_paths.GetPortRates());
    m_senders.SetRateCallback(MakeCallback(&FluidCarrier::ChangeRate, this));
    m_backlog = std::make_unique<FluidBacklog>(m_senders.GetSolver(), m_paths.GetRates().size());
}

void
FluidCarrier::MakeQueues(const std::vector<double>& rates)
{
    m_queues = std::make_unique<FluidQueues>(rates, MakeCallback(&FluidCarrier::Pass, this));
    m_senders.SetCapacities(
        std::vector<double>(m_rounds.size(), FluidTimes::ToBytesPerPs(m_bound.linkRate)));
    m_senders.SetRateCallback(MakeCallback(&FluidCarrier::ChangeRate, this));
}

void
FluidCarrier::CountToward(uint32_t message, double sign)
{
    if (!m_toward.empty())
    {
        const Flow& flow = m_service->GetFlow(message);
        const uint64_t packets = (flow.bytes + m_bound.payloadBytes - 1) / m_bound.payloadBytes;
        double& toward = m_toward[flow.destination];
        toward += sign * static_cast<double>(flow.bytes + packets * m_bound.headerBytes);
        m_mostToward = std::max(m_mostToward, toward);
    }
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
    if (!m_switches.empty())
    {
        GetRoutes().Open(flow);
    }
}

FluidRoutes&
FluidCarrier::GetRoutes()
{
    if (!m_routes)
    {
        m_routes =
            std::make_unique<FluidRoutes>(m_graph, m_switches, m_service->GetNics(), m_split);
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
        if (m_backlog)
        {
            m_backlog->Add(number, flow.bytes);
        }
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
        QueuePair& made = m_pairs.emplace_back();
        made.source = flow.source;
        made.destination = flow.destination;
        made.links = m_graph.PathLinks(flow.source, flow.destination);
        FindRoute(flow, made);
    }
    return pair->second;
}

void
FluidCarrier::FindRoute(const Flow& flow, QueuePair& pair)
{
    if (!m_queues && !m_backlog)
    {
        pair.group = FindGroup(flow, m_paths.GetShares(flow.source, flow.destination, 1));
        return;
    }
    if (!m_switches.empty())
    {
        pair.route = GetRoutes().Find(flow);
    }
    else
    {
        pair.route.data = FindSplit(flow.source, flow.destination);
        pair.route.acks = FindSplit(flow.destination, flow.source);
    }
    if (m_backlog)
    {
        std::vector<LinkShare> shares = pair.route.data;
        for (const LinkShare& share : pair.route.acks)
        {
            shares.push_back({share.link, share.weight, true});
        }
        pair.group = FindGroup(flow, shares);
        return;
    }
    const uint32_t port = PortOf(flow.source, pair.route.plane);
    pair.group = FindGroup(flow, {{port, pair.route.data.front().weight}});
    pair.ackLoad = pair.route.acks.front().weight;
    pair.route.data.erase(pair.route.data.begin()); // ports of hosts, which FluidSenders has
    pair.route.acks.erase(pair.route.acks.begin());
}

uint32_t
FluidCarrier::FindGroup(const Flow& flow, const std::vector<LinkShare>& shares)
{
    constexpr uint32_t WORD_BITS = 32;
    // Where paths are hashed, all messages of a port take the same of it, whatever they are for.
    const uint64_t key = m_switches.empty() ? uint64_t{flow.source} << WORD_BITS | flow.destination
                                            : shares.front().link;
    const auto [group, isNew] = m_groups.try_emplace(key, 0);
    if (isNew)
    {
        group->second = m_senders.AddGroup(shares);
    }
    return group->second;
}

void
FluidCarrier::Wait(uint32_t message)
{
    const Flow& flow = m_service->GetFlow(message);
    double& round = m_rounds[PortOf(flow.source, m_pairs[m_messages[message].pair].route.plane)];
    const auto wait =
        std::llround(round / (CountPorts() * FluidTimes::ToBytesPerPs(m_bound.linkRate)));
    round += m_times.GetFirstBytes(flow);
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
    double& back = m_messages[message].back;
    back = packets * (m_bound.ackBytes + m_bound.gapBytes) / bytes;
    QueuePair& pair = m_pairs[m_messages[message].pair];
    pair.packets += static_cast<uint64_t>(packets);
    pair.bytes += flow.bytes;
    CountToward(message, 1);
    m_senders.Send(message, pair.group, bytes, m_queues ? 0 : back);
}

void
FluidCarrier::ChangeRate(uint32_t message, double rate)
{
    const QueuePair& pair = m_pairs[m_messages[message].pair];
    if (m_backlog)
    {
        const auto bytes = static_cast<double>(m_service->GetFlow(message).bytes);
        m_backlog->Set(m_messages[message].pair,
                       pair.route.data,
                       bytes,
                       rate,
                       m_active[pair.source]);
        return;
    }
    const int64_t hop = m_times.GetHopPs(m_service->GetFlow(message), pair.links);
    m_queues->SetRate(DataOf(message), {&pair.route.data, hop, hop}, rate);
}

void
FluidCarrier::Leave(uint32_t message)
{
    const Flow& flow = m_service->GetFlow(message);
    const uint32_t number = m_messages[message].pair;
    QueuePair& pair = m_pairs[number];
    if (m_queues)
    {
        ChangeRate(message, 0);
    }
    else
    {
        m_ways.Add(
            message,
            std::llround(m_times.GetWay(flow, pair.links) + m_times.GetExcess(flow, CountPorts())));
    }
    double& round = m_rounds[PortOf(flow.source, pair.route.plane)];
    round -= m_times.GetFirstBytes(flow);
    pair.first = m_messages[message].next;
    const bool isLast = pair.first == NONE;
    if (m_backlog)
    {
        m_backlog->Next(number, isLast ? 0 : m_service->GetFlow(pair.first).bytes);
    }
    if (isLast)
    {
        --m_active[flow.source];
        return;
    }
    round += m_times.GetFirstBytes(m_service->GetFlow(pair.first));
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
            const double excess = m_times.GetExcess(m_service->GetFlow(message), CountPorts());
            m_ways.Add(message, std::llround(m_times.GetLastWay() + excess));
        }
    }
    else if (rate == 0)
    {
        m_acks.Add(message, std::llround(m_times.GetFrames().toHost));
    }
}

void
FluidCarrier::Acknowledge(uint32_t message, double rate)
{
    Message& state = m_messages[message];
    const QueuePair& pair = m_pairs[state.pair];
    const double acks = rate * state.back;
    const double step = FluidWay().step / state.back; // as large as that of the data
    m_senders.Reserve(PortOf(m_service->GetFlow(message).destination, pair.route.plane),
                      (acks - state.acks) * pair.ackLoad);
    state.acks = acks;
    const int64_t hop = m_times.GetAckHopPs(pair.links);
    const auto first = std::llround(m_times.GetLastWay() + m_times.GetFrames().ack.host);
    m_queues->SetRate(AcksOf(message), {&pair.route.acks, first + hop, hop, step}, acks);
}

void
FluidCarrier::Receive(uint32_t message)
{
    if (!m_queues) // which have the acknowledgements, too
    {
        const double way = m_times.GetFrames().AckWay(m_pairs[m_messages[message].pair].links);
        m_acks.Add(message, std::llround(way));
    }
    CountToward(message, -1);
    m_service->PartReceived(message, m_service->GetFlow(message).bytes);
}

std::vector<FluidTraffic::Amount>
FluidCarrier::GetTraffic() const
{
    FluidTraffic traffic(m_graph, m_split);
    for (const QueuePair& pair : m_pairs)
    {
        const auto frames = static_cast<double>(pair.packets);
        const FluidTraffic::Amount data{frames, pair.bytes + frames * m_bound.headerBytes};
        const FluidTraffic::Amount acks{frames, frames * m_bound.ackBytes};
        if (m_switches.empty())
        {
            traffic.AddSplit(pair.source, pair.destination, data);
            traffic.AddSplit(pair.destination, pair.source, acks);
        }
        else
        {
            traffic.AddRoute({true, pair.source, pair.route.plane}, pair.route.data, data);
            traffic.AddRoute({true, pair.destination, pair.route.plane}, pair.route.acks, acks);
        }
    }
    return traffic.GetSums();
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
    if (m_backlog)
    {
        m_backlog->Clear();
    }
    m_waits.Clear();
    m_ways.Clear();
    m_acks.Clear();
    m_pairOf.clear();
    m_groups.clear();
    m_pairs.clear();
    std::fill(m_active.begin(), m_active.end(), 0);
    std::fill(m_toward.begin(), m_toward.end(), 0);
    std::fill(m_rounds.begin(), m_rounds.end(), 0);
}

} // namespace aifabric
} // namespace ns3
