/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "alpha-beta-cost.h"
#include "collective-executor.h"
#include "core-test.h"

#include "ns3/collective-algorithm.h"
#include "ns3/direct-algorithm.h"
#include "ns3/double-binary-tree-algorithm.h"
#include "ns3/halving-doubling-algorithm.h"
#include "ns3/node-ring-algorithm.h"
#include "ns3/node-tree-algorithm.h"
#include "ns3/nvls-algorithm.h"
#include "ns3/object-factory.h"
#include "ns3/recursive-doubling-algorithm.h"
#include "ns3/ring-algorithm.h"
#include "ns3/string.h"
#include "ns3/two-level-algorithm.h"
#include "ns3/uinteger.h"

#include <iterator>

using namespace ns3;

namespace
{

constexpr double ALPHA = 5; //!< time of a message without bytes
constexpr double BETA = 3;  //!< time of a byte

/// @return a size that has no fractions in any block, in bytes
double
SizeFor(uint32_t ranks)
{
    return ranks * 896.0; // 7 * 128: there are no more than 128 participants or chunks
}

/// @return an algorithm  @param description its name, and attributes in brackets
Ptr<CollectiveAlgorithm>
Make(const std::string& description)
{
    const std::size_t bracket = description.find('[');
    ObjectFactory factory("ns3::aifabric::" + description.substr(0, bracket) + "Algorithm");
    if (bracket != std::string::npos)
    {
        const std::size_t equals = description.find('=');
        factory.Set(description.substr(bracket + 1, equals - bracket - 1),
                    StringValue(description.substr(equals + 1, description.size() - equals - 2)));
    }
    return factory.Create<CollectiveAlgorithm>();
}

/// @return the rule that an algorithm breaks, or nothing  @param algorithm the algorithm, prepared
/// @param seed the seed of the random order
std::string
Broken(const CollectiveAlgorithm& algorithm, uint32_t seed)
{
    return RefusalOf<std::runtime_error>([&] { CollectiveExecutor(algorithm, seed).Run(); });
}

/// Each rank has as many blocks of its own as each other, and together they have all of them.
/// @param algorithm the algorithm, prepared
void
ExpectHomesPartition(const CollectiveAlgorithm& algorithm)
{
    std::set<uint64_t> homes;
    uint64_t sum = 0;
    for (uint32_t rank = 0; rank < algorithm.GetRanks(); ++rank)
    {
        const BlockRange home = algorithm.GetHome(rank);
        EXPECT_EQ(home.blocks, algorithm.GetHome(0).blocks);
        sum += home.blocks;
        for (uint64_t i = 0; i < home.blocks; ++i)
        {
            homes.insert(home.firstBlock + i);
        }
    }
    EXPECT_EQ(sum, algorithm.CountBlocks());
    EXPECT_EQ(homes.size(), algorithm.CountBlocks());
    EXPECT_EQ(*homes.rbegin() + 1, algorithm.CountBlocks());
}

/// @return the time of a collective
double
Cost(const Ptr<CollectiveAlgorithm>& algorithm, CollectiveKind kind, uint32_t ranks)
{
    algorithm->Prepare(kind, ranks, 0);
    return AlphaBetaCost(*algorithm, ALPHA, BETA).Run(SizeFor(ranks));
}

/// @return the time of messages after one another
/// @param sizes their bytes together, in sizes of the collective
double
Textbook(uint32_t ranks, double messages, double sizes)
{
    return messages * ALPHA + sizes * SizeFor(ranks) * BETA;
}

/// @return peers and sizes of all that a rank sends, in order
std::vector<std::pair<uint32_t, uint64_t>>
SendsOf(const CollectiveAlgorithm& algorithm, uint32_t rank)
{
    std::vector<std::pair<uint32_t, uint64_t>> sends;
    for (uint32_t step = 0; step < algorithm.CountSteps(rank, 0); ++step)
    {
        for (const CollectiveMessage& message : algorithm.GetStep(rank, 0, step).sends)
        {
            sends.emplace_back(message.peer, message.blocks);
        }
    }
    return sends;
}

/// A ring with one defect in one step of one rank.
struct BrokenRing : RingAlgorithm
{
    /// What is wrong with a step.
    using Defect = std::function<void(CollectiveStep&)>;

