/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef POWER_OF_TWO_H
#define POWER_OF_TWO_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// @return the least power of two that is not below a number  @param number at most 2^31
constexpr uint32_t
PowerOfTwo(uint32_t number)
{
    constexpr uint32_t MOST = 1U << 31;
    uint32_t power = 1;
    while (power < number && power < MOST)
    {
        power *= 2;
    }
    return power;
}

static_assert(PowerOfTwo(0) == 1 && PowerOfTwo(64) == 64 && PowerOfTwo(65) == 128, "the least one");

} // namespace aifabric
} // namespace ns3

#endif /* POWER_OF_TWO_H */
