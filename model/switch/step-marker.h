/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STEP_MARKER_H
#define STEP_MARKER_H

#include "ecn-marker.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Mark whenever the queue is longer than a threshold (DCTCP, RFC 8257 section 3.1).
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
    /// @return whether a queue is longer than the threshold of its port  @param bytes its length
    /// @param egress the port
    [[gnu::noinline]] bool IsAbove(uint32_t bytes, const FabricTransmitter& egress) const;

    /// @param bytes the longest queue without marks
    void SetThreshold(uint32_t bytes);

    /// @return the longest queue without marks, in bytes
    uint32_t GetThreshold() const;

    uint32_t m_threshold{0};      //!< longest queue without marks, in bytes
    double m_leastFactor{1};      //!< the least fraction of it that a port has
    uint32_t m_leastThreshold{0}; //!< the least threshold of a port, in bytes
};

} // namespace aifabric
} // namespace ns3

#endif /* STEP_MARKER_H */
