/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loss-recovery.h"

#include "ns3/fork-object.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(LossRecovery);

TypeId
LossRecovery::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::LossRecovery").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

bool
LossRecovery::Start(const FabricFacts&)
{
    return false;
}

void
LossRecovery::WindowChanged(uint32_t)
{
}

bool
LossRecovery::IgnoresWindow() const
{
    return false;
}

int64_t
LossRecovery::GetProbeDue(int64_t, bool) const
{
    return std::numeric_limits<int64_t>::max();
}

uint8_t
LossRecovery::TakeProbe(int64_t)
{
    return 1;
}

std::vector<uint64_t>
LossRecovery::ProbeAnswered(const AckReport&, int64_t)
{
    return {};
}

void
LossRecovery::MessagePosted(uint64_t, uint64_t)
{
}

LossRecovery::Feedback
LossRecovery::MessagesReceived(uint64_t)
{
    return {};
}

LossRecovery::Feedback
LossRecovery::NackReceived(const NackReport&)
{
    return {};
}

int64_t
LossRecovery::GetLostStart(uint64_t) const
{
    return 0;
}

LossRecovery::Verdict
LossRecovery::TrimmedReceived(uint32_t)
{
    return {false, Answer::NONE, 0};
}

uint64_t
LossRecovery::CountWaiting(uint64_t posted) const
{
    return posted - GetSent();
}

void
LossRecovery::FillReport(AckReport&, uint64_t) const
{
}

bool
LossRecovery::NeedsReports() const
{
    return false;
}

bool
LossRecovery::NeedsPaths() const
{
    return false;
}

bool
LossRecovery::TimesEachPacket() const
{
    return false;
}

bool
LossRecovery::BacksOff() const
{
    return false;
}

LossRecovery::Verdict
LossRecovery::RepairReceived(uint32_t, uint64_t, uint64_t)
{
    return {false, Answer::NONE, 0};
}

bool
LossRecovery::LossReported(uint32_t)
{
    return false;
}

bool
LossRecovery::NeedsAckPerPacket() const
{
    return true;
}

bool
LossRecovery::NeedsLossOracle() const
{
    return false;
}

bool
LossRecovery::SendsUntilAcked() const
{
    return false;
}

bool
LossRecovery::IsIdeal() const
{
    return false;
}

double
LossRecovery::GetUsualTimeoutPs(double empty, double drain, double packets) const
{
    constexpr double LEAST_PS = 5e8;
    return std::max(LEAST_PS, 10 * (empty + drain - packets));
}

std::vector<uint64_t>
LossRecovery::ExpireSentUntil(int64_t)
{
    return {};
}

int64_t
LossRecovery::GetOldestStart() const
{
    return std::numeric_limits<int64_t>::max();
}

uint64_t
LossRecovery::GetOldest() const
{
    return GetUnacknowledged();
}

void
LossRecovery::Count(PolicyCounters&) const
{
}

Ptr<LossRecovery>
LossRecovery::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
