/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reps-fifo-balancer.h"

#include "ns3/double.h"
#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RepsFifoBalancer);

TypeId
RepsFifoBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::RepsFifoBalancer")
            .SetParent<EntropyBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<RepsFifoBalancer>()
            .AddAttribute("MarkingShare",
                          "Longest queue without marks, as a share of the port buffer; what "
                          "ai-fabric-run sets switches to if no marker is chosen.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&RepsFifoBalancer::m_markingShare),
                          MakeDoubleChecker<double>(1e-6, 1))
            .AddAttribute("Entropies",
                          "Number of labels to draw from; at least the number of paths.",
                          UintegerValue(ENTROPIES),
                          MakeUintegerAccessor(&RepsFifoBalancer::m_entropies),
                          MakeUintegerChecker<uint32_t>(1, ENTROPIES));
    return tid;
}

void
RepsFifoBalancer::Start(const FabricFacts& facts, int64_t stream)
{
    EntropyBalancer::Start(facts, stream);
    m_mtu = facts.mtu;
    m_next = 0;
    m_last = 0;
    if (HasPathLabels())
    {
        m_last = Draw(ENTROPIES); // else all hosts would use the same uplink at the same time
    }
    m_good.Clear();
}

std::optional<PathChoice>
RepsFifoBalancer::Choose(const PathRequest& request)
{
    const uint64_t window = m_mtu > 0 ? request.window / m_mtu : 0;
    const uint64_t place = std::max(request.number, m_next);
    m_next = std::max(m_next, request.number + 1);
    m_isExploring = place < std::min<uint64_t>(window, m_entropies);
    return EntropyBalancer::Choose(request);
}

uint16_t
RepsFifoBalancer::NextLabel(int64_t)
{
    if (m_isExploring)
    {
        const uint32_t labels = CountLabels(m_entropies);
        ++m_last;
        m_last = m_last < labels ? m_last : m_last % labels;
        return m_last;
    }
    const std::optional<uint16_t> label = m_good.Take();
    return label ? *label : Draw(CountLabels(m_entropies));
}

void
RepsFifoBalancer::Feedback(uint32_t entropy, PathEvent event, int64_t, int64_t)
{
    if (event == PathEvent::GOOD || event == PathEvent::TRIMMED_LAST_HOP)
    {
        m_good.Add(entropy - PathChoice::FIRST_PORT);
    }
}

double
RepsFifoBalancer::GetMarkingShare() const
{
    return m_markingShare;
}

void
RepsFifoBalancer::Count(PolicyCounters& counters) const
{
    counters["reps_reused"] += m_good.GetUses();
}

Ptr<HostBalancer>
RepsFifoBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
