/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "congestion-control.h"

#include "ns3/fork-object.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(CongestionControl);

TypeId
CongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::CongestionControl").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

void
CongestionControl::Start(DataRate, uint32_t)
{
}

void
CongestionControl::LineRateChanged(DataRate)
{
}

void
CongestionControl::PacketAcked(uint32_t, bool, int64_t, int64_t)
{
}

void
CongestionControl::PacketLost(int64_t)
{
}

void
CongestionControl::TimerExpired(int64_t)
{
}

void
CongestionControl::Count(PolicyCounters&) const
{
}

Ptr<CongestionControl>
CongestionControl::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
