/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ingress-stage.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(IngressStage);

TypeId
IngressStage::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::IngressStage").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

void
IngressStage::Count(PolicyCounters&) const
{
}

int64_t
IngressStage::AssignStreams(int64_t)
{
    return 0;
}

} // namespace aifabric
} // namespace ns3
