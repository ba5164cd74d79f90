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

StreamTable::StreamTable(const WorkloadProgram& program)
{
    std::map<std::pair<WorkloadNode::Unit, int64_t>, uint32_t> numbers;
    std::vector<uint32_t> latest; // collective, by stream
    for (uint32_t i = 0; i < program.size(); ++i)
    {
        const WorkloadNode& node = program[i];
        if (node.unit == WorkloadNode::Unit::NONE)
        {
            continue;
        }
        m_streams.resize(program.size(), NONE);
        m_predecessors.resize(program.size(), NONE);
        const auto next = static_cast<uint32_t>(m_units.size());
        const auto [number, isNew] = numbers.try_emplace({node.unit, node.stream}, next);
        if (isNew)
        {
            m_units.push_back(node.unit);
            latest.push_back(NONE);
        }
        m_streams[i] = number->second;
        if (node.kind == WorkloadNode::Kind::COLLECTIVE)
        {
            m_predecessors[i] = std::exchange(latest[number->second], i);
        }
    }
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

uint32_t
StreamTable::PredecessorOf(uint32_t node) const
{
    return m_predecessors.empty() ? NONE : m_predecessors[node];
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
