/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parallel-groups.h"

#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the place of a dimension among all
std::size_t
NumberOf(ParallelDimension dimension)
{
    return static_cast<std::size_t>(dimension);
}

} // namespace

ParallelGroups::ParallelGroups(const ParallelLayout& layout, uint32_t hosts)
{
    m_communicators.push_back({"all", std::vector<uint32_t>(hosts)});
    std::iota(m_communicators[0].hosts.begin(), m_communicators[0].hosts.end(), 0);
    for (const auto& [name, dimension] : PARALLEL_DIMENSIONS)
    {
        if (dimension == ParallelDimension::EXPERT_DATA &&
            layout.SizeOf(ParallelDimension::EXPERT) == 1)
        {
            m_groups[NumberOf(dimension)] = m_groups[NumberOf(ParallelDimension::DATA)];
        }
        else
        {
            Add(layout, dimension, name);
        }
    }
}

const std::vector<Communicator>&
ParallelGroups::GetCommunicators() const
{
    return m_communicators;
}

std::vector<uint32_t>
ParallelGroups::ListOf(ParallelDimension dimension) const
{
    const std::vector<uint32_t>& groups = m_groups[NumberOf(dimension)];
    std::set<uint32_t> all(groups.begin(), groups.end());
    all.erase(ALL_HOSTS);
    return {all.begin(), all.end()};
}

uint32_t
ParallelGroups::At(ParallelDimension dimension, uint32_t host) const
{
    return m_groups[NumberOf(dimension)][host];
}

void
ParallelGroups::Add(const ParallelLayout& layout, ParallelDimension dimension, const char* name)
{
    std::vector<uint32_t>& ofHosts = m_groups[NumberOf(dimension)];
    ofHosts.assign(layout.CountHosts(), ALL_HOSTS);
    if (layout.SizeOf(dimension) == 1)
    {
        return;
    }
    uint32_t number = 0;
    for (std::vector<uint32_t>& group : layout.ListGroups(dimension))
    {
        for (const uint32_t host : group)
        {
            ofHosts[host] = static_cast<uint32_t>(m_communicators.size());
        }
        m_communicators.push_back(
            {std::string(name) + " " + std::to_string(number), std::move(group)});
        ++number;
    }
}

} // namespace aifabric
} // namespace ns3
