/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/multi-plane-clos.h"

namespace
{

/// A row of the capacity table: what is given, and what follows from it.
struct Row
{
    uint64_t switchGbps;
    uint64_t nicGbps;
    uint32_t planes;
    uint64_t radix;
    uint64_t hostsPerLeaf;
    uint64_t leaves;
    uint64_t spines;
    uint64_t hosts;
    uint64_t switches;
    uint64_t paths;
    double percent; //!< one link between tiers, of a leaf's uplinks
};

} // namespace

TEST(MultiPlaneClos, CapacityTable)
{
    constexpr Row ROWS[] = {
        {51200, 800, 1, 64, 32, 64, 32, 2048, 96, 32, 3.1},
        {51200, 800, 2, 128, 64, 128, 64, 8192, 384, 128, 1.6},
        {51200, 800, 4, 256, 128, 256, 128, 32768, 1536, 512, 0.78},
        {51200, 800, 8, 512, 256, 512, 256, 131072, 6144, 2048, 0.39},
        {51200, 400, 4, 512, 256, 512, 256, 131072, 3072, 1024, 0.39},
        {51200, 400, 1, 128, 64, 128, 64, 8192, 192, 64, 1.6},
        {102400, 800, 4, 512, 256, 512, 256, 131072, 3072, 1024, 0.39},
        {102400, 800, 8, 1024, 512, 1024, 512, 524288, 12288, 4096, 0.20},
        {102400, 1600, 8, 512, 256, 512, 256, 131072, 6144, 2048, 0.39},
    };
    for (const Row& row : ROWS)
    {
        const MultiPlaneClos clos(row.switchGbps, row.nicGbps, row.planes);
        EXPECT_EQ(clos.GetRadix(), row.radix);
        EXPECT_EQ(clos.GetPortGbps() * row.planes, row.nicGbps);
        EXPECT_EQ(clos.CountHostsPerLeaf(), row.hostsPerLeaf);
        EXPECT_EQ(clos.CountLeaves(), row.leaves);
        EXPECT_EQ(clos.CountSpines(), row.spines);
        EXPECT_EQ(clos.CountHosts(), row.hosts);
        EXPECT_EQ(clos.CountSwitches(), row.switches);
        EXPECT_EQ(clos.CountPaths(), row.paths);
        EXPECT_EQ(clos.CountLinksPerHost(), 2 * row.planes);
        EXPECT_NEAR(100 * clos.GetLinkShare(), row.percent, 0.06);
    }
}

TEST(MultiPlaneClos, ThreeTiersOfOnePlane)
{
    const MultiPlaneClos single(51200, 800, 1);
    EXPECT_EQ(single.CountHosts(3), 65536U);
    EXPECT_EQ(single.CountSwitches(3), 5120U);
    EXPECT_EQ(single.CountHosts(3) / single.GetRadix(), 1024U) << "hosts of a pod";
    EXPECT_EQ(MultiPlaneClos::CountHops(2), 3U);
    EXPECT_EQ(MultiPlaneClos::CountHops(3), 5U);
    EXPECT_EQ(MultiPlaneClos::CountHops(4), 7U);
    const MultiPlaneClos planes(51200, 800, 8);
    const double two = static_cast<double>(planes.CountSwitches()) / planes.CountHosts();
    const double three = static_cast<double>(single.CountSwitches(3)) / single.CountHosts(3);
    EXPECT_DOUBLE_EQ(two / three, 3.0 / 5) << "switches of a host";
    EXPECT_DOUBLE_EQ(1.0 / planes.GetPlanes(), 0.125) << "what a host loses with one port";
}

TEST(MultiPlaneClos, MakesTheFabric)
{
    const MultiPlaneClos small(1600, 400, 2); // of radix 8
    const FabricGraph whole = MakeLeafSpine(small.MakeConfig());
    EXPECT_EQ(whole.HostCount(), small.CountHosts());
    EXPECT_EQ(whole.Switches().size(), small.CountSwitches());
    EXPECT_EQ(whole.Links().size(), small.CountHosts() * small.CountLinksPerHost());
    EXPECT_EQ(whole.HostCount(), 32U);
    EXPECT_EQ(MakeLeafSpine(small.MakeConfig(2)).HostCount(), 8U);
}

TEST(MultiPlaneClos, RefusesUnequalPorts)
{
    EXPECT_THROW(MultiPlaneClos(51200, 800, 0), std::invalid_argument);
    EXPECT_THROW(MultiPlaneClos(51200, 800, 3), std::invalid_argument);
    EXPECT_THROW(MultiPlaneClos(100, 800, 1), std::invalid_argument);
    EXPECT_THROW(MultiPlaneClos(2400, 800, 1), std::invalid_argument) << "an odd radix";
}

TEST(MultiPlaneClos, GoodputOfAPacket)
{
    // Outer IPv6, IPv6, UDP, BTH, METH, RETH, ICRC; then with TSETH; then without the outer header.
    constexpr uint32_t USID = 40 + 40 + 8 + 12 + 4 + 16 + 4;
    constexpr uint32_t TIMES = USID + 4;
    constexpr uint32_t PLAIN = USID - 40;
    static_assert(USID == 124, "as the specification adds it up");
    constexpr double EXPECTED[][4] = {{1024, 690.7, 688.4, 714.8},
                                      {2048, 741.4, 740.0, 755.0},
                                      {4096, 769.6, 768.8, 776.9},
                                      {8192, 784.5, 784.1, 788.3}};
    for (const auto& [payload, usid, times, plain] : EXPECTED)
    {
        const auto bytes = static_cast<uint32_t>(payload);
        EXPECT_NEAR(MultiPlaneClos::GetGoodput(800, bytes, USID), usid, 0.06);
        EXPECT_NEAR(MultiPlaneClos::GetGoodput(800, bytes, TIMES), times, 0.06);
        EXPECT_NEAR(MultiPlaneClos::GetGoodput(800, bytes, PLAIN), plain, 0.06);
    }
}
