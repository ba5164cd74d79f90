/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-port-net-device.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SwitchPortNetDevice);

TypeId
SwitchPortNetDevice::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::SwitchPortNetDevice")
                            .SetParent<FabricNetDevice>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<SwitchPortNetDevice>();
    return tid;
}

} // namespace aifabric
} // namespace ns3
