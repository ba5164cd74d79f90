/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "congestion-control.h"

#include "ns3/fork-object.h"

#include <limits>

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
CongestionControl::Start(const FabricFacts&)
{
}

void
CongestionControl::LineRateChanged(DataRate)
{
}

bool
CongestionControl::MovesWaiting() const
{
    return false;
}

bool
CongestionControl::WantsSent() const
{
    return false;
}

bool
CongestionControl::PacketSent(uint32_t, int64_t)
{
    return false;
}

bool
CongestionControl::Acknowledged(uint32_t, const AckReport&, int64_t)
{
    return false;
}

void
CongestionControl::Lost(const LossSample&, int64_t)
{
}

bool
CongestionControl::UsesCredits() const
{
    return false;
}

uint64_t
CongestionControl::GetCredit() const
{
    return std::numeric_limits<uint64_t>::max();
}

CreditDemand
CongestionControl::GetDemand(uint64_t) const
{
    return {};
}

bool
CongestionControl::CreditReceived(uint64_t, int64_t)
{
    return false;
}

bool
CongestionControl::NeedsTelemetry() const
{
    return false;
}

void
CongestionControl::TelemetryReceived(const PathTelemetry&, int64_t, int64_t)
{
}

void
CongestionControl::CnpReceived(int64_t)
{
}

bool
CongestionControl::ChangesByItself() const
{
    return false;
}

void
CongestionControl::SetChangeCallback(Callback<void> changed)
{
    m_changed = changed;
}

void
CongestionControl::NotifyChange() const
{
    if (!m_changed.IsNull())
    {
        m_changed();
    }
}

void
CongestionControl::DoDispose()
{
    m_changed = Callback<void>();
    Object::DoDispose();
}

bool
CongestionControl::Adapts() const
{
    return true;
}

std::optional<MarkingLaw>
CongestionControl::GetMarkingLaw(const FabricFacts&) const
{
    return std::nullopt;
}

std::map<std::string, Time>
CongestionControl::GetUsualTimes(Time) const
{
    return {};
}

std::string
CongestionControl::Describe(const FabricFacts&) const
{
    return "";
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
