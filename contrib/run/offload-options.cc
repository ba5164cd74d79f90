/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-rates.h"
#include "aggregation-run.h"
#include "aggregation-system.h"
#include "option-sections.h"
#include "option-value.h"

#include "ns3/aggregation-codec.h"
#include "ns3/atp-worker.h"
#include "ns3/boolean.h"
#include "ns3/compute-bound.h"
#include "ns3/config.h"
#include "ns3/gradient-group.h"
#include "ns3/message-text.h"
#include "ns3/offloaded-collective.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Reads which all-reduces of an iteration switches add up: each communicator that sums gradients
/// across nodes is a job of in-network aggregation.
class OffloadOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// @param blamed the option that names the iteration
    void Read(const std::string& blamed)
    {
        AggregationSystem system(m_table, m_scenario);
        system.RefuseFabrics();
        AggregationSpec spec = system.ReadSlots();
        m_scenario.collectives.byName[spec.algorithm] = OffloadedCollective::GetTypeId();
        m_scenario.algorithms.emplace(OffloadedCollective::GetTypeId(), spec.algorithm);
        MarkGradients(spec.algorithm);
        AddGroups(spec);
        if (spec.groups.empty() && IsPart())
        {
            return;
        }
        RefuseIf(
            spec.groups.empty(),
            "algorithm",
            "an algorithm of messages: the file of --" + blamed +
                " has no all-reduce of two ranks or more across nodes, without an algorithm of "
                "its own (as gradients = \"all-reduce\" of [parallelism] is); switches do no "
                "other collective");
        if (spec.algorithm != "switchml")
        {
            spec.servers = ReadHosts(spec);
        }
        system.ReadWindow(spec, blamed, blamed);
        system.ReadServers(spec);
        system.ReadGradients(spec);
        ReadMarks();
        AggregationRates(m_table, m_scenario).Check(spec);
        m_scenario.aggregation = std::move(spec);
    }

  private:
    /// Have workers of ATP and ESA react to marks only if switches mark as these expect it: marks
    /// that were chosen for messages come in nearly all round trips, and each of them halves the
    /// window.
    void ReadMarks() const
    {
        const std::string reacts = AtpWorker::GetTypeId().GetName() + "::ReactToMarks";
        if (!(IsGiven("marker") && m_table.Get("marker") == "step") && !IsAttributeGiven(reacts))
        {
            Config::SetDefault(reacts, BooleanValue(false));
        }
    }

    /// @return whether jobs of --cluster that have programs are still to come: the sizes of the
    /// others are checked before
    bool IsPart() const
    {
        const std::vector<uint32_t>& programs = m_scenario.training->programOf;
        return std::any_of(
            m_scenario.jobs.begin(),
            m_scenario.jobs.end(),
            [&programs](const ClusterJob& job) {
                return !job.program.empty() &&
                       std::all_of(job.hosts.begin(), job.hosts.end(), [&programs](uint32_t host) {
                           return programs[host] == TrainingWorkload::NO_PROGRAM;
                       });
            });
    }

    /// @return whether switches add up what a node of an iteration sums
    bool IsGradient(const WorkloadNode& node) const
    {
        if (node.kind != WorkloadNode::Kind::COLLECTIVE ||
            node.collective != CollectiveKind::ALL_REDUCE || node.sumsActivations ||
            !node.algorithm.empty())
        {
            return false;
        }
        const std::vector<uint32_t>& hosts =
            m_scenario.training->communicators[node.communicator].hosts;
        return std::any_of(hosts.begin(), hosts.end(), [&](uint32_t host) {
            return host != hosts[0] && !m_scenario.nodes.Joins(hosts[0], host);
        });
    }

    /// Name the algorithm of all gradients.  @param algorithm its name
    void MarkGradients(const std::string& algorithm)
    {
        for (WorkloadProgram& program : m_scenario.training->programs)
        {
            for (WorkloadNode& node : program)
            {
                if (!IsGradient(node))
                {
                    continue;
                }
                RefuseIf(node.trafficClass != Flow::USUAL_CLASS,
                         "algorithm",
                         "an algorithm of messages for traces with comm_priority, as all-reduce " +
                             Quoted(node.name) + " has " + std::to_string(node.trafficClass) +
                             ": what switches add up has no traffic class of its own");
                node.algorithm = algorithm;
            }
        }
    }

    /// Find the communicators whose gradients switches add up.
    /// @param [in,out] spec of their jobs
    void AddGroups(AggregationSpec& spec) const
    {
        const TrainingWorkload& workload = *m_scenario.training;
        const int64_t computePs = ComputeBoundPs(workload, 1, 1);
        for (uint32_t group = 0; group < workload.communicators.size(); ++group)
        {
            ClusterJob job = MakeJob(spec, group);
            if (job.layers == 0)
            {
                continue;
            }
            RefuseIf(job.hosts.size() > AggregationSystem::MOST_WORKERS,
                     "algorithm",
                     "an algorithm of messages: communicator " + Quoted(job.name) + " has " +
                         std::to_string(job.hosts.size()) + " ranks, and the bitmap of " +
                         spec.algorithm + " " + std::to_string(AggregationSystem::MOST_WORKERS) +
                         " bits");
            job.computePs = computePs;
            job.iterations = static_cast<uint32_t>(Parse("iterations", Whole(1, 1000000)));
            spec.jobs.push_back(std::move(job));
            spec.groups.push_back(group);
        }
    }

    /// @return the job of a communicator; without layers: it has none
    ClusterJob MakeJob(const AggregationSpec& spec, uint32_t group) const
    {
        const TrainingWorkload& workload = *m_scenario.training;
        const auto system = AggregationRun::FindSystem(spec.algorithm);
        const uint32_t values = AggregationHelper::GetValues(system);
        ClusterJob job;
        job.name = workload.communicators[group].name;
        job.hosts = workload.communicators[group].hosts;
        job.layers = 0;
        const uint32_t program =
            job.hosts.empty() ? TrainingWorkload::NO_PROGRAM : workload.programOf[job.hosts[0]];
        if (program == TrainingWorkload::NO_PROGRAM)
        {
            return job;
        }
        for (const WorkloadNode& node : workload.programs[program])
        {
            if (node.kind == WorkloadNode::Kind::COLLECTIVE && node.communicator == group &&
                node.algorithm == spec.algorithm)
            {
                ++job.layers;
                job.bytes += GradientGroup::CountFragments(node.bytes, values) * values *
                             AggregationCodec::WORD;
            }
        }
        const uint32_t repeats = CountRepeats(job.hosts[0]);
        job.layers = (job.layers + repeats - 1) / repeats; // sizes are checked with one iteration
        return job;
    }

    /// @return how often the program of a host has its iteration: as often as a line of --cluster
    /// says, or once
    uint32_t CountRepeats(uint32_t host) const
    {
        for (const ClusterJob& job : m_scenario.jobs)
        {
            if (std::count(job.hosts.begin(), job.hosts.end(), host) > 0)
            {
                return job.iterations;
            }
        }
        return 1;
    }

    /// @return the hosts of the parameter servers, by job: spread over those that have nothing to
    /// do, or else over all, never a rank of the job
    std::vector<uint32_t> ReadHosts(const AggregationSpec& spec) const
    {
        const std::vector<uint32_t> given = ReadGiven();
        const std::vector<uint32_t> all = given.empty() ? FindIdle() : given;
        std::vector<uint32_t> servers;
        for (std::size_t j = 0; j < spec.jobs.size(); ++j)
        {
            const std::vector<uint32_t>& ranks = spec.jobs[j].hosts;
            const auto isOther = [&ranks](uint32_t host) {
                return std::find(ranks.begin(), ranks.end(), host) == ranks.end();
            };
            const auto first = all.begin() + static_cast<std::ptrdiff_t>(
                                                 given.empty() ? j * all.size() / spec.jobs.size()
                                                               : j % all.size());
            auto found = given.empty() ? std::find_if(first, all.end(), isOther) : first;
            found = found == all.end() ? std::find_if(all.begin(), first, isOther) : found;
            RefuseIf(given.empty() && !isOther(*found),
                     "algorithm",
                     "switchml, or an algorithm of messages: communicator " +
                         Quoted(spec.jobs[j].name) +
                         " has all hosts, and its parameter server needs another one");
            RefuseIf(!isOther(*found),
                     "parameterServers",
                     "a host that is no rank of communicator " + Quoted(spec.jobs[j].name) +
                         ", whose sums it gets");
            servers.push_back(*found);
        }
        return servers;
    }

    /// @return the hosts of --parameterServers; none: auto
    std::vector<uint32_t> ReadGiven() const
    {
        std::vector<uint32_t> hosts;
        if (m_table.Get("parameterServers") == AUTO)
        {
            return hosts;
        }
        const uint32_t count = m_scenario.graph->HostCount();
        for (const std::string& item : ReadList("parameterServers"))
        {
            const std::optional<int64_t> host = ParseInteger(item);
            RefuseIf(!host || *host < 0 || *host >= count,
                     "parameterServers",
                     "hosts from 0 to " + std::to_string(count - 1) +
                         ", separated by commas, or auto");
            hosts.push_back(static_cast<uint32_t>(*host));
        }
        return hosts;
    }

    /// @return the hosts that have nothing to do; if there are none, all
    std::vector<uint32_t> FindIdle() const
    {
        const std::vector<uint32_t>& programs = m_scenario.training->programOf;
        std::vector<uint32_t> idle;
        std::vector<uint32_t> all;
        for (uint32_t host = 0; host < m_scenario.graph->HostCount(); ++host)
        {
            all.push_back(host);
            if (host >= programs.size() || programs[host] == TrainingWorkload::NO_PROGRAM)
            {
                idle.push_back(host);
            }
        }
        return idle.empty() ? all : idle;
    }
};

} // namespace

void
OffloadGradients(const OptionTable& table, FabricScenario& scenario, const std::string& blamed)
{
    if (IsInNetwork(table.Get("algorithm")))
    {
        OffloadOptions(table, scenario).Read(blamed);
    }
}

} // namespace aifabric
} // namespace ns3
