/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_SPRAY_FABRIC_H
#define FLUID_SPRAY_FABRIC_H

#include "fluid-paths.h"
#include "fluid-queue-fabric.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Packets are spread over all live paths of a fabric of which links may be dead, slow or too few:
 * each of the links of FluidPaths is a queue, the port of FluidSplit that the message loads most
 * there; but for those up from switches of a healthy non-blocking fabric, where nothing waits.
 */
class FluidSprayFabric : public FluidQueueFabric
{
  public:
    /**
     * @param changes whether links are cut, slow or restored as messages are sent
     * @param mixed whether a message that shares a port with others ends up to a packet earlier or
     * later, by a hash: rates never get out of step, packets do
     * @throws std::invalid_argument as FluidPaths does
     */
    FluidSprayFabric(const FabricGraph& graph,
                     const BoundParameters& bound,
                     const std::vector<double>& speeds,
                     bool changes,
                     bool mixed);

    Group FindRoute(const Ptr<QueuePair>& queuePair, FluidPair& pair) override;
    double Begin(uint32_t message) override;
    void Review() override;
    void Clear() override;

  protected:
    double GetScatter(uint32_t message) const override;
    void DoReceive(uint32_t message) override;

  private:
    /// @return what a message takes of the port that it loads most at each stage of its paths
    std::vector<LinkShare> FindSplit(uint32_t source, uint32_t destination)
    {
        return m_paths.GetShares(source, destination, m_split.Find(source, destination));
    }

    /// Find what messages of a queue pair take of links.  @param [in,out] pair the queue pair
    /// @return what they take of the port of their host
    LinkShare FindShares(FluidPair& pair, FluidRoute& route);

    /// Count a message that is under way.  @param change 1: it begins; -1: it has come
    void CountComing(uint32_t message, int32_t change);

    /// @return whether messages of a queue pair leave the leaf of their source
    static bool IsBehindLeaf(const FluidPair& pair);

    /// @return whether messages of a queue pair share a port with others that are under way: that
    /// to their host, or, where ports between switches are too few, those that leave their leaf
    bool IsShared(const FluidPair& pair) const;

    const FluidPaths m_paths;            //!< the links
    const bool m_isFree;                 //!< nothing waits at links up from switches
    const std::vector<double> m_lasting; //!< parts of rates, from the start for good
    std::vector<int32_t> m_coming;       //!< messages under way, by host; or none
    std::vector<int32_t> m_leaving;      //!< those of them that leave it, by leaf; or none
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_SPRAY_FABRIC_H */
