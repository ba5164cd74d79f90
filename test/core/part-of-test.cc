/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/part-of.h"

namespace
{

using Wide = unsigned __int128; //!< more than any product

/// A number of any magnitude.  @param bits the most bits it has
uint64_t
Draw(std::mt19937_64& random, uint32_t bits)
{
    return random() >> (64 - 1 - random() % bits);
}

} // namespace

TEST(PartBegin, IsTheFloorOfTheShare)
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 100000; ++i)
    {
        const uint64_t whole = Draw(random, 64);
        const uint64_t parts = 1 + Draw(random, 32) % std::numeric_limits<uint32_t>::max();
        const uint64_t part = i % 10 == 0 ? parts : random() % (parts + 1);
        EXPECT_EQ(PartBegin(whole, parts, part), static_cast<uint64_t>(Wide{whole} * part / parts))
            << whole << " " << parts << " " << part;
    }
}

TEST(PartBegin, DoesNotOverflow)
{
    constexpr uint64_t WHOLE = std::numeric_limits<uint64_t>::max();
    constexpr uint64_t PARTS = std::numeric_limits<uint32_t>::max();
    static_assert(PartBegin(WHOLE, PARTS, PARTS) == WHOLE);
    static_assert(PartBegin(WHOLE, PARTS, 0) == 0);
    static_assert(PartBegin(WHOLE - 1, PARTS, PARTS) == WHOLE - 1);
}
