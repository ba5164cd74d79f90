/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_BOUND_H
#define FLOW_BOUND_H

#include "bound-frames.h"
#include "least-times.h"

#include "ns3/fabric-graph.h"
#include "ns3/flow.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A time before which a flow cannot be complete that has the whole fabric for itself.
 */
class FlowBound
{
  public:
    /// @param graph the fabric; must outlive this  @param parameters links, frames and NICs
    /// @throws std::invalid_argument if a parameter is out of range
    FlowBound(const FabricGraph& graph, const BoundParameters& parameters);

    FlowBound(const FlowBound&) = delete;
    FlowBound& operator=(const FlowBound&) = delete;

    /// @return the time in ps since its start
    double Of(Flow flow);

    /**
     * Proofs 1 and 4 of lower-bound.cc for a Clos network. With P ports, n full packets need
     * ceil(n / P) rounds; a short one needs a round of its own only if it fits in none of them.
     *
     * @param flow a flow of at least 1 byte, not within a node
     * @param parameters links, frames and NICs
     * @return the time in ps since its start
     */
    static double InClos(const FabricGraph& graph,
                         const Flow& flow,
                         const BoundParameters& parameters);

  private:
    const FabricGraph& m_graph;        //!< the fabric
    BoundParameters m_parameters;      //!< links, frames and NICs
    std::optional<LeastTimes> m_times; //!< where links are not alike
};

} // namespace aifabric
} // namespace ns3

#endif /* FLOW_BOUND_H */
