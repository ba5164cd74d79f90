/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-executor.h"
#include "core-test.h"

#include "ns3/collective-algorithm.h"
#include "ns3/direct-algorithm.h"
#include "ns3/double-binary-tree-algorithm.h"
#include "ns3/halving-doubling-algorithm.h"
#include "ns3/node-ring-algorithm.h"
#include "ns3/node-tree-algorithm.h"
#include "ns3/nvls-algorithm.h"
#include "ns3/nvls-tree-algorithm.h"
#include "ns3/recursive-doubling-algorithm.h"
#include "ns3/two-level-algorithm.h"
#include "ns3/type-id.h"

using namespace ns3;

namespace
{

Ptr<CollectiveAlgorithm>
TwoLevel(TypeId inner)
{
    const Ptr<CollectiveAlgorithm> algorithm = CreateObject<TwoLevelAlgorithm>();
    algorithm->SetAttribute("Inner", TypeIdValue(inner));
    return algorithm;
}

/// @return all algorithms that know nodes
std::vector<Ptr<CollectiveAlgorithm>>
MakeAll()
{
    return {CreateObject<TwoLevelAlgorithm>(),
            TwoLevel(HalvingDoublingAlgorithm::GetTypeId()),
            TwoLevel(RecursiveDoublingAlgorithm::GetTypeId()),
            TwoLevel(DoubleBinaryTreeAlgorithm::GetTypeId()),
            TwoLevel(DirectAlgorithm::GetTypeId()),
            CreateObject<NvlsAlgorithm>(),
            CreateObject<NvlsTreeAlgorithm>(),
            CreateObject<NodeRingAlgorithm>(),
            CreateObject<NodeTreeAlgorithm>()};
}

/// @return the nodes of ranks  @param sizes ranks of each node
std::vector<uint32_t>
UnevenNodes(const std::vector<uint32_t>& sizes)
{
    std::vector<uint32_t> nodes;
    for (uint32_t node = 0; node < sizes.size(); ++node)
    {
        nodes.insert(nodes.end(), sizes[node], node);
    }
    return nodes;
}

/// @return the nodes of ranks, so many in each  @param random shuffles them; in order if null
std::vector<uint32_t>
NodesOf(uint32_t nodes, uint32_t perNode, std::mt19937* random)
{
    std::vector<uint32_t> result;
    for (uint32_t rank = 0; rank < nodes * perNode; ++rank)
    {
        result.push_back(1000 + rank / perNode);
    }
    if (random)
    {
        std::shuffle(result.begin(), result.end(), *random);
    }
    return result;
}

/// @return the rule that an algorithm breaks, or nothing  @param algorithm the algorithm, prepared
/// @param seed the seed of the random order
std::string
Broken(const CollectiveAlgorithm& algorithm, uint32_t seed)
{
    return RefusalOf<std::runtime_error>([&] { CollectiveExecutor(algorithm, seed).Run(); });
}

/// @return blocks that each rank sends to other nodes, as a share of the blocks of a lane
/// @param algorithm the algorithm, prepared  @param nodes the node of each rank
std::vector<double>
CountAcross(const CollectiveAlgorithm& algorithm, const std::vector<uint32_t>& nodes)
{
    std::vector<double> shares(nodes.size());
    const double all = static_cast<double>(algorithm.CountBlocks()) * algorithm.CountLanes();
    for (uint32_t rank = 0; rank < nodes.size(); ++rank)
    {
        for (uint32_t lane = 0; lane < algorithm.CountLanes(); ++lane)
        {
            for (uint32_t step = 0; step < algorithm.CountSteps(rank, lane); ++step)
            {
                for (const auto& message : algorithm.GetStep(rank, lane, step).sends)
                {
                    const bool isAcross = nodes[rank] != nodes[message.peer];
                    shares[rank] += isAcross ? message.blocks / all : 0;
                }
            }
        }
    }
    return shares;
}

} // namespace

TEST(TwoLevel, EveryContributionArrivesExactlyOnce)
{
    std::mt19937 random(1);
    for (const Ptr<CollectiveAlgorithm>& algorithm : MakeAll())
    {
        for (int run = 0; run < 25; ++run)
        {
            const uint32_t perNode = 1 + random() % 8;
            const uint32_t count = 1 + random() % 9;
            const std::vector<uint32_t> nodes =
                NodesOf(count, perNode, run % 2 == 0 ? nullptr : &random);
            for (const CollectiveKind kind : COLLECTIVE_KINDS)
            {
                if (algorithm->Supports(kind))
                {
                    const auto ranks = static_cast<uint32_t>(nodes.size());
                    const uint32_t root = random() % ranks;
                    const uint32_t seed = random();
                    algorithm->SetChunks(1 + random() % 3);
                    algorithm->Prepare(kind, ranks, root, nodes);
                    EXPECT_EQ(Broken(*algorithm, seed), "")
                        << algorithm->GetInstanceTypeId().GetName() << ", " << NameOf(kind) << ", "
                        << count << " nodes of " << perNode << ", root " << root << ", seed "
                        << seed;
                }
            }
        }
    }
}

