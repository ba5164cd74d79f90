/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "policy-kinds.h"

#include "ns3/ack-policy.h"
#include "ns3/buffer-admission.h"
#include "ns3/collective-algorithm.h"
#include "ns3/collective-protocol.h"
#include "ns3/congestion-control.h"
#include "ns3/ecn-marker.h"
#include "ns3/endpoint-scheduler.h"
#include "ns3/host-balancer.h"
#include "ns3/ingress-stage.h"
#include "ns3/loss-recovery.h"
#include "ns3/message-steering.h"
#include "ns3/queue-pair.h"
#include "ns3/scheduler.h"
#include "ns3/switch-balancer.h"
#include "ns3/switch-forwarder.h"

#include <iomanip>

namespace ns3
{
namespace aifabric
{

const std::map<std::string, PolicyKind>&
PolicyKinds()
{
    static const std::map<std::string, PolicyKind> KINDS = {
        {"algorithm",
         {"Algorithm",
          {CollectiveAlgorithm::GetTypeId()},
          {{"nccl",
            "ring, tree or NVLS, as NCCL's tuner chooses by size: ns3::aifabric::NcclTuner"},
           {"atp", "all-reduce in the network with a parameter server: ns3::aifabric::AtpWorker"},
           {"esa", "as atp, and later sums preempt slots: ns3::aifabric::AtpWorker"},
           {"switchml", "all-reduce in one switch: ns3::aifabric::SwitchMlWorker"}}}},
        {"protocol",
         {"Protocol",
          {CollectiveProtocol::GetTypeId()},
          {{"none", "messages cost nothing but their bytes"},
           {"nccl", "one of these, as NCCL's tuner chooses by size: ns3::aifabric::NcclTuner"}}}},
        {"steering", {"Steering", {MessageSteering::GetTypeId()}, {}}},
        {"balancer", {"Balancer", {SwitchBalancer::GetTypeId(), HostBalancer::GetTypeId()}, {}}},
        {"upgrade", {"Balancer", {SwitchBalancer::GetTypeId()}, {}}},
        {"forwarding", {"Forwarder", {SwitchForwarder::GetTypeId()}, {}}},
        {"stage", {"Stage", {IngressStage::GetTypeId()}, {}}},
        {"rateControl", {"Control", {CongestionControl::GetTypeId()}, {}}},
        {"transport", {"QueuePair", {QueuePair::GetTypeId()}, {}}},
        {"recovery", {"Recovery", {LossRecovery::GetTypeId()}, {}}},
        {"ackPolicy", {"AckPolicy", {AckPolicy::GetTypeId()}, {}}},
        {"sendOrder", {"Scheduler", {EndpointScheduler::GetTypeId()}, {}}},
        {"admission", {"Buffer", {BufferAdmission::GetTypeId()}, {}}},
        {"marker", {"Marker", {EcnMarker::GetTypeId()}, {}}},
        {"scheduler", {"Scheduler", {Scheduler::GetTypeId()}, {}}}};
    return KINDS;
}

PolicyRegistry
Registry(const std::string& option)
{
    const PolicyKind& kind = PolicyKinds().at(option);
    return PolicyRegistry(kind.suffix, kind.bases);
}

std::vector<std::string>
ListChoices(const std::string& option)
{
    std::vector<std::string> names = Registry(option).GetNames();
    for (const auto& entry : PolicyKinds().at(option).others)
    {
        names.push_back(entry.first);
    }
    return names;
}

void
PrintChoices(std::ostream& os, const std::string& option)
{
    constexpr int WIDTH = 16; // as PolicyRegistry::Print()
    Registry(option).Print(os);
    os << (ListChoices(option).empty() ? "none but those of --library\n" : "");
    for (const auto& [name, what] : PolicyKinds().at(option).others)
    {
        os << std::left << std::setw(WIDTH) << name << " " << what << "\n";
    }
}

std::string
FindAttribute(TypeId type, const std::string& name)
{
    for (TypeId owner = type;; owner = owner.GetParent())
    {
        for (std::size_t i = 0; i < owner.GetAttributeN(); ++i)
        {
            if (owner.GetAttribute(i).name == name)
            {
                return owner.GetAttributeFullName(i);
            }
        }
        if (owner == owner.GetParent()) // ns3::ObjectBase
        {
            return type.GetName() + "::" + name;
        }
    }
}

} // namespace aifabric
} // namespace ns3
