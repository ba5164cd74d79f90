/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "single-steering.h"

#include "message-service.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SingleSteering);

TypeId
SingleSteering::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::SingleSteering")
                            .SetParent<MessageSteering>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<SingleSteering>();
    return tid;
}

void
SingleSteering::Send(uint32_t message)
{
    const Flow& flow = GetService().GetFlow(message);
    Post(message, flow.bytes, flow.channel);
}

uint32_t
SingleSteering::DoCountLanes(const Flow& flow) const
{
    return flow.channel + 1;
}

} // namespace aifabric
} // namespace ns3
