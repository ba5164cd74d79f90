/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-rates.h"
#include "aggregation-system.h"
#include "option-sections.h"
#include "option-value.h"

#include "ns3/table-reader.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return whether the value of --jobs is a number of jobs
bool
IsJobCount(const std::string& text)
{
    return ParseNumber(text[0] == '-' ? text.substr(1) : text).has_value();
}

constexpr int64_t MOST_SLOTS = 45535; // so that the slot of the second half has 16 bits
constexpr uint64_t MOST_BYTES = 1099511627776;

/// @return a decimal number  @param text what it should be
std::optional<double>
ParseField(std::string_view text)
{
    return ParseNumber(std::string(text));
}

const OptionWhen IN_NETWORK = {"only with --algorithm=atp, switchml or esa"};
const OptionType MAGNITUDE = Number(
    "a number above 0, at most 10^9",
    [](double magnitude) { return magnitude > 0 && magnitude <= 1e9; },
    1.0);

} // namespace

/// The options of in-network aggregation, which is an algorithm of an all-reduce.
// clang-format off
const OptionGroup AGGREGATION_ROWS = {"In-network aggregation", {
    {"slots", AUTO, Whole(1, MOST_SLOTS),
     "algorithm atp, switchml or esa: slots of each switch that has hosts, for one packet each "
     "(auto: the attribute Slots of SlotStage, or twice that of SwitchMlStage: 20000)",
     {}, IN_NETWORK},
    {"jobs", AUTO, FileOr(IsJobCount),
     "all-reduce: a file with a job per line, whose first line is "
     "bytes,layers,iterations,compute_ns,jitter,start_ns; or, with algorithm atp, switchml or "
     "esa, the number of jobs, each of which all-reduces the size once (auto: 1)", {}, IN_NETWORK},
    {"parameterServers", AUTO, Plain("list"),
     "algorithm atp or esa: hosts of the parameter servers, one for each job, separated by "
     "commas; the other hosts, in the order of the placement, are workers, divided equally among "
     "the jobs (auto: the last hosts in this order); an iteration's communicators take them in "
     "turn (auto: idle hosts, or all)", {}, IN_NETWORK},
    {"aggregationWindow", AUTO, Whole(1, 0),
     "algorithm atp, switchml or esa: fragments that a worker may have outstanding; with "
     "switchml, slots of a job (auto: 200, or 256 with switchml, for each 100 Gb/s of a link, as "
     "far as those of one job, or in an iteration of the jobs of a host, have room in the buffer "
     "of a port, where with ecmp all racks but two may meet, but no less than 200 or 256; with "
     "switchml at most half of the slots, divided by the number of jobs)", {}, IN_NETWORK},
    {"aggregationReach", AUTO, Whole(1, 0),
     "algorithm atp or esa: fragments that a worker may send, counted from the first one whose "
     "sum is missing; more than the window, so that one fragment whose sum is late does not stop "
     "the others (auto: as many as the window; esa: four times as many)", {}, IN_NETWORK},
    {"resultPath", AUTO, Choice({"server", "switch"}),
     "algorithm atp or esa: who sends a sum that is complete in the switch of the parameter "
     "server to the workers: server, or switch, with a copy to the server (auto: server)",
     {}, IN_NETWORK},
    {"distinctSlots", AUTO, Flag("boolean", true),
     "algorithm atp or esa: whether the fragments of a window have different slots, as long as "
     "there are enough (auto: true)", {}, IN_NETWORK},
    {"gradientMagnitude", AUTO, MAGNITUDE,
     "algorithm atp, switchml or esa: gradients are between minus this and this; switches add up "
     "integers of 32 bits, 10^6 for a gradient of 1 (auto: 1)", {}, IN_NETWORK},
    {"gradientRounding", AUTO, Choice({"nearest", "random"}),
     "algorithm atp, switchml or esa: how gradients become integers: nearest, or random, with the "
     "exact mean (auto: nearest)", {}, IN_NETWORK},
}};

// clang-format on

namespace
{

/// Reads the jobs of in-network aggregation.
class AggregationOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// @return the jobs of the file of --jobs, without their hosts
    std::vector<ClusterJob> ReadJobFile() const
    {
        RefuseIf(IsGiven("size"), "size", "not with --jobs=FILE, which has the sizes");
        m_scenario.options["size"] = nullptr;
        m_scenario.options["jobs"] = m_table.Get("jobs");
        return ReadFile("jobs", [this]() { return ReadJobTable(m_table.Get("jobs")); });
    }

