/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STRICT_RECOVERY_H
#define STRICT_RECOVERY_H

#include "loss-recovery.h"
#include "psn-window.h"

#include <deque>
#include <set>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A rateless erasure code without overhead, used by a sender that knows of no loss (arXiv
 * 2507.21372, section 4): when all packets of its messages are sent, it goes on with repair packets
 * until an acknowledgement says that enough have come. A repair packet can stand for any one packet
 * of its message, and a message of m packets is complete when m different packets of it have come,
 * whichever they are.
 *
 * Repair packets have no number among the packets. One that comes takes the place of the first
 * packet of its message that is missing, and the answer names that place; when the packet itself
 * comes later, it takes the next place that is missing. So the number of places taken is the number
 * of different packets that came, and the sender knows that a message is done when all its places
 * are acknowledged, or by a message sequence number.
 *
 * Repair packets go in turn to the messages that are not done. Packets of new messages go first. A
 * packet that was lost counts as outstanding until the timer expires, so a congestion control with
 * a window should leave room for them; the study's has none.
 */
class StrictRecovery : public LossRecovery
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void MessagePosted(uint64_t first, uint64_t packets) override;
    bool HasNext(uint64_t posted) const override;
    uint64_t GetNext() const override;
    Departure TakeNext(int64_t start) override;
    Feedback AckReceived(const AckReport& report) override;
    Feedback MessagesReceived(uint64_t end) override;
    void TimerExpired() override;
    uint64_t GetOutstanding() const override;
    uint64_t GetUnacknowledged() const override;
    uint64_t GetSent() const override;
    Verdict PacketReceived(uint32_t psn) override;
    RecoveryTraits GetTraits() const override;
    Verdict RepairReceived(uint32_t psn, uint64_t packets, uint64_t repair) override;
    uint64_t GetExpected() const override;

  private:
    /// Consecutive packets: a message.
    struct Block
    {
        uint64_t first;   //!< its first packet
        uint64_t end;     //!< the one after its last packet
        uint64_t missing; //!< packets that are not acknowledged
    };

    /// @return the message that the next repair packet is for, one that is not done
    const Block& NextRepaired() const;

    /// A place is acknowledged.  @param number the place, which was sent
    /// @return whether it was not acknowledged before
    bool Acknowledge(uint64_t number);

    /// @return the block of a packet, or nullptr  @param blocks the blocks, by number
    /// @param number the packet
    static Block* Find(std::deque<Block>& blocks, uint64_t number);

    /// Take the first missing place of a message: a repair packet replaces any packet of it.
    /// @param block the message, or nullptr if it is complete  @param number what to answer then
    /// @return what becomes of the packet
    Verdict FillFirstGap(const Block* block, uint64_t number);

    std::deque<Block> m_posted; //!< messages that are not acknowledged, the oldest first
    uint64_t m_postedEnd{0};    //!< the number after the last packet posted
    uint64_t m_sent{0};         //!< packets sent
    uint64_t m_outstanding{0};  //!< packets and repair packets sent and not answered
    uint64_t m_repairsSent{0};  //!< repair packets sent
    uint64_t m_turn{0};         //!< repair packets go to the first message from here on
    PsnWindow m_acked;          //!< places acknowledged

    PsnWindow m_received;          //!< places taken
    std::set<uint64_t> m_borrowed; //!< of these, by another packet than the one they are for
    PsnWindow m_repairsReceived;   //!< repair packets received
    std::deque<Block> m_repaired;  //!< messages of which repair packets have come
};

} // namespace aifabric
} // namespace ns3

#endif /* STRICT_RECOVERY_H */
