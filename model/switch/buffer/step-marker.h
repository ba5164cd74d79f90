/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STEP_MARKER_H
#define STEP_MARKER_H

#include "queue-limit.h"

#include "ns3/ecn-marker.h"

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
    QueueLimit m_threshold; //!< longest queue without marks
};

} // namespace aifabric
} // namespace ns3

#endif /* STEP_MARKER_H */
