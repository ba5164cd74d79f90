/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_STREAMS_H
#define HOST_STREAMS_H

#include "training-workload.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The streams of a program: which of them does which node.
 */
class StreamTable
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX; //!< no stream, or no node

    /// @param program the program
    explicit StreamTable(const WorkloadProgram& program);

    /// @return the stream of a node, or NONE if it needs none  @param node its index
    uint32_t StreamOf(uint32_t node) const;

    /// @return the unit of each stream, by stream
    const std::vector<WorkloadNode::Unit>& GetUnits() const;

    /// @return of a collective, the collective before it in its stream; otherwise, and of the first
    /// one, NONE  @param node its index
    uint32_t PredecessorOf(uint32_t node) const;

  private:
    std::vector<WorkloadNode::Unit> m_units; //!< by stream
    std::vector<uint32_t> m_streams;         //!< by node; empty if no node has one
    std::vector<uint32_t> m_predecessors;    //!< by node; likewise
};

/**
 * @ingroup ai-fabric
 *
 * What the streams of a host do at a time. Of the nodes that are ready, a stream takes the one that
 * comes first in the program.
 */
class HostStreams
{
  public:
    /// @param limits how many nodes each stream does at a time, by stream; at least 1
    explicit HostStreams(std::vector<uint32_t> limits);

    /// A node is ready.  @param stream its stream  @param node its index
    void Enter(uint32_t stream, uint32_t node);

    /// A node has ended.  @param stream its stream
    void Leave(uint32_t stream);

    /// @return the node that begins now, if there is one  @param stream the stream
    std::optional<uint32_t> Take(uint32_t stream);

  private:
    /// Nodes, the first of the program on top.
    using Ready = std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<uint32_t>>;

    /// A stream.
    struct Stream
    {
        uint32_t free{1}; //!< nodes that may begin
        Ready ready;      //!< nodes that are ready and have not begun
    };

    std::vector<Stream> m_streams; //!< by number
};

} // namespace aifabric
} // namespace ns3

#endif /* HOST_STREAMS_H */
