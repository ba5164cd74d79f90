/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nvls-algorithm.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(NvlsAlgorithm);

TypeId
NvlsAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::NvlsAlgorithm")
                            .SetParent<TwoLevelAlgorithm>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<NvlsAlgorithm>();
    return tid;
}

bool
NvlsAlgorithm::Supports(CollectiveKind kind) const
{
    const bool isAny = kind == CollectiveKind::ALL_REDUCE || kind == CollectiveKind::ALL_GATHER ||
                       kind == CollectiveKind::REDUCE_SCATTER;
    return isAny && TwoLevelAlgorithm::Supports(kind);
}

bool
NvlsAlgorithm::UsesNodeSwitch() const
{
    return GetRankNodes().CountPerNode() > 1;
}

bool
NvlsAlgorithm::IsChunked() const
{
    return (GetKind() == CollectiveKind::ALL_REDUCE && UsesNodeSwitch()) ||
           TwoLevelAlgorithm::IsChunked();
}

uint32_t
NvlsAlgorithm::GetMostChunks() const
{
    constexpr uint32_t CHUNKS = 64; // the first and the last one have the links for themselves
    return CHUNKS;
}

uint32_t
NvlsAlgorithm::GetWindow() const
{
    // Those of an all-gather between nodes cross the network first, whose latency the chunks share.
    const bool isFirstInNode = GetKind() != CollectiveKind::ALL_GATHER || !HasStages();
    return UsesNodeSwitch() && isFirstInNode ? 2 : 0;
}

} // namespace aifabric
} // namespace ns3
