/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "measure-run.h"

#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the measures of a port  @param transmitter its sending half, brought up to now
/// @param now the time, in steps
RunMeasures::Port
MeasurePort(const FabricTransmitter& transmitter, int64_t now)
{
    const FabricTransmitter::Counters counters = transmitter.GetCounters();
    RunMeasures::Port port;
    port.sentFrames = counters.sentFrames;
    port.sentBytes = counters.sentBytes;
    port.lostFrames = counters.lostFrames;
    port.flightFrames = transmitter.GetFlightFrames();
    port.refusedFrames = transmitter.GetQueues().CountRefused();
    port.busyTime = transmitter.GetBusyTime() - std::max<int64_t>(0, transmitter.GetFreeAt() - now);
    port.frameTime = transmitter.GetFrameTime(now);
    port.maxFrames = transmitter.GetMaxFrames();
    port.maxWaitingBytes = transmitter.GetQueues().GetMaxBytes();
    return port;
}

/// @return when what became of a flow  @param record what became of it
RunMeasures::FlowTimes
MeasureFlow(const FlowRecord& record)
{
    RunMeasures::FlowTimes times;
    times.pieces = record.flow.pieces;
    if (record.received)
    {
        times.receivedPs = record.receivedAt.GetPicoSeconds();
    }
    if (record.completed)
    {
        times.completedPs = record.completedAt.GetPicoSeconds();
    }
    return times;
}

} // namespace

RunMeasures
MeasureRun(const PortCatalog& catalog,
           const std::vector<Ptr<FabricSwitch>>& switches,
           const std::vector<Ptr<RoceNetDevice>>& nics,
           const MessageService& service)
{
    catalog.CatchUp();
    const int64_t now = FabricClock::Now();
    RunMeasures measures;
    for (const PortCatalog::Entry& entry : catalog.GetPorts())
    {
        measures.ports.push_back(MeasurePort(entry.port->GetTransmitter(), now));
    }
    for (const Ptr<FabricSwitch>& fabricSwitch : switches)
    {
        fabricSwitch->CountDrops(measures.drops);
        measures.totals["lossless_drops"] += fabricSwitch->GetAdmission()->GetLosslessDrops();
        fabricSwitch->GetBalancer()->Count(measures.policies);
        fabricSwitch->GetAdmission()->Count(measures.policies);
        if (const Ptr<EcnMarker> marker = fabricSwitch->GetMarker())
        {
            marker->Count(measures.policies);
        }
        if (const Ptr<SwitchForwarder> forwarder = fabricSwitch->GetForwarder())
        {
            forwarder->Count(measures.policies);
        }
        if (const Ptr<EgressStage> stage = fabricSwitch->GetEgressStage())
        {
            stage->Count(measures.policies);
        }
        if (const Ptr<IngressStage> stage = fabricSwitch->GetStage())
        {
            stage->Count(measures.policies);
        }
    }
    for (const Ptr<RoceNetDevice>& nic : nics)
    {
        if (const uint64_t trimmed = nic->GetCounters().trimmed)
        {
            measures.policies["nic_trimmed_frames"] += trimmed;
        }
        for (std::size_t i = 0; i < nic->GetEndpointCount(); ++i)
        {
            if (const Ptr<QueuePair> queuePair = nic->GetQueuePair(i))
            {
                queuePair->Count(measures.totals);
                queuePair->CountPolicies(measures.policies);
            }
        }
    }
    service.CountSteerings(measures.policies);
    for (const FlowRecord& record : service.GetRecords())
    {
        measures.flows.push_back(MeasureFlow(record));
    }
    return measures;
}

} // namespace aifabric
} // namespace ns3
