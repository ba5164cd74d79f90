/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-workload.h"

#include "workload-check.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t REPORT_TAG = UINT32_MAX; //!< of the messages that report the end of a job

/// @return the nodes of a program on which no other one depends
std::vector<uint32_t>
FindLast(const WorkloadProgram& program)
{
    std::vector<bool> isLast(program.size(), true);
    for (const WorkloadNode& node : program)
    {
        for (const uint32_t dependency : node.dependencies)
        {
            isLast[dependency] = false;
        }
    }
    std::vector<uint32_t> last;
    for (uint32_t i = 0; i < program.size(); ++i)
    {
        if (isLast[i])
        {
            last.push_back(i);
        }
    }
    return last;
}

/// @return a message of 0 bytes  @param after the node that it waits for; none: nothing
WorkloadNode
MakeReport(WorkloadNode::Kind kind, uint32_t peer, std::vector<uint32_t> after)
{
    WorkloadNode node;
    node.name = "end";
    node.kind = kind;
    node.peer = peer;
    node.tag = REPORT_TAG;
    node.dependencies = std::move(after);
    return node;
}

/// Writes the program of a rank for the host on which it runs.
class ProgramMover
{
  public:
    /// @param job of its iterations and hosts
    /// @param firstCommunicator number of its first communicator
    /// @param tags how many the program has
    ProgramMover(const ClusterJob& job, uint32_t firstCommunicator, uint32_t tags)
        : m_job(job),
          m_firstCommunicator(firstCommunicator),
          m_tags(tags)
    {
    }

    /// @return what the host does  @param program of the rank
    WorkloadProgram Move(const WorkloadProgram& program) const
    {
        WorkloadProgram moved;
        WorkloadNode begin; // of an iteration
        begin.name = m_job.name + "-arrival";
        begin.durationPs = m_job.arrivalPs;
        const std::vector<uint32_t> last = FindLast(program);
        for (uint32_t round = 0; round < m_job.iterations; ++round)
        {
            const auto first = static_cast<uint32_t>(moved.size());
            moved.push_back(begin);
            for (const WorkloadNode& node : program)
            {
                moved.push_back(MoveNode(node, first, round));
            }
            begin = WorkloadNode();
            begin.name = m_job.name + "-iteration";
            for (const uint32_t node : last)
            {
                begin.dependencies.push_back(first + 1 + node);
            }
        }
        return moved;
    }

  private:
    /// @return a node  @param first the number of the node with which its iteration begins
    WorkloadNode MoveNode(WorkloadNode node, uint32_t first, uint32_t round) const
    {
        node.name = m_job.name + "/" + node.name;
        node.tag += round * m_tags;
        node.communicator += m_firstCommunicator;
        if (node.kind == WorkloadNode::Kind::SEND || node.kind == WorkloadNode::Kind::RECEIVE)
        {
            node.peer = m_job.hosts[node.peer];
        }
        for (std::vector<uint32_t>* const others : {&node.dependencies, &node.startDependencies})
        {
            for (uint32_t& other : *others)
            {
                other += first + 1;
            }
        }
        if (node.dependencies.empty())
        {
            node.dependencies.push_back(first);
        }
        return node;
    }

    const ClusterJob& m_job;      //!< the job
    uint32_t m_firstCommunicator; //!< number of its first communicator
    uint32_t m_tags;              //!< how many the program has
};

/// @return one more than the largest tag of a workload
uint32_t
CountTags(const TrainingWorkload& workload)
{
    uint32_t tags = 0;
    for (const WorkloadProgram& program : workload.programs)
    {
        for (const WorkloadNode& node : program)
        {
            tags = std::max(tags, node.tag + 1);
        }
    }
    return tags;
}

} // namespace

ClusterWorkload::ClusterWorkload(const std::vector<ClusterJob>& jobs,
                                 TrainingWorkload plain,
                                 uint32_t hosts)
    : m_jobs(jobs),
      m_workload(std::move(plain))
{
    m_workload.programOf.resize(hosts, TrainingWorkload::NO_PROGRAM);
}

void
ClusterWorkload::Add(const ClusterJob& job, const TrainingWorkload& program)
{
    if (program.barrier)
    {
        throw std::invalid_argument("job " + job.name + ": a program with a barrier");
    }
    const auto communicators = static_cast<uint32_t>(m_workload.communicators.size());
    const auto programs = static_cast<uint32_t>(m_workload.programs.size());
    for (Communicator communicator : program.communicators)
    {
        communicator.name = job.name + "/" + communicator.name;
        for (uint32_t& host : communicator.hosts)
        {
            host = job.hosts[host];
        }
        m_workload.communicators.push_back(std::move(communicator));
    }
    uint64_t nodes = 0; // of all ranks, with the begins of iterations
    for (const uint32_t own : program.programOf)
    {
        const bool isIdle = own == TrainingWorkload::NO_PROGRAM;
        nodes += isIdle ? 0 : (program.programs[own].size() + 1) * job.iterations;
    }
    if (nodes > MAX_WORKLOAD_NODES)
    {
        throw std::invalid_argument("job " + job.name + ": " + std::to_string(job.iterations) +
                                    " iterations are too many steps (at most " +
                                    std::to_string(MAX_WORKLOAD_NODES) + " of all ranks)");
    }
    const ProgramMover mover(job, communicators, CountTags(program));
    for (const WorkloadProgram& own : program.programs)
    {
        m_workload.programs.push_back(mover.Move(own));
    }
    for (uint32_t rank = 0; rank < job.hosts.size(); ++rank)
    {
        const uint32_t own = program.programOf[rank];
        const bool isIdle = own == TrainingWorkload::NO_PROGRAM;
        m_workload.programOf[job.hosts[rank]] = isIdle ? own : programs + own;
    }
}

