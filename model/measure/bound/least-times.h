/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAST_TIMES_H
#define LEAST_TIMES_H

#include "bound-frames.h"
#include "link-times.h"

#include "ns3/fabric-graph.h"
#include "ns3/flow.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * The least times, in ps, that a frame takes between two hosts of a fabric whose links are not
 * alike, by whichever path: propagation, transmission by each link, and the latencies of the
 * switches and of the NIC that receive it. A path with more links may be the fastest one, so this
 * is no question of ShortestPaths.
 *
 * The time of a path is linear in the length of the frame, so the least time of all paths is
 * concave: between two lengths it is at least what lies on the straight line between them. So it is
 * searched for once for 0 bytes and once for a full frame, and is exact for these.
 */
class LeastTimes
{
  public:
    /// @param graph the fabric; must outlive this  @param parameters frames and latencies
    LeastTimes(const FabricGraph& graph, const BoundParameters& parameters);

    /// @return the time of a byte that a host sends
    double PsPerByteOut(uint32_t host) const;

    /// @return the time of a byte that a host receives
    double PsPerByteIn(uint32_t host) const;

    /// @return the times of links
    const LinkTimes& GetLinks() const
    {
        return m_links;
    }

    /// @return until the switch of the sender has received a frame  @param bytes of the frame
    double FirstHop(const Flow& flow, double bytes) const;

    /// @return from the last switch's first bit of a frame to its arrival  @param bytes of the
    /// frame
    double LastHop(const Flow& flow, double bytes) const;

    /// @return until the receiver has received a frame  @param bytes of the frame
    double Way(const Flow& flow, double bytes);

    /// @return until the sender has received an acknowledgement
    double AckWay(const Flow& flow);

  private:
    /// The least times from a switch to all others.
    struct Row
    {
        std::vector<double> empty; //!< of a frame of 0 bytes, by switch
        std::vector<double> full;  //!< of a full frame, by switch
    };

    /// @return the link of a host
    uint32_t LinkOf(uint32_t host) const;

    /// @return the least times from a switch to all others  @param bytes of the frame
    std::vector<double> Search(uint32_t from, double bytes) const;

    /// @return the time of a frame between two switches  @param bytes of the frame
    double Between(uint32_t from, uint32_t to, double bytes);

    const FabricGraph& m_graph;          //!< the fabric
    const BoundParameters& m_parameters; //!< frames and latencies
    LinkTimes m_links;                   //!< times of links
    double m_fullBytes;                  //!< of a full frame
    std::map<uint32_t, Row> m_rows;      //!< by the switch where a search began
};

} // namespace aifabric
} // namespace ns3

#endif /* LEAST_TIMES_H */
