/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SELECTIVE_REPEAT_RECOVERY_H
#define SELECTIVE_REPEAT_RECOVERY_H

#include "selective-recovery.h"

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
 * Selective repeat by reports with a cumulative PSN and a bitmap (SprayQueuePair): what a report
 * covers is acknowledged, what a NACK names is lost, and so is a transmission that nothing has
 * acknowledged for AckTimeout, which doubles with each expiration until something is acknowledged
 * (Ultra Ethernet specification 1.0: RTO, five retries).
 *
 * With OutOfOrderLimit, many packets that have come before a missing one show a loss, too, as
 * needed where switches do not trim (SLEEK: Ultra Ethernet's simulator, uet-htsim). Then the
 * packets are lost that nothing has acknowledged, from the first missing one on, as many as two
 * thirds of the limit, and further ones as the cumulative PSN moves on, until it passes what had
 * been sent.
 *
 * An acknowledgement names packets, not transmissions. The timer of a packet is that of its last
 * transmission.
 */
class SelectiveRepeatRecovery : public SelectiveRecovery
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<LossRecovery> Fork() const override;
    Departure TakeNext(int64_t start) override;
    Feedback AckReceived(const AckReport& report) override;
    Feedback NackReceived(const NackReport& report) override;
    std::vector<uint64_t> ExpireSentUntil(int64_t since) override;
    int64_t GetOldestStart() const override;
    void TimerExpired() override;
    bool NeedsReports() const override;
    bool NeedsAckPerPacket() const override;
    bool TimesEachPacket() const override;
    bool BacksOff() const override;
    double GetUsualTimeoutPs(double empty, double drain, double packets) const override;
    Verdict TrimmedReceived(uint32_t psn) override;
    void FillReport(AckReport& report, uint64_t wanted) const override;
    void Count(PolicyCounters& counters) const override;

  private:
    /// A transmission.
    struct Transmission
    {
        uint64_t number; //!< the packet's number
        int64_t start;   //!< when it began, in picoseconds
    };

    /// @return whether a transmission is the last one of its packet, and the packet is neither
    /// acknowledged nor lost  @param transmission the transmission
    bool IsOutstanding(const Transmission& transmission) const;

    /// Send a packet again, without a timer until then.  @param number the packet, which was sent
    /// and is not acknowledged  @return whether that is not under way already
    bool MarkLost(uint64_t number);

    /// Forget the oldest transmissions that need no timer any more.
    void Sweep();

    /// Infer losses from reordering.  @param outOfOrder packets that have come before a missing one
    /// @return the packets that are lost
    std::vector<uint64_t> InferLosses(uint64_t outOfOrder);

    bool m_backsOff{true};         //!< the timeout doubles
    uint32_t m_outOfOrderLimit{0}; //!< packets before a missing one that show a loss; 0: none do
    uint64_t m_inferred{0};        //!< packets taken for lost by that
    uint64_t m_suspectEnd{0};      //!< end of the packets that a loss was inferred among
    uint64_t m_inferredEnd{0};     //!< end of those of them that were looked at
    GrowingRing<Transmission> m_order; //!< transmissions, the oldest first
    GrowingRing<int64_t> m_starts;     //!< last start of each packet; LOST: it is lost
    uint64_t m_startsFirst{0};         //!< the number of the first of these packets
};

} // namespace aifabric
} // namespace ns3

#endif /* SELECTIVE_REPEAT_RECOVERY_H */
