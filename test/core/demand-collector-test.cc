/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/demand-collector.h"
#include "ns3/direct-algorithm.h"

#include <memory>

namespace
{

Flow
MakeFlow(uint32_t source, uint32_t destination, uint64_t bytes)
{
    Flow flow;
    flow.source = source;
    flow.destination = destination;
    flow.bytes = bytes;
    return flow;
}

} // namespace

TEST(DemandCollector, NoHostSendsOrReceivesAboveItsLineRate)
{
    DemandCollector collector;
    // Host 0 sends to two; host 3 receives from two.
    collector.Add(
        {MakeFlow(0, 2, 300), MakeFlow(0, 3, 50), MakeFlow(0, 3, 50), MakeFlow(1, 3, 300)});
    const std::vector<TrafficDemand> demands = collector.GetDemands(0);
    ASSERT_EQ(demands.size(), 3U);
    EXPECT_EQ(demands[0].destination, 2U);
    EXPECT_DOUBLE_EQ(demands[0].rate, 0.75); // of what host 0 sends
    EXPECT_DOUBLE_EQ(demands[1].rate, 0.25);
    EXPECT_EQ(demands[2].source, 1U);
    EXPECT_DOUBLE_EQ(demands[2].rate, 0.75); // of what host 3 receives
}

TEST(DemandCollector, AcknowledgementsGoTheOtherWay)
{
    DemandCollector collector;
    collector.Add({MakeFlow(0, 1, 100), MakeFlow(1, 0, 100), MakeFlow(2, 3, 7)});
    const std::vector<TrafficDemand> demands = collector.GetDemands(0.02);
    ASSERT_EQ(demands.size(), 4U);
    EXPECT_DOUBLE_EQ(demands[0].rate, 1.02);
    EXPECT_DOUBLE_EQ(demands[1].rate, 1.02);
    EXPECT_DOUBLE_EQ(demands[2].rate, 1);
    EXPECT_EQ(demands[3].source, 3U);
    EXPECT_EQ(demands[3].destination, 2U);
    EXPECT_DOUBLE_EQ(demands[3].rate, 0.02);
}

TEST(DemandCollector, PartsOfNoBytesAreNoDemands)
{
    WorkloadNode node;
    node.kind = WorkloadNode::Kind::COLLECTIVE;
    node.collective = CollectiveKind::ALL_TO_ALL;
    node.bytes = 3;
    node.parts = std::make_shared<const PartSizes>(PartSizes::ByReceiver({300, 0, 100}));
    TrainingWorkload workload;
    workload.communicators = {{"all", {0, 1, 2}}};
    workload.programs = {{node}};
    workload.programOf = {0, 0, 0};
    CollectiveDefaults defaults;
    defaults.algorithm = DirectAlgorithm::GetTypeId();
    DemandCollector collector;
    collector.Add(workload, defaults);
    const std::vector<TrafficDemand> demands = collector.GetDemands(0);
    ASSERT_EQ(demands.size(), 4U);
    EXPECT_EQ(demands[0].destination, 2U); // from host 0
    EXPECT_DOUBLE_EQ(demands[0].rate, 0.5);
    EXPECT_EQ(demands[1].source, 1U);
    EXPECT_EQ(demands[1].destination, 0U);
    EXPECT_DOUBLE_EQ(demands[1].rate, 0.5);
}

TEST(DemandCollector, EmptyMessagesAreNoDemands)
{
    DemandCollector collector;
    EXPECT_TRUE(collector.GetDemands(0.02).empty());
    collector.Add({MakeFlow(0, 1, 0)});
    EXPECT_TRUE(collector.GetDemands(0.02).empty());
}
