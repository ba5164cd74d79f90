/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"
#include "random-network.h"

#include "ns3/clos-builder.h"
#include "ns3/job-placement.h"

using namespace ns3;

namespace
{

constexpr uint32_t LEAVES = 6;   //!< of the fabric
constexpr uint32_t PER_LEAF = 8; //!< hosts of a leaf
constexpr uint32_t GPUS = 2;     //!< of a node

/// @return a fabric of two tiers
FabricGraph
MakeGraph()
{
    return MakeLeafSpine({LEAVES, 2, PER_LEAF});
}

/// @return the hosts of a job
std::vector<uint32_t>
Place(JobPlacement placement, GpuNodes::Mapping mapping, uint32_t ranks, uint32_t seed = 1)
{
    const FabricGraph graph = MakeGraph();
    std::mt19937 random(seed);
    const UniformInteger uniform = [&random](uint32_t bound) { return random() % bound; };
    return PlaceJob(placement, graph, GpuNodes(graph, GPUS, mapping), ranks, uniform);
}

} // namespace

TEST(JobPlacement, Names)
{
    EXPECT_EQ(FindJobPlacement("packed"), JobPlacement::PACKED);
    EXPECT_EQ(FindJobPlacement("fragmented"), JobPlacement::FRAGMENTED);
    EXPECT_EQ(FindJobPlacement("random"), JobPlacement::RANDOM);
    EXPECT_FALSE(FindJobPlacement("map.txt"));
}

TEST(JobPlacement, KeepsNodesTogether)
{
    const FabricGraph graph = MakeGraph();
    for (const auto mapping : {GpuNodes::Mapping::RACK, GpuNodes::Mapping::RAIL})
    {
        const GpuNodes nodes(graph, GPUS, mapping);
        for (const auto placement :
             {JobPlacement::PACKED, JobPlacement::FRAGMENTED, JobPlacement::RANDOM})
        {
            const std::vector<uint32_t> hosts = Place(placement, mapping, LEAVES * PER_LEAF);
            EXPECT_EQ(std::set<uint32_t>(hosts.begin(), hosts.end()).size(), LEAVES * PER_LEAF);
            for (std::size_t rank = 0; rank < hosts.size(); ++rank)
            {
                EXPECT_EQ(nodes.IndexOf(hosts[rank]), rank % GPUS);
                EXPECT_EQ(nodes.NodeOf(hosts[rank]), nodes.NodeOf(hosts[rank - rank % GPUS]));
            }
        }
    }
}

TEST(JobPlacement, PackedFillsRacks)
{
    std::vector<uint32_t> all(LEAVES * PER_LEAF);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(Place(JobPlacement::PACKED, GpuNodes::Mapping::RACK, LEAVES * PER_LEAF), all);
    EXPECT_EQ(Place(JobPlacement::PACKED, GpuNodes::Mapping::RAIL, 4),
              (std::vector<uint32_t>{0, PER_LEAF, 1, PER_LEAF + 1}));
}

TEST(JobPlacement, FragmentedTakesANodeOfEachRack)
{
    const std::vector<uint32_t> hosts =
        Place(JobPlacement::FRAGMENTED, GpuNodes::Mapping::RACK, LEAVES * GPUS);
    std::set<uint32_t> racks;
    for (const uint32_t host : hosts)
    {
        EXPECT_LT(host % PER_LEAF, GPUS); // the first node of its rack
        racks.insert(host / PER_LEAF);
    }
    EXPECT_EQ(racks.size(), LEAVES);
    EXPECT_NE(hosts, Place(JobPlacement::FRAGMENTED, GpuNodes::Mapping::RACK, LEAVES * GPUS, 2));
}

TEST(JobPlacement, RandomFollowsTheSeed)
{
    const auto place = [](uint32_t seed) {
        return Place(JobPlacement::RANDOM, GpuNodes::Mapping::RACK, 20, seed);
    };
    EXPECT_EQ(place(1).size(), 20);
    EXPECT_EQ(place(1), place(1));
    EXPECT_NE(place(1), place(2));
}

TEST(JobPlacement, FragmentedTakesAllHostsOfUnequalRacks)
{
    std::mt19937 random(3);
    const UniformInteger uniform = [&random](uint32_t bound) { return random() % bound; };
    for (int round = 0; round < 100; ++round)
    {
        const FabricGraph graph = coretest::RandomNetwork(random);
        std::vector<uint32_t> hosts =
            PlaceJob(JobPlacement::FRAGMENTED, graph, GpuNodes(), graph.HostCount(), uniform);
        std::sort(hosts.begin(), hosts.end());
        std::vector<uint32_t> all(graph.HostCount());
        std::iota(all.begin(), all.end(), 0);
        EXPECT_EQ(hosts, all);
    }
}
