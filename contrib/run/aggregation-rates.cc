/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-rates.h"

#include "aggregation-run.h"
#include "option-value.h"
#include "policy-kinds.h"

#include "ns3/ecmp-balancer.h"
#include "ns3/flowlet-balancer.h"
#include "ns3/parameter-server.h"
#include "ns3/slot-stage.h"
#include "ns3/switch-balancer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{
namespace aifabric
{

double
AggregationRates::FindSpeed() const
{
    constexpr double PAPERS = 1e11; // bit/s
    return std::max(1.0, static_cast<double>(m_scenario.slowestRate) / PAPERS);
}

int64_t
AggregationRates::CountWaiting() const
{
    std::set<uint32_t> racks;
    for (uint32_t host = 0; host < m_scenario.graph->HostCount(); ++host)
    {
        racks.insert(m_scenario.graph->RackOf(host));
    }
    const TypeId type = ReadPolicy("balancer");
    const bool isInSwitches = type.IsChildOf(SwitchBalancer::GetTypeId());
    const Ptr<SwitchBalancer> balancer = isInSwitches ? MakePolicy<SwitchBalancer>(type) : nullptr;
    const bool meet =
        !balancer || DynamicCast<EcmpBalancer>(balancer) || DynamicCast<FlowletBalancer>(balancer);
    return meet ? std::max<int64_t>(1, static_cast<int64_t>(racks.size()) - 2) : 1;
}

int64_t
AggregationRates::CountSharing(const AggregationSpec& spec)
{
    std::map<uint32_t, int64_t> parts; // by host
    int64_t most = 1;
    for (std::size_t j = 0; j < spec.groups.size(); ++j)
    {
        std::vector<uint32_t> hosts = spec.jobs[j].hosts;
        if (!spec.servers.empty())
        {
            hosts.push_back(spec.servers[j]);
        }
        for (const uint32_t host : hosts)
        {
            most = std::max(most, ++parts[host]);
        }
    }
    return most;
}

int64_t
AggregationRates::FindWindow(const AggregationSpec& spec) const
{
    constexpr int64_t WINDOW = 200;
    constexpr int64_t POOL = 256;
    constexpr int64_t FRAME_BYTES = 330; // of a fragment of ESA, the longest one
    const int64_t least = spec.algorithm == "switchml" ? POOL : WINDOW;
    const auto scaled = static_cast<int64_t>(static_cast<double>(least) * FindSpeed());
    const uint64_t buffer = std::min(m_scenario.bufferBytes, m_scenario.spineBufferBytes);
    const auto frames = static_cast<int64_t>(buffer) / FRAME_BYTES;
    return std::max(least, std::min(scaled, frames / CountWaiting() / CountSharing(spec)));
}

uint64_t
AggregationRates::FindServiceRate() const
{
    const std::string name = "ns3::aifabric::ParameterServer::ServiceRate";
    const auto usual = *FindDefault<UintegerValue>(ParameterServer::GetTypeId(), "ServiceRate");
    const double speed = IsAttributeGiven(name) ? 1 : FindSpeed();
    return static_cast<uint64_t>(static_cast<double>(usual) * speed);
}

uint64_t
AggregationRates::CountWindows(const AggregationSpec& spec)
{
    uint64_t packets = 0;
    for (const ClusterJob& job : spec.jobs)
    {
        packets += job.hosts.size() * spec.window;
    }
    return packets;
}

void
AggregationRates::Check(const AggregationSpec& spec) const
{
    const std::map<std::string, uint64_t> rates = {
        {"ns3::aifabric::AggregationStage::PacketRate",
         FindDefault<UintegerValue>(AggregationStage::GetTypeId(), "PacketRate").value()},
        {"ns3::aifabric::ParameterServer::ServiceRate", spec.serviceRate}};
    for (const auto& [name, rate] : rates)
    {
        if (IsAttributeGiven(name) && rate > 0 && rate < CountWindows(spec))
        {
            throw OptionError(name,
                              m_scenario.attributes.at(name),
                              "at least " + std::to_string(CountWindows(spec)) +
                                  " packets a second, so that the windows of all workers take at "
                                  "most a second; or 0: no limit");
        }
    }
}

double
AggregationRates::FindServicePs(const AggregationSpec& spec, double roundTripPs)
{
    constexpr double SECOND = 1e12; // in picoseconds
    double service = roundTripPs;
    if (const uint64_t rate =
            *FindDefault<UintegerValue>(AggregationStage::GetTypeId(), "PacketRate"))
    {
        service += SECOND * static_cast<double>(CountWindows(spec)) / static_cast<double>(rate);
    }
    if (spec.algorithm != "switchml")
    {
        const TypeId server = ParameterServer::GetTypeId();
        service += static_cast<double>(FindDefault<TimeValue>(server, "Latency")->GetPicoSeconds());
        std::size_t workers = 0;
        for (const ClusterJob& job : spec.jobs)
        {
            workers = std::max(workers, job.hosts.size());
        }
        const auto rate = static_cast<double>(spec.serviceRate);
        service += rate > 0 ? SECOND * spec.window * workers / rate : 0;
    }
    return service;
}

int64_t
AggregationRates::FindPatiencePs(const AggregationSpec& spec, double roundTripPs)
{
    // A fragment waits for 2^6 timeouts at most until a worker sends it again, and is lost
    // again with a probability of a half in hard cases. Beside that, workers wait for the
    // slowest one.
    constexpr double WAITS = 64 * 4;
    constexpr double FIRSTS = 64 * 2;
    constexpr double SERVICES = 20;
    constexpr double MOST_PS = 2e15;
    const auto system = AggregationRun::FindSystem(spec.algorithm);
    const TypeId worker = AggregationHelper::GetWorkerType(system);
    const Time wait = *FindDefault<TimeValue>(worker, "Timeout");
    const Time first = FindDefault<TimeValue>(worker, "FirstTimeout").value_or(Time(0));
    double longest = 0;
    for (const ClusterJob& job : spec.jobs)
    {
        const double slowest = 1 + SLOWEST * job.jitter;
        longest = std::max(longest, slowest * static_cast<double>(job.computePs));
    }
    const double timers = WAITS * static_cast<double>(wait.GetPicoSeconds()) +
                          FIRSTS * static_cast<double>(first.GetPicoSeconds());
    const double services = SERVICES * FindServicePs(spec, roundTripPs);
    const double patience = std::max(timers, services) + longest;
    return static_cast<int64_t>(std::min(patience, MOST_PS));
}

} // namespace aifabric
} // namespace ns3
