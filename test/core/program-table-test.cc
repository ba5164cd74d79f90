/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/program-table.h"

namespace
{

using Kind = WorkloadNode::Kind;

WorkloadNode
Collective(uint32_t communicator)
{
    WorkloadNode node;
    node.kind = Kind::COLLECTIVE;
    node.communicator = communicator;
    return node;
}

WorkloadNode
Message(Kind kind, uint32_t peer, uint32_t tag)
{
    WorkloadNode node;
    node.kind = kind;
    node.peer = peer;
    node.tag = tag;
    return node;
}

} // namespace

TEST(ProgramTable, NumbersTheCollectivesOfACommunicatorByTheirPlace)
{
    TrainingWorkload workload;
    workload.programs = {{Collective(1), Collective(0), Collective(1)},
                         {Collective(1), Collective(1), Collective(2)}};
    workload.programOf = {1, 0};
    const ProgramTable table(workload);
    EXPECT_EQ(table.Of(1).numbers, (std::vector<uint32_t>{0, 1, 2}));
    EXPECT_EQ(table.Of(0).numbers, (std::vector<uint32_t>{0, 2, 3}));
    ASSERT_EQ(table.GetCollectives().size(), 4U);
    EXPECT_EQ(table.GetCollectives()[1], &workload.programs[0][1]);
    EXPECT_EQ(table.GetCollectives()[3], &workload.programs[1][2]);
}

TEST(ProgramTable, CountsMessagesOfAPeerAndATag)
{
    TrainingWorkload workload;
    workload.programs = {{Message(Kind::SEND, 1, 5),
                          Message(Kind::RECEIVE, 1, 5),
                          Message(Kind::SEND, 1, 6),
                          Message(Kind::SEND, 2, 5),
                          Message(Kind::SEND, 1, 5)}};
    workload.programOf = {0};
    const ProgramTable table(workload);
    EXPECT_EQ(table.Of(0).places, (std::vector<uint32_t>{0, 0, 0, 0, 1}));
    EXPECT_EQ(table.Of(0).sends, (std::vector<uint32_t>{0, 2, 3, 4}));
    EXPECT_EQ(table.Of(0).numbers[4], 3U);
}

TEST(ProgramTable, ANodeWaitsForItsDependenciesAndItsStream)
{
    WorkloadNode kernel;
    kernel.unit = WorkloadNode::Unit::COMPUTE;
    WorkloadNode collective = Collective(0);
    collective.unit = WorkloadNode::Unit::COMPUTE;
    WorkloadNode last = kernel;
    last.dependencies = {0};
    TrainingWorkload workload;
    workload.programs = {{kernel, collective, last}};
    workload.programOf = {0};
    const ProgramTable table(workload);
    EXPECT_EQ(table.Of(0).waiting, (std::vector<uint32_t>{0, 1, 2}));
    EXPECT_EQ(table.Of(0).dependents[0], (std::vector<uint32_t>{1, 2}));
    EXPECT_EQ(table.Of(0).dependents[1], (std::vector<uint32_t>{2}));
}

TEST(ProgramTable, KnowsWhoWaitsForABegin)
{
    WorkloadNode second;
    second.startDependencies = {0};
    TrainingWorkload workload;
    workload.programs = {{WorkloadNode(), second}, {WorkloadNode()}};
    workload.programOf = {0, 1};
    const ProgramTable table(workload);
    EXPECT_EQ(table.Of(0).waiting, (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(table.Of(0).followers[0], (std::vector<uint32_t>{1}));
    EXPECT_TRUE(table.Of(1).followers.empty());
}
