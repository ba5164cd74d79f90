/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-forwarder.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SwitchForwarder);

TypeId
SwitchForwarder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::SwitchForwarder")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<SwitchForwarder>();
    return tid;
}

bool
SwitchForwarder::UsesClosRule() const
{
    return true;
}

bool
SwitchForwarder::HasDetours() const
{
    return false;
}

bool
SwitchForwarder::ObeysHosts() const
{
    return false;
}

bool
SwitchForwarder::IsStatic() const
{
    return false;
}

uint32_t
SwitchForwarder::GetOuterBytes() const
{
    return 0;
}

std::string
SwitchForwarder::FindObstacle(const FabricGraph& /* graph */) const
{
    return "";
}

Ptr<const SourceRoutePlan>
SwitchForwarder::MakePlan(const FabricGraph& /* graph */) const
{
    return nullptr;
}

void
SwitchForwarder::Install(const ForwardingRule& /* rule */,
                         const SwitchSite& /* site */,
                         const std::vector<FabricTransmitter*>& /* ports */)
{
}

FabricTransmitter*
SwitchForwarder::Find(const FabricFrame& /* frame */)
{
    return nullptr;
}

void
SwitchForwarder::InstallDetours(const FabricGraph& /* graph */, uint32_t /* id */)
{
}

uint32_t
SwitchForwarder::FindTarget(const FabricFrame& frame) const
{
    return frame.destination;
}

void
SwitchForwarder::Count(PolicyCounters& /* counters */) const
{
}

} // namespace aifabric
} // namespace ns3
