/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_TRAFFIC_H
#define FLUID_TRAFFIC_H

#include "fluid-loads.h"
#include "fluid-split.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What has crossed each directed link of a fabric.
 */
class FluidTraffic
{
  public:
    /// Frames and their bytes, gaps not counted.
    struct Amount
    {
        double frames{0}; //!< how many
        double bytes{0};  //!< bytes on the wire

        /// Add a part of another amount.
        void Add(const Amount& other, double part)
        {
            frames += other.frames * part;
            bytes += other.bytes * part;
        }
    };

    /**
     * @param graph the fabric; must outlive this
     * @param split how messages are split over paths; must outlive this
     */
    FluidTraffic(const FabricGraph& graph, const FluidSplit& split);

    /// Add what leaves a host, and takes one path.  @param port by which it leaves
    /// @param links the directed links behind: twice their ids, and 1 more on the way down
    void AddRoute(const FabricEnd& port, const std::vector<LinkShare>& links, const Amount& amount);

    /// Add what takes one path that was added to another sum.  @param other that sum
    void AddRoutes(const FluidTraffic& other);

    /// Add what is split over all paths from one host to another.
    void AddSplit(uint32_t source, uint32_t destination, const Amount& amount);

    /// @return all that was added, by directed link
    std::vector<Amount> GetSums() const;

  private:
    /// What goes from one host to another.
    struct Demand
    {
        uint32_t source;      //!< the one
        uint32_t destination; //!< the other
        Amount amount;        //!< how much
    };

    /// Add what goes from hosts that are alike to others that are.  @param demands what goes
    /// @param [out] sums where it is added, by directed link
    void AddAlike(const std::vector<Demand>& demands, std::vector<Amount>& sums) const;

    const FabricGraph& m_graph;  //!< the fabric
    const FluidSplit& m_split;   //!< how messages are split
    std::vector<Amount> m_fixed; //!< what takes one path, by directed link
    /// By the leaves of both hosts; by the hosts, if those of a leaf are not alike
    std::map<std::pair<uint32_t, uint32_t>, std::vector<Demand>> m_demands;
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_TRAFFIC_H */
