/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOSS_RECOVERY_H
#define LOSS_RECOVERY_H

#include "ack-report.h"

#include "ns3/object.h"
#include "ns3/policy-counters.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

struct FabricFacts;

/**
 * @ingroup ai-fabric
 *
 * How one queue pair survives loss and reordering, at both of its ends: which packet it sends next,
 * which packets it accepts, and what it answers. Packets are numbered from 0 without wrapping.
 *
 * A subclass named XyzRecovery is offered as `--recovery=xyz` as soon as it is registered with
 * ns-3's type system.
 */
class alignas(64) LossRecovery : public Object
{
  public:
    /// What a receiver answers to a packet.
    enum class Answer : uint8_t
    {
        NONE, //!< nothing
        ACK,  //!< an acknowledgement
        NAK,  //!< a negative acknowledgement: PSN sequence error
    };

    /// What becomes of a received packet.
    struct Verdict
    {
        bool accepted;   //!< its data is placed: it had not come before, and may come now
        Answer answer;   //!< the answer
        uint64_t number; //!< the packet number that the answer carries
    };

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

    // The sending end

    /**
     * The queue pair is connected.
     *
     * @param facts the fabric
     * @return whether the recovery uses the window of the congestion control: WindowChanged() and
     * IgnoresWindow() are called only then; false here
     */
    virtual bool Start(const FabricFacts& facts);

    /// The window of the congestion control is set.  @param packets the window, in packets
    virtual void WindowChanged(uint32_t packets);

    /// @return whether the next packet may be sent although the window is full; false here
    virtual bool IgnoresWindow() const;

    /**
     * A message was posted.
     *
     * @param first the number of its first packet
     * @param packets how many packets it has
     */
    virtual void MessagePosted(uint64_t first, uint64_t packets);

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
     * @param report its contents; without NeedsReports() only those of ResponderReport
     * @return newly acknowledged and lost packets
     */
    virtual Feedback AckReceived(const AckReport& report) = 0;

    /**
     * The message sequence number of a response acknowledges whole messages.
     *
     * @param end the number after the last packet of the last one
     * @return newly acknowledged packets
     */
    virtual Feedback MessagesReceived(uint64_t end);

    /**
     * @param number a packet that is lost, as it has just said
     * @return when the transmission began that is lost, in picoseconds; 0: not known, as here
     */
    virtual int64_t GetLostStart(uint64_t number) const;

    /**
     * A negative acknowledgement arrived.
     *
     * @param report the packet that the receiver refuses, and why
     * @return newly acknowledged and lost packets
     */
    virtual Feedback NackReceived(const NackReport& report);

    /**
     * The LossOracle reports that a packet or its acknowledgement was lost.
     *
     * @return whether the sender retransmits it because of this report
     */
    virtual bool LossReported(uint32_t psn);

    /**
     * @return whether LossReported() does anything, so that the fabric needs a LossOracle
     */
    virtual bool NeedsLossOracle() const;

    /**
     * @return whether the receiver has to acknowledge each packet by itself (AckPolicy), because
     * an acknowledgement does not cover the packets before it
     */
    virtual bool NeedsAckPerPacket() const;

    /// @return whether acknowledgements have to carry a bitmap (AckReport), as those of
    /// SprayQueuePair do; false here
    virtual bool NeedsReports() const;

    /// @return whether its queue pair has to report the path of each packet to it; false here
    virtual bool NeedsPaths() const;

    /// @return whether the retransmission timer runs for each packet: what ExpireSentUntil() gives
    /// has timed out, and the timer of the queue pair only counts how often nothing was
    /// acknowledged; false here
    virtual bool TimesEachPacket() const;

    /// @return whether each expiration of the retransmission timer doubles the time until the next
    /// one, until something is acknowledged; false here
    virtual bool BacksOff() const;

    /// @return whether a sender transmits without pause until the acknowledgement arrives, so that
    /// data may block acknowledgements of a lower class for ever; false here
    virtual bool SendsUntilAcked() const;

    /// @return whether it recovers from losses as no real NIC can, so that many losses make a run
    /// too fast; false here
    virtual bool IsIdeal() const;

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
     * Declare packets lost that should have been acknowledged by now.
     *
     * @param since packets whose transmission began until then, in picoseconds
     * @return those of them that are not acknowledged
     */
    virtual std::vector<uint64_t> ExpireSentUntil(int64_t since);

    /**
     * @return when the transmission of the packet began, in picoseconds, that ExpireSentUntil()
     * declares lost next; the largest number if packets have no timers of their own
     */
    virtual int64_t GetOldestStart() const;

    /// @return the packet of GetOldestStart(); here the first that is not acknowledged
    virtual uint64_t GetOldest() const;

    /**
     * A probe asks the receiver for a report (SprayQueuePair). It is sent only while packets are
     * outstanding.
     *
     * @param since when the sender sent its first unacknowledged packet, or when the last report
     * arrived that acknowledged something, in picoseconds
     * @param isLast whether nothing is left to be sent
     * @return when the next probe is due, in picoseconds; the largest number: never, as here
     */
    virtual int64_t GetProbeDue(int64_t since, bool isLast) const;

    /// A probe is sent.  @param now the current time, in picoseconds  @return its number, above 0
    virtual uint8_t TakeProbe(int64_t now);

    /**
     * The report that answers a probe arrived; AckReceived() has processed it.
     *
     * @param now the current time, in picoseconds
     * @return packets that it shows to be lost
     */
    virtual std::vector<uint64_t> ProbeAnswered(const AckReport& report, int64_t now);

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
    virtual uint64_t CountWaiting(uint64_t posted) const;

    // The receiving end

    /**
     * A packet arrived.
     *
     * @return how the receiver responds
     */
    virtual Verdict PacketReceived(uint32_t psn) = 0;

    /**
     * A trimmed packet arrived: a switch has cut off its payload.
     *
     * @return NAK: it is missing; ACK: it had arrived before; NONE: no response, as here
     */
    virtual Verdict TrimmedReceived(uint32_t psn);

    /**
     * Fill in the state of the receiving end: cumulative PSN and bitmap; nothing here.
     *
     * @param report the report, with the packet that triggers it
     * @param wanted the packet at which the bitmap should begin
     */
    virtual void FillReport(AckReport& report, uint64_t wanted) const;

    /**
     * A repair packet arrived: it can replace any one packet of its message.
     *
     * @param psn the PSN of the first packet of its message
     * @param packets packets of the message
     * @param repair which repair packet of the queue pair it is
     * @return how the receiver responds; the response has the number of the replaced packet
     */
    virtual Verdict RepairReceived(uint32_t psn, uint64_t packets, uint64_t repair);

    /// @return the first packet that has not arrived; all before it have
    virtual uint64_t GetExpected() const = 0;

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
