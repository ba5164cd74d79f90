/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "program-table.h"

#include <tuple>

namespace ns3
{
namespace aifabric
{

ProgramTable::Program::Program(const WorkloadProgram& nodes)
    : dependents(nodes.size()),
      streams(nodes),
      numbers(nodes.size()),
      places(nodes.size())
{
    std::map<std::tuple<WorkloadNode::Kind, uint32_t, uint32_t>, uint32_t> issued;
    for (uint32_t i = 0; i < nodes.size(); ++i)
    {
        waiting.push_back(static_cast<uint32_t>(nodes[i].dependencies.size()));
        for (const uint32_t dependency : nodes[i].dependencies)
        {
            dependents[dependency].push_back(i);
        }
        for (const uint32_t other : nodes[i].startDependencies)
        {
            ++waiting[i];
            followers.resize(nodes.size());
            followers[other].push_back(i);
        }
        for (const uint32_t before : streams.PredecessorsOf(i))
        {
            ++waiting[i];
            dependents[before].push_back(i);
        }
        if (nodes[i].kind == WorkloadNode::Kind::SEND)
        {
            numbers[i] = static_cast<uint32_t>(sends.size());
            sends.push_back(i);
        }
        places[i] = issued[{nodes[i].kind, nodes[i].peer, nodes[i].tag}]++;
    }
}

ProgramTable::ProgramTable(const TrainingWorkload& workload)
    : m_workload(workload)
{
    for (const WorkloadProgram& nodes : workload.programs)
    {
        m_programs.emplace_back(nodes);
        NumberCollectives(nodes, m_programs.back());
    }
}

void
ProgramTable::NumberCollectives(const WorkloadProgram& nodes, Program& program)
{
    std::map<uint32_t, uint32_t> counts; // by communicator
    for (uint32_t i = 0; i < nodes.size(); ++i)
    {
        if (nodes[i].kind != WorkloadNode::Kind::COLLECTIVE)
        {
            continue;
        }
        const uint32_t place = counts[nodes[i].communicator]++;
        const auto [number, isNew] =
            m_numbers.try_emplace({nodes[i].communicator, place}, m_collectives.size());
        if (isNew)
        {
            m_collectives.push_back(&nodes[i]);
        }
        program.numbers[i] = number->second;
    }
}

const ProgramTable::Program&
ProgramTable::Of(uint32_t host) const
{
    return m_programs[m_workload.programOf[host]];
}

const std::vector<const WorkloadNode*>&
ProgramTable::GetCollectives() const
{
    return m_collectives;
}

} // namespace aifabric
} // namespace ns3
