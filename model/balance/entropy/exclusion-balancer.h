/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXCLUSION_BALANCER_H
#define EXCLUSION_BALANCER_H

#include "entropy-balancer.h"
#include "exclusion-bitmap.h"
#include "permuted-walk.h"
#include "timed-exclusion.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A balancer of the host that uses each of its labels once a round, in another order each round
 * (PermutedWalk), and skips labels whose packets were marked or lost: for some of their turns
 * (ExclusionBitmap), or for some time (TimedExclusion). The labels of a queue pair share their
 * upper bits, which are random.
 */
class ExclusionBalancer : public EntropyBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Start(const FabricFacts& facts, int64_t stream) override;
    void Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now) override;
    double GetMarkingShare() const override;
    void Count(PolicyCounters& counters) const override;

  protected:
    /// How often a label is skipped after its packet has reported something.
    struct Skips
    {
        uint32_t mark;    //!< a mark (ECN)
        uint32_t loss;    //!< it was trimmed or lost
        uint32_t timeout; //!< a timer has expired
    };

    uint16_t NextLabel(int64_t now) override;

  private:
    /// @return how often labels are skipped
    virtual Skips GetSkips() const = 0;

    /// @return the parameters of the bitmap, of which the labels are a power of two
    virtual ExclusionBitmap::Parameters GetParameters() const = 0;

    /// @return time for which a label is skipped, in base RTTs; 0, as here: it is skipped for turns
    virtual double GetExcludedRtts() const;

    /// Begin to use labels.
    void Begin();

    /// @return labels that were skipped since it began
    uint64_t GetSkipped() const;

    double m_markingShare{0};                //!< queue that is marked, as a share of the buffer
    uint16_t m_upperBits{0};                 //!< what all labels have in common
    int64_t m_duration{0};                   //!< time for which a label is skipped, in ps; 0: turns
    std::optional<PermutedWalk> m_walk;      //!< goes round the labels, once it has begun
    std::optional<ExclusionBitmap> m_bitmap; //!< what is skipped, once it has begun
    std::optional<TimedExclusion> m_timed;   //!< the same, if labels are skipped for some time
    uint64_t m_pastSkipped{0};               //!< labels skipped before it began anew
};

} // namespace aifabric
} // namespace ns3

#endif /* EXCLUSION_BALANCER_H */
