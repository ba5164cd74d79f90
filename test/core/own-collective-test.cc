/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-executor.h"
#include "core-test.h"

#include "ns3/collective-algorithm.h"
#include "ns3/policy-registry.h"

// The algorithm that doc/add-a-collective.rst adds.

namespace ns3
{
namespace aifabric
{

// The algorithm: class
/// All send to rank 0, which sends the sum back to all.
class StarAlgorithm : public CollectiveAlgorithm
{
  public:
    static TypeId GetTypeId();

    bool Supports(CollectiveKind kind) const override;
    uint64_t CountBlocks() const override;
    uint32_t CountSteps(uint32_t rank, uint32_t lane) const override;
    CollectiveStep GetStep(uint32_t rank, uint32_t lane, uint32_t step) const override;
};

// The algorithm: registration
NS_OBJECT_ENSURE_REGISTERED(StarAlgorithm);

TypeId
StarAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::StarAlgorithm")
                            .SetParent<CollectiveAlgorithm>()
                            .AddConstructor<StarAlgorithm>();
    return tid;
}

// The algorithm: program
bool
StarAlgorithm::Supports(CollectiveKind kind) const
{
    return kind == CollectiveKind::ALL_REDUCE;
}

uint64_t
StarAlgorithm::CountBlocks() const
{
    return 1; // a message is the whole vector
}

uint32_t
StarAlgorithm::CountSteps(uint32_t rank, uint32_t) const
{
    if (GetRanks() == 1)
    {
        return 0;
    }
    return rank == 0 ? 2 : 1;
}

CollectiveStep
StarAlgorithm::GetStep(uint32_t rank, uint32_t, uint32_t step) const
{
    // peer, step of the receiver, first block, number of blocks, whether the receiver adds it
    if (rank != 0)
    {
        return {{{0, 0, 0, 1, true}}, {{0, 0, 0, 1, false}}};
    }
    CollectiveStep result;
    for (uint32_t other = 1; other < GetRanks(); ++other)
    {
        if (step == 0)
        {
            result.receives.push_back({other, 0, 0, 1, true});
        }
        else
        {
            result.sends.push_back({other, 0, 0, 1, false});
        }
    }
    return result;
}

// The algorithm: test
TEST(StarAlgorithm, EveryContributionArrivesExactlyOnce)
{
    const Ptr<StarAlgorithm> star = CreateObject<StarAlgorithm>();
    for (uint32_t ranks = 1; ranks < 20; ++ranks)
    {
        star->Prepare(CollectiveKind::ALL_REDUCE, ranks, 0);
        for (uint32_t seed = 0; seed < 10; ++seed)
        {
            EXPECT_NO_THROW(CollectiveExecutor(*star, seed).Run()) << ranks << " ranks";
        }
    }
}

// The algorithm: end

} // namespace aifabric
} // namespace ns3

using namespace ns3::aifabric;

TEST(StarAlgorithm, IsOfferedByItsName)
{
    const PolicyRegistry registry("Algorithm", {CollectiveAlgorithm::GetTypeId()});
    EXPECT_EQ(registry.Find("star"), StarAlgorithm::GetTypeId());
    for (const char* name :
         {"direct", "ring", "recursive-doubling", "halving-doubling", "double-binary-tree"})
    {
        EXPECT_TRUE(registry.Has(name)) << name;
    }
    EXPECT_FALSE(registry.Has("folding"));
}
