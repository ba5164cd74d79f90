/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-counter-balancer.h"

#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(HostCounterBalancer);

TypeId
HostCounterBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::HostCounterBalancer")
                            .SetParent<EntropyBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<HostCounterBalancer>()
                            .AddAttribute("Starts",
                                          "Number of labels to draw the first one from.",
                                          UintegerValue(257),
                                          MakeUintegerAccessor(&HostCounterBalancer::m_starts),
                                          MakeUintegerChecker<uint32_t>(1, ENTROPIES))
                            .AddAttribute("Entropies",
                                          "Number of labels; the counter begins again after them.",
                                          UintegerValue(ENTROPIES),
                                          MakeUintegerAccessor(&HostCounterBalancer::m_entropies),
                                          MakeUintegerChecker<uint32_t>(1, ENTROPIES));
    return tid;
}

void
HostCounterBalancer::Start(const FabricFacts& facts, int64_t stream)
{
    EntropyBalancer::Start(facts, stream);
    m_next.reset();
}

uint16_t
HostCounterBalancer::NextLabel(int64_t)
{
    const uint32_t labels = CountLabels(m_entropies);
    const uint32_t label = m_next ? *m_next : Draw(std::min(CountLabels(m_starts), labels));
    m_next = label + 1 == labels ? 0 : label + 1;
    return label;
}

Ptr<HostBalancer>
HostCounterBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
