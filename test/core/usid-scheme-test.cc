/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/ecn-tunnel.h"
#include "ns3/usid-scheme.h"

#include <iomanip>

namespace
{

/// @return an address in groups of four digits
std::string
Print(const UsidScheme::Address& address)
{
    std::ostringstream text;
    text << std::hex << std::setfill('0');
    for (std::size_t i = 0; i < address.size(); i += 2)
    {
        text << (i > 0 ? ":" : "") << std::setw(4) << (address[i] << 8 | address[i + 1]);
    }
    return text.str();
}

UsidRoute
DrawRoute(const UsidScheme& scheme, std::mt19937& random)
{
    const auto plane = static_cast<uint32_t>(random() % scheme.CountPlanes());
    const auto draw = [&]() { return static_cast<uint16_t>(random() % scheme.CountIndices()); };
    return {plane << 16 | draw(), draw(), draw(), draw()};
}

} // namespace

TEST(UsidScheme, ExampleOfTheSpecification)
{
    const UsidScheme scheme;
    const UsidRoute route{3U << 16 | 17, 5, 200, 44};
    const auto list = scheme.ToList(route);
    EXPECT_EQ(list, (UsidScheme::List{0x1605, 0x2611, 0x16c8, 0xe62c}));
    auto address = scheme.ToAddress(list);
    EXPECT_EQ(Print(address), "5f00:0000:1605:2611:16c8:e62c:0000:0000");
    address = UsidScheme::Shift(address);
    EXPECT_EQ(Print(address), "5f00:0000:2611:16c8:e62c:0000:0000:0000");
    address = UsidScheme::Shift(address);
    EXPECT_EQ(Print(address), "5f00:0000:16c8:e62c:0000:0000:0000:0000");
    EXPECT_FALSE(UsidScheme::IsLast(address));
    address = UsidScheme::Shift(address);
    EXPECT_EQ(Print(address), "5f00:0000:e62c:0000:0000:0000:0000:0000");
    EXPECT_TRUE(UsidScheme::IsLast(address));
}

TEST(UsidScheme, UnderOneLeaf)
{
    const UsidScheme scheme;
    const auto address = scheme.ToAddress(scheme.ToList(UsidRoute{3U << 16 | 17, 5, 5, 44}));
    EXPECT_EQ(Print(address), "5f00:0000:1605:e62c:0000:0000:0000:0000");
    const auto route = scheme.ToRoute(*scheme.ToList(address));
    ASSERT_TRUE(route);
    EXPECT_EQ(route->entropy, 3U << 16) << "the uplink is not on the way";
    EXPECT_EQ(route->destinationLeaf, 5);
    EXPECT_EQ(route->downlink, 44);
}

TEST(UsidScheme, ThreeTiersFillOneCarrier)
{
    const UsidScheme scheme;
    const UsidScheme::List list{scheme.Make({UsidClass::LEAF, 1, 2}),
                                scheme.Make({UsidClass::SPINE, 1, 3}),
                                scheme.Make({UsidClass::CORE, 1, 4}),
                                scheme.Make({UsidClass::SPINE, 1, 5}),
                                scheme.Make({UsidClass::LEAF, 1, 6}),
                                scheme.Make({UsidClass::NIC, 1, 7})};
    EXPECT_EQ(list.size(), UsidScheme::CARRIER);
    const auto address = scheme.ToAddress(list);
    EXPECT_EQ(Print(address), "5f00:0000:1202:2203:3204:2205:1206:e207");
    EXPECT_EQ(scheme.ToList(address), list);
    EXPECT_EQ(Print(UsidScheme::Shift(address, UsidScheme::ADJACENCY_BITS)),
              "5f00:0000:3204:2205:1206:e207:0000:0000");
}

TEST(UsidScheme, AddressIsRouteAndBack)
{
    std::mt19937 random(17);
    for (uint8_t bits = UsidScheme::LEAST_INDEX_BITS; bits <= UsidScheme::NUMBER_BITS; ++bits)
    {
        const UsidScheme scheme(0xfcbbbbbb, bits);
        EXPECT_EQ(scheme.CountPlanes() * scheme.CountIndices(), 4096U);
        for (int i = 0; i < 20000; ++i)
        {
            const UsidRoute route = DrawRoute(scheme, random);
            const auto list = scheme.ToList(scheme.ToAddress(scheme.ToList(route)));
            ASSERT_TRUE(list);
            const auto back = scheme.ToRoute(*list);
            ASSERT_TRUE(back);
            const bool isShort = route.sourceLeaf == route.destinationLeaf;
            ASSERT_EQ(back->entropy, isShort ? route.entropy >> 16 << 16 : route.entropy);
            ASSERT_EQ(back->sourceLeaf, route.sourceLeaf);
            ASSERT_EQ(back->destinationLeaf, route.destinationLeaf);
            ASSERT_EQ(back->downlink, route.downlink);
        }
    }
}

TEST(UsidScheme, ShiftsConsumeTheList)
{
    std::mt19937 random(18);
    const UsidScheme scheme;
    for (int i = 0; i < 10000; ++i)
    {
        const auto list = scheme.ToList(DrawRoute(scheme, random));
        auto address = scheme.ToAddress(list);
        for (std::size_t consumed = 0; consumed < list.size(); ++consumed)
        {
            ASSERT_EQ(address, scheme.ToAddress(list, consumed));
            ASSERT_EQ(UsidScheme::IsLast(address), consumed + 1 == list.size());
            address = UsidScheme::Shift(address);
        }
        ASSERT_EQ(address, scheme.ToAddress({}));
    }
}

TEST(UsidScheme, WhatIsNoRoute)
{
    const UsidScheme scheme;
    EXPECT_FALSE(scheme.ToList(UsidScheme(0x5f000001).ToAddress({0x1605})));
    EXPECT_FALSE(scheme.Read(0x4000)) << "a class that there is not";
    EXPECT_FALSE(scheme.Read(0x0005));
    EXPECT_FALSE(scheme.ToRoute({}));
    EXPECT_FALSE(scheme.ToRoute({0x1605}));
    EXPECT_FALSE(scheme.ToRoute({0x1605, 0x2611, 0x16c8, 0xec2c})) << "NIC of another plane";
    EXPECT_FALSE(scheme.ToRoute({0x1605, 0x16c8, 0x2611, 0xe62c})) << "leaf and spine exchanged";
}

TEST(EcnTunnel, Rfc6040)
{
    using ecntunnel::Decapsulate;
    static_assert(ecntunnel::Encapsulate(0x6a) == 0x6a, "copied");
    for (const EcnField outer : {ECN_NOT_ECT, ECN_ECT0, ECN_ECT1})
    {
        EXPECT_EQ(Decapsulate(ECN_NOT_ECT, outer), ECN_NOT_ECT);
        EXPECT_EQ(Decapsulate(ECN_CE, outer), ECN_CE);
        EXPECT_EQ(Decapsulate(ECN_ECT1, outer), ECN_ECT1);
        EXPECT_EQ(Decapsulate(ECN_ECT0, outer), outer == ECN_ECT1 ? ECN_ECT1 : ECN_ECT0);
    }
    EXPECT_EQ(Decapsulate(ECN_NOT_ECT, ECN_CE), std::nullopt) << "dropped";
    for (const EcnField inner : {ECN_ECT0, ECN_ECT1, ECN_CE})
    {
        EXPECT_EQ(Decapsulate(inner, ECN_CE), ECN_CE);
    }
    EXPECT_EQ(ecntunnel::Inner(0x6b), 0x6a) << "the mark is outside";
    EXPECT_EQ(ecntunnel::Inner(0x69), 0x69);
}
