/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/ll-protocol.h"
#include "ns3/ll128-protocol.h"
#include "ns3/nccl-tuner.h"
#include "ns3/object.h"
#include "ns3/simple-protocol.h"

using namespace ns3;

namespace
{

constexpr double PS_PER_US = 1e6;                             //!< in picoseconds
constexpr uint64_t NIC = 400'000'000'000;                     //!< in bit/s: 50 GB/s
constexpr uint64_t NVLINK = 2'966'400'000'000;                //!< in bit/s: 370.8 GB/s
constexpr CollectiveKind REDUCE = CollectiveKind::ALL_REDUCE; //!< the usual kind
constexpr auto RING = NcclTuner::Algorithm::RING;
constexpr auto TREE = NcclTuner::Algorithm::TREE;
constexpr auto NVLS = NcclTuner::Algorithm::NVLS;

/// @return what a collective may use  @tparam P the protocol
template <typename P>
NcclTuner::Option
With(NcclTuner::Algorithm algorithm)
{
    return {algorithm, CreateObject<P>()};
}

/// @return the algorithm and the protocol that NCCL chooses for an all-reduce
std::string
Chosen(RankShape shape, uint64_t bytes)
{
    const std::vector<NcclTuner::Option> options = {With<LlProtocol>(RING),
                                                    With<Ll128Protocol>(RING),
                                                    With<SimpleProtocol>(RING),
                                                    With<LlProtocol>(TREE),
                                                    With<Ll128Protocol>(TREE),
                                                    With<SimpleProtocol>(TREE)};
    const NcclTuner::Option best = NcclTuner(NIC, NVLINK).Choose(REDUCE, shape, bytes, options);
    const std::string name = best.protocol->GetInstanceTypeId().GetName();
    return (best.algorithm == TREE ? "tree " : "ring ") +
           name.substr(std::string("ns3::aifabric::").size());
}

} // namespace

TEST(NcclTuner, LatenciesByHand)
{
    const NcclTuner tuner(NIC, NVLINK);
    const auto us = [&tuner](RankShape shape, const NcclTuner::Option& option) {
        return tuner.GetTimePs(REDUCE, shape, 0, option) / PS_PER_US;
    };
    // One node of 8: 14 messages by NVLink.
    EXPECT_NEAR(us({1, 8}, With<LlProtocol>(RING)), 6.6 + 14 * 0.6, 1e-9);
    EXPECT_NEAR(us({1, 8}, With<SimpleProtocol>(RING)), 8.4 + 14 * 3.4, 1e-9);
    // Two nodes of 8: 30 messages, 2 of them by the network; a ring of Simple has a plateau.
    EXPECT_NEAR(us({2, 8}, With<LlProtocol>(RING)), 6.6 + 28 * 1.0 + 2 * 2.7, 1e-9);
    EXPECT_NEAR(us({2, 8}, With<SimpleProtocol>(RING)), 1.4 * (8.4 + 28 * 3.4 + 2 * 14), 1e-9);
    EXPECT_NEAR(us({2, 8}, With<LlProtocol>(TREE)), 6.8 + 2 * (7 * 0.6 + 5.0), 1e-9);
    EXPECT_NEAR(us({5, 8}, With<LlProtocol>(TREE)), 6.8 + 2 * (7 * 0.6 + 2 * 5.0), 1e-9);
    // Eight nodes of one GPU: 14 messages by the network, with the latency of trees.
    EXPECT_NEAR(us({8, 1}, With<LlProtocol>(RING)), 6.6 + 14 * 5.0, 1e-9);
    EXPECT_NEAR(tuner.GetTimePs(CollectiveKind::ALL_GATHER, {2, 8}, 0, With<LlProtocol>(RING)),
                (6.6 + 14 * 1.0 + 2.7) * PS_PER_US,
                1e-3);
}

