/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOSS_RECOVERY_H
#define LOSS_RECOVERY_H

#include "ack-report.h"
#include "receiving-end.h"
#include "recovery-traits.h"

#include "ns3/policy-counters.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{
namespace aifabric
{

struct FabricFacts;

/**
 * @ingroup ai-fabric
 *
 * How one queue pair survives loss and reordering, at both of its ends: what a receiver asks
 * (ReceivingEnd), and what a sender asks and reports: which packet it sends next, which ones are
 * acknowledged and which lost. Packets are numbered from 0 without wrapping. The two are one line
 * of inheritance, because a second base would cost each queue pair a cache line.
 *
 * **Order**: Start() once, MessagePosted() for each message, GetNext() and TakeNext() only while
 * HasNext().
 *
 * A subclass named XyzRecovery is offered as `--recovery=xyz` as soon as it is registered with
 * ns-3's type system.
 */
class alignas(64) LossRecovery : public ReceivingEnd
{
  public:
    /// A packet to be sent.
    struct Departure
    {
        uint64_t number; //!< its number; of a repair packet, that of its message's first packet
        uint64_t repair{
            0}; //!< which repair packet of the queue pair it is, from 1 on; 0: it is none
    };

    /// What an acknowledgement or NACK changes at the sender.
    struct Feedback
    {
        uint64_t newlyAcked{0};     //!< how many packets it acknowledges for the first time
        std::vector<uint64_t> lost; //!< packets that it shows to be lost
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return what it needs, and how it uses timers
    virtual RecoveryTraits GetTraits() const;

    /**
     * The queue pair is connected.
     *
     * @param facts the fabric
     * @return whether the recovery uses the window of the congestion control: WindowChanged() and
     * IgnoresWindow() are called only then; false here
     */
    virtual bool Start([[maybe_unused]] const FabricFacts& facts)
    {
        return false;
    }

    /// The window of the congestion control is set.  @param packets the window, in packets
    virtual void WindowChanged([[maybe_unused]] uint32_t packets)
    {
    }

    /// @return whether the next packet may be sent although the window is full; false here
    virtual bool IgnoresWindow() const
    {
        return false;
    }

    /**
     * A message was posted.
     *
     * @param first the number of its first packet
     * @param packets how many packets it has
     */
    virtual void MessagePosted([[maybe_unused]] uint64_t first, [[maybe_unused]] uint64_t packets)
    {
    }

    /**
     * @param posted packets of all messages posted so far
     * @return whether there is a packet to be sent, for the first time or again
     */
    virtual bool HasNext(uint64_t posted) const = 0;

    /**
     * @return the number of the packet that TakeNext() would give; of a repair packet, that of its
     * message's first packet. To be called only if there is a packet to be sent.
     */
    virtual uint64_t GetNext() const = 0;

    /**
     * @param start when its transmission begins, in picoseconds
     * @return the packet to be sent now; it counts as sent
     */
    virtual Departure TakeNext(int64_t start) = 0;

    /**
     * An acknowledgement arrived.
     *
     * @param report its contents; without RecoveryTraits::needsReports only those of
     * ResponderReport
     * @return newly acknowledged and lost packets
     */
    virtual Feedback AckReceived(const AckReport& report) = 0;

    /**
     * The message sequence number of a response acknowledges whole messages.
     *
     * @param end the number after the last packet of the last one
     * @return newly acknowledged packets
     */
    virtual Feedback MessagesReceived([[maybe_unused]] uint64_t end)
    {
        return {};
    }

    /**
     * @param number a packet that is lost, as it has just said
     * @return when the transmission began that is lost, in picoseconds; 0: not known, as here
     */
    virtual int64_t GetLostStart([[maybe_unused]] uint64_t number) const
    {
        return 0;
    }

