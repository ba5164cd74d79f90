/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "part-draw.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace aifabric
{

PartDraw::PartDraw(UniformInteger uniform)
    : m_uniform(std::move(uniform))
{
}

bool
PartDraw::CanDraw() const
{
    return static_cast<bool>(m_uniform);
}

PartSizes
PartDraw::Draw(const PartSkew& skew, uint32_t ranks, uint64_t bytes, uint64_t tokenBytes)
{
    m_parts += uint64_t{ranks} * ranks;
    if (m_parts > MOST_PARTS)
    {
        throw std::length_error("more than " + std::to_string(MOST_PARTS) +
                                " parts are drawn, of all steps together");
    }
    const std::vector<uint64_t> all = SkewParts(skew, ranks, bytes).GetBytes();
    std::vector<uint64_t> shares(all.begin(), all.begin() + ranks);
    Shuffle(shares, m_uniform);
    if (tokenBytes == 0)
    {
        return PartSizes::ByReceiver(shares);
    }
    std::vector<uint64_t> drawn;
    for (uint32_t sender = 0; sender < ranks; ++sender)
    {
        const std::vector<uint64_t> row = DrawTokens(shares, tokenBytes);
        drawn.insert(drawn.end(), row.begin(), row.end());
    }
    return {ranks, std::move(drawn)};
}

std::vector<uint64_t>
PartDraw::DrawTokens(const std::vector<uint64_t>& shares, uint64_t tokenBytes)
{
    constexpr uint32_t STEPS = uint32_t{1} << 31; // of a draw
    std::vector<uint64_t> ends(shares.size());
    std::partial_sum(shares.begin(), shares.end(), ends.begin());
    const uint64_t bytes = ends.back();
    m_tokens += bytes / tokenBytes;
    if (m_tokens > MOST_TOKENS)
    {
        throw std::length_error("more than " + std::to_string(MOST_TOKENS) +
                                " tokens are drawn, of all steps together");
    }
    std::vector<uint64_t> row(shares.size());
    for (uint64_t left = bytes; left > 0;)
    {
        const uint64_t token = std::min(left, tokenBytes);
        const double at =
            static_cast<double>(m_uniform(STEPS)) / STEPS * static_cast<double>(bytes);
        const auto expert =
            std::upper_bound(ends.begin(), ends.end() - 1, static_cast<uint64_t>(at));
        row[expert - ends.begin()] += token;
        left -= token;
    }
    return row;
}

} // namespace aifabric
} // namespace ns3