TEST(NcclTuner, BandwidthsByHand)
{
    const NcclTuner tuner(NIC, NVLINK);
    constexpr uint64_t BYTES = 1ULL << 36;
    const auto bus = [&](CollectiveKind kind, RankShape shape, const NcclTuner::Option& option) {
        const double seconds = (tuner.GetTimePs(kind, shape, BYTES, option) -
                                tuner.GetTimePs(kind, shape, 0, option)) /
                               1e12;
        return BYTES / seconds * BusFactor(kind, shape.nodes * shape.perNode) / 1e9;
    };
    EXPECT_NEAR(bus(REDUCE, {1, 8}, With<SimpleProtocol>(RING)), 370.8, 1e-6);
    EXPECT_NEAR(bus(REDUCE, {4, 8}, With<SimpleProtocol>(RING)), 370.8, 1e-6); // 8 NICs: 400
    EXPECT_NEAR(bus(REDUCE, {4, 4}, With<SimpleProtocol>(RING)), 200, 1e-6);
    EXPECT_NEAR(bus(REDUCE, {4, 4}, With<Ll128Protocol>(RING)), 0.92 * 200, 1e-6);
    EXPECT_NEAR(bus(REDUCE, {4, 4}, With<LlProtocol>(RING)), 20.4, 1e-6); // the limit
    EXPECT_NEAR(bus(REDUCE, {8, 1}, With<SimpleProtocol>(RING)), 50, 1e-6);
    EXPECT_NEAR(bus(CollectiveKind::ALL_GATHER, {8, 1}, With<SimpleProtocol>(RING)), 50, 1e-6);
    EXPECT_NEAR(bus(CollectiveKind::BROADCAST, {8, 1}, With<SimpleProtocol>(RING)), 50, 1e-6);
    // Trees: half of the bus bandwidth, which two nodes have twice.
    EXPECT_NEAR(bus(REDUCE, {2, 2}, With<SimpleProtocol>(TREE)), 0.92 * 200 / 2 * 1.5, 1e-6);
    EXPECT_NEAR(bus(REDUCE, {4, 2}, With<SimpleProtocol>(TREE)), 0.92 * 100 / 2 * 1.75, 1e-6);
}

TEST(NcclTuner, TreesOfMediumSizesAreSlower)
{
    const Ptr<CollectiveProtocol> ll = CreateObject<LlProtocol>();
    const double usual = 0.92 / 3.8;
    EXPECT_DOUBLE_EQ(ll->GetShare(true, 1), usual);
    EXPECT_DOUBLE_EQ(ll->GetShare(true, 64 << 4), usual * 0.9);  // 1 KiB: the fifth
    EXPECT_DOUBLE_EQ(ll->GetShare(true, 64 << 12), usual * 0.4); // 256 KiB
    EXPECT_DOUBLE_EQ(ll->GetShare(true, 64 << 14), usual * 0.5); // 1 MiB
    EXPECT_DOUBLE_EQ(CreateObject<SimpleProtocol>()->GetShare(true, 64 << 22), 0.92 * 0.9);
    EXPECT_DOUBLE_EQ(CreateObject<SimpleProtocol>()->GetShare(true, 1ULL << 40), 0.92);
    EXPECT_DOUBLE_EQ(ll->GetShare(false, 64 << 12), 0.5);
}

TEST(NcclTuner, ChoiceBySize)
{
    EXPECT_EQ(Chosen({1, 8}, 1024), "ring LlProtocol"); // 15.0 us; tree 15.2
    EXPECT_EQ(Chosen({1, 8}, 16 << 20), "ring Ll128Protocol");
    EXPECT_EQ(Chosen({1, 8}, 1 << 30), "ring SimpleProtocol");
    EXPECT_EQ(Chosen({2, 8}, 1024), "tree LlProtocol");
    EXPECT_EQ(Chosen({2, 8}, 4 << 20), "tree Ll128Protocol");
    EXPECT_EQ(Chosen({64, 8}, 1024), "tree LlProtocol");
    EXPECT_EQ(Chosen({4, 8}, 1ULL << 33), "ring SimpleProtocol");
    EXPECT_EQ(Chosen({64, 1}, 1 << 20), "tree Ll128Protocol");
}

/// @return the tuner of nodes whose switches add up  @param gpu a value of --nvlink
NcclTuner
Switched(const std::string& gpu)
{
    return {NIC, gpu == "b200" ? 5'774'400'000'000 : NVLINK, NcclTuner::FindSwitches(gpu)};
}