    /// Set the defect.
    void Break(uint32_t rank, uint32_t step, Defect defect)
    {
        m_rank = rank;
        m_step = step;
        m_defect = std::move(defect);
    }

    CollectiveStep GetStep(uint32_t rank, uint32_t lane, uint32_t step) const override
    {
        CollectiveStep result = RingAlgorithm::GetStep(rank, lane, step);
        if (rank == m_rank && step == m_step)
        {
            m_defect(result);
        }
        return result;
    }

    uint32_t m_rank{0}; //!< the rank with the defect
    uint32_t m_step{0}; //!< the step with the defect
    Defect m_defect;    //!< the defect
};

/// @return how a ring of 5 is broken by a defect of rank 2 in a step of an all-reduce
std::string
BrokenBy(uint32_t step, const BrokenRing::Defect& defect)
{
    const Ptr<BrokenRing> ring = CreateObject<BrokenRing>();
    ring->Prepare(CollectiveKind::ALL_REDUCE, 5, 0);
    ring->Break(2, step, defect);
    const std::string broken = Broken(*ring, 1);
    for (uint32_t seed = 2; seed < 20; ++seed)
    {
        EXPECT_NE(Broken(*ring, seed), "") << "in the order of seed " << seed;
    }
    return broken;
}

/// All that a rank does twice: with the same peers, in the same step, so that all messages match.
struct TwiceTree : DoubleBinaryTreeAlgorithm
{
    CollectiveStep GetStep(uint32_t rank, uint32_t lane, uint32_t step) const override
    {
        CollectiveStep result = DoubleBinaryTreeAlgorithm::GetStep(rank, lane, step);
        const auto twice = [](std::vector<CollectiveMessage>& messages) {
            const std::vector<CollectiveMessage> copy = messages;
            std::copy_if(copy.begin(),
                         copy.end(),
                         std::back_inserter(messages),
                         [](const CollectiveMessage& message) { return message.reduces; });
        };
        twice(result.sends);
        twice(result.receives);
        return result;
    }
};

} // namespace

/// A collective algorithm by its description.
struct CollectiveAlgorithms : testing::TestWithParam<const char*>
{
};

INSTANTIATE_TEST_SUITE_P(All,
                         CollectiveAlgorithms,
                         testing::Values("Direct",
                                         "Ring",
                                         "Ring[Chunks=3]",
                                         "RecursiveDoubling",
                                         "HalvingDoubling",
                                         "HalvingDoubling[Order=FarthestFirst]",
                                         "DoubleBinaryTree",
                                         "DoubleBinaryTree[Trees=1]",
                                         "DoubleBinaryTree[Chunks=3]",
                                         "Pat",
                                         "TwoLevel",
                                         "Nvls",
                                         "NvlsTree",
                                         "NodeRing",
                                         "NodeTree"));

TEST_P(CollectiveAlgorithms, EveryContributionArrivesExactlyOnce)
{
    std::mt19937 random(1);
    const Ptr<CollectiveAlgorithm> algorithm = Make(GetParam());
    std::vector<uint32_t> sizes(40);
    std::iota(sizes.begin(), sizes.end(), 1);
    sizes.insert(sizes.end(), {64, 127, 128, 129});
    for (int i = 0; i < 3; ++i)
    {
        sizes.push_back(41 + random() % 160);
    }
    for (const uint32_t ranks : sizes)
    {
        for (const CollectiveKind kind : COLLECTIVE_KINDS)
        {
            if (algorithm->Supports(kind))
            {
                const uint32_t root = random() % ranks;
                const uint32_t seed = random();
                algorithm->Prepare(kind, ranks, root);
                EXPECT_EQ(Broken(*algorithm, seed), "")
                    << NameOf(kind) << ", " << ranks << " ranks, root " << root << ", seed "
                    << seed;
            }
        }
    }
}