    /// Refuse what in-network aggregation has no use for.
    void RefuseOthers()
    {
        const std::string with = "not with --algorithm=" + m_table.Get("algorithm");
        RefuseIf(m_scenario.workload != "all-reduce",
                 "algorithm",
                 "one for --workload=" + m_scenario.workload +
                     ": atp, switchml and esa are for all-reduce");
        RefuseGiven({"protocol",
                     "channels",
                     "chunks",
                     "repeat",
                     "root",
                     "communicators",
                     "skew",
                     "stage",
                     "senders",
                     "jitter",
                     "jobRanks"},
                    with);
        if (HasSumsAlone(m_table))
        {
            RefuseGiven({"mtu"}, with);
        }
        for (const char* option :
             {"transport", "recovery", "rateControl", "ackPolicy", "steering", "sendOrder"})
        {
            RefuseIf(HasSumsAlone(m_table) && m_table.Get(option) != m_table.At(option).row.usual,
                     option,
                     with + ", which has no queue pairs");
        }
    }

    void ReadAggregation()
    {
        AggregationSystem system(m_table, m_scenario);
        RefuseOthers();
        system.RefuseFabrics();
        AggregationSpec spec = system.ReadSlots();
        spec.jobs = ReadJobs();
        const bool hasSize = !m_scenario.options["size"].is_null();
        system.ReadWindow(spec, hasSize ? "size" : "jobs", "jobs");
        const std::vector<uint32_t> hosts = ReadPlacement(m_table, m_scenario);
        if (spec.algorithm != "switchml")
        {
            spec.servers = ReadServers(spec.jobs.size(), hosts);
        }
        system.ReadServers(spec);
        system.ReadGradients(spec);
        Place(spec, hosts);
        AggregationRates(m_table, m_scenario).Check(spec);
        m_scenario.options["algorithm"] = spec.algorithm;
        m_scenario.options["jobs"] = m_table.Get("jobs") == AUTO ? "1" : m_table.Get("jobs");
        m_scenario.aggregation = std::move(spec);
    }

    /// @return the jobs without their hosts
    std::vector<ClusterJob> ReadJobs()
    {
        constexpr uint64_t SIZE = 16777216;
        if (HasJobFile(m_table))
        {
            return ReadJobFile();
        }
        ClusterJob job;
        job.bytes = Read("size", SIZE);
        RefuseIf(job.bytes > MOST_BYTES,
                 "size",
                 "at most " + std::to_string(MOST_BYTES) + " bytes");
        const int64_t hosts = m_scenario.graph->HostCount();
        const std::size_t jobs = Parse("jobs", Whole(1, hosts, 1));
        return std::vector<ClusterJob>(jobs, job);
    }

    /// @return the jobs of a file  @param path the file
    static std::vector<ClusterJob> ReadJobTable(const std::string& path)
    {
        constexpr double MOST_NS = 1e12;
        constexpr double LAST_NS = 9e12; // ns-3 counts up to 9223 s in femtoseconds
        std::ifstream input;
        try
        {
            input = OpenTable(path);
        }
        catch (const std::invalid_argument&)
        {
            throw std::invalid_argument("'" + path +
                                        "' is neither a number nor a file that can be read");
        }
        TableReader table(input,
                          path,
                          {"bytes", "layers", "iterations", "compute_ns", "jitter", "start_ns"});
        std::vector<ClusterJob> jobs;
        while (table.Next())
        {
            const auto number = [&table](std::size_t column, double most) {
                const std::optional<double> value = ParseField(table.GetField(column));
                table.Require(value && *value >= 0 && *value <= most,
                              column,
                              "a number from 0 to " + std::to_string(static_cast<uint64_t>(most)));
                return *value;
            };
            ClusterJob job;
            job.bytes = table.GetWhole(0, 1, MOST_BYTES);
            job.layers = static_cast<uint32_t>(table.GetWhole(1, 1, 1000));
            job.iterations = static_cast<uint32_t>(table.GetWhole(2, 1, 1000000));
            job.computePs = static_cast<int64_t>(number(3, MOST_NS) * 1000);
            job.jitter = number(4, 1000);
            job.arrivalPs = static_cast<int64_t>(number(5, MOST_NS) * 1000);
            const double slowest = 1 + AggregationRates::SLOWEST * job.jitter;
            table.Require(job.arrivalPs / 1e3 + job.iterations * slowest * job.computePs / 1e3 <
                              LAST_NS,
                          3,
                          "so short that start + iterations x compute x (1 + 6 x jitter) is less "
                          "than 9000 s");
            jobs.push_back(job);
        }
        if (jobs.empty())
        {
            table.FailText("there is no job");
        }
        return jobs;
    }

