/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECEIVING_END_H
#define RECEIVING_END_H

#include "ack-report.h"

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What a receiver asks its LossRecovery: which packets it accepts, and what it answers. Packets are
 * numbered from 0 without wrapping; the arguments named psn are the last 24 bits of such a number.
 */
class ReceivingEnd : public Object
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
    virtual Verdict TrimmedReceived([[maybe_unused]] uint32_t psn)
    {
        return {false, Answer::NONE, 0};
    }

    /**
     * Fill in the state of the receiving end: cumulative PSN and bitmap; nothing here.
     *
     * @param report the report, with the packet that triggers it
     * @param wanted the packet at which the bitmap should begin
     */
    virtual void FillReport([[maybe_unused]] AckReport& report,
                            [[maybe_unused]] uint64_t wanted) const
    {
    }

    /**
     * A repair packet arrived: it can replace any one packet of its message.
     *
     * @param psn the PSN of the first packet of its message
     * @param packets packets of the message
     * @param repair which repair packet of the queue pair it is
     * @return how the receiver responds; the response has the number of the replaced packet
     */
    virtual Verdict RepairReceived([[maybe_unused]] uint32_t psn,
                                   [[maybe_unused]] uint64_t packets,
                                   [[maybe_unused]] uint64_t repair)
    {
        return {false, Answer::NONE, 0};
    }

    /// @return the first packet that has not arrived; all before it have
    virtual uint64_t GetExpected() const = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* RECEIVING_END_H */
