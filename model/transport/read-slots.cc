/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "read-slots.h"

namespace ns3
{
namespace aifabric
{

ReadSlots::ReadSlots(uint32_t most)
    : m_most(most)
{
}

bool
ReadSlots::Take(uint64_t connection, uint32_t read)
{
    Reads& reads = m_reads[connection];
    if (reads.asked < m_most)
    {
        ++reads.asked;
        return true;
    }
    reads.waiting.push_back(read);
    return false;
}

std::optional<uint32_t>
ReadSlots::Release(uint64_t connection)
{
    Reads& reads = m_reads.at(connection);
    if (reads.waiting.empty())
    {
        --reads.asked;
        return std::nullopt;
    }
    const uint32_t next = reads.waiting.front();
    reads.waiting.pop_front();
    return next;
}

} // namespace aifabric
} // namespace ns3