TEST_P(CollectiveAlgorithms, AnyOrderAndAnyRoot)
{
    const Ptr<CollectiveAlgorithm> algorithm = Make(GetParam());
    for (const uint32_t ranks : {2, 3, 6, 8, 11})
    {
        for (const CollectiveKind kind : COLLECTIVE_KINDS)
        {
            for (uint32_t root = 0; root < ranks && algorithm->Supports(kind); ++root)
            {
                algorithm->Prepare(kind, ranks, root);
                for (uint32_t seed = 0; seed < 10; ++seed)
                {
                    EXPECT_EQ(Broken(*algorithm, seed), "")
                        << NameOf(kind) << ", " << ranks << " ranks, root " << root;
                }
            }
        }
    }
}

TEST_P(CollectiveAlgorithms, HomesPartitionTheBlocks)
{
    const Ptr<CollectiveAlgorithm> algorithm = Make(GetParam());
    for (uint32_t ranks = 1; ranks <= 70; ++ranks)
    {
        for (const CollectiveKind kind :
             {CollectiveKind::ALL_GATHER, CollectiveKind::REDUCE_SCATTER})
        {
            if (algorithm->Supports(kind))
            {
                algorithm->Prepare(kind, ranks, 0);
                ExpectHomesPartition(*algorithm);
            }
        }
    }
}

TEST_P(CollectiveAlgorithms, OneRankHasNothingToDo)
{
    const Ptr<CollectiveAlgorithm> algorithm = Make(GetParam());
    for (const CollectiveKind kind : COLLECTIVE_KINDS)
    {
        if (algorithm->Supports(kind))
        {
            algorithm->Prepare(kind, 1, 0);
            EXPECT_GE(algorithm->CountBlocks(), 1);
            for (uint32_t lane = 0; lane < algorithm->CountLanes(); ++lane)
            {
                EXPECT_EQ(algorithm->CountSteps(0, lane), 0) << NameOf(kind);
            }
        }
    }
}

TEST(CollectiveAlgorithm, WhatItDoes)
{
    const auto kinds = [](const std::string& name) {
        std::string list;
        for (const CollectiveKind kind : COLLECTIVE_KINDS)
        {
            list += Make(name)->Supports(kind) ? NameOf(kind) + " " : "";
        }
        return list;
    };
    EXPECT_EQ(kinds("Direct"),
              "all-reduce all-gather reduce-scatter broadcast all-to-all send-receive reduce "
              "gather scatter sendrecv ");
    EXPECT_EQ(kinds("Ring"), "all-reduce all-gather reduce-scatter broadcast reduce ");
    EXPECT_EQ(kinds("RecursiveDoubling"), "all-reduce all-gather ");
    EXPECT_EQ(kinds("HalvingDoubling"), "all-reduce all-gather reduce-scatter ");
    EXPECT_EQ(kinds("DoubleBinaryTree"), "all-reduce broadcast reduce ");
    EXPECT_EQ(kinds("NodeTree"), "all-reduce ");
    EXPECT_EQ(kinds("Pat"), "all-gather reduce-scatter ");
}

