/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPS_BALANCER_H
#define REPS_BALANCER_H

#include "entropy-balancer.h"
#include "reps-ring.h"

#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * REPS (arXiv 2407.21625; arXiv 2507.21372, "Host Pkt AR"): the label of a packet that was
 * acknowledged without a mark is used once more (RepsRing), and others are drawn at random.
 */
class RepsBalancer : public EntropyBalancer
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

    /**
     * Signature of the Freeze trace source.
     *
     * @param freezes how often the ring has been frozen
     */
    typedef void (*FreezeTracedCallback)(uint64_t freezes);

  private:
    /// @return a type with the attributes of freezing
    static TypeId AddFreezing(TypeId type);

    uint16_t NextLabel(int64_t now) override;

    /// Record the delay of a packet.  @param delay until its acknowledgement, in picoseconds
    /// @param now the current time, in picoseconds
    void RecordDelay(int64_t delay, int64_t now);

    /// A timer has expired.  @param now the current time, in picoseconds
    void TimerExpired(int64_t now);

    double m_markingShare{0};         //!< queue that is marked, as a share of the buffer
    uint32_t m_entropies{0};          //!< how many labels there are
    uint32_t m_bufferSize{0};         //!< labels remembered
    uint16_t m_uses{1};               //!< of a label that is remembered once
    bool m_freezes{true};             //!< timers freeze the ring
    double m_freezingRtt{0};          //!< longest delay with which they do, in base round trips
    double m_freezingEpoch{0};        //!< how long that delay counts, in base round trips
    Time m_freezingTime;              //!< how long it is frozen
    uint32_t m_exploration{0};        //!< packets that explore when it has thawed
    std::optional<RepsRing> m_ring;   //!< what it remembers
    int64_t m_limit{0};               //!< delays shorter than this let the ring freeze; 0: all do
    int64_t m_longest{0};             //!< the longest delay since the epoch began
    int64_t m_epoch{0};               //!< length of an epoch, in picoseconds
    int64_t m_epochEnd{0};            //!< when the first delay begins a new epoch, in picoseconds
    uint64_t m_pastUses{0};           //!< of rings before it began anew
    uint64_t m_pastFreezes{0};        //!< of rings before it began anew
    uint64_t m_pastThaws{0};          //!< of rings before it began anew
    TracedCallback<uint64_t> m_trace; //!< the ring was frozen
};

} // namespace aifabric
} // namespace ns3

#endif /* REPS_BALANCER_H */
