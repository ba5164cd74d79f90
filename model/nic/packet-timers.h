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
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A timer for each transmission of a queue pair. A transmission is identified by its start and its
 * UDP source port, which its acknowledgement repeats; two that have both in common, by two ports of
 * a NIC, share one timer. All times are in picoseconds.
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

    /// Start the timer of a transmission.
    /// @param start when the transmission begins  @param sourcePort its UDP source port
    void Start(int64_t start, uint16_t sourcePort)
    {
        m_running.emplace(start, sourcePort);
    }

    /// Stop the timer of a transmission that is acknowledged, unless it has expired.
    /// @param start when the transmission began  @param sourcePort its UDP source port
    void Stop(int64_t start, uint16_t sourcePort)
    {
        m_running.erase({start, sourcePort});
    }

    /// Stop all timers.
    void StopAll()
    {
        m_running.clear();
    }

    /// @return when the next timer expires, or NEVER
    int64_t GetNextExpiry() const
    {
        return m_running.empty() ? NEVER : m_running.begin()->first + m_timeout;
    }

    /// @return UDP source ports of the transmissions whose timers have expired, the oldest first
    /// @param now the current time
    std::vector<uint16_t> Expire(int64_t now)
    {
        std::vector<uint16_t> expired;
        while (GetNextExpiry() <= now)
        {
            expired.push_back(m_running.extract(m_running.begin()).value().second);
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
    int64_t m_timeout;                                //!< from start to expiry
    std::set<std::pair<int64_t, uint16_t>> m_running; //!< start and UDP source port
    uint64_t m_expirations{0};                        //!< timers that have expired
};

} // namespace aifabric
} // namespace ns3

#endif /* PACKET_TIMERS_H */