TEST(CollectiveAlgorithm, BadCollectivesAreNamed)
{
    const Ptr<CollectiveAlgorithm> tree = Make("DoubleBinaryTree");
    const auto prepare = [&tree](CollectiveKind kind, uint32_t ranks, uint32_t root) {
        return RefusalOf([&]() { tree->Prepare(kind, ranks, root); });
    };
    EXPECT_EQ(prepare(CollectiveKind::ALL_TO_ALL, 4, 0),
              "ns3::aifabric::DoubleBinaryTreeAlgorithm does not do all-to-all, only all-reduce, "
              "broadcast, reduce");
    EXPECT_EQ(prepare(CollectiveKind::BROADCAST, 0, 0),
              "ns3::aifabric::DoubleBinaryTreeAlgorithm: 0 ranks; a collective has at least 1");
    EXPECT_EQ(prepare(CollectiveKind::BROADCAST, 4, 4),
              "ns3::aifabric::DoubleBinaryTreeAlgorithm: root 4 is not a rank (0..3)");
    EXPECT_EQ(prepare(CollectiveKind::BROADCAST, 4, 3), "");
    EXPECT_EQ(prepare(CollectiveKind::BROADCAST, 9, 9).substr(0, 5), "ns3::");
    EXPECT_EQ(tree->GetRanks(), 4);
    EXPECT_EQ(tree->GetRoot(), 3);
    EXPECT_EQ(tree->GetKind(), CollectiveKind::BROADCAST);
}

TEST(CollectiveExecutor, FindsWhatDoesNotMatch)
{
    const auto has = [](const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos ? part : text;
    };
    const auto expect = [&has](uint32_t step, const std::string& part, BrokenRing::Defect defect) {
        EXPECT_EQ(has(BrokenBy(step, defect), part), part);
    };
    expect(3, "waits for ever", [](CollectiveStep& step) { step.sends.clear(); });
    expect(7, "is sent", [](CollectiveStep& step) { step.receives.clear(); });
    expect(7, "is sent", [](CollectiveStep& step) { step.sends.push_back(step.sends[0]); });
    expect(1, "does not wait for", [](CollectiveStep& step) { ++step.sends[0].firstBlock %= 5; });
    expect(5, "does not wait for", [](CollectiveStep& step) {
        step.sends[0] = {step.sends[0].peer, 5, 0, 5, false};
    });
    expect(2, "does not wait for", [](CollectiveStep& step) { step.sends[0].reduces = false; });
    expect(6, "names another step", [](CollectiveStep& step) { ++step.receives[0].step; });
    expect(4, "does not have", [](CollectiveStep& step) { step.sends[0].firstBlock = 5; });
    expect(4, "sends nothing", [](CollectiveStep& step) { step.sends[0].blocks = 0; });
    expect(0, "no other rank", [](CollectiveStep& step) { step.sends[0].peer = 2; });
    expect(0, "no other rank", [](CollectiveStep& step) { step.sends[0].peer = 5; });
    EXPECT_NE(BrokenBy(3, [](CollectiveStep& step) { ++step.sends[0].step; }), "");
}

TEST(CollectiveExecutor, FindsWrongResultsOfMessagesThatMatch)
{
    const Ptr<TwiceTree> twice = CreateObject<TwiceTree>();
    twice->Prepare(CollectiveKind::ALL_REDUCE, 6, 0);
    EXPECT_NE(Broken(*twice, 1).find("ends with a wrong block 0"), std::string::npos)
        << Broken(*twice, 1);

    /// An all-reduce that ends with a reduce-scatter.
    class HalfRing : public RingAlgorithm
    {
        uint32_t CountSteps(uint32_t rank, uint32_t lane) const override
        {
            return RingAlgorithm::CountSteps(rank, lane) / 2;
        }
    };

    const Ptr<HalfRing> half = CreateObject<HalfRing>();
    half->Prepare(CollectiveKind::ALL_REDUCE, 4, 0);
    EXPECT_NE(Broken(*half, 1).find("ends with a wrong block"), std::string::npos)
        << Broken(*half, 1);

    /// Two ranks that give the third one different versions of a block in one step.
    class Conflict : public RingAlgorithm
    {
        uint32_t CountSteps(uint32_t, uint32_t) const override
        {
            return 1;
        }

        CollectiveStep GetStep(uint32_t rank, uint32_t, uint32_t) const override
        {
            return rank == 2 ? CollectiveStep{{}, {{0, 0, 0, 1, true}, {1, 0, 0, 1, false}}}
                             : CollectiveStep{{{2, 0, 0, 1, rank == 0}}, {}};
        }
    };

    const Ptr<Conflict> conflict = CreateObject<Conflict>();
    conflict->Prepare(CollectiveKind::ALL_REDUCE, 3, 0);
    for (uint32_t seed = 1; seed < 10; ++seed)
    {
        EXPECT_NE(Broken(*conflict, seed).find("in the same step"), std::string::npos)
            << Broken(*conflict, seed);
    }
}

