/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "clos-forwarder.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(ClosForwarder);

TypeId
ClosForwarder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::ClosForwarder")
                            .SetParent<SwitchForwarder>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<ClosForwarder>();
    return tid;
}

} // namespace aifabric
} // namespace ns3
