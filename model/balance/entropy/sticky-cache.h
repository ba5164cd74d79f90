/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STICKY_CACHE_H
#define STICKY_CACHE_H

#include "ns3/growing-ring.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The memory of REPS as the simulator of Ethereal (arXiv 2407.00550) has it: the labels whose
 * packets were acknowledged without a mark, each once, in the order in which they came. The oldest
 * one is used again and again, until a mark or a timeout, of whatever label, removes it. RepsRing,
 * the published one, uses each once.
 *
 * As long as nothing is remembered, and for the first packets, labels are used in ascending order,
 * from 0 on, round and round.
 */
class StickyCache
{
  public:
    /**
     * @param exploration how many of the first packets use labels in ascending order whatever is
     * remembered; not more than there are labels
     */
    StickyCache(uint32_t labels, uint32_t exploration);

    /// @return the label of the next packet
    uint16_t Next();

    /**
     * A packet was acknowledged.
     */
    void Acked(uint16_t label, bool marked);

    /// A packet was lost.
    void Lost();

    /// @return how many packets took a label that was remembered
    uint64_t GetUses() const;

    /// @return how often a label was removed
    uint64_t GetRemovals() const;

  private:
    /// Forget the oldest label.
    void RemoveOldest();

    GrowingRing<uint16_t> m_order;  //!< what is remembered, the oldest first
    std::vector<bool> m_remembered; //!< by label
    uint32_t m_exploring;           //!< packets that still explore
    uint32_t m_next{0};             //!< the next label in ascending order
    uint64_t m_uses{0};             //!< packets that took a label that was remembered
    uint64_t m_removals{0};         //!< labels removed
};

} // namespace aifabric
} // namespace ns3

#endif /* STICKY_CACHE_H */