TEST(DirectAlgorithm, ReceiversInRingOrder)
{
    const Ptr<CollectiveAlgorithm> direct = Make("Direct");
    direct->Prepare(CollectiveKind::ALL_TO_ALL, 5, 0);
    const std::vector<std::pair<uint32_t, uint64_t>> expected = {{4, 1}, {0, 1}, {1, 1}, {2, 1}};
    EXPECT_EQ(SendsOf(*direct, 3), expected);
    direct->Prepare(CollectiveKind::REDUCE_SCATTER, 5, 0);
    EXPECT_EQ(SendsOf(*direct, 3), expected);
}

TEST(HalvingDoublingAlgorithm, DistancesAndSizes)
{
    // arXiv 2407.00550, as its authors ran it: offsets 1, 2, 4 with sizes M/2, M/4, M/8, and back
    using Sends = std::vector<std::pair<uint32_t, uint64_t>>;
    const Ptr<CollectiveAlgorithm> nearest = Make("HalvingDoubling");
    nearest->Prepare(CollectiveKind::ALL_REDUCE, 8, 0);
    EXPECT_EQ(SendsOf(*nearest, 0), (Sends{{1, 4}, {2, 2}, {4, 1}, {4, 1}, {2, 2}, {1, 4}}));
    EXPECT_EQ(SendsOf(*nearest, 5), (Sends{{4, 4}, {7, 2}, {1, 1}, {1, 1}, {7, 2}, {4, 4}}));
    nearest->Prepare(CollectiveKind::ALL_GATHER, 8, 0);
    EXPECT_EQ(SendsOf(*nearest, 5), (Sends{{1, 1}, {7, 2}, {4, 4}}));
    const Ptr<CollectiveAlgorithm> farthest = Make("HalvingDoubling[Order=FarthestFirst]");
    farthest->Prepare(CollectiveKind::ALL_REDUCE, 8, 0);
    EXPECT_EQ(SendsOf(*farthest, 5), (Sends{{1, 4}, {7, 2}, {4, 1}, {4, 1}, {7, 2}, {1, 4}}));
}

TEST(HalvingDoublingAlgorithm, FoldedRanksGetNoMoreThanTheirs)
{
    // Ranks 0 and 2 work for 1 and 3 too; with ranks 4 and 5 they are participants 0 to 3.
    using Sends = std::vector<std::pair<uint32_t, uint64_t>>;
    const Ptr<CollectiveAlgorithm> nearest = Make("HalvingDoubling");
    nearest->Prepare(CollectiveKind::REDUCE_SCATTER, 6, 0);
    EXPECT_EQ(SendsOf(*nearest, 0), (Sends{{2, 3}, {4, 1}, {1, 1}}));
    EXPECT_EQ(SendsOf(*nearest, 1), (Sends{{0, 6}}));
    EXPECT_EQ(SendsOf(*nearest, 5), (Sends{{4, 3}, {2, 2}}));
    nearest->Prepare(CollectiveKind::ALL_GATHER, 6, 0);
    EXPECT_EQ(SendsOf(*nearest, 0), (Sends{{4, 2}, {2, 3}, {1, 6}}));
    EXPECT_EQ(SendsOf(*nearest, 1), (Sends{{0, 1}}));
    nearest->Prepare(CollectiveKind::ALL_REDUCE, 6, 0);
    EXPECT_EQ(SendsOf(*nearest, 0), (Sends{{2, 2}, {4, 1}, {4, 1}, {2, 2}, {1, 4}}));
}

