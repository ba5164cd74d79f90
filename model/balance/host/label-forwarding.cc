/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "label-forwarding.h"

#include "ns3/enum.h"
#include "ns3/part-hash-balancer.h"
#include "ns3/permuted-label-balancer.h"

namespace ns3
{
namespace aifabric
{

Ptr<const AttributeChecker>
LabelForwarding::MakeChecker()
{
    return MakeEnumChecker(DIRECT, "Direct", PART_HASH, "PartHash", FULL_HASH, "FullHash");
}

TypeId
LabelForwarding::GetSwitchBalancer(Mode mode)
{
    switch (mode)
    {
    case PART_HASH:
        return PartHashBalancer::GetTypeId();
    case FULL_HASH:
        return EcmpBalancer::GetTypeId();
    default:
        return PermutedLabelBalancer::GetTypeId();
    }
}

std::vector<uint16_t>
LabelForwarding::GetUplinks(const FabricFacts& facts)
{
    std::vector<uint16_t> uplinks;
    for (const uint32_t count : facts.uplinks)
    {
        if (count > 0)
        {
            uplinks.push_back(count);
        }
    }
    return uplinks;
}

std::vector<uint16_t>
LabelForwarding::GetUplinks(uint32_t source, uint32_t destination, const PathView& paths)
{
    const FabricGraph& graph = paths.GetGraph();
    const uint32_t links = graph.PathLinks(source, destination);
    std::vector<uint16_t> uplinks;
    for (uint8_t tier = 0; 2U * (tier + 2U) <= links; ++tier) // 4 links turn around above a leaf
    {
        uplinks.push_back(graph.Uplinks(tier));
    }
    return uplinks;
}

} // namespace aifabric
} // namespace ns3
