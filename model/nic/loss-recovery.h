/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOSS_RECOVERY_H
#define LOSS_RECOVERY_H

#include "ns3/object.h"
#include "ns3/policy-counters.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How one queue pair survives loss and reordering, at both of its ends: which packet it sends next,
 * which packets it accepts, and what it answers. Packets are numbered from 0 without wrapping.
 *
 * A subclass named XyzRecovery is offered as `--recovery=xyz` as soon as it is registered with
 * ns-3's type system.
 */
class LossRecovery : public Object
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

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    // The sending end

    /**
     * @param posted packets of all messages posted so far
     * @return whether there is a packet to be sent, for the first time or again
     */
    virtual bool HasNext(uint64_t posted) const = 0;

    /**
     * @return the number of the packet to be sent now; it counts as sent
     */
    virtual uint64_t TakeNext() = 0;

    /**
     * An acknowledgement has come.
     *
     * @param psn its PSN
     * @return whether it acknowledges something for the first time
     */
    virtual bool AckReceived(uint32_t psn) = 0;

    /**
     * A negative acknowledgement has come.
     *
     * @param psn its PSN: the packet that the receiver expects
     * @return whether it acknowledges something for the first time
     */
    virtual bool NakReceived(uint32_t psn) = 0;

    /**
     * Somebody who knows says that a packet or its acknowledgement was lost.
     *
     * @param psn its PSN
     * @return whether it will be sent again because of that
     */
    virtual bool LossReported(uint32_t psn);

    /// The retransmission timer has expired.
    virtual void TimerExpired() = 0;

    /// @return packets sent and not acknowledged
    virtual uint64_t GetOutstanding() const = 0;

    /// @return the first packet that is not acknowledged: all before it are
    virtual uint64_t GetUnacknowledged() const = 0;

    /// @return packets that were sent at least once
    virtual uint64_t GetSent() const = 0;

    // The receiving end

    /**
     * A packet has come.
     *
     * @param psn its PSN
     * @return what becomes of it
     */
    virtual Verdict PacketReceived(uint32_t psn) = 0;

    /// @return the first packet that has not come: all before it have
    virtual uint64_t GetExpected() const = 0;

    /// Add what it has counted.  @param counters where
    virtual void Count(PolicyCounters& counters) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* LOSS_RECOVERY_H */