TEST(TwoLevel, HomesPartitionTheBlocks)
{
    for (const Ptr<CollectiveAlgorithm>& algorithm : MakeAll())
    {
        for (const CollectiveKind kind :
             {CollectiveKind::ALL_GATHER, CollectiveKind::REDUCE_SCATTER})
        {
            if (!algorithm->Supports(kind))
            {
                continue;
            }
            const std::vector<uint32_t> nodes = NodesOf(5, 4, nullptr);
            algorithm->Prepare(kind, 20, 0, nodes);
            std::set<uint64_t> homes;
            for (uint32_t rank = 0; rank < 20; ++rank)
            {
                EXPECT_EQ(algorithm->GetHome(rank).blocks, 1);
                homes.insert(algorithm->GetHome(rank).firstBlock);
            }
            EXPECT_EQ(homes.size(), algorithm->CountBlocks());
            EXPECT_EQ(*homes.rbegin() + 1, algorithm->CountBlocks());
        }
    }
}

TEST(TwoLevel, AllNicsCarryTheSame)
{
    const std::vector<uint32_t> nodes = NodesOf(4, 8, nullptr);
    const Ptr<CollectiveAlgorithm> twoLevel = CreateObject<TwoLevelAlgorithm>();
    twoLevel->Prepare(CollectiveKind::ALL_REDUCE, 32, 0, nodes);
    for (const double share : CountAcross(*twoLevel, nodes))
    {
        EXPECT_DOUBLE_EQ(share, 2 * 3 / 4.0 / 8); // 2 (N - 1) / N of a rail
    }
    const Ptr<CollectiveAlgorithm> ring = CreateObject<NodeRingAlgorithm>();
    ring->Prepare(CollectiveKind::ALL_REDUCE, 32, 0, nodes);
    for (const double share : CountAcross(*ring, nodes))
    {
        EXPECT_NEAR(share, 2 * 31 / 32.0 / 8, 1e-12);
    }
    twoLevel->Prepare(CollectiveKind::ALL_TO_ALL, 32, 0, nodes);
    for (const double share : CountAcross(*twoLevel, nodes))
    {
        EXPECT_DOUBLE_EQ(share, 24.0 / (32 * 32)); // what a rank has for other nodes
    }
}

TEST(TwoLevel, StaysOnItsRailBetweenNodes)
{
    const std::vector<uint32_t> nodes = NodesOf(4, 4, nullptr);
    const Ptr<CollectiveAlgorithm> algorithm = CreateObject<TwoLevelAlgorithm>();
    for (const CollectiveKind kind : {CollectiveKind::ALL_REDUCE, CollectiveKind::ALL_TO_ALL})
    {
        algorithm->Prepare(kind, 16, 0, nodes);
        for (uint32_t rank = 0; rank < 16; ++rank)
        {
            for (uint32_t step = 0; step < algorithm->CountSteps(rank, 0); ++step)
            {
                for (const auto& message : algorithm->GetStep(rank, 0, step).sends)
                {
                    EXPECT_TRUE(rank / 4 == message.peer / 4 || rank % 4 == message.peer % 4);
                }
            }
        }
    }
}

/// The switch adds up and copies what stays in a node, and no other message.
TEST(TwoLevel, NvlsSwitchesWhatStaysInANode)
{
    const Ptr<CollectiveAlgorithm> algorithm = CreateObject<NvlsAlgorithm>();
    const std::vector<uint32_t> nodes = NodesOf(3, 4, nullptr);
    algorithm->Prepare(CollectiveKind::ALL_REDUCE, 12, 0, nodes);
    EXPECT_TRUE(algorithm->UsesNodeSwitch() && algorithm->IsChunked());
    for (uint32_t rank = 0; rank < 12; ++rank)
    {
        for (uint32_t step = 0; step < algorithm->CountSteps(rank, 0); ++step)
        {
            for (const CollectiveMessage& message : algorithm->GetStep(rank, 0, step).sends)
            {
                EXPECT_EQ(message.switched, nodes[rank] == nodes[message.peer] ? 4 : 0);
            }
        }
    }
    EXPECT_FALSE(algorithm->Supports(CollectiveKind::BROADCAST));
}

/// NVLSTree has the tree between nodes, whatever Inner says.
TEST(TwoLevel, NvlsTreeIsATree)
{
    const Ptr<CollectiveAlgorithm> algorithm = CreateObject<NvlsTreeAlgorithm>();
    algorithm->SetAttribute("Inner", TypeIdValue(RingAlgorithm::GetTypeId()));
    algorithm->Prepare(CollectiveKind::ALL_REDUCE, 12, 0, NodesOf(3, 4, nullptr));
    EXPECT_TRUE(algorithm->UsesNodeSwitch() && algorithm->IsTree());
    EXPECT_FALSE(CreateObject<NvlsAlgorithm>()->Supports(CollectiveKind::BROADCAST));
    EXPECT_FALSE(algorithm->Supports(CollectiveKind::ALL_GATHER));
}

