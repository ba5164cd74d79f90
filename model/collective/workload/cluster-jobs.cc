/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-jobs.h"

#include "ns3/table-reader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint64_t MOST_NS = 1'000'000'000'000; //!< of a time: 1000 s
constexpr uint64_t MOST_BYTES = uint64_t{1} << 40;
constexpr uint64_t MOST_ITERATIONS = 1'000'000;
constexpr uint64_t MOST_RANKS = 1'000'000;
constexpr std::size_t MOST_NAME = 64; //!< characters

/// Columns of a table of jobs, in their order.
enum Column : std::size_t
{
    NAME,
    RANKS,
    PLACEMENT,
    ARRIVAL,
    ITERATIONS,
    COLLECTIVE,
    BYTES,
    COMPUTE,
    PROGRAM,
    AFTER,
};

/// @return a time of the current row, in ps
int64_t
ReadTime(const TableReader& table, Column column)
{
    constexpr int64_t PS_PER_NS = 1000;
    return static_cast<int64_t>(table.GetWhole(column, 0, MOST_NS)) * PS_PER_NS;
}

/// @return where a layer ends in the bytes of a job  @param layer from 0 on
uint64_t
EndOfLayer(const ClusterJob& job, uint32_t layer)
{
    const uint64_t each = job.bytes / job.layers;
    const uint64_t rest = job.bytes % job.layers;
    return each * (layer + 1) + rest * (layer + 1) / job.layers;
}

/// @return the job of the current row
ClusterJob
ReadJob(const TableReader& table)
{
    ClusterJob job;
    job.line = table.GetLineNumber();
    job.name = std::string(table.GetField(NAME));
    table.Require(!job.name.empty() && job.name.size() <= MOST_NAME &&
                      std::all_of(job.name.begin(),
                                  job.name.end(),
                                  [](char c) {
                                      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                             (c >= '0' && c <= '9') || c == '-' || c == '_';
                                  }),
                  NAME,
                  "1 to 64 letters, digits, - and _");
    job.ranks = static_cast<uint32_t>(table.GetWhole(RANKS, 2, MOST_RANKS));
    const auto placement = FindJobPlacement(std::string(table.GetField(PLACEMENT)));
    table.Require(placement.has_value(), PLACEMENT, "packed, fragmented or random");
    job.placement = *placement;
    job.arrivalPs = ReadTime(table, ARRIVAL);
    job.iterations = static_cast<uint32_t>(table.GetWhole(ITERATIONS, 1, MOST_ITERATIONS));
    job.program = std::string(table.GetField(PROGRAM));
    job.after = std::string(table.GetField(AFTER));
    table.Require(job.program.find('/') == std::string::npos,
                  PROGRAM,
                  "the name of a file in the folder of the table");
    if (!job.program.empty())
    {
        for (const Column column : {COLLECTIVE, BYTES, COMPUTE})
        {
            table.Require(table.GetField(column).empty(), column, "empty beside a program");
        }
        return job;
    }
    const auto collective = FindCollectiveKind(std::string(table.GetField(COLLECTIVE)));
    table.Require(collective.has_value(), COLLECTIVE, "one of " + ListCollectiveKinds());
    job.collective = *collective;
    job.bytes = table.GetWhole(BYTES, 1, MOST_BYTES);
    job.computePs = ReadTime(table, COMPUTE);
    return job;
}

} // namespace

std::vector<ClusterJob>
ReadClusterJobs(std::istream& input, const std::string& name)
{
    TableReader table(input,
                      name,
                      {"name", "ranks", "placement", "arrival_ns", "iterations"},
                      {},
                      {"collective", "bytes", "compute_ns", "program", "after"});
    std::vector<ClusterJob> jobs;
    std::set<std::string> names;
    while (table.Next())
    {
        jobs.push_back(ReadJob(table));
        const std::string& after = jobs.back().after;
        table.Require(after.empty() || names.count(after) > 0, AFTER, "a job of a line before");
        table.Require(names.insert(jobs.back().name).second, NAME, "a name of its own");
    }
    if (jobs.empty())
    {
        table.FailText("there is no job");
    }
    return jobs;
}

