/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_COMMUNICATORS_H
#define CHAKRA_COMMUNICATORS_H

#include "chakra-groups.h"

#include "ns3/training-workload.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The communicators of a run of Chakra traces. Groups become communicators when a node names them:
 * groups of one name that have other ranks in other traces are several.
 */
class ChakraCommunicators
{
  public:
    /**
     * @param placement host by rank
     * @param groups groups that any trace may name; without ranks: all
     * @throws ChakraGroupsError if one has a rank that is not there or there twice
     */
    ChakraCommunicators(std::vector<uint32_t> placement, ChakraGroups groups);

    /**
     * @param name name of a group; empty, "0" and "all": all ranks, unless there is such a group
     * @param own the groups that the trace makes
     * @return index of the communicator; nothing, if there is no such group
     * @throws std::invalid_argument if there is one with a rank that is not there or there twice
     */
    std::optional<uint32_t> Find(const std::string& name, const ChakraGroups& own);

    /// @return the ranks of a communicator, in its order
    const std::vector<uint32_t>& RanksOf(uint32_t index) const;

    /// @return the host of a rank
    uint32_t HostOf(uint32_t rank) const;

    /// @return number of ranks
    uint32_t CountRanks() const;

    /// @return the names of groups that a trace may use, but "all"  @param own the groups that it
    /// makes
    std::vector<std::string> ListNames(const ChakraGroups& own) const;

    /// @return the communicators, by index; the first is all ranks
    const std::vector<Communicator>& Get() const;

  private:
    /// A group: its name and ranks.
    using Key = std::pair<std::string, std::vector<uint32_t>>;

    /// Refuse a group of the user's file with ranks that cannot be, whether or not a node names it.
    void CheckGiven(const std::string& name, const std::vector<uint32_t>& ranks) const;

    /// Refuse a group with ranks that cannot be.
    void Check(const std::string& name, const std::vector<uint32_t>& ranks) const;

    std::vector<uint32_t> m_placement;          //!< host by rank
    ChakraGroups m_groups;                      //!< that any trace may name
    std::map<Key, uint32_t> m_indices;          //!< by group
    std::vector<std::vector<uint32_t>> m_ranks; //!< by index
    std::vector<Communicator> m_communicators;  //!< by index
};

} // namespace aifabric
} // namespace ns3

#endif /* CHAKRA_COMMUNICATORS_H */
