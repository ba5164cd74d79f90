/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SELECTIVE_RECOVERY_H
#define SELECTIVE_RECOVERY_H

#include "loss-recovery.h"
#include "psn-window.h"

#include <optional>
#include <set>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What the recoveries have in common that send again only what was lost. The receiver accepts
 * packets in any order and acknowledges each by its own PSN. The sender keeps what is acknowledged
 * and what is lost; subclasses say how it learns of losses. When the retransmission timer expires,
 * all that is not acknowledged is lost.
 */
class SelectiveRecovery : public LossRecovery
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool HasNext(uint64_t posted) const override;
    uint64_t GetNext() const override;
    Departure TakeNext(int64_t start) override;
    Feedback AckReceived(const AckReport& report) override;
    void TimerExpired() override;
    uint64_t GetOutstanding() const override;
    uint64_t GetUnacknowledged() const override;
    uint64_t GetSent() const override;
    uint64_t CountWaiting(uint64_t posted) const override;
    Verdict PacketReceived(uint32_t psn) override;
    uint64_t GetExpected() const override;

  protected:
    /// @return the packet that a PSN names, if it was sent and is not acknowledged
    std::optional<uint64_t> FindUnacknowledged(uint32_t psn) const;

    /// A packet is acknowledged.  @param number the packet
    /// @return whether it was sent, and not acknowledged before
    bool Acknowledge(uint64_t number);

    /// All packets before one are acknowledged.  @param end the first that is not
    /// @return how many of them were sent, and not acknowledged before
    uint64_t AcknowledgeBefore(uint64_t end);

    /// Send a packet again.  @param number the packet, which was sent and is not acknowledged
    /// @return whether that is not under way already
    bool Lose(uint64_t number);

    /// @return whether a packet is acknowledged  @param number the packet
    bool IsAcknowledged(uint64_t number) const
    {
        return m_acked.Contains(number);
    }

    /// @return which of 64 packets are acknowledged, the first one in bit 0
    /// @param first the first one: none before the first that is not acknowledged
    uint64_t GetAcknowledgedBits(uint64_t first) const
    {
        return m_acked.GetBits(first);
    }

    /// @return whether the receiving end has a packet  @param number the packet
    bool HasReceived(uint64_t number) const
    {
        return m_received.Contains(number);
    }

    /// @return which of 64 packets the receiving end has, the first one in bit 0
    /// @param first the first one: none before the first that has not come
    uint64_t GetReceivedBits(uint64_t first) const
    {
        return m_received.GetBits(first);
    }

  private:
    /// @return whether there are packets to be sent again
    bool HasLost() const
    {
        return m_outstanding + m_ackedCount < m_sent;
    }

    // What sending and acknowledgements need is in the first cache line.

    uint32_t m_outstanding{0}; //!< packets sent, and neither acknowledged nor lost
    uint64_t m_sent{0};        //!< packets sent at least once
    uint64_t m_ackedCount{0};  //!< packets acknowledged
    PsnWindow m_acked;         //!< packets acknowledged
    PsnWindow m_received;      //!< packets that the receiving end has
    std::set<uint64_t> m_lost; //!< packets to be sent again
};

} // namespace aifabric
} // namespace ns3

#endif /* SELECTIVE_RECOVERY_H */
