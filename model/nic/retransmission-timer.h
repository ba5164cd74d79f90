/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RETRANSMISSION_TIMER_H
#define RETRANSMISSION_TIMER_H

#include "ns3/frame-source.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// How long a requestor waits for acknowledgements, as the attributes of its queue pair say.
struct RetransmissionLimits
{
    int64_t timeout{0};  //!< time without acknowledgement until the timer expires, in picoseconds
    uint32_t retries{0}; //!< expirations in a row that the queue pair survives
    uint32_t vain{0};    //!< timeouts of one packet without a new acknowledgement
    uint32_t tries{0};   //!< transmissions that it takes at least for these to count
    uint32_t linear{0};  //!< expirations in a row that do not double the time, where others do
};

/**
 * @ingroup ai-fabric
 *
 * When the retransmission timer of a queue pair expires, and when it gives up. The timer starts
 * with the first packet that is not acknowledged, and anew with each acknowledgement. It only says
 * when; its owner schedules it. All times are in picoseconds.
 */
class RetransmissionTimer
{
  public:
    /// @param rearms whether each packet that is sent starts it anew
    void SetRearmsOnSend(bool rearms)
    {
        m_rearmsOnSend = rearms;
    }

    /// @return whether each packet that is sent starts it anew
    bool RearmsOnSend() const
    {
        return m_rearmsOnSend;
    }

    /// @param backsOff whether each expiration doubles the time until the next one
    void SetBacksOff(bool backsOff)
    {
        m_backsOff = backsOff;
    }

    /// @return whether expirations have doubled the timeout, so that an acknowledgement shortens it
    bool HasBackedOff() const
    {
        return m_backsOff && m_retries > 0;
    }

    /// Restart the timer.
    void Restart(int64_t now)
    {
        m_start = now;
    }

    /// A packet is sent.  @param start when its transmission begins  @param isFirst whether it is
    /// the first one that is not acknowledged
    void PacketSent(int64_t start, bool isFirst)
    {
        if (isFirst)
        {
            m_tries += m_tries < UINT16_MAX;
            m_start = start;
            m_triedSince = std::min(m_triedSince, start);
        }
        else if (m_rearmsOnSend)
        {
            m_start = start;
        }
    }

    /// Something was acknowledged.
    void Acknowledged(int64_t now)
    {
        m_start = now;
        m_retries = 0;
        m_tries = 0;
        m_triedSince = NEVER;
    }

    /// @return after which time without an acknowledgement it expires  @param limits of the queue
    /// pair
    int64_t GetTimeout(const RetransmissionLimits& limits) const
    {
        constexpr uint32_t MOST_DOUBLINGS = 10;
        const uint32_t doublings = m_retries - std::min(m_retries, limits.linear);
        return m_backsOff ? limits.timeout << std::min(doublings, MOST_DOUBLINGS) : limits.timeout;
    }

    /// @return when it started
    int64_t GetStart() const
    {
        return m_start;
    }

    /// @return when it expires  @param limits of the queue pair
    int64_t GetDue(const RetransmissionLimits& limits) const
    {
        return m_start + GetTimeout(limits);
    }

    /// @return whether the first missing packet was retransmitted in vain for too long, and often
    /// enough: a recovery that learns of losses earlier retransmits so often that the timer alone
    /// never expires  @param limits of the queue pair
    bool IsInVain(int64_t now, const RetransmissionLimits& limits) const
    {
        return m_triedSince < now && m_tries >= limits.tries &&
               (now - m_triedSince) / limits.timeout > static_cast<int64_t>(limits.vain);
    }

    /// The timer has expired: restart it.  @return how often in a row
    uint32_t Expire(int64_t now)
    {
        m_start = now;
        return ++m_retries;
    }

    /// Reset the count of expirations.
    void ResetRetries()
    {
        m_retries = 0;
    }

  private:
    int64_t m_start{0};          //!< when it started
    int64_t m_triedSince{NEVER}; //!< first start of the first missing packet since the last new ACK
    uint32_t m_retries{0};       //!< expirations in a row
    uint16_t m_tries{0};         //!< since the last new ACK: transmissions with none under way
    bool m_backsOff{false};      //!< each expiration doubles the time until the next one
    bool m_rearmsOnSend{false};  //!< each packet that is sent starts it anew
};

} // namespace aifabric
} // namespace ns3

#endif /* RETRANSMISSION_TIMER_H */
