/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "traffic-engineer.h"

#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(TrafficEngineer);

TypeId
TrafficEngineer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::TrafficEngineer")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<TrafficEngineer>()
            .AddAttribute("Interval",
                          "Period in which paths are computed again if links have changed.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&TrafficEngineer::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Debounce",
                          "Time from a change of a link until paths are computed, if the next "
                          "period does not begin before. The longest time that there is: at the "
                          "next period.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&TrafficEngineer::m_debounce),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ComputeTime",
                          "How long it takes to compute paths.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&TrafficEngineer::m_computeTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ProgramTime",
                          "How long it takes to write the entries into the switches.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&TrafficEngineer::m_programTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Sweeps",
                          "Sweeps of the refinement of paths, at most; 0: CSPF alone.",
                          UintegerValue(200),
                          MakeUintegerAccessor(&TrafficEngineer::m_sweeps),
                          MakeUintegerChecker<uint32_t>())
            .AddTraceSource("Programmed",
                            "Paths were computed and written into the switches.",
                            MakeTraceSourceAccessor(&TrafficEngineer::m_programmedTrace),
                            "ns3::aifabric::TrafficEngineer::ProgrammedTracedCallback");
    return tid;
}

TrafficEngineer::TrafficEngineer()
{
}

TrafficEngineer::~TrafficEngineer()
{
}

void
TrafficEngineer::DoDispose()
{
    m_balancers.clear();
    m_channels.clear();
    Object::DoDispose();
}

void
TrafficEngineer::Install(const FabricGraph& graph,
                         const std::vector<Ptr<FabricSwitch>>& switches,
                         const std::vector<Ptr<FabricChannel>>& channels,
                         const std::vector<TrafficDemand>& demands,
                         double capacity)
{
    m_graph = &graph;
    m_channels = channels;
    m_capacity = capacity;
    m_paths.resize(graph.Planes());
    for (const Ptr<FabricSwitch>& fabricSwitch : switches)
    {
        m_balancers.push_back(DynamicCast<TeBalancer>(fabricSwitch->GetBalancer()));
    }
    ChooseDemands(demands);
    Program(Solve());
    m_changes = 0;
    const Ptr<TrafficEngineer> self = this; // the channels keep it alive
    for (uint32_t link = 0; link < channels.size(); ++link)
    {
        channels[link]->TraceConnectWithoutContext(
            "LinkState",
            MakeCallback(&TrafficEngineer::LinkChanged, self).Bind(link));
    }
}

void
TrafficEngineer::ChooseDemands(std::vector<TrafficDemand> demands)
{
    std::stable_sort(
        demands.begin(),
        demands.end(),
        [](const TrafficDemand& a, const TrafficDemand& b) { return a.rate > b.rate; });
    std::map<uint32_t, uint32_t> used; // entries, by leaf
    for (const TrafficDemand& demand : demands)
    {
        const uint32_t leaf = m_graph->LeafOf(demand.source);
        if (leaf == m_graph->LeafOf(demand.destination))
        {
            continue;
        }
        const bool fits = m_balancers[leaf] && used[leaf] < m_balancers[leaf]->GetRoom();
        if (fits)
        {
            ++used[leaf];
            m_demands.push_back(demand);
        }
        m_left += !fits;
    }
}

void
TrafficEngineer::LinkChanged(uint32_t, bool)
{
    const int64_t now = FabricClock::Now();
    const int64_t interval = m_interval.GetPicoSeconds();
    int64_t due = (now / interval + 1) * interval;
    if (m_debounce < Time::Max() - Simulator::Now())
    {
        due = std::min(due, now + m_debounce.GetPicoSeconds());
    }
    if (!m_due)
    {
        m_due = due;
        Simulator::Schedule(FabricClock::Until(due),
                            &TrafficEngineer::Compute,
                            Ptr<TrafficEngineer>(this));
    }
}

void
TrafficEngineer::Compute()
{
    m_due.reset();
    if (m_balancers.empty())
    {
        return; // disposed of
    }
    Simulator::Schedule(m_computeTime + m_programTime,
                        &TrafficEngineer::Program,
                        Ptr<TrafficEngineer>(this),
                        Solve());
}

TrafficEngineer::Tables
TrafficEngineer::Solve()
{
    TeSnapshot snapshot;
    for (const Ptr<FabricChannel>& channel : m_channels)
    {
        snapshot.alive.push_back(channel->IsUp());
    }
    snapshot.demands = m_demands;
    snapshot.capacity = m_capacity;
    for (TrafficDemand& demand : snapshot.demands)
    {
        demand.rate /= m_graph->Planes();
    }
    Tables tables;
    tables.entries.resize(m_balancers.size());
    for (uint16_t plane = 0; plane < m_graph->Planes(); ++plane)
    {
        snapshot.plane = plane;
        TeSolution solution = TeSolver(*m_graph, snapshot, m_sweeps).Solve(m_paths[plane]);
        AddEntries(solution, tables);
        tables.maxLoad = std::max(tables.maxLoad, solution.maxLoad);
        m_paths[plane] = std::move(solution.paths);
    }
    ++m_runs;
    return tables;
}

void
TrafficEngineer::AddEntries(const TeSolution& solution, Tables& tables)
{
    for (uint32_t i = 0; i < m_demands.size(); ++i)
    {
        for (const PathHop& hop : solution.paths[i])
        {
            const Ptr<TeBalancer>& balancer = m_balancers[hop.switchId];
            TeBalancer::Table& table = tables.entries[hop.switchId];
            if (balancer && table.size() < balancer->GetRoom())
            {
                const TrafficDemand& demand = m_demands[i];
                table[TeBalancer::KeyOf(demand.source, demand.destination)] = hop.port;
            }
        }
    }
}

void
TrafficEngineer::Program(const Tables& tables)
{
    uint32_t changes = 0;
    for (uint32_t id = 0; id < m_balancers.size(); ++id)
    {
        changes += m_balancers[id] ? m_balancers[id]->Program(tables.entries[id]) : 0;
    }
    m_changes += changes;
    m_maxLoad = tables.maxLoad;
    m_programmedTrace(changes, m_maxLoad);
}

void
TrafficEngineer::Count(PolicyCounters& counters) const
{
    counters["te_runs"] += m_runs;
    counters["te_changes"] += m_changes;
    counters["te_demands_left"] += m_left;
}

double
TrafficEngineer::GetMaxLoad() const
{
    return m_maxLoad;
}

} // namespace aifabric
} // namespace ns3
