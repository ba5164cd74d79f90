/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_FAULT_SET_H
#define LINK_FAULT_SET_H

#include "fabric-channel.h"
#include "frame-loss.h"

#include "ns3/object.h"

#include <array>
#include <memory>
#include <vector>

namespace ns3
{
namespace aifabric
{

class LinkFault;

/// What one fault does to its cable.
struct FaultEffect
{
    const LinkFault* fault;      //!< whose effect it is
    bool down;                   //!< the cable is cut
    double rateFactor;           //!< fraction of the nominal rate
    double queueFactor;          //!< fraction of the limits of the queues
    double lossProbability;      //!< of each frame, independently
    std::array<bool, 2> suffers; //!< whether what a port sends suffers, by port
    std::array<std::shared_ptr<FrameLoss>, 2> losses; //!< other losses, if there are, by port
};

/**
 * @ingroup ai-fabric
 *
 * The faults of one cable that have begun and not ended, aggregated to its channel.
 */
class LinkFaultSet : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return the set of a channel, made if need be
    static Ptr<LinkFaultSet> Of(Ptr<FabricChannel> channel);

    /// Add an effect.
    void Add(const FaultEffect& effect);

    /// Remove a fault's effect.
    void Remove(const LinkFault* fault);

    /// Put the channel in the state that its faults add up to.
    void Apply(FabricChannel& channel) const;

  private:
    /// Put a direction in its state.  @param end the port that sends  @return whether it is up
    bool Apply(FabricChannel& channel, std::size_t end) const;

    std::vector<FaultEffect> m_effects; //!< in the order of their begins
};

} // namespace aifabric
} // namespace ns3

#endif /* LINK_FAULT_SET_H */
