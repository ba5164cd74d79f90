/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "coalesced-ack-policy.h"

#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(CoalescedAckPolicy);

TypeId
CoalescedAckPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::CoalescedAckPolicy")
            .SetParent<AckPolicy>()
            .SetGroupName("AiFabric")
            .AddConstructor<CoalescedAckPolicy>()
            .AddAttribute("Bytes",
                          "Payload since the last acknowledgement that makes one due (bytes).",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&CoalescedAckPolicy::m_bytes),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

bool
CoalescedAckPolicy::IsDue(const Arrival& arrival) const
{
    return arrival.unreported >= m_bytes || !arrival.isInOrder || arrival.isMarked ||
           arrival.isRequested || arrival.fillsGap;
}

} // namespace aifabric
} // namespace ns3