TEST(DoubleBinaryTreeAlgorithm, TreesOfSix)
{
    const Ptr<DoubleBinaryTreeAlgorithm> tree = CreateObject<DoubleBinaryTreeAlgorithm>();
    tree->Prepare(CollectiveKind::ALL_REDUCE, 6, 0);
    using Children = std::vector<uint32_t>;
    const std::vector<Children> first = {{}, {0, 2}, {}, {1, 5}, {}, {4}};
    for (uint32_t rank = 0; rank < 6; ++rank)
    {
        EXPECT_EQ(tree->GetChildren(rank, 0), first[rank]) << "rank " << rank;
    }
    EXPECT_EQ(tree->GetChildren(2, 1), (Children{4, 0})); // the mirror image: rank 5 - r
    EXPECT_FALSE(tree->GetParent(3, 0));
    EXPECT_FALSE(tree->GetParent(2, 1));
}

TEST(DoubleBinaryTreeAlgorithm, TreesAreLowAndNobodyHasChildrenInBoth)
{
    const Ptr<DoubleBinaryTreeAlgorithm> tree = CreateObject<DoubleBinaryTreeAlgorithm>();
    for (const CollectiveKind kind :
         {CollectiveKind::ALL_REDUCE, CollectiveKind::BROADCAST, CollectiveKind::REDUCE})
    {
        for (uint32_t ranks = 2; ranks <= 200; ++ranks)
        {
            const bool hasTop = kind != CollectiveKind::ALL_REDUCE;
            const uint32_t root = hasTop ? ranks / 3 : 0;
            tree->Prepare(kind, ranks, root);
            const uint32_t places = hasTop ? ranks - 1 : ranks;
            const auto most = static_cast<uint32_t>(std::log2(places)) + hasTop;
            for (uint32_t rank = 0; rank < ranks; ++rank)
            {
                uint32_t inner = 0;
                for (uint32_t lane = 0; lane < 2; ++lane)
                {
                    const std::vector<uint32_t> children = tree->GetChildren(rank, lane);
                    inner += !children.empty();
                    EXPECT_LE(children.size(), 2);
                    for (const uint32_t child : children)
                    {
                        EXPECT_EQ(tree->GetParent(child, lane), rank);
                    }
                    uint32_t depth = 0;
                    for (auto up = tree->GetParent(rank, lane); up; ++depth)
                    {
                        ASSERT_LT(depth, most) << ranks << " ranks, rank " << rank;
                        up = tree->GetParent(*up, lane);
                    }
                }
                EXPECT_LE(inner, hasTop && rank == root ? 2 : 1) << ranks << " ranks";
            }
        }
    }
}

TEST(DoubleBinaryTreeAlgorithm, NobodyMovesMoreThanTwiceTheData)
{
    const Ptr<CollectiveAlgorithm> tree = Make("DoubleBinaryTree");
    for (const CollectiveKind kind :
         {CollectiveKind::ALL_REDUCE, CollectiveKind::BROADCAST, CollectiveKind::REDUCE})
    {
        const std::size_t most = (kind == CollectiveKind::ALL_REDUCE ? 2 : 1) * 2; // halves
        for (uint32_t ranks = 1; ranks <= 100; ++ranks)
        {
            tree->Prepare(kind, ranks, ranks / 2);
            for (uint32_t rank = 0; rank < ranks; ++rank)
            {
                std::size_t sends = 0;
                std::size_t receives = 0;
                for (uint32_t lane = 0; lane < 2; ++lane)
                {
                    for (uint32_t step = 0; step < tree->CountSteps(rank, lane); ++step)
                    {
                        sends += tree->GetStep(rank, lane, step).sends.size();
                        receives += tree->GetStep(rank, lane, step).receives.size();
                    }
                }
                EXPECT_LE(sends, most);
                EXPECT_LE(receives, most);
            }
        }
    }
}

