/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/endpoint-table.h"

#include <gtest/gtest.h>
#include <set>

using ns3::aifabric::EndpointTable;

namespace
{

/// A table alone.
struct Numbers : public EndpointTable
{
};

TEST(EndpointTable, NumbersOfCallsAreApartAndSayTheirPlace)
{
    constexpr uint32_t BITS = 5;
    constexpr uint32_t CALLS = 100;
    Numbers table;
    std::set<uint32_t> numbers;
    for (uint32_t call = 0; call < CALLS; ++call)
    {
        const uint32_t first = table.ReserveNumbers(nullptr, BITS);
        for (uint32_t place = 0; place < EndpointTable::CountReserved(BITS); ++place)
        {
            const uint32_t number = EndpointTable::GetReserved(first, place, BITS);
            EXPECT_TRUE(numbers.insert(number).second) << number;
            EXPECT_LT(number, 1U << 24);
            EXPECT_EQ(EndpointTable::GetPlace(number, BITS), place);
        }
    }
    EXPECT_EQ(numbers.size(), CALLS * EndpointTable::CountReserved(BITS));
}

} // namespace