/// @return the algorithm that NCCL chooses for an all-reduce of H100 or others, by Simple only
NcclTuner::Algorithm
ChosenBySwitches(const std::string& gpu, RankShape shape, uint64_t bytes)
{
    const NcclTuner tuner = Switched(gpu);
    std::vector<NcclTuner::Option> options;
    for (const auto algorithm : tuner.ListAlgorithms(REDUCE, shape))
    {
        options.push_back(With<SimpleProtocol>(algorithm));
        if (algorithm != NVLS)
        {
            options.push_back(With<LlProtocol>(algorithm));
            options.push_back(With<Ll128Protocol>(algorithm));
        }
    }
    return tuner.Choose(REDUCE, shape, bytes, options).algorithm;
}

TEST(NcclTuner, NvlsByHand)
{
    const NcclTuner tuner = Switched("h100");
    const auto us = [&tuner](RankShape shape, double bytes) {
        return tuner.GetTimePs(REDUCE, shape, bytes, With<SimpleProtocol>(NVLS)) / PS_PER_US;
    };
    EXPECT_NEAR(us({1, 8}, 0), 25, 1e-9);
    EXPECT_NEAR(us({2, 8}, 0), 25 + 2 * 20.9, 1e-9);
    EXPECT_NEAR(us({9, 8}, 0), 25 + 2 * 3 * 20.9, 1e-9);
    // S (1 + 1 / 8) at 0.85 of 370.8 GB/s; channels of 4 GPUs have 60 GB/s, less than 370.8 / 5
    EXPECT_NEAR(us({1, 8}, 1e9) - 25, 1e9 * 9 / 8 / (0.85 * 370.8e9) * 1e6, 1e-6);
    EXPECT_NEAR(us({1, 4}, 1e9) - 25, 1e9 / (4 * 60e9 * 0.85) * 1e6, 1e-6);
    // 8 channels: two nodes 57.7 GB/s, more 45.5, or as much as a NIC has
    EXPECT_NEAR(us({2, 8}, 1e9) - us({2, 8}, 0), 1e9 / (8 * 57.7e9 * 16 / 30) * 1e6, 1e-6);
    EXPECT_NEAR(us({4, 8}, 1e9) - us({4, 8}, 0), 1e9 / (8 * 45.5e9 * 32 / 62) * 1e6, 1e-6);
}

TEST(NcclTuner, NvlsWhereSwitchesAddUp)
{
    EXPECT_FALSE(NcclTuner::FindSwitches("a100"));
    EXPECT_FALSE(NcclTuner::FindSwitches("raw"));
    EXPECT_EQ(Switched("a100").ListAlgorithms(REDUCE, {1, 8}).size(), 2);
    EXPECT_EQ(Switched("h100").ListAlgorithms(REDUCE, {1, 8}).size(), 3);
    EXPECT_EQ(Switched("h100").ListAlgorithms(REDUCE, {8, 1}).size(), 2);
    EXPECT_EQ(Switched("h100").ListAlgorithms(CollectiveKind::ALL_GATHER, {1, 8}).size(), 1);
}

// Five to eight H100 in a node measured more than a ring has, two to four as much as one
// (doc/against-hardware.rst).
TEST(NcclTuner, NvlsOfLargeSizesAndManyGpus)
{
    for (uint32_t gpus = 2; gpus <= 8; ++gpus)
    {
        EXPECT_EQ(ChosenBySwitches("h100", {1, gpus}, 1ULL << 32), gpus > 4 ? NVLS : RING) << gpus;
        EXPECT_EQ(ChosenBySwitches("b200", {1, gpus}, 1ULL << 32), gpus > 6 ? NVLS : RING) << gpus;
        EXPECT_EQ(ChosenBySwitches("a100", {1, gpus}, 1ULL << 32), RING) << gpus;
        EXPECT_EQ(ChosenBySwitches("h100", {1, gpus}, 1 << 16), RING) << gpus;
    }
    EXPECT_EQ(ChosenBySwitches("h100", {2, 8}, 1024), TREE);
    EXPECT_EQ(ChosenBySwitches("h100", {2, 8}, 1ULL << 32), NVLS);
    EXPECT_EQ(ChosenBySwitches("h100", {4, 8}, 1 << 28), NVLS);
    EXPECT_EQ(ChosenBySwitches("h100", {4, 8}, 1ULL << 36), RING); // 8 x 45.5 GB/s against 370.8
}
