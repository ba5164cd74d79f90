/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-prober.h"

#include "probe-reflector.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"
#include "ns3/window-simulator.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FabricProber);

TypeId
FabricProber::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::FabricProber")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<FabricProber>()
            .AddAttribute("Interval",
                          "Time between two probes of the same kind; longer than a round trip.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&FabricProber::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Losses",
                          "Probes lost in a row until an element is bad.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&FabricProber::m_losses),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Answers",
                          "Probes answered in a row until a bad element is good again.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&FabricProber::m_answers),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Denylist",
                          "Whether entropy values that cross a bad element are denied.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&FabricProber::m_denies),
                          MakeBooleanChecker())
            .AddAttribute("Dscp",
                          "DSCP of probes.",
                          UintegerValue(46),
                          MakeUintegerAccessor(&FabricProber::m_dscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddTraceSource("ElementState",
                            "An element was found to be bad, or to work again.",
                            MakeTraceSourceAccessor(&FabricProber::m_elementTrace),
                            "ns3::aifabric::FabricProber::ElementStateTracedCallback")
            .AddTraceSource("ProbeLost",
                            "A probe has not come back in time.",
                            MakeTraceSourceAccessor(&FabricProber::m_lostTrace),
                            "ns3::aifabric::FabricProber::ProbeLostTracedCallback");
    return tid;
}

FabricProber::FabricProber()
{
}

FabricProber::~FabricProber()
{
}

void
FabricProber::Install(const FabricGraph& graph,
                      const std::vector<Ptr<RoceNetDevice>>& nics,
                      const std::vector<Ptr<FabricSwitch>>& switches)
{
    WindowSimulator::RequireOneThread("FabricProber");
    m_graph = &graph;
    m_judge.emplace(graph, ProbeJudge::Limits{m_losses, m_answers});
    m_answered.assign(graph.HostCount() * graph.Planes(), false);
    for (const Ptr<RoceNetDevice>& nic : nics)
    {
        m_agents.push_back(CreateObject<ProbeAgent>(this));
        nic->AddEndpoint(m_agents.back());
        NS_ABORT_MSG_IF(m_agents.back()->GetNumber() != m_agents.front()->GetNumber(),
                        "FabricProber: a NIC has queue pairs already");
    }
    for (uint32_t id = 0; id < switches.size(); ++id)
    {
        if (graph.Switches()[id].tier == 1)
        {
            NS_ABORT_MSG_IF(switches[id]->GetStage(),
                            "FabricProber: " << graph.SwitchName(id) << " has an ingress stage");
            switches[id]->SetStage(CreateObject<ProbeReflector>(m_agents.front()->GetNumber()));
        }
    }
    FindUplinks();
    if (m_denies)
    {
        m_denylist = std::make_unique<EvDenylist>(graph, nics);
    }
    m_event = Simulator::ScheduleNow(&FabricProber::SendProbes, this);
}

void
FabricProber::FindUplinks()
{
    m_firstUplinks.resize(m_graph->Switches().size());
    for (uint32_t id = 0; id < m_graph->Switches().size(); ++id)
    {
        const FabricSwitchSpec& spec = m_graph->Switches()[id];
        m_firstUplinks[id] = m_uplinks.size();
        for (uint16_t i = 0; spec.tier == 0 && i < spec.forwarding.up.count; ++i)
        {
            const uint16_t port = spec.forwarding.up.first + i;
            m_uplinks.push_back({m_graph->LinkAt({false, id, port}),
                                 spec.plane,
                                 i,
                                 spec.forwarding.firstHost,
                                 spec.forwarding.hostCount,
                                 false});
        }
    }
}

void
FabricProber::NextRound()
{
    JudgeRound();
    constexpr uint32_t PSNS = 1 << 24; // a probe carries so much of the number
    m_round = (m_round + 1) % PSNS;
    SendProbes();
}

void
FabricProber::SendProbes()
{
    const uint32_t hosts = m_graph->HostCount();
    const uint32_t itself = m_graph->LeafUplinks(); // the label of no uplink
    for (uint32_t host = 0; host < hosts; ++host)
    {
        for (uint16_t plane = 0; plane < m_graph->Planes(); ++plane)
        {
            m_agents[host]->Send({plane, host, itself, m_round, m_dscp});
            m_answered[host * m_graph->Planes() + plane] = false;
        }
    }
    for (Uplink& uplink : m_uplinks)
    {
        uplink.isAnswered = false;
        const uint32_t other = (uplink.firstHost + uplink.hosts) % hosts; // of another T0
        m_agents[GetProbingHost(uplink)]->Send(
            {uplink.plane, other, uplink.label, m_round, m_dscp});
    }
    m_counters.sent += m_answered.size() + m_uplinks.size();
    m_event = Simulator::Schedule(m_interval, &FabricProber::NextRound, this);
}

void
FabricProber::Returned(uint32_t host, uint16_t plane, uint32_t label, uint32_t round)
{
    if (round != m_round)
    {
        return; // it was lost already
    }
    if (label == m_graph->LeafUplinks())
    {
        m_answered[host * m_graph->Planes() + plane] = true;
        return;
    }
    m_uplinks.at(m_firstUplinks[m_graph->LeafOf(host, plane)] + label).isAnswered = true;
}

void
FabricProber::JudgeRound()
{
    for (uint32_t host = 0; host < m_graph->HostCount(); ++host)
    {
        for (uint16_t plane = 0; plane < m_graph->Planes(); ++plane)
        {
            const bool isAnswered = m_answered[host * m_graph->Planes() + plane];
            m_judge->TakeLeafProbe(host, plane, isAnswered);
            if (!isAnswered)
            {
                ++m_counters.lost;
                m_lostTrace(host, {FabricElement::NIC_PORT, host, plane});
            }
        }
    }
    for (const Uplink& uplink : m_uplinks)
    {
        const uint32_t host = GetProbingHost(uplink);
        m_judge->TakeSpineProbe(uplink.link, host, uplink.isAnswered);
        if (!uplink.isAnswered)
        {
            ++m_counters.lost;
            m_lostTrace(host, {FabricElement::LINK, uplink.link, uplink.plane});
        }
    }
    const std::vector<ProbeJudge::Change> changes = m_judge->Judge();
    for (const ProbeJudge::Change& change : changes)
    {
        ++(change.isBad ? m_counters.badFound : m_counters.goodFound);
        m_elementTrace(change.element, change.isBad);
    }
    if (m_denylist && !changes.empty())
    {
        m_denylist->SetBad(m_judge->GetBad());
    }
}

void
FabricProber::Count(PolicyCounters& counters) const
{
    counters["fabric_probes"] += m_counters.sent;
    counters["fabric_probes_lost"] += m_counters.lost;
    counters["elements_bad"] += m_counters.badFound;
    counters["elements_good"] += m_counters.goodFound;
}

void
FabricProber::DoDispose()
{
    m_event.Cancel();
    m_agents.clear();
    m_denylist = nullptr;
    Object::DoDispose();
}

} // namespace aifabric
} // namespace ns3