bool
IsProgramFile(const std::string& program)
{
    const std::string end = std::filesystem::path(program).extension().string();
    return end == ".toml" || end == ".goal" || end == ".bin";
}

std::vector<ClusterJob>
ReadClusterJobFile(const std::string& path)
{
    std::ifstream input = OpenTable(path);
    return ReadClusterJobs(input, path);
}

void
PlaceClusterJobs(std::vector<ClusterJob>& jobs,
                 const FabricGraph& graph,
                 const GpuNodes& nodes,
                 const UniformInteger& uniform)
{
    std::set<uint32_t> taken;
    for (ClusterJob& job : jobs)
    {
        if (job.ranks % nodes.GetGpus() != 0)
        {
            throw std::invalid_argument("job " + job.name + ": " + std::to_string(job.ranks) +
                                        " ranks are not a multiple of the " +
                                        std::to_string(nodes.GetGpus()) + " GPUs of a node");
        }
        job.hosts = PlaceJob(job.placement, graph, nodes, graph.HostCount(), uniform);
        job.hosts.erase(std::remove_if(job.hosts.begin(),
                                       job.hosts.end(),
                                       [&taken](uint32_t host) { return taken.count(host) > 0; }),
                        job.hosts.end());
        if (job.hosts.size() < job.ranks)
        {
            throw std::invalid_argument("job " + job.name + ": " + std::to_string(job.ranks) +
                                        " ranks, but only " + std::to_string(job.hosts.size()) +
                                        " hosts are free");
        }
        job.hosts.resize(job.ranks);
        taken.insert(job.hosts.begin(), job.hosts.end());
    }
}

TrainingPlan
MakeClusterPlan(const std::vector<ClusterJob>& jobs)
{
    TrainingPlan plan;
    for (const ClusterJob& job : jobs)
    {
        if (!job.program.empty())
        {
            continue;
        }
        TrainingStep compute;
        compute.kind = TrainingStep::Kind::COMPUTE;
        compute.communicator = static_cast<uint32_t>(plan.communicators.size());
        compute.name = job.name;
        compute.where = "job " + job.name;
        TrainingStep collective = compute;
        compute.name += "-compute";
        compute.durationPs = job.arrivalPs;
        plan.phases.push_back({job.name + "-arrival", 1, {compute}});
        compute.durationPs = job.computePs;
        collective.kind = TrainingStep::Kind::COLLECTIVE;
        collective.collective = job.collective;
        std::vector<TrainingStep> steps{compute};
        for (uint32_t layer = 0; layer < job.layers; ++layer)
        {
            collective.bytes =
                EndOfLayer(job, layer) - (layer > 0 ? EndOfLayer(job, layer - 1) : 0);
            if (collective.bytes > 0)
            {
                steps.push_back(collective);
            }
        }
        plan.phases.push_back({job.name, job.iterations, std::move(steps)});
        plan.communicators.push_back({job.name, job.hosts});
    }
    return plan;
}

void
DrawComputations(TrainingWorkload& workload,
                 const std::vector<ClusterJob>& jobs,
                 const std::function<double()>& normal)
{
    for (const ClusterJob& job : jobs)
    {
        if (job.jitter == 0)
        {
            continue;
        }
        const uint32_t shared = workload.programOf[job.hosts.front()];
        const WorkloadProgram plain = workload.programs[shared];
        for (const uint32_t host : job.hosts)
        {
            WorkloadProgram program = plain;
            for (std::size_t i = 1; i < program.size(); ++i) // what follows the arrival
            {
                const double factor = 1 + job.jitter * std::abs(normal());
                program[i].durationPs = std::llround(program[i].durationPs * factor);
            }
            if (host == job.hosts.front())
            {
                workload.programs[shared] = std::move(program);
                continue;
            }
            workload.programOf[host] = static_cast<uint32_t>(workload.programs.size());
            workload.programs.push_back(std::move(program));
        }
    }
}

} // namespace aifabric
} // namespace ns3
