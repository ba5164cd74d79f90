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
#include <optional>

namespace ns3
{
namespace aifabric
{

/// How long a requestor waits for acknowledgements, as the attributes of its queue pair say.
struct RetransmissionLimits
{
    int64_t timeout{0};  //!< time without acknowledgement until the timer expires, in picoseconds
    int64_t least{0};    //!< time without progress that the queue pair survives, in picoseconds
    uint32_t retries{0}; //!< expirations in a row that the queue pair survives
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
            m_waitsSince = std::min(m_waitsSince, start);
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
        m_waitsSince = NEVER;
    }

    /// @return after which time without an acknowledgement it expires  @param limits of the queue
    /// pair
    int64_t GetTimeout(const RetransmissionLimits& limits) const
    {
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

    /// @return the time without progress after which the queue pair fails at the latest, but for
    /// one timeout, in picoseconds; none if it never does  @param limits of the queue pair
    static std::optional<int64_t> GetBudget(const RetransmissionLimits& limits, bool backsOff)
    {
        if (limits.retries == UINT32_MAX)
        {
            return std::nullopt;
        }
        RetransmissionTimer timer;
        timer.m_backsOff = backsOff;
        int64_t budget = timer.GetTimeout(limits);
        while (timer.m_retries < std::min(limits.retries, limits.linear + MOST_DOUBLINGS))
        {
            timer.Expire(0);
            budget += timer.GetTimeout(limits);
        }
        const double others = limits.retries - timer.m_retries; // all as long as the last one
        const double most = budget + others * timer.GetTimeout(limits);
        constexpr int64_t MOST_BUDGET = 1'000'000'000'000'000; // 1000 s
        return std::max(limits.least,
                        most < MOST_BUDGET ? static_cast<int64_t>(most) : MOST_BUDGET);
    }

    /// @return whether the first missing packet was retransmitted in vain too often, and for as
    /// long as timeouts would take: a recovery that learns of losses earlier retransmits so often
    /// that the timer alone never expires  @param limits of the queue pair
    bool IsInVain(int64_t now, const RetransmissionLimits& limits) const
    {
        if (m_tries < uint64_t{limits.retries} + 2) // the first one is no retransmission
        {
            return false;
        }
        const std::optional<int64_t> budget = GetBudget(limits, m_backsOff);
        return budget && now - m_waitsSince >= *budget;
    }

    /// The timer has expired: restart it.  @return how often in a row
    uint32_t Expire(int64_t now)
    {
        m_waitsSince = std::min(m_waitsSince, m_start);
        m_start = now;
        return ++m_retries;
    }

    /// @return whether it has expired too often in a row, and for too long  @param limits of the
    /// queue pair
    bool HasRunOut(int64_t now, const RetransmissionLimits& limits) const
    {
        return m_retries > limits.retries && now - m_waitsSince >= limits.least;
    }

    /// Reset the count of expirations.
    void ResetRetries()
    {
        m_retries = 0;
    }

  private:
    static constexpr uint32_t MOST_DOUBLINGS = 10; //!< of the timeout

    int64_t m_start{0};          //!< when it started
    int64_t m_waitsSince{NEVER}; //!< start of the first missing packet, or of the timer that
                                 //!< expired, whichever was first since the last new ACK
    uint32_t m_retries{0};       //!< expirations in a row
    uint16_t m_tries{0};         //!< since the last new ACK: transmissions with none under way
    bool m_backsOff{false};      //!< each expiration doubles the time until the next one
    bool m_rearmsOnSend{false};  //!< each packet that is sent starts it anew
};

} // namespace aifabric
} // namespace ns3

#endif /* RETRANSMISSION_TIMER_H */
