/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oracle-recovery.h"

#include "ns3/fork-object.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(OracleRecovery);

TypeId
OracleRecovery::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::OracleRecovery")
                            .SetParent<SelectiveRecovery>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<OracleRecovery>();
    return tid;
}

bool
OracleRecovery::LossReported(uint32_t psn)
{
    const std::optional<uint64_t> number = FindUnacknowledged(psn);
    return number && Lose(*number);
}

RecoveryTraits
OracleRecovery::GetTraits() const
{
    RecoveryTraits traits = SelectiveRecovery::GetTraits();
    traits.needsLossOracle = true;
    traits.isIdeal = true;
    return traits;
}

Ptr<LossRecovery>
OracleRecovery::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
