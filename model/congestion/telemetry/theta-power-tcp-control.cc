/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "theta-power-tcp-control.h"

#include "ns3/fork-object.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(ThetaPowerTcpControl);

TypeId
ThetaPowerTcpControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::ThetaPowerTcpControl")
                            .SetParent<PowerTcpControl>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<ThetaPowerTcpControl>();
    return tid;
}

bool
ThetaPowerTcpControl::Acknowledged(uint32_t, const AckReport& report, int64_t now)
{
    constexpr double PS_PER_NS = 1000;
    const double roundTrip = static_cast<double>(now - report.sentAt) / PS_PER_NS;
    const double time = static_cast<double>(now) / PS_PER_NS;
    Note(GetState().Acked(roundTrip, time, IsNewRound(report.sentAt)), now);
    return true;
}

bool
ThetaPowerTcpControl::NeedsTelemetry() const
{
    return false;
}

Ptr<CongestionControl>
ThetaPowerTcpControl::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