    /// @return the hosts of the parameter servers, by job
    /// @param placement the hosts of all jobs, in the order in which they are given away
    std::vector<uint32_t> ReadServers(std::size_t jobs,
                                      const std::vector<uint32_t>& placement) const
    {
        if (m_table.Get("parameterServers") == AUTO)
        {
            const auto count = static_cast<std::ptrdiff_t>(std::min(jobs, placement.size()));
            return {placement.end() - count, placement.end()};
        }
        const uint32_t hosts = m_scenario.graph->HostCount();
        std::vector<uint32_t> servers;
        std::set<uint32_t> seen;
        for (const std::string& item : ReadList("parameterServers"))
        {
            const std::optional<int64_t> host = ParseInteger(item);
            RefuseIf(!host || *host < 0 || *host >= hosts || !seen.insert(*host).second,
                     "parameterServers",
                     "different hosts from 0 to " + std::to_string(hosts - 1) +
                         ", separated by commas, or auto");
            servers.push_back(*host);
        }
        RefuseIf(servers.size() != jobs,
                 "parameterServers",
                 "one host for each of the " + std::to_string(jobs) + " jobs, or auto");
        return servers;
    }

    /// Give each job its hosts.  @param [in,out] spec all jobs
    /// @param placement the hosts of all jobs, in the order in which they are given away
    void Place(AggregationSpec& spec, const std::vector<uint32_t>& placement) const
    {
        const std::vector<uint32_t>& servers = spec.servers;
        std::vector<uint32_t> others;
        for (const uint32_t host : placement)
        {
            if (std::find(servers.begin(), servers.end(), host) == servers.end())
            {
                others.push_back(host);
            }
        }
        const std::size_t workers = others.size() / spec.jobs.size();
        RefuseIf(workers < 2 || workers > AggregationSystem::MOST_WORKERS,
                 "jobs",
                 "each job needs 2 to " + std::to_string(AggregationSystem::MOST_WORKERS) +
                     " workers; " + std::to_string(others.size()) + " hosts are left for " +
                     std::to_string(spec.jobs.size()) + (spec.jobs.size() == 1 ? " job" : " jobs"));
        for (std::size_t j = 0; j < spec.jobs.size(); ++j)
        {
            const auto first = others.begin() + static_cast<std::ptrdiff_t>(j * workers);
            spec.jobs[j].hosts.assign(first, first + static_cast<std::ptrdiff_t>(workers));
        }
    }
};

} // namespace

bool
IsInNetwork(const std::string& algorithm)
{
    return algorithm == "atp" || algorithm == "switchml" || algorithm == "esa";
}

bool
HasSumsAlone(const OptionTable& table)
{
    return HasSumJobs(table) && table.Get("background") == NONE;
}

bool
HasSumJobs(const OptionTable& table)
{
    return IsInNetwork(table.Get("algorithm")) &&
           std::all_of(PROGRAM_FILES.begin(),
                       PROGRAM_FILES.end(),
                       [&table](const std::string& file) { return table.Get(file) == NONE; });
}

bool
HasJobFile(const OptionTable& table)
{
    const std::string& text = table.Get("jobs");
    return text != AUTO && !IsJobCount(text);
}

std::vector<ClusterJob>
ReadJobFile(const OptionTable& table, FabricScenario& scenario)
{
    return AggregationOptions(table, scenario).ReadJobFile();
}

void
ReadAggregation(const OptionTable& table, FabricScenario& scenario)
{
    AggregationOptions(table, scenario).ReadAggregation();
}

} // namespace aifabric
} // namespace ns3
