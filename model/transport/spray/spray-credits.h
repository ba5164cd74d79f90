/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPRAY_CREDITS_H
#define SPRAY_CREDITS_H

#include "ns3/congestion-control.h"
#include "ns3/fabric-frame.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What both ends of a sprayed connection announce to each other of credit. All are sums since the
 * connection began, in units of a quantum, and headers have their lower 24 bits. So each
 * announcement replaces those before it, lost ones included, and late ones have no effect.
 */
class SprayCredits
{
  public:
    /// @param quantum unit of credit, in bytes of payload
    explicit SprayCredits(uint32_t quantum);

    // The sending end

    /// @return what a packet or a request announces  @param demand of the congestion control
    DemandFields Announce(const CreditDemand& demand);

    /// Credit has come.  @param field of the header  @return all credit so far, in bytes
    uint64_t CreditReceived(uint32_t field);

    /// @return all credit that has come, in units
    uint64_t GetReceived() const
    {
        return m_received;
    }

    /// @return whether the receiver still owes credit, as it knows unless IsAnnouncementLost()
    bool IsExpecting() const
    {
        return m_announced > m_received;
    }

    /// A frame with the announcement is sent.  @param sentAt when its transmission begins
    void AnnouncementSent(int64_t sentAt);

    /// A data packet has come without its announcement.  @param sentAt when its transmission began
    void AnnouncementRefused(int64_t sentAt)
    {
        m_refused += sentAt >= m_carriedSince;
    }

    /// @return whether all frames with the latest sum have come without it
    bool IsAnnouncementLost() const
    {
        return m_carriers > 0 && m_refused >= m_carriers;
    }

    // The receiving end

    /// A packet or a request has come.  @param demand what it announces
    /// @return bytes without credit that have not been announced before
    uint32_t DemandReceived(const DemandFields& demand);

    /// @return whether the sender wants more credit than it has got
    bool IsOwing() const
    {
        return m_granted < m_wanted;
    }

    /// Give credit, if it is wanted.  @param bytes the most  @return how much it is, in bytes
    uint32_t Grant(uint64_t bytes);

    /// @return the credit that was given, as headers have it
    uint32_t GetGranted() const;

    /**
     * A packet has come without its data.
     *
     * @param bytes its payload
     * @return of these, bytes that were announced as sent without credit
     */
    uint32_t Trimmed(uint32_t bytes);

  private:
    uint32_t m_quantum;        //!< unit of credit, in bytes
    uint64_t m_announced{0};   //!< credit that was asked for
    uint64_t m_received{0};    //!< credit that has come
    uint64_t m_carried{0};     //!< m_announced in the frame before
    int64_t m_carriedSince{0}; //!< start of the first frame with m_carried
    uint32_t m_carriers{0};    //!< frames with m_carried
    uint32_t m_refused{0};     //!< of these, frames that have come without it
    uint64_t m_wanted{0};      //!< credit that the other end asks for
    uint64_t m_granted{0};     //!< credit that it was given
    uint64_t m_unsolicited{0}; //!< what the other end sends without credit
    uint64_t m_trimmed{0};     //!< of that, what has come without its data at most, in bytes
};

} // namespace aifabric
} // namespace ns3

#endif /* SPRAY_CREDITS_H */
