/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-carrier.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"
#include "ns3/window-simulator.h"

#include <cmath>
#include <set>

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
      m_split(graph, speeds),
      m_senders(m_paths.GetRates(),
                bound.payloadBytes + bound.headerBytes + bound.gapBytes,
                MakeCallback(&FluidCarrier::Leave, this)),
      m_waits(MakeCallback(&FluidCarrier::Begin, this)),
      m_ways(MakeCallback(&FluidCarrier::Receive, this)),
      m_acks(MakeCallback(&FluidCarrier::Complete, this)),
      m_lasting(std::move(speeds)),
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
    for (uint32_t link = 0; link < rates.size(); ++link)
    {
        m_queues->SetUnit(link, m_split.GetSpeed(link)); // FluidRoutes counts a slow link more
    }
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
    m_queues = std::make_unique<FluidQueues>(rates, MakeCallback(&FluidCarrier::PassQueues, this));
    if (!m_speeds.empty() && !m_switches.empty())
    {
        const FrameTimes& frames = m_times.GetFrames();
        const auto next = [this](uint32_t stream,
                                 const std::vector<LinkShare>& way,
                                 std::size_t index) { return FindNext(stream, way, index); };
        m_detours =
            std::make_unique<FluidDetours>(*m_queues,
                                           next,
                                           MakeCallback(&FluidCarrier::Pass, this),
                                           MakeCallback(&FluidCarrier::Resend, this),
                                           std::llround(frames.AckWay(2 * m_graph.Tiers())));
    }
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
    m_messages[message] = {number, NONE, 0, 0, false};
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
        pair.route = FindSplitRoute(flow.source, flow.destination);
    }
    if (m_backlog)
    {
        pair.group = FindGroup(flow, GetSolverShares(pair));
        return;
    }
    const uint32_t port = PortOf(flow.source, pair.route.choice.plane);
    pair.group = FindGroup(flow, {{port, pair.route.data.front().weight}});
    pair.ackLoad = pair.route.acks.front().weight;
    LeaveHosts(pair.route);
}

void
FluidCarrier::LeaveHosts(FluidRoute& route)
{
    route.data.erase(route.data.begin());
    route.acks.erase(route.acks.begin());
}

std::vector<LinkShare>
FluidCarrier::GetSolverShares(const QueuePair& pair) const
{
    std::vector<LinkShare> shares = pair.route.data;
    for (const LinkShare& share : pair.route.acks)
    {
        shares.push_back({share.link, share.weight, true});
    }
    return shares;
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
    double& round =
        m_rounds[PortOf(flow.source, m_pairs[m_messages[message].pair].route.choice.plane)];
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
    CountComing(message, 1);
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
    SetStreamRate(DataOf(message), pair.route.data, {nullptr, hop, hop}, rate);
}

void
FluidCarrier::SetStreamRate(uint32_t stream,
                            const std::vector<LinkShare>& links,
                            const FluidWay& way,
                            double rate)
{
    if (m_detours)
    {
        m_detours->SetRate(stream, links.size(), way, rate);
        return;
    }
    m_queues->SetRate(stream, {&links, way.firstPs, way.hopPs, way.step}, rate);
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
    if (m_messages[message].isAgain)
    {
        return; // others have taken its turn
    }
    m_messages[message].isAgain = true;
    if (!m_queues)
    {
        m_ways.Add(
            message,
            std::llround(m_times.GetWay(flow, pair.links) + m_times.GetExcess(flow, CountPorts())));
    }
    double& round = m_rounds[PortOf(flow.source, pair.route.choice.plane)];
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
            const double way = m_times.GetLastWay() + excess + GetScatter(message);
            m_ways.Add(message, std::max<int64_t>(0, std::llround(way)));
        }
    }
    else if (rate == 0)
    {
        m_acks.Add(message, std::llround(m_times.GetFrames().toHost));
    }
}

double
FluidCarrier::GetScatter(uint32_t message) const
{
    if (m_coming.empty() || m_coming[m_service->GetFlow(message).destination] < 2)
    {
        return 0;
    }
    // The finalizer of SplitMix64 (Steele et al., OOPSLA 2014).
    uint64_t bits = (message + uint64_t{1}) * 0x9E3779B97F4A7C15;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
    bits ^= bits >> 31;
    const double share = std::ldexp(static_cast<double>(bits >> 32), -31) - 1; // -1 to 1
    const double packet = m_bound.payloadBytes + m_bound.headerBytes + m_bound.gapBytes;
    return share * packet / FluidTimes::ToBytesPerPs(m_bound.linkRate);
}

void
FluidCarrier::CountComing(uint32_t message, int32_t change)
{
    if (!m_coming.empty())
    {
        m_coming[m_service->GetFlow(message).destination] += change;
    }
}

void
FluidCarrier::Acknowledge(uint32_t message, double rate)
{
    Message& state = m_messages[message];
    const QueuePair& pair = m_pairs[state.pair];
    const double acks = rate * state.back;
    const double step = FluidWay().step / state.back; // as large as that of the data
    m_senders.Reserve(PortOf(m_service->GetFlow(message).destination, pair.route.choice.plane),
                      (acks - state.acks) * pair.ackLoad);
    state.acks = acks;
    const int64_t hop = m_times.GetAckHopPs(pair.links);
    const auto first = std::llround(m_times.GetLastWay() + m_times.GetFrames().ack.host);
    SetStreamRate(AcksOf(message), pair.route.acks, {nullptr, first + hop, hop, step}, acks);
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
    CountComing(message, -1);
    m_service->PartReceived(message, m_service->GetFlow(message).bytes);
}

