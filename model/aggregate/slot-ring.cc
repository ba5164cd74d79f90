/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "slot-ring.h"

namespace ns3
{
namespace aifabric
{

SlotRing::SlotRing(uint16_t job, uint32_t window, uint32_t slots, bool isDistinct)
    : m_users(slots)
{
    m_slots.reserve(window);
    for (uint32_t place = 0; place < window; ++place)
    {
        const bool isFree = isDistinct && place < slots; // whether some slot is free
        uint16_t salt = 0;
        uint32_t slot = Hash(job, place, salt) % slots;
        while (isFree && m_users[slot] > 0 && salt < UINT16_MAX)
        {
            ++salt;
            slot = Hash(job, place, salt) % slots;
        }
        m_slots.push_back(slot);
        ++m_users[slot];
    }
}

void
SlotRing::Move(uint32_t sequence, uint16_t slot)
{
    if (slot < m_users.size() && m_users[slot] == 0)
    {
        uint16_t& place = m_slots[sequence % GetWindow()];
        --m_users[place];
        place = slot;
        ++m_users[slot];
    }
}

bool
SlotRing::Has(uint16_t slot) const
{
    return m_users[slot] > 0;
}

uint32_t
SlotRing::Hash(uint16_t job, uint16_t place, uint16_t salt)
{
    constexpr uint32_t POLYNOMIAL = 0xEDB88320; // IEEE 802.3, reflected
    uint32_t crc = 0xFFFFFFFF;
    for (const uint16_t part : {job, place, salt})
    {
        for (int shift = 0; shift < 16; shift += 8)
        {
            crc ^= part >> shift & 0xFF;
            for (int bit = 0; bit < 8; ++bit)
            {
                crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
            }
        }
    }
    return crc;
}

} // namespace aifabric
} // namespace ns3
