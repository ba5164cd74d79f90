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
 *
 * A number of a stream, 0 or more, belongs to the device: kernels, copies, collectives and sends of
 * that number share the stream, as those of a CUDA stream do. Each unit has streams of its own for
 * negative numbers, and the processor has only its own ones.
 *
 * A collective waits for all nodes that come before it in its stream, and holds back those after
 * it, since hosts that began collectives in different orders would wait for each other. Other nodes
 * of a stream have no order.
 */
class StreamTable
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX; //!< no stream, or no node

    /// Number the streams of a program.
    explicit StreamTable(const WorkloadProgram& program);

    /// @return the stream of a node, or NONE if it needs none  @param node its index
    uint32_t StreamOf(uint32_t node) const;

    /// @return the unit of each stream, by stream; COLLECTIVE or SEND if the stream has any of
    /// these
    const std::vector<WorkloadNode::Unit>& GetUnits() const;

    /// @return how many nodes each stream does at a time, by stream
    /// @param streamOperations of a stream of kernels or copies
    std::vector<uint32_t> GetLimits(uint32_t processorOperations, uint32_t streamOperations) const;

    /// @return the nodes that a node waits for because of its stream  @param node its index
    const std::vector<uint32_t>& PredecessorsOf(uint32_t node) const;

  private:
    /// What a stream has had since its latest collective.
    struct Tail
    {
        uint32_t collective{NONE};    //!< the latest collective
        std::vector<uint32_t> others; //!< the nodes after it
    };

    /// Enter what a node waits for.  @param node its index  @param isCollective what it is
    /// @param [in,out] tail the end of its stream
    void Order(uint32_t node, bool isCollective, Tail& tail);

    std::vector<WorkloadNode::Unit> m_units;           //!< by stream
    std::vector<uint32_t> m_streams;                   //!< by node; empty if no node has one
    std::vector<std::vector<uint32_t>> m_predecessors; //!< by node; likewise
    std::vector<uint32_t> m_none;                      //!< no nodes
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

    /// A node is ready.  @param node its index
    void Enter(uint32_t stream, uint32_t node);

    /// A node has ended.
    void Leave(uint32_t stream);

    /// @return the node that begins now, if there is one
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
