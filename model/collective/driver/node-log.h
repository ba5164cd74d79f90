/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NODE_LOG_H
#define NODE_LOG_H

#include "ns3/training-workload.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A node of a workload that a host has ended.
 */
struct NodeRecord
{
    uint32_t host{0};                                     //!< the host
    std::string name;                                     //!< of the node
    WorkloadNode::Kind kind{WorkloadNode::Kind::COMPUTE}; //!< what it is
    WorkloadNode::Unit unit{WorkloadNode::Unit::NONE};    //!< what of the host did it
    int64_t stream{0};                                    //!< which stream of the unit
    std::string communicator;                             //!< of a collective
    uint64_t bytes{0};                                    //!< size, of all but COMPUTE
    uint32_t peer{0};   //!< the other host, if it is SEND or RECEIVE
    int64_t startPs{0}; //!< it began, in ps
    int64_t endPs{0};   //!< it ended, in ps
};

/**
 * @ingroup ai-fabric
 *
 * Notes when hosts begin and end the nodes of their programs. What it notes of a host is that
 * host's alone: hosts may run on several threads (WindowSimulator).
 */
class NodeLog
{
  public:
    /// A host follows.  @param nodes how many its program has
    void AddHost(std::size_t nodes);

    /// A node of a host begins.  @param node its index in the program  @param ps when, in ps
    void Begin(uint32_t host, uint32_t node, int64_t ps);

    /// A node of a host has ended.  @param node its index in the program  @param ps when, in ps
    void End(uint32_t host, uint32_t node, int64_t ps);

    /// @return the nodes that have ended, by host and place in the program  @param workload whose
    /// nodes they are
    std::vector<NodeRecord> Describe(const TrainingWorkload& workload) const;

  private:
    /// When a node began and ended, in ps; negative: not yet.
    struct Span
    {
        int64_t startPs{-1}; //!< began
        int64_t endPs{-1};   //!< ended
    };

    std::vector<std::vector<Span>> m_spans; //!< by host and node
};

} // namespace aifabric
} // namespace ns3

#endif /* NODE_LOG_H */
