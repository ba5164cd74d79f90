/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLANE_DR_BALANCER_H
#define PLANE_DR_BALANCER_H

#include "path-balancer.h"
#include "path-rotation.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Destination-based rotation over planes: the packets of a queue pair go round the planes, from a
 * random one on, and keep one entropy. A plane that has lost some of its ways to the destination
 * has the weight of what is left (interleaved weighted round robin), and 0 if that is nothing: each
 * path has the same share, which is the split that RhoMax() assumes. It is the NIC's part where the
 * switches of each plane do the rest.
 */
class PlaneDrBalancer : public PathBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::optional<PathChoice> Choose(const PathRequest& request) override;

  private:
    void Rebuild(bool isFirst) override;

    PathRotation m_planes; //!< goes round the planes, by their weights
};

} // namespace aifabric
} // namespace ns3

#endif /* PLANE_DR_BALANCER_H */
