/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "offloaded-collective.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(OffloadedCollective);

TypeId
OffloadedCollective::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::OffloadedCollective")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<OffloadedCollective>();
    return tid;
}

bool
OffloadedCollective::Supports(CollectiveKind kind) const
{
    return kind == CollectiveKind::ALL_REDUCE;
}

uint64_t
OffloadedCollective::CountBlocks() const
{
    return 1;
}

uint32_t
OffloadedCollective::CountSteps(uint32_t, uint32_t) const
{
    return 0;
}

CollectiveStep
OffloadedCollective::GetStep(uint32_t, uint32_t, uint32_t) const
{
    return {};
}

} // namespace aifabric
} // namespace ns3
