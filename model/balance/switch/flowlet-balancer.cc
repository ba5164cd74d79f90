/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowlet-balancer.h"

#include "ecmp-balancer.h"
#include "rsq-balancer.h"

#include "ns3/abort.h"
#include "ns3/make-object.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FlowletBalancer);

TypeId
FlowletBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::FlowletBalancer")
            .SetParent<SwitchBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<FlowletBalancer>()
            .AddAttribute("Gap",
                          "Longest time between two packets of a flowlet.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&FlowletBalancer::m_gap),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Ageing",
                          "How long an entry of the table is kept for a flow without packets.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&FlowletBalancer::m_ageing),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Entries",
                          "Flows that the table of a switch has room for.",
                          UintegerValue(8192),
                          MakeUintegerAccessor(&FlowletBalancer::m_entries),
                          MakeUintegerChecker<uint32_t>(1, 1 << 18))
            .AddAttribute("ChoiceType",
                          "The switch balancer that chooses for a new flowlet: RsqBalancer for a "
                          "random next hop, JsqBalancer for the least loaded.",
                          TypeIdValue(RsqBalancer::GetTypeId()),
                          MakeTypeIdAccessor(&FlowletBalancer::m_choiceType),
                          MakeTypeIdChecker());
    return tid;
}

void
FlowletBalancer::NotifyConstructionCompleted()
{
    SwitchBalancer::NotifyConstructionCompleted();
    NS_ABORT_MSG_IF(m_choiceType == GetTypeId(),
                    "FlowletBalancer::ChoiceType is " << m_choiceType.GetName()
                                                      << "; it has to be another switch balancer");
    m_choice = MakeObject<SwitchBalancer>(m_choiceType, "FlowletBalancer::ChoiceType");
    NS_ABORT_MSG_IF(m_choice->SeesFrames(),
                    "FlowletBalancer::ChoiceType is "
                        << m_choiceType.GetName()
                        << "; it has to be one that need not see all frames");
}

void
FlowletBalancer::DoInitialize()
{
    m_table.Resize(m_entries);
    m_choice->Initialize();
    SwitchBalancer::DoInitialize();
}

void
FlowletBalancer::DoDispose()
{
    m_choice = nullptr;
    SwitchBalancer::DoDispose();
}

void
FlowletBalancer::SetSite(const SwitchSite& site)
{
    m_salt = site.id;
    m_choice->SetSite(site);
}

bool
FlowletBalancer::KeepsPaths() const
{
    return true;
}

uint32_t
FlowletBalancer::Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now)
{
    FlowletTable::Entry& entry =
        m_table.Find(EcmpBalancer::Mix(frame.flowHash, m_salt), now, m_ageing.GetPicoSeconds());
    if (now - entry.lastSeen > m_gap.GetPicoSeconds() || !entry.Locate(group))
    {
        entry.place = m_choice->Choose(frame, group, now);
        entry.port = group.members[entry.place];
        ++m_flowlets;
    }
    entry.lastSeen = now;
    return entry.place;
}

void
FlowletBalancer::GroupChanged(const EgressGroup& group)
{
    m_choice->GroupChanged(group);
}

int64_t
FlowletBalancer::AssignStreams(int64_t stream)
{
    return m_choice->AssignStreams(stream);
}

void
FlowletBalancer::Count(PolicyCounters& counters) const
{
    counters["flowlets"] += m_flowlets;
    m_choice->Count(counters);
}

uint64_t
FlowletBalancer::GetFlowlets() const
{
    return m_flowlets;
}

} // namespace aifabric
} // namespace ns3
