/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "room-agenda.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{
constexpr uint32_t NO_ROOM = UINT32_MAX;
} // namespace

void
RoomAgenda::Resize(uint32_t rooms)
{
    for (uint32_t room = m_slots.size(); room < rooms; ++room)
    {
        m_slots.push_back(0);
        Append(room, WindowNode::NEVER);
    }
}

void
RoomAgenda::Append(uint32_t room, uint64_t ts)
{
    const uint32_t slot = m_rooms.size();
    m_rooms.push_back(room);
    m_next.push_back(ts);
    m_minima.resize((slot >> BITS) + 1, WindowNode::NEVER);
    m_firsts.resize((slot >> 2 * BITS) + 1, WindowNode::NEVER);
    if (room != NO_ROOM)
    {
        m_slots[room] = slot;
        LowerMinima(slot, ts);
    }
}

void
RoomAgenda::EndGroup()
{
    while (m_rooms.size() % GROUP != 0)
    {
        Append(NO_ROOM, WindowNode::NEVER);
    }
}

void
RoomAgenda::SetShares(const std::vector<std::vector<uint32_t>>& shares)
{
    RoomAgenda old;
    std::swap(*this, old);
    m_slots.assign(old.m_slots.size(), NO_ROOM);
    m_ends.clear();
    for (const std::vector<uint32_t>& share : shares)
    {
        for (const uint32_t room : share)
        {
            Append(room, old.GetNext(room));
        }
        EndGroup();
        m_ends.push_back(m_firsts.size());
    }
    for (uint32_t room = 0; room < m_slots.size(); ++room)
    {
        if (m_slots[room] == NO_ROOM) // its node has joined another one
        {
            Append(room, WindowNode::NEVER);
        }
    }
}

uint64_t
RoomAgenda::FindFirst() const
{
    return m_firsts.empty() ? WindowNode::NEVER
                            : *std::min_element(m_firsts.begin(), m_firsts.end());
}

uint64_t
RoomAgenda::TakeDueOf(uint32_t block, uint64_t last, std::vector<uint32_t>& due)
{
    uint64_t left = WindowNode::NEVER;
    const uint32_t end = std::min<std::size_t>((block + 1) << BITS, m_next.size());
    for (uint32_t slot = block << BITS; slot < end; ++slot)
    {
        if (m_next[slot] <= last)
        {
            due.push_back(m_rooms[slot]);
        }
        else
        {
            left = std::min(left, m_next[slot]);
        }
    }
    return left;
}

void
RoomAgenda::TakeDue(uint32_t worker, uint64_t last, std::vector<uint32_t>& due)
{
    due.clear();
    for (uint32_t group = worker == 0 ? 0 : m_ends[worker - 1]; group < m_ends[worker]; ++group)
    {
        if (m_firsts[group] > last)
        {
            continue;
        }
        m_firsts[group] = WindowNode::NEVER;
        const uint32_t end = std::min<std::size_t>((group + 1) << BITS, m_minima.size());
        for (uint32_t block = group << BITS; block < end; ++block)
        {
            if (m_minima[block] <= last)
            {
                m_minima[block] = TakeDueOf(block, last, due);
            }
            m_firsts[group] = std::min(m_firsts[group], m_minima[block]);
        }
    }
}

void
RoomAgenda::Clear()
{
    *this = RoomAgenda();
}

} // namespace aifabric
} // namespace ns3
