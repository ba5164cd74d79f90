/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-run.h"

#include "ns3/abort.h"
#include "ns3/atp-codec.h"
#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/switchml-codec.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the sums of the counters of all servers
ParameterServer::Counters
SumUp(const std::vector<Ptr<ParameterServer>>& servers)
{
    ParameterServer::Counters sums;
    for (const Ptr<ParameterServer>& server : servers)
    {
        sums.packets += server->GetCounters().packets;
        sums.reminders += server->GetCounters().reminders;
        sums.requests += server->GetCounters().requests;
        sums.sums += server->GetCounters().sums;
        sums.floats += server->GetCounters().floats;
    }
    return sums;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(AggregationRun);

TypeId
AggregationRun::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::AggregationRun").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

AggregationHelper::System
AggregationRun::FindSystem(const std::string& algorithm)
{
    const std::map<std::string, AggregationHelper::System> systems{
        {"atp", AggregationHelper::ATP},
        {"switchml", AggregationHelper::SWITCHML},
        {"esa", AggregationHelper::ESA}};
    return systems.at(algorithm);
}

uint64_t
AggregationRun::CountFragments(const AggregationSpec& spec, const ClusterJob& job)
{
    const uint64_t values = AggregationHelper::GetValues(FindSystem(spec.algorithm));
    const uint64_t bytes = values * AggregationCodec::WORD;
    return (job.bytes + bytes - 1) / bytes;
}

void
AggregationRun::MakeHelper(const AggregationSpec& spec, Ptr<Fabric> fabric)
{
    m_spec = spec;
    m_fabric = fabric;
    if (!spec.servers.empty())
    {
        Config::SetDefault("ns3::aifabric::ParameterServer::ServiceRate",
                           UintegerValue(spec.serviceRate));
    }
    AggregationHelper::Options options;
    options.system = FindSystem(spec.algorithm);
    options.slots = options.system == AggregationHelper::SWITCHML ? spec.slots / 2 : spec.slots;
    m_helper = std::make_unique<AggregationHelper>(fabric, options);
}

void
AggregationRun::Install(const AggregationSpec& spec,
                        Ptr<Fabric> fabric,
                        const Callback<void, int64_t>& complete)
{
    constexpr int64_t STREAMS = (int64_t{1} << 46) + 1;
    MakeHelper(spec, fabric);
    m_complete = complete;
    for (uint32_t j = 0; j < spec.jobs.size(); ++j)
    {
        const Ptr<AggregationDriver> driver =
            m_helper->Install(MakePlan(spec, j), MakeShape(spec, spec.jobs[j]));
        NS_ABORT_MSG_IF(!driver, "AggregationRun: no slots for job " << j);
        driver->SetCompleted(MakeCallback(&AggregationRun::Finish, this));
    }
    m_helper->AssignStreams(STREAMS);
}

CollectiveCarrier&
AggregationRun::InstallGroups(const AggregationSpec& spec, Ptr<Fabric> fabric)
{
    MakeHelper(spec, fabric);
    for (uint32_t j = 0; j < spec.jobs.size(); ++j)
    {
        const AggregationMembers members = m_helper->InstallMembers(MakePlan(spec, j));
        NS_ABORT_MSG_IF(!members.job, "AggregationRun: no slots for job " << j);
        const auto group = CreateObject<GradientGroup>();
        group->Install(members.job, members.workers, spec.jobs[j].layers);
        m_carrier.AddGroup(spec.groups[j], group);
    }
    return m_carrier;
}

AggregationPlan
AggregationRun::MakePlan(const AggregationSpec& spec, uint16_t number)
{
    AggregationPlan plan;
    plan.number = number;
    plan.workers = spec.jobs[number].hosts;
    plan.server = spec.servers.empty() ? 0 : spec.servers[number];
    plan.window = spec.window;
    plan.reach = spec.reach;
    plan.resultFromSwitch = spec.resultFromSwitch;
    plan.hasDistinctSlots = spec.hasDistinctSlots;
    constexpr uint64_t JOBS = 65536; // at most
    const auto seed = static_cast<uint32_t>(number + 1 + JOBS * (RngSeedManager::GetRun() - 1));
    plan.gradients =
        GradientSource(seed, spec.magnitude, FixedPoint::ATP_SCALE, spec.roundsRandomly);
    return plan;
}

AggregationShape
AggregationRun::MakeShape(const AggregationSpec& spec, const ClusterJob& job)
{
    AggregationShape shape;
    shape.fragments = static_cast<uint32_t>(CountFragments(spec, job));
    shape.layers = job.layers;
    shape.iterations = job.iterations;
    shape.compute = PicoSeconds(job.computePs);
    shape.jitter = job.jitter;
    shape.start = PicoSeconds(job.arrivalPs);
    return shape;
}

void
AggregationRun::Finish()
{
    if (++m_finished == m_spec.jobs.size())
    {
        m_complete(GetTimes().endPs);
    }
}

IterationTimes
AggregationRun::GetTimes() const
{
    IterationTimes times{};
    for (std::size_t j = 0; j < m_spec.jobs.size(); ++j)
    {
        const ClusterJob& job = m_spec.jobs[j];
        const Time took = m_helper->GetDrivers()[j]->GetCompletionTime();
        times.endPs = std::max(times.endPs, job.arrivalPs + took.GetPicoSeconds());
        times.computePs = std::max(times.computePs, job.arrivalPs + job.iterations * job.computePs);
    }
    return times;
}

double
AggregationRun::GetBoundNs(std::size_t number) const
{
    constexpr double HEADERS = 14 + 20 + 8 + 4; // Ethernet, IPv4, UDP, FCS
    constexpr double BITS_PER_NS = 1e9;
    const ClusterJob& job = m_spec.jobs[number];
    const double fields = m_spec.algorithm == "switchml" ? 10 : m_spec.algorithm == "atp" ? 26 : 28;
    const AggregationPlan& plan = m_helper->GetMembers()[number].job->GetPlan();
    const double payload = plan.values * AggregationCodec::WORD;
    const RoceNetDevice& nic = *m_fabric->GetNic(plan.workers.front());
    const double packet = HEADERS + fields + payload + nic.GetGap() + (nic.SendsIpv6() ? 20 : 0);
    const double rate = nic.GetPort(0)->GetDataRate().GetBitRate() / BITS_PER_NS;
    return job.iterations * std::ceil(job.bytes / payload) * 8 * packet / rate;
}

nlohmann::ordered_json
AggregationRun::Summarize(int64_t endPs) const
{
    PolicyCounters counters;
    for (const Ptr<AggregationStage>& stage : m_helper->GetStages())
    {
        stage->Count(counters);
    }
    nlohmann::ordered_json jobs = nlohmann::ordered_json::array();
    uint64_t resent = 0;
    uint64_t checked = 0;
    uint64_t wrong = 0;
    for (std::size_t j = 0; j < m_spec.jobs.size(); ++j)
    {
        jobs.push_back(SummarizeJob(j));
        const AggregationMembers& members = m_helper->GetMembers()[j];
        for (const Ptr<GradientWorker>& worker : members.workers)
        {
            resent += worker->GetResent();
        }
        checked += members.job->GetChecked();
        wrong += members.job->GetWrong();
    }
    const ParameterServer::Counters servers = SumUp(m_helper->GetServers());
    nlohmann::ordered_json json;
    json["window"] = m_spec.window;
    if (!m_spec.servers.empty())
    {
        json["server_packets_per_second"] = m_spec.serviceRate;
    }
    if (m_spec.groups.empty())
    {
        double sum = 0;
        double bounds = 0;
        for (std::size_t j = 0; j < m_spec.jobs.size(); ++j)
        {
            sum += jobs[j].value("jct_ns", 0.0);
            bounds += GetBoundNs(j);
        }
        json["jct_ns"] = sum / static_cast<double>(m_spec.jobs.size());
        json["line_rate_ns"] = bounds / static_cast<double>(m_spec.jobs.size());
    }
    json["hit_share"] = static_cast<double>(counters["aggregation_added"]) /
                        std::max<double>(counters["aggregation_received"], 1);
    json["server_packets_per_fragment"] =
        static_cast<double>(servers.packets) / std::max<double>(servers.sums, 1);
    json["held_ns"] = counters["aggregation_held_ns"];
    json["filling_ns"] = counters["aggregation_filling_ns"];
    json["slot_utilization"] = FindUtilization(counters["aggregation_filling_ns"], endPs);
    json["completed"] = counters["aggregation_completed"];
    json["collisions"] = counters["aggregation_collisions"];
    json["preemptions"] = counters["aggregation_preemptions"];
    json["reminders"] = servers.reminders;
    json["requests"] = servers.requests;
    json["retransmissions"] = resent;
    json["sums_in_floats"] = servers.floats;
    json["checked_sums"] = checked;
    json["wrong_sums"] = wrong;
    json["jobs"] = jobs;
    return json;
}

nlohmann::ordered_json
AggregationRun::SummarizeJob(std::size_t number) const
{
    constexpr double PS_PER_NS = 1000;
    const ClusterJob& job = m_spec.jobs[number];
    const double workers = job.hosts.size();
    nlohmann::ordered_json json;
    json["workers"] = job.hosts.size();
    if (m_spec.groups.empty())
    {
        const Ptr<AggregationDriver> driver = m_helper->GetDrivers()[number];
        const double ns = driver->GetCompletionTime().GetPicoSeconds() / PS_PER_NS;
        const double bits = 8.0 * job.bytes * job.iterations;
        json["jct_ns"] = ns;
        json["bus_gbps"] = 2 * (workers - 1) / workers * bits / ns;
    }
    json["hit_share"] = FindHitShare(number);
    return json;
}

double
AggregationRun::FindUtilization(double fillingNs, int64_t endPs) const
{
    constexpr double PS_PER_NS = 1000;
    const double slots = m_spec.slots * static_cast<double>(m_helper->GetStages().size());
    return fillingNs * PS_PER_NS / (slots * static_cast<double>(endPs));
}

double
AggregationRun::FindHitShare(uint16_t number) const
{
    uint64_t received = 0;
    uint64_t added = 0;
    for (const Ptr<AggregationStage>& stage : m_helper->GetStages())
    {
        received += stage->GetReceived(number);
        added += stage->GetAdded(number);
    }
    return static_cast<double>(added) / std::max<double>(received, 1);
}

void
AggregationRun::DoDispose()
{
    m_complete = Callback<void, int64_t>();
    m_carrier.Dispose();
    m_helper.reset();
    m_fabric = nullptr;
    Object::DoDispose();
}

} // namespace aifabric
} // namespace ns3
