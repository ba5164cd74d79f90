/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stev-forwarder.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(StevForwarder);

TypeId
StevForwarder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::StevForwarder")
                            .SetParent<SwitchForwarder>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<StevForwarder>();
    return tid;
}

std::string
StevForwarder::FindObstacle(const FabricGraph& graph) const
{
    return graph.IsClos() ? "" : "switches that have no tiers";
}

bool
StevForwarder::ObeysHosts() const
{
    return true;
}

} // namespace aifabric
} // namespace ns3