    /**
     * A negative acknowledgement arrived.
     *
     * @param report the packet that the receiver refuses, and why
     * @return newly acknowledged and lost packets
     */
    virtual Feedback NackReceived([[maybe_unused]] const NackReport& report)
    {
        return {};
    }

    /**
     * The LossOracle reports that a packet or its acknowledgement was lost.
     *
     * @return whether the sender retransmits it because of this report
     */
    virtual bool LossReported([[maybe_unused]] uint32_t psn)
    {
        return false;
    }

    /**
     * Declare packets lost that should have been acknowledged by now.
     *
     * @param since packets whose transmission began until then, in picoseconds
     * @return those of them that are not acknowledged
     */
    virtual std::vector<uint64_t> ExpireSentUntil([[maybe_unused]] int64_t since)
    {
        return {};
    }

    /**
     * @return when the transmission of the packet began, in picoseconds, that ExpireSentUntil()
     * declares lost next; the largest number if packets have no timers of their own
     */
    virtual int64_t GetOldestStart() const
    {
        return std::numeric_limits<int64_t>::max();
    }

    /// @return the packet of GetOldestStart(); here the first that is not acknowledged
    virtual uint64_t GetOldest() const
    {
        return GetUnacknowledged();
    }

    /**
     * A probe asks the receiver for a report (SprayQueuePair). It is sent only while packets are
     * outstanding.
     *
     * @param since when the sender sent its first unacknowledged packet, or when the last report
     * arrived that acknowledged something, in picoseconds
     * @param isLast whether nothing is left to be sent
     * @return when the next probe is due, in picoseconds; the largest number: never, as here
     */
    virtual int64_t GetProbeDue([[maybe_unused]] int64_t since, [[maybe_unused]] bool isLast) const
    {
        return std::numeric_limits<int64_t>::max();
    }

    /// A probe is sent.  @param now the current time, in picoseconds  @return its number, above 0
    virtual uint8_t TakeProbe([[maybe_unused]] int64_t now)
    {
        return 1;
    }

    /**
     * The report that answers a probe arrived; AckReceived() has processed it.
     *
     * @param now the current time, in picoseconds
     * @return packets that it shows to be lost
     */
    virtual std::vector<uint64_t> ProbeAnswered([[maybe_unused]] const AckReport& report,
                                                [[maybe_unused]] int64_t now)
    {
        return {};
    }

    /// The retransmission timer of the queue pair has expired.
    virtual void TimerExpired() = 0;

    /// @return packets sent and not acknowledged
    virtual uint64_t GetOutstanding() const = 0;

    /// @return the first packet that is not acknowledged: all before it are
    virtual uint64_t GetUnacknowledged() const = 0;

    /// @return packets that were sent at least once
    virtual uint64_t GetSent() const = 0;

    /// @return packets that wait to be sent, the first time or again; here those that were never
    /// sent
    /// @param posted packets of all messages posted so far
    virtual uint64_t CountWaiting(uint64_t posted) const
    {
        return posted - GetSent();
    }

    /**
     * Choose RcQueuePair::AckTimeout for a fabric. Here the timer is the last resort, and expires
     * when an acknowledgement is ten times as late as with all buffers full, 500 us at least.
     *
     * @param empty what a packet and its acknowledgement take through an empty fabric to the
     * farthest host, in picoseconds
     * @param drain what all buffers of that way take to drain if they are full, in picoseconds
     * @param packets what the packets themselves take of the first, in picoseconds
     * @return the time in picoseconds
     */
    virtual double GetUsualTimeoutPs(double empty, double drain, double packets) const;

    /**
     * Make another one for another queue pair; as TcpCongestionOps::Fork() does. A subclass that
     * overrides it by ForkObject(*this) makes queue pairs cheap to open.
     *
     * @return another one with the same attributes, of one that has not been used yet
     */
    virtual Ptr<LossRecovery> Fork() const;

    /// Add what it has counted.  @param counters where
    virtual void Count(PolicyCounters& counters) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* LOSS_RECOVERY_H */
