/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/compute-bound.h"

namespace
{

using Kind = WorkloadNode::Kind;
using Unit = WorkloadNode::Unit;

/// @return a delay  @param duration its length in ps  @param unit what does it, in stream 7
WorkloadNode
Delay(int64_t duration, std::vector<uint32_t> after = {}, Unit unit = Unit::NONE)
{
    WorkloadNode node;
    node.durationPs = duration;
    node.dependencies = std::move(after);
    node.unit = unit;
    node.stream = 7;
    return node;
}

/// @return the bound of hosts that each have a program
/// @param streamOperations kernels that a stream does at a time
int64_t
BoundOf(std::vector<WorkloadProgram> programs, uint32_t streamOperations = 1)
{
    TrainingWorkload workload;
    workload.programs = std::move(programs);
    return ComputeBoundPs(workload, 1, streamOperations);
}

} // namespace

TEST(ComputeBound, IsTheLongestChain)
{
    WorkloadNode collective;
    collective.kind = Kind::COLLECTIVE;
    collective.durationPs = 1000; // means nothing
    collective.dependencies = {0};
    EXPECT_EQ(BoundOf({}), 0);
    EXPECT_EQ(BoundOf({{Delay(3), collective, Delay(4, {1}), Delay(5, {0}), Delay(6)}}), 8);
    EXPECT_EQ(BoundOf({{Delay(5, {1}), Delay(4)}}), 9); // in whatever order they stand
    EXPECT_EQ(BoundOf({{Delay(3)}, {Delay(10)}, {}}), 10);
}

TEST(ComputeBound, KnowsWaitsForBegins)
{
    WorkloadNode second = Delay(4);
    second.startDependencies = {1};
    EXPECT_EQ(BoundOf({{second, Delay(5, {2}), Delay(2)}}), 7); // 2 + 5, and 2 + 4
    second.durationPs = 6;
    EXPECT_EQ(BoundOf({{second, Delay(5, {2}), Delay(2)}}), 8);
}

TEST(ComputeBound, IsTheWorkOfTheBusiestStream)
{
    const std::vector<uint32_t> none;
    const WorkloadProgram kernels{Delay(3, none, Unit::COMPUTE),
                                  Delay(4, none, Unit::MEMORY),
                                  Delay(5, none, Unit::COMPUTE),
                                  Delay(7, none, Unit::PROCESSOR)};
    EXPECT_EQ(BoundOf({kernels}), 12);
    EXPECT_EQ(BoundOf({kernels}, 2), 7);
}
