/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLANE_DR_BALANCER_H
#define PLANE_DR_BALANCER_H

#include "host-balancer.h"
#include "path-rotation.h"

#include "ns3/path-view.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Destination-based rotation over planes: the packets of a queue pair go round the planes, from a
 * random one on, and keep one entropy. A plane that has lost some of its ways to the destination
 * has the weight of what is left (interleaved weighted round robin), and 0 if that is nothing. It
 * is the NIC's part where the switches of each plane do the rest.
 */
class PlaneDrBalancer : public HostBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Start(int64_t stream) override;
    void Connect(uint32_t source,
                 uint32_t destination,
                 std::shared_ptr<const PathView> paths) override;
    uint32_t NextPlane(uint32_t planes) override;

  private:
    /// Take the planes that are usable now.
    void Rebuild();

    uint32_t m_source{0};                    //!< the host that sends
    uint32_t m_destination{0};               //!< the host that receives
    std::shared_ptr<const PathView> m_paths; //!< what is alive
    uint64_t m_version{0};                   //!< of the paths that were taken
    bool m_isNew{true};                      //!< nothing was taken yet
    PathRotation m_planes;                   //!< goes round the planes, by their weights
    int64_t m_stream{-1};                    //!< the random stream
};

} // namespace aifabric
} // namespace ns3

#endif /* PLANE_DR_BALANCER_H */
