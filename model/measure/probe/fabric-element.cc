/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-element.h"

namespace ns3
{
namespace aifabric
{

const char*
FabricElement::GetKindName() const
{
    switch (kind)
    {
    case NIC_PORT:
        return "nic_port";
    case T0:
        return "t0";
    case T1:
        return "t1";
    default:
        return "link";
    }
}

std::string
FabricElement::GetName(const FabricGraph& graph) const
{
    switch (kind)
    {
    case NIC_PORT:
        return "host-" + std::to_string(id) + ":" + std::to_string(plane);
    case LINK:
        return graph.LinkName(id);
    default:
        return graph.SwitchName(id);
    }
}

} // namespace aifabric
} // namespace ns3
