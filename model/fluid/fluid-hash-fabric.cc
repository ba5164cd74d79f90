/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-hash-fabric.h"

#include <cmath>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the rate of a link, in bytes a picosecond
double
GetRate(const FabricLinkSpec& link, const BoundParameters& bound)
{
    return FluidTimes::ToBytesPerPs(link.tier == 0 ? bound.linkRate : bound.fabricRate);
}

/// @return the rates of directed links, by twice their ids, and 1 more on the way down
std::vector<double>
GetRates(const FabricGraph& graph, const BoundParameters& bound)
{
    std::vector<double> rates;
    for (const FabricLinkSpec& link : graph.Links())
    {
        rates.insert(rates.end(), 2, GetRate(link, bound)); // both directions
    }
    return rates;
}

} // namespace

FluidHashFabric::FluidHashFabric(const FabricGraph& graph,
                                 const BoundParameters& bound,
                                 const std::vector<double>& speeds,
                                 const std::vector<Ptr<FabricSwitch>>& switches,
                                 bool changes)
    : FluidQueueFabric(graph, bound, speeds, GetRates(graph, bound), changes),
      m_switches(switches)
{
    for (uint32_t link = 0; link < 2 * graph.Links().size(); ++link)
    {
        m_queues.SetUnit(link, m_split.GetSpeed(link)); // FluidRoutes counts a slow link more
    }
    if (changes)
    {
        const auto next = [this](uint32_t stream,
                                 const std::vector<LinkShare>& way,
                                 std::size_t index) { return FindNext(stream, way, index); };
        m_detours = std::make_unique<FluidDetours>(
            m_queues,
            next,
            MakeCallback(&FluidHashFabric::Pass, this),
            MakeCallback(&FluidHashFabric::Resend, this),
            MakeCallback(&FluidHashFabric::CountTracks, this),
            std::llround(m_times.GetFrames().AckWay(2 * graph.Tiers())));
        m_crossed = std::make_unique<FluidTraffic>(graph, m_split);
    }
}

ConnectionTable*
FluidHashFabric::GetConnections()
{
    return &GetRoutes().GetConnections();
}

FluidRoutes&
FluidHashFabric::GetRoutes()
{
    if (!m_routes)
    {
        m_routes =
            std::make_unique<FluidRoutes>(m_graph, m_switches, m_service->GetNics(), m_split);
    }
    return *m_routes;
}

FluidFabric::Group
FluidHashFabric::FindRoute(const Ptr<QueuePair>& queuePair, FluidPair& pair)
{
    pair.route = GetRoutes().Find(*queuePair, pair.source, pair.destination);
    const uint32_t port = PortOf(pair.source, pair.route.label.choice.plane);
    const double weight = pair.route.data.front().weight;
    pair.ackLoad = pair.route.acks.front().weight;
    LeaveHosts(pair.route);
    return {port, {{port, weight}}}; // all messages of a port take the same of it
}

void
FluidHashFabric::SetStreamRate(uint32_t stream,
                               const std::vector<LinkShare>& links,
                               const FluidWay& way,
                               double rate)
{
    if (m_detours)
    {
        m_detours->SetRate(stream, links.size(), way, rate);
        return;
    }
    FluidQueueFabric::SetStreamRate(stream, links, way, rate);
}

void
FluidHashFabric::PassQueues(uint32_t stream, double rate)
{
    m_detours ? m_detours->Pass(stream, rate) : Pass(stream, rate);
}

void
FluidHashFabric::Review()
{
    for (const uint32_t link : m_changed)
    {
        const FabricLinkSpec& spec = m_graph.Links()[link / 2];
        const double rate = GetRate(spec, m_bound) * m_speeds[link];
        if (rate > 0 && spec.a.isHost && link % 2 == 0)
        {
            m_senders->SetCapacity(PortOf(spec.a.id, spec.a.port), rate);
        }
        else if (rate > 0)
        {
            m_queues.SetLinkRate(link, rate);
        }
    }
    m_changed.clear();
    for (FluidPair& pair : m_pairs->GetAll())
    {
        GetRoutes().Update(pair.route);
    }
    m_detours->Update();
}

std::optional<LinkShare>
FluidHashFabric::FindNext(uint32_t stream, const std::vector<LinkShare>& way, std::size_t index)
{
    if (index > 0 && m_speeds[way[index - 1].link] == 0)
    {
        return std::nullopt;
    }
    const FluidPair& pair = m_pairs->GetPair(stream / 2);
    const bool isData = stream == DataOf(stream / 2);
    return GetRoutes().FindNext(isData ? pair.route.label : pair.route.ackLabel, way, index);
}

void
FluidHashFabric::Resend(uint32_t stream, double bytes)
{
    const uint32_t message = stream / 2;
    if (stream != DataOf(message))
    {
        return;
    }
    const FluidPair& pair = m_pairs->GetPair(message);
    if (!m_senders->Extend(message, pair.group, bytes))
    {
        m_detours->Hold(stream);
        m_senders->Send(message, pair.group, bytes, 0);
    }
}

void
FluidHashFabric::CountTraffic(const FluidPair& pair,
                              const FluidTraffic::Amount& data,
                              const FluidTraffic::Amount& acks,
                              FluidTraffic& traffic) const
{
    if (m_crossed)
    {
        return; // CountTracks() does
    }
    const uint16_t plane = pair.route.label.choice.plane;
    traffic.AddRoute({true, pair.source, plane}, pair.route.data, data);
    traffic.AddRoute({true, pair.destination, plane}, pair.route.acks, acks);
}

void
FluidHashFabric::CountTracks(uint32_t stream, const std::vector<FluidTrack>& tracks)
{
    const uint32_t message = stream / 2;
    const bool isData = stream == DataOf(message);
    const FluidPair& pair = m_pairs->GetPair(message);
    const double packets = m_times.CountPackets(m_pairs->GetFlow(message));
    const double bytes = isData ? m_pairs->GetFlow(message).bytes + packets * m_bound.headerBytes
                                : packets * m_bound.ackBytes;
    double all = 0; // lost data is sent again, lost acknowledgements are not
    for (const FluidTrack& track : tracks)
    {
        all += isData && track.isLost ? 0 : track.bytes;
    }
    for (const FluidTrack& track : tracks)
    {
        FluidTraffic::Amount amount;
        amount.Add({packets, bytes}, all > 0 ? track.bytes / all : 0);
        const uint32_t host = isData ? pair.source : pair.destination;
        m_crossed->AddRoute({true, host, pair.route.label.choice.plane}, track.links, amount);
    }
}

void
FluidHashFabric::AddCounted(FluidTraffic& traffic) const
{
    if (m_crossed)
    {
        traffic.AddRoutes(*m_crossed);
    }
}

void
FluidHashFabric::Clear()
{
    FluidQueueFabric::Clear();
    m_routes.reset();
    if (m_detours)
    {
        m_detours->Clear();
        m_crossed = std::make_unique<FluidTraffic>(m_graph, m_split);
    }
}

} // namespace aifabric
} // namespace ns3
