/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "exclusion-balancer.h"

#include "ns3/double.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(ExclusionBalancer);

TypeId
ExclusionBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::ExclusionBalancer")
            .SetParent<EntropyBalancer>()
            .SetGroupName("AiFabric")
            .AddAttribute("MarkingShare",
                          "Longest queue without marks, as a share of the port buffer; what "
                          "ai-fabric-run sets switches to if no marker is chosen.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&ExclusionBalancer::m_markingShare),
                          MakeDoubleChecker<double>(1e-6, 1));
    return tid;
}

void
ExclusionBalancer::Start(const FabricFacts& facts, int64_t stream)
{
    EntropyBalancer::Start(facts, stream);
    m_pastSkipped += m_bitmap ? m_bitmap->GetSkipped() : 0;
    m_bitmap.reset();
    m_walk.reset();
}

uint16_t
ExclusionBalancer::NextLabel()
{
    if (!m_bitmap)
    {
        ExclusionBitmap::Parameters parameters = GetParameters();
        parameters.labels = CountLabelsOfPower(parameters.labels);
        m_bitmap.emplace(parameters);
        m_walk.emplace(parameters.labels);
        m_upperBits = Draw(ENTROPIES / parameters.labels) * parameters.labels;
    }
    return m_upperBits | m_bitmap->Choose([this] {
        return m_walk->Next([this](uint32_t bound) { return Draw(bound); });
    });
}

void
ExclusionBalancer::Feedback(uint32_t entropy, PathEvent event, int64_t, int64_t)
{
    if (event == PathEvent::GOOD || event == PathEvent::TRIMMED_LAST_HOP || !m_bitmap)
    {
        return; // a queue in front of the receiver says nothing about the path
    }
    const bool hasExpired = event == PathEvent::OVERDUE || event == PathEvent::TIMED_OUT;
    const Skips skips = GetSkips();
    m_bitmap->Exclude(entropy - FIRST_PORT,
                      event == PathEvent::MARKED ? skips.mark
                      : hasExpired               ? skips.timeout
                                                 : skips.loss);
}

double
ExclusionBalancer::GetMarkingShare() const
{
    return m_markingShare;
}

void
ExclusionBalancer::Count(PolicyCounters& counters) const
{
    counters["bitmap_skipped"] += m_pastSkipped + (m_bitmap ? m_bitmap->GetSkipped() : 0);
}

} // namespace aifabric
} // namespace ns3
