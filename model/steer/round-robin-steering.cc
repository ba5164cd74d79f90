/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "round-robin-steering.h"

#include "message-service.h"

#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RoundRobinSteering);

TypeId
RoundRobinSteering::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::RoundRobinSteering")
                            .SetParent<MessageSteering>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<RoundRobinSteering>()
                            .AddAttribute("QueuePairs",
                                          "Queue pairs to each destination.",
                                          UintegerValue(4),
                                          MakeUintegerAccessor(&RoundRobinSteering::m_queuePairs),
                                          MakeUintegerChecker<uint32_t>(1, 1024));
    return tid;
}

void
RoundRobinSteering::Send(uint32_t message)
{
    const Flow& flow = GetService().GetFlow(message);
    uint32_t& next =
        m_next[uint64_t{flow.destination} << 17 | uint64_t{flow.channel} << 1 | flow.isBackground];
    Post(message, flow.bytes, flow.channel * m_queuePairs + next);
    next = (next + 1) % m_queuePairs;
}

} // namespace aifabric
} // namespace ns3
