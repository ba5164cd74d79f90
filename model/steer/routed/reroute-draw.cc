/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reroute-draw.h"

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return another number below a limit, if there is one  @param old the number
/// @param uniform randomness
uint32_t
DrawOther(uint32_t old, uint32_t limit, const UniformInteger& uniform)
{
    if (limit <= 1)
    {
        return old;
    }
    const uint32_t drawn = uniform(limit - 1);
    return drawn < old ? drawn : drawn + 1;
}

} // namespace

uint16_t
DrawReroute(uint16_t old, uint32_t uplinks, uint32_t middleUplinks, const UniformInteger& uniform)
{
    const uint32_t i = DrawOther(old % uplinks, uplinks, uniform);
    const uint32_t j = DrawOther(old / uplinks, middleUplinks, uniform);
    return static_cast<uint16_t>(j * uplinks + i);
}

uint16_t
DrawRerouteAmong(uint16_t old,
                 uint32_t uplinks,
                 const std::vector<uint16_t>& paths,
                 const UniformInteger& uniform)
{
    uint32_t most = 1;
    std::vector<uint16_t> farthest;
    for (const uint16_t path : paths)
    {
        const uint32_t differing =
            (path % uplinks != old % uplinks) + (path / uplinks != old / uplinks);
        if (differing > most)
        {
            most = differing;
            farthest.clear();
        }
        if (differing == most)
        {
            farthest.push_back(path);
        }
    }
    return farthest.empty() ? old : farthest[uniform(static_cast<uint32_t>(farthest.size()))];
}

} // namespace aifabric
} // namespace ns3
