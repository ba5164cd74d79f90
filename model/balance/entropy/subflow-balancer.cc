/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "subflow-balancer.h"

#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SubflowBalancer);

TypeId
SubflowBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::SubflowBalancer")
                            .SetParent<EntropyBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<SubflowBalancer>()
                            .AddAttribute("Subflows",
                                          "Number of labels to which packets are dealt in turn.",
                                          UintegerValue(4),
                                          MakeUintegerAccessor(&SubflowBalancer::m_subflows),
                                          MakeUintegerChecker<uint32_t>(1, ENTROPIES));
    return tid;
}

void
SubflowBalancer::Start(const FabricFacts& facts, int64_t stream)
{
    EntropyBalancer::Start(facts, stream);
    m_labels.clear();
    m_next = 0;
}

uint16_t
SubflowBalancer::NextLabel(int64_t)
{
    while (m_labels.size() < m_subflows)
    {
        m_labels.push_back(Draw(ENTROPIES));
    }
    const uint16_t label = m_labels[m_next];
    m_next = m_next + 1 == m_subflows ? 0 : m_next + 1;
    return label;
}

} // namespace aifabric
} // namespace ns3
