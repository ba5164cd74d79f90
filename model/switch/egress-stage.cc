/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "egress-stage.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(EgressStage);

TypeId
EgressStage::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::EgressStage").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

bool
EgressStage::WritesTelemetry() const
{
    return false;
}

void
EgressStage::Count(PolicyCounters&) const
{
}

} // namespace aifabric
} // namespace ns3
