/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/lower-bound.h"
#include "ns3/node-bound.h"

using namespace ns3;

namespace
{

constexpr uint64_t RATE = 3'600'000'000'000; //!< 450 bytes a nanosecond
constexpr int64_t LATENCY = 1'000'000;       //!< 1 us, in picoseconds
constexpr int64_t NANOSECOND = 1000;         //!< in picoseconds

/// @return a message within a node
Flow
InNode(int64_t startPs, uint32_t source, uint32_t destination, uint64_t bytes)
{
    Flow flow{startPs, source, destination, bytes};
    flow.inNode = true;
    return flow;
}

} // namespace

TEST(NodeBound, OneMessage)
{
    EXPECT_EQ(NodeBoundPs({}, RATE, LATENCY), 0);
    EXPECT_EQ(NodeBoundPs({InNode(50, 0, 1, 450'000)}, RATE, LATENCY),
              50 + 1000 * NANOSECOND + 2 * LATENCY);
}

/// Nothing is sent: two delays of the sender's link are all that counts, within a node, too.
TEST(NodeBound, WhatHasNoBytesTakesTwoDelays)
{
    EXPECT_EQ(NodeBoundPs({InNode(50, 0, 1, 0)}, RATE, LATENCY), 0);
    const FabricGraph graph = MakeFatTree({4, 1, {}});
    BoundParameters parameters;
    parameters.nodeRate = RATE;
    parameters.nodeLatencyPs = LATENCY;
    const std::vector<Flow> flows = {InNode(50, 0, 1, 0), Flow{70, 3, 5, 0}, Flow{60, 3, 5, 0}};
    EXPECT_EQ(CompletionBoundPs(graph, flows, parameters), 70 + 2 * parameters.linkDelayPs);
    EXPECT_EQ(CompletionBoundPs(graph, {Flow{0, 0, 5, 4096}, Flow{0, 5, 0, 0}}, {}),
              CompletionBoundPs(graph, {Flow{0, 0, 5, 4096}}, {}));
}

TEST(NodeBound, TheBusiestEndCounts)
{
    const std::vector<Flow> incast = {InNode(0, 0, 3, 450),
                                      InNode(0, 1, 3, 900),
                                      InNode(0, 2, 1, 45)};
    EXPECT_EQ(NodeBoundPs(incast, RATE, LATENCY), 3 * NANOSECOND + 2 * LATENCY);
    const std::vector<Flow> outcast = {InNode(0, 3, 0, 450), InNode(0, 3, 1, 900)};
    EXPECT_EQ(NodeBoundPs(outcast, RATE, LATENCY), 3 * NANOSECOND + 2 * LATENCY);
}

TEST(NodeBound, ALateMessageWaitsForItsStart)
{
    const std::vector<Flow> flows = {InNode(9 * NANOSECOND, 0, 1, 450), InNode(0, 0, 2, 450)};
    EXPECT_EQ(NodeBoundPs(flows, RATE, LATENCY), 10 * NANOSECOND + 2 * LATENCY);
}

TEST(NodeBound, OthersAreOfTheNetwork)
{
    EXPECT_EQ(NodeBoundPs({Flow{0, 0, 1, 450}}, RATE, LATENCY), 0);
    const FabricGraph graph = MakeFatTree({4, 1, {}});
    BoundParameters parameters;
    parameters.nodeRate = RATE;
    parameters.nodeLatencyPs = LATENCY;
    const std::vector<Flow> network = {Flow{0, 0, 5, 1 << 20}};
    std::vector<Flow> both = network;
    both.push_back(InNode(0, 0, 1, 1 << 20));
    EXPECT_EQ(CompletionBoundPs(graph, both, parameters),
              CompletionBoundPs(graph, network, parameters));
    both.push_back(InNode(0, 1, 0, 1 << 30));
    EXPECT_EQ(CompletionBoundPs(graph, both, parameters), NodeBoundPs(both, RATE, LATENCY));
}
