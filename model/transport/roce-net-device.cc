/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-net-device.h"

#include "policy-misfit.h"
#include "shared-control.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/object-vector.h"
#include "ns3/rank-transport.h"
#include "ns3/type-id.h"

namespace ns3
{
namespace aifabric
{

NS_LOG_COMPONENT_DEFINE("RoceNetDevice");
NS_OBJECT_ENSURE_REGISTERED(RoceNetDevice);

namespace
{

/// Abort if a fabric does not give a queue pair what its policies need.
/// @param queuePair has all its policies
void
CheckFabric(const QueuePair& queuePair, const PolicyMisfit::Fabric& fabric)
{
    for (const PolicyMisfit& misfit : PolicyMisfit::Find(queuePair, fabric))
    {
        NS_ABORT_MSG(queuePair.GetInstanceTypeId().GetName()
                     << "::" << misfit.attribute << ": " << misfit.why);
    }
}

} // namespace

TypeId
RoceNetDevice::GetTypeId()
{
    static TypeId tid =
        QueuePairFactory::AddTypes(
            AddNicAttributes(AddFormat(TypeId("ns3::aifabric::RoceNetDevice")
                                           .SetParent<EndpointNic>()
                                           .SetGroupName("AiFabric")
                                           .AddConstructor<RoceNetDevice>())))
            .AddAttribute("SharesControl",
                          "Whether all queue pairs to the same host share one congestion control, "
                          "whose window holds for the packets of all of them together. They need "
                          "the same Mtu. Set it before queue pairs are connected.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RoceNetDevice::m_sharesControl),
                          MakeBooleanChecker())
            .AddAttribute(
                "QueuePairList",
                "The queue pairs and other endpoints, in the order of creation.",
                ObjectVectorValue(),
                MakeObjectVectorAccessor(static_cast<std::vector<Ptr<Endpoint>> RoceNetDevice::*>(
                    &RoceNetDevice::m_endpoints)),
                MakeObjectVectorChecker<Endpoint>())
            .AddTraceSource("QueuePairTimeout",
                            "The retransmission timer of a queue pair expired.",
                            MakeTraceSourceAccessor(&RoceNetDevice::m_timeoutTrace),
                            "ns3::aifabric::RoceNetDevice::QueuePairTimeoutTracedCallback")
            .AddTraceSource("QueuePairConnected",
                            "A queue pair was connected, or begins anew.",
                            MakeTraceSourceAccessor(&RoceNetDevice::m_connectionTrace),
                            "ns3::aifabric::RoceNetDevice::QueuePairConnectedTracedCallback");
    return tid;
}

RoceNetDevice*
RoceNetDevice::From(EndpointNic* nic)
{
    auto* roce = dynamic_cast<RoceNetDevice*>(nic);
    NS_ABORT_MSG_IF(!roce, "RoceNetDevice: an endpoint of RoCE was added to another kind of NIC");
    return roce;
}

RoceNetDevice::RoceNetDevice()
{
}

RoceNetDevice::~RoceNetDevice()
{
}

FabricFacts
RoceNetDevice::GetFacts(uint32_t mtu) const
{
    FabricFacts facts = m_facts;
    facts.portRate = GetPort(0)->GetDataRate();
    facts.planes = GetPortCount();
    facts.mtu = mtu;
    return facts;
}

Ptr<QueuePair>
RoceNetDevice::CreateQueuePair()
{
    const Ptr<QueuePair> queuePair = MakeQueuePair();
    AddQueuePair(queuePair);
    return queuePair;
}

void
RoceNetDevice::AddQueuePair(Ptr<QueuePair> queuePair, std::optional<uint32_t> reserved)
{
    NS_LOG_FUNCTION(this << queuePair);
    NS_ABORT_MSG_IF(!queuePair, "RoceNetDevice::AddQueuePair: there is no queue pair");
    CreateMissingPolicies(queuePair);
    if (queuePair->GetRecovery().GetTraits().needsLossOracle)
    {
        // On a single rank the sender would wait for its timer; the ranks would differ.
        NS_ABORT_MSG_IF(!m_lossReporter && RankTransport::GetRanks() > 1,
                        "RoceNetDevice: " << queuePair->GetRecovery().GetInstanceTypeId().GetName()
                                          << " needs a LossOracle, which a script on several "
                                             "ranks installs on all of them");
        if (m_lossReporter)
        {
            m_lossReporter->Start();
        }
    }
    if (GetPortCount() > 0)
    {
        CheckFabric(*queuePair,
                    {GetPort(0)->GetDscpTable(),
                     m_facts.trims,
                     !HasAnswerCarrier(),
                     m_facts.telemetry,
                     m_paths ? &m_paths->GetGraph() : nullptr});
    }
    AddEndpoint(queuePair, reserved);
}

Ptr<SharedControl>
RoceNetDevice::FindSharedControl(uint32_t host)
{
    if (!m_sharesControl)
    {
        return nullptr;
    }
    Ptr<SharedControl>& shared = m_sharedControls[host];
    shared = shared ? shared : CreateObject<SharedControl>(*this);
    return shared;
}

void
RoceNetDevice::DoDispose()
{
    EndpointNic::DoDispose();
    m_sharedControls.clear();
    m_lossReporter = nullptr;
}

} // namespace aifabric
} // namespace ns3
