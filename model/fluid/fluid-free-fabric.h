/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_FREE_FABRIC_H
#define FLUID_FREE_FABRIC_H

#include "fluid-fabric.h"
#include "fluid-paths.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Packets are spread equally over all paths of a fabric in which no link between switches is full
 * before those of hosts: rates are max-min fair over the links of FluidPaths, headers, gaps and
 * acknowledgements included, and nothing waits behind the hosts. Where messages to a host share its
 * link, their senders are slower, as if they knew: all bytes come as early as they would from a
 * queue.
 */
class FluidFreeFabric : public FluidFabric
{
  public:
    /**
     * @param watched whether GetMostQueued() says how many bytes may have waited at the last port
     * before a host, because messages to it are larger than others
     * @throws std::invalid_argument as FluidPaths does
     */
    FluidFreeFabric(const FabricGraph& graph, const BoundParameters& bound, bool watched);

    std::vector<double> GetCapacities() const override
    {
        return m_paths.GetRates();
    }

    Group FindRoute(const Ptr<QueuePair>& queuePair, FluidPair& pair) override;
    double Begin(uint32_t message) override;
    void Leave(uint32_t message) override;
    void Clear() override;

    /// @return the most bytes under way to a host, if that is watched; else 0
    double GetMostQueued() const override
    {
        return m_mostToward;
    }

  protected:
    void DoReceive(uint32_t message) override;

  private:
    /// More, or fewer, bytes are under way to the host of a message, if that is watched.
    /// @param message its number  @param sign 1: more; -1: fewer
    void CountToward(uint32_t message, double sign);

    const FluidPaths m_paths;     //!< what messages load
    std::vector<double> m_toward; //!< bytes under way, by host; or none
    double m_mostToward{0};       //!< the most of a host at any time
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_FREE_FABRIC_H */
