/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-pair-factory.h"

#include "policy-misfit.h"
#include "rc-queue-pair.h"

#include "ns3/abort.h"
#include "ns3/fixed-control.h"
#include "ns3/go-back-n-recovery.h"
#include "ns3/make-object.h"
#include "ns3/per-packet-ack-policy.h"

namespace ns3
{
namespace aifabric
{

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
    const Ptr<QueuePair> queuePair =
        MakeObject<QueuePair>(m_queuePairType, "RoceNetDevice::QueuePairType");
    CreateMissingPolicies(queuePair);
    return queuePair;
}

uint32_t
QueuePairFactory::GetUsualMtu() const
{
    return MakeObject<QueuePair>(m_queuePairType, "RoceNetDevice::QueuePairType")->GetMtu();
}

uint32_t
QueuePairFactory::GetRoundTripBytes(const RoceNetDevice& nic, uint32_t mtu) const
{
    const auto queuePair = MakeObject<QueuePair>(m_queuePairType, "RoceNetDevice::QueuePairType");
    queuePair->SetMtu(mtu);
    return queuePair->GetPacketBytes(nic) + queuePair->GetAckBytes(nic);
}

void
QueuePairFactory::CreateMissingPolicies(const Ptr<QueuePair>& queuePair) const
{
    if (!queuePair->HasRecovery())
    {
        Ptr<LossRecovery> recovery =
            MakeObject<LossRecovery>(m_recoveryType, "RoceNetDevice::RecoveryType");
        if (recovery->GetTraits().needsReports != queuePair->GetTraits().sendsReports)
        {
            recovery =
                MakeObject<LossRecovery>(queuePair->GetTraits().recovery.value_or(m_recoveryType),
                                         "RoceNetDevice::RecoveryType");
        }
        queuePair->SetRecovery(recovery);
    }
    if (!queuePair->GetAckPolicy())
    {
        queuePair->SetAckPolicy(
            MakeObject<AckPolicy>(m_ackPolicyType, "RoceNetDevice::AckPolicyType"));
    }
    if (!queuePair->GetControl())
    {
        queuePair->SetControl(
            MakeObject<CongestionControl>(m_controlType, "RoceNetDevice::ControlType"));
    }
    if (!queuePair->GetBalancer())
    {
        queuePair->SetBalancer(
            MakeObject<HostBalancer>(m_balancerType, "RoceNetDevice::BalancerType"));
    }
}

void
QueuePairFactory::CheckPolicies(const QueuePair& queuePair)
{
    for (const PolicyMisfit& misfit : PolicyMisfit::Find(queuePair))
    {
        NS_ABORT_MSG(queuePair.GetInstanceTypeId().GetName()
                     << "::" << misfit.attribute << ": " << misfit.why);
    }
}

} // namespace aifabric
} // namespace ns3
