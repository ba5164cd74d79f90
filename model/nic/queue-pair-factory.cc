/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-pair-factory.h"

#include "fixed-control.h"
#include "go-back-n-recovery.h"
#include "per-packet-ack-policy.h"
#include "rc-queue-pair.h"

#include "ns3/make-object.h"

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return a new object of a type  @tparam T its base class  @param type its type
template <typename T>
Ptr<T>
Make(TypeId type)
{
    return MakeObject<T>(type, "RoceNetDevice");
}

} // namespace

TypeId
QueuePairFactory::AddTypes(TypeId type)
{
    return type
        .AddAttribute("QueuePairType",
                      "The transport of new queue pairs.",
                      TypeIdValue(RcQueuePair::GetTypeId()),
                      MakeTypeIdAccessor(&QueuePairFactory::m_queuePairType),
                      MakeTypeIdChecker())
        .AddAttribute("RecoveryType",
                      "How new queue pairs survive loss and reordering.",
                      TypeIdValue(GoBackNRecovery::GetTypeId()),
                      MakeTypeIdAccessor(&QueuePairFactory::m_recoveryType),
                      MakeTypeIdChecker())
        .AddAttribute("AckPolicyType",
                      "When new queue pairs acknowledge packets that they have accepted.",
                      TypeIdValue(PerPacketAckPolicy::GetTypeId()),
                      MakeTypeIdAccessor(&QueuePairFactory::m_ackPolicyType),
                      MakeTypeIdChecker())
        .AddAttribute("ControlType",
                      "How much and how fast new queue pairs send.",
                      TypeIdValue(FixedControl::GetTypeId()),
                      MakeTypeIdAccessor(&QueuePairFactory::m_controlType),
                      MakeTypeIdChecker())
        .AddAttribute("BalancerType",
                      "By which paths new queue pairs send.",
                      TypeIdValue(HostBalancer::GetTypeId()),
                      MakeTypeIdAccessor(&QueuePairFactory::m_balancerType),
                      MakeTypeIdChecker());
}

Ptr<QueuePair>
QueuePairFactory::MakeQueuePair() const
{
    const Ptr<QueuePair> queuePair = Make<QueuePair>(m_queuePairType);
    CreateMissingPolicies(queuePair);
    return queuePair;
}

uint32_t
QueuePairFactory::GetUsualMtu() const
{
    return Make<QueuePair>(m_queuePairType)->GetMtu();
}

void
QueuePairFactory::CreateMissingPolicies(const Ptr<QueuePair>& queuePair) const
{
    if (!queuePair->HasRecovery())
    {
        Ptr<LossRecovery> recovery = Make<LossRecovery>(m_recoveryType);
        if (recovery->NeedsReports() != queuePair->SendsReports())
        {
            recovery = Make<LossRecovery>(queuePair->GetUsualRecovery().value_or(m_recoveryType));
        }
        queuePair->SetRecovery(recovery);
    }
    if (!queuePair->GetAckPolicy())
    {
        queuePair->SetAckPolicy(Make<AckPolicy>(m_ackPolicyType));
    }
    if (!queuePair->GetControl())
    {
        queuePair->SetControl(Make<CongestionControl>(m_controlType));
    }
    if (!queuePair->GetBalancer())
    {
        queuePair->SetBalancer(Make<HostBalancer>(m_balancerType));
    }
}

} // namespace aifabric
} // namespace ns3
