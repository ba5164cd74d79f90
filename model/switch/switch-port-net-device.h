/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_PORT_NET_DEVICE_H
#define SWITCH_PORT_NET_DEVICE_H

#include "ns3/fabric-net-device.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A port of a switch as an ns-3 NetDevice, so that scripts find it, observe it and capture on it.
 * What arrives there goes to the FabricSwitch of its node; IP stacks cannot send through it.
 */
class SwitchPortNetDevice : public FabricNetDevice
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();
};

} // namespace aifabric
} // namespace ns3

#endif /* SWITCH_PORT_NET_DEVICE_H */
