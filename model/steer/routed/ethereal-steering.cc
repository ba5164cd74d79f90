/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethereal-steering.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(EtherealSteering);

TypeId
EtherealSteering::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::EtherealSteering")
                            .SetParent<SourceRoutedSteering>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<EtherealSteering>();
    return tid;
}

std::vector<EtherealPlanner::Piece>
EtherealSteering::Divide(const std::vector<uint64_t>& bytes, const std::vector<uint16_t>& paths)
{
    return Plan(EtherealPlanner::Split::EQUAL_PIECES, bytes, paths);
}

} // namespace aifabric
} // namespace ns3
