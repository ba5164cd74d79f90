/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_HASH_FABRIC_H
#define FLUID_HASH_FABRIC_H

#include "fluid-detours.h"
#include "fluid-queue-fabric.h"
#include "fluid-routes.h"

#include "ns3/fabric-switch.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Switches choose the path of a queue pair by a hash (FluidRoutes): each directed link is a queue.
 */
class FluidHashFabric : public FluidQueueFabric
{
  public:
    /// @param switches the switches, by id
    /// @param changes whether links are cut, slow or restored as messages are sent
    FluidHashFabric(const FabricGraph& graph,
                    const BoundParameters& bound,
                    const std::vector<double>& speeds,
                    const std::vector<Ptr<FabricSwitch>>& switches,
                    bool changes);

    ConnectionTable* GetConnections() override;
    Group FindRoute(const Ptr<QueuePair>& queuePair, FluidPair& pair) override;
    void Review() override;
    void CountTraffic(const FluidPair& pair,
                      const FluidTraffic::Amount& data,
                      const FluidTraffic::Amount& acks,
                      FluidTraffic& traffic) const override;
    void AddCounted(FluidTraffic& traffic) const override;
    void Clear() override;

    /// @return 1: a plane is chosen for each queue pair
    uint32_t CountPorts() const override
    {
        return 1;
    }

  protected:
    void SetStreamRate(uint32_t stream,
                       const std::vector<LinkShare>& links,
                       const FluidWay& way,
                       double rate) override;
    void PassQueues(uint32_t stream, double rate) override;

  private:
    /// @return the paths that switches choose
    FluidRoutes& GetRoutes();

    /// @return what the data or the acknowledgements of a message take of a link of their way now;
    /// none: they are lost  @param stream its number  @param way the links before
    std::optional<LinkShare> FindNext(uint32_t stream,
                                      const std::vector<LinkShare>& way,
                                      std::size_t index);

    /// Bytes of a message are lost, and sent again.  @param stream its number, or that of its
    /// acknowledgements, which are not
    void Resend(uint32_t stream, double bytes);

    /// Count what a stream that has ended has crossed, also what was lost.
    /// @param stream its number  @param tracks of its parts
    void CountTracks(uint32_t stream, const std::vector<FluidTrack>& tracks);

    const std::vector<Ptr<FabricSwitch>> m_switches; //!< by id
    std::unique_ptr<FluidRoutes> m_routes;           //!< what they choose, once NICs are there
    std::unique_ptr<FluidDetours> m_detours;         //!< through the queues, if links change
    std::unique_ptr<FluidTraffic> m_crossed;         //!< of streams that have ended, with these
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_HASH_FABRIC_H */
