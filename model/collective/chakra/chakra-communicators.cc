/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-communicators.h"

#include "ns3/message-text.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

const char* const ALL = "all"; //!< the group of all ranks

} // namespace

ChakraCommunicators::ChakraCommunicators(std::vector<uint32_t> placement, ChakraGroups groups)
    : m_placement(std::move(placement)),
      m_groups(std::move(groups))
{
    m_ranks.emplace_back(m_placement.size());
    std::iota(m_ranks.back().begin(), m_ranks.back().end(), 0);
    m_communicators.push_back({ALL, m_placement});
    for (const auto& [name, ranks] : m_groups)
    {
        CheckGiven(name, ranks);
    }
}

void
ChakraCommunicators::CheckGiven(const std::string& name, const std::vector<uint32_t>& ranks) const
{
    try
    {
        Check(name, ranks);
    }
    catch (const std::invalid_argument& error)
    {
        throw ChakraGroupsError(error.what());
    }
}

std::optional<uint32_t>
ChakraCommunicators::Find(const std::string& name, const ChakraGroups& own)
{
    const auto given = m_groups.find(name);
    const auto made = own.find(name);
    const bool isMade = given == m_groups.end();
    if (isMade && made == own.end())
    {
        const bool isAll = name.empty() || name == "0" || name == ALL;
        return isAll ? std::make_optional(0U) : std::nullopt;
    }
    const std::vector<uint32_t>& ranks = isMade ? made->second : given->second;
    const Key key{name, ranks.empty() ? m_ranks[0] : ranks};
    const auto known = m_indices.find(key);
    if (known != m_indices.end())
    {
        return known->second;
    }
    if (isMade)
    {
        Check(name, key.second);
    }
    const auto index = static_cast<uint32_t>(m_communicators.size());
    Communicator communicator{name, {}};
    std::transform(key.second.begin(),
                   key.second.end(),
                   std::back_inserter(communicator.hosts),
                   [this](uint32_t rank) { return m_placement[rank]; });
    m_ranks.push_back(key.second);
    m_communicators.push_back(std::move(communicator));
    m_indices.emplace(key, index);
    return index;
}

void
ChakraCommunicators::Check(const std::string& name, const std::vector<uint32_t>& ranks) const
{
    std::vector<bool> isMember(m_placement.size());
    for (const uint32_t rank : ranks)
    {
        if (rank >= isMember.size())
        {
            throw std::invalid_argument(
                "group " + Quoted(name) + " has rank " + std::to_string(rank) +
                ", and there are traces of ranks 0.." + std::to_string(isMember.size() - 1));
        }
        if (isMember[rank])
        {
            throw std::invalid_argument("group " + Quoted(name) + " has rank " +
                                        std::to_string(rank) + " twice");
        }
        isMember[rank] = true;
    }
}

const std::vector<uint32_t>&
ChakraCommunicators::RanksOf(uint32_t index) const
{
    return m_ranks[index];
}

uint32_t
ChakraCommunicators::HostOf(uint32_t rank) const
{
    return m_placement[rank];
}

uint32_t
ChakraCommunicators::CountRanks() const
{
    return static_cast<uint32_t>(m_placement.size());
}

std::vector<std::string>
ChakraCommunicators::ListNames(const ChakraGroups& own) const
{
    std::set<std::string> names;
    for (const ChakraGroups* groups : {&m_groups, &own})
    {
        for (const auto& group : *groups)
        {
            names.insert(group.first);
        }
    }
    return {names.begin(), names.end()};
}

const std::vector<Communicator>&
ChakraCommunicators::Get() const
{
    return m_communicators;
}

} // namespace aifabric
} // namespace ns3
