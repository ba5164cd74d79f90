/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/endpoint-table.h"
#include "ns3/fabric-frame-pool.h"

#include <array>
#include <gtest/gtest.h>
#include <set>

using ns3::Create;
using ns3::aifabric::EndpointMaker;
using ns3::aifabric::EndpointTable;
using ns3::aifabric::FabricFrame;
using ns3::aifabric::FabricFramePool;

namespace
{

/// A table alone, whose endpoints are never made.
struct Numbers : public EndpointTable, public EndpointMaker
{
    using EndpointTable::FindReceiver;

    void MakeEndpoint(uint32_t number) override
    {
        asked = number;
    }

    uint32_t asked{0}; //!< the last number that a frame came for
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

TEST(EndpointTable, FramesComeToTheCallThatReservedTheirNumber)
{
    constexpr uint32_t BITS = 12;
    std::array<Numbers, 3> makers;
    Numbers& table = makers[0];
    std::array<uint32_t, 3> firsts{};
    for (std::size_t i = 0; i < makers.size(); ++i)
    {
        firsts[i] = table.ReserveNumbers(&makers[i], BITS);
    }
    const ns3::Ptr<FabricFramePool> pool = Create<FabricFramePool>();
    const ns3::Ptr<FabricFrame> frame = pool->Create();
    for (std::size_t i = 0; i < makers.size(); ++i)
    {
        for (const uint32_t place :
             {0U, 1U, (1U << BITS) - 1, 1U << BITS, 4U << BITS, (7U << BITS) - 1})
        {
            frame->destinationQp = EndpointTable::GetReserved(firsts[i], place, BITS);
            EXPECT_EQ(table.FindReceiver(*frame), nullptr);
            EXPECT_EQ(makers[i].asked, frame->destinationQp) << i << " " << place;
        }
    }
    table.ReleaseNumbers(firsts[1]);
    frame->destinationQp = firsts[1];
    makers[1].asked = 0;
    EXPECT_EQ(table.FindReceiver(*frame), nullptr);
    EXPECT_EQ(makers[1].asked, 0);
}

} // namespace
