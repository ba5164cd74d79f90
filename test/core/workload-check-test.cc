/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/wait-graph.h"
#include "ns3/workload-check.h"

#include <memory>

namespace
{

WorkloadNode
Delay(const std::string& name, std::vector<uint32_t> after = {})
{
    WorkloadNode node;
    node.name = name;
    node.dependencies = std::move(after);
    return node;
}

/// @return an all-reduce of 8 bytes
WorkloadNode
Collective(uint32_t communicator, std::vector<uint32_t> after = {})
{
    WorkloadNode node;
    node.name = "sum";
    node.kind = WorkloadNode::Kind::COLLECTIVE;
    node.communicator = communicator;
    node.bytes = 8;
    node.dependencies = std::move(after);
    return node;
}

/// @return a message of 8 bytes  @param kind SEND or RECEIVE
WorkloadNode
Message(WorkloadNode::Kind kind, uint32_t peer, std::vector<uint32_t> after = {})
{
    WorkloadNode node;
    node.name = kind == WorkloadNode::Kind::SEND ? "send" : "receive";
    node.kind = kind;
    node.peer = peer;
    node.bytes = 8;
    node.dependencies = std::move(after);
    return node;
}

/// @return a workload of two hosts, both in two communicators  @param a what host 0 does  @param b
/// what host 1 does
TrainingWorkload
Two(WorkloadProgram a, WorkloadProgram b)
{
    TrainingWorkload workload;
    workload.communicators = {{"x", {0, 1}}, {"y", {1, 0}}};
    workload.programs = {std::move(a), std::move(b)};
    workload.programOf = {0, 1};
    return workload;
}

/// @return what is wrong with a workload, empty if nothing is
std::string
ErrorOf(const TrainingWorkload& workload, uint32_t hosts = 2)
{
    return RefusalOf([&] { CheckWorkload(workload, hosts); });
}

constexpr auto SEND = WorkloadNode::Kind::SEND;
constexpr auto RECEIVE = WorkloadNode::Kind::RECEIVE;

} // namespace

TEST(WorkloadCheck, AcceptsWhatCanRun)
{
    EXPECT_EQ(ErrorOf(Two({}, {})), "");
    EXPECT_EQ(ErrorOf(Two({Delay("a"), Collective(0, {0}), Collective(1, {1})},
                          {Collective(0), Delay("b", {0}), Collective(1, {1})})),
              "");
    EXPECT_EQ(ErrorOf(Two({Message(SEND, 1), Message(RECEIVE, 1)},
                          {Message(RECEIVE, 0), Message(SEND, 0, {0})})),
              "");
    auto workload = Two({Collective(0)}, {Collective(0)});
    workload.programOf = {0, 0, TrainingWorkload::NO_PROGRAM};
    EXPECT_EQ(ErrorOf(workload, 3), "");
}

TEST(WorkloadCheck, RanksAgreeOnTheSizesOfParts)
{
    WorkloadNode a = Collective(0);
    a.collective = CollectiveKind::ALL_TO_ALL;
    WorkloadNode b = a;
    a.parts = std::make_shared<const PartSizes>(PartSizes::ByReceiver({1, 2}));
    b.parts = std::make_shared<const PartSizes>(PartSizes::ByReceiver({1, 2}));
    EXPECT_EQ(ErrorOf(Two({a}, {b})), "");
    b.parts = nullptr;
    EXPECT_EQ(ErrorOf(Two({a}, {b})),
              "communicator 'x': collective 0 is all-to-all 'sum' of 8 bytes in parts of unequal "
              "sizes on host 0 and all-to-all 'sum' of 8 bytes on host 1");
}

