/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "split-steering.h"

#include "message-service.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SplitSteering);

TypeId
SplitSteering::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::SplitSteering")
                            .SetParent<MessageSteering>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<SplitSteering>()
                            .AddAttribute("QueuePairs",
                                          "Pieces of a message, each on a queue pair of its own. A "
                                          "message of fewer bytes has a piece a byte, an empty one "
                                          "has one piece.",
                                          UintegerValue(4),
                                          MakeUintegerAccessor(&SplitSteering::m_queuePairs),
                                          MakeUintegerChecker<uint32_t>(1, 1024));
    return tid;
}

uint64_t
SplitSteering::CountPieces(uint32_t messages, uint64_t bytes, uint32_t) const
{
    return messages * std::clamp<uint64_t>(bytes, 1, m_queuePairs);
}

void
SplitSteering::Send(uint32_t message)
{
    const Flow& flow = GetService().GetFlow(message);
    const uint64_t bytes = flow.bytes;
    const uint32_t first = flow.channel * m_queuePairs;
    const auto pieces = static_cast<uint32_t>(std::clamp<uint64_t>(bytes, 1, m_queuePairs));
    GetService().SetPieces(message, pieces);
    for (uint32_t i = 0; i < pieces; ++i)
    {
        const uint64_t part = bytes / pieces;
        Post(message, i + 1 < pieces ? part : bytes - i * part, first + i);
    }
}

uint32_t
SplitSteering::DoCountLanes(const Flow& flow) const
{
    return flow.channel * m_queuePairs + std::clamp<uint64_t>(flow.bytes, 1, m_queuePairs);
}

} // namespace aifabric
} // namespace ns3
