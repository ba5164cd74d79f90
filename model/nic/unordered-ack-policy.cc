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
                          "Payload since the last acknowledgement that makes one due (bytes; "
                          "Ultra Ethernet's ACK trigger).",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&UnorderedAckPolicy::m_bytes),
                          MakeUintegerChecker<uint32_t>(1));
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

} // namespace aifabric
} // namespace ns3
