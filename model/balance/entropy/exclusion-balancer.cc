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
                          "ai-fabric-run sets switches to if no marker is chosen "
                          "(0: they mark as the congestion control needs it).",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&ExclusionBalancer::m_markingShare),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

void
ExclusionBalancer::Start(const FabricFacts& facts, int64_t stream)
{
    EntropyBalancer::Start(facts, stream);
    m_duration = GetRtts("ExcludedRtts", GetExcludedRtts(), facts);
    m_pastSkipped += GetSkipped();
    m_bitmap.reset();
    m_timed.reset();
    m_walk.reset();
}

double
ExclusionBalancer::GetExcludedRtts() const
{
    return 0;
}

void
ExclusionBalancer::Begin()
{
    ExclusionBitmap::Parameters parameters = GetParameters();
    parameters.labels = CountLabelsOfPower(parameters.labels);
    if (m_duration > 0)
    {
        m_timed.emplace(parameters.labels, m_duration);
    }
    else
    {
        m_bitmap.emplace(parameters);
    }
    m_walk.emplace(parameters.labels);
    m_upperBits = Draw(ENTROPIES / parameters.labels) * parameters.labels;
}

uint16_t
ExclusionBalancer::NextLabel(int64_t now)
{
    if (!m_walk)
    {
        Begin();
    }
    const auto walk = [this] {
        return m_walk->Next([this](uint32_t bound) { return Draw(bound); });
    };
    return m_upperBits | (m_timed ? m_timed->Choose(now, walk) : m_bitmap->Choose(walk));
}

void
ExclusionBalancer::Feedback(uint32_t entropy, PathEvent event, int64_t, int64_t now)
{
    if (event == PathEvent::GOOD || event == PathEvent::TRIMMED_LAST_HOP || !m_walk)
    {
        return; // a queue in front of the receiver says nothing about the path
    }
    if (m_timed)
    {
        m_timed->Exclude(entropy - PathChoice::FIRST_PORT, now);
        return;
    }
    const bool hasExpired = event == PathEvent::OVERDUE || event == PathEvent::TIMED_OUT;
    const Skips skips = GetSkips();
    m_bitmap->Exclude(entropy - PathChoice::FIRST_PORT,
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
    counters["bitmap_skipped"] += m_pastSkipped + GetSkipped();
}

uint64_t
ExclusionBalancer::GetSkipped() const
{
    return m_timed ? m_timed->GetSkipped() : m_bitmap ? m_bitmap->GetSkipped() : 0;
}

} // namespace aifabric
} // namespace ns3
