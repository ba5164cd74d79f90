/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_TIMES_H
#define LINK_TIMES_H

#include "bound-frames.h"

#include "ns3/fabric-graph.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * What each link of a fabric takes for a byte, at least, and its propagation delay. Links of a Clos
 * network are as BoundParameters says it of their kind; BoundParameters::speeds holds for all.
 */
class LinkTimes
{
  public:
    /// @param graph the fabric; must outlive this  @param parameters links; must outlive this
    LinkTimes(const FabricGraph& graph, const BoundParameters& parameters);

    /// @return the time of a byte, in ps; infinite on a link that is cut  @param isDown towards the
    /// host, or the lower end
    double PsPerByte(uint32_t link, bool isDown) const;

    /// @return the time of a byte in the faster direction, in ps
    double LeastPsPerByte(uint32_t link) const;

    /// @return the time of a byte in the slower direction, in ps
    double MostPsPerByte(uint32_t link) const;

    /// @return the propagation delay, in ps
    double DelayPs(uint32_t link) const;

    /// @return what a message without a byte takes, in ps  @param source its sender
    double EmptyPs(uint32_t source) const;

  private:
    const FabricGraph& m_graph;          //!< the fabric
    const BoundParameters& m_parameters; //!< links
};

} // namespace aifabric
} // namespace ns3

#endif /* LINK_TIMES_H */
