/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethereal-reps-balancer.h"

#include "ns3/double.h"
#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(EtherealRepsBalancer);

TypeId
EtherealRepsBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::EtherealRepsBalancer")
            .SetParent<EntropyBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<EtherealRepsBalancer>()
            .AddAttribute("MarkingShare",
                          "Longest queue without marks, as a share of the port buffer; what "
                          "ai-fabric-run sets switches to if no marker is chosen "
                          "(0: they mark as the congestion control needs it).",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&EtherealRepsBalancer::m_markingShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Entropies",
                          "Number of labels; at least the number of paths.",
                          UintegerValue(256),
                          MakeUintegerAccessor(&EtherealRepsBalancer::m_entropies),
                          MakeUintegerChecker<uint32_t>(1, ENTROPIES))
            .AddAttribute("Exploration",
                          "First packets that use labels in ascending order: those of a "
                          "bandwidth-delay product, 236 kB in packets of 9000 bytes. Not more "
                          "than Entropies.",
                          UintegerValue(27),
                          MakeUintegerAccessor(&EtherealRepsBalancer::m_exploration),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
EtherealRepsBalancer::Start(const FabricFacts& facts, int64_t stream)
{
    EntropyBalancer::Start(facts, stream);
    if (m_cache)
    {
        m_pastUses += m_cache->GetUses();
        m_pastRemovals += m_cache->GetRemovals();
    }
    m_cache.emplace(m_entropies, m_exploration);
    m_lostAt = -1;
}

uint16_t
EtherealRepsBalancer::NextLabel(int64_t)
{
    return m_cache->Next();
}

void
EtherealRepsBalancer::Feedback(uint32_t entropy, PathEvent event, int64_t, int64_t now)
{
    if (event == PathEvent::GOOD || event == PathEvent::MARKED)
    {
        m_cache->Acked(entropy - PathChoice::FIRST_PORT, event == PathEvent::MARKED);
    }
    else if (event == PathEvent::LOST)
    {
        m_lostAt = now;
        m_cache->Lost();
    }
    else if (event == PathEvent::TIMED_OUT && m_lostAt != now)
    {
        m_cache->Lost();
    }
}

double
EtherealRepsBalancer::GetMarkingShare() const
{
    return m_markingShare;
}

void
EtherealRepsBalancer::Count(PolicyCounters& counters) const
{
    counters["reps_reused"] += m_pastUses + m_cache->GetUses();
    counters["reps_removed"] += m_pastRemovals + m_cache->GetRemovals();
}

Ptr<HostBalancer>
EtherealRepsBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
