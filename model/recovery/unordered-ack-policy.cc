/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "unordered-ack-policy.h"

#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(UnorderedAckPolicy);

TypeId
UnorderedAckPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::UnorderedAckPolicy")
            .SetParent<AckPolicy>()
            .SetGroupName("AiFabric")
            .AddConstructor<UnorderedAckPolicy>()
            .AddAttribute("Bytes",
                          "Bytes since the last acknowledgement that make one due (Ultra "
                          "Ethernet's ACK trigger). With the transport spray a packet counts 72 "
                          "bytes more than its payload.",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&UnorderedAckPolicy::m_bytes),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LeastCount",
                          "The least that a packet counts (bytes; Ultra Ethernet: 1024).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&UnorderedAckPolicy::m_leastCount),
                          MakeUintegerChecker<uint32_t>(0, 65536));
    return tid;
}

bool
UnorderedAckPolicy::IsDue(const Arrival& arrival) const
{
    return arrival.unreported >= m_bytes || arrival.isMarked || arrival.isRequested ||
           arrival.isFirst || arrival.fillsGap;
}

uint32_t
UnorderedAckPolicy::GetLeastWindow() const
{
    return m_bytes;
}

uint32_t
UnorderedAckPolicy::GetLeastCount() const
{
    return m_leastCount;
}

} // namespace aifabric
} // namespace ns3