TEST(AlphaBetaCost, Ring)
{
    for (uint32_t n = 1; n <= 40; ++n)
    {
        const Ptr<CollectiveAlgorithm> ring = Make("Ring");
        const double part = (n - 1.0) / n;
        EXPECT_DOUBLE_EQ(Cost(ring, CollectiveKind::ALL_REDUCE, n),
                         Textbook(n, 2 * (n - 1), 2 * part));
        EXPECT_DOUBLE_EQ(Cost(ring, CollectiveKind::ALL_GATHER, n), Textbook(n, n - 1, part));
        EXPECT_DOUBLE_EQ(Cost(ring, CollectiveKind::REDUCE_SCATTER, n), Textbook(n, n - 1, part));
        EXPECT_DOUBLE_EQ(Cost(ring, CollectiveKind::BROADCAST, n), Textbook(n, n - 1, n - 1));
        EXPECT_DOUBLE_EQ(Cost(ring, CollectiveKind::REDUCE, n), Textbook(n, n - 1, n - 1));
    }
}

TEST(AlphaBetaCost, ChainInChunks)
{
    for (uint32_t n = 2; n <= 20; ++n)
    {
        const double chunks = 4;
        for (const CollectiveKind kind : {CollectiveKind::BROADCAST, CollectiveKind::REDUCE})
        {
            EXPECT_DOUBLE_EQ(Cost(Make("Ring[Chunks=4]"), kind, n),
                             Textbook(n, n - 2 + chunks, (n - 2 + chunks) / chunks));
        }
    }
}

TEST(AlphaBetaCost, Direct)
{
    for (uint32_t n = 1; n <= 33; ++n)
    {
        const Ptr<CollectiveAlgorithm> direct = Make("Direct");
        const double part = (n - 1.0) / n;
        EXPECT_DOUBLE_EQ(Cost(direct, CollectiveKind::ALL_REDUCE, n),
                         Textbook(n, 2 * (n - 1), 2 * part));
        EXPECT_DOUBLE_EQ(Cost(direct, CollectiveKind::ALL_GATHER, n), Textbook(n, n - 1, part));
        EXPECT_DOUBLE_EQ(Cost(direct, CollectiveKind::REDUCE_SCATTER, n), Textbook(n, n - 1, part));
        EXPECT_DOUBLE_EQ(Cost(direct, CollectiveKind::ALL_TO_ALL, n), Textbook(n, n - 1, part));
        EXPECT_DOUBLE_EQ(Cost(direct, CollectiveKind::BROADCAST, n), Textbook(n, n - 1, n - 1));
        EXPECT_DOUBLE_EQ(Cost(direct, CollectiveKind::REDUCE, n), Textbook(n, n - 1, n - 1));
        EXPECT_DOUBLE_EQ(Cost(direct, CollectiveKind::GATHER, n), Textbook(n, n - 1, part));
        EXPECT_DOUBLE_EQ(Cost(direct, CollectiveKind::SCATTER, n), Textbook(n, n - 1, part));
        for (const CollectiveKind kind : {CollectiveKind::SEND_RECEIVE, CollectiveKind::SENDRECV})
        {
            EXPECT_DOUBLE_EQ(Cost(direct, kind, n), n == 1 ? 0 : Textbook(n, 1, 1));
        }
    }
}

