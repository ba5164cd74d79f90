/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WAIT_GRAPH_H
#define WAIT_GRAPH_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Who waits for whom. Nodes that wait for each other in a circle never begin.
 */
class WaitGraph
{
  public:
    /// @param nodes number of nodes, which are numbered from 0
    explicit WaitGraph(uint32_t nodes);

    /// Let a node wait for another.  @param node who waits  @param other for whom
    void Add(uint32_t node, uint32_t other);

    /// @return nodes each of which waits for the next, and the last for the first; none if there is
    /// no such circle
    std::vector<uint32_t> FindCycle() const;

  private:
    uint32_t m_nodes;                                   //!< number of nodes
    std::vector<std::pair<uint32_t, uint32_t>> m_waits; //!< who, and for whom
};

} // namespace aifabric
} // namespace ns3

#endif /* WAIT_GRAPH_H */
