/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "policy-misfit.h"

#include "queue-pair.h"

#include "ns3/cnp-listener.h"
#include "ns3/fabric-checker.h"
#include "ns3/host-balancer.h"
#include "ns3/uinteger.h"

#include <stdexcept>

namespace ns3
{
namespace aifabric
{

std::vector<PolicyMisfit>
PolicyMisfit::Find(const QueuePair& queuePair)
{
    const TransportTraits traits = queuePair.GetTraits();
    const LossRecovery& recovery = queuePair.GetRecovery();
    const RecoveryTraits needs = recovery.GetTraits();
    const Ptr<AckPolicy> acks = queuePair.GetAckPolicy();
    const Ptr<CongestionControl> control = queuePair.GetControl();
    const Ptr<HostBalancer> balancer = queuePair.GetBalancer();
    const std::string type = queuePair.GetInstanceTypeId().GetName();
    std::vector<PolicyMisfit> misfits;
    const auto add = [&type, &misfits](const std::string& attribute,
                                       const Object& policy,
                                       const std::string& need) {
        misfits.push_back({attribute,
                           policy.GetInstanceTypeId().GetName() + " needs " + need + ", which " +
                               type + " does not send"});
    };
    if (needs.needsReports != traits.sendsReports)
    {
        const std::string bitmap = needs.needsReports ? "with" : "without";
        add("Recovery", recovery, "acknowledgements " + bitmap + " a bitmap");
    }
    if (needs.needsPaths && !traits.sendsPathProbes)
    {
        add("Recovery", recovery, "the paths of packets, and probes of them");
    }
    if (control->UsesCredits() && !traits.carriesCredits)
    {
        add("Control", *control, "credits of the receiver");
    }
    if (control->NeedsTelemetry() && !traits.carriesTelemetry)
    {
        add("Control", *control, "telemetry of switches (INT)");
    }
    if (dynamic_cast<const CnpListener*>(PeekPointer(control)) && !traits.sendsCnps)
    {
        add("Control", *control, "CNPs");
    }
    if (balancer && balancer->NeedsProbes() && !traits.sendsPathProbes)
    {
        add("Balancer", *balancer, "probes of paths");
    }
    if (acks && !acks->IsEach() && needs.needsAckPerPacket)
    {
        misfits.push_back({"AckPolicy",
                           recovery.GetInstanceTypeId().GetName() +
                               " needs an acknowledgement of each packet: PerPacketAckPolicy"});
    }
    return misfits;
}

std::vector<PolicyMisfit>
PolicyMisfit::Find(const QueuePair& queuePair, const Fabric& fabric)
{
    const LossRecovery& recovery = queuePair.GetRecovery();
    std::vector<PolicyMisfit> misfits;
    const auto* checker = dynamic_cast<const FabricChecker*>(PeekPointer(queuePair.GetBalancer()));
    if (checker && fabric.graph)
    {
        try
        {
            checker->CheckFabric(*fabric.graph);
        }
        catch (const std::invalid_argument& error)
        {
            misfits.push_back({"Balancer", error.what()});
        }
    }
    if (queuePair.GetControl()->NeedsTelemetry() && !fabric.telemetry)
    {
        misfits.push_back({"Control",
                           queuePair.GetControl()->GetInstanceTypeId().GetName() +
                               " needs switches with TelemetryStage as EgressStage"});
    }
    if (!recovery.GetTraits().sendsUntilAcked)
    {
        return misfits;
    }
    const std::string type = queuePair.GetInstanceTypeId().GetName();
    const std::string name = recovery.GetInstanceTypeId().GetName();
    UintegerValue data;
    UintegerValue acks;
    queuePair.GetAttribute("Dscp", data);
    queuePair.GetAttribute("AckDscp", acks);
    if (fabric.hasAcks &&
        fabric.classes->GetClass(acks.Get()) < fabric.classes->GetClass(data.Get()))
    {
        misfits.push_back({"Recovery",
                           "with " + name + ", acknowledgements (" + type +
                               "::AckDscp) need at least the class of data (Dscp): two hosts that "
                               "send each other repair packets would hold them back for ever"});
    }
    if (fabric.trims)
    {
        misfits.push_back({"Recovery",
                           "senders with " + name +
                               " never wait, so trimmed frames, which leave before data, may hold "
                               "the data back for ever: it needs switches that do not trim"});
    }
    return misfits;
}

} // namespace aifabric
} // namespace ns3
