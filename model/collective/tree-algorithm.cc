/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-algorithm.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(TreeAlgorithm);

TypeId
TreeAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::TreeAlgorithm")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("AiFabric");
    return tid;
}

bool
TreeAlgorithm::Supports(CollectiveKind kind) const
{
    return kind == CollectiveKind::ALL_REDUCE || kind == CollectiveKind::BROADCAST ||
           kind == CollectiveKind::REDUCE;
}

bool
TreeAlgorithm::IsChunked() const
{
    return true;
}

bool
TreeAlgorithm::IsTree() const
{
    return true;
}

uint64_t
TreeAlgorithm::CountBlocks() const
{
    return 1;
}

uint32_t
TreeAlgorithm::StepDown(uint32_t rank, uint32_t lane) const
{
    return GetKind() != CollectiveKind::BROADCAST && !GetChildren(rank, lane).empty();
}

uint32_t
TreeAlgorithm::CountSteps(uint32_t rank, uint32_t lane) const
{
    const bool goesDown = GetKind() != CollectiveKind::REDUCE && !GetChildren(rank, lane).empty();
    return StepDown(rank, lane) + GetParent(rank, lane).has_value() + goesDown;
}

CollectiveStep
TreeAlgorithm::GetStep(uint32_t rank, uint32_t lane, uint32_t step) const
{
    const uint32_t down = StepDown(rank, lane);
    const std::optional<uint32_t> parent = GetParent(rank, lane);
    CollectiveStep result;
    if (step == down && parent)
    {
        if (GetKind() != CollectiveKind::REDUCE)
        {
            result.receives.push_back({*parent, step, 0, 1, false});
        }
        if (GetKind() != CollectiveKind::BROADCAST)
        {
            result.sends.push_back({*parent, 0, 0, 1, true});
        }
        return result;
    }
    for (const uint32_t child : GetChildren(rank, lane))
    {
        if (step < down)
        {
            result.receives.push_back({child, step, 0, 1, true});
        }
        else
        {
            result.sends.push_back({child, StepDown(child, lane), 0, 1, false});
        }
    }
    return result;
}

} // namespace aifabric
} // namespace ns3
