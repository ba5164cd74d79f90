/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "part-sizes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace ns3
{
namespace aifabric
{

PartSizes::PartSizes(uint32_t ranks, std::vector<uint64_t> bytes)
    : m_ranks(ranks),
      m_bytes(std::move(bytes))
{
}

PartSizes
PartSizes::ByReceiver(const std::vector<uint64_t>& bytes)
{
    std::vector<uint64_t> all;
    for (std::size_t sender = 0; sender < bytes.size(); ++sender)
    {
        all.insert(all.end(), bytes.begin(), bytes.end());
    }
    return {static_cast<uint32_t>(bytes.size()), std::move(all)};
}

PartSizes
PartSizes::Transposed() const
{
    std::vector<uint64_t> bytes(m_bytes.size());
    for (std::size_t part = 0; part < m_bytes.size(); ++part)
    {
        bytes[part % m_ranks * m_ranks + part / m_ranks] = m_bytes[part];
    }
    return {m_ranks, std::move(bytes)};
}

PartSizes
PartSizes::Scaled(uint64_t to, uint64_t from) const
{
    std::vector<uint64_t> bytes = m_bytes;
    for (uint64_t& part : bytes)
    {
        part = part == 0 ? 0 : std::llround(static_cast<long double>(part) * to / from);
    }
    return {m_ranks, std::move(bytes)};
}

uint32_t
PartSizes::GetRanks() const
{
    return m_ranks;
}

const std::vector<uint64_t>&
PartSizes::GetBytes() const
{
    return m_bytes;
}

uint64_t
PartSizes::GetMost() const
{
    uint64_t most = 0;
    for (auto row = m_bytes.begin(); row != m_bytes.end(); row += m_ranks)
    {
        most = std::max(most, std::accumulate(row, row + m_ranks, uint64_t{0}));
    }
    return most;
}

uint64_t
PartSizes::GetSize() const
{
    uint64_t own = 0;
    for (std::size_t sender = 0; sender < m_bytes.size() / m_ranks; ++sender)
    {
        own += m_bytes[sender * m_ranks + sender];
    }
    const uint64_t senders = m_bytes.size() / m_ranks;
    const uint64_t total = std::accumulate(m_bytes.begin(), m_bytes.end(), uint64_t{0});
    return total == own ? 0 : (total + senders - 1) / senders;
}

bool
PartSizes::operator==(const PartSizes& other) const
{
    return m_ranks == other.m_ranks && m_bytes == other.m_bytes;
}

} // namespace aifabric
} // namespace ns3
