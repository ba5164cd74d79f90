/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mrc-ack-policy.h"

#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(MrcAckPolicy);

TypeId
MrcAckPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::MrcAckPolicy")
                            .SetParent<AckPolicy>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<MrcAckPolicy>()
                            .AddAttribute("SackGenThreshold",
                                          "Payload since the last SACK that makes one due (bytes).",
                                          UintegerValue(16384),
                                          MakeUintegerAccessor(&MrcAckPolicy::m_bytes),
                                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

bool
MrcAckPolicy::IsDue(const Arrival& arrival) const
{
    return arrival.unreported >= m_bytes || arrival.isMarked || arrival.isRequested ||
           arrival.fillsGap;
}

uint32_t
MrcAckPolicy::GetLeastWindow() const
{
    return m_bytes;
}

} // namespace aifabric
} // namespace ns3