uint32_t
ClusterWorkload::FindFirst(const ClusterJob& job) const
{
    return *std::find_if(job.hosts.begin(), job.hosts.end(), [this](uint32_t host) {
        return m_workload.programOf[host] != TrainingWorkload::NO_PROGRAM;
    });
}

std::set<uint32_t>
ClusterWorkload::FindPrograms(const ClusterJob& job) const
{
    std::set<uint32_t> programs;
    for (const uint32_t host : job.hosts)
    {
        programs.insert(m_workload.programOf[host]);
    }
    programs.erase(TrainingWorkload::NO_PROGRAM);
    return programs;
}

void
ClusterWorkload::Part(uint32_t host)
{
    uint32_t& program = m_workload.programOf[host];
    const auto& all = m_workload.programOf;
    if (std::count(all.begin(), all.end(), program) > 1)
    {
        m_workload.programs.push_back(m_workload.programs[program]);
        program = static_cast<uint32_t>(m_workload.programs.size() - 1);
    }
}

uint32_t
ClusterWorkload::MarkEnd(uint32_t program)
{
    const auto known = m_ends.find(program);
    if (known != m_ends.end())
    {
        return known->second;
    }
    WorkloadProgram& nodes = m_workload.programs[program];
    WorkloadNode end;
    end.name = "end";
    end.isEnd = true;
    end.dependencies = FindLast(nodes);
    nodes.push_back(end);
    return m_ends[program] = static_cast<uint32_t>(nodes.size() - 1);
}

uint32_t
ClusterWorkload::Report(const ClusterJob& job)
{
    const uint32_t first = FindFirst(job);
    const uint32_t own = m_workload.programOf[first];
    WorkloadProgram& nodes = m_workload.programs[own];
    std::vector<uint32_t> awaited{MarkEnd(own)};
    for (const uint32_t program : FindPrograms(job))
    {
        const uint32_t end = MarkEnd(program);
        if (program != own)
        {
            m_workload.programs[program].push_back(
                MakeReport(WorkloadNode::Kind::SEND, first, {end}));
        }
    }
    for (const uint32_t host : job.hosts)
    {
        const uint32_t program = m_workload.programOf[host];
        if (program != own && program != TrainingWorkload::NO_PROGRAM)
        {
            awaited.push_back(static_cast<uint32_t>(nodes.size()));
            nodes.push_back(MakeReport(WorkloadNode::Kind::RECEIVE, host, {}));
        }
    }
    WorkloadNode ended;
    ended.name = "ended";
    ended.dependencies = std::move(awaited);
    nodes.push_back(ended);
    return static_cast<uint32_t>(nodes.size() - 1);
}

void
ClusterWorkload::Follow(const ClusterJob& job, uint32_t first, uint32_t ended)
{
    for (const uint32_t host : job.hosts)
    {
        if (m_workload.programOf[host] != TrainingWorkload::NO_PROGRAM)
        {
            m_workload.programs[m_workload.programOf[first]].push_back(
                MakeReport(WorkloadNode::Kind::SEND, host, {ended}));
        }
    }
    for (const uint32_t program : FindPrograms(job))
    {
        WorkloadProgram& nodes = m_workload.programs[program];
        const auto report = static_cast<uint32_t>(nodes.size());
        for (WorkloadNode& node : nodes)
        {
            const auto end = node.dependencies.end();
            if (std::find(node.dependencies.begin(), end, 0) != end) // the arrival
            {
                node.dependencies.push_back(report);
            }
        }
        nodes.push_back(MakeReport(WorkloadNode::Kind::RECEIVE, first, {}));
        nodes.back().isBegin = true;
    }
}

TrainingWorkload
ClusterWorkload::Join()
{
    for (const ClusterJob& before : m_jobs)
    {
        const auto follows = [&before](const ClusterJob& job) { return job.after == before.name; };
        if (std::none_of(m_jobs.begin(), m_jobs.end(), follows))
        {
            continue;
        }
        Part(FindFirst(before));
        const uint32_t ended = Report(before);
        for (const ClusterJob& job : m_jobs)
        {
            if (follows(job))
            {
                Follow(job, FindFirst(before), ended);
            }
        }
    }
    for (const ClusterJob& job : m_jobs)
    {
        for (const uint32_t program : FindPrograms(job))
        {
            if (!job.program.empty() || !job.after.empty())
            {
                MarkEnd(program);
            }
        }
    }
    CheckWorkload(m_workload, static_cast<uint32_t>(m_workload.programOf.size()));
    return std::move(m_workload);
}

} // namespace aifabric
} // namespace ns3
