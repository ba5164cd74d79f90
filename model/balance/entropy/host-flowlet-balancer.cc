/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-flowlet-balancer.h"

#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(HostFlowletBalancer);

TypeId
HostFlowletBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::HostFlowletBalancer")
            .SetParent<EntropyBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<HostFlowletBalancer>()
            .AddAttribute("Gap",
                          "Time without acknowledgements after which the label is changed; 0: half "
                          "of the base round-trip time.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&HostFlowletBalancer::m_gap),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Hold",
                          "Least time between two changes of the label; 0: after a gap each packet "
                          "changes it until an acknowledgement comes.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&HostFlowletBalancer::m_hold),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Entropies",
                          "Number of labels to draw from.",
                          UintegerValue(ENTROPIES),
                          MakeUintegerAccessor(&HostFlowletBalancer::m_entropies),
                          MakeUintegerChecker<uint32_t>(1, ENTROPIES))
            .AddTraceSource("Relabel",
                            "The label is changed.",
                            MakeTraceSourceAccessor(&HostFlowletBalancer::m_trace),
                            "ns3::aifabric::HostFlowletBalancer::RelabelTracedCallback");
    return tid;
}

bool
HostFlowletBalancer::KeepsPaths() const
{
    return true;
}

void
HostFlowletBalancer::Start(const FabricFacts& facts, int64_t stream)
{
    EntropyBalancer::Start(facts, stream);
    m_halfRtt = facts.baseRtt.GetPicoSeconds() / 2;
    m_label.reset();
    m_change.reset();
}

int64_t
HostFlowletBalancer::GetGap() const
{
    return m_gap.IsZero() ? m_halfRtt : m_gap.GetPicoSeconds();
}

uint16_t
HostFlowletBalancer::NextLabel(int64_t now)
{
    if (!m_label)
    {
        m_label = Draw(m_entropies);
        m_heard = now;
    }
    const bool isHeld = m_change && now - *m_change <= m_hold.GetPicoSeconds();
    if (now - m_heard > GetGap() && !isHeld)
    {
        const uint16_t old = *m_label;
        m_label = Draw(m_entropies);
        m_change = now;
        ++m_relabels;
        m_trace(PathChoice::FIRST_PORT + old, PathChoice::FIRST_PORT + *m_label);
    }
    return *m_label;
}

void
HostFlowletBalancer::Feedback(uint32_t, PathEvent event, int64_t, int64_t now)
{
    const bool isLoss =
        event == PathEvent::LOST || event == PathEvent::OVERDUE || event == PathEvent::TIMED_OUT;
    m_heard = isLoss ? m_heard : now;
}

void
HostFlowletBalancer::Count(PolicyCounters& counters) const
{
    counters["host_flowlets"] += m_relabels;
}

Ptr<HostBalancer>
HostFlowletBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
