/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-helper.h"

#include "ns3/abort.h"
#include "ns3/atp-codec.h"
#include "ns3/atp-worker.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/slot-stage.h"
#include "ns3/switchml-codec.h"
#include "ns3/switchml-stage.h"
#include "ns3/switchml-worker.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Set an attribute of objects to come, unless Config::SetDefault() has set it.
/// @param factory of the objects
void
SetUsual(ObjectFactory& factory, const std::string& name, const AttributeValue& value)
{
    TypeId::AttributeInformation attribute;
    const bool isFound = factory.GetTypeId().LookupAttributeByName(name, &attribute);
    NS_ABORT_MSG_IF(!isFound, "AggregationHelper: no attribute " << name);
    if (attribute.initialValue == attribute.originalInitialValue)
    {
        factory.Set(name, value);
    }
}

} // namespace

uint32_t
AggregationHelper::GetValues(System system)
{
    return system == SWITCHML ? SwitchMlCodec::FEW_VALUES : AtpCodec::MOST_VALUES;
}

TypeId
AggregationHelper::GetWorkerType(System system)
{
    return system == SWITCHML ? SwitchMlWorker::GetTypeId() : AtpWorker::GetTypeId();
}

AggregationHelper::AggregationHelper(Ptr<Fabric> fabric, const Options& options)
    : m_fabric(fabric),
      m_options(options),
      m_server("ns3::aifabric::ParameterServer")
{
    m_worker.SetTypeId(GetWorkerType(options.system));
    NS_ABORT_MSG_IF(fabric->GetNic(0)->GetPortCount() != 1,
                    "AggregationHelper: a fabric of several planes is not supported");
    SetUsual(m_server, "RehashOnCollision", BooleanValue(options.system == ATP));
    if (options.system == ESA)
    {
        SetUsual(m_worker, "ReorderRtts", DoubleValue(0.5)); // sums of preempted slots are late
    }
    for (const Ptr<FabricSwitch>& fabricSwitch : fabric->GetSwitchList())
    {
        if (fabricSwitch->GetSite().tier == 0)
        {
            m_stages.push_back(MakeStage());
            fabricSwitch->SetStage(m_stages.back());
        }
    }
}

Ptr<AggregationStage>
AggregationHelper::MakeStage() const
{
    if (m_options.system == SWITCHML)
    {
        const auto stage = CreateObject<SwitchMlStage>();
        SetSlots(*stage);
        stage->MakeMemory();
        return stage;
    }
    const auto stage = CreateObject<SlotStage>();
    SetSlots(*stage);
    stage->MakeMemory(m_options.system == ESA);
    return stage;
}

void
AggregationHelper::SetSlots(AggregationStage& stage) const
{
    if (m_options.slots > 0)
    {
        stage.SetAttribute("Slots", UintegerValue(m_options.slots));
    }
}

void
AggregationHelper::SetWorkerAttribute(const std::string& name, const AttributeValue& value)
{
    m_worker.Set(name, value);
}

void
AggregationHelper::SetServerAttribute(const std::string& name, const AttributeValue& value)
{
    m_server.Set(name, value);
}

AggregationMembers
AggregationHelper::InstallMembers(AggregationPlan plan)
{
    const bool hasServer = m_options.system != SWITCHML;
    plan.rackHosts = m_fabric->GetSwitch(0)->GetSite().hostCount;
    plan.slots = m_stages.front()->GetSlots();
    plan.hasPriority = m_options.system == ESA;
    plan.values = GetValues(m_options.system);
    const auto job = Create<AggregationJob>(plan);
    for (const Ptr<AggregationStage>& stage : m_stages)
    {
        if (!stage->AddJob(job))
        {
            return {};
        }
    }
    std::vector<Ptr<GradientWorker>> workers;
    for (const uint32_t host : plan.workers)
    {
        workers.push_back(m_worker.Create<GradientWorker>());
        workers.back()->Join(job);
        m_fabric->GetNic(host)->AddMember(plan.number, workers.back());
    }
    if (hasServer)
    {
        m_servers.push_back(m_server.Create<ParameterServer>());
        m_servers.back()->Join(job);
        m_fabric->GetNic(plan.server)->AddMember(plan.number, m_servers.back());
    }
    m_members.push_back({job, workers});
    return m_members.back();
}

Ptr<AggregationDriver>
AggregationHelper::Install(AggregationPlan plan, const AggregationShape& shape)
{
    const AggregationMembers members = InstallMembers(std::move(plan));
    if (!members.job)
    {
        return nullptr;
    }
    m_drivers.push_back(CreateObject<AggregationDriver>());
    m_drivers.back()->Start(shape, members.job, members.workers, m_stages);
    return m_drivers.back();
}

int64_t
AggregationHelper::AssignStreams(int64_t stream) const
{
    int64_t next = stream;
    for (const Ptr<AggregationDriver>& driver : m_drivers)
    {
        next += driver->AssignStreams(next);
    }
    return next - stream;
}

} // namespace aifabric
} // namespace ns3
