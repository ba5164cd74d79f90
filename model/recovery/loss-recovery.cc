/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loss-recovery.h"

#include "ns3/fork-object.h"

#include <algorithm>

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

RecoveryTraits
LossRecovery::GetTraits() const
{
    return {};
}

double
LossRecovery::GetUsualTimeoutPs(double empty, double drain, double packets) const
{
    constexpr double LEAST_PS = 5e8;
    return std::max(LEAST_PS, 10 * (empty + drain - packets));
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
