/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RCCC_CONTROL_H
#define RCCC_CONTROL_H

#include "nscc-control.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * RCCC, the receiver's congestion control of Ultra Ethernet, together with NSCC: a sender may send
 * what the window of NSCC allows and what the receiver has given credit for. The receiver paces
 * credit at the rate of its port (CreditPacer), so the last hop carries no more than it can. A
 * packet that is trimmed there does not reduce the window.
 *
 * The first window needs no credit, because it leaves before any can arrive. Credit, demand and
 * what was sent are sums since the connection began, so that losing an announcement of them costs
 * nothing after the next one. A packet may be sent if any credit is left; what it takes too much,
 * the next ones have to wait for. Retransmissions need credit as new packets do.
 * A sender asks for at most one window of credit beyond what it has sent.
 *
 * Conservation: bytes sent < unsolicited allowance + credit + a packet.
 */
class RcccControl : public NsccControl
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<CongestionControl> Fork() const override;
    void Start(const FabricFacts& facts) override;
    bool PacketSent(uint32_t bytes, int64_t start) override;
    bool UsesCredits() const override;
    uint64_t GetCredit() const override;
    CreditDemand GetDemand(uint64_t waiting) const override;
    bool CreditReceived(uint64_t credit, int64_t now) override;
    std::optional<MarkingLaw> GetMarkingLaw(const FabricFacts& facts) const override;
    void Count(PolicyCounters& counters) const override;

  private:
    /// @return payload bytes that may be sent; negative: the last packet had more than was left
    int64_t GetLeft() const;

    double m_unsolicitedFactor{0}; //!< first allowance, in bandwidth-delay products
    uint64_t m_allowance{0};       //!< payload that needs no credit, in bytes
    uint64_t m_credit{0};          //!< credit that the receiver has given, in bytes
    uint64_t m_sent{0};            //!< payload sent, the first time or again, in bytes
    uint64_t m_credits{0};         //!< announcements of more credit
};

} // namespace aifabric
} // namespace ns3

#endif /* RCCC_CONTROL_H */
