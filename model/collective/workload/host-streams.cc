/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-streams.h"

#include <map>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

using Unit = WorkloadNode::Unit;

/// @return what identifies a stream  @param node a node of the stream
std::pair<Unit, int64_t>
KeyOf(const WorkloadNode& node)
{
    const bool isShared = node.unit != Unit::PROCESSOR && node.stream >= 0;
    return {isShared ? Unit::COMPUTE : node.unit, node.stream};
}

} // namespace

StreamTable::StreamTable(const WorkloadProgram& program)
{
    std::map<std::pair<Unit, int64_t>, uint32_t> numbers;
    std::vector<Tail> tails; // by stream
    for (uint32_t i = 0; i < program.size(); ++i)
    {
        const WorkloadNode& node = program[i];
        if (node.unit == Unit::NONE)
        {
            continue;
        }
        m_streams.resize(program.size(), NONE);
        m_predecessors.resize(program.size());
        const auto next = static_cast<uint32_t>(m_units.size());
        const auto [number, isNew] = numbers.try_emplace(KeyOf(node), next);
        const uint32_t stream = number->second;
        if (isNew)
        {
            m_units.push_back(node.unit);
            tails.emplace_back();
        }
        if (node.unit == Unit::COLLECTIVE || node.unit == Unit::SEND)
        {
            m_units[stream] = node.unit;
        }
        m_streams[i] = stream;
        Order(i, node.kind == WorkloadNode::Kind::COLLECTIVE, tails[stream]);
    }
}

void
StreamTable::Order(uint32_t node, bool isCollective, Tail& tail)
{
    if (tail.collective != NONE)
    {
        m_predecessors[node].push_back(tail.collective);
    }
    if (!isCollective)
    {
        tail.others.push_back(node);
        return;
    }
    m_predecessors[node].insert(m_predecessors[node].end(), tail.others.begin(), tail.others.end());
    tail = {node, {}};
}

uint32_t
StreamTable::StreamOf(uint32_t node) const
{
    return m_streams.empty() ? NONE : m_streams[node];
}

const std::vector<WorkloadNode::Unit>&
StreamTable::GetUnits() const
{
    return m_units;
}

std::vector<uint32_t>
StreamTable::GetLimits(uint32_t processorOperations, uint32_t streamOperations) const
{
    std::vector<uint32_t> limits;
    for (const Unit unit : m_units)
    {
        const bool isKernel = unit == Unit::COMPUTE || unit == Unit::MEMORY;
        limits.push_back(unit == Unit::PROCESSOR ? processorOperations
                         : isKernel              ? streamOperations
                                                 : 1);
    }
    return limits;
}

const std::vector<uint32_t>&
StreamTable::PredecessorsOf(uint32_t node) const
{
    return m_predecessors.empty() ? m_none : m_predecessors[node];
}

HostStreams::HostStreams(std::vector<uint32_t> limits)
    : m_streams(limits.size())
{
    for (std::size_t stream = 0; stream < limits.size(); ++stream)
    {
        m_streams[stream].free = limits[stream];
    }
}

void
HostStreams::Enter(uint32_t stream, uint32_t node)
{
    m_streams[stream].ready.push(node);
}

void
HostStreams::Leave(uint32_t stream)
{
    ++m_streams[stream].free;
}

std::optional<uint32_t>
HostStreams::Take(uint32_t stream)
{
    Stream& own = m_streams[stream];
    if (own.free == 0 || own.ready.empty())
    {
        return std::nullopt;
    }
    const uint32_t node = own.ready.top();
    own.ready.pop();
    --own.free;
    return node;
}

} // namespace aifabric
} // namespace ns3
