/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SOURCE_ROUTE_PLAN_H
#define SOURCE_ROUTE_PLAN_H

#include "fabric-frame.h"
#include "usid-scheme.h"

#include "ns3/simple-ref-count.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The outer headers of the RoCE frames of a fabric with source routing. No frame carries its route:
 * the route is a function of the frame's ends, entropy and hops, and of the plane that the frame is
 * in. Only who looks at the bytes of a frame asks for it.
 */
class SourceRoutePlan : public SimpleRefCount<SourceRoutePlan>
{
  public:
    virtual ~SourceRoutePlan() = default;

    /// @return the names of what is on a route
    virtual const UsidScheme& GetScheme() const = 0;

    /**
     * @param frame a RoCE frame
     * @return its route as the NIC sends it, first uSID first
     */
    virtual UsidScheme::List FindPath(const FabricFrame& frame, uint16_t plane) const = 0;

    /**
     * @return the route from the host's leaf to the host: its own address in this plane
     */
    virtual UsidScheme::List FindOwn(uint32_t host, uint16_t plane) const = 0;

    /// @return the plane of a switch; 0 if there is no such switch  @param id its number
    virtual uint16_t GetPlane(uint32_t id) const = 0;

    /// @return the number of uSIDs that a frame has consumed  @param hops switches that it has
    /// passed
    virtual uint32_t CountConsumed(uint32_t hops) const = 0;

    /// @return whether frames carry a copy of their route in a segment routing header
    virtual bool HasCopy() const = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* SOURCE_ROUTE_PLAN_H */
