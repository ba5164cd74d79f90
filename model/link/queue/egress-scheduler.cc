/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "egress-scheduler.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(EgressScheduler);

TypeId
EgressScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::EgressScheduler").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

void
EgressScheduler::FrameDeparts(uint8_t, const FabricFrame&)
{
}

} // namespace aifabric
} // namespace ns3
