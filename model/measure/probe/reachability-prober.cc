/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reachability-prober.h"

#include "ns3/abort.h"
#include "ns3/host-balancer.h"
#include "ns3/psn-window.h"
#include "ns3/rank-transport.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/window-simulator.h"

#include <algorithm>
#include <map>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(ReachabilityProber);

TypeId
ReachabilityProber::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::ReachabilityProber")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<ReachabilityProber>()
            .AddAttribute("Interval",
                          "Time between two probes of a NIC to the same rack.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&ReachabilityProber::m_interval),
                          MakeTimeChecker(PicoSeconds(1)))
            .AddAttribute("Timeout",
                          "Time from a probe until it is lost, at most the Interval; 0: the "
                          "Interval.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&ReachabilityProber::m_timeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Losses",
                          "Probes of a NIC to a rack that are lost in a row until it counts as "
                          "unreachable.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&ReachabilityProber::m_losses),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Dscp",
                          "DSCP of probes and answers, by default that of data of RC.",
                          UintegerValue(26),
                          MakeUintegerAccessor(&ReachabilityProber::m_dscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddTraceSource("RackState",
                            "A NIC has found a rack to be unreachable, or to be reachable again.",
                            MakeTraceSourceAccessor(&ReachabilityProber::m_rackTrace),
                            "ns3::aifabric::ReachabilityProber::RackStateTracedCallback");
    return tid;
}

ReachabilityProber::ReachabilityProber()
{
}

ReachabilityProber::~ReachabilityProber()
{
}

void
ReachabilityProber::FindRacks(const FabricGraph& graph)
{
    std::map<uint32_t, uint32_t> known; // number of the rack, by that of its switch
    m_hosts.resize(graph.HostCount());
    for (uint32_t host = 0; host < graph.HostCount(); ++host)
    {
        const uint32_t leaf = graph.LeafOf(host);
        const auto [rack, isNew] = known.try_emplace(leaf, known.size());
        if (isNew)
        {
            m_results.racks.push_back(leaf);
            m_racks.emplace_back();
        }
        m_hosts[host].rack = rack->second;
        m_racks[rack->second].push_back(host);
    }
    m_results.pairs.resize(m_racks.size() * m_racks.size());
    m_recent.resize(m_results.pairs.size());
}

void
ReachabilityProber::Install(const FabricGraph& graph,
                            const std::vector<Ptr<RoceNetDevice>>& nics,
                            int64_t stream)
{
    WindowSimulator::RequireOneThread("ReachabilityProber");
    m_timeout = m_timeout.IsZero() ? m_interval : m_timeout;
    NS_ABORT_MSG_IF(m_timeout > m_interval,
                    "ReachabilityProber::Timeout is longer than the Interval");
    m_planes = graph.Planes();
    FindRacks(graph);
    m_events.resize(nics.size());
    for (uint32_t i = 0; i < nics.size(); ++i)
    {
        Host& host = m_hosts[i];
        host.racks.resize(m_racks.size());
        host.agent = CreateObject<ReachabilityAgent>(this);
        nics[i]->AddEndpoint(host.agent);
        host.random = CreateObject<UniformRandomVariable>();
        host.random->SetStream(stream + i);
        if (RankTransport::IsHere(nics[i]->GetNode()))
        {
            const double share = host.random->GetValue(0, 1);
            const auto first = static_cast<int64_t>(share * m_interval.GetPicoSeconds());
            m_events[i] =
                Simulator::Schedule(PicoSeconds(first), &ReachabilityProber::Probe, this, i);
        }
    }
}

void
ReachabilityProber::Probe(uint32_t host)
{
    Host& prober = m_hosts[host];
    const uint32_t rack = prober.next;
    prober.next = (rack + 1) % m_racks.size();
    Judge(host, rack);
    ProbeRack(host, rack);
    const int64_t interval = m_interval.GetPicoSeconds();
    const auto racks = static_cast<int64_t>(m_racks.size());
    const int64_t wait = interval / racks + (rack < interval % racks ? 1 : 0);
    m_events[host] = Simulator::Schedule(PicoSeconds(wait), &ReachabilityProber::Probe, this, host);
}

void
ReachabilityProber::ProbeRack(uint32_t host, uint32_t rack)
{
    Host& prober = m_hosts[host];
    const std::vector<uint32_t>& members = m_racks[rack];
    const bool isOwn = rack == prober.rack;
    const uint32_t others = members.size() - isOwn;
    if (others == 0)
    {
        return;
    }
    uint32_t peer = members[prober.random->GetInteger(0, others - 1)];
    peer = isOwn && peer == host ? members.back() : peer; // the last one stands for itself
    RackView& view = prober.racks[rack];
    view.isWaiting = true;
    view.round = (view.round + 1) & PsnWindow::PSN_MASK;
    ++m_results.pairs[GetPair(prober, rack)].sent;
    ++m_recent[GetPair(prober, rack)].sent;
    prober.agent->Send(
        {peer,
         GetNumber(peer),
         view.round,
         PathChoice::FIRST_PORT + prober.random->GetInteger(0, HostBalancer::ENTROPIES - 1),
         static_cast<uint16_t>(view.round % m_planes),
         m_dscp});
}

void
ReachabilityProber::Answered(uint32_t host, uint32_t peer, uint32_t round, int64_t roundTrip)
{
    Host& prober = m_hosts[host];
    const uint32_t rack = m_hosts[peer].rack;
    RackView& view = prober.racks[rack];
    if (!view.isWaiting || round != view.round || roundTrip > m_timeout.GetPicoSeconds())
    {
        return; // it is late, and counts as lost
    }
    view.isWaiting = false;
    m_results.pairs[GetPair(prober, rack)].roundTrips.Add(roundTrip);
    m_recent[GetPair(prober, rack)].roundTrips.Add(roundTrip);
    if (view.losses >= m_losses)
    {
        m_rackTrace(host, m_results.racks[rack], true);
    }
    view.losses = 0;
}

void
ReachabilityProber::Judge(uint32_t host, uint32_t rack)
{
    Host& prober = m_hosts[host];
    RackView& view = prober.racks[rack];
    if (!view.isWaiting)
    {
        return;
    }
    view.isWaiting = false;
    Reachability::Pair& pair = m_results.pairs[GetPair(prober, rack)];
    ++pair.lost;
    ++m_recent[GetPair(prober, rack)].lost;
    if (++view.losses == m_losses)
    {
        ++pair.alerts;
        m_rackTrace(host, m_results.racks[rack], false);
    }
}

std::vector<ProbeSums>
ReachabilityProber::TakeRecent()
{
    std::vector<ProbeSums> recent(m_recent.size());
    recent.swap(m_recent);
    return recent;
}

void
ReachabilityProber::Count(PolicyCounters& counters) const
{
    const Reachability::Pair sum = m_results.Sum();
    counters["reachability_probes"] += sum.sent;
    counters["reachability_losses"] += sum.lost;
    counters["reachability_alerts"] += sum.alerts;
}

void
ReachabilityProber::DoDispose()
{
    for (EventId& event : m_events)
    {
        event.Cancel();
    }
    m_hosts.clear();
    Object::DoDispose();
}

} // namespace aifabric
} // namespace ns3
