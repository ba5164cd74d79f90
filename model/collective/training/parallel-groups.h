/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARALLEL_GROUPS_H
#define PARALLEL_GROUPS_H

#include "parallel-layout.h"

#include "ns3/training-workload.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// The names of dimensions, as files have them.
inline constexpr std::array<std::pair<const char*, ParallelDimension>, 5> PARALLEL_DIMENSIONS = {
    {{"tp", ParallelDimension::TENSOR},
     {"dp", ParallelDimension::DATA},
     {"pp", ParallelDimension::PIPELINE},
     {"ep", ParallelDimension::EXPERT},
     {"edp", ParallelDimension::EXPERT_DATA}}};

/**
 * @ingroup ai-fabric
 *
 * The communicators of a layout: that of all hosts, and the groups of more than one host, such as
 * "tp 0". Without expert parallel ranks, those of EXPERT_DATA are those of DATA.
 */
class ParallelGroups
{
  public:
    static constexpr uint32_t ALL_HOSTS = 0; //!< the communicator of all hosts

    /// @param hosts number of hosts of the fabric
    ParallelGroups(const ParallelLayout& layout, uint32_t hosts);

    /// @return all of them, by index
    const std::vector<Communicator>& GetCommunicators() const;

    /// @return the groups of a dimension, none if each host is one
    std::vector<uint32_t> ListOf(ParallelDimension dimension) const;

    /// @return the group of a host; ALL_HOSTS if it is alone  @param host one of the layout
    uint32_t At(ParallelDimension dimension, uint32_t host) const;

  private:
    /// Add the groups of a dimension.  @param name what they are called
    void Add(const ParallelLayout& layout, ParallelDimension dimension, const char* name);

    std::vector<Communicator> m_communicators; //!< by index
    /// By dimension and host: the group, ALL_HOSTS if it is alone.
    std::array<std::vector<uint32_t>, PARALLEL_DIMENSIONS.size()> m_groups;
};

} // namespace aifabric
} // namespace ns3

#endif /* PARALLEL_GROUPS_H */
