/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROOM_AGENDA_H
#define ROOM_AGENDA_H

#include "window-node.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * When each room of a WindowSimulator has something to do next. Rooms that are due are found
 * without a look at all of them: 64 rooms have a minimum, and so have 64 of these minima.
 *
 * In a window, each worker calls what concerns its own rooms only, which share no minimum with
 * those of another one.
 */
class RoomAgenda
{
  public:
    /// Have entries for rooms, who have nothing to do.  @param rooms how many there are
    void Resize(uint32_t rooms);

    /// Share the rooms among workers.  @param shares the rooms of each
    void SetShares(const std::vector<std::vector<uint32_t>>& shares);

    /// @return when a room has something to do next, in time steps  @param room its number
    uint64_t GetNext(uint32_t room) const
    {
        return m_next[m_slots[room]];
    }

    /// A room has something to do.  @param room its number  @param ts when, in time steps
    void Lower(uint32_t room, uint64_t ts)
    {
        const uint32_t slot = m_slots[room];
        if (ts < m_next[slot])
        {
            m_next[slot] = ts;
            LowerMinima(slot, ts);
        }
    }

    /// A room has done what was due.  @param room its number  @param ts when it has something to do
    /// next, in time steps
    void Set(uint32_t room, uint64_t ts)
    {
        const uint32_t slot = m_slots[room];
        m_next[slot] = ts;
        LowerMinima(slot, ts);
    }

    /// @return the first time at which a room has something to do, or WindowNode::NEVER
    uint64_t FindFirst() const;

    /**
     * Find the rooms that are due. Each has to be Set() before any other call but Lower().
     *
     * @param worker whose rooms
     * @param last the last time at which a room is due, in time steps
     * @param [out] due the rooms, in the order of the worker's share
     */
    void TakeDue(uint32_t worker, uint64_t last, std::vector<uint32_t>& due);

    /// Forget all rooms.
    void Clear();

  private:
    static constexpr uint32_t BITS = 6;              //!< of a place among what has one minimum
    static constexpr uint32_t GROUP = 1 << 2 * BITS; //!< rooms below a minimum of minima

    /// Lower the minima of a slot.
    void LowerMinima(uint32_t slot, uint64_t ts)
    {
        uint64_t& minimum = m_minima[slot >> BITS];
        if (ts < minimum)
        {
            minimum = ts;
            uint64_t& first = m_firsts[slot >> 2 * BITS];
            first = ts < first ? ts : first;
        }
    }

    /// Add a room behind all others.
    void Append(uint32_t room, uint64_t ts);
    /// Fill up the last group.
    void EndGroup();
    /// As TakeDue().  @param block the number of a minimum  @return what is left of it
    uint64_t TakeDueOf(uint32_t block, uint64_t last, std::vector<uint32_t>& due);

    std::vector<uint32_t> m_slots{};  //!< place of each room below
    std::vector<uint32_t> m_rooms{};  //!< room of each slot
    std::vector<uint64_t> m_next{};   //!< when the room of a slot has something to do next
    std::vector<uint64_t> m_minima{}; //!< the least of 64 slots
    std::vector<uint64_t> m_firsts{}; //!< the least of 64 minima
    std::vector<uint32_t> m_ends{0};  //!< by worker: where its groups end
};

} // namespace aifabric
} // namespace ns3

#endif /* ROOM_AGENDA_H */
