/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mixed-balancer.h"

#include "ns3/fork-object.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(MixedBalancer);

TypeId
MixedBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::MixedBalancer")
                            .SetParent<BitmapBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<MixedBalancer>();
    return tid;
}

void
MixedBalancer::Start(const FabricFacts& facts, int64_t stream)
{
    BitmapBalancer::Start(facts, stream);
    m_good.Clear();
}

uint16_t
MixedBalancer::NextLabel(int64_t now)
{
    const std::optional<uint16_t> label = m_good.Take();
    return label ? *label : BitmapBalancer::NextLabel(now);
}

void
MixedBalancer::Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now)
{
    BitmapBalancer::Feedback(entropy, event, delay, now);
    if (event == PathEvent::GOOD || event == PathEvent::TRIMMED_LAST_HOP)
    {
        m_good.Add(entropy - PathChoice::FIRST_PORT);
    }
}

void
MixedBalancer::Count(PolicyCounters& counters) const
{
    BitmapBalancer::Count(counters);
    counters["reps_reused"] += m_good.GetUses();
}

Ptr<HostBalancer>
MixedBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
