/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SIMPLE_RR_BALANCER_H
#define SIMPLE_RR_BALANCER_H

#include "switch-balancer.h"

#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Simple round robin: a switch walks through the next hops of a group in a random order, whatever
 * the destination, and keeps that order for good. Flows fall in step with the rotation and stick to
 * their next hops, so that queues towards the hosts grow linearly (arXiv 2507.21372, theorem 1).
 */
class SimpleRrBalancer : public SwitchBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    SimpleRrBalancer();

    uint32_t Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now) override;
    void GroupChanged(const EgressGroup& group) override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    uint32_t m_reshuffle{0}; //!< rounds between two orders; 0: never a new one

  private:
    /// Where the rotation of a group stands.
    struct Rotation
    {
        std::vector<uint16_t> order; //!< member indices in the order of service; empty: not begun
        uint32_t position{0};        //!< index in order of the next member
        uint32_t rounds{0};          //!< rounds since the order was drawn
    };

    /// Draw a new order.  @param size members of the group
    void Shuffle(Rotation& rotation, std::size_t size);

    Ptr<UniformRandomVariable> m_random; //!< draws the orders
    std::vector<Rotation> m_rotations;   //!< by group id
};

} // namespace aifabric
} // namespace ns3

#endif /* SIMPLE_RR_BALANCER_H */
