/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROUND_ROBIN_SCHEDULER_H
#define ROUND_ROBIN_SCHEDULER_H

#include "endpoint-scheduler.h"

#include "ns3/growing-ring.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Round robin: an endpoint that has sent a packet goes to the end of its line.
 */
class RoundRobinScheduler : public EndpointScheduler
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    using Line = GrowingRing<Endpoint*>; //!< first come, first served

    /// @return the front of a line
    static Front FrontOf(const Line& line);

    void Insert(uint8_t trafficClass, Endpoint* endpoint) override;
    Front Peek(uint8_t trafficClass) const override;
    void Prefetch(uint8_t trafficClass) const override;
    Front RemoveFirst(uint8_t trafficClass) override;
    uint32_t Count(uint8_t trafficClass) const override;

    std::array<Line, 8> m_lines; //!< by class
};

} // namespace aifabric
} // namespace ns3

#endif /* ROUND_ROBIN_SCHEDULER_H */