TEST(AlphaBetaCost, Recursive)
{
    for (uint32_t n = 1; n <= 130; ++n)
    {
        const double rounds = std::floor(std::log2(n));
        const double participants = std::exp2(rounds);
        const bool folds = n > participants;
        const double part = (participants - 1) / participants;
        EXPECT_DOUBLE_EQ(Cost(Make("RecursiveDoubling"), CollectiveKind::ALL_REDUCE, n),
                         Textbook(n, rounds + 2 * folds, rounds + 2 * folds));
        for (const char* order : {"NearestFirst", "FarthestFirst"})
        {
            const std::string name = std::string("HalvingDoubling[Order=") + order + "]";
            EXPECT_DOUBLE_EQ(Cost(Make(name), CollectiveKind::ALL_REDUCE, n),
                             Textbook(n, 2 * rounds + 2 * folds, 2 * part + 2 * folds));
            if (!folds)
            {
                for (const CollectiveKind kind :
                     {CollectiveKind::ALL_GATHER, CollectiveKind::REDUCE_SCATTER})
                {
                    EXPECT_DOUBLE_EQ(Cost(Make(name), kind, n), Textbook(n, rounds, part));
                }
            }
        }
        if (!folds)
        {
            EXPECT_DOUBLE_EQ(Cost(Make("RecursiveDoubling"), CollectiveKind::ALL_GATHER, n),
                             Textbook(n, rounds, part));
        }
    }
}

TEST(AlphaBetaCost, ParallelTrees)
{
    for (const CollectiveKind kind : {CollectiveKind::ALL_GATHER, CollectiveKind::REDUCE_SCATTER})
    {
        for (uint32_t n = 1; n <= 130; ++n)
        {
            const double bits = std::ceil(std::log2(n));
            const double part = (n - 1.0) / n;
            if (n == std::exp2(bits))
            {
                EXPECT_DOUBLE_EQ(Cost(Make("Pat"), kind, n), Textbook(n, bits, part));
                continue;
            }
            const Ptr<CollectiveAlgorithm> pat = Make("Pat"); // as if all bytes were one message
            pat->Prepare(kind, n, 0);
            EXPECT_EQ(pat->CountSteps(0, 0), bits);
            EXPECT_NEAR(AlphaBetaCost(*pat, 0, n).Run(1), n * part, 1e-9 * n);
        }
    }
}

TEST(AlphaBetaCost, OneTree)
{
    // Below the root, which has one child, each level is two messages up and two down.
    for (uint32_t rounds = 1; rounds <= 8; ++rounds)
    {
        const double messages = 4 * rounds - 2;
        const uint32_t n = 1U << rounds;
        EXPECT_DOUBLE_EQ(Cost(Make("DoubleBinaryTree[Trees=1]"), CollectiveKind::ALL_REDUCE, n),
                         Textbook(n, messages, messages));
    }
}

TEST(AlphaBetaCost, TwoTreesInChunks)
{
    // With one tree, ranks with two children receive three times the data in an all-reduce and send
    // them twice in a broadcast. With two, it is never more than twice and once.
    const auto sizes = [](const std::string& name, CollectiveKind kind, uint32_t n) {
        const Ptr<CollectiveAlgorithm> tree = Make("DoubleBinaryTree[" + name + "]");
        tree->SetAttribute("Chunks", UintegerValue(64));
        tree->Prepare(kind, n, 0);
        return AlphaBetaCost(*tree, 0, 1).Run(1);
    };
    for (const uint32_t n : {16, 31, 32, 33})
    {
        const double oneTree = sizes("Trees=1", CollectiveKind::ALL_REDUCE, n);
        const double twoTrees = sizes("Trees=2", CollectiveKind::ALL_REDUCE, n);
        EXPECT_GE(oneTree, 3);
        EXPECT_GE(twoTrees, 2);
        EXPECT_LT(twoTrees, 0.8 * oneTree);
        EXPECT_GE(sizes("Trees=1", CollectiveKind::BROADCAST, n), 2);
        EXPECT_GE(sizes("Trees=2", CollectiveKind::BROADCAST, n), 1);
        EXPECT_LT(sizes("Trees=2", CollectiveKind::BROADCAST, n), 1.2);
    }
}
