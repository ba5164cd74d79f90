/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-policies.h"

#include "fabric-switch.h"
#include "next-hop-groups.h"

#include "ns3/abort.h"
#include "ns3/dispose-of.h"
#include "ns3/pointer.h"

namespace ns3
{
namespace aifabric
{

TypeId
SwitchPolicies::AddTo(TypeId type)
{
    return type
        .AddAttribute("Balancer",
                      "How the switch chooses among next hops.",
                      PointerValue(),
                      MakePointerAccessor(&FabricSwitch::SetBalancer, &FabricSwitch::GetBalancer),
                      MakePointerChecker<SwitchBalancer>())
        .AddAttribute("Admission",
                      "The switch's buffer.",
                      PointerValue(),
                      MakePointerAccessor(&FabricSwitch::SetAdmission, &FabricSwitch::GetAdmission),
                      MakePointerChecker<BufferAdmission>())
        .AddAttribute("Marker",
                      "How the switch marks congestion; null: it does not.",
                      PointerValue(),
                      MakePointerAccessor(&FabricSwitch::SetMarker, &FabricSwitch::GetMarker),
                      MakePointerChecker<EcnMarker>())
        .AddAttribute("Stage",
                      "What looks at frames that arrive before they are forwarded; null: "
                      "nothing.",
                      PointerValue(),
                      MakePointerAccessor(&FabricSwitch::SetStage, &FabricSwitch::GetStage),
                      MakePointerChecker<IngressStage>())
        .AddAttribute(
            "EgressStage",
            "What sees frames whose transmission begins; null: nothing.",
            PointerValue(),
            MakePointerAccessor(&FabricSwitch::SetEgressStage, &FabricSwitch::GetEgressStage),
            MakePointerChecker<EgressStage>());
}

void
SwitchPolicies::Initialize(FabricSwitch& owner, SwitchSite& site)
{
    NS_ABORT_MSG_IF(!balancer, "FabricSwitch::Balancer is not set");
    NS_ABORT_MSG_IF(!admission, "FabricSwitch::Admission is not set");
    admission->Install(owner);
    admission->Initialize();
    site.bufferBytes = admission->GetPortBytes();
    balancer->SetSite(site);
    balancer->Initialize();
    congestion.Initialize();
    if (stage)
    {
        stage->Install(owner);
        stage->Initialize();
    }
    if (egressStage)
    {
        egressStage->Install(owner);
        egressStage->Initialize();
    }
}

int64_t
SwitchPolicies::AssignStreams(int64_t stream, NextHopGroups& groups)
{
    int64_t used = balancer->AssignStreams(stream);
    used += congestion.AssignStreams(stream + used);
    groups.SetStream(stream + used);
    ++used;
    used += admission->AssignStreams(stream + used);
    if (stage)
    {
        used += stage->AssignStreams(stream + used);
    }
    return used;
}

void
SwitchPolicies::Dispose()
{
    DisposeOf(stage);
    DisposeOf(egressStage);
    DisposeOf(forwarder);
    DisposeOf(balancer);
    DisposeOf(admission);
    congestion.Dispose();
}

} // namespace aifabric
} // namespace ns3
