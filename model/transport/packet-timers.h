/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_TIMERS_H
#define PACKET_TIMERS_H

#include <cstdint>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A timer for each transmission of a queue pair. An acknowledgement stops the timer of the
 * transmission that it answers, whose start and UDP source port it repeats, and the timers of all
 * packets before the first one that is not acknowledged. All times are in picoseconds.
 */
class PacketTimers
{
  public:
    /// What GetNextExpiry() returns if no timer runs.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// @param timeout time from the start of a transmission to the expiry of its timer
    explicit PacketTimers(int64_t timeout)
        : m_timeout(timeout)
    {
    }

    /// Start the timer of a transmission.  @param start when the transmission begins
    /// @param number the packet; it is acknowledged when Acknowledge() is called with a larger one
    void Start(int64_t start, uint32_t entropy, uint64_t number)
    {
        m_running.insert(Timer{start, entropy, number});
    }

    /// Stop the timer of a transmission that is acknowledged, unless it has expired. Of two that
    /// began at the same time, by two ports of a NIC, with the same entropy, that of the packet.
    /// @param start when the transmission began
    /// @param number the packet that the acknowledgement names
    void Stop(int64_t start, uint32_t entropy, uint64_t number)
    {
        auto timer = m_running.find(Timer{start, entropy, number});
        if (timer == m_running.end())
        {
            timer = m_running.lower_bound(Timer{start, entropy, 0});
        }
        if (timer != m_running.end() && timer->start == start && timer->entropy == entropy)
        {
            m_running.erase(timer);
        }
    }

    /// Stop the timers of all packets that are acknowledged.
    /// @param unacknowledged the first packet that is not
    void Acknowledge(uint64_t unacknowledged)
    {
        m_unacknowledged = unacknowledged;
        Prune();
    }

    /// Stop all timers.
    void StopAll()
    {
        m_running.clear();
    }

    /// @return when the next timer expires, or NEVER
    int64_t GetNextExpiry() const
    {
        return m_running.empty() ? NEVER : m_running.begin()->start + m_timeout;
    }

    /// @return entropies of the transmissions whose timers have expired, the oldest first
    std::vector<uint32_t> Expire(int64_t now)
    {
        std::vector<uint32_t> expired;
        while (GetNextExpiry() <= now)
        {
            expired.push_back(m_running.extract(m_running.begin()).value().entropy);
            Prune();
        }
        m_expirations += expired.size();
        return expired;
    }

    /// @return how many timers have expired
    uint64_t GetExpirations() const
    {
        return m_expirations;
    }

  private:
    /// A timer.
    struct Timer
    {
        int64_t start;    //!< when the transmission begins
        uint32_t entropy; //!< its entropy
        uint64_t number;  //!< the packet

        /// @return whether this one comes first  @param other another
        bool operator<(const Timer& other) const
        {
            return std::tie(start, entropy, number) <
                   std::tie(other.start, other.entropy, other.number);
        }
    };

    /// Remove the first timers as long as their packets are acknowledged.
    void Prune()
    {
        while (!m_running.empty() && m_running.begin()->number < m_unacknowledged)
        {
            m_running.erase(m_running.begin());
        }
    }

    int64_t m_timeout;              //!< from start to expiry
    std::multiset<Timer> m_running; //!< may have packets behind the first that are acknowledged
    uint64_t m_unacknowledged{0};   //!< the first packet that is not acknowledged
    uint64_t m_expirations{0};      //!< timers that have expired
};

} // namespace aifabric
} // namespace ns3

#endif /* PACKET_TIMERS_H */
