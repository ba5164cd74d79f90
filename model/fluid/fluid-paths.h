/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_PATHS_H
#define FLUID_PATHS_H

#include "fluid-solver.h"

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What a message loads where all packets are spread equally over all shortest paths of a Clos
 * network without failures.
 *
 * All uplinks of a leaf then carry the same, in all planes, and so do all uplinks of the other
 * switches of a pod. So they are one link each, as wide as all of them together: the way up from a
 * host, a leaf or a pod, and down to it. A message loads at most six links, however many paths
 * there are.
 */
class FluidPaths
{
  public:
    /**
     * @param graph the fabric; must outlive this
     * @param hostRate of the links of hosts, in units of the caller
     * @param fabricRate of the links between switches, in the same units
     * @throws std::invalid_argument if links that this takes for one are not alike
     */
    FluidPaths(const FabricGraph& graph, double hostRate, double fabricRate);

    /// @return the rates of the links, by number
    const std::vector<double>& GetRates() const
    {
        return m_rates;
    }

    /// @return the rates of one port of each link
    std::vector<double> GetPortRates() const;

    /// @return whether each way up is as wide as the links of the hosts below it together
    bool IsNonBlocking() const
    {
        return m_isNonBlocking;
    }

    /**
     * @param back load of the way back for each unit on the way there; 0: none
     * @return what a message loads; if IsNonBlocking(), of the links of hosts only: others are
     * never full before these
     */
    std::vector<LinkShare> GetShares(uint32_t source, uint32_t destination, double back) const;

    /**
     * @param loads of the port that a message loads most at each stage of its paths, for each unit
     * of its rate, as FluidSplit has them; if there are none, the run aborts: there is no path
     * @return what a message takes of one port of each link
     */
    std::vector<LinkShare> GetShares(uint32_t source,
                                     uint32_t destination,
                                     const std::vector<double>& loads) const;

    /// @return how many links of FindWay() lead up from a switch
    uint32_t CountUplinks(uint32_t from, uint32_t to) const
    {
        return m_graph.PathLinks(from, to) / 2 - 1;
    }

    /// @return the links that a packet crosses  @param from a host  @param to another host
    std::vector<uint32_t> FindWay(uint32_t from, uint32_t to) const;

    /// @return the number of the link up from a host; the next one leads down
    static uint32_t UpFromHost(uint32_t host)
    {
        return 2 * host;
    }

  private:
    /// Refuse switches of a tier with different numbers of uplinks, and links with own rates.
    void CheckUniform() const;

    /// @return whether each way up is as wide as the links of the hosts below it together
    bool FindNonBlocking() const;

    /// @return the links of FindWay() that can be full before others are
    std::vector<uint32_t> FindLimits(uint32_t from, uint32_t to) const;

    /// @return the number of the link up from a leaf or a pod; the next one leads down
    /// @param leaf id of the leaf in plane 0
    uint32_t UpFromLeaf(uint32_t leaf) const
    {
        return 2 * (m_graph.HostCount() + leaf);
    }

    /// @param pod number of the pod
    uint32_t UpFromPod(uint32_t pod) const
    {
        return m_firstPod + 2 * pod;
    }

    const FabricGraph& m_graph;  //!< the fabric
    double m_hostRate;           //!< of the links of hosts
    double m_fabricRate;         //!< of the links between switches
    uint32_t m_firstPod;         //!< the link up from pod 0
    std::vector<double> m_rates; //!< by link
    bool m_isNonBlocking{false}; //!< each way up is wide enough
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_PATHS_H */
