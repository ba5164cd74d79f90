/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/gpu-nodes.h"

#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return a fabric of two tiers
FabricGraph
LeafSpine(uint32_t leaves, uint32_t hosts)
{
    return MakeLeafSpine({leaves, 2, hosts});
}

/// @return what an error says
std::string
ErrorOf(const FabricGraph& graph, uint32_t gpus, GpuNodes::Mapping mapping)
{
    return RefusalOf([&] { const GpuNodes nodes(graph, gpus, mapping); });
}

} // namespace

TEST(GpuNodes, EachHostIsANodeByDefault)
{
    const GpuNodes nodes;
    EXPECT_EQ(nodes.GetGpus(), 1);
    EXPECT_EQ(nodes.NodeOf(7), 7);
    EXPECT_EQ(nodes.IndexOf(7), 0);
    EXPECT_FALSE(nodes.Joins(7, 7));
    EXPECT_FALSE(nodes.Joins(7, 8));
}

TEST(GpuNodes, EveryHostHasAPlaceOfItsOwn)
{
    const FabricGraph graph = LeafSpine(8, 12);
    for (const auto mapping : {GpuNodes::Mapping::RACK, GpuNodes::Mapping::RAIL})
    {
        for (const uint32_t gpus : {1, 2, 4})
        {
            const GpuNodes nodes(graph, gpus, mapping);
            std::vector<std::set<uint32_t>> leaves(graph.HostCount() / gpus);
            for (uint32_t host = 0; host < graph.HostCount(); ++host)
            {
                const uint32_t node = nodes.NodeOf(host);
                ASSERT_LT(node, leaves.size());
                ASSERT_LT(nodes.IndexOf(host), gpus);
                EXPECT_EQ(nodes.HostOf(node, nodes.IndexOf(host)), host);
                leaves[node].insert(graph.LeafOf(host));
            }
            for (const std::set<uint32_t>& of : leaves)
            {
                EXPECT_EQ(of.size(), mapping == GpuNodes::Mapping::RAIL ? gpus : 1);
            }
        }
    }
}

TEST(GpuNodes, GpusOfANodeShareNics)
{
    const FabricGraph graph = MakeLeafSpine({4, 2, 8, 1, 1, 2});
    for (const auto mapping : {GpuNodes::Mapping::RACK, GpuNodes::Mapping::RAIL})
    {
        for (const uint32_t gpus : {2, 4, 8})
        {
            const GpuNodes nodes(graph, gpus, mapping);
            std::map<uint32_t, std::set<uint32_t>> leaves; // by node
            for (uint32_t host = 0; host < graph.HostCount(); ++host)
            {
                const uint32_t node = nodes.NodeOf(host);
                ASSERT_LT(node, graph.HostCount() / gpus);
                EXPECT_EQ(nodes.HostOf(node, nodes.IndexOf(host)), host);
                EXPECT_EQ(nodes.NodeOf(host ^ 1), node) << "the GPUs of a NIC are of one node";
                EXPECT_EQ(graph.LeafOf(host), graph.LeafOf(nodes.NicOf(host) * 2));
                leaves[node].insert(graph.RackOf(host));
            }
            for (const auto& [node, of] : leaves)
            {
                EXPECT_EQ(of.size(), mapping == GpuNodes::Mapping::RAIL ? gpus / 2 : 1) << node;
            }
        }
    }
    EXPECT_EQ(ErrorOf(graph, 3, GpuNodes::Mapping::RACK),
              "a multiple of the 2 GPUs that share a NIC");
    EXPECT_EQ(ErrorOf(MakeLeafSpine({3, 2, 8, 1, 1, 2}), 4, GpuNodes::Mapping::RAIL),
              "as many NICs as divide the 3 leaves");
}

TEST(GpuNodes, JoinsTheGpusOfANode)
{
    const FabricGraph graph = LeafSpine(4, 8);
    const GpuNodes rack(graph, 4, GpuNodes::Mapping::RACK);
    EXPECT_TRUE(rack.Joins(4, 7));
    EXPECT_FALSE(rack.Joins(3, 4));
    EXPECT_FALSE(rack.Joins(4, 4));
    const GpuNodes rail(graph, 2, GpuNodes::Mapping::RAIL);
    EXPECT_TRUE(rail.Joins(3, 11));
    EXPECT_TRUE(rail.Joins(19, 27));
    EXPECT_FALSE(rail.Joins(11, 19));
    EXPECT_FALSE(rail.Joins(3, 4));
}

TEST(GpuNodes, RefusesWhatDoesNotFit)
{
    const FabricGraph graph = LeafSpine(6, 8);
    EXPECT_EQ(ErrorOf(graph, 3, GpuNodes::Mapping::RACK),
              "a number that divides the 8 hosts of a leaf");
    EXPECT_EQ(ErrorOf(graph, 0, GpuNodes::Mapping::RACK),
              "a number that divides the 8 hosts of a leaf");
    EXPECT_EQ(ErrorOf(graph, 3, GpuNodes::Mapping::RAIL), "");
    EXPECT_EQ(ErrorOf(graph, 4, GpuNodes::Mapping::RAIL), "a number that divides the 6 leaves");
}
