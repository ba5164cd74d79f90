/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "strict-egress-scheduler.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(StrictEgressScheduler);

TypeId
StrictEgressScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::StrictEgressScheduler")
                            .SetParent<EgressScheduler>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<StrictEgressScheduler>();
    return tid;
}

uint8_t
StrictEgressScheduler::Choose(const EgressHeads& heads)
{
    return 31 - __builtin_clz(heads.ready);
}

} // namespace aifabric
} // namespace ns3
