/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "results-helper.h"

#include "ai-fabric-version.h"

#include "ns3/abort.h"
#include "ns3/csv-writer.h"
#include "ns3/json-file.h"
#include "ns3/measure-run.h"
#include "ns3/nic-bound.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/run-report.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr int64_t SAMPLE_PS = 1'000'000; //!< between two samples of the queues, at first

/// @return when the last message was completed, in ps; now, if one is not, or there is none
/// @param records what became of the messages
int64_t
FindEnd(const std::vector<FlowRecord>& records)
{
    Time last;
    for (const FlowRecord& record : records)
    {
        last = std::max(last, record.completed ? record.completedAt : Simulator::Now());
    }
    return (records.empty() ? Simulator::Now() : last).GetPicoSeconds();
}

/// @return the samples up to a time  @param samples of the whole simulation
/// @param endPs the last time that is kept, in ps
QueueSamples
CutAt(QueueSamples samples, int64_t endPs)
{
    const auto end = std::upper_bound(samples.times.begin(), samples.times.end(), endPs);
    const std::size_t kept = end - samples.times.begin();
    if (kept > 0)
    {
        samples.states.resize(samples.states.size() / samples.times.size() * kept);
        samples.times.resize(kept);
    }
    return samples;
}

/// @return a folder for results  @param path the folder
std::unique_ptr<OutputFolder>
OpenFolder(const std::string& path)
{
    try
    {
        return std::make_unique<OutputFolder>(path);
    }
    catch (const std::invalid_argument& error)
    {
        NS_ABORT_MSG("ResultsHelper: " << error.what());
    }
    return nullptr;
}

} // namespace

ResultsHelper::ResultsHelper(const std::string& folder,
                             Ptr<Fabric> fabric,
                             Ptr<MessageService> service)
    : m_fabric(fabric),
      m_service(service),
      m_catalog(fabric->GetGraph(), fabric->GetChannelList()),
      m_folder(OpenFolder(folder)),
      m_sampler(m_catalog, PicoSeconds(SAMPLE_PS))
{
    m_events = std::make_unique<EventLog>(m_folder->Add("events.csv"));
    m_events->WatchLinks(m_catalog);
    m_events->Watch(fabric->GetNicList());
    m_heartbeat.Add([this]() { return m_sampler.Sample(); });
    m_heartbeat.Start();
}

ResultsHelper::~ResultsHelper() = default;

void
ResultsHelper::Describe(const std::string& name, const std::string& value)
{
    m_scenario.emplace_back(name, value);
}

BoundParameters
ResultsHelper::GetBoundParameters() const
{
    BoundParameters parameters;
    parameters.linkRate = m_fabric->GetNic(0)->GetPort(0)->GetDataRate().GetBitRate();
    for (const PortCatalog::Entry& entry : m_catalog.GetPorts())
    {
        parameters.fabricRate =
            std::max(parameters.fabricRate, entry.port->GetDataRate().GetBitRate());
    }
    Time delay = m_fabric->GetChannel(0)->GetDelay();
    for (const Ptr<FabricChannel>& channel : m_fabric->GetChannelList())
    {
        delay = std::min(delay, channel->GetDelay());
    }
    parameters.linkDelayPs = delay.GetPicoSeconds();
    Time latency = m_fabric->GetSwitch(0)->GetLatency();
    for (const Ptr<FabricSwitch>& fabricSwitch : m_fabric->GetSwitchList())
    {
        latency = std::min(latency, fabricSwitch->GetLatency());
    }
    parameters.switchLatencyPs = latency.GetPicoSeconds();
    for (const Ptr<RoceNetDevice>& sender : m_fabric->GetNicList())
    {
        if (sender->GetEndpointCount() > 0 && sender->GetQueuePair(0))
        {
            SetNicBound(*sender, *sender->GetQueuePair(0), parameters);
            break;
        }
    }
    return parameters;
}

void
ResultsHelper::Write()
{
    m_heartbeat.Stop();
    m_events->Close();
    std::vector<Flow> flows;
    uint64_t largest = 0;
    for (const FlowRecord& record : m_service->GetRecords())
    {
        flows.push_back(record.flow);
        largest = std::max(largest, record.flow.bytes);
    }
    const std::vector<MessageOrigin> origins; // no collectives
    const int64_t endPs = FindEnd(m_service->GetRecords());
    const RunReport report(
        {m_fabric->GetGraph(), m_catalog, flows, origins, {}, endPs},
        MeasureRun(m_catalog, m_fabric->GetSwitchList(), m_fabric->GetNicList(), *m_service),
        GetBoundParameters(),
        {},
        std::max<int64_t>(endPs, 1));
    report.WriteFlows(m_folder->Add("flows.csv"));
    report.WriteLinks(m_folder->Add("links.csv"));
    report.WriteLayers(m_folder->Add("layers.csv"));
    report.WriteQueues(m_folder->Add("queues.csv"), CutAt(m_sampler.GetSamples(), endPs));

    nlohmann::ordered_json json;
    json["program"] = "ai-fabric-script"; // EarlierResults knows it
    json["seed"] = RngSeedManager::GetSeed();
    json["run"] = RngSeedManager::GetRun();
    json["versions"] = {{"ai-fabric", AI_FABRIC_VERSION}};
    nlohmann::ordered_json& scenario = json["scenario"];
    const double gbps = m_fabric->GetNic(0)->GetPort(0)->GetDataRate().GetBitRate() / 1e9;
    scenario = {{"topology", "fabric"},
                {"hosts", m_fabric->GetGraph().HostCount()},
                {"planes", m_fabric->GetGraph().Planes()},
                {"rate", FormatNumber(gbps) + "Gb/s"},
                {"size", largest},
                {"workload", "flows"},
                {"balancer", "script"}};
    for (const auto& [name, value] : m_scenario)
    {
        scenario[name] = value;
    }
    report.AddResults(json["results"]);
    json["files"] = m_folder->GetNames();
    WriteJson(m_folder->Add("run.json"), json);
    m_folder->Commit();
}

} // namespace aifabric
} // namespace ns3