TEST(WorkloadCheck, NamesACircleOfDependencies)
{
    EXPECT_EQ(ErrorOf(Two({Delay("a", {2}), Delay("free"), Delay("b", {0})}, {})),
              "2 nodes wait for each other: host 0, node 0 'a'; host 0, node 2 'b'");
    EXPECT_EQ(ErrorOf(Two({}, {Delay("me", {0})})),
              "1 nodes wait for each other: host 1, node 0 'me'");
    WorkloadProgram ring;
    for (uint32_t i = 0; i < 100'000; ++i)
    {
        ring.push_back(Delay("n", {(i + 1) % 100'000}));
    }
    EXPECT_EQ(ErrorOf(Two(ring, {})).substr(0, 36), "100000 nodes wait for each other: ho");
    EXPECT_LT(ErrorOf(Two(ring, {})).size(), 250U);
}

/// Collectives and messages make hosts wait for each other.
TEST(WorkloadCheck, NamesACircleOverHosts)
{
    EXPECT_EQ(
        ErrorOf(Two({Collective(0), Collective(1, {0})}, {Collective(1), Collective(0, {0})})),
        "2 nodes wait for each other: host 0, node 0 'sum'; host 1, node 0 'sum'");
    EXPECT_EQ(ErrorOf(Two({Message(RECEIVE, 1), Message(SEND, 1, {0})},
                          {Message(RECEIVE, 0), Message(SEND, 0, {0})}))
                  .substr(0, 32),
              "4 nodes wait for each other: hos");
    EXPECT_EQ(ErrorOf(Two({Message(RECEIVE, 1), Collective(0, {0})},
                          {Collective(0), Message(SEND, 0, {0})}))
                  .substr(0, 32),
              "3 nodes wait for each other: hos");
}

/// Collectives of a stream wait for each other, in the order of the program.
TEST(WorkloadCheck, NamesACircleOverStreams)
{
    const auto ordered = [](uint32_t communicator) {
        WorkloadNode node = Collective(communicator);
        node.unit = WorkloadNode::Unit::COLLECTIVE;
        return node;
    };
    const auto apart = [&ordered](uint32_t communicator) {
        WorkloadNode node = ordered(communicator);
        node.stream = communicator;
        return node;
    };
    EXPECT_EQ(ErrorOf(Two({ordered(0), ordered(1)}, {ordered(0), ordered(1)})), "");
    EXPECT_EQ(ErrorOf(Two({ordered(0), ordered(1)}, {ordered(1), ordered(0)})),
              "2 nodes wait for each other: host 0, node 0 'sum'; host 1, node 0 'sum'");
    EXPECT_EQ(ErrorOf(Two({apart(0), apart(1)}, {apart(1), apart(0)})), "");
}

TEST(WorkloadCheck, RefusesWhatIsNotThere)
{
    EXPECT_EQ(ErrorOf(Two({Delay("a", {1})}, {})),
              "node 0 'a': depends on node 1, which is not there");
    EXPECT_EQ(ErrorOf(Two({}, {}), 3), "the workload is for 2 hosts, and there are 3");
    auto workload = Two({}, {});
    workload.programOf[1] = 2;
    EXPECT_EQ(ErrorOf(workload), "program 2 is not there");
    workload = Two({}, {});
    workload.communicators[1].hosts = {0, 2};
    EXPECT_EQ(ErrorOf(workload), "communicator 'y': host 2 is not there (0..1)");
    workload.communicators[1].hosts = {1, 1};
    EXPECT_EQ(ErrorOf(workload), "communicator 'y': host 1 is in it twice");
    workload.communicators[1].hosts = {};
    EXPECT_EQ(ErrorOf(workload), "communicator 'y': there is no host in it");
    EXPECT_EQ(ErrorOf(Two({Collective(2)}, {})), "node 0 'sum': communicator 2 is not there");
    EXPECT_EQ(ErrorOf(Two({Message(SEND, 2)}, {})), "node 0 'send': host 2 is not there");
    workload = Two({Collective(0)}, {Collective(0)});
    workload.programs[0][0].root = 2;
    EXPECT_EQ(ErrorOf(workload), "node 0 'sum': rank 2 is not there");
}

TEST(WorkloadCheck, RefusesSizesAndTimes)
{
    for (const uint64_t bytes : {uint64_t{0}, MAX_WORKLOAD_BYTES + 1})
    {
        auto workload = Two({Collective(0)}, {Collective(0)});
        workload.programs[0][0].bytes = bytes;
        EXPECT_EQ(ErrorOf(workload),
                  "node 0 'sum': " + std::to_string(bytes) +
                      " are no number of bytes (1..1099511627776)");
        workload = Two({Message(SEND, 1)}, {Message(RECEIVE, 0)});
        workload.programs[0][0].bytes = bytes;
        EXPECT_NE(ErrorOf(workload), "");
    }
    for (const int64_t delay : {int64_t{-1}, MAX_WORKLOAD_DELAY_PS + 1})
    {
        auto workload = Two({Delay("a")}, {});
        workload.programs[0][0].durationPs = delay;
        EXPECT_EQ(ErrorOf(workload),
                  "node 0 'a': " + std::to_string(delay) + " ps are no delay (0..1000 s)");
    }
}

TEST(WorkloadCheck, MembersOfACommunicatorIssueTheSame)
{
    EXPECT_EQ(ErrorOf(Two({Collective(0)}, {})),
              "communicator 'x': host 0 issues 1 collectives and host 1 issues 0");
    auto workload = Two({Collective(0), Collective(0)}, {Collective(0), Collective(0)});
    workload.programs[1][1].bytes = 9;
    EXPECT_EQ(
        ErrorOf(workload),
        "communicator 'x': collective 1 is all-reduce 'sum' of 8 bytes on host 0 and all-reduce "
        "'sum' of 9 bytes on host 1");
    workload.programs[1][1].bytes = 8;
    workload.programs[1][1].collective = CollectiveKind::BROADCAST;
    EXPECT_NE(ErrorOf(workload), "");
    workload.programs[0][1].collective = CollectiveKind::BROADCAST;
    EXPECT_EQ(ErrorOf(workload), "");
    workload.programs[0][1].root = 1;
    EXPECT_NE(ErrorOf(workload), "");
    workload = Two({Collective(0)}, {Collective(0)});
    workload.communicators[0].hosts = {0};
    EXPECT_EQ(ErrorOf(workload), "node 0 'sum': a collective needs at least two hosts");
    workload.communicators[0].hosts = {0, 1};
    workload.programOf = {0, 1, 1};
    EXPECT_EQ(ErrorOf(workload, 3), "host 2, node 0 'sum': is not in communicator 'x'");
}

TEST(WorkloadCheck, EachSendHasItsReceive)
{
    EXPECT_EQ(ErrorOf(Two({Message(SEND, 1)}, {})),
              "messages from host 0 to host 1 with tag 0: 1 are sent and 0 received; "
              "host 0, node 0 'send' has no partner");
    EXPECT_EQ(ErrorOf(Two({}, {Message(RECEIVE, 0)})),
              "messages from host 0 to host 1 with tag 0: 0 are sent and 1 received; "
              "host 1, node 0 'receive' has no partner");
    auto workload = Two({Message(SEND, 1)}, {Message(RECEIVE, 0)});
    workload.programs[1][0].bytes = 7;
    EXPECT_EQ(ErrorOf(workload),
              "messages from host 0 to host 1 with tag 0: 8 bytes are sent and 7 received");
    workload.programs[1][0].bytes = 8;
    workload.programs[1][0].tag = 1;
    EXPECT_NE(ErrorOf(workload), "");
    EXPECT_EQ(ErrorOf(Two({Message(SEND, 0), Message(RECEIVE, 0)}, {})),
              "messages from host 0 to host 0 with tag 0: a host sends none to itself");
}

TEST(WorkloadCheck, RefusesTooManyNodes)
{
    TrainingWorkload workload;
    workload.programs = {WorkloadProgram(10'000)};
    workload.programOf.assign(2000, 0);
    EXPECT_EQ(
        ErrorOf(workload, 2000),
        "20000000 nodes with 0 dependencies on all hosts together are too many (at most 16777216 "
        "and 67108864)");
}

/// A node that waits for the begin of another one does not wait for its end.
TEST(WorkloadCheck, WaitsForBeginsMayBeNoCircle)
{
    const auto begunAfter = [](WorkloadNode node, uint32_t other) {
        node.startDependencies = {other};
        return node;
    };
    // The receive ends when host 1 answers what is sent after the begin of the receive.
    EXPECT_EQ(ErrorOf(Two({Message(RECEIVE, 1), begunAfter(Message(SEND, 1), 0)},
                          {Message(RECEIVE, 0), Message(SEND, 0, {0})})),
              "");
    EXPECT_EQ(ErrorOf(Two({Message(RECEIVE, 1), Message(SEND, 1, {0})},
                          {Message(RECEIVE, 0), Message(SEND, 0, {0})})),
              "4 nodes wait for each other: host 0, node 0 'receive'; host 1, node 1 'send'; host "
              "1, node 0 'receive'; host 0, node 1 'send'");
    EXPECT_EQ(ErrorOf(Two({Delay("a", {1}), begunAfter(Delay("b"), 0)}, {})),
              "2 nodes wait for each other: host 0, node 0 'a'; host 0, node 1 'b'");
    EXPECT_EQ(ErrorOf(Two({begunAfter(Delay("a"), 1), begunAfter(Delay("b"), 0)}, {})),
              "2 nodes wait for each other: host 0, node 0 'a'; host 0, node 1 'b'");
    EXPECT_EQ(ErrorOf(Two({begunAfter(Delay("a"), 0)}, {})),
              "1 nodes wait for each other: host 0, node 0 'a'");
    EXPECT_EQ(ErrorOf(Two({begunAfter(Delay("a"), 1)}, {})),
              "node 0 'a': depends on node 1, which is not there");
}

/// A circle that is found is one; where none is found, nodes can be put into an order.
TEST(WaitGraph, FindsACircleIfThereIsOne)
{
    std::mt19937 random(7);
    uint32_t circles = 0;
    for (uint32_t run = 0; run < 2000; ++run)
    {
        const uint32_t nodes = 1 + random() % 12;
        std::vector<std::vector<bool>> waits(nodes, std::vector<bool>(nodes));
        WaitGraph graph(nodes);
        for (uint32_t i = random() % (2 * nodes); i > 0; --i)
        {
            const uint32_t node = random() % nodes;
            const uint32_t other = random() % nodes;
            waits[node][other] = true;
            graph.Add(node, other);
        }
        const auto cycle = graph.FindCycle();
        circles += cycle.empty() ? 0 : 1;
        for (std::size_t i = 0; i < cycle.size(); ++i)
        {
            ASSERT_TRUE(waits[cycle[i]][cycle[(i + 1) % cycle.size()]]);
        }
        std::vector<bool> ended(nodes);
        uint32_t left = nodes;
        for (uint32_t round = 0; round < nodes; ++round)
        {
            for (uint32_t node = 0; node < nodes; ++node)
            {
                bool isReady = !ended[node];
                for (uint32_t other = 0; other < nodes; ++other)
                {
                    isReady = isReady && (!waits[node][other] || ended[other]);
                }
                ended[node] = ended[node] || isReady;
                left -= isReady ? 1 : 0;
            }
        }
        ASSERT_EQ(cycle.empty(), left == 0);
    }
    EXPECT_GT(circles, 500U);
    EXPECT_LT(circles, 1500U);
}
