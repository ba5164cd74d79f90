/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-values.h"

#include "workload-check.h"

#include "ns3/message-text.h"

#include <stdexcept>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Checks the values of one workload.
class ValueCheck
{
  public:
    ValueCheck(const TrainingWorkload& workload, uint32_t hosts)
        : m_workload(workload),
          m_hosts(hosts)
    {
    }

    /// Check everything; what comes later relies on what comes before.
    void Check() const
    {
        CheckSize();
        for (const auto& communicator : m_workload.communicators)
        {
            CheckCommunicator(communicator);
        }
        for (const auto& program : m_workload.programs)
        {
            CheckProgram(program);
        }
    }

  private:
    /// Check the number of hosts, programs and nodes.
    void CheckSize() const
    {
        if (m_workload.programOf.size() != m_hosts)
        {
            RefuseWorkload("the workload is for " + std::to_string(m_workload.programOf.size()) +
                           " hosts, and there are " + std::to_string(m_hosts));
        }
        uint64_t nodes = 0;
        uint64_t dependencies = 0;
        for (const uint32_t program : m_workload.programOf)
        {
            if (program != TrainingWorkload::NO_PROGRAM && program >= m_workload.programs.size())
            {
                RefuseWorkload("program " + std::to_string(program) + " is not there");
            }
        }
        std::vector<uint64_t> dependenciesOf;
        for (const auto& program : m_workload.programs)
        {
            dependenciesOf.push_back(0);
            for (const auto& node : program)
            {
                dependenciesOf.back() += node.dependencies.size() + node.startDependencies.size();
            }
        }
        for (uint32_t host = 0; host < m_hosts; ++host)
        {
            const uint32_t program = m_workload.programOf[host];
            const bool hasOne = program != TrainingWorkload::NO_PROGRAM;
            nodes += hasOne ? m_workload.programs[program].size() : 0;
            dependencies += hasOne ? dependenciesOf[program] : 0;
        }
        if (nodes > MAX_WORKLOAD_NODES || dependencies > MAX_WORKLOAD_DEPENDENCIES)
        {
            RefuseWorkload(std::to_string(nodes) + " nodes with " + std::to_string(dependencies) +
                           " dependencies on all hosts together are too many (at most " +
                           std::to_string(MAX_WORKLOAD_NODES) + " and " +
                           std::to_string(MAX_WORKLOAD_DEPENDENCIES) + ")");
        }
    }

    /// Check that a communicator has hosts, none twice.
    void CheckCommunicator(const Communicator& communicator) const
    {
        const std::string name = "communicator " + Quoted(communicator.name) + ": ";
        std::vector<bool> isMember(m_hosts);
        if (communicator.hosts.empty())
        {
            RefuseWorkload(name + "there is no host in it");
        }
        for (const uint32_t host : communicator.hosts)
        {
            if (host >= m_hosts)
            {
                RefuseWorkload(name + "host " + std::to_string(host) + " is not there (0.." +
                               std::to_string(m_hosts - 1) + ")");
            }
            if (isMember[host])
            {
                RefuseWorkload(name + "host " + std::to_string(host) + " is in it twice");
            }
            isMember[host] = true;
        }
    }

    /// Check each node of a program by itself.
    void CheckProgram(const WorkloadProgram& program) const
    {
        for (uint32_t i = 0; i < program.size(); ++i)
        {
            CheckDependencies(program, i);
            const std::string wrong = WhatIsWrong(program[i]);
            if (!wrong.empty())
            {
                RefuseWorkload(NodeText(program, i) + ": " + wrong);
            }
        }
    }

    /// Check that the dependencies of a node are there.
    static void CheckDependencies(const WorkloadProgram& program, uint32_t index)
    {
        for (const auto* others : {&program[index].dependencies, &program[index].startDependencies})
        {
            for (const uint32_t other : *others)
            {
                if (other >= program.size())
                {
                    RefuseWorkload(NodeText(program, index) + ": depends on node " +
                                   std::to_string(other) + ", which is not there");
                }
            }
        }
    }

    /// @return what is wrong with the values of a node, empty if nothing is
    std::string WhatIsWrong(const WorkloadNode& node) const
    {
        using Kind = WorkloadNode::Kind;
        if (node.kind == Kind::COMPUTE)
        {
            const bool ok = node.durationPs >= 0 && node.durationPs <= MAX_WORKLOAD_DELAY_PS;
            return ok ? "" : std::to_string(node.durationPs) + " ps are no delay (0..1000 s)";
        }
        const uint64_t least = node.kind == Kind::COLLECTIVE ? 1 : 0;
        if (node.bytes < least || node.bytes > MAX_WORKLOAD_BYTES)
        {
            return std::to_string(node.bytes) + " are no number of bytes (" +
                   std::to_string(least) + ".." + std::to_string(MAX_WORKLOAD_BYTES) + ")";
        }
        if (node.kind != Kind::COLLECTIVE)
        {
            const bool ok = node.peer < m_hosts;
            return ok ? "" : "host " + std::to_string(node.peer) + " is not there";
        }
        if (node.communicator >= m_workload.communicators.size())
        {
            return "communicator " + std::to_string(node.communicator) + " is not there";
        }
        const auto ranks = m_workload.communicators[node.communicator].hosts.size();
        if (ranks < 2)
        {
            return "a collective needs at least two hosts";
        }
        if (node.root >= ranks)
        {
            return "rank " + std::to_string(node.root) + " is not there";
        }
        return node.parts ? WhatIsWrongWithParts(node, ranks) : "";
    }

    /// @return what is wrong with the parts of an all-to-all, empty if nothing is
    static std::string WhatIsWrongWithParts(const WorkloadNode& node, std::size_t ranks)
    {
        if (node.collective != CollectiveKind::ALL_TO_ALL)
        {
            return NameOf(node.collective) + " has no parts of unequal sizes, only all-to-all has";
        }
        const std::size_t parts = node.parts->GetBytes().size();
        if (node.parts->GetRanks() != ranks || parts != ranks * ranks)
        {
            return "sizes of " + std::to_string(parts) + " parts are given (" +
                   std::to_string(ranks * ranks) + ")";
        }
        const bool ok = node.parts->GetMost() <= MAX_WORKLOAD_BYTES;
        return ok ? ""
                  : "a rank has " + std::to_string(node.parts->GetMost()) + " bytes (0.." +
                        std::to_string(MAX_WORKLOAD_BYTES) + ")";
    }

    const TrainingWorkload& m_workload; //!< the workload
    uint32_t m_hosts;                   //!< number of hosts
};

} // namespace

void
RefuseWorkload(const std::string& why)
{
    throw std::invalid_argument(why);
}

/// @return what a node is called in a message
std::string
NodeText(const WorkloadProgram& program, uint32_t index)
{
    return "node " + std::to_string(index) + " " + Quoted(program[index].name);
}

void
CheckValues(const TrainingWorkload& workload, uint32_t hosts)
{
    ValueCheck(workload, hosts).Check();
}

} // namespace aifabric
} // namespace ns3
