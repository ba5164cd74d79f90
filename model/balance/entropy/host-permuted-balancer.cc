/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-permuted-balancer.h"

#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(HostPermutedBalancer);

TypeId
HostPermutedBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::HostPermutedBalancer")
            .SetParent<EntropyBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<HostPermutedBalancer>()
            .AddAttribute("LogEntropies",
                          "Logarithm to base 2 of the number of labels of a queue pair.",
                          UintegerValue(14),
                          MakeUintegerAccessor(&HostPermutedBalancer::m_logEntropies),
                          MakeUintegerChecker<uint32_t>(0, 14));
    return tid;
}

void
HostPermutedBalancer::Start(const FabricFacts& facts, int64_t stream)
{
    EntropyBalancer::Start(facts, stream);
    m_walk.reset();
}

uint16_t
HostPermutedBalancer::NextLabel(int64_t)
{
    if (!m_walk)
    {
        const uint32_t labels = CountLabelsOfPower(1U << m_logEntropies);
        m_walk = PermutedWalk(labels);
        m_upperBits = Draw(ENTROPIES / labels) * labels;
    }
    return m_upperBits | m_walk->Next([this](uint32_t bound) { return Draw(bound); });
}

} // namespace aifabric
} // namespace ns3
