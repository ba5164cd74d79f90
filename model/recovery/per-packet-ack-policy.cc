/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "per-packet-ack-policy.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PerPacketAckPolicy);

TypeId
PerPacketAckPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::PerPacketAckPolicy")
                            .SetParent<AckPolicy>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PerPacketAckPolicy>();
    return tid;
}

bool
PerPacketAckPolicy::IsDue(const Arrival&) const
{
    return true;
}

bool
PerPacketAckPolicy::IsEach() const
{
    return true;
}

} // namespace aifabric
} // namespace ns3