void
FluidCarrier::SetSpeed(uint32_t link, double speed)
{
    m_speeds[link] = speed;
    m_changed.push_back(link);
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
    if (m_switches.empty())
    {
        ReviewSplit();
    }
    else
    {
        ReviewRates();
        for (QueuePair& pair : m_pairs)
        {
            GetRoutes().Update(pair.source, pair.destination, pair.route);
        }
        m_detours->Update();
    }
    m_changed.clear();
}

void
FluidCarrier::ReviewRates()
{
    for (const uint32_t link : m_changed)
    {
        const FabricLinkSpec& spec = m_graph.Links()[link / 2];
        const double speed = m_speeds[link];
        const double rate =
            FluidTimes::ToBytesPerPs(spec.tier == 0 ? m_bound.linkRate : m_bound.fabricRate);
        if (speed > 0 && spec.a.isHost && link % 2 == 0)
        {
            m_senders.SetCapacity(PortOf(spec.a.id, spec.a.port), rate * speed);
        }
        else if (speed > 0)
        {
            m_queues->SetLinkRate(link, rate * speed);
        }
    }
}

void
FluidCarrier::ReviewSplit()
{
    std::vector<double> speeds = m_speeds;
    for (std::size_t link = 0; link < m_lasting.size(); ++link)
    {
        speeds[link] *= m_lasting[link];
    }
    m_split.SetSpeeds(std::move(speeds));
    std::vector<FluidRoute> routes;
    for (const QueuePair& pair : m_pairs)
    {
        routes.push_back(FindSplitRoute(pair.source, pair.destination));
    }
    if (m_queues)
    {
        std::for_each(routes.begin(), routes.end(), &FluidCarrier::LeaveHosts);
        m_queues->Reweigh([&](uint32_t stream) -> const std::vector<LinkShare>& {
            const FluidRoute& route = routes[m_messages[stream / 2].pair];
            return stream == DataOf(stream / 2) ? route.data : route.acks;
        });
    }
    std::set<uint32_t> groups; // that were done
    for (std::size_t number = 0; number < routes.size(); ++number)
    {
        QueuePair& pair = m_pairs[number];
        pair.route = std::move(routes[number]);
        if (!m_queues && groups.insert(pair.group).second)
        {
            m_senders.SetShares(pair.group, GetSolverShares(pair));
        }
    }
}

void
FluidCarrier::ReviewTraffic()
{
    const double packet = m_bound.payloadBytes + m_bound.headerBytes + m_bound.gapBytes;
    FluidTraffic traffic(m_graph, m_split);
    for (QueuePair& pair : m_pairs)
    {
        const double rest = pair.first == NONE ? 0 : m_senders.GetRest(pair.first, pair.group);
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

std::optional<LinkShare>
FluidCarrier::FindNext(uint32_t stream, const std::vector<LinkShare>& way, std::size_t index)
{
    if (index > 0 && m_speeds[way[index - 1].link] == 0)
    {
        return std::nullopt;
    }
    const QueuePair& pair = m_pairs[m_messages[stream / 2].pair];
    const bool isData = stream == DataOf(stream / 2);
    return GetRoutes().FindNext(isData ? pair.source : pair.destination,
                                isData ? pair.destination : pair.source,
                                pair.route.choice,
                                way,
                                index);
}

void
FluidCarrier::Resend(uint32_t stream, double bytes)
{
    const uint32_t message = stream / 2;
    if (stream != DataOf(message))
    {
        return;
    }
    const QueuePair& pair = m_pairs[m_messages[message].pair];
    if (!m_senders.Extend(message, pair.group, bytes))
    {
        m_detours->Hold(stream);
        m_senders.Send(message, pair.group, bytes, 0);
    }
}

std::vector<FluidTraffic::Amount>
FluidCarrier::GetTraffic() const
{
    FluidTraffic traffic(m_graph, m_split);
    for (const QueuePair& pair : m_pairs)
    {
        CountTraffic(pair, 0, traffic);
    }
    std::vector<FluidTraffic::Amount> sums = traffic.GetSums();
    for (std::size_t link = 0; link < m_before.size(); ++link)
    {
        sums[link].Add(m_before[link], 1);
    }
    return sums;
}

void
FluidCarrier::CountTraffic(const QueuePair& pair, uint64_t packets, FluidTraffic& traffic) const
{
    const auto frames = static_cast<double>(pair.packets - packets);
    const double bytes = pair.bytes - std::min<double>(pair.bytes, packets * m_bound.payloadBytes);
    const FluidTraffic::Amount data{frames, bytes + frames * m_bound.headerBytes};
    const FluidTraffic::Amount acks{frames, frames * m_bound.ackBytes};
    if (m_switches.empty())
    {
        traffic.AddSplit(pair.source, pair.destination, data);
        traffic.AddSplit(pair.destination, pair.source, acks);
        return;
    }
    const uint16_t plane = pair.route.choice.plane;
    traffic.AddRoute({true, pair.source, plane}, pair.route.data, data);
    traffic.AddRoute({true, pair.destination, plane}, pair.route.acks, acks);
}

void
FluidCarrier::Abort()
{
    m_review.Cancel();
    m_before.clear();
    m_senders.Clear();
    if (m_queues)
    {
        m_queues->Clear();
        m_routes.reset();
    }
    if (m_detours)
    {
        m_detours->Clear();
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
    std::fill(m_coming.begin(), m_coming.end(), 0);
    std::fill(m_toward.begin(), m_toward.end(), 0);
    std::fill(m_rounds.begin(), m_rounds.end(), 0);
}

} // namespace aifabric
} // namespace ns3
