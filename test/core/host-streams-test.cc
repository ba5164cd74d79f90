/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/host-streams.h"
#include "ns3/program-order.h"

namespace
{

using Kind = WorkloadNode::Kind;
using Unit = WorkloadNode::Unit;

WorkloadNode
Node(Unit unit, int64_t stream = 0, Kind kind = Kind::COMPUTE)
{
    WorkloadNode node;
    node.unit = unit;
    node.stream = stream;
    node.kind = kind;
    return node;
}

WorkloadNode
After(std::string name, std::vector<uint32_t> after)
{
    WorkloadNode node;
    node.name = std::move(name);
    node.dependencies = std::move(after);
    return node;
}

} // namespace

TEST(HostStreams, NumbersTheStreamsOfAProgram)
{
    const StreamTable table({Node(Unit::NONE),
                             Node(Unit::COMPUTE, 7),
                             Node(Unit::PROCESSOR),
                             Node(Unit::COMPUTE, 8),
                             Node(Unit::MEMORY, -1),
                             Node(Unit::COMPUTE, 7)});
    EXPECT_EQ(table.GetUnits(),
              (std::vector<Unit>{Unit::COMPUTE, Unit::PROCESSOR, Unit::COMPUTE, Unit::MEMORY}));
    EXPECT_EQ(table.StreamOf(0), StreamTable::NONE);
    EXPECT_EQ(table.StreamOf(1), 0U);
    EXPECT_EQ(table.StreamOf(3), 2U);
    EXPECT_EQ(table.StreamOf(5), 0U);
    EXPECT_TRUE(table.PredecessorsOf(5).empty()); // kernels have no order
    EXPECT_EQ(StreamTable({Node(Unit::NONE)}).StreamOf(0), StreamTable::NONE);
    EXPECT_TRUE(StreamTable({Node(Unit::NONE)}).PredecessorsOf(0).empty());
}

TEST(HostStreams, OfADeviceAreSharedByItsUnits)
{
    const StreamTable table({Node(Unit::COMPUTE, 7),
                             Node(Unit::MEMORY, 7),
                             Node(Unit::COLLECTIVE, 7, Kind::COLLECTIVE),
                             Node(Unit::SEND, 7, Kind::SEND),
                             Node(Unit::PROCESSOR, 7),
                             Node(Unit::MEMORY, 8),
                             Node(Unit::COLLECTIVE, 7, Kind::COLLECTIVE),
                             Node(Unit::MEMORY, -1),
                             Node(Unit::COMPUTE, -1)});
    std::vector<uint32_t> streams;
    std::vector<std::vector<uint32_t>> before;
    for (uint32_t node = 0; node < 9; ++node)
    {
        streams.push_back(table.StreamOf(node));
        before.push_back(table.PredecessorsOf(node));
    }
    EXPECT_EQ(streams, (std::vector<uint32_t>{0, 0, 0, 0, 1, 2, 0, 3, 4}));
    const std::vector<std::vector<uint32_t>> order{{}, {}, {0, 1}, {2}, {}, {}, {2, 3}, {}, {}};
    EXPECT_EQ(before, order);
    EXPECT_EQ(table.GetLimits(5, 6), (std::vector<uint32_t>{1, 5, 6, 6, 6}));
}

TEST(HostStreams, OrdersTheCollectivesOfAStream)
{
    const auto collective = [](int64_t stream) {
        return Node(Unit::COLLECTIVE, stream, Kind::COLLECTIVE);
    };
    const StreamTable table(
        {collective(1), collective(2), collective(1), collective(2), collective(1)});
    const std::vector<std::vector<uint32_t>> order{{}, {}, {0}, {1}, {2}};
    for (uint32_t node = 0; node < order.size(); ++node)
    {
        EXPECT_EQ(table.PredecessorsOf(node), order[node]);
    }
}

TEST(HostStreams, DoesOneNodeAtATimeFirstInTheProgram)
{
    HostStreams streams({1, 2});
    EXPECT_EQ(streams.Take(0), std::nullopt);
    streams.Enter(0, 5);
    streams.Enter(0, 9);
    streams.Enter(0, 3);
    EXPECT_EQ(streams.Take(0), 3U);
    EXPECT_EQ(streams.Take(0), std::nullopt);
    streams.Leave(0);
    EXPECT_EQ(streams.Take(0), 5U);
    for (const uint32_t node : {1, 2, 3})
    {
        streams.Enter(1, node);
    }
    EXPECT_EQ(streams.Take(1), 1U);
    EXPECT_EQ(streams.Take(1), 2U);
    EXPECT_EQ(streams.Take(1), std::nullopt);
}

TEST(ProgramOrder, PutsNodesAfterTheirDependencies)
{
    const auto ordered = OrderByDependencies(
        {After("a", {3}), After("b", {}), After("c", {1, 0}), After("d", {4}), After("e", {})});
    std::string names;
    for (const auto& node : ordered)
    {
        names += node.name;
        for (const uint32_t dependency : node.dependencies)
        {
            EXPECT_LT(dependency, names.size() - 1);
        }
    }
    EXPECT_EQ(names, "edabc");
    EXPECT_EQ(ordered[4].dependencies, (std::vector<uint32_t>{3, 2}));
    WorkloadProgram chain; // deeper than any stack of calls
    for (uint32_t i = 0; i < 300'000; ++i)
    {
        chain.push_back(
            After("n", i + 1 < 300'000 ? std::vector<uint32_t>{i + 1} : std::vector<uint32_t>()));
    }
    EXPECT_TRUE(OrderByDependencies(chain)[0].dependencies.empty());
}
