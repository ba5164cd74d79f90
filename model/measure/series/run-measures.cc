/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-measures.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* MEASURES_TAG =
    "RunMeasures 2"; //!< of strings of bytes; the number is the version

/// Throw unless two parts have equally many of something.
/// @param what its name  @param mine how many the one has  @param others how many the other has
void
RequireSame(const std::string& what, std::size_t mine, std::size_t others)
{
    if (mine != others)
    {
        throw std::invalid_argument(
            "measures of different runs cannot be merged: " + std::to_string(mine) + " and " +
            std::to_string(others) + " " + what);
    }
}

/// Add the measures of a port in another part.
void
Add(RunMeasures::Port& port, const RunMeasures::Port& other)
{
    port.sentFrames += other.sentFrames;
    port.sentBytes += other.sentBytes;
    port.lostFrames += other.lostFrames;
    port.flightFrames += other.flightFrames;
    port.refusedFrames += other.refusedFrames;
    port.busyTime += other.busyTime;
    port.frameTime += other.frameTime;
    port.maxFrames = std::max(port.maxFrames, other.maxFrames);
    port.maxWaitingBytes = std::max(port.maxWaitingBytes, other.maxWaitingBytes);
}

} // namespace

uint64_t
RunMeasures::CountPacketHops() const
{
    uint64_t hops = 0;
    for (const Port& port : ports)
    {
        hops += port.GetDeliveredFrames();
    }
    return hops;
}

void
RunMeasures::Merge(const RunMeasures& other)
{
    RequireSame("ports", ports.size(), other.ports.size());
    RequireSame("flows", flows.size(), other.flows.size());
    for (std::size_t i = 0; i < ports.size(); ++i)
    {
        Add(ports[i], other.ports[i]);
    }
    MergeCounters(drops, other.drops);
    MergeCounters(totals, other.totals);
    MergeCounters(policies, other.policies);
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        flows[i].receivedPs = std::max(flows[i].receivedPs, other.flows[i].receivedPs);
        flows[i].completedPs = std::max(flows[i].completedPs, other.flows[i].completedPs);
        flows[i].pieces = std::max(flows[i].pieces, other.flows[i].pieces);
    }
}

std::string
RunMeasures::Write() const
{
    ByteWriter writer(MEASURES_TAG);
    writer.WriteRecords(ports);
    for (const PolicyCounters* counters : {&drops, &totals, &policies})
    {
        writer.WriteNumber(counters->size());
        for (const auto& [name, count] : *counters)
        {
            writer.WriteText(name);
            writer.WriteNumber(count);
        }
    }
    writer.WriteRecords(flows);
    return writer.Finish();
}

RunMeasures
RunMeasures::Read(const std::string& bytes)
{
    ByteReader reader(MEASURES_TAG, bytes);
    RunMeasures measures;
    measures.ports = reader.ReadRecords<Port>();
    for (PolicyCounters* counters : {&measures.drops, &measures.totals, &measures.policies})
    {
        for (uint64_t left = reader.ReadNumber(); left > 0; --left)
        {
            const std::string name = reader.ReadText();
            (*counters)[name] = reader.ReadNumber();
        }
    }
    measures.flows = reader.ReadRecords<FlowTimes>();
    reader.Finish();
    return measures;
}

} // namespace aifabric
} // namespace ns3
