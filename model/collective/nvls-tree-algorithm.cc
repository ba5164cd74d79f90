/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nvls-tree-algorithm.h"

#include "double-binary-tree-algorithm.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(NvlsTreeAlgorithm);

TypeId
NvlsTreeAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::NvlsTreeAlgorithm")
                            .SetParent<NvlsAlgorithm>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<NvlsTreeAlgorithm>();
    return tid;
}

bool
NvlsTreeAlgorithm::Supports(CollectiveKind kind) const
{
    return kind == CollectiveKind::ALL_REDUCE;
}

TypeId
NvlsTreeAlgorithm::GetInnerType() const
{
    return DoubleBinaryTreeAlgorithm::GetTypeId();
}

} // namespace aifabric
} // namespace ns3
