/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/collective-layout.h"
#include "ns3/double-binary-tree-algorithm.h"
#include "ns3/ll-protocol.h"
#include "ns3/ll128-protocol.h"
#include "ns3/node-ring-algorithm.h"
#include "ns3/nvls-algorithm.h"
#include "ns3/object-factory.h"
#include "ns3/ring-algorithm.h"
#include "ns3/simple-protocol.h"

using namespace ns3;

namespace
{

/// @return an all-reduce of two nodes of two ranks
CollectiveSpec
Make(TypeId algorithm, TypeId protocol)
{
    CollectiveSpec spec;
    spec.algorithm = algorithm;
    spec.hosts = {0, 1, 2, 3};
    spec.nodes = {0, 0, 1, 1};
    spec.bytes = 3200;
    spec.protocol = protocol;
    return spec;
}

/// @return messages of a rank in a step
std::vector<CollectiveMessage>
SendsOf(const CollectiveLayout& layout, uint32_t rank, uint32_t step)
{
    return layout.GetStep(rank, 0, step).sends;
}

} // namespace

TEST(CollectiveProtocol, ValuesOfNccl)
{
    const auto cost = [](TypeId type, bool isTree, RankShape shape) {
        const auto protocol =
            DynamicCast<CollectiveProtocol>(ObjectFactory(type.GetName()).Create());
        const ProtocolCost result = protocol->CostOf(isTree, shape);
        return std::array<int64_t, 3>{result.basePs / 1000,
                                      result.nodePs / 1000,
                                      result.networkPs / 1000};
    };
    using Ns = std::array<int64_t, 3>; // base, node, network
    const TypeId ll = LlProtocol::GetTypeId();
    const TypeId ll128 = Ll128Protocol::GetTypeId();
    const TypeId simple = SimpleProtocol::GetTypeId();
    EXPECT_EQ(cost(ll, false, {1, 8}), (Ns{6600, 600, 2700}));
    EXPECT_EQ(cost(ll, false, {2, 8}), (Ns{6600, 1000, 2700})); // a host posts each message
    EXPECT_EQ(cost(ll, false, {8, 1})[2], 5000);                // one GPU a node: as trees
    EXPECT_EQ(cost(ll, true, {2, 8}), (Ns{6800, 600, 5000}));
    EXPECT_EQ(cost(ll128, false, {2, 8}), (Ns{14000, 1900, 4000}));
    EXPECT_EQ(cost(ll128, true, {2, 8}), (Ns{14000, 1250, 8500}));
    EXPECT_EQ(cost(simple, false, {2, 8}), (Ns{8400, 3400, 14000}));
    EXPECT_EQ(cost(simple, true, {2, 8}), (Ns{8400, 4000, 14000}));
}

TEST(CollectiveProtocol, DelaysOfMessages)
{
    CollectiveSpec spec = Make(RingAlgorithm::GetTypeId(), SimpleProtocol::GetTypeId());
    spec.travel = {600'000, 3'000'000};
    const CollectiveLayout layout(spec);
    const auto delay = [&layout](uint32_t rank, uint32_t step) {
        return layout.GetDelayPs(rank, 0, step, SendsOf(layout, rank, step).at(0)) / 1000;
    };
    EXPECT_EQ(delay(0, 0), 8400 + 3400 - 600);   // to rank 1, of the same node
    EXPECT_EQ(delay(0, 1), 3400 - 600);          // the base once
    EXPECT_EQ(delay(1, 0), 8400 + 14000 - 3000); // to rank 2
    EXPECT_EQ(delay(1, 5), 14000 - 3000);
    spec.travel = {600'000, 20'000'000};
    const CollectiveLayout far(spec);
    EXPECT_EQ(far.GetDelayPs(1, 0, 1, SendsOf(far, 1, 1).at(0)), 0); // never negative
    spec.protocol.reset();
    const CollectiveLayout free(spec);
    EXPECT_EQ(free.GetDelayPs(1, 0, 0, SendsOf(free, 1, 0).at(0)), 0);
}

/// Chunks pass switches of nodes one behind the other, so only the first two wait for them.
TEST(CollectiveProtocol, SwitchesOfNodesTakeTheirLatencyOnce)
{
    CollectiveSpec spec = Make(NvlsAlgorithm::GetTypeId(), SimpleProtocol::GetTypeId());
    spec.travel = {600'000, 3'000'000};
    spec.chunkBytes = 100;
    const CollectiveLayout layout(spec);
    ASSERT_GT(layout.CountSlices(), 2);
    const auto delay = [&layout](uint32_t slice, uint32_t step) {
        const CollectiveMessage message = layout.GetStep(0, slice, step).sends.at(0);
        return layout.GetDelayPs(0, slice, step, message) / 1000;
    };
    EXPECT_EQ(delay(0, 0), 25000 - 2 * 600);
    EXPECT_EQ(delay(1, 0), 25000 - 2 * 600);
    EXPECT_EQ(delay(2, 0), 0);
    EXPECT_EQ(delay(0, 1), 14000 - 3000); // to the other node
    EXPECT_EQ(delay(0, layout.GetAlgorithm().CountSteps(0, 0) - 1), 0);
}

TEST(CollectiveProtocol, BytesOfFlags)
{
    const auto bytes = [](TypeId protocol) {
        const CollectiveLayout layout(Make(RingAlgorithm::GetTypeId(), protocol));
        return layout.GetBytes(0, SendsOf(layout, 0, 0).at(0)); // of 800 bytes of data
    };
    EXPECT_EQ(bytes(LlProtocol::GetTypeId()), 1600);
    EXPECT_EQ(bytes(Ll128Protocol::GetTypeId()), 854); // 853.3
    EXPECT_EQ(bytes(SimpleProtocol::GetTypeId()), 800);
    const CollectiveLayout layout(Make(NodeRingAlgorithm::GetTypeId(), LlProtocol::GetTypeId()));
    EXPECT_EQ(layout.Measure(4096).bytes, 2 * 2 * 3 * 3200 / 2); // half of 2 (n - 1) M, twice
}
