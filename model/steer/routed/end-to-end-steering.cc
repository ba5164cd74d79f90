/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "end-to-end-steering.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(EndToEndSteering);

TypeId
EndToEndSteering::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::EndToEndSteering")
                            .SetParent<SourceRoutedSteering>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<EndToEndSteering>();
    return tid;
}

EtherealPlanner::Split
EndToEndSteering::GetSplit() const
{
    return EtherealPlanner::Split::END_TO_END;
}

std::vector<EtherealPlanner::Piece>
EndToEndSteering::Divide(const std::vector<uint64_t>& bytes, const std::vector<uint16_t>& paths)
{
    return Plan(GetSplit(), bytes, paths);
}

} // namespace aifabric
} // namespace ns3
