/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/address-plan.h"

using namespace ns3::aifabric::addressplan;

namespace
{

/// @return hosts at the edges of the number range, and some between
std::vector<uint32_t>
SampleHosts()
{
    std::vector<uint32_t> hosts = {0, 1, 254, 255, 256, 65534, 65535, HOST_LIMIT - 1};
    std::mt19937 random(7);
    for (uint32_t i = 0; i < 10000; ++i)
    {
        hosts.push_back(static_cast<uint32_t>(random() % HOST_LIMIT));
    }
    return hosts;
}

} // namespace

TEST(AddressPlan, KnownAddresses)
{
    static_assert(HostIpv4(0) == 0x0a000001, "10.0.0.1");
    static_assert(HostIpv4(255) == 0x0a000100, "10.0.1.0");
    Ipv6Bytes second = {0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};
    EXPECT_EQ(HostIpv6(1), second);
    MacBytes host = {0x02, 0x00, 0x01, 0x02, 0x00, 0x03};
    EXPECT_EQ(HostMac(0x0102, 3), host);
    MacBytes port = {0x02, 0x80, 0x01, 0x02, 0x00, 0x03};
    EXPECT_EQ(SwitchMac(0x0102, 3), port);
}

TEST(AddressPlan, HostToAddressAndBack)
{
    for (auto host : SampleHosts())
    {
        ASSERT_EQ(HostFromIpv4(HostIpv4(host)), host);
        ASSERT_EQ(HostFromIpv6(HostIpv6(host)), host);
        ASSERT_EQ(HostIpv4(host) & IPV4_MASK, IPV4_NETWORK);
    }
}

TEST(AddressPlan, AddressesOutsideThePlan)
{
    for (uint32_t address : {0x0a000000U,
                             0x0a400001U,
                             0x0affffffU,
                             0x09ffffffU,
                             0x0b000001U,
                             0U,
                             0x7f000001U,
                             0xffffffffU})
    {
        EXPECT_FALSE(HostFromIpv4(address)) << std::hex << address;
    }
    EXPECT_TRUE(HostFromIpv4(0x0a400000U));
    EXPECT_FALSE(HostFromIpv6({}));
    EXPECT_FALSE(HostFromIpv6({0xfd}));
    EXPECT_FALSE(HostFromIpv6({0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}));
    for (uint32_t i = 0; i < 12; ++i)
    {
        auto address = HostIpv6(5);
        address[i] ^= 1;
        EXPECT_FALSE(HostFromIpv6(address)) << i;
    }
}

TEST(AddressPlan, MacAddressesAreUniqueLocalUnicast)
{
    std::set<MacBytes> seen;
    for (uint32_t id : {0U, 1U, 255U, 256U, 65535U, 65536U, HOST_LIMIT - 1})
    {
        for (uint32_t port : {0U, 1U, 255U, 256U, 65535U})
        {
            EXPECT_TRUE(seen.insert(HostMac(id, static_cast<uint16_t>(port))).second);
            EXPECT_TRUE(seen.insert(SwitchMac(id, static_cast<uint16_t>(port))).second);
        }
    }
    EXPECT_TRUE(seen.insert(SwitchMac(SWITCH_LIMIT - 1, 0)).second);
    for (const auto& mac : seen)
    {
        EXPECT_EQ(mac[0], 0x02);
    }
}
