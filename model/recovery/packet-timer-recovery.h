/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_TIMER_RECOVERY_H
#define PACKET_TIMER_RECOVERY_H

#include "selective-recovery.h"

#include "ns3/growing-ring.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Selective repeat with a timer for each packet, and without back-off: the transport of packet
 * spraying in Ethereal's evaluation (arXiv 2407.00550). A transmission that is not acknowledged
 * after RcQueuePair::AckTimeout is lost; its packet is sent again before new ones. There is no
 * NAK, and no reordering is too much.
 *
 * Transmissions stand in the order in which they were taken, so the timer of the first one runs
 * out first. Where a NIC has several ports, one that was taken earlier may begin a little later;
 * then the one behind it is lost that little later too.
 *
 * The timer of the queue pair still counts the times in which nothing at all is acknowledged, after
 * too many of which it fails. It does not make packets lost here.
 */
class PacketTimerRecovery : public SelectiveRecovery
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<LossRecovery> Fork() const override;
    Departure TakeNext(int64_t start) override;
    Feedback AckReceived(const AckReport& report) override;
    std::vector<uint64_t> ExpireSentUntil(int64_t since) override;
    int64_t GetOldestStart() const override;
    void TimerExpired() override;
    void Count(PolicyCounters& counters) const override;

  private:
    /// A transmission.
    struct Transmission
    {
        uint64_t number; //!< the packet's number
        int64_t start;   //!< when it began, in picoseconds
    };

    /// Forget the oldest transmissions of packets that are acknowledged.
    void Sweep();

    /// Those that are neither lost nor known to be needless, the oldest first; the first one's
    /// packet is not acknowledged.
    GrowingRing<Transmission> m_order;
    uint64_t m_expirations{0}; //!< timers that have run out
};

} // namespace aifabric
} // namespace ns3

#endif /* PACKET_TIMER_RECOVERY_H */
