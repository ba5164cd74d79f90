/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHEREAL_REPS_BALANCER_H
#define ETHEREAL_REPS_BALANCER_H

#include "entropy-balancer.h"
#include "sticky-cache.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * REPS as the simulator of Ethereal (arXiv 2407.00550) has it, which differs from the published
 * one (RepsBalancer): a queue pair stays on one path until a mark or a timeout, and then goes over
 * to the next one that it remembers (StickyCache).
 *
 * Each packet that is lost removes a label, and so does the retransmission timer of the queue pair,
 * unless packets that are lost at that very time have done so.
 */
class EtherealRepsBalancer : public EntropyBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<HostBalancer> Fork() const override;
    void Start(const FabricFacts& facts, int64_t stream) override;
    void Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now) override;
    double GetMarkingShare() const override;
    void Count(PolicyCounters& counters) const override;

  private:
    uint16_t NextLabel(int64_t now) override;

    double m_markingShare{0};           //!< queue that is marked, as a share of the buffer
    uint32_t m_entropies{0};            //!< how many labels there are
    uint32_t m_exploration{0};          //!< first packets that use labels in order
    std::optional<StickyCache> m_cache; //!< what it remembers
    uint64_t m_pastUses{0};             //!< of caches before it began anew
    uint64_t m_pastRemovals{0};         //!< of caches before it began anew
    int64_t m_lostAt{-1};               //!< when a packet was lost last, in picoseconds
};

} // namespace aifabric
} // namespace ns3

#endif /* ETHEREAL_REPS_BALANCER_H */
