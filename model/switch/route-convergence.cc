/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "route-convergence.h"

#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RouteConvergence);

TypeId
RouteConvergence::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::RouteConvergence")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<RouteConvergence>()
            .AddAttribute("Delay",
                          "Time from the cut or repair of a link until all switches have the "
                          "weights for it. The longest time that there is means never.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&RouteConvergence::m_delay),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("LinkKnown",
                            "All know from now on that a link was cut or restored.",
                            MakeTraceSourceAccessor(&RouteConvergence::m_knownTrace),
                            "ns3::aifabric::RouteConvergence::LinkKnownTracedCallback")
            .AddTraceSource("Converged",
                            "All switches have the weights for the links as they are known.",
                            MakeTraceSourceAccessor(&RouteConvergence::m_convergeTrace),
                            "ns3::aifabric::RouteConvergence::ConvergedTracedCallback");
    return tid;
}

RouteConvergence::RouteConvergence()
{
}

RouteConvergence::~RouteConvergence()
{
}

void
RouteConvergence::Install(const FabricGraph& graph,
                          const std::vector<Ptr<FabricSwitch>>& switches,
                          const std::vector<Ptr<FabricChannel>>& channels)
{
    m_graph = &graph;
    m_switches = switches;
    m_known.assign(channels.size(), true);
    const Ptr<RouteConvergence> self = this; // the channels keep it alive
    for (uint32_t link = 0; link < channels.size(); ++link)
    {
        channels[link]->TraceConnectWithoutContext(
            "LinkState",
            MakeCallback(&RouteConvergence::LinkChanged, self).Bind(link));
        if (!channels[link]->IsUp())
        {
            LinkChanged(link, false);
        }
    }
}

void
RouteConvergence::DoDispose()
{
    m_switches.clear();
    m_pending.clear();
    Object::DoDispose();
}

void
RouteConvergence::LinkChanged(uint32_t link, bool up)
{
    if (m_delay >= Time::Max() - Simulator::Now())
    {
        return; // never
    }
    const int64_t due = FabricClock::Now() + m_delay.GetPicoSeconds();
    if (m_pending.empty() || m_pending.back().due != due)
    {
        Simulator::Schedule(FabricClock::Until(due),
                            &RouteConvergence::Converge,
                            Ptr<RouteConvergence>(this));
    }
    m_pending.push_back({due, link, up});
}

void
RouteConvergence::Converge()
{
    if (m_switches.empty())
    {
        return; // disposed of
    }
    const int64_t now = FabricClock::Now();
    const auto later = std::find_if(m_pending.begin(),
                                    m_pending.end(),
                                    [now](const LinkChange& change) { return change.due > now; });
    const std::vector<LinkChange> due(m_pending.begin(), later);
    m_pending.erase(m_pending.begin(), later);
    for (const LinkChange& change : due)
    {
        ApplyChange(change.link, change.up);
    }
    WecmpTable table(*m_graph, m_known);
    const std::vector<uint32_t> changed =
        (m_table ? *m_table : WecmpTable(*m_graph)).FindChanges(table);
    for (const uint32_t id : changed)
    {
        Update(id, table);
    }
    m_table = std::move(table);
    ++m_convergences;
    m_updated += changed.size();
    m_convergeTrace(due.size(), changed.size());
}

void
RouteConvergence::ApplyChange(uint32_t link, bool up)
{
    m_known[link] = up;
    UpdatePortState(m_graph->Links()[link].a);
    UpdatePortState(m_graph->Links()[link].b);
    m_knownTrace(link, up);
}

void
RouteConvergence::UpdatePortState(const FabricEnd& end) const
{
    if (!end.isHost)
    {
        // The actual state: a switch detects changes of its own links at once, and the link may
        // have changed again since.
        FabricSwitch& fabricSwitch = *m_switches[end.id];
        fabricSwitch.SetPortAlive(end.port, fabricSwitch.GetPort(end.port)->GetChannel()->IsUp());
    }
}

void
RouteConvergence::Update(uint32_t id, const WecmpTable& table) const
{
    FabricSwitch& fabricSwitch = *m_switches[id];
    if (m_table)
    {
        for (const WecmpTable::Route& route : m_table->GetRoutes(id))
        {
            if (!table.HasRoute(id, route.waypoint))
            {
                fabricSwitch.SetWeights(route.waypoint, {});
            }
        }
    }
    for (const WecmpTable::Route& route : table.GetRoutes(id))
    {
        fabricSwitch.SetWeights(route.waypoint, table.GetWeights(id, route));
    }
}

bool
RouteConvergence::IsKnownAlive(uint32_t link) const
{
    return m_known.at(link);
}

uint64_t
RouteConvergence::GetConvergences() const
{
    return m_convergences;
}

uint64_t
RouteConvergence::GetUpdatedSwitches() const
{
    return m_updated;
}

} // namespace aifabric
} // namespace ns3
