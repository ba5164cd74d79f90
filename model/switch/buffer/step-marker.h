/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STEP_MARKER_H
#define STEP_MARKER_H

#include "marking-threshold.h"
#include "queue-limit.h"

#include "ns3/ecn-marker.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Mark whenever the queue is longer than a threshold (DCTCP, RFC 8257 section 3.1): the same bytes
 * at each port, or the same time of the port's own rate.
 */
class StepMarker : public EcnMarker
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool Marks(uint32_t bytes, const FabricTransmitter& egress) override;
    void SetLeastFactor(double least) override;

  private:
    /// @param time the threshold as a time; 0: it is given in bytes
    void SetTime(Time time);

    /// @return the threshold as a time; 0: it is given in bytes
    Time GetTime() const;

    /// @return the threshold of a port, in bytes  @param egress the port
    uint64_t GetThreshold(const FabricTransmitter& egress) const;

    QueueLimit m_threshold;   //!< longest queue without marks
    MarkingThreshold m_timed; //!< in its place, if it is set
};

} // namespace aifabric
} // namespace ns3

#endif /* STEP_MARKER_H */
