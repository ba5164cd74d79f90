/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/direct-algorithm.h"
#include "ns3/gpu-nodes.h"
#include "ns3/ring-algorithm.h"
#include "ns3/workload-extent.h"

using namespace ns3;

namespace
{

constexpr uint32_t MTU = 1000; //!< payload of a full packet, in bytes

WorkloadNode
AllReduce(uint32_t communicator, uint64_t bytes)
{
    WorkloadNode node;
    node.name = "sum";
    node.kind = WorkloadNode::Kind::COLLECTIVE;
    node.communicator = communicator;
    node.bytes = bytes;
    return node;
}

/// @return a message, or the wait for it
WorkloadNode
Message(WorkloadNode::Kind kind, uint32_t peer, uint64_t bytes)
{
    WorkloadNode node;
    node.name = "message";
    node.kind = kind;
    node.peer = peer;
    node.bytes = bytes;
    return node;
}

/// @return a workload of 6 hosts without nodes; hosts 1 to 3 share a program, and host 5 has none
TrainingWorkload
NoSteps()
{
    TrainingWorkload workload;
    workload.communicators = {{"three", {1, 2, 3}}, {"four", {2, 3, 1, 4}}};
    workload.programs.resize(3);
    workload.programOf = {1, 0, 0, 0, 2, TrainingWorkload::NO_PROGRAM};
    return workload;
}

/// @return how collectives go
CollectiveDefaults
Defaults(uint32_t channels = 1)
{
    CollectiveDefaults defaults;
    defaults.algorithm = RingAlgorithm::GetTypeId();
    defaults.byName["direct"] = DirectAlgorithm::GetTypeId();
    defaults.channels = channels;
    return defaults;
}

/// @return why a workload is refused, empty if it is not
std::string
WhyRefused(const TrainingWorkload& workload, uint32_t channels = 1)
{
    return RefusalOf([&] { WorkloadExtent(workload, Defaults(channels), MTU).Total(); });
}

} // namespace

TEST(WorkloadExtent, CountsCollectivesOnceAndMessagesAtTheirSenders)
{
    TrainingWorkload workload = NoSteps();
    workload.programs[0] = {AllReduce(0, 6000), AllReduce(0, 6000), AllReduce(1, 8000)};
    workload.programs[1] = {Message(WorkloadNode::Kind::SEND, 4, 2500)};
    workload.programs[2] = {AllReduce(1, 8000), Message(WorkloadNode::Kind::RECEIVE, 0, 2500)};
    WorkloadExtent extent(workload, Defaults(), MTU);
    const CollectiveExtent total = extent.Total();
    EXPECT_EQ(total.messages, 2 * 3 * 4 + 4 * 6 + 1);
    EXPECT_EQ(total.bytes, 2 * 4 * 6000 + 6 * 8000 + 2500);
    EXPECT_EQ(total.packets, 2 * 2 * 3 * 4 + 2 * 4 * 6 + 3);
    EXPECT_EQ(extent.Of(workload.programs[0][2]).mostBytes, 6 * 2000);
    EXPECT_EQ(extent.Of(workload.programs[0][2]).mostPackets, 6 * 2);
}

TEST(WorkloadExtent, SumsUpWhatSharesANic)
{
    TrainingWorkload workload = NoSteps();
    workload.programs[0] = {AllReduce(1, 8000)};
    CollectiveDefaults defaults = Defaults();
    defaults.algorithm = DirectAlgorithm::GetTypeId();
    EXPECT_EQ(WorkloadExtent(workload, defaults, MTU).Of(workload.programs[0][0]).mostNicBytes, 0);
    defaults.nodes = GpuNodes(MakeLeafSpine({3, 1, 2, 1, 1, 2}), 2, GpuNodes::Mapping::RACK);
    WorkloadExtent shared(workload, defaults, MTU);
    EXPECT_EQ(shared.Describe(workload.programs[0][0]).nics, (std::vector<uint32_t>{0, 0, 1, 2}));
    // Hosts 2 and 3 of a NIC send to 1 and 4, which send to three others; twice, 2000 bytes each.
    const CollectiveExtent& extent = shared.Of(workload.programs[0][0]);
    EXPECT_EQ(extent.mostBytes, 12000);
    EXPECT_EQ(extent.mostNicBytes, 16000);
    EXPECT_EQ(extent.mostNicPackets, 16);
}

TEST(WorkloadExtent, TellsApartWhatIsNotAlike)
{
    TrainingWorkload workload = NoSteps();
    WorkloadNode direct = AllReduce(0, 6000);
    direct.algorithm = "direct";
    workload.programs[0] = {AllReduce(0, 6000), direct, AllReduce(0, 3000)};
    WorkloadExtent extent(workload, Defaults(2), MTU);
    EXPECT_EQ(extent.Of(workload.programs[0][0]).messages, 2 * 3 * 4);
    EXPECT_EQ(extent.Of(workload.programs[0][1]).messages, 2 * 3 * 4);
    EXPECT_EQ(extent.Describe(workload.programs[0][1]).algorithm, DirectAlgorithm::GetTypeId());
    EXPECT_EQ(extent.Describe(workload.programs[0][0]).algorithm, RingAlgorithm::GetTypeId());
    EXPECT_EQ(extent.Of(workload.programs[0][2]).bytes, 4 * 3000);
    EXPECT_EQ(extent.Describe(workload.programs[0][0]).hosts, workload.communicators[0].hosts);
}

TEST(WorkloadExtent, RefusesAlgorithmsThatAreNotThere)
{
    TrainingWorkload workload = NoSteps();
    workload.programs[0] = {AllReduce(0, 6000)};
    workload.programs[0][0].algorithm = "magic";
    EXPECT_EQ(WhyRefused(workload), "'sum': there is no algorithm 'magic'");
}

TEST(WorkloadExtent, RefusesWhatAnAlgorithmCannotDo)
{
    TrainingWorkload workload = NoSteps();
    workload.programs[0] = {AllReduce(0, 6000)};
    workload.programs[0][0].collective = CollectiveKind::ALL_TO_ALL;
    EXPECT_EQ(WhyRefused(workload).find("'sum': ns3::aifabric::RingAlgorithm"), 0);
}

TEST(WorkloadExtent, MeasuresMessagesOfAnyLength)
{
    TrainingWorkload workload = NoSteps();
    const uint64_t bytes = uint64_t{1} << 40;
    workload.programs[0] = {AllReduce(0, bytes)};
    WorkloadExtent extent(workload, Defaults(1), MTU);
    EXPECT_EQ(extent.Of(workload.programs[0][0]).longestBytes, (bytes + 2) / 3);
    EXPECT_EQ(extent.Total().bytes, 4 * bytes);
}