TEST(TwoLevel, WithoutNodesItIsTheInnerAlgorithm)
{
    const Ptr<CollectiveAlgorithm> algorithm = CreateObject<TwoLevelAlgorithm>();
    const Ptr<CollectiveAlgorithm> ring = CreateObject<RingAlgorithm>();
    algorithm->Prepare(CollectiveKind::ALL_REDUCE, 6, 0);
    ring->Prepare(CollectiveKind::ALL_REDUCE, 6, 0);
    ASSERT_EQ(algorithm->CountSteps(3, 0), ring->CountSteps(3, 0));
    for (uint32_t step = 0; step < ring->CountSteps(3, 0); ++step)
    {
        const CollectiveMessage ours = algorithm->GetStep(3, 0, step).sends.at(0);
        const CollectiveMessage theirs = ring->GetStep(3, 0, step).sends.at(0);
        EXPECT_EQ(ours.peer, theirs.peer);
        EXPECT_EQ(ours.firstBlock, theirs.firstBlock);
    }
}

TEST(TwoLevel, RefusesUnevenNodes)
{
    for (const Ptr<CollectiveAlgorithm>& algorithm : MakeAll())
    {
        if (!DynamicCast<TwoLevelAlgorithm>(algorithm))
        {
            continue;
        }
        EXPECT_EQ(RefusalOf([&] {
                      algorithm->Prepare(CollectiveKind::ALL_REDUCE, 5, 0, {0, 0, 1, 1, 1});
                  }),
                  algorithm->GetInstanceTypeId().GetName() +
                      ": the node of rank 2 has 3 ranks, and that of rank 0 has 2; nodes need "
                      "equally many");
    }
    EXPECT_THROW(MakeAll()[0]->Prepare(CollectiveKind::ALL_REDUCE, 3, 0, {0, 0}),
                 std::invalid_argument);
    EXPECT_FALSE(TwoLevel(TwoLevelAlgorithm::GetTypeId())->Supports(CollectiveKind::ALL_REDUCE));
}

TEST(NodeRings, UnevenNodes)
{
    std::mt19937 random(1);
    const std::vector<Ptr<CollectiveAlgorithm>> algorithms = {CreateObject<NodeRingAlgorithm>(),
                                                              CreateObject<NodeTreeAlgorithm>()};
    for (int run = 0; run < 30; ++run)
    {
        std::vector<uint32_t> sizes(1 + random() % 5);
        std::generate(sizes.begin(), sizes.end(), [&random] { return 1 + random() % 6; });
        std::vector<uint32_t> nodes = UnevenNodes(sizes);
        std::shuffle(nodes.begin(), nodes.end(), random);
        const auto ranks = static_cast<uint32_t>(nodes.size());
        for (const Ptr<CollectiveAlgorithm>& algorithm : algorithms)
        {
            for (const CollectiveKind kind : COLLECTIVE_KINDS)
            {
                if (algorithm->Supports(kind))
                {
                    algorithm->SetChunks(1 + random() % 3);
                    algorithm->Prepare(kind, ranks, random() % ranks, nodes);
                    EXPECT_EQ(Broken(*algorithm, random()), "") << NameOf(kind) << ", run " << run;
                }
            }
        }
    }
}

TEST(NodeRings, AsManyAsTheSmallestNodeHasNics)
{
    const std::vector<uint32_t> nodes = UnevenNodes({4, 6});
    const Ptr<CollectiveAlgorithm> ring = CreateObject<NodeRingAlgorithm>();
    ring->Prepare(CollectiveKind::ALL_REDUCE, 10, 0, nodes);
    EXPECT_EQ(ring->CountLanes(), 4);
    const std::vector<double> shares = CountAcross(*ring, nodes);
    EXPECT_EQ(std::count_if(shares.begin(), shares.end(), [](double share) { return share > 0; }),
              8); // 4 NICs of each node
    EXPECT_NEAR(*std::max_element(shares.begin(), shares.end()), 2 * 9 / 10.0 / 4, 1e-12);
}

TEST(NodeTree, NicsAndDepth)
{
    const std::vector<uint32_t> pair = NodesOf(2, 8, nullptr);
    const Ptr<NodeTreeAlgorithm> tree = CreateObject<NodeTreeAlgorithm>();
    tree->Prepare(CollectiveKind::ALL_REDUCE, 16, 0, pair);
    EXPECT_TRUE(tree->IsTree());
    EXPECT_EQ(tree->CountLanes(), 16);
    for (const double share : CountAcross(*tree, pair))
    {
        EXPECT_NEAR(share, 1 / 8.0, 1e-12); // half of the data up one tree and down the other
    }
    const auto depth = [&tree](uint32_t rank, uint32_t lane) {
        uint32_t above = 0;
        for (auto at = tree->GetParent(rank, lane); at; at = tree->GetParent(*at, lane))
        {
            ++above;
        }
        return above;
    };
    uint32_t deepest = 0;
    for (uint32_t rank = 0; rank < 16; ++rank)
    {
        deepest = std::max({deepest, depth(rank, 0), depth(rank, 7)});
    }
    EXPECT_EQ(deepest, 7 + 1); // G - 1 messages in the node, log N between nodes
}
