/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DWRR_EGRESS_SCHEDULER_H
#define DWRR_EGRESS_SCHEDULER_H

#include "deficit-round-robin.h"
#include "egress-scheduler.h"

#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Deficit weighted round robin: queues that can send share the bytes on the wire (FCS included, gap
 * not) in proportion to their weights, whatever the lengths of their frames (DeficitRoundRobin). If
 * only some can send, those share the link. A queue that PFC pauses collects no credit.
 */
class DwrrEgressScheduler : public EgressScheduler
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint8_t Choose(const EgressHeads& heads) override;
    void FrameDeparts(uint8_t queue, const FabricFrame& frame) override;

  private:
    /// @param text weights by class, as ReadRangeMap() has them
    void SetWeights(std::string text);

    /// @return weights by class
    std::string GetWeights() const;

    /// @param bytes that a queue of weight 1 may send at each turn
    void SetQuantum(uint32_t bytes);

    /// @return bytes that a queue of weight 1 may send at each turn
    uint32_t GetQuantum() const;

    DeficitRoundRobin m_rounds; //!< whose turn it is
};

} // namespace aifabric
} // namespace ns3

#endif /* DWRR_EGRESS_SCHEDULER_H */
