/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SACK_RECOVERY_H
#define SACK_RECOVERY_H

#include "selective-recovery.h"

#include "ns3/growing-ring.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Selective repeat with selective acknowledgements (arXiv 2507.21372, section 8.5): a packet is
 * lost when ReorderingThreshold packets that were sent later are acknowledged. *Later* is a matter
 * of transmissions, not of numbers: a packet that is sent again gets a new place in the order. So
 * the loss of a retransmission is found as the first one was. The last packets of a message have
 * too few behind them; they are left to the retransmission timer.
 *
 * An acknowledgement names a packet, not one of its transmissions; it is taken for an answer to the
 * last one.
 */
class SackRecovery : public SelectiveRecovery
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<LossRecovery> Fork() const override;
    Departure TakeNext(int64_t start) override;
    Feedback AckReceived(const AckReport& report) override;
    Feedback MessagesReceived(uint64_t end) override;
    void TimerExpired() override;
    double GetUsualTimeoutPs(double empty, double drain, double packets) const override;

  private:
    /// A transmission.
    struct Transmission
    {
        uint64_t number; //!< the packet's number
        bool acked;      //!< the packet is acknowledged
    };

    /// A packet is acknowledged: note it in the order of transmissions.  @param number the packet
    void Note(uint64_t number);

    /// Forget transmissions of which nothing more can be learned, and find lost packets.
    /// @return the lost packets
    std::vector<uint64_t> Sweep();

    uint32_t m_threshold{0};           //!< later packets acknowledged that make a packet lost
    GrowingRing<Transmission> m_order; //!< transmissions, the oldest that is of interest first
    uint64_t m_orderFirst{0};          //!< the place of the first of them
    uint64_t m_ackedCount{0};          //!< how many of them are acknowledged
    GrowingRing<uint64_t> m_places;    //!< the place of each packet's last transmission
    uint64_t m_placesFirst{0};         //!< the number of the first of these packets
};

} // namespace aifabric
} // namespace ns3

#endif /* SACK_RECOVERY_H */
