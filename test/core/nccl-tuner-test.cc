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

/// @return what a collective may use  @tparam P the protocol
template <typename P>
NcclTuner::Option
With(bool isTree)
{
    return {isTree, CreateObject<P>()};
}

/// @return the algorithm and the protocol that NCCL chooses for an all-reduce
std::string
Chosen(RankShape shape, uint64_t bytes)
{
    const std::vector<NcclTuner::Option> options = {With<LlProtocol>(false),
                                                    With<Ll128Protocol>(false),
                                                    With<SimpleProtocol>(false),
                                                    With<LlProtocol>(true),
                                                    With<Ll128Protocol>(true),
                                                    With<SimpleProtocol>(true)};
    const NcclTuner::Option best = NcclTuner(NIC, NVLINK).Choose(REDUCE, shape, bytes, options);
    const std::string name = best.protocol->GetInstanceTypeId().GetName();
    return (best.isTree ? "tree " : "ring ") + name.substr(std::string("ns3::aifabric::").size());
}

} // namespace

TEST(NcclTuner, LatenciesByHand)
{
    const NcclTuner tuner(NIC, NVLINK);
    const auto us = [&tuner](RankShape shape, const NcclTuner::Option& option) {
        return tuner.GetTimePs(REDUCE, shape, 0, option) / PS_PER_US;
    };
    // One node of 8: 14 messages by NVLink.
    EXPECT_NEAR(us({1, 8}, With<LlProtocol>(false)), 6.6 + 14 * 0.6, 1e-9);
    EXPECT_NEAR(us({1, 8}, With<SimpleProtocol>(false)), 8.4 + 14 * 3.4, 1e-9);
    // Two nodes of 8: 30 messages, 2 of them by the network; a ring of Simple has a plateau.
    EXPECT_NEAR(us({2, 8}, With<LlProtocol>(false)), 6.6 + 28 * 1.0 + 2 * 2.7, 1e-9);
    EXPECT_NEAR(us({2, 8}, With<SimpleProtocol>(false)), 1.4 * (8.4 + 28 * 3.4 + 2 * 14), 1e-9);
    EXPECT_NEAR(us({2, 8}, With<LlProtocol>(true)), 6.8 + 2 * (7 * 0.6 + 5.0), 1e-9);
    EXPECT_NEAR(us({5, 8}, With<LlProtocol>(true)), 6.8 + 2 * (7 * 0.6 + 2 * 5.0), 1e-9);
    // Eight nodes of one GPU: 14 messages by the network, with the latency of trees.
    EXPECT_NEAR(us({8, 1}, With<LlProtocol>(false)), 6.6 + 14 * 5.0, 1e-9);
    EXPECT_NEAR(tuner.GetTimePs(CollectiveKind::ALL_GATHER, {2, 8}, 0, With<LlProtocol>(false)),
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
    EXPECT_NEAR(bus(REDUCE, {1, 8}, With<SimpleProtocol>(false)), 370.8, 1e-6);
    EXPECT_NEAR(bus(REDUCE, {4, 8}, With<SimpleProtocol>(false)), 370.8, 1e-6); // 8 NICs: 400
    EXPECT_NEAR(bus(REDUCE, {4, 4}, With<SimpleProtocol>(false)), 200, 1e-6);
    EXPECT_NEAR(bus(REDUCE, {4, 4}, With<Ll128Protocol>(false)), 0.92 * 200, 1e-6);
    EXPECT_NEAR(bus(REDUCE, {4, 4}, With<LlProtocol>(false)), 20.4, 1e-6); // the limit
    EXPECT_NEAR(bus(REDUCE, {8, 1}, With<SimpleProtocol>(false)), 50, 1e-6);
    EXPECT_NEAR(bus(CollectiveKind::ALL_GATHER, {8, 1}, With<SimpleProtocol>(false)), 50, 1e-6);
    EXPECT_NEAR(bus(CollectiveKind::BROADCAST, {8, 1}, With<SimpleProtocol>(false)), 50, 1e-6);
    // Trees: half of the bus bandwidth, which two nodes have twice.
    EXPECT_NEAR(bus(REDUCE, {2, 2}, With<SimpleProtocol>(true)), 0.92 * 200 / 2 * 1.5, 1e-6);
    EXPECT_NEAR(bus(REDUCE, {4, 2}, With<SimpleProtocol>(true)), 0.92 * 100 / 2 * 1.75, 1e-6);
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
