/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_SPLIT_H
#define FLUID_SPLIT_H

#include "ns3/fabric-graph.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How messages are split over a Clos network of which some links are dead or slow: each shortest
 * path that is alive, in all planes, carries the same share (WecmpTable).
 *
 * A message takes as long as its slowest part. So what it loads at each stage of its paths is the
 * largest load of a port: the share of the message that crosses it, by the part of its rate that
 * is left.
 */
class FluidSplit
{
  public:
    /// Called for a directed link, with the share of a message that crosses it at a stage of paths;
    /// for a link of several paths several times.
    using Visitor = std::function<void(uint32_t link, double share, std::size_t stage)>;

    /**
     * @param graph the fabric; must outlive this
     * @param speeds the part of its rate that is left of each directed link, by twice the id of the
     * link, and 1 more on the way down; 0: it is dead. Empty: all is left of all
     */
    FluidSplit(const FabricGraph& graph, std::vector<double> speeds);

    /// Set what is left of each directed link from now on.  @param speeds as for the constructor
    void SetSpeeds(std::vector<double> speeds);

    /// @return the part of its rate that is left of a directed link  @param link its number
    double GetSpeed(uint32_t link) const
    {
        return m_speeds.empty() ? 1 : m_speeds[link];
    }

    /// @return the load of a port at each stage of the paths, from one host to another, for each
    /// unit of a message's rate; empty: there is no path
    const std::vector<double>& Find(uint32_t source, uint32_t destination);

    /// Visit all links of the paths from one host to another.  @param visit called for each
    void Visit(uint32_t source, uint32_t destination, const Visitor& visit) const;

    /// @return whether the hosts of a leaf are alike: no link of a host is dead or slow
    bool HasAlikeHosts() const
    {
        return !m_hasImpairedHosts;
    }

  private:
    /// @return the live paths from a switch to a host  @param id the switch
    double CountWays(uint32_t id, uint32_t host) const;

    /// @return the live paths in each plane
    std::vector<double> CountByPlane(uint32_t source, uint32_t destination) const;

    /// Split what has come to a switch over its next hops.  @param id the switch
    /// @param host where it goes  @param share of the message  @param stage of the next links
    /// @param visit called for each link
    void Split(uint32_t id,
               uint32_t host,
               double share,
               std::size_t stage,
               const Visitor& visit) const;

    /// A next hop of a switch.
    struct Hop
    {
        uint32_t link; //!< the directed link
        FabricEnd end; //!< what it leads to
    };

    /// @return a next hop  @param id the switch
    Hop GetHop(uint32_t id, uint16_t port) const;

    const FabricGraph& m_graph;                                //!< the fabric
    std::vector<double> m_speeds;                              //!< by directed link
    bool m_hasImpairedHosts{false};                            //!< a link of a host is not whole
    std::unordered_map<uint64_t, std::vector<double>> m_found; //!< by hosts, or by leaves
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_SPLIT_H */
