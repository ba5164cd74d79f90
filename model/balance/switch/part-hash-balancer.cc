/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "part-hash-balancer.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PartHashBalancer);

TypeId
PartHashBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::PartHashBalancer")
                            .SetParent<PathLabelBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PartHashBalancer>()
                            .HideFromDocumentation();
    return tid;
}

int
PartHashBalancer::Predict(const FabricFrame& frame, const EgressGroup& group) const
{
    if (!HasLabel(frame) || group.members.empty() || GetSite().IsBelow(frame.destination))
    {
        return EcmpBalancer::Predict(frame, group);
    }
    return PickByHash(GetUplink(frame), group);
}

} // namespace aifabric
} // namespace ns3
