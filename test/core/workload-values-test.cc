/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/workload-values.h"

#include <memory>

namespace
{

/// @return why a workload of two hosts is refused  @param node the only node of host 0
std::string
WhyNot(const WorkloadNode& node)
{
    TrainingWorkload workload;
    workload.communicators = {{"both", {0, 1}}, {"one", {0}}};
    workload.programs = {{node}};
    workload.programOf = {0, TrainingWorkload::NO_PROGRAM};
    return RefusalOf([&workload]() { CheckValues(workload, 2); });
}

} // namespace

// The messages of all refusals are tested with CheckWorkload().

TEST(WorkloadValues, ANodeNamesWhatIsThere)
{
    WorkloadNode node;
    node.name = "n";
    EXPECT_EQ(WhyNot(node), "");
    node.kind = WorkloadNode::Kind::COLLECTIVE;
    node.bytes = 1;
    EXPECT_EQ(WhyNot(node), "");
    node.communicator = 1;
    EXPECT_EQ(WhyNot(node), "node 0 'n': a collective needs at least two hosts");
    node.communicator = 2;
    EXPECT_EQ(WhyNot(node), "node 0 'n': communicator 2 is not there");
}

TEST(WorkloadValues, PartsAreOfAnAllToAll)
{
    WorkloadNode node;
    node.name = "n";
    node.kind = WorkloadNode::Kind::COLLECTIVE;
    node.bytes = 1;
    node.parts = std::make_shared<const PartSizes>(PartSizes::ByReceiver({1, 2}));
    EXPECT_EQ(WhyNot(node),
              "node 0 'n': all-reduce has no parts of unequal sizes, only all-to-all has");
    node.collective = CollectiveKind::ALL_TO_ALL;
    EXPECT_EQ(WhyNot(node), "");
    node.parts = std::make_shared<const PartSizes>(2, std::vector<uint64_t>{1, 2});
    EXPECT_EQ(WhyNot(node), "node 0 'n': sizes of 2 parts are given (4)");
    node.parts = std::make_shared<const PartSizes>(PartSizes::ByReceiver({1, uint64_t{1} << 40}));
    EXPECT_EQ(WhyNot(node), "node 0 'n': a rank has 1099511627777 bytes (0..1099511627776)");
}

TEST(WorkloadValues, AHostMayBeWithoutItsPeer)
{
    WorkloadNode send; // CheckWorkload() asks for the receive
    send.kind = WorkloadNode::Kind::SEND;
    send.bytes = 1;
    send.peer = 1;
    EXPECT_EQ(WhyNot(send), "");
    send.peer = 2;
    EXPECT_EQ(WhyNot(send), "node 0 '': host 2 is not there");
}
